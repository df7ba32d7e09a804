"""How people's games against bots ended, as rows of the database: functions for `Store.read` and `Store.write`."""

from __future__ import annotations

from typing import Any

import msgspec
import sqlalchemy as sa
from sqlalchemy import Connection

from cupboard.server.store.schema import RESULT, SEAT
from cupboard.server.wire.strength import LeftOut, LevelTally

MOST_WEIGHED = 100
"""So many of the last results with one number of seats make a strength: earlier ones no longer tell anything."""
_SAME = 1e-9


class Result(msgspec.Struct, frozen=True, gc=False):
    """How one person's game against bots ended."""

    game: str
    """The id of the table where it was played."""
    seat: int
    person: str
    name: str
    """The name of the game."""
    seats: int
    against: tuple[str, ...]
    """The levels of the bots."""
    share: float
    """The person's share of the point."""
    left_out: LeftOut
    at: int

    @property
    def level(self) -> str:
        """The level of all bots; empty when they differ."""
        return self.against[0] if len(set(self.against)) == 1 else ""


def write_result(conn: Connection, result: Result) -> None:
    """Write a result. A game in which a hint was given is left out."""
    helped = sa.select(SEAT.c.helped).where(SEAT.c.game == result.game, SEAT.c.seat == result.seat)
    if not result.left_out and conn.execute(helped).scalar():
        result = msgspec.structs.replace(result, left_out="helped")
    row = msgspec.structs.asdict(result) | {
        "against": msgspec.json.encode(result.against).decode(),
        "level": result.level,
    }
    conn.execute(sa.insert(RESULT).values(**row))


def write_helped(conn: Connection, table: str, seat: int) -> None:
    """Note that a hint was given to a seat."""
    conn.execute(sa.update(SEAT).where(SEAT.c.game == table, SEAT.c.seat == seat).values(helped=True))


def read_results(conn: Connection, person: str, name: str | None = None) -> list[Result]:
    """The last results of a person that count, oldest first: at most `MOST_WEIGHED` for a game and number of seats."""
    newest = sa.func.row_number().over(partition_by=(RESULT.c.name, RESULT.c.seats), order_by=RESULT.c.at.desc())
    query = sa.select(RESULT, newest.label("place")).where(RESULT.c.person == person, RESULT.c.left_out == "")
    if name is not None:
        query = query.where(RESULT.c.name == name)
    ranked = query.subquery()
    rows = conn.execute(sa.select(ranked).where(ranked.c.place <= MOST_WEIGHED).order_by(ranked.c.at))
    return [_result(dict(row)) for row in rows.mappings()]


def _result(row: dict[str, Any]) -> Result:
    known = row | {"against": msgspec.json.decode(row["against"])}
    return msgspec.convert({name: known[name] for name in Result.__struct_fields__}, Result)


def read_tallies(conn: Connection, person: str, name: str) -> tuple[LevelTally, ...]:
    """How often a person has won and lost against each level of a game."""
    kind = sa.case((RESULT.c.share >= 1 - _SAME, "won"), (RESULT.c.share > _SAME, "drawn"), else_="lost")
    query = (
        sa.select(RESULT.c.level, RESULT.c.seats, kind, sa.func.count())
        .where(RESULT.c.person == person, RESULT.c.name == name)
        .group_by(RESULT.c.level, RESULT.c.seats, kind)
    )
    counted: dict[tuple[str, int], dict[str, int]] = {}
    for level, seats, how, count in conn.execute(query):
        counted.setdefault((level, seats), {"won": 0, "drawn": 0, "lost": 0})[how] = count
    return tuple(LevelTally(level, seats, **counts) for (level, seats), counts in sorted(counted.items()))


def read_left_out(conn: Connection, tables: list[str], person: str) -> dict[str, LeftOut]:
    """Why games of a person do not count, by table."""
    query = sa.select(RESULT.c.game, RESULT.c.left_out).where(RESULT.c.game.in_(tables), RESULT.c.person == person)
    return {game: left_out for game, left_out in conn.execute(query) if left_out}


def move_results(conn: Connection, old: str, new: str) -> None:
    """Give the results of a guest to the account that the guest signs in to."""
    conn.execute(sa.update(RESULT).where(RESULT.c.person == old).values(person=new))
