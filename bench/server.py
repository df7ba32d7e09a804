"""What a move costs the server: 100 tables with two sockets each, over loopback, against a real server process.

    python bench/server.py                        # all games, flat out and at 100 moves/s, about three minutes
    python bench/server.py --game double-dutch --seconds 5 --rate 50 --repeat 5

Prints the server's CPU time per durable move (all threads, and system time), how long a player waits for the
acknowledgement, the memory of an idle table with two open sockets, and the bytes that both sockets are sent for a move.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import statistics
import sys
import tempfile
import time
from itertools import product
from pathlib import Path
from typing import Any

import httpx

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.server.helpers import Server, SocketPlayer, lay, serving, until_ready

AS_SHIPPED: dict[str, Any] = {"limited": False, "warm": True, "look_around": 0.5, "look_at_clocks": 5.0}
"""The shipped settings where those of the tests differ, but no rate limits: all clients come from one address."""


class Duel:
    """One table with its two clients."""

    def __init__(self, table: str, players: list[SocketPlayer]) -> None:
        self.table = table
        self.players = players
        self.waits: list[float] = []
        self.busy = False

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.players[0].update["status"] == "over")

    async def move(self, rng: random.Random) -> None:
        """Let the client whose turn it is make a move, and wait until both have received it."""
        self.busy = True
        await self._settled()
        if self.is_over:
            self.busy = False
            return
        mover = next(p for p in self.players if p.update["seat"] in p.update.get("asked", ()))
        text = choose(mover, rng)
        started = time.perf_counter()
        answer = await mover.move(text)
        self.waits.append(time.perf_counter() - started)
        assert answer["type"] == "update", answer
        for other in self.players:
            while other.version < mover.version:
                await other.receive()
        self.busy = False

    async def _settled(self) -> None:
        """Wait until somebody is to act: what nature does after a move may take a simulation."""
        for player in self.players:
            while not player.update.get("asked") and not self.is_over:
                await player.receive()


def choose(mover: SocketPlayer, rng: random.Random) -> str:
    """Some move that does not lose at once; of those that are put together, the suggested one."""
    if "filling" in mover.update:
        return mover.filled()
    moves = mover.update["moves"]
    safe = [move for move in moves if not move.get("warning")] or moves
    return str(rng.choice(safe)["text"])


async def open_tables(server: Server, game: str, tables: int) -> list[Duel]:
    """New tables of a game, each with both sockets open."""
    duels = []
    with httpx.Client(base_url=server.url, timeout=60) as http:
        for _ in range(tables):
            made = lay(http, game, "me", "me")
            tokens = [key["token"] for key in made["keys"]]
            players = [await SocketPlayer.sit(server.port, made["table"]["id"], token) for token in tokens]
            duels.append(Duel(made["table"]["id"], players))
    return duels


async def paced(duels: list[Duel], rate: float, seconds: float, rng: random.Random) -> None:
    """Make a move at some table every 1/rate seconds, whether or not the server keeps up."""
    running: set[asyncio.Task[None]] = set()
    started, made = time.perf_counter(), 0
    queue = duels.copy()
    while made < rate * seconds and (free := [duel for duel in queue if not duel.busy and not duel.is_over]):
        await asyncio.sleep(max(0.0, started + made / rate - time.perf_counter()))
        free[0].busy = True
        task = asyncio.create_task(free[0].move(rng))
        running.add(task)
        task.add_done_callback(running.discard)
        queue.remove(free[0])
        queue.append(free[0])
        made += 1
    await asyncio.gather(*running)


async def flat_out(duels: list[Duel], seconds: float, rng: random.Random) -> None:
    """Make a move at every table as soon as both clients have received the last one."""
    end = time.perf_counter() + seconds

    async def one(duel: Duel) -> None:
        while not duel.is_over and time.perf_counter() < end:
            await duel.move(rng)

    await asyncio.gather(*(one(duel) for duel in duels))


async def measure(server: Server, game: str, tables: int, rate: float, seconds: float) -> tuple[float, ...]:
    """Play at a rate (0: flat out). Returns CPU ms a move, p50 and p99 of the waits in ms, kB a table, bytes a move."""
    rng = random.Random(1)
    warm = await open_tables(server, game, 20)
    for _ in range(5):
        await asyncio.gather(*(duel.move(rng) for duel in warm if not duel.is_over))
    await asyncio.sleep(0.5)
    before = server.memory_bytes()
    duels = await open_tables(server, game, tables)
    await asyncio.sleep(1.0)
    idle = (server.memory_bytes() - before) / tables
    players = [player for duel in duels for player in duel.players]
    for player in players:
        player.bytes.clear()
    cpu, started = server.cpu_seconds(), time.perf_counter()
    await (paced(duels, rate, seconds, rng) if rate else flat_out(duels, seconds, rng))
    took, spent = time.perf_counter() - started, server.cpu_seconds() - cpu
    waits = sorted(wait for duel in duels for wait in duel.waits)
    played = len(waits)
    sent = sum(len(data.encode()) for player in players for data in player.bytes) / played
    p50, p99 = (1000 * waits[played * share // 100] for share in (50, 99))
    print(
        f"{game}: {tables} tables, {played} moves at {played / took:.0f}/s: {1000 * spent / played:.2f} ms CPU per "
        f"move, waits p50 {p50:.1f} p99 {p99:.1f} ms, {idle / 1000:.0f} kB per idle table, {sent:.0f} bytes per move"
    )
    for duel in duels + warm:
        for player in duel.players:
            await player.close()
    return 1000 * spent / played, p50, p99, idle / 1000, sent


def load() -> str:
    """The load of the machine in the last minute as text, to judge the numbers by."""
    return f"{os.getloadavg()[0]:.0f} on {os.cpu_count()} cores"


def main() -> None:
    """Read the command line, start servers and print what was measured."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--game", action="append")
    options.add_argument("--tables", type=int, default=100)
    options.add_argument("--rate", type=float, help="moves per second; 0: as fast as it goes; both if not said")
    options.add_argument("--seconds", type=float, default=10)
    options.add_argument("--repeat", type=int, default=1, help="so many servers one after the other")
    options.add_argument("--durable", action="store_true")
    chosen = options.parse_args()
    rates = (0.0, 100.0) if chosen.rate is None else (chosen.rate,)
    for game, rate in product(chosen.game or ["jumping-cups", "double-dutch", "chinese-checkers", "cup-king"], rates):
        runs = []
        for _ in range(chosen.repeat):
            with (
                tempfile.TemporaryDirectory() as folder,
                serving(Path(folder), durable=chosen.durable, **AS_SHIPPED) as server,
            ):
                until_ready(server.url)
                runs.append(asyncio.run(measure(server, game, chosen.tables, rate, chosen.seconds)))
        if chosen.repeat > 1:
            least, middle = (tuple(map(how, zip(*runs, strict=True))) for how in (min, statistics.median))
            for word, (cpu, p50, p99, idle, sent) in (("least", least), ("median", middle)):
                said = f"{cpu:.2f} ms CPU, p50 {p50:.1f} p99 {p99:.1f} ms, {idle:.0f} kB, {sent:.0f} bytes"
                print(f"  {word}: {said}; load {load()}")


if __name__ == "__main__":
    main()
