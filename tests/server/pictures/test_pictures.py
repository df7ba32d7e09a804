"""Pictures cost the players at other tables nothing, whoever asks for them and however often."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.server.helpers import Household, Server, SocketPlayer, browser, lay, serving, wait_for

from cupboard.server.errors import Busy, TooMany
from cupboard.server.jobs.kinds import PICTURE
from cupboard.server.jobs.pool import JobPool
from cupboard.server.pictures.gallery import Gallery
from cupboard.server.pictures.jobs import JobQueue
from cupboard.server.pictures.painter import Painter
from cupboard.server.settings import ServerSettings

PNG = b"\x89PNG\r\n"
SQUARE = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>'
MOST_DELAY = 0.05


def hang_up(server: Server, paths: list[str]) -> None:
    """Ask for everything at once and go without waiting for any of it."""
    sockets = []
    for path in paths:
        asking = socket.create_connection(("127.0.0.1", server.port), source_address=(Household.address, 0))
        asking.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode())
        sockets.append(asking)
    for asking in sockets:
        asking.close()


async def worst_ping(player: SocketPlayer, seconds: float) -> float:
    """The slowest answer within so many seconds, at a pace that the limits allow."""
    worst, end = 0.0, time.monotonic() + seconds
    while time.monotonic() < end:
        asked = time.perf_counter()
        assert (await player.say(type="ping"))["type"] == "pong"
        worst = max(worst, time.perf_counter() - asked)
        await asyncio.sleep(0.06)
    return worst


@pytest.mark.quiet
@pytest.mark.parametrize("query", ["", "&theme=dark&version={n}"], ids=["one picture", "forty pictures"])
def test_forty_pictures_asked_for_and_hung_up_delay_no_other_table(
    server: Server, http: httpx.Client, query: str
) -> None:
    star = lay(http, "chinese-checkers", "me", "me")
    other = lay(http, "jumping-cups", "me", "me")
    picture = f"/api/tables/{star['table']['id']}/picture.png"
    assert http.get(picture).content.startswith(PNG), "the process that draws has started"
    languages = ("en", "de")

    async def attempt(n: int) -> float:
        player = await SocketPlayer.sit(server.port, other["table"]["id"], other["keys"][0]["token"])
        pinging = asyncio.create_task(worst_ping(player, 2.5))
        await asyncio.sleep(0.2)
        paths = [f"{picture}?language={languages[i % 2]}" + query.format(n=i // 2 % 3) for i in range(40)]
        await asyncio.to_thread(hang_up, server, paths)
        worst = await pinging
        await player.close()
        return worst

    # A busy machine may be late by itself: one attempt of three must be in time.
    worst = [asyncio.run(attempt(n)) for n in range(1)]
    while min(worst) > MOST_DELAY and len(worst) < 3:
        worst.append(asyncio.run(attempt(len(worst))))
    assert min(worst) < MOST_DELAY, worst
    with browser(server.url) as later:
        asked = time.monotonic()
        assert later.get(f"{picture}?theme=dark").content.startswith(PNG)
        assert time.monotonic() - asked < 12, "nobody waits for pictures that nobody wants any more"


@pytest.mark.quiet
def test_a_long_game_is_drawn_without_holding_up_others(server: Server, http: httpx.Client) -> None:
    """Replaying hundreds of moves takes the interpreter lock: one thread draws, so that it is bounded."""
    made = lay(http, "chinese-checkers", "bot:random", "bot:random")
    other = lay(http, "jumping-cups", "me", "me")
    address = f"/api/tables/{made['table']['id']}"

    async def watch() -> None:
        watcher = await SocketPlayer.sit(server.port, made["table"]["id"])  # bots play when somebody looks on
        while watcher.version < 150:
            await watcher.until("update")
        await watcher.close()

    async def attempt() -> float:
        player = await SocketPlayer.sit(server.port, other["table"]["id"], other["keys"][0]["token"])
        pinging = asyncio.create_task(worst_ping(player, 1.5))
        await asyncio.sleep(0.2)
        paths = [f"{address}/scenes?since={n}" for n in range(15)]
        paths += [f"{address}/picture.svg?version={140 - n}" for n in range(15)]
        await asyncio.to_thread(hang_up, server, paths)
        worst = await pinging
        await player.close()
        return worst

    asyncio.run(watch())
    worst = [asyncio.run(attempt())]
    while min(worst) > MOST_DELAY and len(worst) < 4:
        worst.append(asyncio.run(attempt()))
    assert min(worst) < MOST_DELAY, worst


def test_the_same_picture_is_drawn_once(server: Server, http: httpx.Client) -> None:
    made = lay(http, "chinese-checkers", "me", "me")
    picture = f"/api/tables/{made['table']['id']}/picture.png"
    first = http.get(picture).content
    begun = time.monotonic()
    assert all(http.get(picture).content == first for _ in range(10))
    assert time.monotonic() - begun < 1, "ten more came from memory"
    svg = http.get(f"/api/tables/{made['table']['id']}/picture.svg").text
    assert svg.startswith("<svg") and first.startswith(PNG)


def drawers(server: Server) -> list[int]:
    """The processes that the server has started."""
    children = Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children")
    return [int(pid) for pid in children.read_text().split()]


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.parametrize("end", ["stop", "kill"])
def test_the_process_that_draws_comes_back_when_it_dies_and_ends_with_the_server(tmp_path: Path, end: str) -> None:
    with serving(tmp_path) as server, browser(server.url) as http:
        made = lay(http, "jumping-cups", "me", "me")
        picture = f"/api/tables/{made['table']['id']}/picture.png"
        assert drawers(server) == [], "nobody has asked for a picture yet"
        assert http.get(picture).content.startswith(PNG)
        (first,) = drawers(server)
        os.kill(first, signal.SIGKILL)
        wait_for(lambda: not is_alive(first))
        assert http.get(f"{picture}?theme=dark").content.startswith(PNG)
        (second,) = drawers(server)
        memory = Path(f"/proc/{second}/status").read_text().split("VmRSS:")[1].split()[0]
        assert int(memory) < 80_000, "it has loaded no game and no compiler"
        server.kill() if end == "kill" else server.stop()
        wait_for(lambda: not is_alive(second))
        server.start()


# The queue by itself.


def run(work: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(work())  # type: ignore[arg-type]


class Easel:
    """Jobs that last until they are told to end, and a list of those that were begun."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.gate = asyncio.Semaphore(0)

    def job(self, name: str) -> Callable[[], Awaitable[str]]:
        async def work() -> str:
            self.begun.append(name)
            await self.gate.acquire()
            return name.upper()

        return work


