"""Letting the home network in at run time: only the host can, and whoever is sent away is gone."""

from __future__ import annotations

import asyncio
import http.client
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.server.helpers import Household, Server, SocketPlayer, browser, lay, wait_for
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from cupboard.server import home_network
from cupboard.server.http.network_access import NetworkAccess
from cupboard.server.wire.network import NetworkInfo

LAN = "127.0.0.2"
"""Stands for the computer's address on the home network: to the server it is another address than 127.0.0.1."""


class HouseServer(Server):
    """A server on a computer with a home network. What it tells the terminal goes to a file."""

    program = """
import sys
from pathlib import Path
from cupboard.server import home_network
from cupboard.server.run import listen, serve
from cupboard.server.settings import ServerSettings
home_network.home_address = lambda: ADDRESS
folder = Path(sys.argv[1])
sock = listen("127.0.0.1", int(sys.argv[2]))
def started():
    print(sock.getsockname()[1], flush=True)
def told(text):
    with (folder / "told").open("a") as file:
        print(text, file=file)
serve(ServerSettings(data=folder, **eval(sys.argv[3])), sock, started, network_told=told)
""".replace("ADDRESS", repr(LAN))

    @property
    def told(self) -> list[str]:
        file = self.data / "told"
        return file.read_text().splitlines() if file.is_file() else []

    @property
    def lan_url(self) -> str:
        return f"http://{LAN}:{self.port}"


class LonelyServer(HouseServer):
    """A server on a computer without a home network."""

    program = HouseServer.program.replace(repr(LAN), repr(""))


def _run(server: Server) -> Iterator[Any]:
    try:
        yield server
    finally:
        server.stop()


@pytest.fixture
def house(tmp_path: Path) -> Iterator[HouseServer]:
    yield from _run(HouseServer(tmp_path))


@pytest.fixture
def host(house: HouseServer) -> Iterator[httpx.Client]:
    """The host's page: on the server's computer, at its loopback address."""
    with browser(house.url) as client:
        yield client


@pytest.fixture(scope="module")
def shut(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HouseServer]:
    """One server for all tests in which nothing may be opened."""
    yield from _run(HouseServer(tmp_path_factory.mktemp("data")))


@pytest.fixture
def visitor(shut: HouseServer) -> Iterator[httpx.Client]:
    """A program on the computer of that server."""
    with browser(shut.url) as client:
        yield client


@pytest.fixture
def guest(house: HouseServer) -> Iterator[httpx.Client]:
    """Somebody on the home network. Every request has a connection of its own, as a closed one cannot be used again."""
    with browser(house.lan_url, headers={"connection": "close"}) as client:
        yield client


def change(client: httpx.Client, is_open: Any, **headers: str) -> httpx.Response:
    return client.post("/api/network", json={"open": is_open}, headers=headers)


def test_at_first_only_this_computer_reaches_the_server(host: httpx.Client, guest: httpx.Client) -> None:
    assert host.get("/api/network").json() == {"only_here": True, "yours": True, "possible": True}
    with pytest.raises(httpx.ConnectError):
        guest.get("/api/health")


def test_the_host_lets_the_home_network_in_and_sends_it_away(
    house: HouseServer, host: httpx.Client, guest: httpx.Client
) -> None:
    opened = change(host, True)
    assert opened.status_code == 200
    assert opened.json() == {"yours": True, "possible": True, "opened": True, "address": house.lan_url}
    assert house.told == [house.lan_url]
    made = lay(guest, "jumping-cups", "me", "bot")
    assert host.get(f"/api/tables/{made['table']['id']}").status_code == 200, "it is one server"
    closed = change(host, False)
    assert closed.json() == {"only_here": True, "yours": True, "possible": True}
    assert house.told == [house.lan_url, ""]
    with pytest.raises(httpx.ConnectError):
        guest.get("/api/health")
    assert change(host, True).json()["address"] == house.lan_url and guest.get("/api/health").status_code == 200
    assert guest.get("/api/network").json() == {"opened": True}, "a guest is not told the address, which they have"


def test_opening_and_closing_twice_changes_nothing(house: HouseServer, host: httpx.Client) -> None:
    assert change(host, False).json()["only_here"]
    assert change(host, True).json() == change(host, True).json()
    assert house.told == [house.lan_url]
    assert change(host, False).json() == change(host, False).json()


