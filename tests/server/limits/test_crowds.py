"""Slow clients and crowds: who takes too long is cut off, who opens too much is refused, and nobody else notices."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import httpx
import msgspec
import pytest
from tests.server.helpers import Household, Server, SocketPlayer, browser, lay, serving, wait_for
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from cupboard.server.http.hosts import Hosts
from cupboard.server.limits.connections import ConnectionLimit
from cupboard.server.limits.rates import HOME
from cupboard.server.settings import ServerSettings
from cupboard.server.socket.handler import _MOST_AT_A_SEAT, TOO_MANY_WINDOWS

SHIPPED = ServerSettings(data=Path())


@contextmanager
def raw(server: Server, address: str) -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", server.port), 30, (address, 0)) as opened:
        yield opened


def until_closed(opened: socket.socket, dripping: bytes = b"", every: float = 0.3) -> tuple[float, bytes]:
    """Send a byte now and then; how many seconds it took until the server hung up, and what it said."""
    began, heard, at = time.monotonic(), b"", 0
    opened.settimeout(every)
    with suppress(ConnectionError):
        while time.monotonic() - began < 40:
            try:
                got = opened.recv(65_536)
                if not got:
                    break
                heard += got
            except TimeoutError:
                opened.sendall(dripping[at : at + 1])
                at += 1
    return time.monotonic() - began, heard


def test_slow_clients_are_cut_off_in_time_and_others_do_not_notice(server: Server, http: httpx.Client) -> None:
    def headers(address: str) -> tuple[float, bytes]:
        with raw(server, address) as opened:
            return until_closed(opened, b"GET /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\n" + b"X: y\r\n" * 1000)

    def silence(address: str) -> tuple[float, bytes]:
        with raw(server, address) as opened:
            return until_closed(opened)

    def body(address: str) -> tuple[float, bytes]:
        with raw(server, address) as opened:
            opened.sendall(b"POST /api/tables HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 10000\r\n\r\n")
            return until_closed(opened, b" " * 10_000)

    def next_headers(address: str) -> tuple[float, bytes]:
        with raw(server, address) as opened:
            opened.sendall(b"GET /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            return until_closed(opened, b"GET /api/games HTTP/1.1\r\n" + b"X: y\r\n" * 1000)

    def body_of_a_refused_request(address: str) -> tuple[float, bytes]:
        with raw(server, address) as opened:
            opened.sendall(b"POST /nowhere HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 10000\r\n\r\n")
            return until_closed(opened, b" " * 10_000)

    slow: list[Callable[[str], tuple[float, bytes]]] = [headers, silence, next_headers, body_of_a_refused_request, body]
    strangers = Household.move()
    with ThreadPoolExecutor(5) as threads:
        running = [threads.submit(one, strangers) for one in slow]
        while not all(one.done() for one in running):
            began = time.monotonic()
            assert http.get("/api/me").status_code == 200
            assert time.monotonic() - began < SHIPPED.header_seconds / 2, "nobody waits for them"
            time.sleep(0.2)
    for one, (took, _) in zip(slow, (done.result() for done in running), strict=True):
        limit = SHIPPED.body_seconds if one is body else SHIPPED.header_seconds
        assert took < limit + 15, one.__name__
    said = running[-1].result()[1]
    assert (
        said.startswith(b"HTTP/1.1 408") and msgspec.json.decode(said.partition(b"\r\n\r\n")[2])["code"] == "too-slow"
    )


def test_who_does_not_read_an_answer_is_cut_off(tmp_path: Path) -> None:
    with serving(tmp_path, header_seconds=0.5) as server, raw(server, Household.address) as opened:
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        request = b"GET /api/schema/openapi.json HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
        opened.settimeout(0.3)
        began = time.monotonic()
        with pytest.raises(ConnectionError):
            while time.monotonic() - began < 20:
                with suppress(TimeoutError):
                    opened.sendall(request * 20)
                time.sleep(0.1)


def test_who_reads_slowly_gets_the_whole_answer(tmp_path: Path) -> None:
    with serving(tmp_path, header_seconds=0.5) as server, raw(server, Household.address) as opened:
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 16_384)
        opened.sendall(b"GET /api/schema/openapi.json HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        heard, began = b"", time.monotonic()
        while got := opened.recv(4096):
            heard += got
            time.sleep(0.02)
        head, _, body = heard.partition(b"\r\n\r\n")
        assert f"content-length: {len(body)}".encode() in head.lower() and time.monotonic() - began > 0.1


def test_connections_of_one_address_have_a_cap_and_another_address_is_served(server: Server) -> None:
    crowded = Household.address
    with ExitStack() as held:
        for _ in range(SHIPPED.limits.most_connections):
            held.enter_context(raw(server, crowded))
        for _ in range(300 - SHIPPED.limits.most_connections):
            refused = held.enter_context(raw(server, crowded))
            refused.sendall(b"GET /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            _, said = until_closed(refused)
            assert said.startswith(b"HTTP/1.1 429") and b'"code":"too-many"' in said
        Household.move()
        with browser(server.url) as other:
            began = time.monotonic()
            assert all(other.get("/api/games").status_code == 200 for _ in range(5))
            assert time.monotonic() - began < SHIPPED.header_seconds / 2, "nobody waits for them"
    Household.address = crowded

    def is_welcome() -> bool:
        with browser(server.url) as again:
            return again.get("/api/games").status_code == 200

    wait_for(is_welcome)


def address_of(server: Server, table: str) -> str:
    return f"ws://127.0.0.1:{server.port}/api/tables/{table}/socket"


async def open_sockets(server: Server, table: str, count: int) -> list[ClientConnection]:
    url, here = address_of(server, table), (Household.address, 0)
    return [await connect(url, compression=None, local_addr=here) for _ in range(count)]


def test_sockets_of_one_address_have_a_cap(server: Server, http: httpx.Client) -> None:
    table = lay(http, "jumping-cups", "me", "me")["table"]["id"]

    async def run() -> None:
        sockets = await open_sockets(server, table, SHIPPED.limits.most_sockets)
        with pytest.raises(InvalidStatus) as refusal:
            await open_sockets(server, table, 1)
        assert refusal.value.response.status_code == 429
        assert msgspec.json.decode(refusal.value.response.body)["code"] == "too-many"
        crowded, _ = Household.address, Household.move()
        sockets += await open_sockets(server, table, 1)
        Household.address = crowded
        with pytest.raises(InvalidStatus) as unknown:
            await open_sockets(server, "nowhere", 1)
        assert unknown.value.response.status_code == 429, "it is not even looked for"
        for socket_ in sockets:
            await socket_.close()
        await asyncio.sleep(0.1)
        for _ in range(3):  # refusals and sockets that have gone do not count
            with pytest.raises(InvalidStatus) as missing:
                await open_sockets(server, "nowhere", 1)
            assert missing.value.response.status_code == 404
        again = await open_sockets(server, table, SHIPPED.limits.most_sockets)
        for socket_ in again:
            await socket_.close()

    asyncio.run(run())


def test_a_class_of_25_with_two_tabs_each_fits_behind_one_address(server: Server, http: httpx.Client) -> None:
    table = lay(http, "jumping-cups", "me", "me")["table"]["id"]

    async def run() -> None:
        with ExitStack() as held:
            for _ in range(25 * 6):
                held.enter_context(raw(server, Household.address))
            dead = await open_sockets(server, table, 50)  # before the network was lost, say
            back = await open_sockets(server, table, 50)
            assert http.get("/api/games").status_code == 200
            for socket_ in dead + back:
                await socket_.close()

    asyncio.run(run())


def test_a_seat_in_too_many_windows_keeps_the_newest(server: Server, http: httpx.Client) -> None:
    made = lay(http, "jumping-cups", "me", "me", options={"starter": "red"})

    async def run() -> None:
        token = made["keys"][0]["token"]
        other = await SocketPlayer.sit(server.port, made["table"]["id"], made["keys"][1]["token"])
        players = [await SocketPlayer.sit(server.port, made["table"]["id"], token) for _ in range(_MOST_AT_A_SEAT + 2)]
        for old in players[:2]:
            with pytest.raises(ConnectionClosed) as closed:
                while True:
                    await old.receive()
            assert closed.value.rcvd is not None and closed.value.rcvd.code == TOO_MANY_WINDOWS
        assert (await players[-1].move("5-6"))["type"] == "update"
        for player in players[2:]:
            assert (await player.say(type="ping"))["type"] == "pong"
        assert (await other.say(type="ping"))["type"] == "pong"
        for player in [other, *players[2:]]:
            await player.close()

    asyncio.run(run())


def test_a_body_without_a_length_is_refused(server: Server, http: httpx.Client) -> None:
    def chunks() -> Iterator[bytes]:
        yield from [b"{"] * 1000

    answer = http.post("/api/tables", content=chunks())
    assert (answer.status_code, answer.json()["code"]) == (411, "no-length")


def test_addresses_are_counted_and_forgotten() -> None:
    limit = ConnectionLimit(2)
    assert limit.enter("10.0.0.1") and limit.enter("10.0.0.1") and not limit.enter("10.0.0.1")
    assert limit.enter("10.0.0.2")
    limit.leave("10.0.0.1")
    assert limit.enter("10.0.0.1") and not limit.enter("::ffff:10.0.0.1")
    assert limit.enter("2001:db8::1") and limit.enter("2001:db8::2:3") and not limit.enter("2001:db8::4")
    assert limit.enter("2001:db8:0:1::4"), "another network"
    for address in ("10.0.0.1", "10.0.0.1", "10.0.0.2", "2001:db8::9", "2001:db8::9", "2001:db8:0:1::4"):
        limit.leave(address)
    assert not limit._open


@pytest.mark.parametrize("https", [True, False])
def test_behind_a_proxy_it_is_the_clients_address_that_counts(tmp_path: Path, https: bool) -> None:
    new = {"game": "jumping-cups", "seats": [{"kind": "me"}, {"kind": "me"}]}
    with serving(tmp_path, https=https) as server:
        answers = [
            httpx.post(f"{server.url}/api/tables", headers={"x-forwarded-for": f"10.0.0.{n}"}, json=new).status_code
            for n in range(HOME["guests"][0] + 10)
        ]
    assert (429 not in answers) == https, "without --https nobody may claim to be somebody else"


# What the server is called.


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "127.0.0.1:8000",
        "192.168.1.7:8000",
        "[::1]:8000",
        "[::1]",
        "localhost",
        "LOCALHOST:80",
        "a.localhost",
    ],
)
def test_addresses_and_loopback_names_are_always_ours(host: str) -> None:
    assert Hosts().allows(host.encode())


def test_names_are_ours_when_the_server_was_told() -> None:
    hosts = Hosts(["Games.example.org", "192.168.1.7"])
    assert hosts.allows(b"games.example.org:8443") and hosts.allows(b"GAMES.example.org.")
    assert hosts.allows(socket.gethostname().encode()) and hosts.allows(None)
    for host in (
        b"evil.example",
        b"games.example.org.evil.example",
        b"127.0.0.1.evil.example",
        b"evil.example:80",
        b"",
    ):
        assert not hosts.allows(host), host
    assert Hosts(["*"]).allows(b"evil.example")


def test_a_request_for_another_name_is_misdirected(server: Server, http: httpx.Client) -> None:
    table = lay(http, "jumping-cups", "me", "me")["table"]["id"]
    for path in ("/", "/api/games", f"/api/tables/{table}/events"):
        answer = http.get(path, headers={"host": "evil.example:8000"})
        assert (answer.status_code, answer.json()["code"]) == (421, "unknown-host"), path
        assert answer.json()["sentence"].endswith("cupboard serve --host-name evil.example")
    assert http.get("/api/games", headers={"host": f"localhost:{server.port}"}).status_code == 200

    async def run() -> None:
        with pytest.raises(InvalidStatus) as refusal:
            # A page of evil.example whose name leads here: origin and host agree.
            async with connect(
                f"ws://evil.example:{server.port}/api/tables/{table}/socket",
                host="127.0.0.1",
                origin=f"http://evil.example:{server.port}",  # type: ignore[arg-type]
            ):
                pass
        assert refusal.value.response.status_code == 421

    asyncio.run(run())


def test_more_names_can_be_allowed(tmp_path: Path) -> None:
    with serving(tmp_path, hosts=("games.example.org",)) as server, browser(server.url) as http:
        assert http.get("/api/games", headers={"host": "games.example.org"}).status_code == 200
        assert http.get("/api/games", headers={"host": "other.example.org"}).status_code == 421
