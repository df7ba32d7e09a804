"""Two servers on one file of SQLite: whatever fails, no acknowledged move is lost and every game goes on."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random

import pytest
import sqlalchemy as sa
from tests.server.faults.faulty_server import FaultyServer
from tests.server.faults.kinds import Faults
from tests.server.faults.small_disk import NoSmallDisk, SmallDisk, small_disk
from tests.server.faults.trial import Trial, started

from cupboard.server.store.sqlite import SqliteStore

Place = tuple[Path, SmallDisk | None]


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    """The folder of both servers, with its data on a small disk; on the machine's own where none may be mounted."""
    try:
        with small_disk(tmp_path / "data", 64) as disk:
            yield tmp_path, disk
    except NoSmallDisk as none:
        print(none)
        yield tmp_path, None


@asynccontextmanager
async def trial_of(place: Place, seed: int, pace: float) -> AsyncIterator[tuple[Trial, Faults]]:
    """Two servers on one folder, and the faults that may befall them."""
    folder, disk = place
    trial = Trial([FaultyServer(f"server-{n}", folder) for n in (1, 2)], Random(seed), pace)
    try:
        async with started(trial.servers):
            yield trial, Faults(trial, disk)
    finally:
        trial.write_logs(folder)


def engine_of(place: Place) -> sa.Engine:
    return sa.create_engine(f"sqlite:///{place[0] / 'data' / 'cupboard.db'}", poolclass=sa.NullPool)


def test_one_fault_of_each_kind_loses_no_acknowledged_move(place: Place) -> None:
    async def run() -> None:
        async with trial_of(place, seed=16, pace=0.3) as (trial, faults):
            faults.frozen, faults.away = 3.0, 2.0
            trial.patience = 60.0  # the machine may be busy with other tests; the long form keeps time
            async with trial.playing(tables=5):
                await trial.goes_on("at first", time.monotonic())
                for fault in faults.all:
                    await fault()
                await trial.left_games_end()
            print(trial.report())
            trial.check(engine_of(place))

    asyncio.run(run())


def test_a_checkpoint_that_finds_no_room_says_nothing_and_is_done_later(place: Place) -> None:
    folder, disk = place
    if disk is None:
        pytest.skip("no small disk can be mounted")
    store = SqliteStore(folder / "data" / "cupboard.db")
    for _ in range(100):
        asyncio.run(store.write(lambda conn: conn.exec_driver_sql("INSERT INTO secret VALUES (hex(randomblob(4000)))")))
    disk.fill()
    store._checkpoint()
    size = store.file.stat().st_size
    disk.free()
    store._checkpoint()
    assert store.file.stat().st_size > size
    store.close()


@pytest.mark.long
def test_twenty_faults_drawn_by_lot_lose_no_acknowledged_move(place: Place) -> None:
    seed = int(os.environ.get("CUPBOARD_FAULTS_SEED") or time.time())
    print(f"CUPBOARD_FAULTS_SEED={seed}")

    async def run() -> None:
        async with trial_of(place, seed, pace=1.0) as (trial, faults):
            async with trial.playing(tables=50):
                await trial.goes_on("at first", time.monotonic(), patience=120)
                for _ in range(20):
                    faults.away = trial.rng.choice((5.0, 20.0))  # who waits longer and longer waits too long
                    await trial.rng.choice(faults.all)()
                await trial.left_games_end()
            print(trial.report())
            trial.check(engine_of(place))

    asyncio.run(run())
