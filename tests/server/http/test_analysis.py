"""Turning points over HTTP: for finished games of one's own, beside the tables, and never in the way of others."""

from __future__ import annotations

import asyncio
import random
import time
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.server.helpers import Household, Server, SocketPlayer, browser, lay, serving

from cupboard.core.registry import names

BLOCKED = "./RY/./RY/././RY/R/Y/Y/./././R B 0"


async def _play_out(server: Server, made: dict[str, Any], most: int) -> None:
    """Random moves for both seats on one screen; after so many one of them resigns."""
    screen = await SocketPlayer.sit(server.port, made["table"]["id"], *(key["token"] for key in made["keys"]))
    rng = random.Random(1)
    for _ in range(most):
        if not await screen.until_asked():
            break
        text = screen.filled() if "filling" in screen.update else rng.choice(screen.update["moves"])["text"]
        await screen.move(text, seat=screen.update["seat"])
    if screen.update["status"] != "over":
        await screen.say(type="resign")
    await screen.close()


def finished(server: Server, http: httpx.Client, game: str = "jumping-cups", most: int = 12) -> str:
    """The id of a table where this client has played both seats."""
    made = lay(http, game, "me", "me")
    asyncio.run(_play_out(server, made, most))
    return str(made["table"]["id"])


def wait_until_done(http: httpx.Client, table: str, seconds: float = 90) -> dict[str, Any]:
    end = time.monotonic() + seconds
    while True:
        found: dict[str, Any] = http.get(f"/api/tables/{table}/analysis").json()
        if found["status"] not in ("waiting", "running"):
            return found
        assert time.monotonic() < end, found["status"]
        time.sleep(0.2)


@pytest.mark.parametrize("game", names())
def test_every_move_of_a_seat_is_judged_and_a_mistake_has_a_better_move(
    server: Server, http: httpx.Client, game: str
) -> None:
    table = finished(server, http, game)
    assert http.get(f"/api/tables/{table}/analysis").json() == {"status": "none"}
    begun = http.post(f"/api/tables/{table}/analysis")
    assert begun.status_code == 200 and begun.json()["status"] == "waiting"
    done = wait_until_done(http, table)
    events = {event["n"]: event for event in http.get(f"/api/tables/{table}/events").json()}
    made = [n for n, event in events.items() if event["kind"] == "move" and event["seat"] >= 0]
    assert done["status"] == "done" and [move["n"] for move in done["moves"]] == made
    for move in done["moves"]:
        assert 0 <= move["best_score"] <= 1 and 0 <= move.get("cost", 0) <= 1
        assert (move.get("best") is not None) == ("mark" in move)
        if best := move.get("best"):
            assert best["text"] != events[move["n"]]["text"] and best["words"] and best["spots"]
    later = http.get(f"/api/tables/{table}/analysis", params={"since": len(made) - 2}).json()
    assert later["moves"] == done["moves"][-2:]


def test_only_those_who_played_may_ask_and_only_when_it_is_over(server: Server, http: httpx.Client) -> None:
    running = lay(http, "jumping-cups", "me", "bot:sprout")["table"]["id"]
    assert http.post(f"/api/tables/{running}/analysis").json()["code"] == "not-over"
    table = finished(server, http)
    with browser(server.url) as stranger:
        refused = stranger.post(f"/api/tables/{table}/analysis")
        assert (refused.status_code, refused.json()["code"]) == (403, "not-your-seat")
        stranger.post("/api/tables", json={"game": "jumping-cups", "seats": [{"kind": "me"}, {"kind": "me"}]})
        assert stranger.post(f"/api/tables/{table}/analysis").json()["code"] == "not-your-seat", (
            "a guest who sat elsewhere"
        )
    assert http.post("/api/tables/nowhere99/analysis").json()["code"] == "unknown-table"
    assert http.get("/api/tables/nowhere99/analysis").json()["code"] == "unknown-table"
    assert http.get(f"/api/tables/{table}/analysis", params={"since": -1}).json()["code"] == "bad-message"


def test_one_person_has_two_analyses_at_once_and_so_many_in_a_while(server: Server, http: httpx.Client) -> None:
    tables = [finished(server, http, "chinese-checkers", 30) for _ in range(3)]
    heard = [http.post(f"/api/tables/{table}/analysis") for table in tables]
    assert [answer.status_code for answer in heard] == [200, 200, 429]
    assert "Two of your games" in heard[2].json()["sentence"]
    assert http.post(f"/api/tables/{tables[0]}/analysis").status_code == 200, "it is under way: nothing new is asked"
    codes = [http.post(f"/api/tables/{tables[2]}/analysis").json()["sentence"] for _ in range(12)]
    assert "a lot of games" in codes[-1]


