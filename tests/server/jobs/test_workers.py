"""Workers beside servers on one database: who waits gets an answer, whatever becomes of a worker."""

from __future__ import annotations

import asyncio
import secrets
import signal
import subprocess
import sys
import time
from base64 import b64encode
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import msgspec
import psycopg
import pytest
from tests.server.helpers import Server, SocketPlayer, browser, lay, serving
from tests.server.inside import until
from tests.server.postgres import Postgres, running_postgres

from cupboard.core.game import View
from cupboard.core.registry import load
from cupboard.server.analysis.judge import Judge
from cupboard.server.jobs.kinds import BOT, FLICK
from cupboard.server.jobs.pool import JobPool
from cupboard.server.jobs.posted import PostedJobs
from cupboard.server.jobs.queue import PREFIX, TASK, install, open_queue, queue_of, schema
from cupboard.server.settings import ServerSettings
from cupboard.server.simulations.messages import SimulationAnswer, SimulationRequest
from cupboard.server.store.postgres_database import open_postgres
from cupboard.server.table.bots import Bots

COMMAND = (sys.executable, "-c", "from cupboard.cli import main; main()", "worker")
STRONG = "sequoia"
ENOUGH = 90.0
"""Seconds after which something never comes: games may have to be compiled first."""


class Worker:
    """A worker in a process of its own."""

    def __init__(self, url: str, folder: Path) -> None:
        self._log = folder / f"{secrets.token_hex(4)}.log"
        command = (*COMMAND, "--database", url, "--processes", "2", "--data", str(folder))
        with self._log.open("w") as log:
            self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True)
        self.until_ready()

    def until_ready(self) -> None:
        """Wait until it takes jobs."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if "is ready" in line:
                return
        raise AssertionError(self.log())

    def log(self) -> str:
        return self._log.read_text()

    def end(self, wish: signal.Signals = signal.SIGTERM) -> int:
        self.process.send_signal(wish)
        self.process.communicate(timeout=30)
        return self.process.returncode


@contextmanager
def working(url: str, folder: Path) -> Iterator[Worker]:
    worker = Worker(url, folder)
    try:
        yield worker
    finally:
        if worker.process.poll() is None:
            worker.end(signal.SIGKILL)


@asynccontextmanager
async def posting(url: str, workers: int = 1) -> AsyncIterator[PostedJobs]:
    """The jobs of a server that has noticed so many workers."""
    jobs = PostedJobs(url, JobPool(ServerSettings(data=Path())))
    living = asyncio.create_task(jobs.live())
    try:
        await until(lambda: jobs.workers == 2 * workers, ENOUGH)
        yield jobs
    finally:
        await jobs.close()
        living.cancel()
        await asyncio.wait([living])


def run(work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(work())


def looking() -> View[Any]:
    return load("jumping-cups", 2, starter="red").start().seen_by(0)


def slow_request(milliseconds: int) -> bytes:
    """A flick that takes so long."""
    game = load("tumble", milliseconds=milliseconds)
    position = game.start().play(game.read_move("push-1"))
    return msgspec.json.encode(SimulationRequest(game.name, 2, dict(game.options), position.to_json(), seed=1))


async def slow(jobs: PostedJobs, milliseconds: int, seconds: float = 20.0) -> SimulationAnswer:
    """Have the flick simulated."""
    data = await jobs.run(FLICK, slow_request(milliseconds), seconds)
    return msgspec.json.decode(data, type=SimulationAnswer)


def rows(url: str, table: str) -> list[Any]:
    with psycopg.connect(url) as conn:
        return conn.execute(f"SELECT * FROM {schema()}.{table}").fetchall()


def is_begun(url: str) -> bool:
    with psycopg.connect(url) as conn:
        found = conn.execute(f"SELECT 1 FROM {schema()}.procrastinate_jobs WHERE status = 'doing'")
        return found.fetchone() is not None


def has_started_nothing(jobs: PostedJobs) -> bool:
    """Whether the server has no process of its own for bots or flicks."""
    return all(child.pid is None for kind in (BOT, FLICK) for child in jobs.pool.lane(kind).children)


def test_a_worker_does_the_work_and_leaves_nothing_in_the_queue(postgres: Postgres, tmp_path: Path) -> None:
    url = postgres.new_database()

    async def work() -> None:
        async with posting(url) as jobs:
            bots = Bots(4.0, jobs=jobs)
            moves = await asyncio.gather(*(bots.choose(f"t{n}", STRONG, looking()) for n in range(4)))
            assert all(move in looking().moves() for move in moves)
            assert has_started_nothing(jobs)
            await until(lambda: not rows(url, "procrastinate_jobs") and not rows(url, "answer"))
            bots.close()

    with working(url, tmp_path) as worker:
        run(work)
        assert worker.end() == 0


def test_without_a_worker_the_server_does_the_work_until_one_comes(postgres: Postgres, tmp_path: Path) -> None:
    url = postgres.new_database()

    async def work() -> None:
        async with posting(url, workers=0) as jobs:
            bots = Bots(4.0, jobs=jobs)
            assert await bots.choose("t", STRONG, looking()) in looking().moves()
            assert not has_started_nothing(jobs)
            worker = await asyncio.to_thread(Worker, url, tmp_path)
            await until(lambda: jobs.workers == 2, ENOUGH)
            for child in jobs.pool.lane(BOT).children:
                await child.close()
            assert await bots.choose("t", STRONG, looking()) in looking().moves()
            assert has_started_nothing(jobs)
            await asyncio.to_thread(worker.end)
            await until(lambda: jobs.workers == 0, ENOUGH)
            assert await bots.choose("t", STRONG, looking()) in looking().moves()
            bots.close()

    run(work)


@pytest.mark.quiet
def test_a_queue_full_of_analysis_delays_no_bot(postgres: Postgres, tmp_path: Path) -> None:
    url = postgres.new_database()

    async def work() -> None:
        async with posting(url) as jobs:
            bots, judge = Bots(4.0, jobs=jobs), Judge(jobs)
            position = load("jumping-cups", 2, starter="red").start()
            await judge.ask(position, 0, 0.1)
            usual = [await seconds_of(bots) for _ in range(4)]
            asked = [asyncio.ensure_future(judge.ask(position, 0, 0.4)) for _ in range(50)]
            await until(lambda: len(rows(url, "procrastinate_jobs")) > 45)
            beside = [await seconds_of(bots) for _ in range(8)]
            assert sum(one.done() for one in asked) < 50, "there was analysis all the time"
            assert sorted(beside)[4] < max(usual) + 1.0
            for one in asked:
                one.cancel()
            await until(lambda: not rows(url, "procrastinate_jobs"), 30)
            bots.close()

    with working(url, tmp_path):
        run(work)


async def seconds_of(bots: Bots) -> float:
    began = time.monotonic()
    await bots.choose("t", STRONG, looking())
    return time.monotonic() - began


@pytest.mark.usefixtures("tumble")
def test_jobs_whose_asker_has_gone_are_cancelled(postgres: Postgres, tmp_path: Path) -> None:
    url = postgres.new_database()

    async def work() -> None:
        async with posting(url) as jobs:
            await slow(jobs, 0)
            asked = [asyncio.ensure_future(slow(jobs, 3000)) for _ in range(10)]
            await until(lambda: len(rows(url, "procrastinate_jobs")) == 10)
            for one in asked:
                one.cancel()
            await until(lambda: not rows(url, "procrastinate_jobs"))
            began = time.monotonic()
            assert (await slow(jobs, 0)).move
            assert time.monotonic() - began < 15, "two that had begun, not ten"

    with working(url, tmp_path):
        run(work)


@pytest.mark.usefixtures("tumble")
def test_a_killed_worker_s_job_is_done_by_another_worker(postgres: Postgres, tmp_path: Path) -> None:
    url = postgres.new_database()

    async def work(first: Worker, second: Worker) -> None:
        async with posting(url, workers=2) as jobs:
            asked = [asyncio.ensure_future(slow(jobs, 1500)) for _ in range(4)]
            await until(lambda: len(rows(url, "procrastinate_jobs")) == 4)
            await asyncio.to_thread(first.end, signal.SIGKILL)
            assert all([(await one).move for one in asked])
            assert has_started_nothing(jobs)

    with working(url, tmp_path) as first, working(url, tmp_path) as second:
        asyncio.run(work(first, second))


@pytest.mark.usefixtures("tumble")
def test_when_the_only_worker_is_killed_the_server_does_the_work(
    postgres: Postgres, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    url = postgres.new_database()

    async def work(worker: Worker) -> None:
        async with posting(url) as jobs:
            asked = asyncio.ensure_future(slow(jobs, 2000))
            await until(lambda: is_begun(url))
            await asyncio.to_thread(worker.end, signal.SIGKILL)
            began = time.monotonic()
            assert (await asked).move
            assert time.monotonic() - began < 20 and not has_started_nothing(jobs)
            assert "no worker is left" in caplog.text

    with working(url, tmp_path) as worker:
        asyncio.run(work(worker))


@pytest.mark.usefixtures("tumble")
def test_a_worker_that_is_to_end_finishes_its_job(postgres: Postgres, tmp_path: Path) -> None:
    url = postgres.new_database()

    async def work(worker: Worker) -> None:
        async with posting(url) as jobs:
            asked = asyncio.ensure_future(slow(jobs, 1500))
            await until(lambda: is_begun(url))
            assert await asyncio.to_thread(worker.end) == 0
            assert (await asked).move and has_started_nothing(jobs)

    with working(url, tmp_path) as worker:
        asyncio.run(work(worker))
        assert "Traceback" not in worker.log()


@pytest.mark.usefixtures("tumble")
def test_a_worker_and_a_server_are_there_again_when_postgresql_is(tmp_path: Path) -> None:
    with running_postgres() as postgres:
        url = postgres.new_database()

        async def work(worker: Worker) -> None:
            async with posting(url) as jobs:
                assert (await slow(jobs, 0)).move
                asked = asyncio.ensure_future(slow(jobs, 2000))
                await until(lambda: is_begun(url))
                await asyncio.to_thread(postgres.server.stop)
                await until(lambda: not jobs.workers, ENOUGH)
                assert (await asked).move, "the server does it"
                await asyncio.to_thread(postgres.server.start)
                await until(lambda: jobs.workers == 2, ENOUGH)
                for child in jobs.pool.lane(FLICK).children:
                    await child.close()
                assert (await slow(jobs, 0)).move
                assert has_started_nothing(jobs)

        with working(url, tmp_path) as worker:
            asyncio.run(work(worker))
            assert worker.end() == 0
            assert "Traceback" not in worker.log()


def test_a_table_goes_on_when_the_worker_of_its_bot_is_killed(postgres: Postgres, tmp_path: Path) -> None:
    url = postgres.new_database()

    async def work(server: Server, worker: Worker) -> None:
        with browser(server.url) as http:
            made = lay(http, "chinese-checkers", "me", f"bot:{STRONG}")
        player = await SocketPlayer.sit(server.port, made["table"]["id"], *(key["token"] for key in made["keys"]))
        for is_last in (False, True):
            assert await player.until_asked()
            await player.move(player.update["moves"][0]["text"])
            if is_last:
                await asyncio.to_thread(worker.end, signal.SIGKILL)
        assert await player.until_asked()
        await player.close()

    with serving(tmp_path / "server", database=url) as server, working(url, tmp_path) as worker:
        asyncio.run(work(server, worker))


# Databases that cannot be used.


def refused(*options: str) -> str:
    done = subprocess.run((*COMMAND, *options), capture_output=True, text=True, timeout=ENOUGH)
    assert done.returncode == 1 and "Traceback" not in done.stderr
    return done.stderr


def test_a_worker_says_why_it_cannot_work(postgres: Postgres, tmp_path: Path) -> None:
    assert "--database" in refused("--data", str(tmp_path))
    assert "cannot be opened" in refused("--database", "postgresql://127.0.0.1:1/none?connect_timeout=2")
    newer = postgres.new_database()
    open_postgres(newer, 1).readers.dispose()
    with psycopg.connect(newer) as conn:
        conn.execute("UPDATE alembic_version SET version_num = '9999'")
    assert "newer Cupboard" in refused("--database", newer)
    foreign = postgres.new_database()
    with psycopg.connect(foreign) as conn:
        conn.execute("CREATE TABLE orders (id int)")
    assert "not a Cupboard database" in refused("--database", foreign)


def test_a_user_who_may_not_make_the_queue_is_told_what_is_missing(postgres: Postgres, tmp_path: Path) -> None:
    url = postgres.new_database()
    open_postgres(url, 1).readers.dispose()
    with psycopg.connect(url) as conn:
        conn.execute("CREATE ROLE poor LOGIN")
        conn.execute("GRANT USAGE ON SCHEMA public TO poor")
        conn.execute("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO poor")
    told = refused("--database", url.replace("postgres:@", "poor:@"), "--data", str(tmp_path))
    assert "GRANT CREATE ON DATABASE" in told


# The queue.


@pytest.mark.usefixtures("tumble")
def test_a_job_that_is_too_late_is_left_alone(postgres: Postgres, tmp_path: Path) -> None:
    url = postgres.new_database()

    async def work() -> None:
        async with posting(url) as jobs:
            request, queue = b64encode(slow_request(0)).decode(), open_queue(url, 1)
            async with queue.open_async():
                for until_when in (time.time() - 1, time.time() + 60):
                    await queue.configure_task(TASK, queue=queue_of(is_urgent=True)).defer_async(
                        number=f"{until_when}", kind=FLICK.name, request=request, before=None, seconds=5, place="",
                        until=until_when,
                    )  # fmt: skip
            await until(lambda: not rows(url, "procrastinate_jobs"), ENOUGH)
            assert len(rows(url, "answer")) == 1 and jobs.posted == 0

    with working(url, tmp_path):
        run(work)


def test_each_version_has_a_queue_of_its_own_and_old_ones_are_dropped(postgres: Postgres) -> None:
    url = postgres.new_database()
    old, used = f"{PREFIX}old", f"{PREFIX}used"
    with psycopg.connect(url) as conn:
        for name, seen in ((old, "8 days"), (used, "1 day")):
            conn.execute(f"CREATE SCHEMA {name}")
            conn.execute(f"CREATE TABLE {name}.procrastinate_workers (last_heartbeat timestamptz)")
            conn.execute(f"INSERT INTO {name}.procrastinate_workers VALUES (now() - interval '{seen}')")

    async def twice() -> None:
        await asyncio.gather(install(url), install(url))

    asyncio.run(twice())
    with psycopg.connect(url) as conn:
        found = conn.execute("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'cupboard%'").fetchall()
    assert {name for (name,) in found} == {used, schema()}
