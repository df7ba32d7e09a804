"""Classes in the database: functions for `Store.read` and `Store.write`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import sqlalchemy as sa
from sqlalchemy import Connection

from cupboard.core.words import phrase
from cupboard.server.classes.pairing import Method, Played, Score
from cupboard.server.errors import BadCode, UnknownClass
from cupboard.server.store.schema import CLASS, GAME, MEMBER, PAIRING, PERSON, ROUND
from cupboard.server.table.pairings import grown, score_of


class ClassRow(msgspec.Struct, frozen=True):
    """A class as it is stored."""

    id: str
    name: str
    teacher: str
    code: str
    tournament: int
    made: int


class MemberRow(msgspec.Struct, frozen=True):
    """A member as it is stored, with what the person has besides."""

    id: str
    person: str | None
    name: str
    joined: int
    gone: int | None
    account: bool
    banned: bool


class RoundRow(msgspec.Struct, frozen=True):
    """A round as it is stored."""

    tournament: int
    n: int
    method: Method
    name: str
    """The name of the game."""
    made: int


class BoardRow(msgspec.Struct, frozen=True):
    """A pairing as it is stored. A score, moves and an end that nobody has noted yet are those of the table."""

    tournament: int
    round: int
    board: int
    first: str
    second: str | None
    level: str
    game: str | None
    score: Score | None
    by_hand: bool
    moves: int
    ended: int | None
    """When the game ended; while it runs, when something last happened there."""
    is_over: bool
    """Whether its table is over, with a result or without."""
    is_noted: bool

    @property
    def played(self) -> Played:
        """The pairing for the standings and for pairing the next round."""
        return Played(self.first, self.second, self.score)

    @property
    def is_running(self) -> bool:
        """Whether its result is yet to come."""
        return self.score is None and self.game is not None and not self.is_over

    @property
    def is_void(self) -> bool:
        """Whether nothing came of it: its table was stopped or closed, or is gone, before there was a result."""
        return self.score is None and not self.is_running


class ClassRecord(msgspec.Struct, frozen=True):
    """A class with its members and with rounds, oldest first."""

    row: ClassRow
    members: tuple[MemberRow, ...]
    rounds: tuple[RoundRow, ...]
    boards: tuple[BoardRow, ...]

    @property
    def present(self) -> tuple[MemberRow, ...]:
        """Those who have not been removed."""
        return tuple(member for member in self.members if member.gone is None and member.person is not None)

    def member(self, member: str) -> MemberRow | None:
        """The member with this id, removed or not."""
        return next((one for one in self.members if one.id == member), None)


def find_class(conn: Connection, class_id: str) -> ClassRow:
    """The class; UnknownClass when there is none."""
    row = conn.execute(sa.select(CLASS).where(CLASS.c.id == class_id)).mappings().first()
    if row is None:
        raise UnknownClass(phrase("no.class"))
    return msgspec.convert(row, ClassRow)


def class_of_code(conn: Connection, code: str) -> ClassRow:
    """The class that this code lets into; BadCode when there is none, or when its teacher is banned."""
    teacher = sa.and_(PERSON.c.id == CLASS.c.teacher, PERSON.c.banned.is_(None))
    row = conn.execute(sa.select(CLASS).join(PERSON, teacher).where(CLASS.c.code == code)).mappings().first()
    if row is None:
        raise BadCode(phrase("no.code"))
    return msgspec.convert(row, ClassRow)


def teacher_name(conn: Connection, row: ClassRow) -> str:
    """What the teacher is called, which is to be shown by `NameRules.shown`: the name may be older than the rules."""
    return str(conn.execute(sa.select(PERSON.c.name).where(PERSON.c.id == row.teacher)).scalar_one())


def read_members(conn: Connection, class_id: str) -> tuple[MemberRow, ...]:
    """The members in the order in which they came, with those who were removed."""
    query = (
        sa.select(MEMBER, PERSON.c.username.is_not(None).label("account"), PERSON.c.banned.is_not(None).label("banned"))
        .join(PERSON, MEMBER.c.person == PERSON.c.id, isouter=True)
        .where(MEMBER.c["class"] == class_id)
        .order_by(MEMBER.c.joined, MEMBER.c.id)
    )
    flags = ("account", "banned")
    rows = [_plain(row) | {flag: bool(row[flag]) for flag in flags} for row in conn.execute(query).mappings()]
    return msgspec.convert(rows, tuple[MemberRow, ...])


def read_class(
    conn: Connection, class_id: str, tournament: int | None = None, person: str | None = None
) -> ClassRecord:
    """A class with the rounds of one tournament: the present one, or for 0 of all. For a person only their boards."""
    row = find_class(conn, class_id)
    members = read_members(conn, class_id)
    wanted = row.tournament if tournament is None else tournament
    rounds = sa.select(ROUND).where(ROUND.c["class"] == class_id).order_by(ROUND.c.tournament, ROUND.c.n)
    boards = (
        sa.select(PAIRING, GAME.c.status, GAME.c.outcome)
        .join(GAME, PAIRING.c.game == GAME.c.id, isouter=True)
        .where(PAIRING.c["class"] == class_id)
        .order_by(PAIRING.c.tournament, PAIRING.c.round, PAIRING.c.board)
    )
    if wanted:
        rounds = rounds.where(ROUND.c.tournament == wanted)
        boards = boards.where(PAIRING.c.tournament == wanted)
    if person is not None:
        own = [member.id for member in members if member.person == person]
        boards = boards.where(sa.or_(PAIRING.c.first.in_(own), PAIRING.c.second.in_(own)))
    found = [_plain(board) for board in conn.execute(boards).mappings()]
    lengths = grown(conn, [board["game"] for board in found if board["score"] is None and board["game"]])
    return ClassRecord(
        row,
        members,
        msgspec.convert(conn.execute(rounds).mappings().all(), tuple[RoundRow, ...]),
        tuple(_board(board, lengths) for board in found),
    )


def _plain(row: sa.RowMapping) -> dict[str, Any]:
    """The row as a dict that can be added to; SQLAlchemy's keys are more than strings."""
    return {str(key): value for key, value in row.items()}


