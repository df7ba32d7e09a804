"""Tables as rows of the database, for administration: functions for `Store.read` and `Store.write`."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy import Connection

from cupboard.core.words import phrase
from cupboard.server.administration.people_rows import MOST_FOUND, contains, plain
from cupboard.server.errors import UnknownTable
from cupboard.server.people.names import called
from cupboard.server.store.schema import EVENT, GAME, MOTION, PERSON, RESULT, SEAT
from cupboard.server.table.lobby import read_outcome
from cupboard.server.table.pairings import note_scores
from cupboard.server.wire.administration import AdminSeat, AdminTable
from cupboard.server.wire.tables import TableStatus


class Tail(NamedTuple):
    """What must be known of a table to write the end of its log."""

    name: str
    seats: int
    options: str
    status: TableStatus
    version: int
    at: int
    """The time of the last entry."""


def read_tail(conn: Connection, table: str) -> Tail:
    """The end of a table's log; UnknownTable when there is none."""
    row = conn.execute(sa.select(GAME).where(GAME.c.id == plain(table))).first()
    if row is None:
        raise UnknownTable(phrase("no.table", table=repr(table[:20])))
    last = conn.execute(sa.select(sa.func.max(EVENT.c.n), sa.func.max(EVENT.c.at)).where(EVENT.c.game == row.id)).one()
    version, at = (0, row.made) if last[0] is None else (last[0] + 1, last[1])
    return Tail(row.name, row.seats, row.options, row.status, version, at)


def has_closed(conn: Connection, table: str, text: str) -> bool:
    """Whether the log of a table has an `end` with this text."""
    query = sa.select(EVENT.c.n).where(EVENT.c.game == table, EVENT.c.kind == "end", EVENT.c.text == text)
    return conn.execute(query).first() is not None


def unlist(conn: Connection, table: str) -> None:
    """Take a table out of the lobby."""
    conn.execute(sa.update(GAME).where(GAME.c.id == table).values(listed=False))


def find_tables(conn: Connection, text: str) -> list[AdminTable]:
    """The newest tables whose id or game, or the name of somebody at them, contains the text.

    Without a text: those that are not over."""
    query = sa.select(GAME).order_by(GAME.c.made.desc()).limit(MOST_FOUND)
    if text := plain(text):
        sits = sa.select(SEAT.c.game).where(sa.or_(SEAT.c.person == text, *contains((SEAT.c.name,), text)))
        query = query.where(
            sa.or_(GAME.c.id == text, GAME.c.id.startswith(text, autoescape=True), GAME.c.name == text)
            | GAME.c.id.in_(sits)
        )
    else:
        query = query.where(GAME.c.status != "over")
    return _tables(conn, query)


def tables_of(conn: Connection, person: str) -> list[AdminTable]:
    """The newest tables of a person."""
    sat = sa.select(SEAT.c.game).where(SEAT.c.person == person)
    return _tables(conn, sa.select(GAME).where(GAME.c.id.in_(sat)).order_by(GAME.c.made.desc()).limit(MOST_FOUND))


def count_tables(conn: Connection) -> dict[str, int]:
    """How many tables there are, by their status."""
    query = sa.select(GAME.c.status, sa.func.count()).group_by(GAME.c.status)
    return {row[0]: row[1] for row in conn.execute(query)}


def _tables(conn: Connection, query: sa.Select[Any]) -> list[AdminTable]:
    rows = conn.execute(query).all()
    ids = [row.id for row in rows]
    seats: dict[str, list[AdminSeat]] = {table: [] for table in ids}
    for seat in conn.execute(sa.select(SEAT).where(SEAT.c.game.in_(ids)).order_by(SEAT.c.seat)):
        words = called(seat.name, seat.level)
        seats[seat.game].append(AdminSeat(seat.seat, seat.kind, seat.name, words, person=seat.person or ""))
    moves = sa.func.count().filter(EVENT.c.kind == "move", EVENT.c.seat >= 0)
    grown = {
        game: (count, at)
        for game, count, at in conn.execute(
            sa.select(EVENT.c.game, moves, sa.func.max(EVENT.c.at)).where(EVENT.c.game.in_(ids)).group_by(EVENT.c.game)
        )
    }
    return [_table(row, seats[row.id], *grown.get(row.id, (0, row.made))) for row in rows]


def _table(row: Any, seats: Sequence[AdminSeat], moves: int, moved: int) -> AdminTable:
    try:
        outcome = read_outcome(row.outcome, row.seats)
        damaged = False
    except Exception:  # whatever stands there: the table can be closed all the same
        outcome, damaged = None, True
    return AdminTable(
        id=row.id,
        game=row.name,
        title=phrase(f"{row.name}.title"),
        status=row.status,
        seats=tuple(seats),
        made=row.made,
        moved=moved,
        moves=moves,
        listed=bool(row.listed),
        damaged=damaged,
        ending=None if outcome is None else outcome.sentence,
    )


# Games of guests that have become old.


def old_guests_games(conn: Connection, until: int, after: str, most: int) -> list[str]:
    """Tables where nothing has happened since `until` and where nobody with an account sat, by id, from one on."""
    query = sa.select(GAME.c.id).where(GAME.c.id > after, *_is_old(until)).order_by(GAME.c.id).limit(most)
    return list(conn.execute(query).scalars())


def delete_games(conn: Connection, tables: Collection[str], until: int) -> int:
    """Delete those of the tables that are still old and without an account; returns how many they were.

    How they ended stays with the classes that had them paired, also where nobody has looked since."""
    old = list(conn.execute(sa.select(GAME.c.id).where(GAME.c.id.in_(tables), *_is_old(until))).scalars())
    note_scores(conn, old)
    for table in (EVENT, MOTION, RESULT, SEAT):
        conn.execute(sa.delete(table).where(table.c.game.in_(old)))
    conn.execute(sa.delete(GAME).where(GAME.c.id.in_(old)))
    return len(old)


def _is_old(until: int) -> tuple[sa.ColumnElement[bool], ...]:
    sits = sa.or_(PERSON.c.id == SEAT.c.person, PERSON.c.id == SEAT.c.leaver)
    account = sa.exists().where(SEAT.c.game == GAME.c.id, sits, PERSON.c.username.is_not(None))
    newer = sa.exists().where(EVENT.c.game == GAME.c.id, EVENT.c.at > until)
    return GAME.c.made <= until, ~account, ~newer
