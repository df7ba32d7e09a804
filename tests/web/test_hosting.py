"""The program behind a real nginx and a real Caddy with TLS, as docs/hosting.md describes it, seen from a browser."""

from __future__ import annotations

import asyncio
import random
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import connect

from tests.server.helpers import SocketPlayer

from . import hands
from .conftest import _FLAGS, Opener, Shot, needs_browser
from .site import NAME, Caddy, Nginx, Site

WHERE = [f"--host-resolver-rules=MAP {NAME} 127.0.0.1", "--ignore-certificate-errors"]
"""What the browser does not do as usual: it finds the site on this machine, and believes its certificate."""
CUT = "text=The line is cut"


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    needs_browser()
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=[*_FLAGS, *WHERE])
        yield browser
        browser.close()


@contextmanager
def standing(kind: type[Site], folder: Path, path: str = "/", more: str = "") -> Iterator[Any]:
    site = kind(folder, path, more)
    try:
        yield site
    finally:
        site.close()


def begin(site: Site, opened: Opener) -> tuple[Any, Any]:
    """Two people at a table of Jumping Cups, the second by the first one's link."""
    anna, bo = opened(), opened("tablet", theme="dark")
    anna.goto(site.url)
    anna.click("button[aria-label='Jumping Cups with friends']")
    anna.click("dialog button.start")
    anna.wait_for_selector("text=Waiting for 1 friend")
    link = anna.locator("aside input[readonly]").first.input_value()
    assert link.startswith(f"{site.url}t/"), "the invite says what the site is called"
    bo.goto(link)
    bo.fill("#sit", "Bo")
    bo.click("text=Sit down")
    anna.wait_for_selector(".name:has-text('Bo')")
    return anna, bo


def play(anna: Any, bo: Any, meanwhile: dict[int, Callable[[], None]]) -> None:
    """Play to the end; before some turns something happens."""
    rng = random.Random(2)
    for turn in range(150):
        anna.wait_for_function(
            "() => document.querySelector('.status') && !document.querySelector('section[aria-label=Invite]')"
        )
        acting = hands.who_acts([anna, bo])
        if acting is None:
            break
        if turn in meanwhile:
            meanwhile[turn]()
            for page in (anna, bo):
                page.wait_for_selector(CUT, state="detached")
            continue
        before = hands.version(acting)
        hands.jump(acting, rng, drag=turn % 2 == 0)
        hands.wait_for_change(acting, before)
    assert turn > max(meanwhile, default=0), "the game was over before all had happened"
    for page in (anna, bo):
        page.wait_for_selector(hands.RESULT)


def test_a_whole_game_over_wss_goes_on_through_an_upgrade_and_a_cut_line(
    tmp_path: Path, opened: Opener, shot: Shot
) -> None:
    with standing(Nginx, tmp_path) as site:
        anna, bo = begin(site, opened)
        sockets = anna.evaluate("performance.getEntriesByType('navigation')[0].nextHopProtocol")
        assert sockets == "h2", "the page comes by HTTP/2, its socket by HTTP/1.1"
        cookie = {cookie["name"]: cookie for cookie in anna.context.cookies()}["cupboard"]
        assert cookie["secure"] and cookie["httpOnly"] and cookie["path"] == "/"

        def upgrade() -> None:
            """The program is stopped, and a new one started: who asks meanwhile waits, nobody is refused."""
            site.stop()
            anna.wait_for_selector(CUT)
            site.start()
            with site.visitor() as http:
                assert http.get("api/health").status_code == 200

        def cut() -> None:
            """nginx itself is restarted."""
            site.proxy.terminate()
            site.proxy.wait(10)
            anna.wait_for_selector(CUT)
            site.proxy = site._start_proxy()

        play(anna, bo, {6: upgrade, 12: cut, 18: site.reload})
        shot(anna, "hosting-over")


