"""Bots beside the tables: how long people wait while ten strong bots think, in threads and in processes.

    python bench/jobs.py                   # threads and processes by turns, then a worker; about two minutes
    python bench/jobs.py --seconds 40 --pairs 3

Prints how long people wait for the acknowledgement of a move (20 a second at 20 tables), how many moves the bots make
and what processor time they cost, and the memory of the server and of its processes. Then, with a worker on a database
of PostgreSQL: what the queue adds to a job, and how long a bot takes while 50 analyses are queued.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import httpx
import msgspec

sys.path.insert(0, str(Path(__file__).parent.parent))

from bench.server import AS_SHIPPED, load, open_tables, paced
from tests.server.helpers import SERVE, Server, SocketPlayer, lay, until_ready
from tests.server.postgres import running_postgres

from cupboard.core.registry import load as load_game
from cupboard.server.analysis.judge import Judge
from cupboard.server.jobs.kinds import FLICK, Jobs
from cupboard.server.jobs.pool import JobPool
from cupboard.server.jobs.posted import PostedJobs
from cupboard.server.settings import ServerSettings
from cupboard.server.simulations.messages import SimulationRequest
from cupboard.server.table.bots import Bots

GAME, STRONG, BOTS, PEOPLE, RATE = "chinese-checkers", "sequoia", 10, 20, 20.0
IN_THREADS = """
from cupboard.server.table import tables
of = tables.Bots
tables.Bots = lambda seconds, readiness, watcher, jobs: of(seconds, readiness, watcher)
"""
_START = {"position": str(load_game("jumping-cups").start())}
NOTHING = msgspec.json.encode(SimulationRequest("jumping-cups", 2, {}, _START))
"""An urgent job that is done at once: without a seed nothing is simulated."""


class InThreads(Server):
    """A server whose bots all think in threads."""

    program = IN_THREADS + SERVE


def family(pid: int) -> list[int]:
    """A process and its children."""
    return [pid, *map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())]


def cpu_seconds(pid: int) -> float:
    """The processor time of a process and of its children that live."""
    ticks = 0
    for one in family(pid):
        fields = Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def megabytes(pid: int) -> list[float]:
    """The memory of a process and of each of its children; what they share counts in parts."""
    lines = (Path(f"/proc/{one}/smaps_rollup").read_text().splitlines() for one in family(pid))
    return [next(int(line.split()[1]) for line in rollup if line.startswith("Pss:")) / 1000 for rollup in lines]


async def play_bots(server: Server, end: float) -> int:
    """Play against strong bots at ten tables until the end; how many moves they made."""
    made = []
    with httpx.Client(base_url=server.url, timeout=60) as http:
        tables = [lay(http, GAME, "me", f"bot:{STRONG}") for _ in range(BOTS)]
    players = [
        await SocketPlayer.sit(server.port, table["table"]["id"], *(key["token"] for key in table["keys"]))
        for table in tables
    ]

    async def one(player: SocketPlayer) -> None:
        rng = random.Random(1)
        while time.monotonic() < end and await player.until_asked():
            await player.move(rng.choice(player.update["moves"])["text"])
            await player.until_asked()
            made.append(1)

    await asyncio.gather(*map(one, players))
    return len(made)


async def measure(server: Server, seconds: float, are_there: bool) -> None:
    """People and, if they are there, bots, for so many seconds."""
    duels = await open_tables(server, GAME, PEOPLE)
    cpu, began = cpu_seconds(server.process.pid), time.monotonic()
    bots = asyncio.create_task(play_bots(server, began + seconds)) if are_there else None
    await paced(duels, RATE, seconds, random.Random(1))
    moves = await bots if bots is not None else 0
    took, spent = time.monotonic() - began, cpu_seconds(server.process.pid) - cpu
    waits = sorted(1000 * wait for duel in duels for wait in duel.waits)
    p50, p90, p99 = (waits[len(waits) * share // 100] for share in (50, 90, 99))
    said = f"people wait p50 {p50:.1f} p90 {p90:.1f} p99 {p99:.1f} ms, most {waits[-1]:.0f}"
    if moves:
        said += f"; bots {moves / took:.1f} moves/s, {1000 * spent / moves:.0f} ms CPU per move with all else"
    print(f"  {said}; MB {' '.join(f'{size:.0f}' for size in megabytes(server.process.pid))}; load {load()}")


def compare(seconds: float, pairs: int) -> None:
    """Servers with threads and with processes by turns."""
    for kind in (InThreads, Server) * pairs:
        with tempfile.TemporaryDirectory() as folder:
            server = kind(Path(folder), **AS_SHIPPED)
            try:
                until_ready(server.url)
                time.sleep(3.0)  # a process has loaded all games
                print("threads:" if kind is InThreads else "processes:")
                asyncio.run(measure(server, seconds, are_there=False))
                asyncio.run(measure(server, seconds, are_there=True))
            finally:
                server.stop()


async def seconds_of(jobs: Jobs, count: int, pause: float = 0.0) -> list[float]:
    """How long a bot takes, so many times, the shortest first."""
    bots, view = Bots(4.0, jobs=jobs), load_game(GAME, 2).start().seen_by(0)
    took = []
    for _ in range(count):
        began = time.monotonic()
        await bots.choose("t", STRONG, view)
        took.append(time.monotonic() - began)
        await asyncio.sleep(pause)
    bots.close()
    return sorted(took)


async def with_worker(url: str) -> None:
    """What the queue costs, and what a bot waits beside analyses."""
    jobs = PostedJobs(url, JobPool(ServerSettings(data=Path())))
    living = asyncio.create_task(jobs.live())
    while not jobs.workers:
        await asyncio.sleep(0.1)
    for name, way in (("a worker", jobs), ("the pool", jobs.pool)):
        await way.run(FLICK, NOTHING, 20)
        took = []
        for _ in range(200):
            began = time.monotonic()
            await way.run(FLICK, NOTHING, 20)
            took.append(1000 * (time.monotonic() - began))
        took.sort()
        print(f"a job that is nothing, {name}: median {took[100]:.1f} ms, p90 {took[180]:.1f}, p99 {took[198]:.1f}")
    await seconds_of(jobs, 2)
    print(f"a bot alone: {_shown(await seconds_of(jobs, 20, 0.2))}")
    judge, position = Judge(jobs), load_game(GAME, 2).start()
    await judge.ask(position, 0, 0.1)
    asked = [asyncio.ensure_future(judge.ask(position, 0, 0.4)) for _ in range(50)]
    await asyncio.sleep(1.0)
    print(f"a bot beside 50 analyses: {_shown(await seconds_of(jobs, 20, 0.2))}")
    print(f"of which {sum(one.done() for one in asked)} are done; load {load()}")
    for one in asked:
        one.cancel()
    await asyncio.sleep(1.0)
    living.cancel()
    await jobs.close()


def _shown(took: Sequence[float]) -> str:
    return f"median {took[len(took) // 2]:.2f} s, most {took[-1]:.2f} s"


def main() -> None:
    """Read the command line, and print what was measured."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--seconds", type=float, default=15)
    options.add_argument("--pairs", type=int, default=2, help="so many servers of each kind; 0: only the worker")
    chosen = options.parse_args()
    compare(chosen.seconds, chosen.pairs)
    with running_postgres() as postgres, tempfile.TemporaryDirectory() as folder:
        url = postgres.new_database()
        program = [sys.executable, "-c", "from cupboard.cli import main; main()", "worker"]
        worker = subprocess.Popen([*program, "--database", url, "--data", folder], stdout=subprocess.DEVNULL)
        try:
            asyncio.run(with_worker(url))
        finally:
            worker.terminate()
            worker.wait(30)


if __name__ == "__main__":
    main()
