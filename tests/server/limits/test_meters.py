"""What one client can cost the others at the socket and in the log, with the limits we ship."""

from __future__ import annotations

import asyncio
from collections import Counter

import httpx
import pytest
from tests.server.helpers import Household, Server, SocketPlayer, browser, lay
from websockets.exceptions import ConnectionClosed

from cupboard.server.http.api import MOST_EVENTS
from cupboard.server.limits.rates import HOME

CHAT = HOME["chat"][0]


async def talk(player: SocketPlayer, times: int) -> Counter[str]:
    """How often something could be said, and how often it was refused."""
    answers = [await player.say(type="chat", text=f"line {n}") for n in range(times)]
    return Counter(answer.get("code", answer["type"]) for answer in answers)


def test_chat_is_limited_for_a_person_not_for_a_socket(server: Server, http: httpx.Client) -> None:
    made = lay(http, "double-dutch", "me", "open", "open")
    another = lay(http, "jumping-cups", "me", "friend")
    table, cookie = made["table"]["id"], http.cookies["cupboard"]

    async def run() -> None:
        first = await SocketPlayer.sit(server.port, table, cookie=cookie)
        said = await talk(first, CHAT + 3)
        assert said["update"] in (CHAT, CHAT + 1) and said["too-many"] >= 2
        second = await SocketPlayer.sit(server.port, table, cookie=cookie)
        elsewhere = await SocketPlayer.sit(server.port, another["table"]["id"], cookie=cookie)
        assert (await talk(second, 2))["too-many"] >= 1, "another socket of the same person"
        assert (await talk(elsewhere, 2))["too-many"] >= 1, "nor at another table"
        assert (await first.say(type="ping"))["type"] == "pong", "everything else goes on"
        with browser(server.url) as friend:
            friend.post(f"/api/tables/{table}/seats/1", json={"name": "Bo"})
            other = await SocketPlayer.sit(server.port, table, cookie=friend.cookies["cupboard"])
        assert (await talk(other, 3)) == {"update": 3}, "another person, at the same address"
        for player in (first, second, elsewhere, other):
            await player.close()

    asyncio.run(run())


def test_chat_is_limited_for_an_address_where_there_is_no_cookie(server: Server, http: httpx.Client) -> None:
    made = lay(http, "jumping-cups", "me", "me")

    async def run() -> None:
        players = [await SocketPlayer.sit(server.port, made["table"]["id"], key["token"]) for key in made["keys"]]
        said = await talk(players[0], CHAT) + await talk(players[1], 4)
        assert said["too-many"] >= 2
        for player in players:
            await player.close()

    asyncio.run(run())


def test_chat_is_limited_for_a_table(server: Server, http: httpx.Client) -> None:
    """Six who write as fast as each may are more than a log should take."""
    made = lay(http, "cup-king", *["me"] * 6)
    most = HOME["table-chat"][0]

    async def run() -> None:
        total: Counter[str] = Counter()
        for key in made["keys"][:5]:
            Household.move()
            player = await SocketPlayer.sit(server.port, made["table"]["id"], key["token"])
            total += await talk(player, CHAT)
            await player.close()
        assert most <= total["update"] < most + 10 and total["too-many"] > 5, total

    asyncio.run(run())


def test_a_watcher_cannot_use_up_what_the_table_may_say(server: Server, http: httpx.Client) -> None:
    made = lay(http, "jumping-cups", "me", "me")

    async def run() -> None:
        for _ in range(4):
            Household.move()
            watcher = await SocketPlayer.sit(server.port, made["table"]["id"])
            assert (await talk(watcher, CHAT)) == {"not-your-seat": CHAT}
            await watcher.close()
        player = await SocketPlayer.sit(server.port, made["table"]["id"], made["keys"][0]["token"])
        assert (await talk(player, 3)) == {"update": 3}
        await player.close()

    asyncio.run(run())


