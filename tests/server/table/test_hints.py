"""Hints: one at a time for a seat, none for those who have gone, and never in the way of bots or moves."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.server.helpers import Household, Server, SocketPlayer, lay
from websockets.exceptions import ConnectionClosed

from cupboard.core.game import Move
from cupboard.core.registry import load
from cupboard.server.errors import HintPending, TooMany
from cupboard.server.jobs.pool import JobPool
from cupboard.server.settings import ServerSettings
from cupboard.server.table import hints
from cupboard.server.table.hints import Hints

ENDLESS = "chinese-checkers"
"""A game whose best player takes its whole time."""


async def time_of_a_bot(server: Server, made: dict[str, Any]) -> float:
    """Move once, and wait for the bot's move."""
    player = await SocketPlayer.sit(server.port, made["table"]["id"], made["keys"][0]["token"])
    assert await player.until_asked()
    began = time.monotonic()
    await player.move(player.update["moves"][0]["text"])
    assert await player.until_asked()
    took = time.monotonic() - began
    await player.close()
    return took


async def a_hint(server: Server, made: dict[str, Any]) -> None:
    """Ask for a hint, and wait for it."""
    player = await SocketPlayer.sit(server.port, made["table"]["id"], made["keys"][0]["token"])
    assert (await player.say(type="hint"))["type"] == "hint"
    await player.close()


async def beg(server: Server, made: dict[str, Any], times: int) -> list[str]:
    """Ask for hints, again and again, without waiting; what came back."""
    player = await SocketPlayer.sit(server.port, made["table"]["id"], made["keys"][0]["token"])
    heard = []
    with suppress(ConnectionClosed, TimeoutError):
        for n in range(times):
            await player.send(type="hint", id=n)
        while True:
            got = await asyncio.wait_for(player.receive(), 1.5)
            if got["type"] in ("hint", "refused"):
                heard.append(got.get("code", got["type"]))
    await player.close()
    return heard


@pytest.mark.quiet
def test_180_hints_do_not_make_another_tables_bot_wait(server: Server, http: httpx.Client) -> None:
    tables = [lay(http, ENDLESS, "me", "bot:greedy") for _ in range(2)]
    begged = lay(http, ENDLESS, "me", "me")

    async def run() -> tuple[float, float, list[str]]:
        await a_hint(server, begged)  # the process has started
        usual = await time_of_a_bot(server, tables[0])
        beggars = [asyncio.create_task(beg(server, begged, 23)) for _ in range(8)]
        await asyncio.sleep(0.1)
        beside = await time_of_a_bot(server, tables[1])
        return usual, beside, [code for heard in await asyncio.gather(*beggars) for code in heard]

    usual, beside, heard = asyncio.run(run())
    assert beside < usual + 1.0
    # One at a time: a slow machine may finish one while the last are still being asked for.
    assert 1 <= heard.count("hint") <= 3 and heard.count("hint-pending") > 50


def test_a_move_does_not_wait_for_a_hint_and_the_next_hint_replaces_the_last(
    server: Server, http: httpx.Client
) -> None:
    made = lay(http, ENDLESS, "me", "me")

    async def run() -> None:
        player = await SocketPlayer.sit(server.port, made["table"]["id"], *(key["token"] for key in made["keys"]))
        await player.send(type="hint", id=1000)
        first = player.update["moves"][0]["text"]
        assert (await player.move(first))["type"] == "update"
        assert not [got for got in player.others if got["type"] == "hint"], "the move was made while a bot thought"
        await player.send(type="hint", id=1001)  # now for the other seat
        answers: dict[int, dict[str, Any]] = {}
        while len(answers) < 2:
            got = await player.receive()
            if got.get("id") in (1000, 1001):
                answers[got["id"]] = got
        assert answers[1001]["type"] == "hint" and answers[1001]["seat"] == 1
        assert answers[1001]["version"] == player.version
        await player.close()

    asyncio.run(run())


async def answer_or_none(player: SocketPlayer) -> str:
    """Ask for a hint and leave, unless it is refused at once: with which code."""
    await player.send(type="hint", id=1)
    await player.send(type="ping", id=2)
    while (got := await player.receive()).get("id") not in (1, 2):
        pass
    await player.close()
    return str(got.get("code", ""))


