"""The program behind a real nginx and a real Caddy with TLS, as docs/hosting.md describes it, seen from a browser."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from . import hands
from .conftest import _FLAGS, Opener, Shot, needs_browser
from .site import NAME, Caddy, Nginx, Site, standing

WHERE = [f"--host-resolver-rules=MAP {NAME} 127.0.0.1", "--ignore-certificate-errors"]
"""What the browser does not do as usual: it finds the site on this machine, and believes its certificate."""
CUT = "text=The line is cut"
PLAYING = "() => document.querySelector('.status') && !document.querySelector('section[aria-label=Invite]')"


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    needs_browser()
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=[*_FLAGS, *WHERE])
        yield browser
        browser.close()


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


def play_some(anna: Any, bo: Any) -> None:
    """Play six moves; then Anna, whose screen has room for the button, gives up."""
    rng = random.Random(2)
    for turn in range(6):
        anna.wait_for_function(PLAYING)
        acting = hands.who_acts([anna, bo])
        before = hands.version(acting)
        hands.jump(acting, rng, drag=turn % 2 == 0)
        hands.wait_for_change(acting, before)
    anna.click("text=Resign")
    anna.click("dialog >> text=Resign")
    for page in (anna, bo):
        page.wait_for_selector(hands.RESULT)


def play(anna: Any, bo: Any, meanwhile: dict[int, Callable[[], None]]) -> None:
    """Play to the end; before some turns something happens."""
    rng = random.Random(2)
    for turn in range(150):
        anna.wait_for_function(PLAYING)
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
            site.proxy.wait(60)
            anna.wait_for_selector(CUT)
            site.proxy = site._start_proxy()

        # A game has hardly ever fewer than 18 moves; these come before the tenth.
        play(anna, bo, {4: upgrade, 8: cut, 12: site.reload})
        shot(anna, "hosting-over")


@pytest.mark.parametrize("kind", [Nginx, Caddy])
def test_under_a_path_of_another_site_all_is_the_same(
    tmp_path: Path, opened: Opener, kind: type[Site], shot: Shot
) -> None:
    with standing(kind, tmp_path, "/cupboard/") as site:
        anna, bo = begin(site, opened)
        play_some(anna, bo)
        asked = anna.evaluate("performance.getEntriesByType('resource').map(one => new URL(one.name).pathname)")
        assert asked and all(path.startswith("/cupboard/") for path in asked)
        (cookie,) = [one for one in anna.context.cookies() if one["name"] == "cupboard"]
        assert cookie["path"] == "/cupboard/" and cookie["secure"]
        shot(anna, f"hosting-path-{kind.kind}")


def test_a_game_through_caddy(tmp_path: Path, opened: Opener) -> None:
    with standing(Caddy, tmp_path) as site:
        play_some(*begin(site, opened))
