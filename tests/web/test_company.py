"""Bots as company: one is proposed and remembered, and their moves come at the pace that the person likes."""

from __future__ import annotations

from typing import Any

from . import hands
from .conftest import Host, Opener, Shot


def move(page: Any) -> None:
    """Make the first move that there is."""
    assert hands.wait_for_turn(page)
    hands.click_spot(page, hands.open_spots(page)[0])


def test_who_is_proposed_is_remembered_and_can_be_changed(host: Host, opened: Opener, shot: Shot) -> None:
    page = opened("phone")
    page.goto(host.address)
    play = "button[aria-label='Play Double Dutch against a bot']"
    page.click(play)
    page.wait_for_selector("dialog .start:focus")
    assert page.locator("dialog .fits").inner_text() == "a good start"
    assert page.evaluate("document.querySelector('dialog').getBoundingClientRect().bottom") == 740
    shot(page, "against-whom")
    page.click("dialog .more")
    page.click("dialog label:has-text('Sequoia')")
    page.click("dialog .start")
    page.wait_for_selector(".asked")
    assert "Sequoia bot" in page.inner_text(".page")
    page.goto(host.address)
    assert "Against Sequoia" in page.inner_text("article[aria-labelledby=name-double-dutch] .change")
    page.click(play)
    page.wait_for_selector(".asked")
    assert "Sequoia bot" in page.inner_text(".page")


def test_the_sheet_fits_a_phone_in_the_longest_language(host: Host, opened: Opener, shot: Shot) -> None:
    page = opened("phone", locale="de-DE")
    page.goto(host.address)
    page.wait_for_selector("article .play")
    for n in range(page.locator("article .play").count()):
        page.locator("article .play").nth(n).click()
        page.wait_for_selector("dialog .start:focus")
        page.click("dialog .more")
        wide = "all => all.filter(one => one.getBoundingClientRect().right > innerWidth).map(one => one.innerText)"
        assert page.eval_on_selector_all("dialog *", wide) == []
        shot(page, f"against-whom-{n}")
        page.keyboard.press("Escape")


def test_step_by_step_a_bots_move_waits_for_enter(host: Host, opened: Opener) -> None:
    page = opened("desk")
    seats = [{"kind": "me"}, hands.BOT, hands.BOT]
    hands.make_table(page, host.address, "double-dutch", seats)
    assert hands.wait_for_turn(page)
    page.select_option("label:has-text('Bots move') select", "step")
    before = page.locator("[data-n]").count()
    move(page)
    for shown in (1, 2):
        page.wait_for_selector("[data-next]")
        page.wait_for_timeout(1500)
        assert page.locator("[data-n]").count() == before + shown
        page.keyboard.press("Enter")
    assert hands.wait_for_turn(page)
    assert page.locator("[data-n]").count() == before + 3
    names = [page.evaluate("one => one.innerText", one) for one in page.query_selector_all(".name .text")]
    assert len(set(names)) == len(names) == 3
    page.reload()
    page.wait_for_selector("label:has-text('Bots move') select")
    assert page.input_value("label:has-text('Bots move') select") == "step"
