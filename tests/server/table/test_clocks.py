"""Clocks run out although nobody looks: at tables that no one has opened since the server started."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from tests.server.helpers import Server, browser, lay, serving, wait_for
from tests.server.postgres import needs_sqlite, rows_of
from tests.server.store.older import make_older

import cupboard
from cupboard.server import steady_clock as clock
from cupboard.server.errors import NoOffer, TooLate
from cupboard.server.http.services import Services
from cupboard.server.settings import ServerSettings
from cupboard.server.store.sqlite import SqliteStore
from cupboard.server.store.store import LogEntry
from cupboard.server.table import moves, offers
from cupboard.server.table.client import Client
from cupboard.server.table.plan import Draft
from cupboard.server.table.room import Room
from cupboard.server.table.state import TableState
from cupboard.server.wire.server_messages import Times
from cupboard.server.wire.tables import Clock, NewTable, SeatPlan

DAY = 86_400_000
HOUR = 3_600_000
MINUTES = Clock(start=300, gain=2)


class Watch:
    """The clocks of a computer: one on the wall that anybody may set, a counter that only time moves."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.wall = self.passed = 0
        wall, ticks = time.time_ns(), clock._ticks()
        monkeypatch.setattr(time, "time_ns", lambda: wall + 1_000_000 * (self.wall + self.passed))
        monkeypatch.setattr(clock, "_ticks", lambda: ticks + 1_000_000 * self.passed)


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> Watch:
    return Watch(monkeypatch)


class Silent:
    """A connection that nobody reads."""

    is_full = False

    def write(self, data: bytes) -> None:
        """Nothing comes of it."""

    def close(self, code: int, reason: str) -> None:
        raise AssertionError(f"shown out: {code} {reason}")


async def table(services: Services, game: str, seats: int, **options: Any) -> tuple[Room, list[Client]]:
    """A table with five minutes each, and a client in each of its seats."""
    anna, _ = await services.people.welcome("Anna")
    room = await services.tables.lay(NewTable(game, (SeatPlan("me"),) * seats, options, MINUTES), anna)
    clients = [Client(Silent(), frozenset({seat}), 0) for seat in range(seats)]
    for client in clients:
        room.join(client)
    return room, clients


def shown(room: Room) -> tuple[int, ...]:
    times = room.state.times(room.now())
    assert isinstance(times, Times)
    return times.left


@pytest.mark.parametrize("jump", [-HOUR, HOUR])
def test_a_wall_clock_that_is_set_while_a_game_runs_costs_and_gives_no_time(
    tmp_path: Path, watch: Watch, jump: int
) -> None:
    async def run() -> None:
        services = Services(ServerSettings(data=tmp_path))
        room, (red, yellow) = await table(services, "jumping-cups", 2, starter="red")
        watch.passed += 10_000
        await moves.move(room, red, 0, "5-6", room.state.version)
        watch.wall += jump
        watch.passed += 20_000
        assert shown(room) == (292_000, 280_000)
        await asyncio.sleep(0.05)  # an alarm would ring now
        await moves.move(room, yellow, 1, "10-9", room.state.version)
        assert shown(room) == (292_000, 282_000)
        times = [entry.at for entry in room.state.entries]
        assert times == sorted(times) and times[-1] - times[0] < 40_000
        await services.close()

    asyncio.run(run())


def test_after_a_start_with_a_clock_set_back_entries_go_on_from_the_last_one(tmp_path: Path, watch: Watch) -> None:
    """A server started with its clock an hour behind, beside or after one that was right."""

    async def run() -> None:
        services = Services(ServerSettings(data=tmp_path))
        room, (red, yellow) = await table(services, "jumping-cups", 2, starter="red")
        await moves.move(room, red, 0, "5-6", room.state.version)
        watch.passed -= HOUR  # what a process that begins now would read
        late = Services(ServerSettings(data=tmp_path))
        again = await late.tables.room(room.plan.id)
        again.join(yellow)
        assert shown(again) == (302_000, 300_000)
        watch.passed += 50_000
        assert shown(again) == (302_000, 250_000)
        await moves.move(again, yellow, 1, "10-9", again.state.version)
        times = [entry.at for entry in again.state.entries]
        assert times == sorted(times)
        # The first server hears of a move that its own clock calls far away, and goes on from there too.
        watch.passed += HOUR - 50_000
        await late.store.append(room.plan.id, [LogEntry(again.state.version, "chat", 0, "hello", times[-1] + 2 * HOUR)])
        await room.catch_up()
        async with room.lock:
            await room.append([Draft("chat", 0, "hello")])
        assert room.state.entries[-1].at >= times[-1] + 2 * HOUR
        await late.close()
        await services.close()

    asyncio.run(run())