def test_another_port_is_found_when_that_one_is_taken(house: HouseServer, host: httpx.Client) -> None:
    with socket.socket() as busy:
        busy.bind((LAN, house.port))
        busy.listen()
        address = change(host, True).json()["address"]
    assert address != house.lan_url
    with browser(address) as client:
        assert client.get("/api/health").status_code == 200


def test_whoever_is_sent_away_loses_connections_and_those_here_keep_theirs(
    house: HouseServer, host: httpx.Client
) -> None:
    change(host, True)
    made = lay(host, "jumping-cups", "me", "friend")
    table, token = made["table"]["id"], made["keys"][0]["token"]

    async def scenario() -> None:
        here = await SocketPlayer.sit(house.port, table, token)
        away = await connect(
            f"ws://{LAN}:{house.port}/api/tables/{table}/socket",
            compression=None,
            local_addr=(Household.address, 0),
        )
        await away.send('{"type": "hello", "version": 0}')
        await away.recv()
        await asyncio.to_thread(change, host, False)
        with pytest.raises(ConnectionClosed):
            while True:
                await asyncio.wait_for(away.recv(), 5)
        answer = await here.say(type="chat", text="still here")
        assert answer["type"] == "update"
        await here.close()

    asyncio.run(scenario())


def test_connections_that_have_said_nothing_or_half_of_it_end_too(house: HouseServer, host: httpx.Client) -> None:
    change(host, True)
    with socket.create_connection((LAN, house.port)) as idle, socket.create_connection((LAN, house.port)) as half:
        half.sendall(b"GET / HTTP/1.1\r\nHost: x")
        change(host, False)
        for client in (idle, half):
            client.settimeout(5)
            assert client.recv(1000) == b""


def test_a_guest_of_the_home_network_can_neither_open_nor_close(
    house: HouseServer, host: httpx.Client, guest: httpx.Client
) -> None:
    change(host, True)
    own = f"127.0.0.1:{house.port}"
    forgeries: list[dict[str, str]] = [
        {},
        {"host": own},
        {"host": own, "origin": f"http://{own}"},
        {"host": "localhost"},
        {"x-forwarded-for": "127.0.0.1", "host": own},
        {"forwarded": "for=127.0.0.1;host=localhost", "host": own},
        {"x-real-ip": "127.0.0.1", "host": own},
    ]
    for headers in forgeries:
        for wanted in (True, False):
            refused = change(guest, wanted, **headers)
            assert (refused.status_code, refused.json()["code"]) == (403, "not-the-host"), headers
        assert "yours" not in guest.get("/api/network", headers=headers).json()
    assert host.get("/api/network").json()["opened"]


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},  # another site's page
        {"origin": "http://127.0.0.1:1"},  # the page of another program on this computer
        {"host": "evil.example", "origin": "http://evil.example"},  # a name that was made to lead here
        {"host": "192.168.1.2"},
        {"host": "evil.localhost"},
        {"x-forwarded-for": "203.0.113.9"},
        {"x-forwarded-host": "games.example.org"},
        {"forwarded": "for=203.0.113.9"},
        {"via": "1.1 proxy"},
        {"x-real-ip": "203.0.113.9"},
    ],
)
def test_what_comes_by_another_site_name_or_proxy_is_not_the_host(
    visitor: httpx.Client, headers: dict[str, str]
) -> None:
    refused = change(visitor, True, **headers)
    assert refused.status_code in (403, 421)
    assert visitor.get("/api/network").json()["only_here"]


def test_behind_a_proxy_the_switch_is_off(tmp_path: Path) -> None:
    server = HouseServer(tmp_path, https=True)
    try:
        with browser(server.url) as client:
            assert client.get("/api/network").json() == {}
            assert change(client, True).json()["code"] == "not-the-host"
    finally:
        server.stop()


def test_without_a_home_network_it_says_so(tmp_path: Path) -> None:
    server = LonelyServer(tmp_path)
    try:
        with browser(server.url) as client:
            assert client.get("/api/network").json() == {"only_here": True, "yours": True}
            refused = change(client, True)
            assert (refused.status_code, refused.json()["code"]) == (409, "no-network")
            assert "home network" in refused.json()["sentence"] and not server.told
    finally:
        server.stop()