def _board(row: dict[str, Any], lengths: dict[str, tuple[int, int]]) -> BoardRow:
    is_noted, is_over = row["score"] is not None, row["status"] == "over"
    if not is_noted and row["game"]:
        moves, at = lengths.get(row["game"], (0, None))
        row |= {"moves": moves, "ended": at, "score": score_of(row["game"], row["outcome"]) if is_over else None}
    more = {"by_hand": bool(row["by_hand"]), "is_over": is_over, "is_noted": is_noted}
    return msgspec.convert(row | more, BoardRow)


def write_score(conn: Connection, class_id: str, board: BoardRow, score: Score, at: int) -> None:
    """Write the score that the teacher gives a board."""
    which = _is_board(class_id, board.tournament, board.round, board.board)
    ended = at if board.is_running or board.ended is None else board.ended
    conn.execute(sa.update(PAIRING).where(which).values(score=score, by_hand=True, moves=board.moves, ended=ended))


def _is_board(class_id: str, tournament: int, number: int, board: int) -> sa.ColumnElement[bool]:
    return sa.and_(
        PAIRING.c["class"] == class_id,
        PAIRING.c.tournament == tournament,
        PAIRING.c.round == number,
        PAIRING.c.board == board,
    )


NewBoard = tuple[str, str | None, str, str | None, Score | None]
"""A board that is yet to be written: first, second, level of the bot, game, and the score of who sits out."""


def write_round(conn: Connection, class_id: str, number: RoundRow, boards: Sequence[NewBoard]) -> None:
    """Write a round and its boards."""
    conn.execute(sa.insert(ROUND).values({"class": class_id, **msgspec.structs.asdict(number)}))
    place = {"class": class_id, "tournament": number.tournament, "round": number.n}
    rows = [
        place
        | dict(zip(("first", "second", "level", "game", "score"), row, strict=True))
        | {"board": n, "ended": number.made if row[-1] else None}
        for n, row in enumerate(boards, start=1)
    ]
    conn.execute(sa.insert(PAIRING), rows)
