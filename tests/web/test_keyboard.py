"""A whole game of each with the keyboard alone, every move announced in the live region."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from . import hands
from .conftest import Host, Opener, Shot
from .hands import BOT
from .keys import Keys

IDA = {"kind": "me", "name": "Ida"}


def play_by_keys(page: Any, act: Callable[[Keys], None], most: int) -> Keys:
    """To the end; `act` makes one move."""
    keys = Keys(page)
    for _ in range(most):
        if not hands.wait_for_turn(page):
            break
        before = hands.version(page)
        act(keys)
        hands.wait_for_change(page, before)
    page.wait_for_selector(hands.RESULT)
    return keys


def test_jumping_cups_by_keyboard(host: Host, opened: Opener) -> None:
    page = opened()
    hands.make_table(page, host.address, "jumping-cups", [IDA, BOT])
    rng = random.Random(4)

    def jump(keys: Keys) -> None:
        cups = hands.open_spots(page)
        for cup in rng.sample(cups, len(cups)):
            keys.pick(cup)
            if goals := hands.open_spots(page):
                keys.pick(rng.choice(goals))
                return
            keys.press("Escape")
        # Only cups that would leave the track: the page asks first.
        keys.pick(cups[0])
        keys.button("Off the track")
        keys.button("Play it anyway")

    play_by_keys(page, jump, 60).check_that_all_was_told("Ida")


def test_chinese_checkers_by_keyboard(host: Host, opened: Opener, shot: Shot) -> None:
    page = opened(reduced_motion="reduce")
    hands.make_table(page, host.address, "chinese-checkers", [IDA, BOT])

    def advance(keys: Keys) -> None:
        """The hindmost piece that can get on goes as far down the star as it can."""
        pieces = sorted(hands.open_spots(page))
        for piece in pieces:
            keys.pick(piece)
            goal = max(hands.open_spots(page), key=lambda spot: (spot[0], -abs(int(spot[1:]) - 3)))
            if goal > piece or piece == pieces[-1]:
                keys.pick(goal)
                if page.locator("[data-stop]").count():  # it could jump on: once more to stop there
                    keys.press("Enter")
                return
            keys.press("Escape")

    keys = play_by_keys(page, advance, 200)
    keys.check_that_all_was_told("Ida")
    shot(page, "chinese-checkers-by-keyboard")


def test_double_dutch_by_keyboard(host: Host, opened: Opener, shot: Shot) -> None:
    page = opened()
    page.goto(host.address)
    page.wait_for_selector("article")
    page.focus("button[aria-label='Play Double Dutch against a bot']")
    page.keyboard.press("Enter")
    page.wait_for_selector("dialog .start:focus")
    page.keyboard.press("Enter")
    page.wait_for_selector(".asked")
    rng = random.Random(5)

    def place_or_slide(keys: Keys) -> None:
        keys.pick(rng.choice(hands.open_spots(page)))
        if hands.picked(page):
            keys.press("n")
            assert "you may go here" in keys.here()
            keys.press("Enter")

    keys = play_by_keys(page, place_or_slide, 80)
    keys.check_that_all_was_told(hands.own_name(page))
    shot(page, "double-dutch-over")
    # ← and → step through the whole game when the board does not have the keyboard.
    page.evaluate("document.activeElement.blur()")
    keys.press("ArrowLeft")
    page.wait_for_selector("text=Looking back.")
    keys.press("ArrowRight")
    page.wait_for_selector("text=Looking back.", state="detached")
    keys.press("?")
    page.wait_for_selector("dialog .rulebook article p")
    shot(page, "double-dutch-rules")


def test_cup_king_by_keyboard(host: Host, opened: Opener) -> None:
    page = opened()
    hands.make_table(page, host.address, "cup-king", [IDA, BOT], removal="careful")
    page.wait_for_selector("text=My pyramid is ready")
    rng = random.Random(6)

    def exchange_two_buckets(keys: Keys) -> None:
        first, *others = hands.open_spots(page)
        other = next(spot for spot in others if hands.bucket(page, spot) != hands.bucket(page, first))
        wanted = hands.bucket(page, other)
        keys.pick(first)
        keys.pick(other)
        assert hands.bucket(page, first) == wanted

    def fight(keys: Keys) -> None:
        if page.locator("text=My pyramid is ready").count():
            exchange_two_buckets(keys)
            keys.button("My pyramid is ready")
            return
        before = hands.version(page)
        for _ in range(4):
            if page.locator(".asked button.primary").count():
                keys.press("c", "Enter")
            elif spots := hands.open_spots(page):
                keys.pick(rng.choice([spot for spot in spots if spot[2].isupper()] or spots))
            page.wait_for_timeout(60)
            if hands.version(page) != before or not hands.picked(page):
                return
            assert not page.locator("[data-spot][aria-label*='you may go here']").count(), "cards are taken"

    play_by_keys(page, fight, 200).check_that_all_was_told("Ida")


def test_arrow_keys_walk_over_the_six_neighbours(host: Host, opened: Opener) -> None:
    page = opened()
    hands.make_table(page, host.address, "double-dutch", [IDA, BOT])
    page.wait_for_selector(hands.ACT)
    page.evaluate("document.querySelector('[data-spot=e4]').focus()")
    walk = {"ArrowRight": "e5", "ArrowLeft": "e4", "PageUp": "d4", "End": "e4", "Home": "d3", "PageDown": "e4"}
    for key, spot in walk.items():
        page.keyboard.press(key)
        assert hands.focused(page) == spot
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    assert hands.focused(page) == "c4"
