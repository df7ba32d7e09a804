"""The faults, each with its repair: what somebody who runs the servers would do."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from tests.server.faults.database_proxy import DatabaseProxy
from tests.server.faults.faulty_postgres import FaultyPostgres
from tests.server.faults.small_disk import SmallDisk
from tests.server.faults.trial import Trial

Fault = Callable[[], Awaitable[None]]


@dataclass
class Faults:
    """The faults of one trial; where there is no PostgreSQL, those of it are left out."""

    trial: Trial
    disk: SmallDisk | None
    postgres: FaultyPostgres | None = None
    proxies: tuple[DatabaseProxy, ...] = ()
    frozen: float = 15.0
    """Seconds for which a server is frozen."""
    away: float = 5.0
    """Seconds for which the database, the disk or the network is away."""

    @property
    def all(self) -> tuple[Fault, ...]:
        """One of each kind."""
        everywhere: tuple[Fault, ...] = (self.kill, self.freeze, *([self.fill] if self.disk else []))
        return (*everywhere, self.stop_postgres, self.cut, self.stall, self.refuse) if self.postgres else everywhere

    async def kill(self) -> None:
        """SIGKILL: the others go on without it. Then it is started again."""
        server = self.trial.some_server()
        killed = time.monotonic()
        await server.kill()
        await self.trial.goes_on(f"{server.name} was killed", killed)
        await server.start()

    async def freeze(self) -> None:
        """SIGSTOP: nobody knows whether it will come back. Then it does, and believes that no time has passed."""
        server = self.trial.some_server()
        server.freeze()
        await asyncio.sleep(self.frozen)
        server.thaw()
        await self.trial.goes_on(f"{server.name} was frozen for {self.frozen:.0f} s", time.monotonic())

    async def fill(self) -> None:
        """The disk of the database is full until somebody makes room, and starts the database if that had given up."""
        assert self.disk is not None
        await asyncio.to_thread(self.disk.fill)
        await asyncio.sleep(self.away)
        self.disk.free()
        if self.postgres is not None:
            await asyncio.to_thread(self.postgres.start_again)
        await self.trial.goes_on(f"the disk was full for {self.away:.0f} s", time.monotonic())

    async def stop_postgres(self) -> None:
        """PostgreSQL stops as in a power cut, and is started again."""
        assert self.postgres is not None
        await asyncio.to_thread(self.postgres.stop_at_once)
        await asyncio.sleep(self.away)
        await asyncio.to_thread(self.postgres.start_again)
        await self.trial.goes_on(f"PostgreSQL was away for {self.away:.0f} s", time.monotonic())

    async def cut(self) -> None:
        """A server loses all connections to its database in the middle of a word, and may make new ones."""
        self._some_proxy().cut()
        await self.trial.goes_on("the connections of a server were cut", time.monotonic())

    async def stall(self) -> None:
        """A server's connections to its database stay open and silent."""
        proxy = self._some_proxy()
        proxy.stall()
        await asyncio.sleep(self.away)
        proxy.flow()
        await self.trial.goes_on(f"the connections of a server were silent for {self.away:.0f} s", time.monotonic())

    async def refuse(self) -> None:
        """A server cannot reach its database at all."""
        proxy = self._some_proxy()
        proxy.refuse()
        await asyncio.sleep(self.away)
        await proxy.open()
        await self.trial.goes_on(f"a server was without its database for {self.away:.0f} s", time.monotonic())

    def _some_proxy(self) -> DatabaseProxy:
        return self.trial.rng.choice(self.proxies)
