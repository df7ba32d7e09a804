"""How many tables how many servers carry: a simulation of queues with the costs that bench/servers.py has measured.

    python bench/scaling_simulation.py               # seconds; prints the tables of docs/scaling.md
    python bench/scaling_simulation.py --think 5     # everybody moves twice as fast

A move waits for its server, whose event loop does one thing at a time, then for a core of the database, then for the
disk, which takes all commits that wait in one go, and for its server again, which tells the players. Many databases
share nothing, so one of them with its servers is simulated. The same seed gives the same numbers.
"""

from __future__ import annotations

import argparse
import heapq
import random
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

Work = Callable[[], None]
PROMISED_MS = 100.0
"""A deployment carries so many tables that 99 of 100 moves are acknowledged within this."""
FULL = 0.95
"""Nothing is planned to be busier than this: queues would grow faster than a short simulation can show."""
MOVES = 3_000
"""How many moves are simulated for each server; the first tenth, until the queues have filled, does not count."""


@dataclass(frozen=True)
class Units:
    """What things cost, in milliseconds of one core where nothing else is said: bench/results.md, "Servers"."""

    server: float = 0.40
    """A move on its server: read, check, encode for two players, write."""
    database: float = 0.15
    """A move in PostgreSQL."""
    flush: float = 2.0
    """One write to the disk of all commits that wait; time, not CPU."""
    network: float = 0.5
    """From server to database, one way; time, not CPU. Between machines of one data centre, not measured."""
    follow: float = 0.20
    """A move at a server that learns of it from another one: half of what a move costs; an assumption."""
    spectator: float = 0.017
    """A move for one spectator more: one encoding for all, a frame for each."""
    sqlite: float = 0.27
    """A move on the server of a file of SQLite, its commit included."""
    table_kb: float = 60.0
    """Memory of a table with two sockets."""
    entry_bytes: float = 116.0
    """A move on the disk of PostgreSQL, with its part of the index."""
    think: float = 10.0
    """Seconds between two moves at a table; an assumption."""
    apart: float = 0.1
    """The share of tables whose players are on different servers although a proxy routes by table; an assumption."""
    variation: float = 0.5
    """The standard deviation of the CPU time of a move, as a share of its mean; an assumption."""


@dataclass(frozen=True)
class Deployment:
    """Servers and the database that they share. Many of them share nothing: see `databases`."""

    name: str
    servers: int
    cores: int
    """Cores of one database; 0 for a file of SQLite, which the server itself writes."""
    databases: int = 1


@dataclass(frozen=True)
class Carried:
    """What the simulation has shown."""

    rate: float
    """Moves a second, in all."""
    p50: float
    p99: float
    """Milliseconds from a move's arrival to its acknowledgement."""
    server: float
    database: float
    """How busy each server, and each core of the database, is: 1 is all the time."""


class Clock:
    """Simulated time in milliseconds, and what happens when."""

    def __init__(self) -> None:
        self.now = 0.0
        self._queue: list[tuple[float, int, Work]] = []
        self._number = 0

    def after(self, delay: float, work: Work) -> None:
        """Have something happen so much later; what is due at one moment happens in the order it was asked for."""
        self._number += 1
        heapq.heappush(self._queue, (self.now + delay, self._number, work))

    def run(self) -> None:
        """Let everything happen."""
        while self._queue:
            self.now, _, work = heapq.heappop(self._queue)
            work()


class Station:
    """So many cores that take work in the order in which it comes."""

    def __init__(self, clock: Clock, cores: int = 1) -> None:
        self._clock = clock
        self._free = cores
        self._waiting: deque[tuple[float, Work]] = deque()
        self.busy = 0.0
        """Milliseconds of work taken, of all cores."""

    def take(self, cost: float, then: Work) -> None:
        """Do something that costs so much, when its turn comes."""
        self._waiting.append((cost, then))
        self._go_on()

    def _go_on(self) -> None:
        while self._free and self._waiting:
            cost, then = self._waiting.popleft()
            self._free -= 1
            self.busy += cost
            self._clock.after(cost, partial(self._done, then))

    def _done(self, then: Work) -> None:
        self._free += 1
        then()
        self._go_on()


class Disk:
    """A disk that takes all commits that wait in one write, while the next ones gather."""

    def __init__(self, clock: Clock, flush: float) -> None:
        self._clock = clock
        self._flush = flush
        self._waiting: list[Work] = []
        self._is_writing = False
        self.writes = 0

    def commit(self, then: Work) -> None:
        """Go on when the commit is on the disk."""
        self._waiting.append(then)
        if not self._is_writing:
            self._write()

    def _write(self) -> None:
        taken, self._waiting = self._waiting, []
        self._is_writing = bool(taken)
        if taken:
            self.writes += 1
            self._clock.after(self._flush, lambda: self._written(taken))

    def _written(self, taken: list[Work]) -> None:
        for then in taken:
            then()
        self._write()