@pytest.mark.parametrize("kind", [Nginx, Caddy])
def test_under_a_path_of_another_site_all_is_the_same(
    tmp_path: Path, opened: Opener, kind: type[Site], shot: Shot
) -> None:
    with standing(kind, tmp_path, "/cupboard/") as site:
        anna, bo = begin(site, opened)
        play(anna, bo, {})
        asked = anna.evaluate("performance.getEntriesByType('resource').map(one => new URL(one.name).pathname)")
        assert asked and all(path.startswith("/cupboard/") for path in asked)
        (cookie,) = [one for one in anna.context.cookies() if one["name"] == "cupboard"]
        assert cookie["path"] == "/cupboard/" and cookie["secure"]
        shot(anna, f"hosting-path-{kind.kind}")


def test_a_whole_game_through_caddy(tmp_path: Path, opened: Opener) -> None:
    with standing(Caddy, tmp_path) as site:
        play(*begin(site, opened), {})


def test_who_forges_the_header_is_counted_by_their_own_address(tmp_path: Path) -> None:
    with standing(Nginx, tmp_path) as site, site.visitor("127.0.7.7") as stranger:
        codes = [
            stranger.get("api/tables/none", headers={"x-forwarded-for": f"10.0.0.{turn}"}).status_code
            for turn in range(150)
        ]
        assert codes[:50] == [404] * 50 and codes[-1] == 429, "their own address is what counts"
        refused = stranger.get("api/tables/none")
        assert int(refused.headers["retry-after"]) >= 1
        with site.visitor("127.0.8.8") as other:
            assert other.get("api/tables/none").status_code == 404, "another visitor is not refused with them"


def test_two_classes_of_25_play_two_games_each_at_once(tmp_path: Path) -> None:
    more = '[limits]\nprofile = "school"'
    with standing(Nginx, tmp_path, more=more) as site:
        moves = asyncio.run(_two_classes(site))
    assert len(moves) == 50 and all(count > 10 for count in moves)


async def _two_classes(site: Site) -> list[int]:
    children = [_child(site, f"127.0.{room}.1", number) for room in (1, 2) for number in range(25)]
    return await asyncio.gather(*children)


async def _child(site: Site, address: str, number: int) -> int:
    """A child opens the page, plays two games against a bot, and returns how many moves it made."""
    transport = httpx.AsyncHTTPTransport(local_address=address, verify=site.trust())
    base = f"https://127.0.0.1:{site.port}"
    rng = random.Random(number)
    made = 0

    async def name_the_host(request: httpx.Request) -> None:
        request.extensions["sni_hostname"] = NAME

    async with httpx.AsyncClient(
        base_url=base,
        transport=transport,
        timeout=120,
        headers={"host": f"{NAME}:{site.port}"},
        event_hooks={"request": [name_the_host]},
    ) as http:
        for path in ("/", "/api/me", "/api/games", "/api/tables", "/api/mine", "/api/readiness"):
            answer = await http.get(path)
            assert answer.status_code == 200, f"{path}: {answer.text}"
        for _ in range(2):
            seats = [{"kind": "me"}, {"kind": "bot", "level": "random"}]
            answer = await http.post("/api/tables", json={"game": "jumping-cups", "seats": seats})
            assert answer.status_code == 201, answer.text
            made += await _play_out(site, http, address, answer.json(), rng)
    return made


async def _play_out(site: Site, http: httpx.AsyncClient, address: str, made: dict[str, Any], rng: random.Random) -> int:
    """Play random moves over a socket until the game is over; returns how many."""
    socket = await connect(
        f"wss://{NAME}:{site.port}/api/tables/{made['table']['id']}/socket",
        host="127.0.0.1",
        port=site.port,
        ssl=site.trust(),
        server_hostname=NAME,
        additional_headers={"cookie": f"cupboard={http.cookies['cupboard']}"},
        compression=None,
        local_addr=(address, 0),
        open_timeout=60,
    )
    player = SocketPlayer(socket)
    await player.send(type="hello", tokens=(), version=0, watch=False)
    await player.until("update")
    count = 0
    while await player.until_asked():
        answer = await player.move(rng.choice(player.update["moves"])["text"])
        assert answer["type"] == "update", answer
        count += 1
    await player.close()
    return count
