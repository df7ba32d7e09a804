"""All tables: those in memory, and how to find, lay and list the others."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from contextlib import suppress
from typing import Any

import msgspec
import sqlalchemy as sa
from sqlalchemy import Connection

from cupboard.core.game import Seat
from cupboard.core.words import phrase
from cupboard.server.errors import BadInvite, DamagedTable, NotYourSeat
from cupboard.server.people.names import called
from cupboard.server.people.people import People, Person, same
from cupboard.server.people.sessions import Session
from cupboard.server.settings import ServerSettings
from cupboard.server.store.damage import reading, report
from cupboard.server.store.schema import EVENT, GAME, SEAT
from cupboard.server.store.store import Store
from cupboard.server.table.bots import Bots
from cupboard.server.table.hints import Hints
from cupboard.server.table.plan import Chair, Plan, lay, plan_of, read_chairs, read_plan, write_plan
from cupboard.server.table.room import Room
from cupboard.server.wire.messages import Invite, Key, Lobby, Mine, NewTable, Outcome, SeatInfo, TableInfo

_LOG = logging.getLogger(__name__)
_MOST_SHOWN = 100


class Tables:
    """The rooms of this server."""

    def __init__(self, store: Store, people: People, settings: ServerSettings) -> None:
        self._store = store
        self._people = people
        self._settings = settings
        self.bots = Bots(settings.think_seconds)
        self.hints = Hints(settings.think_seconds)
        self.rooms: OrderedDict[str, Room] = OrderedDict()
        self._loading: dict[str, asyncio.Task[Room]] = {}

    def close(self) -> None:
        """Leave all rooms."""
        for room in self.rooms.values():
            room.close()
        self.bots.close()
        self.hints.close()

    async def room(self, table: str) -> Room:
        """The room of a table, loaded if need be; UnknownTable when there is no such table."""
        if (room := self.rooms.get(table)) is not None and not room.is_damaged:
            self.rooms.move_to_end(table)
            return room
        if (loading := self._loading.get(table)) is None:
            loading = self._loading[table] = asyncio.create_task(self._load(table))
            loading.add_done_callback(lambda _: self._loading.pop(table, None))
        return await asyncio.shield(loading)

    async def _load(self, table: str) -> Room:
        with reading(table):
            plan, entries = await self._store.read(read_plan, table)
            room = Room(plan, entries, self._store, self.bots, self._settings)
        self._keep(room)
        return room

    def _keep(self, room: Room) -> None:
        self.rooms[room.plan.id] = room
        if len(self.rooms) > self._settings.rooms:
            for old in [old for old in self.rooms.values() if old.is_idle][: len(self.rooms) - self._settings.rooms]:
                old.close()
                del self.rooms[old.plan.id]

    async def lay(self, new: NewTable, maker: Person) -> Room:
        """A new table."""
        plan, drafts = lay(new, maker)
        await self._store.write(write_plan, plan, drafts)
        entries = [draft.entry(n, plan.made) for n, draft in enumerate(drafts)]
        room = Room(plan, entries, self._store, self.bots, self._settings)
        self._keep(room)
        return room

    # Who holds what.

    def held(self, plan: Plan, person: Person | None, tokens: tuple[str, ...]) -> frozenset[Seat]:
        """The seats of a client by its cookie and its tokens. NotYourSeat when a token fits no seat."""
        mine = {chair.seat for chair in plan.chairs if person is not None and chair.person == person.id}
        for token in tokens:
            fits = [c for c in plan.chairs if same(token, self._people.seat_token(plan.root, c.chair))]
            if not fits or fits[0].kind != "person":
                raise NotYourSeat(phrase("no.link"))
            mine.add(fits[0].seat)
        return frozenset(mine)

    def keys(self, plan: Plan, seats: frozenset[Seat]) -> tuple[Key, ...]:
        """The tokens of these seats."""
        return tuple(Key(seat, self._people.seat_token(plan.root, plan.chairs[seat].chair)) for seat in sorted(seats))

    def invites(self, plan: Plan) -> tuple[Invite, ...]:
        """The invites of the seats still free."""
        free = [chair.seat for chair in plan.chairs if chair.kind == "free"]
        return tuple(Invite(seat, self._people.invite(plan.id, seat)) for seat in free)

    def check_invite(self, plan: Plan, chair: Chair, invite: str | None) -> None:
        """BadInvite when the seat is kept for whoever has its link."""
        if chair.kind != "free":
            return  # taken: who comes is told by whom
        if invite is None and chair.invited:
            raise BadInvite(phrase("no.kept"))
        if invite is not None and not same(invite, self._people.invite(plan.id, chair.seat)):
            raise BadInvite(phrase("no.invite"))

    def is_invite(self, plan: Plan, invite: str | None) -> bool:
        """Whether it is the invite of any seat at the table."""
        return invite is not None and any(same(invite, self._people.invite(plan.id, c.seat)) for c in plan.chairs)

    async def person(self, session: Session | None) -> Person | None:
        """Whose session it is, if it has not ended meanwhile."""
        found = await self._people.sessions.still(session)
        return None if found is None else found.person

    async def show_out(self) -> None:
        """Close the sockets of sessions that have ended, here or on another server.

        A guest who signs in leaves the seats to the account: they are read again."""
        ended = await self._people.sessions.newly_ended()
        people = set(ended.values())
        for room in list(self.rooms.values()) if ended else ():
            for client in [client for client in room.clients if client.session in ended]:
                client.show_out()
            if any(chair.person in people for chair in room.plan.chairs):
                async with room.lock:
                    chairs = await self._store.read(read_chairs, room.plan.id)
                    room.plan = msgspec.structs.replace(room.plan, chairs=chairs)

    # Lists, which read no logs.

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

    def _shown(self, rows: list[_Listed], person: Person | None = None) -> tuple[TableInfo, ...]:
        out = []
        for listed in rows:
            try:
                plan = plan_of(listed.row, listed.chairs)
                yours = self.held(plan, person, ())
                room = self.rooms.get(plan.id)
                out.append(room.info(yours) if room is not None else listed.info(plan, yours))
            except Exception as error:  # a game or an option that this program has lost, or a row that was damaged
                report(listed.row.id, error)
        return tuple(out)

    async def look_around(self) -> None:
        """For as long as the server runs: take in what other servers write to the same database."""
        while True:
            await asyncio.sleep(self._settings.look_around)
            try:
                if not await self._store.changed():
                    continue
                await self.show_out()
                if not self.rooms:
                    continue
                grown = await self._store.read(_versions, list(self.rooms))
                for room in list(self.rooms.values()):
                    if grown.get(room.plan.id, 0) > room.state.version and not room.is_damaged:
                        async with room.lock:
                            with suppress(DamagedTable):  # which is said and done: on to the next
                                await room.catch_up()
            except Exception:
                _LOG.exception("Looking for what others wrote failed")


class _Listed(msgspec.Struct):
    """A row of a list, with what the log would say."""

    row: Any
    chairs: tuple[Chair, ...]
    version: int
    moved: int

    def info(self, plan: Plan, yours: frozenset[Seat]) -> TableInfo:
        """The table as far as one knows without its log."""
        return TableInfo(
            plan.id,
            plan.game.name,
            plan.game.title,
            tuple(
                SeatInfo(
                    c.seat,
                    "person" if c.kind == "person" else "bot" if c.kind == "bot" else "free",
                    c.name,
                    c.level,
                    c.kind == "bot",
                    c.kind == "free" and c.invited,
                    called(c.name, c.level),
                )
                for c in plan.chairs
            ),
            self.row.status,
            self.version,
            dict(plan.game.options),
            tuple(plan.game.chosen),
            plan.clock,
            plan.listed,
            plan.made,
            self.moved,
            tuple(sorted(yours)),
            (),
            _read_outcome(self.row.outcome),
        )


def _read_outcome(text: str | None) -> Outcome | None:
    if not text:
        return None
    known = msgspec.json.decode(text)
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


def _versions(conn: Connection, tables: list[str]) -> dict[str, int]:
    out: dict[str, int] = {}
    for at in range(0, len(tables), 500):
        query = (
            sa.select(EVENT.c.game, sa.func.max(EVENT.c.n))
            .where(EVENT.c.game.in_(tables[at : at + 500]))
            .group_by(EVENT.c.game)
        )
        out |= {game: n + 1 for game, n in conn.execute(query)}
    return out
