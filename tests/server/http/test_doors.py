"""Nobody where they don't belong: every endpoint and message without the seat's token, and other sites' pages."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import msgspec
import pytest
from tests.server.helpers import Server, SocketPlayer, browser, lay, serving
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from cupboard.server.http.problems import MAX_BODY
from cupboard.server.wire.client_messages import ClientMessage

IN_SOMEBODYS_NAME: dict[str, dict[str, Any]] = {
    "move": {"text": "5-6"},
    "chat": {"text": "hello"},
    "phrase": {"phrase": "hello"},
    "offer": {"what": "takeback"},
    "answer": {"what": "takeback", "yes": True},
    "resign": {},
    "hint": {},
    "why": {"spots": ["5"]},
    "look": {},
}


@pytest.fixture(scope="module")
def table(server: Server) -> dict[str, Any]:
    with browser(server.url) as http:
        return lay(http, "cup-king", "me", "me", "friend", options={})


def test_every_message_is_in_the_list() -> None:
    tags = {struct.__struct_config__.tag for struct in ClientMessage.__args__}
    assert tags == set(IN_SOMEBODYS_NAME) | {"hello", "ping"}


async def ask_for_a_takeback(server: Server, made: dict[str, Any]) -> None:
    """Both move, and the second wants to take it back: an offer that seat 0 is to answer."""
    players = [await SocketPlayer.sit(server.port, made["table"]["id"], key["token"]) for key in made["keys"]]
    for player, text in zip(players, ("5-6", "10-9"), strict=True):
        assert await player.until_asked()
        assert (await player.move(text))["type"] == "update"
    assert (await players[1].say(type="offer", what="takeback"))["offers"]
    for player in players:
        await player.close()


@pytest.mark.parametrize("kind", IN_SOMEBODYS_NAME)
@pytest.mark.parametrize("named", [True, False])
def test_a_watcher_does_nothing_in_anybodys_name(server: Server, http: httpx.Client, kind: str, named: bool) -> None:
    made = lay(http, "jumping-cups", "me", "me", options={"starter": "red"})

    async def run() -> None:
        watcher = await SocketPlayer.sit(server.port, made["table"]["id"])
        message = {"type": kind, **IN_SOMEBODYS_NAME[kind]} | ({"seat": 0} if named or kind == "look" else {})
        if kind == "move":
            message["version"] = watcher.version
        if kind == "answer":
            await ask_for_a_takeback(server, made)
        if kind == "look":
            await watcher.send(**message)
            while (got := await watcher.receive())["type"] != "refused":
                pass
        else:
            got = await watcher.say(**message)
        assert got["code"] == "not-your-seat", got
        await watcher.close()

    before = http.get(f"/api/tables/{made['table']['id']}/events").json()
    asyncio.run(run())
    after = http.get(f"/api/tables/{made['table']['id']}/events").json()
    assert [e["kind"] for e in after[len(before) :]] == (["move", "move", "offer"] if kind == "answer" else [])


@pytest.mark.parametrize("kind", IN_SOMEBODYS_NAME)
def test_a_player_does_nothing_in_the_others_name(server: Server, http: httpx.Client, kind: str) -> None:
    made = lay(http, "jumping-cups", "me", "me", options={"starter": "red"})

    async def run() -> None:
        other = await SocketPlayer.sit(server.port, made["table"]["id"], made["keys"][1]["token"])
        if kind == "answer":
            await ask_for_a_takeback(server, made)
        message = {"type": kind, **IN_SOMEBODYS_NAME[kind], "seat": 0}
        if kind == "move":
            message["version"] = other.version
        await other.send(**message)
        while (got := await other.receive())["type"] != "refused":
            pass
        assert got["code"] == "not-your-seat", got
        await other.close()

    asyncio.run(run())


def test_only_holders_get_keys_invites_and_private_scenes(server: Server, table: dict[str, Any]) -> None:
    address = f"/api/tables/{table['table']['id']}"
    with browser(server.url) as stranger:
        assert stranger.get(f"{address}/keys").json() == []
        assert stranger.get(f"{address}/invites").json()["code"] == "not-your-seat"
        assert stranger.get(address).json().get("yours") is None
        for path in ("", "/keys", "/events", "/scenes", "/picture.svg"):
            wrong = stranger.get(address + path, headers={"x-seat-token": "0" * 32})
            assert (wrong.status_code, wrong.json()["code"]) == (403, "not-your-seat"), path
        assert stranger.get(f"{address}/keys", headers={"x-seat-token": table["keys"][1]["token"]}).json() == [
            table["keys"][1]
        ]
        taken = stranger.post(f"{address}/seats/2", json={})
        assert (taken.status_code, taken.json()["code"]) == (403, "bad-invite")
        taken = stranger.post(f"{address}/seats/2", json={"invite": table["keys"][0]["token"]})
        assert taken.json()["code"] == "bad-invite"
        for seat, code in ((0, "seat-taken"), (3, "unknown-seat"), (-1, "unknown-seat")):
            assert stranger.post(f"{address}/seats/{seat}", json={}).json()["code"] == code
        assert stranger.get(f"{address}/record.game").json()["code"] == "not-over"
        assert stranger.get(f"{address}/record.json").json()["code"] == "not-over"


def test_tokens_of_another_table_open_nothing(server: Server, http: httpx.Client, table: dict[str, Any]) -> None:
    other = lay(http, "jumping-cups", "me", "me")

    async def run() -> None:
        player = await SocketPlayer.sit(server.port, other["table"]["id"])
        await player.send(type="hello", tokens=[table["keys"][0]["token"]])
        assert (await player.receive())["code"] == "not-your-seat"
        await player.close()

    asyncio.run(run())


def test_the_cookie_holds_the_seat_and_watch_lets_go_of_it(server: Server, http: httpx.Client) -> None:
    made = lay(http, "jumping-cups", "me", "friend")
    cookie = http.cookies["cupboard"]

    async def run() -> None:
        mine = await SocketPlayer.sit(server.port, made["table"]["id"], cookie=cookie)
        assert mine.others[0]["yours"] == [0] and mine.update["seat"] == 0
        screen = await SocketPlayer.sit(server.port, made["table"]["id"], cookie=cookie, watch=True)
        assert screen.others[0]["yours"] == [] and "seat" not in screen.update
        nobody = await SocketPlayer.sit(server.port, made["table"]["id"], cookie="x" * 32)
        assert nobody.others[0]["yours"] == []
        for player in (mine, screen, nobody):
            await player.close()

    asyncio.run(run())


def test_cookies_and_headers_are_strict(server: Server) -> None:
    with browser(server.url) as fresh:
        answer = fresh.put("/api/me", json={"name": "Anna"})
        words = answer.headers["set-cookie"].lower().replace("; ", ";").split(";")
        assert "httponly" in words and "samesite=lax" in words and "path=/" in words
        for path in ("/", "/docs", "/api/games", "/nope", "/api/me"):
            headers = fresh.get(path).headers
            policy = dict(part.strip().split(" ", 1) for part in headers["content-security-policy"].split(";"))
            assert policy["script-src"] == "'self'" and policy["frame-ancestors"] == "'none'"
            assert headers["x-content-type-options"] == "nosniff"
        docs = fresh.get("/docs").text
        assert "<script" not in docs and "//cdn" not in docs and "/api/tables/{table}" in docs
        assert fresh.get("/api/schema/openapi.json").json()["info"]["title"] == "Cupboard"


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:1"])
def test_other_sites_pages_are_turned_away(server: Server, http: httpx.Client, origin: str) -> None:
    table = lay(http, "jumping-cups", "me", "me")["table"]["id"]
    refused = http.post("/api/tables", headers={"origin": origin}, json={})
    assert (refused.status_code, refused.json()["code"]) == (403, "bad-origin")
    assert http.put("/api/me", headers={"origin": server.url}, json={"name": "A"}).status_code == 200

    async def run() -> None:
        address = f"ws://127.0.0.1:{server.port}/api/tables/{table}/socket"
        with pytest.raises(InvalidStatus) as refusal:
            await connect(address, origin=origin)  # type: ignore[arg-type]
        assert refusal.value.response.status_code == 403
        async with connect(address, origin=server.url):  # type: ignore[arg-type]
            pass

    asyncio.run(run())


def test_what_is_too_large_or_malformed_gets_a_sentence(server: Server, http: httpx.Client) -> None:
    large = http.post("/api/tables", content=b'"' + b"x" * (MAX_BODY + 10) + b'"')
    assert (large.status_code, large.json()["code"]) == (413, "too-large")
    assert large.json()["sentence"].startswith(f"A request may have at most {MAX_BODY:,} bytes.")
    for content in (b"", b"{", b"[]", b"\xff\xfe", b'{"game": 5}', b'{"game": "go", "seats": [{"kind": "me"}]}'):
        answer = http.post("/api/tables", content=content)
        assert 400 <= answer.status_code < 500 and answer.json()["sentence"], content
    table = lay(http, "jumping-cups", "me", "me", options={"starter": "red"})

    async def run() -> None:
        player = await SocketPlayer.sit(server.port, table["table"]["id"], table["keys"][0]["token"])
        for data in ("", "{", "null", '{"type": "move"}', '{"type": "fly"}', b"\xff", "7" * 3000, '{"type": []}'):
            await player.socket.send(data)
            got = await player.receive()
            assert (got["type"], got["code"]) == ("refused", "bad-message"), data
        assert (await player.move("5-6"))["type"] == "update", "the game is untouched"
        await player.socket.send("x" * 5000)
        with pytest.raises(ConnectionClosed) as closed:
            await player.receive()
        assert closed.value.rcvd is not None and closed.value.rcvd.code == 1009
        await player.close()

    asyncio.run(run())


def test_before_hello_nothing_is_said(server: Server, http: httpx.Client) -> None:
    table = lay(http, "jumping-cups", "me", "me")["table"]["id"]

    async def run() -> None:
        async with connect(f"ws://127.0.0.1:{server.port}/api/tables/{table}/socket") as socket:
            await socket.send('{"type": "resign"}')
            assert msgspec.json.decode(await socket.recv())["code"] == "bad-message"
        for path in ("/api/tables/nope/socket", "/api/socket", "/"):
            with pytest.raises(InvalidStatus) as refusal:
                await connect(f"ws://127.0.0.1:{server.port}{path}")
            assert refusal.value.response.status_code == 404

    asyncio.run(run())


def test_guessing_and_creating_are_slowed_down(tmp_path_factory: pytest.TempPathFactory) -> None:
    with serving(tmp_path_factory.mktemp("limited")) as server:
        with browser(server.url) as http:
            made = lay(http, "jumping-cups", "me", "friend")
            address = f"/api/tables/{made['table']['id']}"
            new = {"game": "jumping-cups", "seats": [{"kind": "me"}, {"kind": "me"}]}
            tables = [http.post("/api/tables", json=new).status_code for _ in range(40)]
            assert tables.count(201) < 35 and tables[-1] == 429
            guesses = [http.get(address, headers={"x-seat-token": f"{n:032}"}).json()["code"] for n in range(30)]
            assert guesses[0] == "not-your-seat" and guesses[-1] == "too-many"
            # Guessing too often closes the links for this place, whatever comes next, but hurts no game.
            assert http.get(address).status_code == 200

        async def chatter() -> None:
            player = await SocketPlayer.sit(server.port, made["table"]["id"], made["keys"][0]["token"])
            answers: list[dict[str, Any]] = []
            for _ in range(100):
                await player.send(type="ping")
            try:
                while len(answers) < 100:
                    answers.append(await player.receive())
            except ConnectionClosed:
                pass
            assert "too-many" in {got.get("code") for got in answers}
            await player.close()

        asyncio.run(chatter())
