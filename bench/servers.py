"""What a move costs on SQLite and on PostgreSQL with one, two and three servers, all in one run on one machine.

    python bench/servers.py                              # about five minutes; Ctrl-C prints what is there
    python bench/servers.py --tables 20 --seconds 2 --stored 100 1000 --takeovers 1
    python bench/servers.py --plot docs/pictures/stored_tables.svg

Clients, servers and PostgreSQL share the machine: moves a second at saturation are those of the whole machine, and CPU
time per move tells servers and database apart. The settings are measured by turns, and of each the round is told that
other jobs disturbed least, the one with most moves. Then the database is filled with finished games: what reading a
table and making a move cost among 10², 10³ and 10⁴ stored ones, and what live ones cost. Prints tables for
bench/results.md.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import os
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import psycopg
import sqlalchemy as sa
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

sys.path.insert(0, str(Path(__file__).parent.parent))

from bench.server import AS_SHIPPED, Duel, flat_out, load, paced
from tests.server.helpers import Server, SocketPlayer, lay, serving
from tests.server.postgres import Postgres, running_postgres

RATE = 100.0
"""Moves a second in a calm hour."""
WATCHERS = 300
WATCHED_MOVES = 50
AS_MEASURED = AS_SHIPPED | {"warm": False, "bot_pause": 0.0}
"""The shipped settings without rate limits. Only the games that are played are compiled, and bots do not wait."""
GAME = "chinese-checkers"
"""Its random games are the longest: nobody is finished before the measurement is."""


class Setting(NamedTuple):
    """A store and a number of servers on it."""

    name: str
    postgres: bool
    servers: int
    durable: bool = True
    """Whether an acknowledged move survives a power cut; PostgreSQL's always does."""


SETTINGS = (
    Setting("SQLite, as shipped", False, 1, durable=False),
    Setting("SQLite, `--durable`", False, 1),
    Setting("PostgreSQL, one server", True, 1),
    Setting("PostgreSQL, two servers", True, 2),
    Setting("PostgreSQL, three servers", True, 3),
)


