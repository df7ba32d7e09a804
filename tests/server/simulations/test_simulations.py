"""Nature always has a legal move, whatever becomes of the process that looks for it, and tables take turns."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import time
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from cupboard.core.game import Position
from cupboard.core.registry import load
from cupboard.server.jobs.kinds import FLICK
from cupboard.server.jobs.pool import JobPool
from cupboard.server.settings import ServerSettings
from cupboard.server.simulations.simulations import NatureMove, Simulations

pytestmark = pytest.mark.usefixtures("tumble")
FAILURES = {
    "hang": "no answer within 1 seconds",
    "raise": "ZeroDivisionError: the physics are gone",
    "die": "it ended with code -6",
    "illegal": "'rest-99' is no move here",
    "blank": "'-0' is no move here",
    "garbage": "the answer is to another request",
    "nonsense": "the answer is to another request",
    "stray": "the answer is to another request",
}


def pushed(**options: Any) -> Position[Any]:
    """The position after a push, when nature is to move."""
    game = load("tumble", **options)
    return game.start().play(game.read_move("push-1"))


class OwnSimulations(Simulations):
    """Simulations with a pool of their own."""

    def __init__(self, settings: ServerSettings) -> None:
        self.pool = JobPool(settings)
        super().__init__(settings, self.pool)


@asynccontextmanager
async def simulations(**settings: Any) -> AsyncIterator[OwnSimulations]:
    running = OwnSimulations(ServerSettings(data=Path(), **settings))
    try:
        yield running
    finally:
        await running.pool.close()


async def found(running: Simulations, position: Position[Any], table: str = "t") -> NatureMove:
    nature = await running.find(table, position, lambda: True)
    assert nature is not None
    return nature


def run(work: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(work())  # type: ignore[arg-type]


def process(running: OwnSimulations) -> asyncio.subprocess.Process | None:
    return running.pool.lane(FLICK).children[0]._process


def test_nature_s_move_comes_with_the_motion_that_leads_to_it() -> None:
    async def work() -> None:
        async with simulations() as running:
            assert process(running) is None, "nothing is started before it is needed"
            nature = await found(running, pushed())
            move = str(nature.step.move)
            assert move in {f"rest-{n}" for n in range(1, 7)}
            assert zlib.decompress(nature.motion).decode() == f"how it came to {move}"
            assert nature.step.after == pushed().play(nature.step.move)

    run(work)


def test_every_simulation_has_a_seed_of_its_own() -> None:
    async def work() -> None:
        async with simulations() as running:
            assert len({str((await found(running, pushed())).step.move) for _ in range(40)}) > 2

    run(work)


@pytest.mark.parametrize("mischief", FAILURES)
def test_a_simulation_that_fails_is_replaced_and_one_sentence_says_why(
    mischief: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def work() -> None:
        async with simulations(simulation_seconds=1.0) as running:
            await found(running, pushed())  # the process has started
            began = time.monotonic()
            with caplog.at_level(logging.INFO):
                nature = await found(running, pushed(mischief=mischief), "kT8")
            assert time.monotonic() - began < 1.5
            assert str(nature.step.move) == "rest-0" and nature.motion == b"", "the move itself says that it failed"
            (record,) = caplog.records
            assert FAILURES[mischief] in record.getMessage() and "kT8" in record.getMessage()
            for _ in range(3):
                later = await found(running, pushed())
                assert str(later.step.move) != "rest-0", "the next ones are simulated, and get their own answers"
                assert zlib.decompress(later.motion).decode() == f"how it came to {later.step.move}"

    run(work)


def test_what_a_library_prints_does_not_come_between_the_answers() -> None:
    async def work() -> None:
        async with simulations() as running:
            for _ in range(2):
                assert (await found(running, pushed(mischief="babble"))).motion

    run(work)


def test_a_motion_that_is_too_long_is_not_kept_but_the_move_is(caplog: pytest.LogCaptureFixture) -> None:
    async def work() -> None:
        async with simulations() as running:
            nature = await found(running, pushed(mischief="huge"))
            assert str(nature.step.move) != "rest-0" and nature.motion == b""

    run(work)
    assert "motion-too-long table=t game=tumble bytes=70000" in caplog.text


def test_tables_are_served_in_the_order_in_which_they_came() -> None:
    async def work() -> None:
        async with simulations() as running:
            done: list[int] = []

            async def ask(n: int) -> None:
                await found(running, pushed(milliseconds=20), str(n))
                done.append(n)

            await asyncio.gather(*(ask(n) for n in range(10)))
            assert done == list(range(10))

    run(work)


def test_two_processes_simulate_at_once_where_the_settings_say_so() -> None:
    async def work() -> None:
        async with simulations(simulation_processes=2) as running:
            await asyncio.gather(*(found(running, pushed(milliseconds=200)) for _ in range(2)))
            began = time.monotonic()
            await asyncio.gather(*(found(running, pushed(milliseconds=500)) for _ in range(2)))
            assert time.monotonic() - began < 0.9

    run(work)


def test_who_has_waited_too_long_gets_a_move_without_a_simulation(caplog: pytest.LogCaptureFixture) -> None:
    async def work() -> None:
        async with simulations(simulation_wait=0.2) as running:
            await found(running, pushed())
            first = asyncio.create_task(found(running, pushed(milliseconds=800)))
            await asyncio.sleep(0.05)
            began = time.monotonic()
            late = await found(running, pushed(), "late")
            assert str(late.step.move) == "rest-0" and time.monotonic() - began < 0.4
            assert str((await first).step.move) != "rest-0", "the one before is not disturbed"
            assert str((await found(running, pushed())).step.move) != "rest-0"

    run(work)
    assert caplog.text.count("its turn did not come within 0.2 seconds") == 1


def test_what_is_wanted_no_more_when_its_turn_comes_is_not_simulated() -> None:
    async def work() -> None:
        async with simulations() as running:
            assert await running.find("t", pushed(), lambda: False) is None
            assert process(running) is None
            assert (await found(running, pushed())).motion, "the turn was given back"

    run(work)


def test_whoever_stops_waiting_leaves_no_answer_for_the_next() -> None:
    async def work() -> None:
        async with simulations() as running:
            await found(running, pushed())
            for _ in range(3):
                gone = asyncio.create_task(found(running, pushed(milliseconds=300)))
                await asyncio.sleep(0.05)
                gone.cancel()
                nature = await found(running, pushed())
                assert zlib.decompress(nature.motion).decode() == f"how it came to {nature.step.move}"

    run(work)


def test_a_process_that_died_while_nobody_needed_it_is_replaced() -> None:
    async def work() -> None:
        async with simulations() as running:
            await found(running, pushed())
            first = process(running)
            assert first is not None
            os.kill(first.pid, signal.SIGKILL)
            await first.wait()
            assert (await found(running, pushed())).motion
            assert process(running) is not first

    run(work)


def test_a_process_killed_in_the_middle_costs_one_simulation(caplog: pytest.LogCaptureFixture) -> None:
    async def work() -> None:
        async with simulations() as running:
            await found(running, pushed())
            asked = asyncio.create_task(found(running, pushed(milliseconds=2000)))
            await asyncio.sleep(0.1)
            victim = process(running)
            assert victim is not None
            os.kill(victim.pid, signal.SIGKILL)
            assert str((await asked).step.move) == "rest-0"
            assert (await found(running, pushed())).motion

    run(work)
    assert "it ended with code -9" in caplog.text


def test_the_process_ends_when_it_is_not_needed_and_starts_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cupboard.server.child_process._IDLE_SECONDS", 0.05)

    async def work() -> None:
        async with simulations() as running:
            for _ in range(2):
                assert (await found(running, pushed())).motion
                idle = process(running)
                assert idle is not None
                await asyncio.wait_for(idle.wait(), 5)

    run(work)


def test_it_gives_way_to_the_players_and_ctrl_c_is_not_for_it() -> None:
    async def work() -> None:
        async with simulations() as running:
            await found(running, pushed())
            child = process(running)
            assert child is not None
            assert os.getpriority(os.PRIO_PROCESS, child.pid) == min(19, os.getpriority(os.PRIO_PROCESS, 0) + 10)
            assert os.getsid(child.pid) == child.pid != os.getsid(0)

    run(work)
