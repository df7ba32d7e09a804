"""The page under a path of a site, /cupboard/: by a proxy that takes the path off, and by one that leaves it."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from . import hands
from .conftest import Host, Opener, Shot, needs_browser
from .hands import BOT
from .proxy import Proxy
from .test_away import ready

PREFIX = "/cupboard"


@pytest.fixture(scope="module", params=["taken off", "left"])
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the site without its last slash. A server that is asked directly is one whose proxy leaves it."""
    needs_browser()
    folder = tmp_path_factory.mktemp("data")
    if request.param == "left":
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        url = f"http://127.0.0.1:{port}{PREFIX}"
        host = Host(folder, port=port, url=url)
        yield url
        host.kill()
        return
    proxy = Proxy(PREFIX)
    url = f"http://127.0.0.1:{proxy.port}{PREFIX}"
    host = Host(folder, url=url)
    proxy.behind = host.port
    yield url
    proxy.close()
    host.kill()
    assert not proxy.refused


@pytest.fixture
def asked(opened: Opener, site: str) -> Iterator[Any]:
    """A function that opens a page whose requests and sockets must all be under the path, and be answered."""
    faults: list[str] = []

    def look(url: str) -> None:
        # The address without its last slash leads to the one with it.
        if url != site and not url.startswith((f"{site}/", site.replace("http:", "ws:") + "/", "data:", "blob:")):
            faults.append(url)

    def answered(response: Any) -> None:
        if response.status >= 400:
            faults.append(f"{response.status} {response.url}")

    def open_page(*sizes: str, **more: Any) -> Any:
        page = opened(*sizes, **more)
        page.context.on("request", lambda request: look(request.url))
        page.context.on("response", answered)
        page.on("websocket", lambda socket: look(socket.url))
        return page

    yield open_page
    assert not faults


def path(page: Any) -> str:
    return urlsplit(str(page.url)).path


@pytest.mark.parametrize("size", ["phone", "desk"])
def test_from_the_first_page_to_a_move_against_a_bot_and_a_reload(
    asked: Opener, site: str, shot: Shot, size: str
) -> None:
    page = asked(size)
    page.goto(f"{site}/")
    page.wait_for_selector("article svg.board [data-piece]")
    page.wait_for_function("() => document.querySelector('header img').naturalWidth")
    shot(page, f"path-lobby-{size}")
    page.click("button[aria-label='Play Jumping Cups against a bot']")
    page.click("dialog .start")
    page.wait_for_url(re.compile(rf"{re.escape(site)}/t/[\w-]+$"))
    assert hands.wait_for_turn(page)
    hands.click_spot(page, hands.open_spots(page)[0])
    hands.click_spot(page, hands.open_spots(page)[-1])
    hands.stop_here(page)
    log = f"{site}/api/tables/{path(page).rpartition('/')[2]}/events"
    for _ in range(900):
        seats = [event.get("seat", 0) for event in page.request.get(log).json() if event["kind"] == "move"]
        if {0, 1} <= set(seats):
            break
        page.wait_for_timeout(100)
    assert {0, 1} <= set(seats), "both have moved"
    shot(page, f"path-table-{size}")
    page.reload()
    page.wait_for_selector("svg.board")
    assert hands.wait_for_turn(page), "the cookie came along"
    page.click(f"header a[href='{PREFIX}/']")
    page.wait_for_selector("article")
    assert path(page) == f"{PREFIX}/"
    page.go_back()
    page.wait_for_selector("svg.board .spot, svg.board [data-piece]")


def test_a_friend_follows_an_invite(asked: Opener, site: str) -> None:
    anna, bo = asked(), asked("phone", theme="dark")
    hands.make_table(anna, site, "jumping-cups", [{"kind": "me"}, {"kind": "friend"}])
    link = anna.locator("aside input[readonly]").first.input_value()
    assert re.fullmatch(rf"{re.escape(site)}/t/[\w-]+\?invite=[\w-]+", link)
    anna.wait_for_selector("aside svg[aria-label='QR code of the link']")
    bo.goto(link)
    bo.fill("#sit", "Bo")
    bo.click("text=Sit down")
    anna.wait_for_selector(".name:has-text('Bo')")
    bo.wait_for_url(lambda address: not urlsplit(address).query)
    assert path(bo) == path(anna)


@pytest.mark.parametrize("size", ["phone", "desk"])
def test_lessons_and_rules_are_pages_of_their_own(asked: Opener, site: str, shot: Shot, size: str) -> None:
    page = asked(size, permissions=["clipboard-read", "clipboard-write"])
    page.goto(f"{site}/learn")
    page.click(f"a[href='{PREFIX}/learn/jumping-cups']")
    page.wait_for_selector("nav[aria-label=Steps]")
    page.wait_for_selector("svg.board")
    assert path(page) == f"{PREFIX}/learn/jumping-cups"
    page.goto(f"{site}/rules/jumping-cups#JC-13")
    page.wait_for_selector("#JC-13.here svg.board")
    assert page.evaluate("document.activeElement.id") == "JC-13"
    # What a piece is painted with is on the page itself: a reference that leads nowhere paints nothing.
    filled = page.evaluate(
        """() => [...document.querySelectorAll('#JC-13 [fill^="url("]')].map((one) => {
            const id = one.getAttribute('fill').slice(5, -1);
            return !!document.getElementById(id) && one.getBoundingClientRect().width > 0;
        })"""
    )
    assert filled and all(filled)
    page.wait_for_timeout(500)
    shot(page, f"path-rules-{size}")
    page.click("#JC-13 a.number")
    page.wait_for_selector("text=Copied")
    assert page.evaluate("navigator.clipboard.readText()") == f"{site}/rules/en/jumping-cups#JC-13"
    page.locator("#JC-13 p a, #JC-15 p a").first.click()
    assert path(page) == f"{PREFIX}/rules/en/jumping-cups"
    page.click(f"a[href='{PREFIX}/rules/en']")
    page.wait_for_url(f"**{PREFIX}/rules/en")


