"""Administration over HTTP: what whoever holds the admin link sees and may do; the shell prints it as JSON, too."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from cupboard.core.words import Words
from cupboard.server.wire.base import Name, Plain
from cupboard.server.wire.tables import TableStatus


class AdminSeat(Plain, frozen=True):
    """A seat of a table and who sits in it."""

    seat: int
    kind: str
    """person, bot or free."""
    name: str = ""
    words: Words | None = None
    """What to call it when the name was not chosen by a person."""
    role: Words | None = None
    """What the game calls the seat; only known of tables in memory."""
    person: str = ""
    """The id of the person."""
    here: bool = False
    """Whether somebody is connected for it to this server."""
    thinking: bool = False
    """Whether a bot is thinking for it."""


class AdminTable(Plain, frozen=True):
    """A table, in memory or only stored."""

    id: str
    game: str
    title: Words
    status: TableStatus
    seats: tuple[AdminSeat, ...]
    made: int
    """When it was made, in milliseconds since 1970."""
    moved: int
    """When something was last written to its log."""
    moves: int
    """How many moves were made, without nature's."""
    listed: bool = False
    live: bool = False
    """Whether it is in this server's memory."""
    watching: int = 0
    """How many are connected without a seat."""
    damaged: bool = False
    ending: Words | None = None
    """How the game ended."""


class AdminPerson(Plain, frozen=True):
    """A person: a guest or, with a username, an account."""

    id: str
    name: str
    made: int
    username: str = ""
    banned: int = 0
    """Since when, in milliseconds since 1970; 0 for who may come in."""
    used: int = 0
    """When a session of theirs was last used, to the day; 0 when nothing is known."""
    sessions: int = 0
    """How many browsers are signed in."""
    games: int = 0
    """At how many tables they sit or sat."""
    tables: tuple[str, ...] = ()
    """The tables they are connected to now."""


class AdminSession(Plain, frozen=True):
    """A session of a person: one browser that is signed in."""

    id: str
    """The beginning of its digest, which is enough to end it and not to use it."""
    made: int
    used: int
    """When it was last used, to the day."""
    expires: int


class AdminClass(Plain, frozen=True):
    """A class that a person teaches, or belongs to under a name."""

    name: str
    called: str
    """The person's name in the class; empty for its teacher."""
    since: int


class AdminPersonInfo(Plain, frozen=True):
    """The answer to GET /api/admin/people/{id}."""

    person: AdminPerson
    sessions: tuple[AdminSession, ...]
    tables: tuple[AdminTable, ...]
    """The newest of their tables."""
    classes: tuple[AdminClass, ...] = ()
    """The classes that they teach, then those they belong or belonged to."""


class AdminCounts(Plain, frozen=True):
    """How much there is."""

    sockets: int
    """Connections to tables of this server."""
    strangers: int
    """Those of them without a cookie."""
    in_memory: int
    """Tables in this server's memory."""
    thinking: int
    """Bots that are thinking."""
    waiting: int
    playing: int
    over: int
    accounts: int
    guests: int
    banned: int


class AdminNow(Plain, frozen=True):
    """The answer to GET /api/admin/now: what is going on at this server."""

    version: str
    at: int
    """The time of the answer, in milliseconds since 1970."""
    since: int
    """When the server was started; 0 when only the database was asked."""
    counts: AdminCounts
    tables: tuple[AdminTable, ...]
    """The tables where somebody is connected or a game is played, the most recent first; not all of very many."""
    people: tuple[AdminPerson, ...]
    """Who is connected to a table."""


class AdminGame(Plain, frozen=True):
    """A game of a person, in an export."""

    table: str
    game: str
    seat: int
    name: str
    """What the person was called there."""
    made: int
    status: TableStatus
    ending: str = ""


class AdminResult(Plain, frozen=True):
    """How a person's game against bots ended, in an export."""

    table: str
    game: str
    seats: int
    against: tuple[str, ...]
    share: float
    left_out: str
    at: int


class AdminLine(Plain, frozen=True):
    """A line that a person said at a table, in an export."""

    table: str
    at: int
    text: str


class AdminExport(Plain, frozen=True):
    """All that is stored of a person, but for what would let others in: no password, no cookie, no digest of either."""

    id: str
    name: str
    username: str
    made: int
    banned: int
    written: int
    """When this was exported, in milliseconds since 1970."""
    sessions: tuple[AdminSession, ...]
    games: tuple[AdminGame, ...]
    results: tuple[AdminResult, ...]
    chat: tuple[AdminLine, ...]
    classes: tuple[AdminClass, ...]


class EndGame(Plain, frozen=True):
    """The body of POST /api/admin/tables/{id}/end: without a result, as a draw, or won by a seat."""

    winner: Annotated[int, Meta(ge=0, le=5)] | None = None
    draw: bool = False


class NewName(Plain, frozen=True):
    """The body of PUT /api/admin/people/{id}/name."""

    name: Name


class GivenPassword(Plain, frozen=True):
    """The answer to POST /api/admin/people/{id}/password: tell it to the person, nobody is shown it again."""

    password: str


class Done(Plain, frozen=True):
    """The answer to what an administrator has done."""

    count: int = 1
    """How many sessions or tables it was done to."""
