"""Every 429 says when to come again: each limit there is is used up, over HTTP or at a socket."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, get_args

import httpx
import pytest
from tests.server.helpers import Household, Server, SocketPlayer, browser, lay, serving
from tests.server.limits.test_crowds import raw, until_closed
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from cupboard.server.limits.rates import HOME, ByPerson
from cupboard.server.settings import Limited, LimitSettings, PeopleSettings, Rate

TWO = {"game": "jumping-cups", "seats": [{"kind": "me"}, {"kind": "me"}]}
LOGIN = {"username": "somebody", "password": "a wrong password"}
PATIENT = Rate(at_once=1, every=500.0)


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server on which everything can be done once, and twelve things asked for on one connection each."""
    names: tuple[Limited, ...] = get_args(Limited)
    limits = LimitSettings(connections=12, sockets=3, rates=dict.fromkeys(names, PATIENT))
    people = PeopleSettings(sign_up="code", class_code="acorn")
    with serving(tmp_path_factory.mktemp("strict"), limits=limits, people=people) as server:
        yield server


@pytest.fixture(scope="module")
def table(strict: Server) -> str:
    Household.move()
    with browser(strict.url) as http:
        return str(lay(http, "jumping-cups", "me", "friend")["table"]["id"])


def get(path: str) -> Callable[[httpx.Client, str], httpx.Response]:
    return lambda http, table: http.get(path.format(table=table))


def post(path: str, json: Any) -> Callable[[httpx.Client, str], httpx.Response]:
    return lambda http, table: http.post(path.format(table=table), json=json)


def fault(http: httpx.Client, table: str) -> httpx.Response:
    return http.get("/api/nowhere")


def wrong_link(http: httpx.Client, table: str) -> httpx.Response:
    return http.get(f"/api/tables/{table}", headers={"x-seat-token": "0" * 32})


def guest(http: httpx.Client, table: str) -> httpx.Response:
    http.cookies.clear()
    return http.put("/api/me", json={"name": "Bo"})


def account(http: httpx.Client, table: str) -> httpx.Response:
    http.cookies.clear()
    return http.post("/api/account", json=LOGIN | {"code": "acorn"})


OVER_HTTP: dict[Limited, Callable[[httpx.Client, str], httpx.Response]] = {
    "tables": post("/api/tables", TWO),
    "logs": get("/api/tables/{table}/events"),
    "pictures": get("/api/tables/{table}/picture.svg"),
    "lessons": post("/api/games/jumping-cups/lessons/first-move", {}),
    "strength": get("/api/strength"),
    "readiness": get("/api/readiness"),
    "boards": post("/api/games/jumping-cups/board", {}),
    "evaluations": post("/api/games/jumping-cups/evaluation", {"options": {"starter": "red"}}),
    "class-codes": post("/api/account", LOGIN | {"code": "oak"}),
    "guests": guest,
    "accounts": account,
    "sign-ins": post("/api/session", LOGIN | {"username": "nobody"}),
    "links": wrong_link,
    "faults": fault,
    "network": post("/api/network", {"open": False}),
    "classes": get("/api/classes/none"),
    "codes": get("/api/join/BCDFGH"),
    "admin": lambda http, table: http.get("/api/admin/now", headers={"x-admin-token": "guess"}),
}
BESIDES: set[Limited] = {"analyses", "hints", "chat", "table-chat", "messages", "rounds"}
"""What takes a finished game or a socket has tests of its own below."""


def test_every_limit_is_walked() -> None:
    walked = set(OVER_HTTP) | BESIDES
    assert walked | {f"address-{what}" for what in get_args(ByPerson)} == set(get_args(Limited)) == set(HOME)


def check(answer: httpx.Response, what: str) -> None:
    assert (answer.status_code, answer.json()["code"], answer.json()["words"][0]) == (429, "too-many", f"many.{what}")
    assert 490 <= int(answer.headers["retry-after"]) <= 500 and answer.json()["words"][1] == {
        "count": int(answer.headers["retry-after"])
    }


@pytest.mark.parametrize("what", OVER_HTTP)
def test_whoever_asks_twice_is_told_when_to_come_again(strict: Server, table: str, what: Limited) -> None:
    with browser(strict.url) as http:
        if what in get_args(ByPerson):
            assert http.put("/api/me", json={"name": "Ida"}).status_code == 200  # somebody, from here on
        OVER_HTTP[what](http, table)
        check(OVER_HTTP[what](http, table), what)


