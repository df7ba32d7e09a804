"""Classes over HTTP: what a teacher and a pupil see of one, and what a teacher may do."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from cupboard.core.words import Words
from cupboard.server.wire.base import Name, Plain, ShortText, Token
from cupboard.server.wire.tables import Clock, TableStatus

PairingMethod = Literal["round-robin", "swiss"]
BoardScore = Literal["first", "draw", "second", "bye", "pause"]
"""Who won; or somebody sat out, in a Swiss round for a point (`bye`), in a round robin for none (`pause`)."""
Code = Annotated[str, Meta(min_length=1, max_length=20)]


class NewClass(Plain, frozen=True):
    """The body of POST /api/classes, and of PUT /api/classes/{id} to change the name."""

    name: Name


class ClassCard(Plain, frozen=True):
    """A class in a list."""

    id: str
    name: str
    members: int = 0
    teacher: str = ""
    """What the teacher is called; left out for one's own classes."""


class ClassLists(Plain, frozen=True):
    """The answer to GET /api/classes: the classes that the asking client teaches, and those it belongs to."""

    teaching: tuple[ClassCard, ...]
    member: tuple[ClassCard, ...]


class MemberInfo(Plain, frozen=True):
    """A member of a class as the teacher sees them, with how they stand in the present tournament."""

    id: str
    name: str
    here: bool = False
    """Whether they are connected now."""
    account: bool = False
    """Whether they have an account, and so need no way back."""
    gone: bool = False
    """Whether they were removed, but have played in this tournament; or are banned from the server."""
    table: str = ""
    """The id of the table where they play now."""
    rank: int = 0
    points: float = 0.0
    buchholz: float = 0.0
    played: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    byes: int = 0


class BoardInfo(Plain, frozen=True):
    """A pairing of a round, and its table."""

    round: int
    board: int
    first: str
    """The member with the first seat."""
    second: str = ""
    """The member with the second seat; empty where a bot sits, or nobody."""
    level: str = ""
    """The level of the bot."""
    table: str = ""
    """The id of the table; empty for somebody who sits out."""
    status: TableStatus = "waiting"
    asked: tuple[int, ...] = ()
    """The seats that are to act, as far as that is known."""
    here: tuple[int, ...] = ()
    """The seats whose people are connected to the table."""
    moves: int = 0
    moved: int = 0
    """When something last happened there, in milliseconds since 1970."""
    score: BoardScore | None = None
    """Left out while the game runs, and when its table is over without a result: it was stopped or closed."""
    by_hand: bool = False
    """Whether the teacher has said so."""


class RoundCard(Plain, frozen=True):
    """A round of the present tournament in the list of rounds."""

    n: int
    game: str
    title: Words
    method: PairingMethod
    made: int
    running: int = 0
    """How many of its games are not over."""


class ClassInfo(Plain, frozen=True):
    """The answer to GET /api/classes/{id}: everything that the teacher sees at once."""

    id: str
    name: str
    code: str
    now: int
    """The time at the server, in milliseconds since 1970, to tell how long somebody has been waiting."""
    tournament: int
    """The number of the present tournament."""
    members: tuple[MemberInfo, ...]
    """In the order of the standings."""
    rounds: tuple[RoundCard, ...]
    boards: tuple[BoardInfo, ...]
    """Those of the last round, and before them those of earlier ones that are not over."""


class ChangeMember(Plain, frozen=True):
    """The body of PUT /api/classes/{id}/members/{member}: another name."""

    name: Name


class MergeMembers(Plain, frozen=True):
    """The body of POST /api/classes/{id}/members/{member}/merge: the member from before who is the same pupil."""

    into: Token


class WayBack(Plain, frozen=True):
    """The answer to POST /api/classes/{id}/members/{member}/way-back: a code by which a guest comes back, once."""

    code: str
    until: int
    """When it expires, in milliseconds since 1970."""


class NewRound(Plain, frozen=True):
    """The body of POST /api/classes/{id}/rounds: whom to pair, how, and for which game."""

    game: ShortText
    method: PairingMethod
    members: Annotated[tuple[Token, ...], Meta(max_length=100)]
    """Those who are present."""
    after: Annotated[int, Meta(ge=0, le=10_000)]
    """The number of the last round that the teacher has seen: nobody pairs twice by pressing twice."""
    bot: ShortText = ""
    """The level of the bot that whoever is left over plays; empty for sitting out."""
    clock: Clock | None = None
    anyway: bool = False
    """Whether to pair although games of an earlier round still run, which count for nobody until they end."""


class BoardResult(Plain, frozen=True):
    """The body of PUT /api/classes/{id}/rounds/{round}/boards/{board}: the result; a running game ends with it."""

    score: Literal["first", "draw", "second"]


class JoinInfo(Plain, frozen=True):
    """The answer to GET /api/join/{code}: where a code leads."""

    id: str
    name: str
    """The name of the class."""
    teacher: str
    member: str = ""
    """Who the asking client is in the class already; for a way back, who it leads back to."""
    back: bool = False
    """Whether the code is a way back for one member."""


class JoinClass(Plain, frozen=True):
    """The body of POST /api/join: the code of a class and the name to be called there, or a code to come back by."""

    code: Code
    name: ShortText = ""


class Joined(Plain, frozen=True):
    """The answer to POST /api/join."""

    id: str
    name: str
    """What the member is called."""


class OwnBoard(Plain, frozen=True):
    """A pairing as the member who was paired sees it."""

    round: int
    title: Words
    against: str = ""
    """Who the opponent is; empty where a bot sits, or nobody."""
    level: str = ""
    table: str = ""
    points: float | None = None
    """What the member got; left out while the game runs, and when it ended without a result."""


class MemberView(Plain, frozen=True):
    """The answer to GET /api/classes/{id}/me: what a member sees of the class."""

    id: str
    name: str
    teacher: str
    you: str
    boards: tuple[OwnBoard, ...]
    """The member's pairings in the present tournament, newest first."""
    table: str = ""
    """The id of the table where the member is to play now."""