def test_a_lane_does_one_thing_at_a_time_in_order() -> None:
    async def work() -> None:
        queue, easel = JobQueue[str](10, 10), Easel()
        asked = [asyncio.create_task(queue.ask(name, "me", easel.job(name))) for name in "abc"]
        await asyncio.sleep(0.01)
        assert easel.begun == ["a"]
        for _ in range(3):
            easel.gate.release()
        assert await asyncio.gather(*asked) == ["A", "B", "C"] and easel.begun == ["a", "b", "c"]

    run(work)


def test_who_asks_for_the_same_shares_it() -> None:
    async def work() -> None:
        queue, easel = JobQueue[str](10, 10), Easel()
        asked = [asyncio.create_task(queue.ask("a", f"asker {n}", easel.job("a"))) for n in range(5)]
        await asyncio.sleep(0.01)
        asked[0].cancel()  # the first to ask is gone; the others still want it
        easel.gate.release()
        assert await asyncio.gather(*asked[1:]) == ["A"] * 4 and easel.begun == ["a"]

    run(work)


def test_what_nobody_waits_for_any_more_is_not_begun() -> None:
    async def work() -> None:
        queue, easel = JobQueue[str](3, 3), Easel()
        asked = [asyncio.create_task(queue.ask(name, "me", easel.job(name))) for name in "abc"]
        await asyncio.sleep(0.01)
        asked[1].cancel()
        await asyncio.sleep(0.01)
        again = asyncio.create_task(queue.ask("d", "me", easel.job("d")))  # there is room again
        await asyncio.sleep(0.01)
        for _ in range(3):
            easel.gate.release()
        assert await asyncio.gather(*[asked[0], asked[2], again]) == ["A", "C", "D"]
        assert easel.begun == ["a", "c", "d"]

    run(work)


