"""Everything that crosses the wire, one struct per message. docs/wire.md shows a real exchange.

The page's TypeScript types (web/src/wire.gen.ts) and the OpenAPI schema are made from these structs. Fields that
have their default value are left out of what is sent. Adding a field is fine; renaming or removing one is not.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from cupboard.core.changes import PartChange as PartChange
from cupboard.core.changes import SceneChange as SceneChange
from cupboard.core.filling import Filling as Filling
from cupboard.core.scene import Cell as Cell
from cupboard.core.scene import Control as Control
from cupboard.core.scene import Kind as Kind
from cupboard.core.scene import Label as Label
from cupboard.core.scene import LabelKind as LabelKind
from cupboard.core.scene import Mark as Mark
from cupboard.core.scene import MarkKind as MarkKind
from cupboard.core.scene import Outline as Outline
from cupboard.core.scene import Part as Part
from cupboard.core.scene import Piece as Piece
from cupboard.core.scene import PlayerPanel as PlayerPanel
from cupboard.core.scene import Role as Role
from cupboard.core.scene import Scene as Scene
from cupboard.core.scene import Shape as Shape
from cupboard.core.scene import Taking as Taking
from cupboard.core.scene import Tint as Tint
from cupboard.core.words import Words as Words

Name = Annotated[str, Meta(min_length=1, max_length=40)]
Notation = Annotated[str, Meta(min_length=1, max_length=200)]
Token = Annotated[str, Meta(min_length=8, max_length=64, pattern=r"^[A-Za-z0-9_-]+(?!\n)$")]
Password = Annotated[str, Meta(min_length=8, max_length=200)]
Index = Annotated[int, Meta(ge=-1, le=1_000_000)]
Seat = Annotated[int, Meta(ge=0, le=5)]
Id = Annotated[int, Meta(ge=0, le=2**53 - 1)]


class Plain(msgspec.Struct, omit_defaults=True, frozen=True, gc=False):
    """What all structs share."""


# Scenes come from core: what a screen draws is also what is sent.


class SceneAt(Plain, frozen=True):
    """The scene after the first `version` entries of a log: for stepping through a game."""

    version: int
    scene: Scene | None = None
    """Of the first in an answer."""
    change: SceneChange | None = None
    """Of the others: how the scene differs from the one before it in the answer."""


# Tables.

OptionValue = bool | int | str


class OptionInfo(Plain, frozen=True):
    """One thing people may agree on before a game begins; the kind of `default` decides the kind of value."""

    name: str
    words: Words
    default: OptionValue
    choices: tuple[str, ...] = ()
    """The word for a choice has the key of `words` with a dot and the choice behind it."""
    least: int = 0
    most: int = 0


class LevelInfo(Plain, frozen=True):
    """A bot one can play against."""

    level: str
    """What to send as `level`."""
    title: Words
    words: Words
    """How it plays."""
    seats: tuple[int, ...] = ()
    """At tables of so many seats there is this level."""


class GameInfo(Plain, frozen=True):
    """A game in the cupboard."""

    name: str
    title: Words
    blurb: Words
    minutes: int
    seats: tuple[int, ...]
    """How many can play; the first is the default."""
    options: tuple[OptionInfo, ...]
    levels: tuple[LevelInfo, ...]
    """Weakest first."""
    tints: tuple[Tint, ...]
    """Of seat 0, 1 …"""
    secrets: bool = False
    """Whether seats see different things, so that several seats on one screen need a curtain."""
    draws: bool = True
    """Whether people may agree on a draw."""


class Clock(Plain, frozen=True):
    """Fischer: `start` seconds and `gain` seconds per move; or `days` for each move."""

    start: Annotated[int, Meta(ge=0, le=86_400)] = 0
    gain: Annotated[int, Meta(ge=0, le=3_600)] = 0
    days: Annotated[int, Meta(ge=0, le=30)] = 0


SeatKind = Literal["me", "friend", "bot", "open"]
"""me: this client (several: same screen); friend: by invite link; open: whoever comes; bot: a program."""


class SeatPlan(Plain, frozen=True):
    """Who is to sit in a seat of a new table."""

    kind: SeatKind
    name: Annotated[str, Meta(max_length=40)] = ""
    """For a second person at this screen."""
    level: Annotated[str, Meta(max_length=40)] = ""
    """Of a bot; empty is the friendliest there is."""


class NewTable(Plain, frozen=True):
    """POST /api/tables."""

    game: Annotated[str, Meta(max_length=40)]
    seats: Annotated[tuple[SeatPlan, ...], Meta(min_length=1, max_length=6)]
    options: dict[Annotated[str, Meta(max_length=40)], OptionValue] = {}
    clock: Clock | None = None
    listed: bool = False
    """Whether the table shows up under open tables, to join or to watch."""


class SeatInfo(Plain, frozen=True):
    """Who sits where."""

    seat: int
    kind: Literal["person", "bot", "free"]
    name: str = ""
    level: str = ""
    here: bool = False
    """Whether somebody is connected for it now; bots always are."""
    invited: bool = False
    """A free seat that only its invite link gives."""
    words: Words | None = None
    """What to call it when the name was not chosen by a person: a bot's, a guest's."""


TableStatus = Literal["waiting", "playing", "over"]


class Outcome(Plain, frozen=True):
    """How a game ended; the winners share one point, and nobody wins an abandoned solo."""

    winners: tuple[int, ...]
    reason: str
    """A stable word: the game's own, or resigned, time, agreed."""
    sentence: Words


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
    """Milliseconds since 1970."""
    moved: int = 0
    yours: tuple[int, ...] = ()
    """The seats that the asking client holds."""
    asked: tuple[int, ...] = ()
    """The seats that are to act."""
    outcome: Outcome | None = None
    rematch: str = ""
    """The table where it goes on."""
    watching: int = 0
    """How many are connected without a seat."""


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
    """POST /api/tables/{id}/seats/{seat}."""

    invite: Token | None = None
    name: Annotated[str, Meta(max_length=40)] = ""


