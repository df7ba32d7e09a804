"""Simulations in a real server: killed between move and answer, with busy processes, and with rude clients."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.server.helpers import Household, Server, SocketPlayer, browser, lay, serving, wait_for
from websockets.exceptions import ConnectionClosed

pytestmark = pytest.mark.usefixtures("tumble")
MOST_DELAY = 0.05


@pytest.fixture
def tumbling(tumble: None, tmp_path: Path) -> Iterator[Server]:
    with serving(tmp_path) as server:
        yield server


def new_table(server: Server, game: str = "tumble", *kinds: str, **options: Any) -> dict[str, Any]:
    with browser(server.url) as http:
        return lay(http, game, *(kinds or ("me", "me")), options=options)


async def sit(server: Server, made: dict[str, Any], version: int = 0) -> SocketPlayer:
    tokens = [key["token"] for key in made["keys"]]
    return await SocketPlayer.sit(server.port, made["table"]["id"], *tokens, version=version)


def log_of(server: Server, made: dict[str, Any]) -> list[str]:
    """The moves in the table's log, as another client reads them."""
    with browser(server.url) as http:
        events = http.get(f"/api/tables/{made['table']['id']}/events").json()
    return [event["text"] for event in events if event["kind"] == "move"]


def children(server: Server) -> list[int]:
    listed = Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children")
    return [int(pid) for pid in listed.read_text().split()]


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_a_move_is_acknowledged_at_once_and_nature_answers_later(tumbling: Server) -> None:
    made = new_table(tumbling, milliseconds=500)

    async def play() -> None:
        player = await sit(tumbling, made)
        asked = time.monotonic()
        answer = await player.move("push-1")
        assert time.monotonic() - asked < 0.4
        assert answer["type"] == "update" and [event["text"] for event in answer["events"]] == ["push-1"]
        assert answer.get("asked", []) == [] and "moves" not in answer
        settled = await player.until("update")
        assert [event["text"][:4] for event in settled["events"]] == ["rest", "coin"] and settled["asked"] == [1]
        await player.close()

    asyncio.run(play())


@pytest.mark.parametrize("opens", ["socket", "log"])
def test_a_server_killed_between_move_and_answer_decides_once_after_the_restart(tumbling: Server, opens: str) -> None:
    made = new_table(tumbling, milliseconds=1500)

    async def push() -> None:
        player = await sit(tumbling, made)
        assert (await player.move("push-2"))["type"] == "update"
        await asyncio.sleep(0.5)  # the simulation is under way
        (worker,) = children(tumbling)
        tumbling.kill()
        wait_for(lambda: not is_alive(worker))
        with contextlib.suppress(ConnectionClosed):
            await player.close()

    async def look() -> list[str]:
        again = await sit(tumbling, made)
        assert [event["text"] for event in again.events if event["kind"] == "move"] == ["push-2"]
        await again.until_asked()
        await again.close()
        return [event["text"] for event in again.events if event["kind"] == "move"]

    asyncio.run(push())
    tumbling.start()
    if opens == "socket":
        first = asyncio.run(look())
    else:
        assert log_of(tumbling, made) == ["push-2"]  # a request is enough to go on
        wait_for(lambda: len(log_of(tumbling, made)) == 3)
        first = log_of(tumbling, made)
    assert [text[:4] for text in first] == ["push", "rest", "coin"] and first[1] != "rest-0"
    time.sleep(0.3)
    assert log_of(tumbling, made) == first, "it was decided exactly once"
    tumbling.kill()
    tumbling.start()
    assert log_of(tumbling, made) == first, "and for good"


def test_a_worker_killed_in_the_middle_is_said_at_the_table_and_replaced(tumbling: Server) -> None:
    made = new_table(tumbling, milliseconds=1000)

    async def play() -> None:
        player = await sit(tumbling, made)
        await player.move("push-0")
        await asyncio.sleep(0.6)
        (worker,) = children(tumbling)
        os.kill(worker, signal.SIGKILL)
        await player.until_asked()
        assert player.events[-2]["text"] == "rest-0" and not player.events[-2].get("motion")
        await player.move("push-0")
        await player.until_asked()
        assert player.events[-2]["text"] != "rest-0" and player.events[-2]["motion"]
        await player.close()

    asyncio.run(play())


@pytest.mark.parametrize("end", ["stop", "kill"])
def test_the_worker_ends_with_the_server_and_nothing_is_decided_by_that(tumbling: Server, end: str) -> None:
    made = new_table(tumbling, milliseconds=1500)

    async def push() -> None:
        player = await sit(tumbling, made)
        await player.move("push-0")
        await asyncio.sleep(0.6)
        (worker,) = children(tumbling)
        if end == "kill":
            tumbling.kill()
        else:
            assert tumbling.stop() == 0
        wait_for(lambda: not is_alive(worker))
        with contextlib.suppress(ConnectionClosed):
            await player.close()

    asyncio.run(push())
    tumbling.start()
    assert log_of(tumbling, made) == ["push-0"], "a server that stops does not pass for a simulation that failed"
    wait_for(lambda: len(log_of(tumbling, made)) == 3)
    assert log_of(tumbling, made)[1] != "rest-0"


