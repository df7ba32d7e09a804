"""Lists of tables, which read no logs: the lobby for everybody, and the games of one person."""

from __future__ import annotations

from typing import Any

import msgspec
import sqlalchemy as sa
from sqlalchemy import Connection

from cupboard.core.game import Outcome, Seat
from cupboard.core.words import phrase
from cupboard.server.people.people import Person
from cupboard.server.people.results import read_left_out
from cupboard.server.store.damage import report
from cupboard.server.store.schema import EVENT, GAME, SEAT
from cupboard.server.store.store import Store
from cupboard.server.table.access import SeatAccess
from cupboard.server.table.plan import Chair, Plan
from cupboard.server.table.storage import plan_of
from cupboard.server.table.summary import seat_infos, table_info
from cupboard.server.table.tables import Tables
from cupboard.server.wire.strength import LeftOut, MineOf, PlayedTable
from cupboard.server.wire.tables import Lobby, Mine, TableInfo

_MOST_SHOWN = 100
_PAGE = 20
"""So many tables of one game are shown at once."""


class TableLists:
    """The lists of tables in the database. Tables in memory know more about themselves."""

    def __init__(self, store: Store, tables: Tables, access: SeatAccess) -> None:
        self._store = store
        self._tables = tables
        self._access = access

    async def lobby(self) -> Lobby:
        """The listed tables, newest first."""
        join, watch = await self._store.read(_lobby)
        return Lobby(self._shown(join), self._shown(watch))

    async def mine(self, person: Person | None) -> Mine:
        """The games of a person, newest first."""
        if person is None:
            return Mine((), ())
        running, finished = await self._store.read(_mine, person.id)
        return Mine(self._shown(running, person), self._shown(finished, person))

    async def mine_of(self, person: Person | None, name: str, before: int) -> MineOf:
        """A page of a person's tables of one game, newest first: those made before a time, or the newest for 0."""
        if person is None:
            return MineOf(())
        rows, left_out = await self._store.read(_mine_of, person.id, name, before)
        shown = self._shown(rows[:_PAGE], person)
        more = rows[_PAGE - 1].row.made if len(rows) > _PAGE else 0
        return MineOf(tuple(PlayedTable(table, left_out.get(table.id, "")) for table in shown), more)

    def _shown(self, rows: list[_Listed], person: Person | None = None) -> tuple[TableInfo, ...]:
        out = []
        for listed in rows:
            try:
                plan = plan_of(listed.row, listed.chairs)
                yours = self._access.held(plan, person, ())
                room = self._tables.rooms.get(plan.id)
                out.append(room.info(yours) if room is not None else listed.info(plan, yours))
            except Exception as error:  # a game or an option that this program has lost, or a row that was damaged
                report(listed.row.id, error)
        return tuple(out)


class _Listed(msgspec.Struct):
    """A stored table, with the two numbers a list shows of its log."""

    row: Any
    chairs: tuple[Chair, ...]
    version: int
    moved: int

    def info(self, plan: Plan, yours: frozenset[Seat]) -> TableInfo:
        """The table as far as it is known without its log."""
        return table_info(
            plan,
            seat_infos(plan),
            self.row.status,
            self.version,
            self.moved,
            yours,
            read_outcome(self.row.outcome, plan.game.seats),
        )


def read_outcome(text: str | None, seats: int) -> Outcome | None:
    """The outcome that is stored of a game; None while it is not over."""
    if not text:
        return None
    known = {"seats": seats} | msgspec.json.decode(text)  # earlier versions wrote no number of seats
    if isinstance(known["sentence"], str):  # kept before sentences were words
        known["sentence"] = phrase("plain", text=known["sentence"])
    return msgspec.convert(known, Outcome)


def _lobby(conn: Connection) -> tuple[list[_Listed], list[_Listed]]:
    query = sa.select(GAME).where(GAME.c.listed).order_by(GAME.c.made.desc()).limit(_MOST_SHOWN)
    waiting = _listed(conn, query.where(GAME.c.status == "waiting"))
    playing = _listed(conn, query.where(GAME.c.status == "playing"))
    return waiting, playing


def _mine(conn: Connection, person: str) -> tuple[list[_Listed], list[_Listed]]:
    sat = sa.select(SEAT.c.game).where(SEAT.c.person == person)
    query = sa.select(GAME).where(GAME.c.id.in_(sat)).order_by(GAME.c.made.desc()).limit(_MOST_SHOWN)
    return _listed(conn, query.where(GAME.c.status != "over")), _listed(conn, query.where(GAME.c.status == "over"))


def _mine_of(conn: Connection, person: str, name: str, before: int) -> tuple[list[_Listed], dict[str, LeftOut]]:
    """The tables of a page and the one after it, and why some of them do not count."""
    sat = sa.select(SEAT.c.game).where(SEAT.c.person == person)
    query = sa.select(GAME).where(GAME.c.id.in_(sat), GAME.c.name == name).order_by(GAME.c.made.desc())
    if before:
        query = query.where(GAME.c.made < before)
    found = _listed(conn, query.limit(_PAGE + 1))
    return found, read_left_out(conn, [listed.row.id for listed in found], person)


def _listed(conn: Connection, query: sa.Select[Any]) -> list[_Listed]:
    rows = conn.execute(query).all()
    ids = [row.id for row in rows]
    chairs: dict[str, list[Chair]] = {table: [] for table in ids}
    for r in conn.execute(sa.select(SEAT).where(SEAT.c.game.in_(ids)).order_by(SEAT.c.seat)):
        chairs[r.game].append(Chair(r.seat, r.kind, r.person, r.name, r.level, bool(r.invited), r.chair))
    last = conn.execute(
        sa.select(EVENT.c.game, sa.func.max(EVENT.c.n), sa.func.max(EVENT.c.at))
        .where(EVENT.c.game.in_(ids))
        .group_by(EVENT.c.game)
    )
    grown = {game: (n + 1, at) for game, n, at in last}
    return [_Listed(row, tuple(chairs[row.id]), *grown.get(row.id, (0, row.made))) for row in rows]
