"""Games are got ready while the server runs: what is wanted comes first, and what fails keeps nobody waiting."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import wraps
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from tests.server.helpers import SocketPlayer, browser, lay, serving
from tests.server.inside import house, seated, until

from cupboard.core.registry import load, names
from cupboard.core.words import Words
from cupboard.server.child_process import ChildFailed
from cupboard.server.errors import GettingReady
from cupboard.server.readiness import readiness as module
from cupboard.server.readiness.compiling import answer
from cupboard.server.readiness.parts import Part, all_parts, before, levels_with, parts_of
from cupboard.server.readiness.readiness import Readiness
from cupboard.server.settings import ServerSettings
from cupboard.server.table import moves
from cupboard.server.table.bots import DEFAULT
from cupboard.server.wire.tables import NewTable, SeatPlan

Test = Callable[..., Awaitable[None]]
CUPS, KING, SEARCH = "jumping-cups", "cup-king", Part("", "alphabeta")


def looped(test: Test) -> Callable[..., None]:
    @wraps(test)
    def run(*args: Any, **kwargs: Any) -> None:
        asyncio.run(test(*args, **kwargs))  # type: ignore[arg-type]

    return run


# Which parts there are.


def test_a_game_needs_its_rules_first_then_its_gentle_bots_and_then_the_strong_ones() -> None:
    assert [part.what for part in parts_of("double-dutch")] == ["rules", "alphabeta", "alphabeta", "oracle"]
    assert [part.what for part in parts_of(KING) if part.game] == ["rules", "sensible", "ismcts"]


def test_every_part_is_planned_once_and_after_what_it_would_compile_too() -> None:
    plan = all_parts(names())
    assert len(set(plan)) == len(plan) and {part.game for part in plan} == {*names(), ""}
    assert all(plan.index(other) < plan.index(part) for part in plan for other in before(part))


def test_the_first_game_can_be_played_before_the_rules_of_the_last_are_compiled() -> None:
    plan = all_parts(names())
    first = plan[0].game
    gentle = next(part for part in plan if part.game == first and not part.is_rules)
    rules = [part for part in plan if part.is_rules]
    assert plan.index(gentle) < plan.index(rules[1]) and rules[-1].game == KING, "which takes longest"


def test_a_level_can_play_when_its_kind_of_player_is_there() -> None:
    gentle = levels_with("double-dutch", [Part("double-dutch", "alphabeta")])
    assert gentle[0] == "sprout" and "redwood" in gentle and "sequoia" not in gentle, "who asks the solver"
    assert levels_with("double-dutch", [Part(CUPS, "alphabeta"), Part("double-dutch", "rules")]) == ()


def test_loading_all_parts_of_a_game_leaves_nothing_for_its_players_to_load() -> None:
    for part in parts_of(CUPS):
        assert answer(msgspec.json.encode(part)) == b""


def test_a_process_says_what_it_cannot_compile() -> None:
    assert answer(msgspec.json.encode(Part("ludo", "rules"))).startswith(b"UnknownGame: There is no game called 'ludo'")


# Getting them ready.


class Workshop:
    """Stands in for the compiler: what is kept, what is loaded, and processes that compile when they are let."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.kept: set[Part] = set()
        self.loaded: list[Part] = []
        self.asked: list[Part] = []
        self.here: list[Part] = []
        """What the server compiled itself."""
        self.let = asyncio.Semaphore(0)
        self.fail: str | None = None
        self.keeps = True
        workshop = self

        async def ask(_: object, request: bytes, seconds: float) -> bytes:
            part = msgspec.json.decode(request, type=Part)
            workshop.asked.append(part)
            await workshop.let.acquire()
            if workshop.fail is not None:
                raise ChildFailed(workshop.fail)
            if workshop.keeps:
                workshop.kept.add(part)
            return b""

        monkeypatch.setattr("cupboard.server.child_process.ChildProcess.ask", ask)
        monkeypatch.setattr(module, "_load", self._load)

    def _load(self, part: Part, may_compile: bool) -> bool:
        if may_compile:
            self.here.append(part)
        elif part not in self.kept:
            return False
        self.loaded.append(part)
        return True

    async def finish(self, count: int = 1) -> None:
        """Let processes finish so many parts, and wait until nothing more follows from it."""
        for _ in range(count):
            self.let.release()
        quiet, before = 0, -1
        while quiet < 10:
            await asyncio.sleep(0.01)
            now = len(self.asked) + len(self.loaded) + len(self.here)
            quiet, before = (quiet + 1 if now == before else 0), now