class Results:
    """Tables of results, printed in the end, also when somebody has lost patience."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def head(self, *columns: str) -> None:
        """Begin a table."""
        self.lines += ["", "| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]

    def row(self, *cells: str) -> None:
        """Add a line to the table."""
        self.lines.append("| " + " | ".join(cells) + " |")


@contextmanager
def group(setting: Setting, postgres: Postgres) -> Iterator[list[Server]]:
    """The servers of a setting on a new database, with the game compiled."""
    with ExitStack() as stack:
        database = {"database": postgres.new_database()} if setting.postgres else {"durable": setting.durable}
        servers = []
        for _ in range(setting.servers):
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            servers.append(stack.enter_context(serving(folder, **AS_MEASURED, **database)))
        for server in servers:
            with httpx.Client(base_url=server.url, timeout=300) as http:
                for game in (GAME, "jumping-cups"):
                    lay(http, game, "me", "me")
        yield servers


async def open_tables(laid_on: Server, seated_on: Server, number: int, game: str = GAME) -> list[Duel]:
    """New tables with two sockets each: the first seat's on one server, the second's on the other."""
    duels = []
    async with httpx.AsyncClient(base_url=laid_on.url, timeout=60) as http:
        for _ in range(number):
            answer = await http.post("/api/tables", json={"game": game, "seats": [{"kind": "me"}, {"kind": "me"}]})
            made = answer.json()
            table, tokens = made["table"]["id"], [key["token"] for key in made["keys"]]
            ports = (laid_on.port, seated_on.port)
            players = [await SocketPlayer.sit(port, table, t) for port, t in zip(ports, tokens, strict=True)]
            duels.append(Duel(table, players))
    return duels


async def close(duels: list[Duel]) -> None:
    """Close all sockets."""
    await asyncio.gather(*(player.close() for duel in duels for player in duel.players))


def postgres_seconds(postgres: Postgres) -> float:
    """The CPU time of PostgreSQL: its processes, and those that have ended."""
    pid = postgres.server.get_postmaster_info().pid
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    spent = _nanoseconds(pid) / 1e9 + sum(map(int, fields[13:15])) / os.sysconf("SC_CLK_TCK")
    for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
        try:
            spent += _nanoseconds(int(child)) / 1e9
        except OSError:
            continue  # it has just ended, and its parent has its time
    return spent


def _nanoseconds(pid: int) -> int:
    """The CPU time of a process with one thread, more finely than in ticks."""
    return int(Path(f"/proc/{pid}/schedstat").read_text().split()[0])


class Cost(NamedTuple):
    """What moves cost: how many a second, milliseconds of CPU each, milliseconds of waiting."""

    rate: float
    servers: float
    database: float
    p50: float
    p99: float


async def cost(servers: list[Server], postgres: Postgres, duels: list[Duel], rate: float, seconds: float) -> Cost:
    """Play at a rate, or as fast as it goes."""
    for duel in duels:
        duel.waits.clear()
    spent = sum(server.cpu_seconds() for server in servers)
    database, began = postgres_seconds(postgres), time.perf_counter()
    rng = random.Random(1)
    await (paced(duels, rate, seconds, rng) if rate else flat_out(duels, seconds, rng))
    took = time.perf_counter() - began
    spent = sum(server.cpu_seconds() for server in servers) - spent
    database = postgres_seconds(postgres) - database
    waits = sorted(1000 * wait for duel in duels for wait in duel.waits)
    played = len(waits)
    return Cost(played / took, 1000 * spent / played, 1000 * database / played, at(waits, 50), at(waits, 99))


def at(values: list[float], percent: int) -> float:
    """A percentile of sorted values."""
    return values[min(len(values) - 1, len(values) * percent // 100)]


class Moves(NamedTuple):
    """What is measured of a setting: a calm hour, the most it can do, and what a table takes while nobody moves."""

    calm: Cost
    full: Cost
    kilobytes: float
    connections: int
    """Connections to PostgreSQL that all servers have open together."""


async def measure_moves(servers: list[Server], postgres: Postgres, tables: int, seconds: float) -> Moves:
    """Play at tables that are dealt out to the servers; both sockets of a table are on one of them."""
    warm = [duel for server in servers for duel in await open_tables(server, server, 10)]
    for _ in range(5):
        await asyncio.gather(*(duel.move(random.Random(5)) for duel in warm))
    before = sum(server.memory_bytes() for server in servers)
    duels = [
        duel
        for n, server in enumerate(servers)
        for duel in await open_tables(server, server, tables // len(servers) + (n < tables % len(servers)))
    ]
    await asyncio.sleep(1.0)
    idle = (sum(server.memory_bytes() for server in servers) - before) / tables / 1000
    calm = await cost(servers, postgres, duels, RATE, seconds)
    full = await cost(servers, postgres, duels, 0.0, seconds)
    connections = await asyncio.to_thread(connections_of, postgres)
    await close(duels + warm)
    return Moves(calm, full, idle, connections)


def connections_of(postgres: Postgres) -> int:
    """How many connections the servers have, on whatever database."""
    with psycopg.connect(postgres.url()) as conn:
        row = conn.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
        ).fetchone()
    return row[0] if row else 0


def told(setting: Setting, found: Moves, first: Moves) -> list[str]:
    """The cells of a setting's row; its CPU time is compared with the first setting's."""
    calm, full = found.calm, found.full
    ratio = (full.servers + full.database) / (first.full.servers + first.full.database)
    return [
        setting.name, f"{calm.servers:.2f}", f"{calm.database:.2f}" if setting.postgres else "",
        f"{calm.p50:.1f}, {calm.p99:.1f}", f"{full.rate:,.0f}", f"{full.servers:.2f}",
        f"{full.database:.2f}" if setting.postgres else "", f"{ratio:.1f}", f"{full.p50:.0f}, {full.p99:.0f}",
        f"{found.kilobytes:.0f}", f"{found.connections}" if setting.postgres else "",
    ]  # fmt: skip


async def spectators(server: Server, postgres: Postgres, watchers: int) -> float:
    """Microseconds of the server's CPU that one spectator more costs at each move."""
    (duel,) = await open_tables(server, server, 1)
    rng = random.Random(6)
    spent = []
    sockets: list[SocketPlayer] = []
    for number in (0, watchers):
        while len(sockets) < number:
            sockets.append(await SocketPlayer.sit(server.port, duel.table, watch=True))
        await asyncio.sleep(0.5)
        before = server.cpu_seconds()
        for _ in range(WATCHED_MOVES):
            await duel.move(rng)
            for socket in sockets:
                while socket.version < duel.players[0].version:
                    await socket.receive()
        spent.append((server.cpu_seconds() - before) / WATCHED_MOVES)
    await asyncio.gather(*(socket.close() for socket in sockets))
    await close([duel])
    return 1e6 * (spent[1] - spent[0]) / watchers