def test_an_analysis_that_nobody_looks_at_pauses_and_goes_on_when_asked_again(
    server: Server, http: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    from cupboard.core.match import Match
    from cupboard.core.registry import load
    from cupboard.server.analysis.analyses import Analyses
    from cupboard.server.analysis.messages import Judgement

    now = [0.0]
    asked: list[str] = []

    class Judge:
        async def ask(self, position: Any, seat: int, seconds: float, move: str = "") -> Judgement:
            asked.append(move)
            now[0] += 11
            await asyncio.sleep(0)
            return Judgement(best=move, best_score=0.5, score=0.5)

    async def run() -> None:
        match = Match(load("jumping-cups", starter="red"))
        for _ in range(6):
            match.play(match.position.moves()[0])
        analyses = Analyses(Judge(), 10.0, lambda: now[0])  # type: ignore[arg-type]
        events = range(len(match.log))
        one = analyses.start("t", "anna", match.game, match.log, list(events))
        await asyncio.sleep(0.05)
        assert (one.status, len(asked)) == ("paused", 2)
        again = analyses.start("t", "bo", match.game, match.log, list(events))
        assert again is one
        while one.status != "done":
            analyses.find("t")
            await asyncio.sleep(0)
        assert len(asked) == len(match.log), "no move was judged twice"
        assert [move.n for move in one.moves] == list(events)
        analyses.close()

    asyncio.run(run())


@pytest.mark.quiet
def test_a_bot_at_another_table_moves_as_fast_while_games_are_analysed(tmp_path: Path) -> None:
    async def time_of_a_bot(server: Server, made: dict[str, Any]) -> float:
        player = await SocketPlayer.sit(server.port, made["table"]["id"], made["keys"][0]["token"])
        took = []
        for _ in range(3):
            assert await player.until_asked()
            began = time.monotonic()
            await player.move(player.update["moves"][0]["text"])
            assert await player.until_asked()
            took.append(time.monotonic() - began)
        await player.close()
        return sorted(took)[1]

    with serving(tmp_path) as server, browser(server.url) as http:
        table = finished(server, http, "chinese-checkers", 40)
        tables = [lay(http, "chinese-checkers", "me", "bot:maple") for _ in range(3)]
        asyncio.run(time_of_a_bot(server, tables[0]))
        usual = asyncio.run(time_of_a_bot(server, tables[1]))
        http.post(f"/api/tables/{table}/analysis")
        while not http.get(f"/api/tables/{table}/analysis").json().get("done"):
            time.sleep(0.1)
        beside = asyncio.run(time_of_a_bot(server, tables[2]))
        assert http.get(f"/api/tables/{table}/analysis").json()["status"] == "running", "it was under way all the time"
        assert beside < usual + 0.5


# Single positions.


@pytest.mark.parametrize("game", names())
def test_a_position_has_a_best_move_with_a_value(http: httpx.Client, game: str) -> None:
    moves: list[str] = []
    while nature := (board := http.post(f"/api/games/{game}/board", json={"moves": moves}).json()).get("nature"):
        moves.append(nature)
    found = http.post(f"/api/games/{game}/evaluation", json={"moves": moves}, timeout=120).json()
    assert found["seat"] == board["seat"] and 0 <= found["best"]["score"] <= 1 and found["best"]["words"]


def test_a_forced_win_is_called_one(http: httpx.Client) -> None:
    found = http.post("/api/games/jumping-cups/evaluation", json={"position": BLOCKED}, timeout=120).json()
    assert found["seat"] == 1 and found["best"]["text"] == "9-8" and found["best"]["proven"] == "win"
    assert found["best"]["path"] == ["9", "8"]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"position": "nonsense"}, "bad-position"),
        ({"moves": ["A:1-9"]}, "not-your-turn"),
        ({"moves": []}, "bad-message"),  # the lot is to be drawn
        ({"position": BLOCKED, "moves": ["B:9-8"]}, "bad-message"),  # it is over
        ({"moves": ["A:5-6"] * 1001}, "bad-message"),
        ({"position": "R" * 4001}, "bad-message"),
        ({"options": {str(n): n for n in range(41)}}, "bad-message"),
    ],
)
def test_nonsense_is_refused_before_anybody_thinks(http: httpx.Client, body: dict[str, Any], code: str) -> None:
    answer = http.post("/api/games/jumping-cups/evaluation", json=body)
    assert answer.status_code == 400 and answer.json()["code"] == code and answer.json()["sentence"]


def test_a_person_may_ask_for_so_many_positions(server: Server, http: httpx.Client) -> None:
    http.put("/api/me", json={"name": "Ida"})  # visitors without a session share more
    start = {"options": {"starter": "red"}, "moves": ["A:1-9"]}
    codes = [http.post("/api/games/jumping-cups/evaluation", json=start).json()["code"] for _ in range(22)]
    assert codes[:20] == ["illegal-move"] * 20 and codes[-1] == "too-many"
    with browser(server.url) as other:
        assert other.post("/api/games/jumping-cups/evaluation", json=start).json()["code"] == "illegal-move"


def test_two_questions_of_an_address_wait_at_once_and_no_third(server: Server, http: httpx.Client) -> None:
    start = {"moves": [], "options": {"starter": "red"}}

    async def ask() -> list[int]:
        transport = httpx.AsyncHTTPTransport(local_address=Household.address)
        async with httpx.AsyncClient(base_url=server.url, transport=transport, timeout=120) as client:
            asking = [client.post("/api/games/jumping-cups/evaluation", json=start) for _ in range(6)]
            return [answer.status_code for answer in await asyncio.gather(*asking)]

    codes = asyncio.run(ask())
    assert codes.count(200) == 2 and codes.count(429) == 4
