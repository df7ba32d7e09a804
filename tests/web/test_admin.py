"""The admin page: what is going on, people and tables, and a link that is worthless when it is renewed."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from tests.server.administration.holder import new_token

from . import hands
from .conftest import Host, Opener, Shot
from .hands import BOT
from .test_access import check
from .test_words import BRACKETS, foreign


def at_admin(page: Any, host: Host, token: str) -> None:
    page.goto(f"{host.address}/admin#{token}")
    page.wait_for_selector("h2:has-text('Now')")


def test_whoever_holds_the_link_sees_and_acts_and_a_renewed_link_shuts_them_out(
    own_host: Host, opened: Opener, shot: Shot, tmp_path: Path
) -> None:
    host = own_host
    ida, admin = opened(), opened()
    ida.goto(host.address)
    ida.click("button[aria-label$='name and account']")
    ida.fill("#user", "ida")
    ida.fill("#pass", "correct horse")
    ida.click("dialog >> text=Make an account")
    ida.wait_for_selector("dialog", state="detached")
    made = hands.make_table(ida, host.address, "jumping-cups", [{"kind": "me", "name": "Ida"}, BOT])
    assert hands.wait_for_turn(ida)
    table = made["table"]["id"]

    token = new_token(host.folder)
    at_admin(admin, host, token)
    assert admin.url == f"{host.address}/admin", "the token does not stay in the address"
    admin.reload()
    admin.wait_for_selector(f"main a:has-text('{table}')")
    assert admin.locator("meta[name=robots]").get_attribute("content") == "noindex, nofollow"
    check(admin, "the admin page")
    shot(admin, "admin-desk")

    # By keyboard: search, open the person, rename them; the game shows it at once.
    admin.focus("#admin-find")
    admin.keyboard.type("ida")
    admin.keyboard.press("Enter")
    admin.wait_for_selector("section[aria-labelledby=found] button:has-text('ida')")
    admin.locator("section[aria-labelledby=found] button:has-text('ida')").first.focus()
    admin.keyboard.press("Enter")
    admin.wait_for_selector("dialog >> text=Sessions")
    check(admin, "a person")
    shot(admin, "admin-person")
    admin.fill("#admin-name", "Olga")
    admin.keyboard.press("Enter")
    ida.wait_for_selector(".name:has-text('Olga')")
    admin.wait_for_selector("dialog[aria-label=Olga]")

    with admin.expect_download() as download:
        admin.click("dialog >> text=Export data")
    download.value.save_as(tmp_path / "olga.json")
    assert json.loads((tmp_path / "olga.json").read_bytes())["username"] == "ida"

    # What cannot be undone is asked about first.
    admin.click("dialog >> text=Reset password")
    admin.click("dialog[aria-label='Reset password'] >> text=Cancel")
    ida.wait_for_selector(hands.ACT)
    admin.click("dialog >> text=Reset password")
    admin.click("dialog[aria-label='Reset password'] button.danger")
    admin.wait_for_selector("output.password")
    shot(admin, "admin-password")
    given = admin.inner_text("output.password")
    ida.wait_for_selector("text=You are watching")
    admin.keyboard.press("Escape")
    admin.wait_for_selector("output.password", state="detached")
    ida.goto(host.address)
    ida.click("button[aria-label$='name and account']")
    ida.fill("#user", "ida")
    ida.fill("#pass", given)
    ida.click("dialog >> text=Sign in")
    ida.wait_for_selector("dialog", state="detached")
    ida.goto(f"{host.address}/t/{table}")
    assert hands.wait_for_turn(ida)

    # The table is closed: whoever is there is told.
    admin.keyboard.press("Escape")
    admin.wait_for_selector("dialog", state="detached")
    admin.click(f"section[aria-labelledby=tables] button[aria-label='Close table {table}']")
    shot(admin, "admin-close")
    admin.click("dialog button.danger")
    admin.wait_for_selector(f"text=Table {table} is closed.")
    ida.wait_for_selector("text=Whoever runs this server has closed the table.")
    shot(ida, "admin-closed-table")

    # Banned, she is told so when she looks at the table again.
    admin.locator("section[aria-labelledby=found] button:has-text('ida')").first.click()
    admin.click("dialog >> text=Ban")
    admin.click("dialog[aria-label=Ban] button.danger")
    admin.wait_for_selector("dialog >> text=Let in again")
    ida.reload()
    ida.wait_for_selector("text=Whoever runs this server has shut you out.")
    shot(ida, "admin-banned")

    # The link has leaked and is renewed: the page that is open shows nothing more.
    admin.keyboard.press("Escape")
    fresh = new_token(host.folder)
    admin.wait_for_selector("text=Only whoever has the admin link can do that.")
    assert not admin.locator("h2, main li, dialog").count()
    admin.goto(f"{host.address}/admin#{fresh}")
    admin.wait_for_selector("h2:has-text('Now')")


@pytest.mark.parametrize("theme", ("light", "dark"))
def test_the_page_fits_a_phone(host: Host, opened: Opener, shot: Shot, theme: str) -> None:
    player, phone = opened(), opened("phone", theme=theme)
    made = hands.make_table(player, host.address, "jumping-cups", [{"kind": "me"}, BOT])
    phone.goto(f"{host.address}/admin")
    phone.wait_for_selector("text=This page needs the admin link.")
    at_admin(phone, host, new_token(host.folder))
    phone.wait_for_selector(f"main a:has-text('{made['table']['id']}')")
    check(phone, "the admin page on a phone")
    shot(phone, f"admin-phone-{theme}")
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing sticks out"
    phone.click(f"button[aria-label='End game {made['table']['id']}']")
    phone.wait_for_selector("dialog fieldset")
    check(phone, "how a game ends")
    shot(phone, f"admin-end-phone-{theme}")
    desk = opened(theme=theme, locale="de-DE")
    desk.goto(f"{host.address}/admin#{new_token(host.folder)}")
    desk.wait_for_selector("main li h3")
    sticking_out = "all => all.filter(one => one.scrollWidth > one.clientWidth).map(one => one.innerText)"
    assert desk.eval_on_selector_all("dl.numbers div", sticking_out) == [], "German words fit their boxes, too"
    shot(desk, f"admin-desk-{theme}")


def test_the_page_speaks_one_language(own_host: Host, opened: Opener) -> None:
    host = own_host
    player, page = opened(locale=BRACKETS), opened(locale=BRACKETS)
    hands.make_table(player, host.address, "jumping-cups", [{"kind": "me"}, {"kind": "bot", "level": "sprout"}])
    page.goto(f"{host.address}/admin#{new_token(host.folder)}")
    page.wait_for_selector("main li h3 a")
    names = [*page.locator("h3 a").all_inner_texts(), "Guest", "cupboard", "admin", "link", "renew"]
    assert not foreign(page, *names)
    page.locator("section[aria-labelledby=there] li button").first.click()
    page.wait_for_selector("dialog section")
    code = page.inner_text("dialog code")
    assert not foreign(page, *names, *re.findall(r"\w+", code))