def test_every_link_of_the_first_page_leads_somewhere(asked: Opener, site: str, shot: Shot) -> None:
    page = asked()
    page.goto(f"{site}/")
    page.wait_for_selector("article a")
    links = page.eval_on_selector_all("a[href]", "all => [...new Set(all.map((one) => one.href))]")
    assert {f"{site}{one}" for one in ("/", "/games", "/learn", "/rules/en", "/explore", "/docs")} <= set(links)
    for link in links:
        assert page.goto(link).ok
        page.wait_for_selector("h1")
        assert not page.locator(".lost").count(), link
    page.goto(f"{site}/docs")
    assert page.evaluate("getComputedStyle(document.body).maxWidth") == "960px", "the style sheet is missing"


def test_what_is_shared_is_under_the_path(asked: Opener, site: str) -> None:
    page = asked()
    page.goto(f"{site}/explore/jumping-cups")
    page.click("summary:has-text('Share')")
    link, snippet = page.eval_on_selector_all("details input[readonly]", "all => all.map((one) => one.value)")
    assert link.startswith(f"{site}/explore/jumping-cups")
    (framed,) = re.findall(r'src="([^"]+)"', snippet)
    assert framed.startswith(f"{site}/embed/explore/jumping-cups")
    page.goto(framed.replace("&amp;", "&"))
    page.wait_for_selector("svg.board [data-piece]")
    assert page.locator(".head a").evaluate("one => one.href").startswith(f"{site}/explore/jumping-cups")


def test_the_end_offers_downloads(asked: Opener, site: str) -> None:
    page = asked()
    hands.make_table(page, site, "jumping-cups", [{"kind": "me"}, BOT])
    assert hands.wait_for_turn(page)
    page.click("text=Resign")
    page.click("dialog >> text=Resign")
    page.wait_for_selector(hands.RESULT)
    assert page.locator(f"{hands.RESULT} a[download]").count() == 4
    for href in page.eval_on_selector_all(f"{hands.RESULT} a[download]", "all => all.map((one) => one.href)"):
        assert href.startswith(f"{site}/api/tables/") and page.request.get(href).ok


def test_the_worker_and_the_installed_page_keep_to_the_path(asked: Opener, site: str) -> None:
    page = asked()
    page.goto(f"{site}/")
    page.wait_for_selector("article")
    ready(page, PREFIX)
    assert page.evaluate("navigator.serviceWorker.ready.then(({ scope }) => scope)") == f"{site}/"
    kept = page.evaluate("async () => (await (await caches.open('cupboard-away')).keys()).map((one) => one.url).sort()")
    assert kept == [f"{site}/{name}" for name in ("away", "away.css", "away.js", "icon.svg")]
    manifest = page.evaluate("document.querySelector('link[rel=manifest]').href")
    assert manifest == f"{site}/manifest.webmanifest"
    client = page.context.new_cdp_session(page)
    told = client.send("Page.getAppManifest")
    assert told["url"] == manifest and not told["errors"]
    assert (told["manifest"]["startUrl"], told["manifest"]["scope"]) == (f"{site}/", f"{site}/")
    assert all(icon["url"].startswith(f"{site}/icon") for icon in told["manifest"]["icons"])
    cookies = [one for one in page.context.cookies() if one["name"] == "cupboard"]
    assert all(one["path"] == f"{PREFIX}/" for one in cookies)


def test_without_a_server_there_is_a_start_page_under_the_path(tmp_path: Path, opened: Opener) -> None:
    needs_browser()
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    site = f"http://127.0.0.1:{port}{PREFIX}"
    host = Host(tmp_path, port=port, url=site)
    try:
        page, asked = opened(), []
        page.context.on("request", lambda request: asked.append(request.url))
        page.goto(f"{site}/rules")
        page.wait_for_selector("h1")
        ready(page, PREFIX)
        host.kill()
        page.reload()
        page.wait_for_selector("text=The server is away")
        assert page.evaluate("document.querySelector('img').naturalWidth") > 0
        assert page.evaluate("document.querySelector('h1').getBoundingClientRect().top") > 100, "it is laid out"
        host.start()
        page.wait_for_selector("h1:has-text('rules')")
        assert path(page) == f"{PREFIX}/rules"
        assert f"{site}/api/health" in asked and [url for url in asked if not url.startswith(f"{site}/")] == []
    finally:
        host.kill()
