"""Tables over HTTP: how they are made, listed and joined, and what anybody may know of them."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, field

from cupboard.core.changes import SceneChange
from cupboard.core.move import Outcome
from cupboard.core.scene import Scene
from cupboard.core.words import Words
from cupboard.server.wire.base import Plain, ShortText, Token
from cupboard.server.wire.games import OptionValue

SeatKind = Literal["me", "friend", "bot", "open"]
"""me: this client (several: same screen); friend: by invite link; open: whoever comes; bot: a program."""
TableStatus = Literal["waiting", "playing", "over"]


class Clock(Plain, frozen=True):
    """Time limits: a Fischer clock of `start` seconds and `gain` seconds per move; or `days` for each move."""

    start: Annotated[int, Meta(ge=0, le=86_400)] = 0
    gain: Annotated[int, Meta(ge=0, le=3_600)] = 0
    days: Annotated[int, Meta(ge=0, le=30)] = 0


class SeatPlan(Plain, frozen=True):
    """Who is to sit in a seat of a new table."""

    kind: SeatKind
    name: ShortText = ""
    """What a second person at this screen is called."""
    level: ShortText = ""
    """The level of a bot; empty for the friendliest there is."""


class NewTable(Plain, frozen=True):
    """The body of POST /api/tables: the game, who is to sit where, and what was agreed on."""

    game: ShortText
    seats: Annotated[tuple[SeatPlan, ...], Meta(min_length=1, max_length=6)]
    options: dict[ShortText, OptionValue] = field(default_factory=dict)
    clock: Clock | None = None
    listed: bool = False
    """Whether the table shows up under open tables, to join or to watch."""


class SeatInfo(Plain, frozen=True):
    """A seat of a table, and who sits in it."""

    seat: int
    kind: Literal["person", "bot", "free"]
    name: str = ""
    level: str = ""
    here: bool = False
    """Whether somebody is connected for it now; bots always are."""
    invited: bool = False
    """Whether the seat is free, but only for the holder of its invite link."""
    words: Words | None = None
    """What to call it when the name was not chosen by a person: a bot's, a guest's."""


class TableInfo(Plain, frozen=True):
    """A table as anybody may see it."""

    id: str
    game: str
    title: Words
    seats: tuple[SeatInfo, ...]
    status: TableStatus
    version: int
    options: dict[str, OptionValue]
    """All of them; `chosen` names those that differ from the rulebook's."""
    chosen: tuple[str, ...] = ()
    clock: Clock | None = None
    listed: bool = False
    made: int = 0
    """When the table was made, in milliseconds since 1970."""
    moved: int = 0
    """When something last happened at it, in milliseconds since 1970."""
    yours: tuple[int, ...] = ()
    """The seats that the asking client holds."""
    asked: tuple[int, ...] = ()
    """The seats that are to act."""
    outcome: Outcome | None = None
    rematch: str = ""
    """The id of the table where the rematch is played."""
    watching: int = 0
    """How many are connected without a seat."""
    company: bool = False
    """Whether several people play, so that hints need the consent of all."""


class Key(Plain, frozen=True):
    """The secret of a seat. Whoever has a seat's token plays it: keep it, or open /t/ID#TOKEN elsewhere."""

    seat: int
    token: str


class Invite(Plain, frozen=True):
    """What to send a friend: /t/ID?invite=TOKEN takes that seat, once."""

    seat: int
    invite: str


class TableMade(Plain, frozen=True):
    """The answer to POST /api/tables."""

    table: TableInfo
    keys: tuple[Key, ...]
    invites: tuple[Invite, ...]


class TakeSeat(Plain, frozen=True):
    """The body of POST /api/tables/{id}/seats/{seat}: who sits down, and the invite where the seat needs one."""

    invite: Token | None = None
    name: ShortText = ""


class SeatTaken(Plain, frozen=True):
    """The answer to POST /api/tables/{id}/seats/{seat}."""

    table: TableInfo
    key: Key


class Lobby(Plain, frozen=True):
    """The answer to GET /api/tables: listed tables that wait for people, and those that can be watched."""

    join: tuple[TableInfo, ...]
    watch: tuple[TableInfo, ...]


class Mine(Plain, frozen=True):
    """The answer to GET /api/mine: the tables where the asking client sits or sat."""

    running: tuple[TableInfo, ...]
    finished: tuple[TableInfo, ...]


class SceneAt(Plain, frozen=True):
    """The scene after the first `version` entries of a log, for stepping through a game."""

    version: int
    scene: Scene | None = None
    """The whole scene, in the first of an answer."""
    change: SceneChange | None = None
    """In the others: how the scene differs from the one before it in the answer."""
