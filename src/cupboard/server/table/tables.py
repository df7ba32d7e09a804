"""All tables of a server: those in memory, and how others are loaded or laid."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Collection
from contextlib import suppress

import msgspec
import sqlalchemy as sa
from sqlalchemy import Connection

from cupboard.core.errors import CupboardError
from cupboard.core.registry import load_with
from cupboard.server.cluster.cluster import Cluster
from cupboard.server.cluster.messages import ChairsChanged
from cupboard.server.errors import DamagedTable
from cupboard.server.jobs.kinds import Jobs
from cupboard.server.jobs.pool import JobPool
from cupboard.server.people.people import People, Person
from cupboard.server.people.sessions import is_renewal
from cupboard.server.readiness.readiness import Readiness
from cupboard.server.settings import ServerSettings
from cupboard.server.simulations.simulations import Simulations
from cupboard.server.store.damage import reading
from cupboard.server.store.schema import EVENT
from cupboard.server.store.store import Store
from cupboard.server.table import simulated_moves
from cupboard.server.table.bots import Bots
from cupboard.server.table.hints import Hints
from cupboard.server.table.host import TablesHost
from cupboard.server.table.plan import lay
from cupboard.server.table.room import Room
from cupboard.server.table.storage import read_plan, write_plan
from cupboard.server.watching.notes import Note
from cupboard.server.watching.watcher import Watcher
from cupboard.server.wire.tables import NewTable

_LOG = logging.getLogger(__name__)
_WHILE_BUSY = 1.0


class Tables:
    """The tables in this server's memory, as rooms; others are loaded when somebody asks for them."""

    def __init__(
        self,
        store: Store,
        people: People,
        settings: ServerSettings,
        watcher: Watcher | None = None,
        cluster: Cluster | None = None,
        jobs: Jobs | None = None,
    ) -> None:
        """Without `jobs` the heavy work is done by processes of its own."""
        self.cluster = cluster or Cluster()
        self.cluster.host = self.host = TablesHost(self)
        self.jobs = jobs or JobPool(settings)
        self.watcher = watcher or Watcher(settings.log)
        self._store = store
        self._people = people
        self._settings = settings
        self.readiness = Readiness(settings)
        self.bots = Bots(settings.think_seconds, self.readiness, self.watcher, self.jobs)
        self.hints = Hints(settings.think_seconds, self.jobs, self.readiness)
        self.simulations = Simulations(settings, self.jobs)
        self.rooms: OrderedDict[str, Room] = OrderedDict()
        self._loading: dict[str, asyncio.Task[Room]] = {}

    async def close(self) -> None:
        """Close all rooms, and end the threads and processes that work for them."""
        for room in self.rooms.values():
            room.close()
        self.host.close()
        self.bots.close()
        self.hints.close()
        await self.jobs.close()
        await self.readiness.close()

    async def room(self, table: str) -> Room:
        """The room of a table, loaded if need be; UnknownTable when there is no such table.

        GettingReady when its game is still compiled."""
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
        await self.readiness.rules(plan.game.name)
        with reading(table):
            room = Room(plan, entries, self._store, self.bots, self.simulations, self._settings, self.cluster)
        self._keep(room)
        return room

    def _keep(self, room: Room) -> None:
        self.rooms[room.plan.id] = room
        self.cluster.opened(room.plan.id)
        if len(self.rooms) > self._settings.rooms:
            for old in [old for old in self.rooms.values() if old.is_idle][: len(self.rooms) - self._settings.rooms]:
                self._close(old)
        # A server that ended between a seat's move and nature's answer left the answer to whoever opens the table.
        simulated_moves.wake(room)

    def drop(self, table: str) -> bool:
        """Let a table leave the memory; False, and nothing is done, while somebody is there or something runs."""
        if (room := self.rooms.get(table)) is not None:
            if not room.is_idle:
                return False
            self._close(room)
        return True

    def _close(self, room: Room) -> None:
        room.close()
        del self.rooms[room.plan.id]
        self.cluster.closed(room.plan.id)

    async def lay(self, new: NewTable, maker: Person) -> Room:
        """Lay a new table, and write it; GettingReady when its game is still compiled."""
        game = load_with(new.game, len(new.seats), new.options)  # which refuses what makes no sense
        await self.readiness.rules(game.name)
        names = self._people.names
        for seat in new.seats:
            if seat.kind in ("me", "bot"):  # a bot that nobody names gets a name of the program's
                names.check(seat.name)
        plan, drafts = lay(new, msgspec.structs.replace(maker, name=names.shown(maker.name)))
        await self._store.write(write_plan, plan, drafts)
        entries = [draft.entry(n, plan.made) for n, draft in enumerate(drafts)]
        room = Room(plan, entries, self._store, self.bots, self.simulations, self._settings, self.cluster)
        self._keep(room)
        return room

    # What other servers do.

    async def close_ended_sessions(self) -> None:
        """Close the sockets of sessions that have ended, here or on another server, and of whoever was banned.

        A guest who signs in leaves the seats to the account: they are read again. So is what was said and by whom
        where a person was renamed or deleted."""
        sessions = self._people.sessions
        ended = await sessions.newly_ended()
        people = set(ended.values())
        renewed = {person for digest, person in ended.items() if is_renewal(digest)}
        for room in list(self.rooms.values()) if ended else ():
            # A banned person may have come with the token of a seat.
            theirs = {chair.seat for chair in room.plan.chairs if chair.person in renewed & sessions.banned}
            for client in [client for client in room.clients if client.session in ended or client.seats & theirs]:
                client.end_session()
            if renewed and room.names(renewed):
                await room.read_anew(texts=True)
        await self.read_chairs_of(people)

    async def chairs_changed(self, people: Collection[str]) -> None:
        """Read who sits at the tables of these people, here and at the other servers."""
        self.cluster.post(ChairsChanged(tuple(people)))
        await self.read_chairs_of(people)

    async def read_chairs_of(self, people: Collection[str]) -> None:
        """Read again who sits at the tables of these people, whose seats may have become somebody else's."""
        for room in list(self.rooms.values()) if people else ():
            if any(chair.person in people for chair in room.plan.chairs):
                await room.read_anew(texts=False)

    async def follow(self) -> None:
        """Take in what was written to the database beside the rooms, by another server or by whoever runs this one."""
        await self.close_ended_sessions()
        if not self.rooms:
            return
        grown = await self._store.read(_versions, list(self.rooms))
        for room in list(self.rooms.values()):
            if grown.get(room.plan.id, 0) <= room.state.version or room.is_damaged:
                continue
            if not self.cluster.is_alone and self.host.is_unused(room):
                self.drop(room.plan.id)  # it is read anew when somebody needs it here
                continue
            async with room.lock:
                with suppress(DamagedTable):  # which is said and done: on to the next
                    await room.catch_up()

    async def look_around(self) -> None:
        """For as long as the server runs, follow what other servers write to the same database.

        Servers of a cluster tell each other, and look only now and then for what no message has told."""
        while True:
            if self.cluster.is_alone:
                await asyncio.sleep(self._settings.look_around)
            else:
                await self.host.wait_to_look()
            try:
                if not self.cluster.is_alone or await self._store.changed():
                    await self.follow()
            except CupboardError:
                await asyncio.sleep(_WHILE_BUSY)  # which the store has said
            except Exception:
                _LOG.exception(Note("look-around-failed"))


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
