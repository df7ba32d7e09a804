"""The cluster of the servers on one database of PostgreSQL: heartbeats, leases, and messages between the servers.

Each server has a row with a heartbeat. One that is not heard of for `_SILENCE` is dead: the others divide its leases,
load those tables and go on with them. A server that was only frozen finds its leases gone, at the latest when it
appends: the append names it as the holder, and is refused.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable, Collection
from math import ceil
from time import monotonic
from typing import Any

import psycopg

from cupboard.core.game import Seat
from cupboard.server.cluster.acquaintance import Acquaintance
from cupboard.server.cluster.cluster import Cluster, M
from cupboard.server.cluster.leases import NEVER, Leases
from cupboard.server.cluster.messages import (
    AnyMessage,
    Closed,
    Died,
    Grown,
    Hello,
    Message,
    Opened,
    Present,
    Released,
    Wanted,
    pack,
    unpack,
)
from cupboard.server.errors import LeaseLost
from cupboard.server.store.postgres_channel import MOST_BYTES, PostgresChannel
from cupboard.server.store.postgres_connections import connect_async
from cupboard.server.watching.notes import Note

_LOG = logging.getLogger(__name__)
_CHANNEL = "cupboard"
_BEAT = 1.5
"""Seconds between heartbeats."""
_SILENCE = 6.0
"""Seconds without a heartbeat after which a server is dead."""
_ANSWER_SECONDS = 4.0
"""How long the database may take for a round; then the connection is given up."""
_SECONDS_TO_LEAVE = 1.0
_TO_DIVIDE = 0.3
"""Seconds that the others have to take their share of a dead server's leases."""
_ASK_AGAIN = 4
"""After so many heartbeats leases that others hold are asked for again, if no message has said that they are free."""
_BATCH = 0.005
"""Seconds for which messages are collected."""
_AT_ONCE = 100
"""How many tables one message names."""
_PAUSES = (0.1, 0.3, 0.6, 1.0)


