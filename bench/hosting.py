"""What hosting costs on this machine: a real server with the shipped settings, and people who take their time.

    python bench/hosting.py                          # 60 people at 30 tables, ten tables more with bots; two minutes
    python bench/hosting.py --tables 10 --bots 3 --seconds 20

First bots play games to their ends; a hundred copies of each make the database as large as after a few years. Then
everybody has an address, a cookie and a socket, and moves after one to four seconds. Prints a table: what finished
games take on the disk, memory, processor time, how long a move waits for its acknowledgement, backups and plain file
copies under this load, how long a restart keeps people away.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import os
import random
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.server.helpers import Household, Server, SocketPlayer, browser, lay, serving, until_ready

from cupboard.core.errors import CupboardError
from cupboard.server.store.inspection import inspect

AS_SHIPPED: dict[str, Any] = {"warm": True, "look_around": 0.5, "look_at_clocks": 5.0, "bot_pause": 0.35}
"""The shipped settings where those of the tests differ."""
GAMES = ("jumping-cups", "double-dutch", "chinese-checkers", "cup-king")
LEVEL = {"jumping-cups": "maple", "double-dutch": "maple", "chinese-checkers": "maple", "cup-king": "maple"}
ECHO = """
import asyncio

async def answer(reader, writer):
    while data := await reader.readline():
        writer.write(data)

async def main():
    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()

asyncio.run(main())
"""
"""A program that sends back each line at once: how long that takes is what this machine costs everybody."""
YEARS = 100
"""How many copies of each finished game make the database large."""
COPIES = 5
SECONDS_A_COPY = 3.0
"""How long a plain copy takes, as one over a network does."""
Rows = list[tuple[str, str]]


class Table:
    """A table with the sockets of its people, who play until they are stopped."""

    def __init__(self, server: Server, game: str, bots: int) -> None:
        self.server = server
        self.game = game
        self.bots = bots
        self.waits: list[float] = []
        self.acknowledged: list[tuple[str, int]] = []
        self.players: list[SocketPlayer] = []

    async def open(self) -> None:
        """Lay the table by a guest who has just come, and open a socket for each seat that no bot plays."""
        with browser(self.server.url) as http:
            http.put("/api/me", json={"name": f"Guest {Household.address}"})
            kinds = ["me"] * (2 - self.bots) + [f"bot:{LEVEL[self.game]}"] * self.bots
            made = await asyncio.to_thread(lay, http, self.game, *kinds)
        self.id = made["table"]["id"]
        self.tokens = [key["token"] for key in made["keys"]]
        await self.sit()

    async def sit(self) -> None:
        """Open the sockets, again after a restart; each from an address of its own."""
        self.players = []
        for token in self.tokens:
            Household.move()
            self.players.append(await SocketPlayer.sit(self.server.port, self.id, token))

    async def play(self, rng: random.Random, pause: tuple[float, float]) -> None:
        """Move whenever it is somebody's turn, after a pause; at the end lay a new table."""
        await asyncio.gather(*(self._play(player, rng, pause) for player in self.players))

    async def _play(self, player: SocketPlayer, rng: random.Random, pause: tuple[float, float]) -> None:
        while await player.until_asked():
            await asyncio.sleep(rng.uniform(*pause))
            text = player.filled() if "filling" in player.update else rng.choice(player.update["moves"])["text"]
            started = time.perf_counter()
            answer = await player.move(text)
            if answer["type"] == "update":
                self.waits.append(time.perf_counter() - started)
                self.acknowledged.append((self.id, answer["events"][0]["n"]))