def test_hints_are_limited_by_person(server: Server, http: httpx.Client) -> None:
    tables = [lay(http, "jumping-cups", "me", "me", options={"starter": "red"}) for _ in range(14)]
    cookie = http.cookies["cupboard"]

    async def run() -> None:
        players = [await SocketPlayer.sit(server.port, made["table"]["id"], cookie=cookie) for made in tables]
        heard = [await answer_or_none(player) for player in players]
        assert heard[:10] == [""] * 10 and heard[-1] == "too-many"
        friend = await SocketPlayer.sit(server.port, tables[0]["table"]["id"], tables[0]["keys"][0]["token"])
        assert await answer_or_none(friend) == "", "a friend with a link at the same address"

    asyncio.run(run())


def test_hints_are_limited_by_address(server: Server, http: httpx.Client) -> None:
    tables = [lay(http, "jumping-cups", "me", "me", options={"starter": "red"}) for _ in range(8)]

    async def ask(n: int) -> str:
        made = tables[n % len(tables)]
        return await answer_or_none(await SocketPlayer.sit(server.port, made["table"]["id"], made["keys"][0]["token"]))

    async def run() -> None:
        heard = [await ask(n) for n in range(72)]
        assert heard[:60] == [""] * 60 and "too-many" in heard[60:]
        Household.move()
        assert await ask(0) == "", "another address"

    asyncio.run(run())


# The queue.


class OwnHints(Hints):
    """Hints with a pool of their own."""

    def __init__(self, seconds: float) -> None:
        self.pool = JobPool(ServerSettings(data=Path()))
        super().__init__(seconds, self.pool)


def test_a_seat_has_one_hint_in_a_position() -> None:
    async def run() -> None:
        queue, view = OwnHints(1.0), load(ENDLESS, 2).start().seen_by(0)
        first = queue.ask("table", 0, 1, view)
        with pytest.raises(HintPending):
            queue.ask("table", 0, 1, view)
        other = queue.ask("table", 1, 1, view)
        later = queue.ask("table", 0, 2, view)
        await asyncio.sleep(0)
        assert first.answer.cancelled()
        assert isinstance(await later.answer, Move) and isinstance(await other.answer, Move)
        await asyncio.sleep(0)
        assert not queue._pending
        queue.close()
        await queue.pool.close()

    asyncio.run(run())


def test_hints_of_those_who_have_gone_are_dropped_and_a_running_search_ends() -> None:
    async def run() -> None:
        queue, view = OwnHints(10.0), load(ENDLESS, 2).start().seen_by(0)
        await queue.ask("warm", 0, 0, view).answer
        waiting = [queue.ask(f"table {n}", 0, 1, view) for n in range(hints._MOST_PENDING)]
        with pytest.raises(TooMany):
            queue.ask("one more", 0, 1, view)
        await asyncio.sleep(0.1)
        for pending in waiting:
            pending.cancel()
        await asyncio.wait([pending.answer for pending in waiting])
        began = time.monotonic()
        assert isinstance(await queue.ask("next", 0, 1, view).answer, Move)
        assert time.monotonic() - began < 3, "about one search, not thirty"
        queue.close()
        await queue.pool.close()

    asyncio.run(run())


@pytest.mark.quiet
def test_a_hint_is_dropped_when_its_asker_hangs_up(server: Server, http: httpx.Client) -> None:
    crowd = [lay(http, ENDLESS, "me", "me") for _ in range(24)]

    async def run() -> float:
        gone = [
            await SocketPlayer.sit(server.port, made["table"]["id"], made["keys"][0]["token"]) for made in crowd[1:]
        ]
        for player in gone:
            await player.send(type="hint")
        await asyncio.sleep(0.2)
        for player in gone:
            await player.close()
        Household.move()
        patient = await SocketPlayer.sit(server.port, crowd[0]["table"]["id"], crowd[0]["keys"][0]["token"])
        began = time.monotonic()
        assert (await patient.say(type="hint"))["type"] == "hint"
        await patient.close()
        return time.monotonic() - began

    assert asyncio.run(run()) < 4, "23 hints before it would take nine seconds in two threads"