@pytest.mark.parametrize("what", [what for what in get_args(ByPerson) if what in OVER_HTTP])
def test_an_address_is_told_so_too(strict: Server, table: str, what: Limited) -> None:
    """Two people at one address, who have come from others; and visitors without a session at a third."""
    cookies = []
    for _ in range(2):
        Household.move()
        with browser(strict.url) as http:
            assert http.put("/api/me", json={"name": "Ida"}).status_code == 200
            cookies.append(http.cookies["cupboard"])
    Household.move()
    for cookie in cookies:
        with browser(strict.url, cookies={"cupboard": cookie}) as http:
            answer = OVER_HTTP[what](http, table)
            assert (answer.status_code == 429) == (cookie is cookies[1]), answer.text
    check(answer, f"address-{what}")
    with browser(strict.url) as stranger:
        assert OVER_HTTP[what](stranger, table).status_code != 429, "others have a bucket of their own"
        stranger.cookies.clear()
        check(OVER_HTTP[what](stranger, table), f"address-{what}")


def test_games_to_look_at_hints_and_chat(tmp_path: Path) -> None:
    rates: dict[Limited, Rate] = dict.fromkeys(("analyses", "hints", "chat"), PATIENT)
    with serving(tmp_path, limits=LimitSettings(rates=rates)) as server, browser(server.url) as http:

        async def play() -> str:
            made = lay(http, "jumping-cups", "me", "me", options={"starter": "red"})
            table, cookie = made["table"]["id"], http.cookies["cupboard"]
            player = await SocketPlayer.sit(server.port, table, cookie=cookie)
            said = [await player.say(type="chat", text="hello") for _ in range(2)]
            helped = [await player.say(type="hint") for _ in range(2)]
            for answer, what in ((said[1], "chat"), (helped[1], "hints")):
                assert (answer["code"], answer["words"][0]) == ("too-many", f"many.{what}")
            assert (await player.say(type="resign", seat=0))["status"] == "over"
            await player.close()
            return str(table)

        async def resign() -> str:
            made = lay(http, "jumping-cups", "me", "me")
            player = await SocketPlayer.sit(server.port, made["table"]["id"], made["keys"][0]["token"])
            await player.say(type="resign")
            await player.close()
            return str(made["table"]["id"])

        assert http.post(f"/api/tables/{asyncio.run(play())}/analysis").status_code == 200
        check(http.post(f"/api/tables/{asyncio.run(resign())}/analysis"), "analyses")


def test_rounds_of_a_class(tmp_path: Path) -> None:
    rates: dict[Limited, Rate] = {"rounds": PATIENT}
    with serving(tmp_path, limits=LimitSettings(rates=rates)) as server, browser(server.url) as http:
        assert http.post("/api/account", json=LOGIN).status_code == 201
        made = http.post("/api/classes", json={"name": "4b"}).json()["id"]
        new = {"game": "jumping-cups", "method": "swiss", "members": [], "after": 0}
        assert http.post(f"/api/classes/{made}/rounds", json=new).json()["code"] == "cannot-pair"
        check(http.post(f"/api/classes/{made}/rounds", json=new), "rounds")


def test_messages_say_so_too(strict: Server, table: str) -> None:
    """At a socket there are no headers: the sentence says when, and its words have the number."""

    async def run() -> None:
        url = f"ws://127.0.0.1:{strict.port}/api/tables/{table}/socket"
        async with connect(url, local_addr=(Household.address, 0)) as socket:
            await socket.send('{"type": "ping", "id": 1}')
            await socket.send('{"type": "ping", "id": 2}')
            assert "pong" in str(await socket.recv())
            assert '"words":["many.messages",{"count":500}]' in str(await socket.recv())

    asyncio.run(run())


def test_too_many_sockets_and_connections(strict: Server, table: str) -> None:
    async def run() -> None:
        url = f"ws://127.0.0.1:{strict.port}/api/tables/{table}/socket"
        held = [await connect(url, local_addr=(Household.address, 0)) for _ in range(3)]
        with pytest.raises(InvalidStatus) as refusal:
            await connect(url, local_addr=(Household.address, 0))
        answer = refusal.value.response
        assert (answer.status_code, answer.headers["retry-after"]) == (429, "10")
        for socket in held:
            await socket.close()

    asyncio.run(run())
    Household.move()
    with raw(strict, Household.address) as first:
        others = [raw(strict, Household.address) for _ in range(12)]
        opened = [other.__enter__() for other in others]
        opened[-1].sendall(b"GET /api/me HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        _, said = until_closed(opened[-1])
        for other in others:
            other.__exit__(None, None, None)
        assert said.startswith(b"HTTP/1.1 429") and b"Retry-After: 10" in said
        assert first.fileno() > 0