def test_the_queue_is_bounded_for_all_and_for_each() -> None:
    async def work() -> None:
        queue, easel = JobQueue[str](3, 2), Easel()
        asked = [asyncio.create_task(queue.ask(name, "me", easel.job(name))) for name in "ab"]
        await asyncio.sleep(0.01)
        with pytest.raises(TooMany):
            await queue.ask("c", "me", easel.job("c"))
        asked.append(asyncio.create_task(queue.ask("d", "you", easel.job("d"))))
        await asyncio.sleep(0.01)
        with pytest.raises(Busy):
            await queue.ask("e", "they", easel.job("e"))
        for _ in range(3):
            easel.gate.release()
        assert await asyncio.gather(*asked) == ["A", "B", "D"]

    run(work)


def test_a_job_that_fails_tells_its_askers_and_does_not_stop_the_lane() -> None:
    async def work() -> None:
        queue, easel = JobQueue[str](3, 3), Easel()

        async def fail() -> str:
            raise ValueError("no paint")

        easel.gate.release()
        failing = asyncio.create_task(queue.ask("a", "me", fail))
        assert await queue.ask("b", "me", easel.job("b")) == "B"
        with pytest.raises(ValueError, match="no paint"):
            await failing

    run(work)


def test_what_cannot_be_drawn_is_refused_with_a_sentence() -> None:
    async def work() -> None:
        pool = JobPool(ServerSettings(data=Path()))
        painter = Painter(pool)
        with pytest.raises(Busy, match="cannot be drawn"):
            await painter.paint("this is no picture")
        assert (await painter.paint(SQUARE)).startswith(PNG), "the next one is"
        await pool.close()

    run(work)


def test_the_process_ends_when_nobody_wants_pictures_and_starts_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cupboard.server.child_process._IDLE_SECONDS", 0.05)

    async def work() -> None:
        pool = JobPool(ServerSettings(data=Path()))
        painter = Painter(pool)
        for _ in range(2):
            assert (await painter.paint(SQUARE)).startswith(PNG)
            process = pool.lane(PICTURE).children[0]._process
            assert process is not None
            await asyncio.wait_for(process.wait(), 5)
        await pool.close()

    run(work)


def test_the_kept_pictures_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    size = 0

    async def work() -> None:
        nonlocal size
        pool, drawn = JobPool(ServerSettings(data=Path())), list[str]()
        gallery = Gallery(pool)

        def draw(name: str) -> Callable[[], str]:
            def now() -> str:
                drawn.append(name)
                return SQUARE

            return now

        size = len(await gallery.png("a", "me", draw("a")))
        monkeypatch.setattr("cupboard.server.pictures.gallery._MOST_BYTES", 2 * size)
        for name in "babcbca":  # a is the oldest when c comes
            await gallery.png(name, "me", draw(name))
        assert drawn == ["a", "b", "c", "a"]
        gallery.close()
        await pool.close()

    run(work)


def test_a_seat_s_picture_is_not_kept_for_another(server: Server, http: httpx.Client) -> None:
    """In Cup King each sees its own hand: what was drawn for one seat is never shown to another or to a watcher."""
    made = lay(http, "cup-king", "me", "me")
    address = f"/api/tables/{made['table']['id']}/picture.png"
    with browser(server.url) as stranger:
        seen: list[Any] = [stranger.get(address).content]
        seen += [stranger.get(address, headers={"x-seat-token": key["token"]}).content for key in made["keys"]]
        assert all(picture.startswith(PNG) for picture in seen)
        assert len(set(seen)) == 3
        assert stranger.get(address).content == seen[0]
