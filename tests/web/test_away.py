"""The page when nobody looks at it, and when the server is away: badges, notifications, a start page, installing."""

from __future__ import annotations

import json
from io import BytesIO
from typing import Any
from urllib.parse import urljoin

import pytest
from PIL import Image

from . import hands
from .conftest import Host, Opener, Shot
from .hands import BOT

KEPT = "async (path) => !!(await (await caches.open('cupboard-away')).match(path))"
SWITCH = "button[aria-label='Call me when it is my turn']"


def ready(page: Any, prefix: str = "") -> None:
    """Wait until the service worker stands by and the start page is kept, for a site under the path `prefix`."""
    page.evaluate("navigator.serviceWorker.ready.then(() => {})")
    page.wait_for_function("() => navigator.serviceWorker.controller")
    for _ in range(1800):
        if page.evaluate(KEPT, f"{prefix}/away"):
            return
        page.wait_for_timeout(50)
    raise AssertionError("no start page is kept")


@pytest.mark.parametrize("path", ["/", "table"])
def test_without_a_server_there_is_a_start_page_which_goes_on_by_itself(
    own_host: Host, opened: Opener, shot: Shot, path: str
) -> None:
    page = opened()
    made = hands.make_table(page, own_host.address, "jumping-cups", [{"kind": "me"}, BOT])
    address = own_host.address + ("/" if path == "/" else f"/t/{made['table']['id']}")
    page.goto(address)
    ready(page)
    own_host.kill()
    page.reload()
    page.wait_for_selector("text=The server is away")
    assert page.evaluate("document.querySelector('h1').getBoundingClientRect().top") > 100, "it is laid out"
    assert page.evaluate("document.querySelector('img').naturalWidth") > 0
    shot(page, "away")
    page.click("text=Try again")
    page.wait_for_selector("text=The server is away")
    own_host.start()
    page.wait_for_selector("article" if path == "/" else "svg.board")
    assert page.url == address


def test_the_start_page_speaks_the_language_of_the_page(own_host: Host, opened: Opener, shot: Shot) -> None:
    page = opened("phone", theme="dark", locale="de-DE")
    page.goto(own_host.address)
    page.wait_for_selector("article")
    ready(page)
    own_host.kill()
    page.reload()
    page.wait_for_selector("text=Der Server ist nicht da")
    assert page.get_attribute("html", "lang") == "de"
    shot(page, "away-phone-dark-de")
    own_host.start()
    page.wait_for_selector("article")


def test_nothing_but_the_start_page_is_kept(host: Host, opened: Opener) -> None:
    page = opened()
    page.goto(host.address)
    page.wait_for_selector("article")
    ready(page)
    page.reload()
    page.wait_for_selector("article")
    kept = page.evaluate(
        """async () => {
            const out = [];
            for (const name of await caches.keys())
                for (const one of await (await caches.open(name)).keys()) out.push(new URL(one.url).pathname);
            return out.sort();
        }"""
    )
    assert kept == ["/away", "/away.css", "/away.js", "/icon.svg"]


def test_the_page_can_be_installed(host: Host, opened: Opener) -> None:
    page = opened()
    page.goto(host.address)
    page.wait_for_selector("article")
    manifest = page.request.get(host.address + page.get_attribute("link[rel=manifest]", "href"))
    assert manifest.headers["content-type"].startswith("application/manifest+json")
    said = json.loads(manifest.text())
    there = {key: urljoin(manifest.url, said[key]) for key in ("start_url", "scope")}
    assert there == {"start_url": f"{host.address}/", "scope": f"{host.address}/"} and said["display"] == "standalone"
    sizes = {}
    for icon in said["icons"]:
        answer = page.request.get(urljoin(manifest.url, icon["src"]))
        assert answer.ok and answer.headers["content-type"].startswith(icon["type"]), icon
        if icon["type"] == "image/png":
            sizes[icon.get("purpose", "any"), icon["sizes"]] = Image.open(BytesIO(answer.body())).size
    assert sizes == {("any", f"{n}x{n}"): (n, n) for n in (192, 512)} | {("maskable", "512x512"): (512, 512)}
    client = page.context.new_cdp_session(page)
    problems = client.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert [one["errorId"] for one in problems] in ([], ["in-incognito"]), problems


WATCH = """
window.badges = []; window.notified = [];
navigator.setAppBadge = async (n) => { badges.push(n) };
navigator.clearAppBadge = async () => { badges.push(0) };
window.hiding = false;
Object.defineProperty(document, 'hidden', { get: () => hiding });
ServiceWorkerRegistration.prototype.showNotification = async (title, { body }) => { notified.push([title, body]) };
"""


def test_your_turn_is_a_badge_and_a_call_for_whoever_asked_for_it(host: Host, opened: Opener) -> None:
    page = opened(permissions=["notifications"])
    page.add_init_script(WATCH)
    made = hands.make_table(page, host.address, "jumping-cups", [{"kind": "me"}, BOT], starter="red")
    ready(page)
    icon = "document.querySelector('link[rel=icon]').getAttribute('href')"
    assert hands.wait_for_turn(page)
    assert page.evaluate(icon) == "/icon-turn.svg" and page.evaluate("badges.at(-1)") == 1
    assert page.get_attribute(SWITCH, "aria-pressed") == "false", "nobody is called who has not asked for it"

    def move() -> None:
        before = page.locator("[data-n]").count()
        page.evaluate("hiding = true")
        hands.wait_for_turn(page)
        spot = hands.open_spots(page)[0]
        hands.click_spot(page, spot)
        hands.click_spot(page, hands.open_spots(page)[-1])
        page.wait_for_function("before => document.querySelectorAll('[data-n]').length >= before + 2", arg=before)
        hands.wait_for_turn(page)

    move()
    assert page.evaluate("notified") == []
    page.click(SWITCH)
    page.wait_for_selector(f"{SWITCH}[aria-pressed=true]")
    move()
    page.wait_for_function("() => notified.length")
    assert page.evaluate("notified.at(-1)") == ["Jumping Cups", "It is your turn."]
    page.evaluate("hiding = false")
    page.click("header a[href='/']")
    page.wait_for_selector("article")
    assert page.evaluate(icon) == "/icon.svg" and page.evaluate("badges.at(-1)") == 0
    assert made


def test_a_browser_that_allows_no_notifications_is_told_so(host: Host, opened: Opener) -> None:
    page = opened()
    page.add_init_script("Notification.requestPermission = async () => 'denied'")
    page.goto(host.address)
    page.click(SWITCH)
    page.wait_for_selector("[role=status]:has-text('allows no notifications')", state="attached")
    assert page.get_attribute(SWITCH, "aria-pressed") == "false"