def simulate(deployment: Deployment, tables: float, units: Units, seed: int = 16, moves: int = 0) -> Carried:
    """Have people play at so many tables, in all databases together."""
    rng = random.Random(seed)
    clock = Clock()
    moves = moves or MOVES * deployment.servers
    servers = [Station(clock) for _ in range(deployment.servers)]
    database, disk = Station(clock, max(1, deployment.cores)), Disk(clock, units.flush)
    rate = tables / deployment.databases / units.think / 1000  # of one database, a millisecond
    waits: list[float] = []
    shape = 1 / units.variation**2

    def cost(mean: float) -> float:
        return rng.gammavariate(shape, mean / shape)

    def arrive(left: int) -> None:
        began, home = clock.now, rng.randrange(len(servers))

        def answer() -> None:
            waits.append(clock.now - began)

        def tell() -> None:
            servers[home].take(cost(units.server / 2), answer)
            if len(servers) > 1 and rng.random() < units.apart:
                other = servers[(home + rng.randrange(1, len(servers))) % len(servers)]
                other.take(cost(units.follow), lambda: None)
                database.take(cost(units.database / 2), lambda: None)  # it reads the row

        def committed() -> None:
            clock.after(units.network, tell)

        def ask() -> None:
            database.take(cost(units.database), lambda: disk.commit(committed))

        if deployment.cores:
            servers[home].take(cost(units.server / 2), lambda: clock.after(units.network, ask))
        else:
            servers[home].take(cost(units.sqlite), answer)
        if left:
            clock.after(rng.expovariate(rate), lambda: arrive(left - 1))

    arrive(moves)
    last_arrival = moves / rate
    clock.run()
    counted = sorted(waits[moves // 10 :])
    spent = max(clock.now, last_arrival)
    return Carried(
        1000 * rate * deployment.databases,
        counted[len(counted) // 2],
        counted[len(counted) * 99 // 100],
        sum(server.busy for server in servers) / spent / len(servers),
        database.busy / spent / max(1, deployment.cores),
    )


def most_tables(deployment: Deployment, units: Units, seed: int = 16) -> int:
    """How many tables a deployment carries before moves are acknowledged too late."""
    high = FULL * full_at(deployment, units)
    if simulate(deployment, high, units, seed).p99 <= PROMISED_MS:
        return int(high)
    low = 1.0
    while high / low > 1.02:
        middle = (low + high) / 2
        if simulate(deployment, middle, units, seed).p99 <= PROMISED_MS:
            low = middle
        else:
            high = middle
    return int(low)


def full_at(deployment: Deployment, units: Units) -> float:
    """The number of tables at which a server or the database has work all the time, so that queues grow for ever."""
    apart = units.apart if deployment.servers > 1 else 0.0
    if not deployment.cores:
        return deployment.servers * units.think * 1000 / units.sqlite
    of_servers = deployment.servers / (units.server + apart * units.follow)
    of_database = deployment.cores / (units.database + apart * units.database / 2)
    return deployment.databases * units.think * 1000 * min(of_servers, of_database)


DEPLOYMENTS = (
    Deployment("one server, SQLite", 1, 0),
    Deployment("one server, PostgreSQL with 2 cores", 1, 2),
    Deployment("three servers, PostgreSQL with 2 cores", 3, 2),
    Deployment("eight servers, PostgreSQL with 4 cores", 8, 4),
    Deployment("32 servers, PostgreSQL with 16 cores", 32, 16),
    Deployment("16 databases with 4 cores, 10 servers each", 10, 4, databases=16),
)
STEPS = (
    (100, DEPLOYMENTS[0]),
    (10_000, DEPLOYMENTS[2]),
    (1_000_000, DEPLOYMENTS[-1]),
)
CONNECTIONS = 20
"""The most connections to PostgreSQL that a server opens: 8 to read and write, 8 to append, the cluster's."""


def print_steps(units: Units, seed: int) -> None:
    """Print what three sizes of site need."""
    print("| live tables | deployment | moves/s | acknowledged, p50, p99 | a server is busy | a core of the database |")
    print("|---|---|---|---|---|---|")
    for tables, deployment in STEPS:
        found = simulate(deployment, tables, units, seed)
        database = f"{100 * found.database:.0f} %" if deployment.cores else ""
        print(
            f"| {tables:,} | {deployment.name} | {found.rate:,.0f} | {found.p50:.1f}, {found.p99:.1f} ms "
            f"| {100 * found.server:.0f} % | {database} |"
        )
    print("\n| live tables | servers | memory of the tables of one server | connections to one database | GB a day |")
    print("|---|---|---|---|---|")
    for tables, deployment in STEPS:
        servers = deployment.servers * deployment.databases
        memory = tables / servers * units.table_kb / 1e6
        connections = deployment.servers * CONNECTIONS if deployment.cores else 0
        grows = tables / units.think * 86_400 * units.entry_bytes / 1e9
        print(f"| {tables:,} | {servers} | {memory:.2g} GB | {connections or ''} | {grows:,.1f} |")


def print_limits(units: Units, seed: int) -> None:
    """Print how far each deployment goes, and what is full then."""
    head = f"tables with p99 within {PROMISED_MS:.0f} ms and nothing busier than {100 * FULL:.0f} %"
    print(f"\n| deployment | {head} | moves/s | a server is busy | the database |")
    print("|---|---|---|---|---|")
    for deployment in DEPLOYMENTS:
        most = most_tables(deployment, units, seed)
        found = simulate(deployment, most, units, seed)
        database = f"{100 * found.database:.0f} %" if deployment.cores else ""
        print(f"| {deployment.name} | {most:,} | {found.rate:,.0f} | {100 * found.server:.0f} % | {database} |")


def print_spectators(units: Units) -> None:
    """Print what a famous game costs: one table, a move every five seconds, everybody watches."""
    print("\n| spectators | servers that they are spread over | one move keeps each server busy for |")
    print("|---|---|---|")
    for spectators, servers in ((100, 1), (10_000, 4), (1_000_000, 160)):
        busy = units.server + units.follow + spectators / servers * units.spectator
        print(f"| {spectators:,} | {servers} | {busy:,.0f} ms |")


def main() -> None:
    """Read the command line, simulate and print."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--seed", type=int, default=16)
    options.add_argument("--think", type=float, default=Units.think, help="seconds between two moves at a table")
    chosen = options.parse_args()
    units = replace(Units(), think=chosen.think)
    print_steps(units, chosen.seed)
    print_limits(units, chosen.seed)
    print_spectators(units)


if __name__ == "__main__":
    main()