def test_a_simulation_that_hangs_is_given_up_within_the_time_limit(tmp_path: Path) -> None:
    with serving(tmp_path, simulation_seconds=1.0) as server:
        made = new_table(server, mischief="hang")

        async def play() -> None:
            player = await sit(server, made)
            asked = time.monotonic()
            await player.move("push-0")
            await player.until_asked()
            assert time.monotonic() - asked < 3
            assert player.events[-2]["text"] == "rest-0" and player.update["asked"] == [1]
            await player.close()

        asyncio.run(play())


def test_two_servers_on_one_database_agree(tmp_path: Path) -> None:
    with serving(tmp_path) as one, serving(tmp_path) as two:
        made = new_table(one, milliseconds=150, pushes=6)
        red, blue = (key["token"] for key in made["keys"])

        async def play() -> None:
            here = await SocketPlayer.sit(one.port, made["table"]["id"], red)
            there = await SocketPlayer.sit(two.port, made["table"]["id"], blue)
            for n in range(6):
                mover, other = (here, there) if n % 2 == 0 else (there, here)
                await mover.until_asked()
                assert (await mover.move("push-1"))["type"] == "update"
                await asyncio.sleep(0)
                while other.version < mover.version or not (other.update.get("asked") or other.update.get("outcome")):
                    await other.until("update")
                while mover.version < other.version:
                    await mover.until("update")
            assert here.events == there.events
            texts = [event["text"] for event in here.events if event["kind"] == "move"]
            assert [text[:4] for text in texts] == ["push", "rest", "coin"] * 6 and "rest-0" not in texts
            for player in (here, there):
                await player.close()

        asyncio.run(play())
        for server in (one, two):
            with browser(server.url) as http:
                log = http.get(f"/api/tables/{made['table']['id']}/events").json()
                for event in log:
                    if event.get("motion"):
                        motion = http.get(f"/api/tables/{made['table']['id']}/motions/{event['n']}")
                        assert motion.text == f"how it came to {event['text']}"


async def quick_moves(server: Server, made: dict[str, Any], seconds: float) -> list[float]:
    """How long each move at a table of people takes, made one after the other for so many seconds."""
    waits: list[float] = []
    rng = Random(1)
    end = time.monotonic() + seconds
    player = await sit(server, made)
    while time.monotonic() < end and await player.until_asked():
        moves = player.update["moves"]
        text = rng.choice([move for move in moves if not move.get("warning")] or moves)["text"]
        asked = time.perf_counter()
        assert (await player.move(text))["type"] == "update"
        waits.append(time.perf_counter() - asked)
        await asyncio.sleep(0.055)  # a pace that the limits allow
    await player.close()
    return waits


@pytest.mark.quiet
def test_ten_queued_simulations_do_not_delay_moves_at_other_tables(tumbling: Server) -> None:
    def attempt() -> float:
        Household.move()
        others = [new_table(tumbling, "chinese-checkers") for _ in range(4)]
        tables = [new_table(tumbling, mischief="busy", milliseconds=400) for _ in range(10)]

        async def go() -> float:
            players = [await sit(tumbling, made) for made in tables]
            await asyncio.gather(*(player.move("push-1") for player in players))
            played = await asyncio.gather(*(quick_moves(tumbling, other, 3.5) for other in others))
            waits = sorted(wait for table in played for wait in table)
            assert len(waits) > 150, "p99 is not merely the slowest"
            assert not all(len(player.events) > 4 for player in players), "there was a queue all the time"
            for player in players:
                await player.until_asked()
                assert player.events[-2]["text"] != "rest-0", "each waited for its turn"
                await player.close()
            return waits[len(waits) * 99 // 100]

        return asyncio.run(go())

    # A busy machine may be late by itself: one attempt of three must be in time.
    late = [attempt()]
    while min(late) > MOST_DELAY and len(late) < 3:
        late.append(attempt())
    assert min(late) < MOST_DELAY, late


def test_a_client_that_sends_a_thousand_moves_meanwhile_gains_nothing(tumbling: Server) -> None:
    made = new_table(tumbling, milliseconds=1500)
    other = new_table(tumbling, "jumping-cups", starter="red")

    async def go() -> None:
        player = await sit(tumbling, made)
        await player.move("push-1")
        with contextlib.suppress(ConnectionClosed):
            for n in range(1000):
                text = ("push-0", "rest-6", "coin-1", "*:rest-6", "A:rest-1")[n % 5]
                await player.send(type="move", text=text, version=player.version, seat=n % 2)
        assert len(await quick_moves(tumbling, other, 3.0)) >= 5, "another table goes on"
        player.socket.transport.abort()  # it has hundreds of refusals to read before it could close

    asyncio.run(go())
    wait_for(lambda: len(log_of(tumbling, made)) == 3)
    texts = log_of(tumbling, made)
    assert [text[:4] for text in texts] == ["push", "rest", "coin"] and texts[0] == "push-1"


def test_a_client_may_leave_while_its_move_is_simulated(tumbling: Server) -> None:
    tables = [new_table(tumbling, milliseconds=100) for _ in range(5)]

    async def go() -> None:
        for made in tables:
            player = await sit(tumbling, made)
            await player.send(type="move", text="push-1", version=player.version)
            player.socket.transport.abort()

    asyncio.run(go())
    for made in tables:
        wait_for(lambda made=made: len(log_of(tumbling, made)) in (0, 3))
    assert children(tumbling), "one process for all of them"
    assert len(children(tumbling)) == 1