async def foreign(servers: list[Server], tables: int, seconds: float) -> tuple[float, float]:
    """How long after it was sent a move reaches the other player, who is connected to another server: p50, p99."""
    duels = await open_tables(servers[0], servers[-1], tables)
    waits: list[float] = []
    rng, end = random.Random(2), time.perf_counter() + seconds
    while time.perf_counter() < end:
        duel = rng.choice(duels)
        sent = time.perf_counter()
        await duel.move(rng)  # returns when both have heard of it
        waits.append(1000 * (time.perf_counter() - sent))
        await asyncio.sleep(0.02)
    await close(duels)
    waits.sort()
    return at(waits, 50), at(waits, 99)


async def take_over(servers: list[Server], tables: int) -> list[float]:
    """Seconds from SIGKILL of the server that works for these tables until their bots move, thanks to another one."""
    dying, living = servers
    async with httpx.AsyncClient(base_url=dying.url, timeout=60) as http:
        made = []
        for _ in range(tables):
            body = {"game": "jumping-cups", "seats": [{"kind": "me"}, {"kind": "bot", "level": "random"}]}
            made.append((await http.post("/api/tables", json=body)).json())
    here = [await SocketPlayer.sit(dying.port, one["table"]["id"], one["keys"][0]["token"]) for one in made]
    for player in here:  # the server that dies works for all of these tables
        await _bot_answers(player)
    there = [await SocketPlayer.sit(living.port, one["table"]["id"], one["keys"][0]["token"]) for one in made]
    asked = [player for player in there if player.update["status"] == "playing" and await player.until_asked()]
    killed = time.perf_counter()
    dying.kill()
    times = await asyncio.gather(*(_answered_after(player, killed) for player in asked))
    for player in here + there:
        await player.close()
    return times


async def _bot_answers(player: SocketPlayer) -> None:
    if await player.until_asked():
        await player.move(player.update["moves"][0]["text"])
        await player.until_asked()


async def _answered_after(player: SocketPlayer, since: float) -> float:
    answer = await player.move(player.update["moves"][0]["text"])
    assert answer["type"] == "update", answer
    await player.until_asked()
    return time.perf_counter() - since


def multiply(engine: sa.Engine, to: int) -> None:
    """Add copies of the finished game of a database until it has so many tables."""
    with engine.begin() as conn:
        (first,) = conn.exec_driver_sql("SELECT id FROM game WHERE status = 'over' ORDER BY made LIMIT 1").one()
        have = conn.exec_driver_sql("SELECT count(*) FROM game").scalar_one()
        copies = [{"copy": f"copy{n}", "first": first} for n in range(have, to)]
        for table, key in (("game", "id"), ("seat", "game"), ("event", "game")):
            names = [column["name"] for column in sa.inspect(engine).get_columns(table)]
            copied = ", ".join(":copy" if name == key else f'"{name}"' for name in names)
            columns = ", ".join(f'"{name}"' for name in names)
            insert = f"INSERT INTO {table} ({columns}) SELECT {copied} FROM {table} WHERE {key} = :first"
            if copies:
                conn.execute(sa.text(insert), copies)
    if engine.dialect.name == "postgresql":  # what so many new rows leave to do is not to be measured
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as conn:
            for line in ("VACUUM ANALYZE", "CHECKPOINT"):
                conn.exec_driver_sql(line)


class Grown(NamedTuple):
    """What a table costs among so many stored ones, in milliseconds."""

    store: str
    stored: int
    read: float
    move: float
    flush: float
    """A bare write of 8 kB that must reach the disk, meanwhile: what the machine costs everybody at that moment."""