NO_WISHES = ["", "true", "[]", "{}", '{"open": "yes"}', '{"open": null}', '{"open": []}', "[" * 5000]


@pytest.mark.parametrize("body", NO_WISHES)
def test_what_is_no_wish_is_refused(visitor: httpx.Client, body: str) -> None:
    answer = visitor.post("/api/network", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 400
    assert visitor.get("/api/network").json()["only_here"]


def test_a_get_changes_nothing_and_many_wishes_are_slowed_down(visitor: httpx.Client) -> None:
    assert visitor.get("/api/network?open=true").json()["only_here"]
    answers = [change(visitor, False).status_code for _ in range(25)]
    assert answers[0] == 200 and answers[-1] == 429


def test_opening_from_many_pages_at_once_opens_one_socket(house: HouseServer, host: httpx.Client) -> None:
    from_here = (Household.address, 0)
    pages = [http.client.HTTPConnection("127.0.0.1", house.port, source_address=from_here) for _ in range(8)]
    for page in pages:
        page.request("POST", "/api/network", '{"open": true}', {"Content-Type": "application/json"})
    for page in pages:
        assert page.getresponse().status == 200
        page.close()
    assert house.told == [house.lan_url]
    change(host, False)
    with pytest.raises(OSError):
        socket.create_connection((LAN, house.port))


def test_the_server_ends_quietly_while_the_home_network_is_in(house: HouseServer, host: httpx.Client) -> None:
    change(host, True)
    idle = socket.create_connection((LAN, house.port))
    assert house.stop() == 0
    wait_for(lambda: idle.recv(10) == b"")
    idle.close()


class _Listeners:
    async def listen_also(self, host: str, port: int) -> int:
        return port

    async def stop_listening(self, host: str, port: int) -> None:
        pass


def _scope(client: str | None = "127.0.0.1", server: str = "127.0.0.1", **headers: str) -> dict[str, Any]:
    sent = {"host": "localhost:8000"} | headers
    raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in sent.items()]
    return {"client": client and (client, 5), "server": (server, 8000), "headers": raw}


def _access(host: str) -> NetworkAccess:
    access = NetworkAccess(behind_proxy=False)
    access.begin((host, 8000), _Listeners(), lambda _: None)
    return access


ELSEWHERE = ["192.168.1.9", "203.0.113.9", "::ffff:192.168.1.9", "fe80::1%eth0", "nonsense", None]


@pytest.mark.parametrize("client", ELSEWHERE)
def test_an_address_elsewhere_is_not_the_host(client: str | None) -> None:
    assert _access("127.0.0.1").info(_scope(client)) == NetworkInfo()


HERE = [("127.0.0.1", "127.0.0.1"), ("::1", "::1"), ("::ffff:127.0.0.1", "::1")]


@pytest.mark.parametrize(("client", "server"), HERE)
def test_the_hosts_page_may_use_any_loopback_address(client: str, server: str) -> None:
    for name in ("localhost:8000", "127.0.0.1:8000", "[::1]:8000", "LOCALHOST"):
        assert _access(server).info(_scope(client, server, host=name)).yours


def test_a_server_that_listens_everywhere_tells_its_address_and_has_no_switch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(home_network, "home_address", lambda: "192.168.1.2")
    assert _access("0.0.0.0").info(_scope()) == NetworkInfo(address="http://192.168.1.2:8000")
    assert _access("192.168.1.7").info(_scope()) == NetworkInfo(address="http://192.168.1.7:8000")
    assert _access("0.0.0.0").info(_scope("192.168.1.9", "192.168.1.2")) == NetworkInfo()


@pytest.mark.parametrize("address", ["192.168.1.2", "10.0.0.5", "172.16.3.4"])
def test_a_private_address_is_a_home_network(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    monkeypatch.setattr(home_network, "lan_address", lambda: address)
    assert home_network.home_address() == address


@pytest.mark.parametrize("address", ["127.0.0.1", "8.8.8.8", "169.254.1.1"])
def test_an_address_of_all_the_internet_or_of_nobody_is_no_home_network(
    monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    monkeypatch.setattr(home_network, "lan_address", lambda: address)
    assert home_network.home_address() == ""