@pytest.mark.parametrize("late", [0, 1, HOUR])
def test_a_move_that_comes_when_the_time_is_over_is_refused_and_the_flag_falls(
    tmp_path: Path, watch: Watch, late: int
) -> None:
    async def run() -> None:
        services = Services(ServerSettings(data=tmp_path))
        room, (red, _) = await table(services, "jumping-cups", 2, starter="red")
        watch.passed += MINUTES.start * 1000 + late
        assert shown(room)[0] == 0
        with pytest.raises(TooLate):
            await moves.move(room, red, 0, "5-6", room.state.version)
        assert room.state.outcome is not None
        assert (room.state.outcome.reason, room.state.outcome.winners) == ("time", (1,))
        assert not [entry for entry in room.state.entries if entry.kind == "move" and entry.seat == 0]
        await services.close()

    asyncio.run(run())


def test_with_three_seats_a_late_move_is_refused_and_a_bot_plays_on(tmp_path: Path, watch: Watch) -> None:
    async def run() -> None:
        services = Services(ServerSettings(data=tmp_path))
        room, clients = await table(services, "double-dutch", 3)
        seat = room.state.asked[0]
        text = str(room.state.position.moves(seat)[0])
        watch.passed += 400_000
        with pytest.raises(TooLate):
            await moves.move(room, clients[seat], seat, text, room.state.version)
        assert seat in room.state.bots and clients[seat].seats == frozenset()
        assert all(client.seats for client in clients if client is not clients[seat])
        await services.close()

    asyncio.run(run())


@pytest.mark.parametrize("offer", ["draw", "takeback"])
def test_what_is_agreed_when_the_time_is_over_does_not_save_the_game(tmp_path: Path, watch: Watch, offer: Any) -> None:
    async def run() -> None:
        services = Services(ServerSettings(data=tmp_path))
        room, (first, second) = await table(services, "chinese-checkers", 2)
        await moves.move(room, first, 0, str(room.state.position.moves(0)[0]), room.state.version)
        await offers.offer(room, first, 0, offer)
        watch.passed += 400_000
        with pytest.raises(NoOffer):
            await offers.answer(room, second, 1, offer, True)
        assert room.state.outcome is not None and room.state.outcome.reason == "time"
        await services.close()

    asyncio.run(run())


@pytest.mark.parametrize("clock", [MINUTES, Clock(days=1)])
def test_clocks_show_no_less_than_nothing_and_no_more_than_was_given(clock: Clock) -> None:
    """Whatever times a log holds: older versions let them go back."""
    rng = Random(3)
    state = TableState.of(cupboard.load("double-dutch", 2), [LogEntry(0, "start", None, "", DAY)], clock)
    gained = [0, 0]
    while state.outcome is None:
        seat, at = state.asked[0], DAY + rng.randrange(-HOUR, HOUR)
        state.add(LogEntry(state.version, "move", seat, str(rng.choice(state.position.moves(seat))), at))
        gained[seat] += 1000 * clock.gain
        times = state.times(DAY + rng.randrange(-HOUR, HOUR))
        assert times is not None
        for left, more in zip(times.left, gained, strict=True):
            assert 0 <= left <= 1000 * clock.start + DAY * clock.days + more


def change(server: Server, *statements: str) -> None:
    with rows_of(server.data) as db:
        for statement in statements:
            db.execute(statement)


def ended(server: Server, cookie: httpx.Cookies, table: str) -> dict[str, Any] | None:
    """How the table ended; the list is read from the database and opens no table."""
    with browser(server.url, timeout=30, cookies=cookie) as http:
        found = [one for one in http.get("/api/mine").json()["finished"] if one["id"] == table]
    return found[0]["outcome"] if found else None


