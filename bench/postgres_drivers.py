"""Which driver appends moves to PostgreSQL best: appends a second, and the CPU that each costs the server's process.

    uv run --with asyncpg python bench/postgres_drivers.py

Every way does the work of `PostgresStore.append`: a row of a table's log is committed, with synchronous_commit on,
before the next move of this table is made. All ways take turns in each round, and the medians are printed. The
database is a PostgreSQL from PyPI on this machine, reached by a Unix socket; its own CPU is not counted.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path

import psycopg
import sqlalchemy as sa

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.server.postgres import running_postgres

CONNECTIONS = 8
SECONDS = 1.5
ROUNDS = 5
INSERT = "INSERT INTO event VALUES (%s, %s, %s, %s, %s, %s)"
Append = Callable[[str, int], Awaitable[object]]


def row(game: str, n: int) -> tuple[object, ...]:
    """A row of the log."""
    return game, n, n % 2, "move", "e4-e7", 1_780_000_000_000 + n


@asynccontextmanager
async def sqlalchemy_threads(url: str, level: str) -> AsyncIterator[Append]:
    """SQLAlchemy over psycopg, in threads."""
    engine = sa.create_engine(
        sa.make_url(url).set(drivername="postgresql+psycopg"),
        pool_size=CONNECTIONS,
        max_overflow=0,
        isolation_level=level,
    )
    threads = ThreadPoolExecutor(CONNECTIONS)

    def work(game: str, n: int) -> None:
        with engine.begin() as conn:
            conn.exec_driver_sql(INSERT, row(game, n))

    loop = asyncio.get_running_loop()
    yield lambda game, n: loop.run_in_executor(threads, work, game, n)
    threads.shutdown()
    engine.dispose()


@asynccontextmanager
async def psycopg_threads(url: str) -> AsyncIterator[Append]:
    """Bare psycopg in threads, one statement in autocommit."""
    free = [psycopg.connect(url, autocommit=True, prepare_threshold=1) for _ in range(CONNECTIONS)]
    everyone = list(free)
    threads = ThreadPoolExecutor(CONNECTIONS)

    def work(game: str, n: int) -> None:
        conn = free.pop()
        conn.execute(INSERT, row(game, n))
        free.append(conn)

    loop = asyncio.get_running_loop()
    yield lambda game, n: loop.run_in_executor(threads, work, game, n)
    threads.shutdown()
    for conn in everyone:
        conn.close()


@asynccontextmanager
async def psycopg_async(url: str) -> AsyncIterator[Append]:
    """Bare psycopg on the event loop, one statement in autocommit."""
    free: asyncio.LifoQueue[psycopg.AsyncConnection] = asyncio.LifoQueue()
    everyone = [
        await psycopg.AsyncConnection.connect(url, autocommit=True, prepare_threshold=1) for _ in range(CONNECTIONS)
    ]
    for conn in everyone:
        free.put_nowait(conn)

    async def append(game: str, n: int) -> None:
        conn = await free.get()
        await conn.execute(INSERT, row(game, n))
        free.put_nowait(conn)

    yield append
    for conn in everyone:
        await conn.close()


@asynccontextmanager
async def asyncpg_async(url: str) -> AsyncIterator[Append]:
    """asyncpg on the event loop, one statement in autocommit."""
    import asyncpg

    statement = "INSERT INTO event VALUES ($1, $2, $3, $4, $5, $6)"
    pool = await asyncpg.create_pool(url, min_size=CONNECTIONS, max_size=CONNECTIONS)
    yield lambda game, n: pool.execute(statement, *row(game, n))
    await pool.close()


WAYS = {
    "SQLAlchemy, threads, serializable transaction": lambda url: sqlalchemy_threads(url, "SERIALIZABLE"),
    "SQLAlchemy, threads, one statement": lambda url: sqlalchemy_threads(url, "AUTOCOMMIT"),
    "psycopg, threads, one statement": psycopg_threads,
    "psycopg async, one statement": psycopg_async,
    "asyncpg, one statement": asyncpg_async,
}


async def measure(append: Append, tables: int, mark: str) -> tuple[float, float]:
    """Appends a second, and milliseconds of this process's CPU for each."""
    end = time.perf_counter() + SECONDS

    async def play(table: int) -> int:
        n = 0
        while time.perf_counter() < end:
            await append(f"{mark}-{table}", n)
            n += 1
        return n

    began, cpu = time.perf_counter(), time.process_time()
    count = sum(await asyncio.gather(*(play(table) for table in range(tables))))
    return count / (time.perf_counter() - began), (time.process_time() - cpu) / count * 1000


async def one_round(url: str, number: int) -> dict[tuple[str, int], tuple[float, float]]:
    """What each way did in this round, by its name and the number of tables."""
    found = {}
    for name, way in WAYS.items():
        async with way(url) as append:
            await measure_warm(append, f"{number}-{name}-warm")
            for tables in (1, 16):
                found[name, tables] = await measure(append, tables, f"{number}-{name}-{tables}")
    return found


async def measure_warm(append: Append, mark: str) -> None:
    """Have every connection prepare its statement."""
    await asyncio.gather(*(append(f"{mark}-{n}", m) for n in range(4 * CONNECTIONS) for m in range(3)))


def main() -> None:
    """Print a table for bench/results.md."""
    with running_postgres() as server:
        url = server.new_database()
        with psycopg.connect(url, autocommit=True) as conn:
            conn.execute(
                "CREATE TABLE event (game text, n int, seat int, kind text NOT NULL, text text NOT NULL, "
                "at bigint NOT NULL, PRIMARY KEY (game, n))"
            )
        rounds = [asyncio.run(one_round(url, number)) for number in range(ROUNDS)]
    print("| way | 1 table: appends/s | CPU ms each | 16 tables: appends/s | CPU ms each |\n|---|---|---|---|---|")
    for name in WAYS:
        cells = []
        for tables in (1, 16):
            speeds, costs = zip(*(found[name, tables] for found in rounds), strict=True)
            cells += [f"{statistics.median(speeds):,.0f}", f"{statistics.median(costs):.2f}"]
        print(f"| {name} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