def test_the_log_comes_in_pages(server: Server, http: httpx.Client) -> None:
    """The header Link leads from page to page; together they are the whole log, once."""
    made = lay(http, "chinese-checkers", "bot:random", "bot:random")
    address = f"/api/tables/{made['table']['id']}/events"

    async def watch() -> None:
        watcher = await SocketPlayer.sit(server.port, made["table"]["id"])
        while watcher.version < MOST_EVENTS + 20 and watcher.update["status"] != "over":
            await watcher.until("update")
        await watcher.close()

    asyncio.run(watch())
    version = http.get(f"/api/tables/{made['table']['id']}").json()["version"]
    pages, path = [], address
    while path:
        answer = http.get(path)
        pages.append(answer.json())
        path = answer.links["next"]["url"] if "next" in answer.links else ""
    assert len(pages) > 1 and all(len(page) == MOST_EVENTS for page in pages[:-1])
    events = [event for page in pages for event in page]
    assert [event["n"] for event in events] == list(range(len(events))) and len(events) >= version
    assert http.get(f"{address}?since={len(events) + 100}").json() == []


def test_asking_for_logs_is_metered(http: httpx.Client) -> None:
    table = lay(http, "jumping-cups", "me", "me", options={"starter": "red"})["table"]["id"]
    most = HOME["logs"][0]
    for path in ("events", "record.game", "record.json"):
        assert http.get(f"/api/tables/{table}/{path}").status_code == 200
    codes = [http.get(f"/api/tables/{table}/events").status_code for _ in range(most + 20)]
    assert codes[0] == 200 and codes[-1] == 429
    for path in ("record.game", "record.json"):
        refused = http.get(f"/api/tables/{table}/{path}")
        assert (refused.status_code, refused.json()["code"]) == (429, "too-many")


def test_guessing_seat_tokens_is_slowed_down_at_the_socket_too(server: Server, http: httpx.Client) -> None:
    table = lay(http, "jumping-cups", "me", "me")["table"]["id"]

    async def run() -> None:
        codes: list[str] = []
        for _ in range(2):  # a new socket does not begin anew
            player = await SocketPlayer.sit(server.port, table)
            for n in range(15):
                await player.send(type="hello", tokens=[f"{n:032}"])
                while (got := await player.receive())["type"] != "refused":
                    pass
                codes.append(got["code"])
            await player.close()
        assert codes[0] == "not-your-seat" and codes[-1] == "too-many"

    asyncio.run(run())
    wrong = http.get(f"/api/tables/{table}", headers={"x-seat-token": "0" * 32})
    assert wrong.json()["code"] == "too-many", "one limit for guesses over the socket and over HTTP"


@pytest.mark.parametrize("fault", ['{"type": "fly"}', "{", '{"type": "move", "text": "5-6", "version": 3, "seat": 1}'])
def test_a_client_that_only_makes_mistakes_is_shown_out(server: Server, http: httpx.Client, fault: str) -> None:
    made = lay(http, "jumping-cups", "me", "me", options={"starter": "red"})

    async def run() -> None:
        player = await SocketPlayer.sit(server.port, made["table"]["id"], made["keys"][0]["token"])
        refusals = 0
        with pytest.raises(ConnectionClosed) as closed:
            for _ in range(80):
                await player.socket.send(fault)
                while (await player.receive())["type"] != "refused":
                    pass
                refusals += 1
                await asyncio.sleep(0.06)  # slower than the limit for messages: it is the faults that count
        assert closed.value.rcvd is not None and closed.value.rcvd.code == 1008
        assert 40 <= refusals <= 60
        await player.close()

    asyncio.run(run())


def test_a_client_with_some_mistakes_stays(server: Server, http: httpx.Client) -> None:
    made = lay(http, "jumping-cups", "me", "me", options={"starter": "red"})

    async def run() -> None:
        player = await SocketPlayer.sit(server.port, made["table"]["id"], made["keys"][0]["token"])
        for _ in range(30):
            assert (await player.move("5-9"))["code"] in ("illegal-move", "bad-notation")
            await player.socket.send("{")
            while (await player.receive())["type"] != "refused":
                pass
            await asyncio.sleep(0.1)
        assert (await player.move("5-6"))["type"] == "update"
        await player.close()

    asyncio.run(run())