class SeatTaken(Plain, frozen=True):
    """The answer to it."""

    table: TableInfo
    key: Key


class Lobby(Plain, frozen=True):
    """GET /api/tables: what is going on here."""

    join: tuple[TableInfo, ...]
    watch: tuple[TableInfo, ...]


class Mine(Plain, frozen=True):
    """GET /api/mine."""

    running: tuple[TableInfo, ...]
    finished: tuple[TableInfo, ...]


# People.


class Me(Plain, frozen=True):
    """Who this client is: a guest until it has a username."""

    name: str
    username: str = ""
    words: Words | None = None
    """What to call them when they have not said a name."""


class Rename(Plain, frozen=True):
    """PUT /api/me."""

    name: Name


class Login(Plain, frozen=True):
    """POST /api/account makes an account of this guest; POST /api/session signs in to one."""

    username: Annotated[str, Meta(min_length=2, max_length=30, pattern=r"^[A-Za-z0-9_.-]+(?!\n)$")]
    password: Password


class NewPassword(Plain, frozen=True):
    """PUT /api/account/password."""

    old: Password
    new: Password


class Problem(Plain, frozen=True):
    """What every refused request answers: a stable code, a sentence in English, and its words for other languages."""

    code: str
    sentence: str
    words: Words | None = None


# The socket of a table: what the client says …


class Hello(Plain, frozen=True, tag_field="type", tag="hello"):
    """First of all: which seats this client holds beyond its cookie's, and what it already has."""

    tokens: Annotated[tuple[Token, ...], Meta(max_length=6)] = ()
    version: Index = 0
    """How many events the client has; only later ones are sent."""
    watch: bool = False
    """True: hold no seat, whatever the cookie says. For the big screen."""


class Make(Plain, frozen=True, tag_field="type", tag="move"):
    """A move in notation. `version` is what the client has seen; when that is too old, nothing happens."""

    text: Notation
    version: Index
    seat: Seat | None = None
    """Whose; needed only when this client holds several seats that may act."""
    id: Id | None = None
    """Comes back in `Update.ack` or `Refused.id`."""


class Chat(Plain, frozen=True, tag_field="type", tag="chat"):
    """Something to say to all at the table."""

    text: Annotated[str, Meta(min_length=1, max_length=500)]
    seat: Seat | None = None
    id: Id | None = None


Offer = Literal["takeback", "draw", "rematch"]


class Propose(Plain, frozen=True, tag_field="type", tag="offer"):
    """Ask the others for a takeback, a draw or a rematch. Bots consent to all but a draw."""

    what: Offer
    seat: Seat | None = None
    id: Id | None = None


class Answer(Plain, frozen=True, tag_field="type", tag="answer"):
    """Say yes or no to an offer."""

    what: Offer
    yes: bool
    seat: Seat | None = None
    id: Id | None = None


class Resign(Plain, frozen=True, tag_field="type", tag="resign"):
    """Give up. With more than two seats a bot plays on for the others' sake."""

    seat: Seat | None = None
    id: Id | None = None


