"""Links say who they can lead here: the host lets the home network in, and sends it away, from the page."""

from __future__ import annotations

import re
from typing import Any

from . import hands
from .conftest import Host, Opener, Shot
from .host import LAN

CODE = "svg[aria-label='QR code of the link']"
SWITCH = "section[aria-label='Who can reach this server']"


def lay(page: Any, host: Host) -> None:
    hands.make_table(page, host.address, "jumping-cups", [{"kind": "me"}, {"kind": "friend"}])


def test_the_host_lets_a_friend_in_and_closes_again(own_host: Host, opened: Opener, shot: Shot) -> None:
    anna, bo = opened(), opened()
    lay(anna, own_host)
    anna.wait_for_selector("aside >> text=Only this computer can reach this server")
    anna.wait_for_selector("aside input[readonly]")
    assert not anna.locator(CODE).count(), "a code that leads nowhere"
    shot(anna, "network-closed")
    anna.click(f"aside {SWITCH} button")
    anna.wait_for_selector(f"aside {CODE}")
    shot(anna, "network-open")
    lan = f"http://{LAN}:{own_host.port}"
    assert anna.locator(f"{SWITCH} a").get_attribute("href") == lan
    link = anna.locator("aside input[readonly]").first.input_value()
    assert re.fullmatch(rf"{re.escape(lan)}/t/\w+\?invite=[\w-]+", link)
    bo.goto(link)
    bo.fill("#sit", "Bo")
    bo.click("text=Sit down")
    anna.wait_for_selector(".name:has-text('Bo')")
    anna.wait_for_selector("section[aria-label=Links]", state="detached")

    bo.click("[role=toolbar] >> text=Links")
    bo.wait_for_selector("dialog .link")
    assert not bo.locator(SWITCH).count(), "a guest has no switch"
    assert bo.locator("dialog .link").count() and lan in bo.url
    anna.click("[role=toolbar] >> text=Links")
    anna.click("dialog >> text=Close it again")
    bo.wait_for_selector(".cut")
    anna.wait_for_selector("dialog >> text=Only this computer can reach this server")
    assert not anna.locator(CODE).count()
    assert anna.locator(".cut").count() == 0, "whoever is here stays"


def test_the_switch_keeps_the_keyboard_and_says_what_it_did(own_host: Host, opened: Opener) -> None:
    page = opened()
    lay(page, own_host)
    page.locator(f"{SWITCH} button").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("text=The home network is let in")
    assert page.evaluate("document.activeElement.textContent") == "Close it again"
    page.keyboard.press("Enter")
    page.wait_for_selector("text=Only this computer can reach")
    assert page.evaluate("document.activeElement.textContent") == "Let the home network in"


def test_the_lobby_says_it_before_friends_are_invited(own_host: Host, opened: Opener) -> None:
    page = opened()
    page.goto(own_host.address)
    page.click("button[aria-label='Jumping Cups with friends']")
    page.click(f"dialog {SWITCH} button")
    page.wait_for_selector("dialog >> text=The home network is let in")
    assert page.locator("dialog form").count(), "the button is not the form's"
