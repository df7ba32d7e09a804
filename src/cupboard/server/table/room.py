"""A room is a table in memory: it decides, one request at a time, what comes next in the log, and tells all clients.

A room proposes entries, the database accepts or refuses them, and only accepted ones reach the state and the clients.
When another server has written first, the room reads what it missed, and whoever proposed the entry is told `stale`.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Coroutine, Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection

from cupboard.core.errors import CupboardError
from cupboard.core.game import Outcome, Seat, Step
from cupboard.core.words import phrase
from cupboard.server.cluster.cluster import Cluster
from cupboard.server.errors import DamagedTable, NotYourSeat, SeatOccupied, Stale, TableClosed, UnknownSeat
from cupboard.server.people.names import called, is_stand_in
from cupboard.server.people.people import Person, clean
from cupboard.server.people.results import write_helped, write_result
from cupboard.server.settings import ServerSettings
from cupboard.server.simulations.simulations import Simulations
from cupboard.server.steady_clock import now
from cupboard.server.store.damage import reading
from cupboard.server.store.store import LogEntry, Store
from cupboard.server.table import bot_turns, flags, simulated_moves
from cupboard.server.table.bots import Bots
from cupboard.server.table.client import TABLE_CLOSED, Client
from cupboard.server.table.plan import Chair, Draft, Plan, begin
from cupboard.server.table.results import result_of
from cupboard.server.table.scenes import ENCODER
from cupboard.server.table.state import TableState, outcome_by_people
from cupboard.server.table.storage import (
    first_due,
    read_chairs,
    read_entries,
    read_texts,
    set_playing,
    write_chair,
)
from cupboard.server.table.summary import seat_infos, table_info
from cupboard.server.table.updates import UpdateEncoder
from cupboard.server.watching.notes import Note
from cupboard.server.wire.server_messages import Database, Refused, Seats
from cupboard.server.wire.tables import SeatInfo, TableInfo

_LOG = logging.getLogger(__name__)
_TRIES = 5


class Room:
    """One table in memory, with its clients and its bots."""

    __slots__ = (
        "_ahead", "_store", "_tasks", "alarm", "bots", "clients", "cluster", "helped", "is_damaged", "is_simulating",
        "lock", "plan", "settings", "simulations", "state", "thinking", "updates",
    )  # fmt: skip

    def __init__(
        self,
        plan: Plan,
        entries: Sequence[LogEntry],
        store: Store,
        bots: Bots,
        simulations: Simulations,
        settings: ServerSettings,
        cluster: Cluster | None = None,
    ) -> None:
        self.plan = plan
        self.cluster = cluster or Cluster()
        self._store = store
        self.bots = bots
        self.simulations = simulations
        self.settings = settings
        self._ahead = 0
        self.is_damaged = False
        """Whether its log could not be read; such a room does nothing more."""
        self._load(entries)
        self.clients: set[Client] = set()
        self.lock = asyncio.Lock()
        self.alarm: asyncio.TimerHandle | None = None
        self.thinking: set[Seat] = set()
        self.helped: set[Seat] = set()
        """The seats that are known to have been given a hint."""
        self.is_simulating = False
        """Whether nature's next move is being looked for."""
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def is_idle(self) -> bool:
        """Whether it may leave the memory: it has no clients and nothing runs beside it."""
        return not self.clients and not self.lock.locked() and not self.thinking and not self.is_simulating

    @property
    def may_work(self) -> bool:
        """Whether this server may do what the table does by itself."""
        return not self.is_damaged and self.cluster.works_for(self.plan.id)

    @property
    def has_clients(self) -> bool:
        """Whether anybody has the table open, at whichever server."""
        return bool(self.clients) or self.cluster.has_clients_elsewhere(self.plan.id)

    def now(self) -> int:
        """The time at this table: never before its latest entry, which a server whose clock is ahead may have made."""
        return now() + self._ahead

    # Who is there.

    def join(self, client: Client) -> None:
        """Add a client, and tell the others that it has come."""
        self.clients.add(client)
        self.wake()
        self._tell_seats(but=client)
        self.cluster.presence_changed(self.plan.id)

    def leave(self, client: Client) -> None:
        """Remove a client, and tell the others that it has gone."""
        self.clients.discard(client)
        self._tell_seats()
        self.cluster.presence_changed(self.plan.id)
        if not self.clients:
            self.updates.forget()

    def seats(self) -> tuple[SeatInfo, ...]:
        """Who sits where and is connected, to whichever server."""
        return seat_infos(self.plan, self.seats_here() | self.cluster.seats_elsewhere(self.plan.id))

    def seats_here(self) -> set[Seat]:
        """The seats that are connected to this server."""
        return {seat for client in self.clients for seat in client.seats}

    def seats_of(self, person: str) -> set[Seat]:
        """The seats where a person sits, connected or not."""
        return {chair.seat for chair in self.plan.chairs if chair.person == person}

    def names(self, people: Collection[str]) -> bool:
        """Whether it may have the names of some people: they sit here, or a bot plays on for somebody who has left."""
        return any(chair.person in people or is_stand_in(chair.name) for chair in self.plan.chairs)

    @property
    def watching(self) -> int:
        """The number of clients without a seat, at all servers."""
        return self.watching_here() + self.cluster.watching_elsewhere(self.plan.id)

    def watching_here(self) -> int:
        """The number of this server's clients without a seat."""
        return sum(1 for client in self.clients if not client.seats)

    @property
    def is_company(self) -> bool:
        """Whether several people play; one person may hold several seats."""
        people = {
            chair.person for chair in self.plan.chairs if chair.kind == "person" and chair.seat in self.state.people()
        }
        return len(people) > 1

    def info(self, yours: frozenset[Seat] = frozenset()) -> TableInfo:
        """The table as anybody may see it."""
        state, plan = self.state, self.plan
        return table_info(
            plan,
            self.seats(),
            state.status,
            state.version,
            state.entries[-1].at if state.entries else plan.made,
            yours,
            state.outcome,
            asked=state.asked,
            rematch=state.rematch,
            watching=self.watching,
            company=self.is_company,
        )

    async def take(self, seat: Seat, person: Person, name: str) -> None:
        """Seat a person; the game begins when the last seat is taken."""
        async with self.lock:
            for _ in range(_TRIES):
                self.check_seat(seat)
                chair = self.plan.chairs[seat]
                if chair.kind != "free":
                    sits = called(chair.name, chair.level) or chair.name
                    raise SeatOccupied(phrase("no.freeSeat", who=self.plan.game.seat_name(seat), name=sits))
                taken = msgspec.structs.replace(
                    chair, kind="person", person=person.id, name=clean(name) or person.name, invited=False
                )
                drafts = [Draft("sit", seat, taken.name)]
                if all(other.kind != "free" for other in self.plan.chairs if other.seat != seat):
                    drafts += begin(self.plan.game)
                try:
                    await self.append(drafts, taken)
                    return
                except Stale:
                    continue  # somebody else sat down or spoke at that moment
            raise Stale(phrase("no.hurry"))

    def check_seat(self, seat: Seat) -> None:
        """Raise UnknownSeat when the table has no such seat."""
        if not 0 <= seat < self.plan.game.seats:
            raise UnknownSeat(phrase("no.seat", count=self.plan.game.seats))

    def whose(self, client: Client, seat: Seat | None) -> Seat:
        """The seat a message is for: the one it names, else one that is to act; NotYourSeat if the client lacks it."""
        self._check_usable()
        if seat is None:
            if not client.seats:
                raise NotYourSeat(phrase("no.watcher"))
            asked = [held for held in sorted(client.seats) if held in self.state.asked]
            return asked[0] if asked else min(client.seats)
        self.check_seat(seat)
        if seat not in client.seats:
            raise NotYourSeat(phrase("no.ownSeat", who=self.plan.game.seat_name(seat)))
        return seat

    def _check_usable(self) -> None:
        """Raise DamagedTable or TableClosed when nothing can be written to the log."""
        if self.is_damaged:
            raise DamagedTable(phrase("no.damaged"))
        if self.state.closed:
            raise TableClosed(phrase("no.closedTable"))

    # The log.

    async def append(
        self,
        drafts: Sequence[Draft],
        chair: Chair | None = None,
        also: Callable[[Connection], object] | None = None,
        by: Client | None = None,
        holder: str = "",
    ) -> None:
        """Write entries, add them to the state and send updates to all clients but `by`. The caller holds the lock.

        With a `holder` they are what the table does by itself: LeaseLost when another server works for the table."""
        self._check_usable()
        at = self.now()
        first = self.state.version
        entries = [draft.entry(first + i, at) for i, draft in enumerate(drafts)]
        table, clock = self.plan.id, self.plan.clock
        started = any(draft.kind == "start" for draft in drafts)
        outcome = self._outcome_after(drafts)
        result = result_of(self.plan, self.state, outcome, at) if outcome is not None else None

        def work(conn: Connection) -> None:
            if chair is not None:
                write_chair(conn, table, chair)
            if started and outcome is None:
                set_playing(conn, table, first_due(clock, at))
            if result is not None:
                write_result(conn, result)
            if also is not None:
                also(conn)

        try:
            ended = None if outcome is None else ENCODER.encode(outcome).decode()
            more = work if chair or started or result or also else None
            await self._store.append(table, entries, ended, more, holder)
        except (CupboardError, asyncio.CancelledError):
            # Whether it was written or not, the database knows.
            await self.catch_up()
            raise
        if chair is not None:
            self._seat(chair)
        for entry, draft in zip(entries, drafts, strict=True):
            self._take_in(entry, draft.step)
        self.cluster.grown(table, self.state.version)
        self.wake()
        self.tell_all(by)
        if chair is not None or any(draft.kind == "handover" for draft in drafts):
            self._tell_seats()

    def _outcome_after(self, drafts: Sequence[Draft]) -> Outcome | None:
        """The outcome of the game if these entries end it."""
        last = drafts[-1]
        if last.kind == "end":
            return outcome_by_people(self.plan.game, -1 if last.seat is None else last.seat, last.text)
        return None if last.step is None else last.step.after.outcome()

    async def note_help(self, seat: Seat) -> None:
        """Note that a hint was given to a seat that plays against bots: then the game does not count for its person."""
        if self.state.bots and seat not in self.helped:
            await self._store.write(write_helped, self.plan.id, seat)
            self.helped.add(seat)

    async def catch_up(self) -> None:
        """Read what another server has written; DamagedTable when that makes no sense."""
        try:
            with reading(self.plan.id):
                if not await self._read_on():
                    return
        except DamagedTable as error:
            self.is_damaged = True
            self.close()
            for client in self.clients:
                client.tell(Refused(error.code, str(error), words=error.words))
            raise
        self.wake()
        self.tell_all()
        if self.state.closed:
            for client in list(self.clients):
                client.close(TABLE_CLOSED, "the table is closed")

    async def read_anew(self, texts: bool) -> None:
        """Read who sits where, and with `texts` also the names and the chat of the log, after a person has changed."""
        async with self.lock:
            chairs = await self._store.read(read_chairs, self.plan.id)
            if chairs != self.plan.chairs:
                self.plan = msgspec.structs.replace(self.plan, chairs=chairs)
                self._tell_seats()
            for entry in await self._store.read(read_texts, self.plan.id) if texts else ():
                if entry.n < self.state.version:
                    self.state.entries[entry.n] = entry
            if texts:
                self.updates.forget()

    async def _read_on(self) -> bool:
        """Add the entries that the database has and this room has not; returns whether there were any."""
        entries = await self._store.read(read_entries, self.plan.id, self.state.version)
        if any(entry.kind in ("sit", "handover") for entry in entries):
            chairs = await self._store.read(read_chairs, self.plan.id)
            self.plan = msgspec.structs.replace(self.plan, chairs=chairs)
            self._tell_seats()
        for entry in entries:
            self._take_in(entry)
        return bool(entries)

    def _take_in(self, entry: LogEntry, step: Step[Any] | None = None) -> None:
        """Add an entry to the state, whichever server wrote it."""
        self.state.add(entry, step)
        self._ahead = max(self._ahead, entry.at - now())
        if entry.kind == "handover":
            # A client that has given the seat up no longer speaks for it, whichever server it is connected to.
            for client in self.clients:
                client.seats -= {entry.seat}
            self.cluster.presence_changed(self.plan.id)

    def tell_all(self, but: Client | None = None) -> None:
        """Send all clients but one an update."""
        for client in self.clients:
            if client is not but:
                try:
                    client.push(self)
                except Exception:
                    _LOG.exception(Note("update-failed", table=self.plan.id, game=self.plan.game.name))

    def tell_cut_off(self, is_cut_off: bool) -> None:
        """Tell all clients that the database cannot be reached, or is there again."""
        for client in self.clients:
            client.tell(Database(not is_cut_off))

    def seats_message(self) -> bytes:
        """The message that says who sits where and is connected, encoded."""
        return ENCODER.encode(Seats(self.seats(), self.watching, self.is_company))

    def show_presence(self) -> None:
        """Tell all clients who is connected, after that has changed at another server."""
        self._tell_seats()
        self.wake()

    def _tell_seats(self, but: Client | None = None) -> None:
        message = self.seats_message()
        for client in self.clients:
            if client is not but:
                client.tell_seats(message)

    def _load(self, entries: Sequence[LogEntry]) -> None:
        self.state = TableState.of(self.plan.game, entries, self.plan.clock, self.plan.bots)
        if entries:
            self._ahead = max(0, entries[-1].at - now())
        self.updates = UpdateEncoder(self.state, hides_chat=self.settings.chat == "off")

    def _seat(self, chair: Chair) -> None:
        chairs = tuple(chair if chair.seat == other.seat else other for other in self.plan.chairs)
        self.plan = msgspec.structs.replace(self.plan, chairs=chairs)

    # Beside.

    def wake(self) -> None:
        """Let bots think whose turn it is, have nature's move simulated, and set the alarm for the next flag.

        That is done by one of several servers: another one only asks for the lease, in case that one ends."""
        table = self.plan.id
        if not self.cluster.works_for(table):
            flags.stop_alarm(self)
            if self._does_something():
                self.cluster.ask_for(table)
            return
        if self.state.outcome is not None:
            self.cluster.let_go(table)
        bot_turns.wake(self)
        simulated_moves.wake(self)
        if self.plan.clock is not None:
            flags.set_alarm(self)

    def _does_something(self) -> bool:
        """Whether the table may do something by itself: it has bots or clocks, or nature is to move."""
        state = self.state
        return state.outcome is None and (bool(state.bots) or state.is_simulated or state.flag() is not None)

    def lost_lease(self) -> None:
        """Follow the server that works for the table now."""
        self.cluster.lost(self.plan.id)
        flags.stop_alarm(self)

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Run a coroutine as a task that `close` cancels."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def close(self) -> None:
        """Cancel the alarm, the bots and all tasks of the room."""
        self.bots.leave(self.plan.id)
        if self.alarm is not None:
            self.alarm.cancel()
        for task in list(self._tasks):
            task.cancel()
