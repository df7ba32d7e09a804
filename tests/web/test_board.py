"""What a board shows and how it is pointed at: turned to its player, with names, step by step, near and far."""

from __future__ import annotations

from typing import Any

import pytest

from . import hands
from .conftest import Host, Opener, Shot
from .hands import BOT

_ME = {"kind": "me"}
_LADDER = (("c3", "e7"), ("n4", "m8"), ("e7", "e6"), ("m8", "n4"))
"""After these moves of two players the piece on a1 may jump to c3, on to e7, and from there to e5 or e9."""


def _ladder(page: Any, host: Host) -> None:
    hands.make_table(page, host.address, "chinese-checkers", [_ME, _ME])
    for start, end in _LADDER:
        hands.wait_for_turn(page)
        before = hands.version(page)
        _enter(page, start, end)
        hands.stop_here(page)
        hands.wait_for_change(page, before)
    page.wait_for_timeout(400)


def _enter(page: Any, *spots: str) -> None:
    """Point at places with the keyboard."""
    for spot in spots:
        page.evaluate("spot => document.querySelector(`[data-spot='${spot}']`).focus()", spot)
        page.keyboard.press("Enter")


@pytest.mark.parametrize(("seat", "lowest"), ((0, "a1"), (1, "m13"), (2, "m1")))
def test_the_star_is_turned_so_that_ones_own_side_is_nearest(
    host: Host, opened: Opener, seat: int, lowest: str
) -> None:
    page = opened("phone")
    page.add_init_script("localStorage.setItem('cupboard.coordinates', 'on')")
    hands.make_table(page, host.address, "chinese-checkers", [_ME if one == seat else BOT for one in range(3)])
    heights = page.eval_on_selector_all(
        ".spot", "all => all.map(one => [one.getBoundingClientRect().y, one.getAttribute('data-spot')])"
    )
    assert max(heights)[1] == lowest
    sizes = page.eval_on_selector_all(".coordinates text", "all => all.map(one => one.getBoundingClientRect().height)")
    assert len(sizes) == 121 and min(sizes) >= 9.5, "names can be read on a phone"


def test_a_piece_waits_on_its_way_for_the_keyboard(host: Host, opened: Opener) -> None:
    page = opened()
    _ladder(page, host)
    before = hands.version(page)
    _enter(page, "a1", "c3")
    page.wait_for_selector("text=Stop here")
    page.wait_for_selector("[role=status]:has-text('c3. Enter again to stop here, or go on to e')", state="attached")
    assert set(hands.open_spots(page)) == {"c3", "e5", "e7", "e9"} and hands.version(page) == before
    page.keyboard.press("Escape")
    assert hands.picked(page) and not page.locator("[data-stop]").count()
    _enter(page, "c3", "e7", "e5")
    hands.wait_for_change(page, before)
    assert page.locator("[data-piece=e5]").count()


def test_a_finger_steps_from_hole_to_hole_and_stops(host: Host, opened: Opener, shot: Shot) -> None:
    page = opened("phone")
    _ladder(page, host)
    before = hands.version(page)
    hands.tap_spot(page, "a1")
    page.wait_for_timeout(300)
    hands.tap_spot(page, "c3")
    page.wait_for_selector(".ahead.aim")
    shot(page, "chain-phone")
    assert hands.version(page) == before
    page.locator("[data-stop]").tap()
    hands.wait_for_change(page, before)
    assert page.locator("[data-piece=c3]").count()


def test_a_nearer_board_has_a_way_back(host: Host, opened: Opener, shot: Shot) -> None:
    page = opened("phone")
    hands.make_table(page, host.address, "chinese-checkers", [_ME, BOT])
    hands.wait_for_turn(page)
    hands.tap_spot(page, "d2")  # it may go to two holes beside each other
    page.wait_for_selector("button[aria-label='Show the whole board']")
    page.wait_for_timeout(300)
    shot(page, "near-phone")
    page.tap("button[aria-label='Show the whole board']")
    page.wait_for_selector("button[aria-label='Show the whole board']", state="detached")
    assert hands.picked(page), "the piece stays in the hand"


def test_left_and_right_step_through_the_game_after_a_click_and_with_shift_always(host: Host, opened: Opener) -> None:
    page = opened()
    _ladder(page, host)
    hands.click_spot(page, "b1")
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector("text=Looking back.")
    page.keyboard.press(".")
    page.wait_for_selector("text=Looking back.", state="detached")
    page.keyboard.press("b")
    here = hands.focused(page)
    page.keyboard.press("ArrowRight")
    assert hands.focused(page) not in ("", here) and not page.locator("text=Looking back.").count()
    page.keyboard.press("Shift+ArrowLeft")
    page.wait_for_selector("text=Looking back.")


def test_a_hint_draws_its_way(host: Host, opened: Opener) -> None:
    page = opened()
    hands.make_table(page, host.address, "chinese-checkers", [_ME, BOT])
    hands.wait_for_turn(page)
    page.keyboard.press("h")
    page.wait_for_selector(".ahead.hint .head", state="attached")