class AskHint(Plain, frozen=True, tag_field="type", tag="hint"):
    """What would a bot do here?"""

    seat: Seat | None = None
    id: Id | None = None


class Why(Plain, frozen=True, tag_field="type", tag="why"):
    """Why can I not point at these spots? `Refused` says so; nothing is ever played."""

    spots: Annotated[tuple[Annotated[str, Meta(max_length=20)], ...], Meta(min_length=1, max_length=40)]
    seat: Seat | None = None
    id: Id | None = None


class Look(Plain, frozen=True, tag_field="type", tag="look"):
    """Show the table from another of this client's seats: for several people at one screen."""

    seat: Seat


class Ping(Plain, frozen=True, tag_field="type", tag="ping"):
    """Are you there?"""

    id: Id | None = None


ClientMessage = Hello | Make | Chat | Propose | Answer | Resign | AskHint | Why | Look | Ping

# … and what the server says.

EventKind = Literal[
    "sit",  # text: the name
    "start",
    "move",  # seat -1 is nature
    "chat",
    "offer",  # text: takeback, draw or rematch
    "decline",  # text: the offer
    "agree",  # text: the offer; it takes effect when nobody is left to ask
    "takeback",  # text: how many events of the log still count
    "handover",  # text: the level of the bot that now plays the seat
    "end",  # text: resigned, time or agreed; seat: who did it
    "rematch",  # text: the new table's id
]


class Event(Plain, frozen=True):
    """Entry `n` of the table's log, as this client may see it."""

    n: int
    kind: EventKind
    at: int
    """Milliseconds since 1970."""
    seat: int | None = None
    text: str = ""
    path: tuple[str, ...] = ()
    """Of a seat's move: the cells that the moved piece passes, in order, for the animation."""
    words: Words | None = None
    """Of a move: what happens, as a sentence; {who} is left open for the name of its seat."""
    short: str | None = None
    """Of a move: what a list of moves shows instead of `text`; empty: it is not shown in lists."""


class Choice(Plain, frozen=True):
    """A legal move: point at `spots` in order to enter it."""

    text: str
    spots: tuple[str, ...]
    warning: Words | None = None
    """Ask this before sending it."""


class Times(Plain, frozen=True):
    """How long each seat has left, in milliseconds, at the moment of the message."""

    left: tuple[int, ...]
    running: tuple[int, ...] = ()
    """The seats whose clocks run."""


class Standing(Plain, frozen=True):
    """An offer that waits for answers."""

    what: Offer
    seat: int
    waits: tuple[int, ...]
    """Who has not answered yet."""


class Welcome(Plain, frozen=True, tag_field="type", tag="welcome"):
    """The answer to hello; an update follows."""

    table: TableInfo
    yours: tuple[int, ...]


class Update(Plain, frozen=True, tag_field="type", tag="update"):
    """The table now, and what happened since the last update (or since the version of the hello)."""

    version: int
    """How many events the log has."""
    events: tuple[Event, ...]
    status: TableStatus
    scene: Scene | None = None
    """In the first update."""
    change: SceneChange | None = None
    """In all later ones: how the scene differs from the one this client has."""
    seat: int | None = None
    """Whose eyes the scene is seen with, and whose moves are listed; none for a spectator."""
    asked: tuple[int, ...] = ()
    """The seats that are to act."""
    moves: tuple[Choice, ...] = ()
    filling: Filling | None = None
    """How to put a move together, where they are too many to list."""
    times: Times | None = None
    offers: tuple[Standing, ...] = ()
    outcome: Outcome | None = None
    ack: int | None = None
    """The id of this client's message that brought it about."""


class Seats(Plain, frozen=True, tag_field="type", tag="seats"):
    """Somebody sat down, came or went."""

    seats: tuple[SeatInfo, ...]
    watching: int = 0
    """How many are connected without a seat."""


class Hint(Plain, frozen=True, tag_field="type", tag="hint"):
    """What a bot would do at `version`."""

    version: int
    seat: int
    move: Choice
    id: int | None = None


class Refused(Plain, frozen=True, tag_field="type", tag="refused"):
    """Nothing happened, and why: see `Problem`."""

    code: str
    sentence: str
    id: int | None = None
    words: Words | None = None


class Pong(Plain, frozen=True, tag_field="type", tag="pong"):
    """Yes."""

    id: int | None = None


ServerMessage = Welcome | Update | Seats | Hint | Refused | Pong