async def live(server: Server, people_tables: int, bot_tables: int, seconds: float) -> Rows:
    """A busy evening in short: tables are laid and played at, copies are made, the server is restarted."""
    rows: Rows = [("memory of a server that is ready", f"{server.memory_bytes() / 1e6:.0f} MB")]
    first = await _laid(server, 4, 4)
    playing = _start(first)
    await asyncio.sleep(10)
    started = server.memory_bytes()
    rows.append(("… that has played each game once, and with a bot", f"{started / 1e6:.0f} MB"))
    await _stop(playing, first)
    tables = await _laid(server, people_tables, bot_tables)
    playing = _start(tables)
    await asyncio.sleep(5)
    echoes: list[float] = []
    playing.append(asyncio.create_task(_echo(echoes)))
    cpu, began, before = server.cpu_seconds(), time.perf_counter(), sum(len(table.waits) for table in tables)
    await asyncio.sleep(seconds)
    share = (server.cpu_seconds() - cpu) / (time.perf_counter() - began)
    waits = sorted(1000 * wait for table in tables for wait in table.waits)
    rate = (len(waits) - before) / seconds
    echoes.sort()
    rows += [
        ("people, tables (of these with a bot)", f"{2 * people_tables + bot_tables}, {len(tables)} ({bot_tables})"),
        ("moves of people", f"{rate:.1f} a second, {len(waits):,} in all"),
        ("processor time", f"{100 * share:.1f} % of one core"),
        ("a move is acknowledged, median and p99", f"{_at(waits, 50):.1f}, {_at(waits, 99):.1f} ms"),
        ("… an echo of a line by a bare asyncio program meanwhile", f"{_at(echoes, 50):.1f}, {_at(echoes, 99):.1f} ms"),
        ("memory for each table that is played at", f"{(server.memory_bytes() - started) / len(tables) / 1e3:.0f} kB"),
    ]
    with tempfile.TemporaryDirectory() as folder:
        for name, copy in (("`cupboard backup`", _back_up), ("plain copies of the files", _copy_files)):
            rows.append((name, await _copies(server, tables, Path(folder), copy)))
    await _stop(playing, tables)
    rows.append((f"restart with {len(tables)} tables open", await _restart(server, tables)))
    await _stop([], tables)
    return rows


async def _laid(server: Server, people_tables: int, bot_tables: int) -> list[Table]:
    games = itertools.cycle(GAMES)
    tables = [Table(server, next(games), 0) for _ in range(people_tables)]
    tables += [Table(server, next(games), 1) for _ in range(bot_tables)]
    for table in tables:
        Household.move()
        await table.open()
    return tables


async def _stop(playing: list[asyncio.Task[None]], tables: list[Table]) -> None:
    for task in playing:
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)
    for table in tables:
        for player in table.players:
            await player.close()


def _start(tables: list[Table]) -> list[asyncio.Task[None]]:
    return [asyncio.create_task(table.play(random.Random(n), (1.0, 4.0))) for n, table in enumerate(tables)]


async def _echo(times: list[float]) -> None:
    """Send lines to the echo program, ten times a second, and note how long each takes in milliseconds."""
    program = await asyncio.create_subprocess_exec(sys.executable, "-c", ECHO, stdout=subprocess.PIPE)
    assert program.stdout is not None
    reader, writer = await asyncio.open_connection("127.0.0.1", int(await program.stdout.readline()))
    try:
        while True:
            await asyncio.sleep(0.1)
            began = time.perf_counter()
            writer.write(b"a line\n")
            await reader.readline()
            times.append(1000 * (time.perf_counter() - began))
    finally:
        writer.close()
        program.kill()
        await program.wait()