class PostgresCluster(Cluster):
    """One server of several. `run` connects it; until then, and while the database is away, it works for no table."""

    is_alone = False

    def __init__(self, url: str) -> None:
        self.id = _new_id()
        self._url = url
        self._channel = PostgresChannel(url, _CHANNEL, self._heard, self._hears)
        self._others = Acquaintance()
        self._held: set[str] = set()
        self._asking: set[str] = set()
        self._held_elsewhere: set[str] = set()
        self._releasing: set[str] = set()
        self._looks = False
        self._leaving = False
        self._left = False
        self._has_row = False
        """Whether the others can read that this server is there."""
        self._missing: set[str] = set()
        """The servers that were heard, but had no row at the last heartbeat."""
        self._failures = 0
        """How often in a row the database could not be reached, or the connection was lost."""
        self._hurry = asyncio.Event()
        self._round: asyncio.Future[None] | None = None
        self._messages: list[Message] = []
        self._handlers: dict[type[Message], Callable[[Any], None]] = {
            Hello: lambda _: self._announce(),
            Died: lambda _: self._look_now(),
        }

    # Leases.

    def works_for(self, table: str) -> bool:
        """Whether this server has the table's lease, as far as it knows."""
        return table in self._held

    def ask_for(self, table: str) -> None:
        """Ask for a lease in the next round, which begins at once."""
        if table in self._held or table in self._held_elsewhere or self._leaving:
            return
        self._asking.add(table)
        self._hurry.set()

    async def acquire(self, tables: Collection[str]) -> list[str]:
        """Those of the tables whose lease this server has, after a round."""
        missing = {table for table in tables if table not in self._held}
        if missing and not self._leaving:
            self._asking |= missing
            self._hurry.set()
            until = monotonic() + _ANSWER_SECONDS
            while missing & self._asking and (seconds := until - monotonic()) > 0:
                await self._next_round(seconds)
            self._asking -= missing
            self._held_elsewhere -= missing
        return [table for table in tables if table in self._held]

    def let_go(self, table: str) -> None:
        """Give up a lease in the next round, and ask for it no longer."""
        self._asking.discard(table)
        self._held_elsewhere.discard(table)
        if table in self._held:
            self._held.discard(table)
            self._releasing.add(table)
            self._hurry.set()

    def lost(self, table: str) -> None:
        """Believe that another server works for the table, and ask again later."""
        self._held.discard(table)
        self._held_elsewhere.add(table)

    # Messages.

    def opened(self, table: str) -> None:
        """Tell the others, who answer if they have the table: whoever loaded it may have missed what they wrote."""
        self.post(Opened((table,)))

    def closed(self, table: str) -> None:
        """Tell the others, and give up the lease."""
        self.let_go(table)
        self.post(Closed(table))

    def grown(self, table: str, version: int) -> None:
        """Tell the others if any of them has the table."""
        if self._others.has_open(table):
            self.post(Grown(table, version))

    def presence_changed(self, table: str) -> None:
        """Tell the others if any of them has the table."""
        if self._others.has_open(table):
            seats, watching = self.host.present_at(table)
            self.post(Present(table, tuple(seats), watching))

    def seats_elsewhere(self, table: str) -> frozenset[Seat]:
        """The seats that are connected to other servers."""
        return self._others.seats_at(table)

    def watching_elsewhere(self, table: str) -> int:
        """How many watch a table at other servers."""
        return self._others.watching_at(table)

    def has_clients_elsewhere(self, table: str) -> bool:
        """Whether anybody has the table open at another server."""
        return self._others.has_clients(table)

    def post(self, message: Message) -> None:
        """Send a message with all others of these milliseconds. With nobody to hear it, none is sent."""
        if not self._others.servers and not isinstance(message, Hello | Died):
            return
        if not self._messages:
            asyncio.get_running_loop().call_later(_BATCH, self._flush)
        self._messages.append(message)

    def hear(self, kind: type[M], heard: Callable[[M], None]) -> None:
        """Have messages of a kind passed on."""
        self._handlers[kind] = heard

    def _flush(self) -> None:
        messages, self._messages = self._messages, []
        for text in pack(self.id, messages, MOST_BYTES):
            self._channel.post(text)

    def _announce(self) -> None:
        tables = list(self.host.open_tables())
        for at in range(0, max(1, len(tables)), _AT_ONCE):
            self.post(Opened(tuple(tables[at : at + _AT_ONCE]), at == 0))

    def _hears(self) -> None:
        """The channel is open, perhaps again, or the server has come back under another name."""
        if not self._has_row:
            return
        self.post(Hello())
        self._announce()
        self.host.look_again()

    def _heard(self, text: str) -> None:
        if (batch := unpack(text)) is None or batch.server == self.id:
            return
        if batch.server not in self._others.servers:
            self._others.servers.add(batch.server)
            self._announce()
        for message in batch.messages:
            try:
                self._hear(batch.server, message)
            except Exception:
                _LOG.exception(Note("message-from-server-failed", kind=type(message).__name__))

    def _hear(self, server: str, message: AnyMessage) -> None:
        match message:
            case Opened():
                self._others.opened(server, message.tables, message.all)
                self._answer(message.tables)
            case Closed():
                was_there = self._others.has_clients(message.table)
                self._others.closed(server, message.table)
                if was_there:
                    self.host.show_presence(message.table)
            case Present():
                self._others.present(server, message.table, frozenset(message.seats), message.watching)
                self.host.show_presence(message.table)
            case Grown():
                self.host.read_on(message.table, message.version)
            case Wanted():
                if message.table in self._held and self.host.may_hand_over(message.table):
                    self.let_go(message.table)
            case Released():
                if message.table in self._held_elsewhere:
                    self._held_elsewhere.discard(message.table)
                    self.ask_for(message.table)
            case _:
                if (handler := self._handlers.get(type(message))) is not None:
                    handler(message)

    def _answer(self, tables: tuple[str, ...]) -> None:
        """Tell a server that has opened tables how far they are here, and who is there."""
        for table in tables:
            if (version := self.host.version_of(table)) is not None:
                self.post(Grown(table, version))
                self.presence_changed(table)

    def _look_now(self) -> None:
        self._looks = True
        self._hurry.set()

    # The life of the server.

    @property
    def servers(self) -> int:
        """How many servers are known to run."""
        return len(self._others.servers) + 1

    @property
    def leases(self) -> int:
        """For how many tables this server works."""
        return len(self._held)

    async def run(self) -> None:
        """Hear and tell, beat and acquire, for as long as the server runs; connections that are lost are made again."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._channel.run())
            tasks.create_task(self._work())

    async def leave(self) -> None:
        """Be dead for the others at once, who take over. What is not done within a second or two they find out."""
        self._leaving = True
        self._held.clear()
        self._asking.clear()
        self._hurry.set()
        until = monotonic() + _SECONDS_TO_LEAVE
        while not self._left and (seconds := until - monotonic()) > 0:
            await self._next_round(seconds)

    async def _next_round(self, seconds: float) -> None:
        """Wait until a round is done, but no longer than this."""
        if self._round is None:
            self._round = asyncio.get_running_loop().create_future()
        await asyncio.wait([self._round], timeout=seconds)

    async def _work(self) -> None:
        while True:
            try:
                async with await connect_async(self._url) as conn:
                    await self._go_round(conn)
                    return
            except LeaseLost:
                # The others took this server for dead: it was frozen. It comes back as another one.
                _LOG.warning(Note("server-was-given-up", server=self.id))
                self._held_elsewhere |= self._held
                self._held.clear()
                self.id, self._has_row = _new_id(), False
            except (psycopg.Error, OSError, TimeoutError) as error:
                self._failures += 1
                if self._failures > 1:  # a single connection that was cut is made again at once
                    self._set_cut_off(True, error)
                await asyncio.sleep(_PAUSES[min(self._failures, len(_PAUSES)) - 1])
            except Exception:
                _LOG.exception(Note("cluster-failed"))
                await asyncio.sleep(_BEAT)

    def _set_cut_off(self, is_cut_off: bool, error: Exception | None = None) -> None:
        if is_cut_off != self.is_cut_off:
            self.is_cut_off = is_cut_off
            if is_cut_off:
                _LOG.error(Note("database-lost", error=type(error).__name__))
            else:
                _LOG.warning(Note("database-back"))
            self.host.cut_off(is_cut_off)

    async def _go_round(self, conn: psycopg.AsyncConnection) -> None:
        leases = Leases(conn, self.id)
        connected, after_outage = monotonic(), self._failures > 0
        async with asyncio.timeout(_ANSWER_SECONDS):
            await leases.enter()
        self._has_row = True
        if self._channel.is_open:
            self._hears()
        beaten, beats = 0.0, 0
        while True:
            self._hurry.clear()
            async with asyncio.timeout(_ANSWER_SECONDS):
                # After an outage the others have not beaten either: nobody is dead yet.
                is_early = after_outage and monotonic() - connected < _SILENCE
                silence = NEVER if is_early else int(_SILENCE * 1000)
                if self._leaving:
                    await leases.leave()
                    self._left = True
                    self.post(Died())
                    self._flush()
                    self._end_round()
                    return
                if monotonic() - beaten >= _BEAT:
                    await self._beat(leases, monotonic() - beaten > _SILENCE)
                    beaten = monotonic()
                    beats += 1
                    self._looks = True
                    if beats % _ASK_AGAIN == 0:
                        self._asking |= self._held_elsewhere
                await self._trade(leases, silence)
            if self._looks:
                self._looks = False
                await self._look_for_the_dead(leases, silence)
            self._failures = 0
            self._set_cut_off(False)
            self._end_round()
            try:
                async with asyncio.timeout(max(0.0, beaten + _BEAT - monotonic())):
                    await self._hurry.wait()
            except TimeoutError:
                pass

    def _end_round(self) -> None:
        round_, self._round = self._round, None
        if round_ is not None and not round_.done():
            round_.set_result(None)

    async def _beat(self, leases: Leases, is_late: bool) -> None:
        alive = await leases.beat()
        if is_late:
            self._held = await leases.held() - self._releasing
        # One that has just begun may have been heard before its row was there to be read.
        missing = self._others.servers - alive
        for server in missing & self._missing:
            for table in self._others.gone(server):
                self.host.show_presence(table)
        self._missing = missing
        self._others.servers |= alive - {self.id}

    async def _trade(self, leases: Leases, silence: int) -> None:
        """Give up and acquire what has been asked for since the last round."""
        if releasing := frozenset(self._releasing):
            await leases.release(releasing)
            self._releasing -= releasing
            for table in releasing:
                self.post(Released(table))
        if asking := frozenset(self._asking):
            got = await leases.ask(asking, silence)
            self._releasing |= got - self._asking  # which is not wanted any more
            self._got(got & self._asking)
            for table in (asking - got) & self._asking:
                self._held_elsewhere.add(table)
                if not self.host.may_hand_over(table) and not self._others.has_clients(table):
                    self.post(Wanted(table))
            self._asking -= asking

    def _got(self, tables: Collection[str]) -> None:
        self._held |= set(tables)
        self._held_elsewhere -= set(tables)
        for table in tables:
            self._releasing.discard(table)
            self.host.work_for(table)

    async def _look_for_the_dead(self, leases: Leases, silence: int) -> None:
        """Take over this server's share of what the dead have left, and after a moment what nobody else has taken."""
        async with asyncio.timeout(_ANSWER_SECONDS):
            left = await leases.left_behind(silence)
            if left is None:
                return
            taken: set[str] = set()
            if left:
                self.post(Died())
                taken |= await leases.take_over(silence, ceil(left / self.servers))
                self._got(taken)
                if left > len(taken):
                    await asyncio.sleep(_TO_DIVIDE)
                    rest = await leases.take_over(silence, left)
                    self._got(rest)
                    taken |= rest
            await leases.bury(silence)
        if taken:
            _LOG.warning(Note("leases-taken-over", tables=len(taken)))


def _new_id() -> str:
    return secrets.token_hex(5)