@asynccontextmanager
async def getting_ready(folder: Path, **settings: Any) -> AsyncIterator[Readiness]:
    readiness = Readiness(ServerSettings(data=folder, **settings))
    try:
        yield readiness
    finally:
        await readiness.close()


@looped
async def test_what_is_kept_is_loaded_and_nothing_is_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    workshop, said = Workshop(monkeypatch), list[Words]()
    workshop.kept = set(all_parts(names()))
    async with getting_ready(tmp_path) as readiness:
        readiness.announce = said.append
        readiness.start()
        await until(lambda: all(game.state == "ready" for game in readiness.now()))
        assert sorted(map(repr, workshop.loaded)) == sorted(map(repr, all_parts(names())))
    assert not workshop.asked and not said


@looped
async def test_two_processes_compile_all_parts_in_order_and_say_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workshop, said = Workshop(monkeypatch), list[str]()
    async with getting_ready(tmp_path) as readiness:
        readiness.announce = lambda words: said.append(str(words))
        readiness.start()
        await workshop.finish(0)
        plan = all_parts(names())
        assert tuple(workshop.asked) == plan[:2] and said == [said[0]] and "once on this machine" in said[0]
        states = {game.game: game.state for game in readiness.now()}
        assert set(states.values()) == {"rules"}
        await workshop.finish(len(plan))
        assert sorted(map(repr, workshop.asked)) == sorted(map(repr, plan))
        assert all(game.state == "ready" for game in readiness.now()) and said[1:] == ["All games are ready."]


@looped
async def test_a_game_that_is_chosen_comes_first_with_its_gentlest_bot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workshop = Workshop(monkeypatch)
    async with getting_ready(tmp_path, patience=0.01) as readiness:
        readiness.start()
        await workshop.finish(0)
        with pytest.raises(GettingReady) as refused:
            await readiness.rules(KING)
        assert refused.value.seconds >= 1 and "Cup King is still being got ready" in str(refused.value)
        await workshop.finish(4)
        assert workshop.asked[2] == Part(KING, "rules") and Part(KING, "sensible") in workshop.asked[:6]
        await readiness.rules(KING)