async def grown(server: Server, name: str, stored: int) -> Grown:
    """Read tables that are in no memory, then play at a few; medians."""
    ids = [f"copy{n}" for n in random.Random(stored).sample(range(stored // 2, stored), min(40, stored // 2))]
    reads = []
    async with httpx.AsyncClient(base_url=server.url, timeout=60) as http:
        for table in ids:
            began = time.perf_counter()
            answer = await http.get(f"/api/tables/{table}")
            assert answer.status_code == 200, answer.text
            reads.append(1000 * (time.perf_counter() - began))
    duels = await open_tables(server, server, 10)
    flushes = []
    for duel in duels * 30:
        await duel.move(random.Random(3))
        flushes.append(flush())
    waits = sorted(1000 * wait for duel in duels for wait in duel.waits)
    await close(duels)
    return Grown(name, stored, at(sorted(reads), 50), at(waits, 50), at(sorted(flushes), 50))


def flush() -> float:
    """Milliseconds for a bare write of a page to the disk where the databases are."""
    with tempfile.TemporaryFile() as file:
        began = time.perf_counter()
        file.write(b"x" * 8192)
        file.flush()
        os.fdatasync(file.fileno())
        return 1000 * (time.perf_counter() - began)


async def play_one_out(server: Server) -> None:
    """Have two players play a game to its end."""
    (duel,) = await open_tables(server, server, 1, "jumping-cups")
    rng = random.Random(4)
    while not duel.is_over:
        await duel.move(rng)
    await close([duel])


async def live(
    server: Server, postgres: Postgres, numbers: list[int], seconds: float
) -> list[tuple[int, float, float]]:
    """For growing numbers of live tables, one socket each: percent of a core that servers and database take, idle."""
    rows: list[tuple[int, float, float]] = []
    players: list[SocketPlayer] = []
    async with httpx.AsyncClient(base_url=server.url, timeout=60) as http:
        for number in numbers:
            while len(players) < number:
                seats = [{"kind": "me"}, {"kind": "me"}]
                made = (await http.post("/api/tables", json={"game": "jumping-cups", "seats": seats})).json()
                players.append(await SocketPlayer.sit(server.port, made["table"]["id"], made["keys"][0]["token"]))
            await asyncio.sleep(1.0)
            spent, database = server.cpu_seconds(), postgres_seconds(postgres)
            await asyncio.sleep(seconds)
            rows.append(
                (
                    number,
                    100 * (server.cpu_seconds() - spent) / seconds,
                    100 * (postgres_seconds(postgres) - database) / seconds,
                )
            )
    await asyncio.gather(*(player.close() for player in players))
    return rows


def draw(measured: list[Grown], file: Path) -> None:
    """Draw what reading a table and making a move cost among how many stored tables."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.fonttype"] = "none"  # letters stay letters, which takes less room
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(6, 3.8))
    for store in dict.fromkeys(one.store for one in measured):
        rows = [one for one in measured if one.store == store]
        stored = [one.stored for one in rows]
        axes.plot(stored, [one.read for one in rows], "o-", label=f"{store}: read a table")
        axes.plot(stored, [one.move for one in rows], "s--", label=f"{store}: make a move")
        if store == "PostgreSQL":  # whose moves wait for the disk
            axes.plot(stored, [one.flush for one in rows], "k:", label="a bare write to the disk meanwhile")
    axes.set(xscale="log", xlabel="stored tables", ylabel="milliseconds, median", ylim=(0, None))
    axes.legend(fontsize=8, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2, frameon=False)
    figure.tight_layout()
    figure.savefig(file, metadata={"Date": None})


def run(chosen: argparse.Namespace, results: Results, bar: Progress) -> None:
    """Measure one thing after the other."""
    total = chosen.rounds * len(SETTINGS) + 1 + chosen.takeovers + 2 * len(chosen.stored) + 2
    steps = bar.add_task("measuring", total=total)
    with running_postgres() as postgres:
        results.head(
            "store", f"server CPU ms a move at {RATE:.0f}/s", "database", "waits p50, p99 ms", "moves/s flat out",
            "server CPU ms a move", "database", "CPU in all, times the first", "waits p50, p99 ms",
            "kB an idle table", "connections",
        )  # fmt: skip
        best: dict[Setting, Moves] = {}
        try:
            for _, setting in itertools.product(range(chosen.rounds), SETTINGS):
                bar.update(steps, description=setting.name)
                with group(setting, postgres) as servers:
                    found = asyncio.run(measure_moves(servers, postgres, chosen.tables, chosen.seconds))
                best[setting] = max(found, best.get(setting, found), key=lambda one: one.full.rate)
                bar.advance(steps)
        finally:
            for setting, found in best.items():
                results.row(*told(setting, found, best[SETTINGS[0]]))
        two = SETTINGS[3]
        bar.update(steps, description="foreign moves")
        results.head("what", "p50 ms", "p99 ms")
        with group(two, postgres) as servers:
            for name, pair in (("on the same server", servers[:1]), ("on another server", servers)):
                p50, p99 = asyncio.run(foreign(pair, 20, chosen.seconds))
                results.row(f"a move reaches the other player, who is {name}", f"{p50:.1f}", f"{p99:.1f}")
            each = asyncio.run(spectators(servers[0], postgres, WATCHERS))
            results.lines.append(f"\nOne of {WATCHERS} spectators costs {each:.0f} µs of CPU at each move.")
        bar.advance(steps)
        taken: list[float] = []
        for n in range(chosen.takeovers):
            bar.update(steps, description=f"take-over {n + 1}")
            with group(two, postgres) as servers:
                taken += asyncio.run(take_over(servers, 20))
            bar.advance(steps)
        if taken:
            taken.sort()
            results.head("from SIGKILL until a bot's move", "least", "median", "most")
            tables = f"{chosen.takeovers} times a server with 20 tables"
            results.row(tables, *(f"{seconds:.1f} s" for seconds in (taken[0], at(taken, 50), taken[-1])))
        measured = measure_growth(chosen, postgres, results, bar, steps)
        if chosen.plot and measured:
            draw(measured, chosen.plot)


def measure_growth(
    chosen: argparse.Namespace, postgres: Postgres, results: Results, bar: Progress, steps: Any
) -> list[Grown]:
    """What reading and moving cost among more and more stored tables, and what live ones cost while nobody moves."""
    measured: list[Grown] = []
    idle: list[str] = []
    results.head(
        "store", "stored tables", "a table is read, ms (median)", "a move", "a bare write to the disk meanwhile"
    )
    for name in ("SQLite", "PostgreSQL"):
        with tempfile.TemporaryDirectory() as folder:
            address = postgres.new_database() if name == "PostgreSQL" else ""
            with serving(Path(folder), **AS_MEASURED, database=address) as server:
                asyncio.run(play_one_out(server))
                engine = sa.create_engine(
                    sa.make_url(address).set(drivername="postgresql+psycopg")
                    if address
                    else f"sqlite:///{folder}/cupboard.db"
                )
                for stored in chosen.stored:
                    bar.update(steps, description=f"{name}, {stored:,} stored tables")
                    multiply(engine, stored)
                    one = asyncio.run(grown(server, name, stored))
                    measured.append(one)
                    results.row(name, f"{stored:,}", f"{one.read:.1f}", f"{one.move:.1f}", f"{one.flush:.1f}")
                    bar.advance(steps)
                engine.dispose()
                bar.update(steps, description=f"{name}, {chosen.live[-1]:,} live tables")
                for number, here, there in asyncio.run(live(server, postgres, chosen.live, chosen.seconds)):
                    idle.append(f"| {name} | {number:,} | {here:.1f} % | {there:.1f} % |")
                bar.advance(steps)
    results.head("store", "live tables, nobody moves", "server, of a core", "database")
    results.lines += idle
    return measured


def main() -> None:
    """Read the command line, measure and print."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--tables", type=int, default=60, help="tables that are played at, two sockets each")
    options.add_argument("--seconds", type=float, default=5, help="how long each thing is measured")
    options.add_argument("--rounds", type=int, default=2, help="how often, of which the one with most moves is told")
    options.add_argument("--takeovers", type=int, default=3, help="how often a server is killed")
    options.add_argument("--stored", type=int, nargs="+", default=[100, 1000, 10_000])
    options.add_argument("--live", type=int, nargs="+", default=[10, 100, 1000])
    options.add_argument("--plot", type=Path, help="a file for the plot of stored tables")
    chosen = options.parse_args()
    results = Results()
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    try:
        with Progress(*columns) as bar:
            run(chosen, results, bar)
    except KeyboardInterrupt:
        results.lines.append("\nStopped before the end.")
    finally:
        print("\n".join(results.lines))
        print(f"\nload {load()}")


if __name__ == "__main__":
    main()
