"""What an administrator sees of tables and does to them, with real sockets at them."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest
from tests.server.administration.holder import holding, new_account, person_called
from tests.server.helpers import Server, SocketPlayer, browser, lay, said
from websockets.exceptions import ConnectionClosed


async def closed(player: SocketPlayer, seconds: float = 60) -> int | None:
    """With which code the server hangs up; None when it does not."""
    try:
        async with asyncio.timeout(seconds):
            while True:
                await player.receive()
    except ConnectionClosed as end:
        assert end.rcvd is not None
        return int(end.rcvd.code)
    except TimeoutError:
        return None


def table_in(found: list[dict[str, Any]], table: str) -> dict[str, Any]:
    (one,) = [one for one in found if one["id"] == table]
    return one


def test_what_is_going_on_is_seen(server: Server, http: httpx.Client) -> None:
    login = new_account(http)
    made = lay(http, "jumping-cups", "me", "bot:random", options={"starter": "red"}, listed=True)
    table = made["table"]["id"]

    async def run() -> None:
        player = await SocketPlayer.sit(server.port, table, cookie=http.cookies["cupboard"])
        watcher = await SocketPlayer.sit(server.port, table)
        await player.until_asked()
        await player.move(player.update["moves"][0]["text"])
        with holding(server) as owner:
            now = (await asyncio.to_thread(owner.get, "/api/admin/now")).json()
        one = table_in(now["tables"], table)
        assert (one["status"], one["watching"], one["live"], one["listed"]) == ("playing", 1, True, True)
        assert one["moves"] >= 1 and one["made"] <= one["moved"] <= now["at"]
        assert [seat["kind"] for seat in one["seats"]] == ["person", "bot"]
        assert one["seats"][0]["here"] and said(one["title"]) == "Jumping Cups"
        (person,) = [one for one in now["people"] if one.get("username") == login["username"]]
        assert person["tables"] == [table] and person["id"] == one["seats"][0]["person"]
        assert now["counts"]["sockets"] >= 2 and now["counts"]["strangers"] >= 1
        await player.close()
        await watcher.close()

    asyncio.run(run())


def test_a_closed_table_tells_its_people_and_leaves_the_lobby(server: Server, http: httpx.Client) -> None:
    made = lay(http, "jumping-cups", "me", "friend", listed=True)
    table = made["table"]["id"]
    other = lay(http, "jumping-cups", "me", "me", listed=True)["table"]["id"]

    async def run() -> None:
        player = await SocketPlayer.sit(server.port, table, cookie=http.cookies["cupboard"])
        watcher = await SocketPlayer.sit(server.port, table)
        elsewhere = await SocketPlayer.sit(server.port, other, cookie=http.cookies["cupboard"])
        with holding(server) as owner:
            assert owner.post(f"/api/admin/tables/{table}/close").status_code == 200
            again = owner.post(f"/api/admin/tables/{table}/close")
            assert (again.status_code, again.json()["code"]) == (409, "table-closed")
        assert [await closed(one) for one in (player, watcher)] == [4004, 4004]
        for one in (player, watcher):
            assert one.update["status"] == "over"
            assert said(one.update["outcome"]["sentence"]) == "Whoever runs this server has closed the table."
            assert one.update["outcome"]["winners"] == []
        # Nobody else notices.
        assert await closed(elsewhere, 0.3) is None
        assert (await elsewhere.say(type="chat", text="still here", seat=0))["type"] == "update"
        await elsewhere.close()
        # Whoever comes back can look, and no more.
        back = await SocketPlayer.sit(server.port, table, cookie=http.cookies["cupboard"])
        for message in (
            {"type": "chat", "text": "let me in"},
            {"type": "offer", "what": "rematch"},
            {"type": "resign"},
        ):
            assert (await back.say(**message))["code"] == "table-closed"
        await back.close()

    asyncio.run(run())
    lobby = http.get("/api/tables").json()
    assert table not in [one["id"] for one in (*lobby["join"], *lobby["watch"])]
    taken = http.post(f"/api/tables/{table}/seats/1", json={"invite": made["invites"][0]["invite"]})
    assert taken.json()["code"] == "table-closed"
    assert [event["kind"] for event in http.get(f"/api/tables/{table}/events").json()] == ["sit", "end"]


def test_a_table_whose_game_is_over_is_closed_with_its_result(server: Server, http: httpx.Client) -> None:
    table = lay(http, "jumping-cups", "me", "me")["table"]["id"]

    async def run() -> None:
        player = await SocketPlayer.sit(server.port, table, cookie=http.cookies["cupboard"])
        await player.say(type="resign", seat=0)
        before = http.get(f"/api/tables/{table}").json()["outcome"]
        with holding(server) as owner:
            assert owner.post(f"/api/admin/tables/{table}/end", json={}).json()["code"] == "game-over"
            assert owner.post(f"/api/admin/tables/{table}/close").status_code == 200
        assert await closed(player) == 4004
        assert http.get(f"/api/tables/{table}").json()["outcome"] == before

    asyncio.run(run())


@pytest.mark.parametrize(
    ("body", "winners", "sentence"),
    [
        ({}, [], "Whoever runs this server has ended the game."),
        ({"draw": True}, [0, 1], "The game was declared a draw."),
        ({"winner": 1}, [1], "Yellow was given the game."),
    ],
)
def test_a_game_is_ended_and_its_people_stay(
    server: Server, http: httpx.Client, body: dict[str, Any], winners: list[int], sentence: str
) -> None:
    made = lay(http, "jumping-cups", "me", "bot:random")
    table = made["table"]["id"]

    async def run() -> None:
        player = await SocketPlayer.sit(server.port, table, cookie=http.cookies["cupboard"])
        with holding(server) as owner:
            assert owner.post(f"/api/admin/tables/{table}/end", json=body).status_code == 200
        while player.update["status"] != "over":
            await player.until("update")
        assert player.update["outcome"]["winners"] == winners
        assert said(player.update["outcome"]["sentence"]) == sentence
        assert (await player.say(type="chat", text="oh"))["type"] == "update"
        await player.close()

    asyncio.run(run())
    strengths = http.get("/api/strength").json()
    assert not any(one["games"] for one in strengths), "it says nothing of anybody's strength"
    assert http.get(f"/api/tables/{table}/record.game").status_code == 200


@pytest.mark.parametrize("body", [{"winner": 2}, {"winner": -1}, {"winner": 6}, {"winner": "x"}, [], 5])
def test_a_result_that_makes_no_sense_is_refused(server: Server, http: httpx.Client, body: Any) -> None:
    table = lay(http, "jumping-cups", "me", "me")["table"]["id"]
    with holding(server) as owner:
        answer = owner.post(f"/api/admin/tables/{table}/end", json=body)
    assert answer.status_code in (400, 404), answer.text
    assert http.get(f"/api/tables/{table}").json()["status"] == "playing"


def test_stored_tables_are_found_by_id_game_and_name(server: Server, http: httpx.Client) -> None:
    login = new_account(http)
    table = lay(http, "jumping-cups", "me", "me")["table"]["id"]
    with holding(server) as owner:
        person = person_called(owner, login["username"])
        for text in (table, table[:6], person["id"], login["username"].upper()):
            found = owner.get("/api/admin/tables", params={"find": text}).json()
            assert [one["id"] for one in found] == [table], text
        info = owner.get(f"/api/admin/people/{person['id']}").json()
    assert [one["id"] for one in info["tables"]] == [table] and info["person"]["games"] == 1


def test_a_game_may_be_ended_while_bots_play_it(server: Server) -> None:
    """The end is number n of the log, and so is a bot's move: whoever is quicker has it, and the other comes after."""
    with browser(server.url) as http, holding(server) as owner:
        tables = [lay(http, "double-dutch", "bot:random", "bot:random")["table"]["id"] for _ in range(3)]

        async def run() -> None:
            watchers = [await SocketPlayer.sit(server.port, table) for table in tables]
            for table in tables:
                answer = await asyncio.to_thread(owner.post, f"/api/admin/tables/{table}/close")
                assert answer.status_code == 200, answer.text
            assert [await closed(watcher) for watcher in watchers] == [4004] * 3

        asyncio.run(run())
        for table in tables:
            events = http.get(f"/api/tables/{table}/events").json()
            assert events[-1]["kind"] == "end", "nothing comes after the table was closed"
