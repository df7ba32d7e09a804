"""Behind a proxy everybody counts as who they are, and nobody as who they say they are."""

from __future__ import annotations

import asyncio
import http.client
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.server.helpers import SERVE, Household, Server, browser, lay, serving, wait_for
from tests.server.http.test_forwarded import RFC, XFF
from tests.server.program import running
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidStatus

from cupboard.server.settings import LimitSettings


class NarrowServer(Server):
    """A server whose addresses may have five connections and three sockets each."""

    program = SERVE.replace("extra = ", "from cupboard.server.settings import LimitSettings\nextra = ")

    def __init__(self, data: Path, **settings: Any) -> None:
        super().__init__(data, limits=LimitSettings(connections=5, sockets=3), **settings)


PROXY = "127.0.9.1"
TABLE = {"game": "jumping-cups", "seats": [{"kind": "me"}, {"kind": "me"}]}


@pytest.fixture(scope="module")
def proxied(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server behind a proxy that has an address of its own."""
    with serving(tmp_path_factory.mktemp("data"), behind_proxy=("127.0.9.0/24",)) as running_:
        yield running_


@contextmanager
def narrow(folder: Path) -> Iterator[Server]:
    server = NarrowServer(folder, behind_proxy=(PROXY,))
    try:
        yield server
    finally:
        server.stop()


def through(server: Server, **more: Any) -> httpx.Client:
    """What the proxy sends on, whoever asked it."""
    return httpx.Client(base_url=server.url, transport=httpx.HTTPTransport(local_address=PROXY), timeout=180, **more)


def visitors(count: int) -> list[str]:
    """Addresses of people on the internet, which no other test has used."""
    own, home = (int(part) for part in Household.address.split(".")[:1:-1])
    return [f"2001:db8:{home:x}:{own:02x}{n:02x}::1" for n in range(count)]


@pytest.mark.parametrize("header", [XFF, RFC])
def test_sixty_visitors_through_one_proxy_are_sixty(proxied: Server, header: str) -> None:
    with through(proxied) as proxy:
        for visitor in visitors(60):
            said = {header: visitor if header == XFF else f'for="[{visitor}]:4711";proto=https'}
            proxy.cookies.clear()
            assert [proxy.post("/api/tables", json=TABLE, headers=said).status_code for _ in range(2)] == [201, 201]


def test_one_visitor_through_the_proxy_is_slowed_down_alone(proxied: Server) -> None:
    one, other = visitors(2)
    with through(proxied) as proxy:
        answers = []
        for _ in range(150):
            answers.append(proxy.post("/api/tables", json=TABLE, headers={XFF: one}).status_code)
            proxy.cookies.clear()
        assert answers[0] == 201 and answers[-1] == 429
        assert proxy.post("/api/tables", json=TABLE, headers={XFF: other}).status_code == 201


@pytest.mark.parametrize("header", [XFF, RFC])
def test_whoever_claims_to_be_many_counts_as_one(proxied: Server, header: str) -> None:
    """Past the proxy, and through it: what a stranger writes stands left of what the proxy writes."""
    own = visitors(1)[0]
    with browser(proxied.url) as past, through(proxied) as proxy:
        for client, tail in ((past, ""), (proxy, f", {own}" if header == XFF else f', for="[{own}]"')):
            answers = []
            for n in range(150):
                claimed = f"10.9.8.{n}" if header == XFF else f"for=10.9.8.{n}"
                answers.append(client.post("/api/tables", json=TABLE, headers={header: claimed + tail}).status_code)
                client.cookies.clear()
            assert answers[-1] == 429, tail


@pytest.mark.parametrize(
    "headers",
    [
        {XFF: "unknown"},
        {XFF: "_hidden,"},
        {XFF: "a:b:c:d"},
        {XFF: "," * 5000},
        {XFF: "10.0.0.1," * 1200},
        {XFF: "\xff\xfe\x80"},
        {RFC: 'for="'},
        {RFC: "for=_secret;proto=https"},
        {RFC: 'for="[::1' + ":" * 3000},
        {RFC: "for=10.1.1.1", XFF: "10.2.2.2"},
    ],
    ids=str,
)
def test_what_a_proxy_cannot_mean_is_answered_all_the_same(proxied: Server, headers: dict[str, str]) -> None:
    with through(proxied) as proxy:
        raw = [(name.encode(), value.encode("latin-1")) for name, value in headers.items()]
        assert proxy.get("/api/games", headers=raw).status_code == 200
        assert proxy.get("/api/network", headers=raw).json() == {}, "nobody behind a proxy is the host"


async def sit(server: Server, table: str, source: str, **headers: str) -> ClientConnection:
    return await connect(
        f"ws://127.0.0.1:{server.port}/api/tables/{table}/socket",
        additional_headers=headers,
        compression=None,
        local_addr=(source, 0),
    )


def test_sockets_through_the_proxy_count_by_who_is_behind_it(tmp_path: Path) -> None:
    async def run(server: Server, table: str) -> None:
        one, other = visitors(2)
        open_ = [await sit(server, table, PROXY, **{XFF: one}) for _ in range(3)]
        with pytest.raises(InvalidStatus) as refusal:
            await sit(server, table, PROXY, **{XFF: one})
        assert refusal.value.response.status_code == 429
        open_ += [await sit(server, table, PROXY, **{XFF: other}) for _ in range(3)]
        await open_.pop(0).close()
        await asyncio.sleep(0.1)
        open_.append(await sit(server, table, PROXY, **{XFF: one}))
        stranger = Household.address
        open_ += [await sit(server, table, stranger, **{XFF: f"10.9.8.{n}"}) for n in range(3)]
        with pytest.raises(InvalidStatus):
            await sit(server, table, stranger, **{XFF: "10.9.8.99"})
        for socket_ in open_:
            await socket_.close()

    with narrow(tmp_path) as server, through(server) as proxy:
        table = lay(proxy, "jumping-cups", "me", "me")["table"]["id"]
        asyncio.run(run(server, table))


def test_a_proxys_connections_have_no_cap_and_a_strangers_have(tmp_path: Path) -> None:
    def answered(stack: ExitStack, server: Server, source: str) -> int:
        link = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30, source_address=(source, 0))
        stack.callback(link.close)
        link.request("GET", "/api/health")
        answer = link.getresponse()
        answer.read()
        return answer.status

    with narrow(tmp_path) as server, ExitStack() as stack:
        assert [answered(stack, server, PROXY) for _ in range(30)] == [200] * 30
        assert [answered(stack, server, Household.address) for _ in range(6)] == [200] * 5 + [429]
        stack.close()
        wait_for(lambda: answered(stack, server, Household.address) == 200)


def test_a_proxys_connection_may_rest_and_a_strangers_may_not(tmp_path: Path) -> None:
    """A proxy would lose what it sends at the moment at which the connection is closed."""
    with serving(tmp_path, behind_proxy=(PROXY,), header_seconds=0.3) as server:
        links = [
            http.client.HTTPConnection("127.0.0.1", server.port, timeout=30, source_address=(source, 0))
            for source in (PROXY, Household.address)
        ]
        for link in links:
            link.request("GET", "/api/health")
            assert link.getresponse().read()
        time.sleep(0.8)
        links[0].request("GET", "/api/health")
        assert links[0].getresponse().status == 200
        assert links[1].sock is not None and _has_ended(links[1].sock)
        for link in links:
            link.close()


def _has_ended(sock: socket.socket) -> bool:
    try:
        return sock.recv(1) == b""
    except ConnectionResetError:
        return True


def test_a_proxy_nobody_declared_is_in_the_log_once_with_the_cure(tmp_path: Path) -> None:
    with running(tmp_path, "--port", _free()) as program, httpx.Client(base_url=program.url) as client:
        for n in range(50):
            assert client.get("/api/health", headers={XFF: f"203.0.113.{n}"}).status_code == 200
    (line,) = program.advice
    assert "start with --behind-proxy 127.0.0.1" in line


def _free() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


# A wrong name.

PAGE = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


def test_a_browser_under_a_wrong_name_is_shown_a_page_with_the_cure(server: Server, http: httpx.Client) -> None:
    answer = http.get("/t/abc", headers=PAGE | {"host": "games.example"})
    assert answer.status_code == 421 and answer.headers["content-type"].startswith("text/html")
    for line in (
        "<h1>This server is not called games.example</h1>",
        "<pre>cupboard serve --host-name games.example</pre>",
        "proxy_set_header Host $http_host;",
        "proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;",
        "header_up Host {hostport}",
        "<pre>cupboard serve --behind-proxy</pre>",
    ):
        assert line in answer.text, line
    german = http.get("/", headers=PAGE | {"host": "games.example", "accept-language": "de-AT,en;q=0.5"})
    assert '<html lang="de">' in german.text and "Dieser Server heißt nicht games.example" in german.text
    for headers in ({}, {"accept": "application/json"}):
        assert http.get("/api/me", headers=headers | {"host": "games.example"}).json()["code"] == "unknown-host"
    assert http.post("/", headers=PAGE | {"host": "games.example"}).json()["code"] == "unknown-host"
    assert http.head("/", headers=PAGE | {"host": "games.example"}).content == b""


@pytest.mark.parametrize(
    "host", ["<script>alert(1)</script>", "$(reboot)", "x" * 3000, "a;b", "\xff\x9b31m", '"onload="x']
)
def test_a_strangers_name_on_the_page_does_nothing(http: httpx.Client, host: str) -> None:
    raw = [(b"host", host.encode("latin-1")), (b"accept", b"text/html")]
    answer = http.get("/", headers=raw)
    assert answer.status_code == 421 and len(answer.content) < 5000
    assert "<script" not in answer.text and '"onload' not in answer.text
    assert "<pre>cupboard serve --host-name NAME</pre>" in answer.text, "nobody is to copy that into a shell"
    (policy,) = answer.headers.get_list("content-security-policy")
    assert policy.startswith("default-src 'none'; style-src 'sha256-") and "frame-ancestors 'none'" in policy


def test_a_proxy_that_keeps_the_name_for_itself_is_told_on_the_page_and_in_the_log(tmp_path: Path) -> None:
    """As nginx does with `proxy_pass http://127.0.0.1:8000` and nothing more: the page loads, and nothing works."""
    with running(tmp_path, "--port", _free()) as program, httpx.Client(base_url=program.url) as client:
        for _ in range(20):
            answer = client.post("/api/tables", json=TABLE, headers={"origin": "https://games.example"})
            assert (answer.status_code, answer.json()["code"]) == (403, "bad-origin")
            assert "its proxy must pass on the Host header" in answer.json()["sentence"]
            assert "https://games.example" in answer.json()["sentence"]
            for path in ("/", "/api/games"):
                assert client.get(path, headers=PAGE | {"host": "upstream"}).status_code == 421
    origin, name = sorted(program.advice)
    assert "A page of 'https://games.example' was refused (403)" in origin and "proxy_set_header Host" in origin
    assert "A request for 'upstream' was refused (421)" in name and "--host-name upstream" in name


def test_a_page_of_another_site_is_no_proxys_fault(tmp_path: Path) -> None:
    with (
        running(tmp_path, "--port", _free(), "--host-name", "games.example") as program,
        httpx.Client(base_url=program.url, headers={"host": "games.example"}) as client,
    ):
        assert client.post("/api/tables", json=TABLE, headers={"origin": "http://evil.example"}).status_code == 403
    assert program.advice == []
