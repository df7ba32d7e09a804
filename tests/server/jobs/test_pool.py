"""Bots in processes: the table goes on whatever becomes of a process, and what is kept has a limit."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.server.inside import until

from cupboard.core.game import Move, View
from cupboard.core.registry import load
from cupboard.players.levels import levels_of
from cupboard.server.jobs.kinds import BOT, FLICK, MOST_REQUEST_BYTES, JobFailed
from cupboard.server.jobs.pool import JobPool
from cupboard.server.settings import JobSettings, ServerSettings
from cupboard.server.simulations.messages import SimulationRequest
from cupboard.server.table import thinking
from cupboard.server.table.bots import Bots, is_quick

STRONG = "sequoia"
ENDLESS = "chinese-checkers"
"""A game whose best player takes its whole time."""


@asynccontextmanager
async def pool(processes: int = 2) -> AsyncIterator[JobPool]:
    running = JobPool(ServerSettings(data=Path(), jobs=JobSettings(processes=processes)))
    try:
        yield running
    finally:
        await running.close()


def run(work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(work())


def looking(game: str = ENDLESS) -> View[Any]:
    options = {"starter": "red"} if game == "jumping-cups" else {}
    return load(game, 2, **options).start().seen_by(0)


def pids(running: JobPool) -> list[int]:
    """The processes for bots that are there."""
    return [child.pid for child in running.lane(BOT).children if child.pid is not None]


async def once_one_thinks(running: JobPool) -> int:
    """Wait until a process thinks, and return its number."""
    await until(lambda: running.running(BOT) == 1 and pids(running))
    await asyncio.sleep(0.1)
    return pids(running)[0]


def test_a_killed_process_costs_its_table_one_modest_move(caplog: pytest.LogCaptureFixture) -> None:
    async def work() -> None:
        async with pool() as running:
            bots, view = Bots(4.0, jobs=running), looking()
            await bots.choose("warm", STRONG, view)
            chosen = asyncio.ensure_future(bots.choose("t", STRONG, view))
            os.kill(await once_one_thinks(running), signal.SIGKILL)
            assert await chosen in view.moves()
            assert "bot-failed" in caplog.text and "it ended with code -9" in caplog.text
            caplog.clear()
            assert await bots.choose("t", STRONG, view) in view.moves()
            assert not caplog.records, "the next move comes from a new process"
            bots.close()

    run(work)


def test_a_process_that_hangs_is_ended_and_somebody_modest_moves(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cupboard.server.table.bots._SECONDS_MORE", 0.5)

    async def work() -> None:
        async with pool() as running:
            bots, view = Bots(1.0, jobs=running), looking()
            await bots.choose("warm", STRONG, view)
            chosen = asyncio.ensure_future(bots.choose("t", STRONG, view))
            hung = await once_one_thinks(running)
            os.kill(hung, signal.SIGSTOP)
            assert await chosen in view.moves()
            assert "no answer within" in caplog.text
            assert hung not in pids(running)
            bots.close()

    run(work)


def test_twenty_tables_with_bots_at_once_all_get_their_moves(caplog: pytest.LogCaptureFixture) -> None:
    async def work() -> None:
        async with pool(2) as running:
            bots, view = Bots(4.0, jobs=running), looking("jumping-cups")
            for _ in range(2):
                asked = [asyncio.ensure_future(bots.choose(f"table {n}", STRONG, view)) for n in range(20)]
                await asyncio.sleep(0)
                assert bots.thinking + bots.waiting == 20
                moves: list[Move] = await asyncio.gather(*asked)
                assert all(move in view.moves() for move in moves)
            assert len(pids(running)) == 2 and not caplog.records and bots.waiting == bots.thinking == 0
            bots.close()

    run(work)


def test_the_quick_levels_need_no_process() -> None:
    async def work() -> None:
        async with pool() as running:
            bots = Bots(4.0, jobs=running)
            for name in ("jumping-cups", "chinese-checkers"):
                for level in ("sprout", "random", "greedy"):
                    assert await bots.choose(f"{name} {level}", level, looking(name)) in looking(name).moves()
            assert not pids(running)
            bots.close()

    run(work)


def test_quick_are_all_levels_but_the_strongest_of_every_ladder() -> None:
    for name, seats in (("jumping-cups", 2), ("chinese-checkers", 2), ("double-dutch", 2), ("cup-king", 6)):
        game = load(name, seats)
        levels = levels_of(game)
        assert not is_quick(levels[-1], game) and is_quick(levels[0], game)
        assert sum(is_quick(level, game) for level in levels) >= len(levels) // 2


def test_a_bot_goes_back_to_the_process_that_keeps_it() -> None:
    async def work() -> None:
        async with pool(2) as running:
            lane = running.lane(BOT)
            bots, view = Bots(4.0, jobs=running), looking("jumping-cups")
            await asyncio.gather(*(bots.choose(table, STRONG, view) for table in ("a", "b")))
            kept = dict(lane._places)
            assert len(set(kept.values())) == 2
            for table in "babba":
                await bots.choose(table, STRONG, view)
            assert dict(lane._places) == kept
            bots.close()

    run(work)


def ask(place: str, **more: Any) -> None:
    request = thinking.request_of(looking("jumping-cups"), "sprout", 1.0, place=place, **more)
    answer = msgspec.msgpack.decode(thinking.answer(msgspec.msgpack.encode(request)), type=thinking.ThinkAnswer)
    assert answer.move and not answer.error


def test_a_process_keeps_so_many_bots_and_forgets_those_of_tables_that_are_left() -> None:
    kept = thinking._kept
    for n in range(6):
        ask(f"t{n} 0", most_kept=4)
    assert [place for place, *_ in kept] == ["t2 0", "t3 0", "t4 0", "t5 0"]
    ask("t2 0", most_kept=4, left=("t3 ", "t5 "))
    assert [place for place, *_ in kept] == ["t4 0", "t2 0"]
    ask("", most_kept=4)
    assert [place for place, *_ in kept] == ["t4 0", "t2 0"], "a hint is not kept"
    kept.clear()


@pytest.mark.usefixtures("tumble")
def test_whoever_stops_waiting_leaves_the_queue() -> None:
    game = load("tumble", milliseconds=300)
    position = game.start().play(game.read_move("push-1"))
    slow = msgspec.json.encode(SimulationRequest(game.name, 2, dict(game.options), position.to_json(), seed=1))

    async def work() -> None:
        async with pool() as running:
            await running.run(FLICK, slow, 5)
            asked = [asyncio.ensure_future(running.run(FLICK, slow, 5)) for _ in range(20)]
            await asyncio.sleep(0)
            assert running.waiting(FLICK) == 19
            for one in asked:
                one.cancel()
            await asyncio.wait(asked)
            began = time.monotonic()
            await running.run(FLICK, slow, 5)
            assert time.monotonic() - began < 3, "the one that had begun, not twenty"

    run(work)


def test_a_request_that_is_far_too_long_is_not_sent() -> None:
    async def work() -> None:
        async with pool() as running:
            with pytest.raises(JobFailed, match="a request of"):
                await running.run(BOT, bytes(MOST_REQUEST_BYTES + 1), 1)
            assert not pids(running)

    run(work)