@looped
async def test_how_long_a_game_takes_is_guessed_and_counted_down(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workshop, clock = Workshop(monkeypatch), [1000.0]
    monkeypatch.setattr(module, "monotonic", lambda: clock[0])
    async with getting_ready(tmp_path) as readiness:
        readiness.start()
        await workshop.finish(0)

        def seconds(name: str) -> int:
            return next(game.seconds for game in readiness.now() if game.game == name)

        first = all_parts(names())[0].game
        begun, long = seconds(first), seconds(KING)
        assert 1 <= begun < long < 60
        clock[0] += begun
        assert seconds(first) == 1 and seconds(KING) < long
        clock[0] += 1000
        assert seconds(first) == 1, "it never says that none are left"
        await workshop.finish(2)
        assert seconds(KING) > 10 * long, "after a thousand seconds for the first it knows how slow this machine is"


@pytest.mark.parametrize("trouble", ["it ended with code -9", None])
@looped
async def test_what_a_process_cannot_do_the_server_does_itself(
    trouble: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A process that died is tried again with the next part; where nothing can be kept, none is asked again."""
    workshop = Workshop(monkeypatch)
    workshop.fail, workshop.keeps = trouble, False
    async with getting_ready(tmp_path, compilers=1) as readiness:
        with caplog.at_level(logging.WARNING):
            ready = asyncio.ensure_future(readiness.rules(CUPS))
            await workshop.finish(10)
        await ready
        assert workshop.here == workshop.loaded and Part(CUPS, "alphabeta") in workshop.here
        assert len(workshop.asked) == (3 if trouble else 1)
    assert [trouble in message for message in caplog.messages] == [True] * 3 if trouble else not caplog.messages


@looped
async def test_a_part_that_cannot_be_had_at_all_keeps_nobody_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    workshop = Workshop(monkeypatch)

    def broken(part: Part, may_compile: bool) -> bool:
        raise RuntimeError("no such thing")

    monkeypatch.setattr(module, "_load", broken)
    async with getting_ready(tmp_path) as readiness:
        await readiness.rules(CUPS)
        await readiness.level(load(CUPS), "sequoia")
    assert "not-ready game=jumping-cups part=rules" in caplog.text and not workshop.asked


@looped
async def test_a_bot_waits_for_its_level_and_the_table_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    workshop = Workshop(monkeypatch)
    async with house(tmp_path) as (tables, people, _):
        laying = asyncio.ensure_future(
            tables.lay(
                NewTable(CUPS, (SeatPlan("me"), SeatPlan("bot")), options={"starter": "red"}),
                (await people.welcome("Ida"))[0],
            )
        )
        await workshop.finish()
        room = await laying
        await moves.move(room, seated(room, 0), None, "5-6", room.state.version)
        await workshop.finish(0)
        assert room.state.last is not None and room.state.last[0] == 0, "no weaker bot moves in its place"
        assert not tables.readiness.is_ready(room.plan.game, DEFAULT)
        await workshop.finish(3)
        await until(lambda: room.state.last is not None and room.state.last[0] == 1)


# A real server, with nothing compiled.


def test_a_server_answers_at_once_and_a_chosen_game_is_played_while_others_are_not_ready(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    with serving(tmp_path / "data", patience=0.2, warm=True) as server, browser(server.url) as http:
        assert len(http.get("/api/games").json()) == len(names()) and http.get("/").status_code == 200
        assert {game["state"] for game in http.get("/api/readiness").json()} == {"rules"}
        table = {"game": CUPS, "seats": [{"kind": "me"}, {"kind": "bot", "level": "random"}]}
        refused = http.post("/api/tables", json=table)
        assert (refused.status_code, refused.json()["code"]) == (503, "getting-ready")
        assert int(refused.headers["retry-after"]) >= 1
        assert http.get(f"/api/games/{CUPS}/scene").json()["code"] == "getting-ready"
        made = asked_again(http, CUPS)

        async def play() -> None:
            player = await SocketPlayer.sit(server.port, made["table"]["id"], made["keys"][0]["token"])
            answered = await player.move(player.update["moves"][0]["text"])
            assert answered["type"] == "update" and answered["ack"]
            await player.socket.close()

        asyncio.run(play())
        states = {game["game"]: game["state"] for game in http.get("/api/readiness").json()}
        assert states[CUPS] in ("bots", "ready") and states[KING] == "rules"
    with serving(tmp_path / "data", patience=30.0) as server, browser(server.url) as http:
        assert lay(http, CUPS, "me", "friend"), "what was compiled is kept"


def test_a_server_that_ends_turns_away_who_waits_for_a_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    with (
        serving(tmp_path / "data", patience=60.0) as server,
        ThreadPoolExecutor(1) as beside,
        browser(server.url) as http,
    ):
        waiting = beside.submit(http.get, f"/api/games/{KING}/scene")
        time.sleep(1.0)
        assert not waiting.done()
        began = time.monotonic()
        server.stop()
        assert waiting.result().json()["code"] == "getting-ready" and time.monotonic() - began < 1.9


def asked_again(http: httpx.Client, game: str) -> dict[str, Any]:
    """A new table, asked for as often as the page does."""
    for _ in range(120):
        answer = http.post(
            "/api/tables", json={"game": game, "seats": [{"kind": "me"}] * 2, "options": {"starter": "red"}}
        )
        if answer.status_code == 201:
            made: dict[str, Any] = answer.json()
            return made
        time.sleep(0.5)
    raise AssertionError(answer.text)


def test_asking_too_often_is_refused(http: httpx.Client) -> None:
    http.put("/api/me", json={"name": "Ida"})  # somebody, who has less than all visitors of an address together
    answers = [http.get("/api/readiness").status_code for _ in range(200)]
    assert answers[0] == 200 and 429 in answers
