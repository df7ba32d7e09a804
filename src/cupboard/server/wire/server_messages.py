"""What the server says through the WebSocket of a table."""

from __future__ import annotations

from typing import Literal

from cupboard.core.aiming import Aiming
from cupboard.core.changes import SceneChange
from cupboard.core.filling import Filling
from cupboard.core.move import Outcome
from cupboard.core.scene import Scene
from cupboard.core.words import Text, Words
from cupboard.server.wire.base import Plain
from cupboard.server.wire.client_messages import Offer
from cupboard.server.wire.tables import SeatInfo, TableInfo, TableStatus

EventKind = Literal[
    "sit",  # text: the name
    "start",
    "move",  # seat -1 is nature
    "chat",
    "phrase",  # text: which; its words say it
    "offer",  # text: takeback, draw, rematch or hints
    "decline",  # text: the offer
    "agree",  # text: the offer; it takes effect when nobody is left to ask
    "takeback",  # text: how many events of the log still count
    "handover",  # text: the level of the bot that now plays the seat
    "end",  # text: resigned, time or agreed; seat: who did it. By others: stopped, closed, or decided for the seat
    "rematch",  # text: the new table's id
]


class Event(Plain, frozen=True):
    """Entry `n` of the table's log, as this client may see it."""

    n: int
    kind: EventKind
    at: int
    """When it happened, in milliseconds since 1970."""
    seat: int | None = None
    text: str = ""
    path: tuple[str, ...] = ()
    """Of a seat's move: the cells that the moved piece passes, in order, for the animation."""
    words: Words | None = None
    """Of a move: what happens, as a sentence; {who} is left open for the name of its seat. Of a phrase: that."""
    short: Text | None = None
    """Of a move: what a list of moves says instead of `text`; empty: it is not shown in lists."""
    motion: bool = False
    """Of nature's move: whether GET /api/tables/{id}/motions/{n} has the motion that leads to it."""


class Choice(Plain, frozen=True):
    """A legal move: point at `spots` in order to enter it."""

    text: str
    spots: tuple[str, ...]
    warning: Words | None = None
    """A question to ask the person before sending it."""
    via: tuple[str, ...] = ()
    """The cells on which the piece lands on its way from the first of `spots` to the last."""


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
    """The seats that have not answered yet."""


class Welcome(Plain, frozen=True, tag_field="type", tag="welcome"):
    """The answer to `Hello`; an update follows."""

    table: TableInfo
    yours: tuple[int, ...]


class Update(Plain, frozen=True, tag_field="type", tag="update"):
    """The table now, and what happened since the last update (or since the version of the hello)."""

    version: int
    """How many events the log has."""
    events: tuple[Event, ...]
    status: TableStatus
    scene: Scene | None = None
    """The whole scene, in the first update."""
    change: SceneChange | None = None
    """In all later ones: how the scene differs from the one this client has."""
    seat: int | None = None
    """The seat from which the scene is seen, and whose moves are listed; none for a spectator."""
    asked: tuple[int, ...] = ()
    """The seats that are to act."""
    moves: tuple[Choice, ...] = ()
    filling: Filling | None = None
    """How to put a move together, where they are too many to list."""
    aiming: Aiming | None = None
    """How to aim a move by hand, where the listed moves are only the usual ones."""
    times: Times | None = None
    offers: tuple[Standing, ...] = ()
    hints: bool = False
    """Whether all have agreed that hints may be given; where only one person plays nobody needs to."""
    outcome: Outcome | None = None
    ack: int | None = None
    """The id of this client's message that brought it about."""


class Seats(Plain, frozen=True, tag_field="type", tag="seats"):
    """Who sits where, after somebody sat down, came or went."""

    seats: tuple[SeatInfo, ...]
    watching: int = 0
    """How many are connected without a seat."""
    company: bool = False
    """Whether several people play, so that hints need the consent of all."""


class Hint(Plain, frozen=True, tag_field="type", tag="hint"):
    """The answer to `AskHint`: what a bot would do at `version`."""

    version: int
    seat: int
    move: Choice
    id: int | None = None
    short: Text | None = None
    """The move in a few words, where there are better ones than its notation."""


class Refused(Plain, frozen=True, tag_field="type", tag="refused"):
    """Nothing happened, and why; code, sentence and words are those of a `Problem`."""

    code: str
    sentence: str
    id: int | None = None
    words: Words | None = None


class Database(Plain, frozen=True, tag_field="type", tag="database"):
    """The server cannot reach its database, or reaches it again. Meanwhile nothing is acknowledged; nothing is lost."""

    there: bool


class Pong(Plain, frozen=True, tag_field="type", tag="pong"):
    """The answer to `Ping`: the server is there."""

    id: int | None = None


ServerMessage = Welcome | Update | Seats | Hint | Refused | Database | Pong
