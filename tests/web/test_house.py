"""The switches of a school at the page: names from a list, phrases instead of chat, accounts by a class code."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.server.helpers import serving

from cupboard.server.settings import PeopleSettings

from . import hands
from .conftest import PAGE, Opener, Shot

SEATS = [{"kind": "me"}, {"kind": "friend"}]
pytestmark = pytest.mark.skipif(not PAGE.joinpath("index.html").is_file(), reason="the page is not built")


def test_a_child_chooses_a_name_and_says_a_phrase_which_the_other_reads_in_german(
    tmp_path: Path, opened: Opener, shot: Shot
) -> None:
    file = tmp_path / "names.txt"
    file.write_text("Fox\nOwl\n", encoding="utf-8")
    people = PeopleSettings(names="list", name_list=file)
    with serving(tmp_path, chat="phrases", people=people) as server:
        desk, phone = opened(), opened("phone", theme="dark", locale="de-DE")
        made = hands.make_table(desk, server.url, "jumping-cups", SEATS, starter="red")
        phone.goto(f"{server.url}/t/{made['table']['id']}?invite={made['invites'][0]['invite']}")
        phone.select_option("#sit", "Owl")
        phone.click("form:has(#sit) button")
        desk.wait_for_selector("section[aria-label=Chat]")
        assert not desk.locator("#chat input").count()
        desk.click("text=Well played!")
        assert phone.inner_text("#chat li") == "Gast Gut gespielt!"
        phone.click("#chat >> text=Danke!")
        desk.wait_for_selector("#chat >> text=Owl Thank you!")
        shot(phone, "phrases-phone-dark")
        shot(desk, "phrases-desk")


def test_an_account_takes_the_class_code_and_none_is_offered_where_none_is_made(
    tmp_path: Path, opened: Opener, shot: Shot
) -> None:
    def fill(page: Any) -> None:
        page.click("button[aria-label$='name and account']")
        page.fill("#user", "ida")
        page.fill("#pass", "correct horse")

    with serving(tmp_path, people=PeopleSettings(sign_up="code", class_code="acorn")) as server:
        page = opened("phone")
        page.goto(server.url)
        fill(page)
        shot(page, "class-code-phone")
        page.click("dialog >> text=Make an account")
        page.wait_for_selector("dialog [role=alert] >> text=write the class code")
        page.fill("#code", "oak")
        page.click("dialog >> text=Make an account")
        page.wait_for_selector("dialog [role=alert] >> text=not the class code")
        page.fill("#code", "acorn")
        page.click("dialog >> text=Make an account")
        page.wait_for_selector("dialog", state="detached")
    with serving(tmp_path, chat="off", people=PeopleSettings(sign_up="closed")) as server:
        page = opened()
        hands.make_table(page, server.url, "jumping-cups", SEATS)
        assert not page.locator("#chat").count()
        page.goto(server.url)
        fill(page)
        assert not page.locator("dialog >> text=Make an account").count()
        page.click("dialog button[value=in]")
        page.wait_for_selector("dialog", state="detached")
