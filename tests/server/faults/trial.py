"""A trial: servers, tables where people play, faults one after the other, and what must hold after each of them."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import httpx
import sqlalchemy as sa
from tests.server.faults import evidence
from tests.server.faults.faulty_server import FaultyServer
from tests.server.faults.players import EXPECTED, Kind, Known, Table
from tests.server.helpers import Household

PROMISED = 15.0
"""Within so many seconds of the repair every game goes on."""
LONGEST_BETWEEN_LOOKS = 10.0
"""At a table that everybody has left nothing is heard until the clock has run out and somebody looks in."""
KINDS = (
    Kind("two people", "chinese-checkers", ("me", "me")),
    Kind("a person and a bot", "jumping-cups", ("me", "bot:random")),
    Kind("two people with clocks", "double-dutch", ("me", "me"), {"start": 600, "gain": 5}),
    Kind("flicks", "cup-king", ("me", "me")),
    Kind("left to the clock", "jumping-cups", ("me", "bot:random"), {"start": 5, "gain": 0}, leaves=True),
)


@dataclass
class Outcome:
    """How a fault ended: after how many seconds the last table went on."""

    fault: str
    seconds: float

    def __str__(self) -> str:
        return f"{self.fault}: every game went on within {self.seconds:.1f} s"


@dataclass
class Trial:
    """Servers and tables, while people play."""

    servers: Sequence[FaultyServer]
    rng: Random
    pace: float
    """Seconds that people think about a move, on average."""
    patience: float = PROMISED
    """Seconds after a repair within which every game must go on; more where only that they do is asked."""
    tables: list[Table] = field(default_factory=list)
    outcomes: list[Outcome] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    """Sentences about what did not hold."""

    def choose(self, rng: Random) -> int:
        """The port of a server that is up, as a load balancer chooses."""
        up = [server.port for server in self.servers if server.is_up]
        return rng.choice(up or [server.port for server in self.servers])

    def some_server(self) -> FaultyServer:
        """A server that is up."""
        return self.rng.choice([server for server in self.servers if server.is_up])

    @asynccontextmanager
    async def playing(self, tables: int) -> AsyncIterator[None]:
        """Have people play at so many tables of all kinds, within this."""
        for n in range(tables):
            rng = Random(self.rng.random())
            self.tables.append(Table(KINDS[n % len(KINDS)], Household.move(), self.choose, rng, self.pace))
        self._tasks = [asyncio.create_task(table.play()) for table in self.tables]
        try:
            yield
        finally:
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    async def goes_on(self, fault: str, since: float, patience: float | None = None) -> None:
        """Wait until every game of people has gone on since then; note how long it took, or raise who is stuck."""
        people = [table for table in self.tables if not table.kind.leaves]
        await self._wait_for(people, fault, since, self.patience if patience is None else patience)
        self.outcomes.append(Outcome(fault, time.monotonic() - since))
        print(self.outcomes[-1], flush=True)

    async def left_games_end(self) -> None:
        """Wait until the clocks have ended the games that people have left."""
        left = [table for table in self.tables if table.kind.leaves]
        await self._wait_for(left, "left to the clock", time.monotonic(), self.patience + LONGEST_BETWEEN_LOOKS)

    async def _wait_for(self, stuck: Sequence[Table], fault: str, since: float, patience: float) -> None:
        while stuck := [table for table in stuck if table.went_on_at <= since]:
            waited = time.monotonic() - since
            if waited > patience:
                self.faults += [f"{fault}: {table.name} silent for {waited:.0f} s: {table.news()}" for table in stuck]
                raise AssertionError("\n".join([*self.faults, "", self.report()]))
            self._check_alive(fault)
            await asyncio.sleep(0.05)

    def _check_alive(self, fault: str) -> None:
        for task in self._tasks:
            if task.done():
                task.result()  # which raises what went wrong
        for server in self.servers:
            if server.has_ended:
                raise AssertionError(f"{fault}: {server.name} ended by itself: {server.log[-20:]}")

    @property
    def games(self) -> list[Known]:
        """All games that were played, with what is known of them."""
        return [known for table in self.tables for known in table.games]

    def check(self, engine: sa.Engine) -> None:
        """Compare what was promised with what the database has; every sentence of what differs is a failure."""
        self.faults += evidence.faults(engine, self.games)
        refused = sum((table.refused for table in self.tables), Counter[str]())
        unexpected = {code: times for code, times in refused.items() if code.removeprefix("laying: ") not in EXPECTED}
        if unexpected:
            self.faults.append(f"refused with codes that say nothing of the fault: {unexpected}")
        if dropped := sum("exception was never retrieved" in line for line in self._troubles()):
            self.faults.append(f"{dropped} tasks of the servers ended by an error that nobody took care of")
        assert not self.faults, "\n".join([*self.faults, "", self.report()])

    def report(self) -> str:
        """What happened, to print."""
        moves = sum(len(known.acknowledged) for known in self.games)
        refused = sum((table.refused for table in self.tables), Counter[str]())
        lines = [
            f"{len(self.tables)} tables on {len(self.servers)} servers, {len(self.games)} games, "
            f"{moves} acknowledged moves, {sum(table.lost for table in self.tables)} connections lost",
            f"refused: {dict(refused)}",
            *map(str, self.outcomes),
        ]
        events = [" ".join(line.split()[1:3]) for line in self._troubles()]
        return "\n".join([*lines, f"logged: {dict(Counter(events))}"])

    def _troubles(self) -> list[str]:
        """The lines of the servers' logs that tell of trouble."""
        return [line for server in self.servers for line in server.log if " ERROR " in line or " WARNING " in line]

    def write_logs(self, folder: Path) -> None:
        """Keep the servers' logs, for whoever wants to know more."""
        for server in self.servers:
            (folder / f"{server.name}.log").write_text("\n".join(server.log) + "\n")


@asynccontextmanager
async def started(servers: Sequence[FaultyServer]) -> AsyncIterator[None]:
    """Run the servers within this; each has its games compiled."""
    try:
        for server in servers:  # the first makes the database
            await server.start()
            print(f"{server.name} at port {server.port}", flush=True)
        for server in servers:
            await _until_ready(server)
        yield
    finally:
        for server in servers:
            await server.end()


async def _until_ready(server: FaultyServer) -> None:
    """Wait until a server can play every game that the tables play: at first they are compiled."""
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{server.port}", timeout=300) as http:
        for kind in KINDS:
            answer = await http.post(
                "/api/tables", json={"game": kind.game, "seats": [{"kind": "me"}] * len(kind.seats)}
            )
            assert answer.status_code == 201, answer.text
