"""A server that is called https://games.example/cupboard/ behind a proxy, which takes /cupboard off or leaves it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator

import httpx
import pytest
from tests.server.helpers import Server, SocketPlayer, browser, lay, serving
from tests.server.http.test_previews import tags
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from cupboard.server.http.api import MOST_EVENTS
from cupboard.server.http.visitor import cookie_of

URL = "https://games.example/cupboard"
HOST = {"host": "games.example"}
KEPT = ("", "/cupboard")
"""What a proxy leaves of the path."""


@pytest.fixture(scope="module")
def called(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("data"), url=f"{URL}/") as server:
        yield server


@pytest.fixture
def proxy(called: Server) -> Iterator[httpx.Client]:
    """What the proxy sends on."""
    with browser(called.url, headers=HOST) as client:
        yield client


@pytest.fixture(scope="module")
def long_table(called: Server) -> str:
    """A table whose log has more than a page."""
    with browser(called.url) as http:
        table: str = lay(http, "chinese-checkers", "bot:random", "bot:random")["table"]["id"]

    async def watch() -> None:
        watcher = await SocketPlayer.sit(called.port, table)
        while watcher.version < MOST_EVENTS + 20 and watcher.update["status"] != "over":
            await watcher.until("update")
        await watcher.close()

    asyncio.run(watch())
    return table


@pytest.mark.parametrize("kept", KEPT)
def test_everything_is_there_whether_or_not_the_proxy_leaves_the_path(proxy: httpx.Client, kept: str) -> None:
    for path in ("/", "/api/games", "/docs", "/docs.css", "/icon.svg", "/manifest.webmanifest", "/sw.js", "/learn"):
        assert proxy.get(kept + path).status_code == 200, path
    seats = [{"kind": "me"}, {"kind": "me"}]
    assert proxy.post(f"{kept}/api/tables", json={"game": "jumping-cups", "seats": seats}).status_code == 201
    for path in ("/nope", "/cupboarddocs", "/cupboard/cupboard/api/games", "//api/games/x/y"):
        assert proxy.get(kept + path).status_code == 404, path


def test_without_its_last_slash_the_address_leads_to_the_one_with_it(proxy: httpx.Client) -> None:
    answer = proxy.get("/cupboard?a=%0d%0ab")
    assert (answer.status_code, answer.headers["location"]) == (307, "/cupboard/?a=%0d%0ab")
    assert answer.headers["x-content-type-options"] == "nosniff" and "cache-control" not in answer.headers
    assert proxy.get("/cupboard").headers["location"] == "/cupboard/"
    strange = proxy.get("/cupboard", headers={"host": "evil.example"})
    assert strange.json()["code"] == "unknown-host", "strangers are led nowhere"


@pytest.mark.parametrize("kept", KEPT)
def test_every_address_in_a_page_is_under_the_path(proxy: httpx.Client, kept: str) -> None:
    table = lay(proxy, "jumping-cups", "me", "me")["table"]["id"]
    for path in ("/", f"/t/{table}", "/explore/jumping-cups", "/learn/jumping-cups", "/docs", f"/embed/t/{table}"):
        html = proxy.get(kept + path).text
        linked = [url for url in re.findall(r"""\b(?:href|src)=["']?([^"' >]+)""", html) if not url.startswith("#")]
        assert linked and all(url.startswith("/cupboard/") for url in linked), path
        assert path == "/docs" or f'<meta name="cupboard-url" content="{URL}" />' in html
    for url in linked:
        assert proxy.get(kept + url.removeprefix("/cupboard")).status_code == 200, url


def test_at_the_root_of_a_site_the_page_is_as_if_nobody_had_told_an_address(http: httpx.Client) -> None:
    html = http.get("/").text
    linked = re.findall(r'(?:href|src)="([^"]+)"', html)
    assert len(linked) > 3 and all(re.match(r"/\w", url) for url in linked) and "cupboard-url" not in html
    (script,) = [url for url in linked if "/assets/index-" in url and url.endswith(".js")][:1]
    assert "immutable" in http.get(script).headers["cache-control"]
    docs = http.get("/docs").text
    assert "href=/docs.css" in docs and "All addresses begin" not in docs
    assert http.get("/api/schema/openapi.json").json()["servers"] == [{"url": "/"}]


@pytest.mark.parametrize("kept", KEPT)
def test_previews_show_the_address_that_people_use(proxy: httpx.Client, kept: str) -> None:
    table = lay(proxy, "jumping-cups", "me", "bot")["table"]["id"]
    found = tags(proxy.get(f"{kept}/t/{table}", headers={"host": "127.0.0.1:8000"}).text)
    assert found["og:url"] == f"{URL}/t/{table}" and found["og:image"].startswith(f"{URL}/api/tables/{table}/picture")
    assert proxy.get(kept + found["og:image"].removeprefix(URL)).headers["content-type"] == "image/png"
    found = tags(proxy.get(f"{kept}/explore/jumping-cups").text)
    assert found["og:url"] == f"{URL}/explore/jumping-cups" and found["og:image"].startswith(f"{URL}/api/games/")


def test_the_reference_of_the_api_says_where_it_is(proxy: httpx.Client) -> None:
    assert proxy.get("/cupboard/api/schema/openapi.json").json()["servers"] == [{"url": URL}]
    assert f"begin with <code>{URL}</code>" in proxy.get("/cupboard/docs").text


@pytest.mark.parametrize("kept", KEPT)
def test_only_boards_may_be_framed(proxy: httpx.Client, kept: str) -> None:
    for path, framed in (("/embed/t/x", "*"), ("/t/x", "'none'"), ("/", "'none'")):
        policy = proxy.get(kept + path).headers["content-security-policy"]
        assert policy.endswith(f"frame-ancestors {framed}"), path


def test_the_cookie_is_for_the_path_and_for_https_alone(proxy: httpx.Client) -> None:
    answer = proxy.put("/cupboard/api/me", json={"name": "Anna"})
    words = answer.headers["set-cookie"].lower().split("; ")
    assert "path=/cupboard/" in words and "secure" in words and "httponly" in words


def test_the_cookie_of_a_cupboard_nearer_to_the_root_does_not_hide_ours(called: Server) -> None:
    """Browsers send both, that of the longer path first (RFC 6265, 5.4)."""
    with browser(called.url, headers=HOST) as anna:
        own = anna.put("/api/me", json={"name": "Anna"}).cookies["cupboard"]
    with browser(called.url, headers=HOST) as both:
        both.headers["cookie"] = f"theme=dark; cupboard={own}; cupboard={'x' * 32}; cupboard"
        assert both.get("/api/me").json()["name"] == "Anna"


@pytest.mark.parametrize(
    ("header", "found"),
    [
        (b"cupboard=abc", "abc"),
        (b"a=1;cupboard=abc;b", "abc"),
        (b"xcupboard=abc; cupboardx=def", ""),
        (b"cupboard", ""),
        (b"=;;=; \xff=cupboard; cupboard=\xff\x00", "\xff\x00"),
        (b"", ""),
    ],
)
def test_our_cookie_is_found_among_others(header: bytes, found: str) -> None:
    assert cookie_of([(b"host", b"x"), (b"cookie", header)]) == found


def test_no_cookie_upsets_the_server(http: httpx.Client) -> None:
    for value in (b"\xff\xfe", b"x" * 8000, b'"a\\"b"', b"%00", b"[", b"cupboard="):
        assert http.get("/api/me", headers=[(b"cookie", b"cupboard=" + value)]).status_code == 200, value


@pytest.mark.parametrize(
    ("origin", "host", "is_ours"),
    [
        (URL.removesuffix("/cupboard"), "games.example", True),
        ("https://games.example", "127.0.0.1:8000", True),  # a proxy that puts its own name there
        ("http://127.0.0.1:8000", "127.0.0.1:8000", True),  # without the proxy
        ("https://games.example:8443", "games.example", False),
        ("https://games.example.evil.example", "games.example", False),
        ("https://evil.example", "games.example", False),
        ("http://games.example", "127.0.0.1:8000", False),  # the same name without TLS
        (URL, "games.example:1", False),  # no origin has a path
        ("null", "games.example", False),
        ("http://[", "games.example", False),
        ("http://[::g]", "games.example", False),
    ],
)
def test_pages_of_the_address_are_ours_and_others_are_not(
    called: Server, proxy: httpx.Client, origin: str, host: str, is_ours: bool
) -> None:
    headers = {"origin": origin, "host": host}
    answer = proxy.put("/cupboard/api/me", headers=headers, json={"name": "Anna"})
    assert answer.status_code == (200 if is_ours else 403)
    table = lay(proxy, "jumping-cups", "me", "me")["table"]["id"]

    async def knock(kept: str) -> int:
        address = f"ws://127.0.0.1:{called.port}{kept}/api/tables/{table}/socket"
        try:
            # The host that websockets sends is 127.0.0.1's, as of a proxy.
            async with connect(address, origin=origin):  # type: ignore[arg-type]
                return 101
        except InvalidStatus as refusal:
            return refusal.response.status_code

    if host == "127.0.0.1:8000" and origin != "http://127.0.0.1:8000":
        assert [asyncio.run(knock(kept)) for kept in KEPT] == [101 if is_ours else 403] * 2


@pytest.mark.parametrize(
    "host", ["games.example", "GAMES.example:443", "games.example.", "127.0.0.1:8000", "localhost"]
)
def test_the_server_answers_to_the_name_in_its_address(proxy: httpx.Client, host: str) -> None:
    assert proxy.get("/api/health", headers={"host": host}).status_code == 200


def test_the_server_answers_to_no_other_name(proxy: httpx.Client) -> None:
    for host in ("evil.example", "example", "xgames.example", "games.example.evil.example"):
        assert proxy.get("/api/health", headers={"host": host}).json()["code"] == "unknown-host", host


@pytest.mark.parametrize("kept", KEPT)
def test_the_log_leads_on_under_the_path(proxy: httpx.Client, long_table: str, kept: str) -> None:
    answer = proxy.get(f"{kept}/api/tables/{long_table}/events")
    there = answer.links["next"]["url"]
    assert there == f"/cupboard/api/tables/{long_table}/events?since={MOST_EVENTS}"
    assert proxy.get(kept + there.removeprefix("/cupboard")).json()[0]["n"] == MOST_EVENTS


def test_nobody_lets_the_home_network_in_where_people_come_by_an_address(called: Server) -> None:
    with browser(called.url) as host:
        assert host.get("/api/network").json() == {"address": URL}
        refused = host.post("/api/network", json={"open": True})
        assert (refused.status_code, refused.json()["code"]) == (403, "not-the-host")