@pytest.mark.parametrize("pause", [0.0, 5.2])
def test_after_a_restart_a_flag_falls_at_a_table_nobody_has_opened(tmp_path: Path, pause: float) -> None:
    """The time runs out while the server is down, or while it runs again."""
    with serving(tmp_path) as server, browser(server.url, timeout=30) as http:
        made = lay(http, "jumping-cups", "me", "me", options={"starter": "red"}, clock={"start": 5, "gain": 0})
        server.kill()
        time.sleep(pause)
        server.start()
        wait_for(lambda: ended(server, http.cookies, made["table"]["id"]) is not None, 20)
        outcome = ended(server, http.cookies, made["table"]["id"])
    assert outcome is not None and (outcome["reason"], outcome["winners"]) == ("time", [1])


def test_days_for_a_move_run_out_too_and_with_three_seats_a_bot_plays_on(tmp_path: Path) -> None:
    with serving(tmp_path) as server, browser(server.url, timeout=30) as http:
        cookie = http.cookies
        made = lay(http, "double-dutch", "me", "me", "me", clock={"days": 1})
        fresh = lay(http, "double-dutch", "me", "me", clock={"days": 1})
        server.kill()
        # What two days without a visitor would look like.
        old = f"UPDATE {{}} SET {{}} = {{}} - {2 * DAY} WHERE {{}} = '{made['table']['id']}'"
        change(server, old.format("event", "at", "at", "game"), old.format("game", "due", "due", "id"))
        server.start()

        def handed_over() -> bool:
            with rows_of(tmp_path) as db:
                kinds = "SELECT seat, text FROM event WHERE kind = 'handover' ORDER BY n"
                return list(db.execute(kinds)) == [(0, "maple")]

        wait_for(handed_over)
        assert ended(server, cookie, fresh["table"]["id"]) is None


@needs_sqlite
def test_a_database_of_before_learns_which_clocks_run(tmp_path: Path) -> None:
    with serving(tmp_path) as server, browser(server.url, timeout=30) as http:
        cookie = http.cookies
        made = lay(http, "jumping-cups", "me", "me", options={"starter": "red"}, clock={"start": 5, "gain": 0})
        server.stop()
        make_older(server.data / "cupboard.db", "0001")
        server.start()
        wait_for(lambda: ended(server, cookie, made["table"]["id"]) is not None, 20)


@needs_sqlite
def test_ten_thousand_stored_tables_are_not_looked_at(tmp_path: Path) -> None:
    from cupboard.server.table.deadlines import _due

    store = SqliteStore(tmp_path / "cupboard.db")
    with closing(sqlite3.connect(tmp_path / "cupboard.db")) as db, db:
        db.execute("INSERT INTO person (id, name, made) VALUES ('p', 'Ida', 0)")
        row = "INSERT INTO game VALUES (?, 'r', 'jumping-cups', 2, '{}', '{}', 0, 'p', 0, ?, NULL, ?)"
        db.executemany(row, [(f"t{n}", "over", None) for n in range(10_000)])
        db.executemany(row, [("late", "playing", 5), ("early", "playing", 3), ("later", "playing", 50)])
        plan = db.execute("EXPLAIN QUERY PLAN SELECT id FROM game WHERE due <= 9 ORDER BY due LIMIT 50").fetchall()
        assert [line[3] for line in plan] == ["SEARCH game USING INDEX game_due (due<?)"]
    with store._database.readers.connect() as conn:
        assert _due(conn, 9) == ["early", "late"]
    store.close()


@pytest.mark.parametrize("clock", [Clock(start=30, gain=2), Clock(days=1)])
def test_no_flag_falls_before_the_time_that_was_noted(clock: Clock) -> None:
    """Whatever is played after the note, with whatever pauses."""
    rng = Random(8)
    for _ in range(20):
        state = TableState.of(cupboard.load("double-dutch", 3), [LogEntry(0, "start", None, "", 0)], clock, bots=[2])
        at, noted = 0, state.no_flag_before(0)
        while state.outcome is None:
            flag = state.flag()
            assert noted is not None and (flag is None or flag[0] >= noted)
            at += rng.choice((100, 1000, 7000))
            if flag is not None and flag[0] <= at:
                break
            if rng.random() < 0.2:
                noted = state.no_flag_before(at)
            seat = state.asked[0]
            state.add(LogEntry(state.version, "move", seat, str(rng.choice(state.position.moves(seat))), at))