def _at(sorted_values: list[float], percent: int) -> float:
    return sorted_values[len(sorted_values) * percent // 100]


Copy = Callable[[Path, Path], None]


def _back_up(data: Path, target: Path) -> None:
    """Make a copy with `cupboard backup`."""
    command = [sys.executable, "-m", "cupboard", "backup", str(target), "--data", str(data)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def _copy_files(data: Path, target: Path) -> None:
    """Copy the database and then its log, page by page, as slowly as over a network."""
    for end in ("", "-wal"):
        with (data / f"cupboard.db{end}").open("rb") as old, target.with_name(target.name + end).open("wb") as new:
            size = max(1, os.fstat(old.fileno()).st_size)
            while block := old.read(65_536):
                new.write(block)
                time.sleep(SECONDS_A_COPY / 2 * len(block) / size)


async def _copies(server: Server, tables: list[Table], folder: Path, copy: Copy) -> str:
    """Make copies while people play: how many are sound and hold what had been acknowledged, and the times."""
    sound, times = 0, []
    for n in range(COPIES):
        target = folder / f"{copy.__name__}-{n}.db"
        acknowledged = {entry for table in tables for entry in table.acknowledged}
        began = time.perf_counter()
        # Into each copying falls one of the checkpoints that the server makes after 1000 entries.
        checkpoint = asyncio.create_task(_checkpoint_after(SECONDS_A_COPY / 3, server.data / "cupboard.db"))
        await asyncio.to_thread(copy, server.data, target)
        times.append(time.perf_counter() - began)
        sound += await asyncio.to_thread(_is_sound, target, acknowledged)
        await checkpoint
    size = target.stat().st_size / 1e6
    return f"{sound} of {COPIES} sound and whole; {min(times):.1f} to {max(times):.1f} s for {size:.1f} MB"


async def _checkpoint_after(seconds: float, database: Path) -> None:
    await asyncio.sleep(seconds)
    await asyncio.to_thread(_checkpoint, database)


def _checkpoint(database: Path) -> None:
    """Have SQLite move its log into the database."""
    with closing(sqlite3.connect(database)) as db:
        db.execute("PRAGMA wal_checkpoint(PASSIVE)")


def _is_sound(copy: Path, acknowledged: set[tuple[str, int]]) -> bool:
    try:
        if inspect(copy).faults:
            return False
    except CupboardError:
        return False
    with closing(sqlite3.connect(copy)) as db:
        return acknowledged <= set(db.execute("SELECT game, n FROM event"))


async def _restart(server: Server, tables: list[Table]) -> str:
    """How long people are away when the server is stopped and started again: the first of them, and the last."""
    before = {table.id: table.players[0].version for table in tables}
    began = time.perf_counter()
    await asyncio.to_thread(server.stop)
    stopped = time.perf_counter() - began
    await asyncio.to_thread(server.start)
    back = []
    for table in tables:
        await table.sit()
        back.append(time.perf_counter() - began)
        assert table.players[0].version >= before[table.id], "nothing is lost"
    return (
        f"stopped after {stopped:.1f} s; the first table is back after {back[0]:.1f} s, the last after {back[-1]:.1f} s"
    )


async def finished_games(server: Server, number: int) -> Rows:
    """Have bots play games to their ends, and see what each takes on the disk."""
    rows = []
    database = server.data / "cupboard.db"
    for game in GAMES:
        before = _size(database)
        with browser(server.url) as http:
            made = [await asyncio.to_thread(lay, http, game, *[f"bot:{LEVEL[game]}"] * 2) for _ in range(number)]
        moves = 0
        for table in made:
            Household.move()
            player = await SocketPlayer.sit(server.port, table["table"]["id"], watch=True)
            while player.update["status"] != "over":
                await player.receive()
            moves += player.version
            await player.close()
        size = (_size(database) - before) / number / 1e3
        rows.append((f"a finished game on the disk, {game}", f"{size:.1f} kB ({moves // number} log entries)"))
    return rows


def multiply(database: Path, times: int) -> None:
    """Add copies of all games to a database that no server has open."""
    with closing(sqlite3.connect(database)) as db, db:
        for table, key in (("game", "id"), ("seat", "game"), ("event", "game"), ("motion", "game")):
            columns = [row[1] for row in db.execute(f"PRAGMA table_info({table})")]
            copied = ", ".join(f"{key} || '-' || again" if column == key else column for column in columns)
            numbers = (
                f"WITH RECURSIVE number(again) AS (SELECT 1 UNION SELECT again + 1 FROM number WHERE again < {times})"
            )
            db.execute(f"{numbers} INSERT INTO {table} SELECT {copied} FROM {table}, number")


def check(data: Path) -> Rows:
    """How long `cupboard check` takes for all games."""
    began = time.perf_counter()
    words = [sys.executable, "-m", "cupboard", "check", "--data", str(data)]
    said = subprocess.run(words, check=True, capture_output=True, text=True).stdout.splitlines()
    return [(f"`cupboard check`: {said[1].rstrip('.')}", f"{time.perf_counter() - began:.0f} s")]


def _size(database: Path) -> int:
    """The bytes in use of a database, its log included."""
    with closing(sqlite3.connect(database)) as db:
        db.execute("PRAGMA wal_checkpoint(PASSIVE)")
        pages, size = (db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "page_size"))
        free = db.execute("PRAGMA freelist_count").fetchone()[0]
    return int((pages - free) * size)


def main() -> None:
    """Read the command line, run the servers and print what was measured."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--tables", type=int, default=30, help="tables with two people each")
    options.add_argument("--bots", type=int, default=10, help="tables with a person and a bot")
    options.add_argument("--seconds", type=float, default=60, help="how long is measured")
    options.add_argument("--finished", type=int, default=10, help="games of each kind that are played to the end")
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder)
        with serving(data, **AS_SHIPPED | {"bot_pause": 0.0}) as server:
            until_ready(server.url)
            rows = asyncio.run(finished_games(server, chosen.finished))
        multiply(data / "cupboard.db", YEARS)
        rows += check(data)
        with serving(data, **AS_SHIPPED) as server:
            until_ready(server.url)
            rows += asyncio.run(live(server, chosen.tables, chosen.bots, chosen.seconds))
    for name, value in rows:
        print(f"| {name} | {value} |")
    print(f"\nload {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


if __name__ == "__main__":
    main()
