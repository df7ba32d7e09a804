"""Several servers on one PostgreSQL: whatever fails, no acknowledged move is lost and every game goes on."""

from __future__ import annotations

import asyncio
import os
import shutil
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random

import pytest
import sqlalchemy as sa
from tests.server.faults import writers
from tests.server.faults.database_proxy import DatabaseProxy
from tests.server.faults.faulty_postgres import FaultyPostgres, faulty_postgres
from tests.server.faults.faulty_server import FaultyServer
from tests.server.faults.kinds import Faults
from tests.server.faults.small_disk import NoSmallDisk, SmallDisk, small_disk
from tests.server.faults.trial import Trial, started

from cupboard.server.store.postgres import PostgresStore

Place = tuple[FaultyPostgres, SmallDisk | None]


@pytest.fixture
def place() -> Iterator[Place]:
    """A PostgreSQL on a small disk; where none may be mounted, on the machine's own, which is never full."""
    folder = Path(tempfile.mkdtemp(prefix="cupboard-faults-"))
    folder.chmod(0o755)
    try:
        try:
            with small_disk(folder / "disk", 320) as disk, faulty_postgres(disk.folder) as postgres:
                yield postgres, disk
        except NoSmallDisk as none:
            print(none)
            with faulty_postgres(folder / "disk") as postgres:
                yield postgres, None
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@asynccontextmanager
async def trial_of(
    place: Place, folder: Path, servers: int, seed: int, pace: float
) -> AsyncIterator[tuple[Trial, Faults, str]]:
    """Servers that reach one new database through a proxy each, and the faults that may befall them."""
    postgres, disk = place
    url = postgres.new_database()
    PostgresStore(url).close()  # makes the tables, so that they can be watched from the first server on
    names = [f"server-{n}" for n in range(1, servers + 1)]
    writers.watch(url, names)
    proxies = tuple(DatabaseProxy(postgres.socket) for _ in names)
    for proxy in proxies:
        await proxy.open()
    database = sa.make_url(url).database
    group = [
        FaultyServer(name, folder / name, "--database", f"postgresql://{name}@127.0.0.1:{proxy.port}/{database}")
        for name, proxy in zip(names, proxies, strict=True)
    ]
    trial = Trial(group, Random(seed), pace)
    try:
        async with started(group):
            yield trial, Faults(trial, disk, postgres, proxies), url
    finally:
        for proxy in proxies:
            proxy.refuse()
        trial.write_logs(folder)


def check(trial: Trial, url: str) -> None:
    """Nothing that was promised is missing, and bots moved only where their server had the lease."""
    assert writers.leases(url) > 0, "no server took a lease: nothing is known of who might write"
    trial.faults += writers.without_a_lease(url)
    trial.check(sa.create_engine(sa.make_url(url).set(drivername="postgresql+psycopg"), poolclass=sa.NullPool))


def test_one_fault_of_each_kind_loses_no_acknowledged_move(place: Place, tmp_path: Path) -> None:
    async def run() -> None:
        async with trial_of(place, tmp_path, servers=3, seed=16, pace=0.3) as (trial, faults, url):
            faults.frozen, faults.away = 8.0, 2.0
            trial.patience = 60.0  # the machine may be busy with other tests; the long form keeps time
            async with trial.playing(tables=10):
                await trial.goes_on("at first", time.monotonic())
                for fault in faults.all:
                    await fault()
                await trial.left_games_end()
            check(trial, url)
            print(trial.report())

    asyncio.run(run())


@pytest.mark.long
def test_twenty_faults_drawn_by_lot_lose_no_acknowledged_move(place: Place, tmp_path: Path) -> None:
    seed = int(os.environ.get("CUPBOARD_FAULTS_SEED") or time.time())
    print(f"CUPBOARD_FAULTS_SEED={seed}")

    async def run() -> None:
        async with trial_of(place, tmp_path, servers=3, seed=seed, pace=1.0) as (trial, faults, url):
            async with trial.playing(tables=50):
                await trial.goes_on("at first", time.monotonic(), patience=120)
                for _ in range(20):
                    faults.away = trial.rng.choice((5.0, 20.0))  # who waits longer and longer waits too long
                    await trial.rng.choice(faults.all)()
                await trial.left_games_end()
            print(trial.report())
            check(trial, url)

    asyncio.run(run())
