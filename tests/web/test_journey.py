"""The journey of somebody who has never seen a game: from the first page through a lesson and a first game to the next.

By mouse, by keyboard alone and on a phone. Whoever plays here knows only what is to be seen and read: the words on
buttons and links, and which places of the board are open.
"""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

from . import hands
from .conftest import Host, Opener, Shot
from .keys import Keys
from .test_learning import Finger, Hand, Mouse


class Tabbing:
    """Somebody with a keyboard, who finds what is not on a board by Tab."""

    def __init__(self, page: Any) -> None:
        self.page = page

    def pick(self, spot: str) -> None:
        """Move to a place of the board, and press Enter."""
        Keys(self.page).pick(spot)

    def button(self, words: str) -> None:
        """Tab on until what has the focus says these words, and press Enter."""
        for _ in range(120):
            said = "document.activeElement.ariaLabel ?? document.activeElement.innerText ?? ''"
            if str(self.page.evaluate(said)).strip().startswith(words):
                self.page.keyboard.press("Enter")
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"Tab never leads to {words!r}")


class Looking(Mouse):
    """Somebody with a mouse, who presses what says the words, be it a button or a link."""

    def button(self, words: str) -> None:
        _called(self.page, words).click()


class Touching(Finger):
    """Somebody with a phone, who taps what says the words, be it a button or a link."""

    def button(self, words: str) -> None:
        _called(self.page, words).tap()


def _called(page: Any, words: str) -> Any:
    begins = re.compile(rf"^\s*{re.escape(words)}")
    named = page.get_by_role("button", name=begins).or_(page.get_by_role("link", name=begins))
    return named.filter(visible=True).first


def _move(page: Any, hand: Hand, rng: random.Random) -> None:
    """Pick an open piece, and the place it may go to; where it could only leave the track, another one."""
    pieces = hands.open_spots(page)
    for piece in rng.sample(pieces, len(pieces)):
        hand.pick(piece)
        if not hands.picked(page):  # pointing once was the whole move
            return
        if goals := [spot for spot in hands.open_spots(page) if spot != piece]:
            hand.pick(rng.choice(goals))
            hands.wait_until_drawn(page)
            stop = page.locator("[data-stop]")
            if stop.count():  # it waits where it could jump on
                hand.button(stop.inner_text())
            return
        page.keyboard.press("Escape")
    raise AssertionError("no piece can be moved, and the game goes on")


def _fight(page: Any, hand: Hand, rng: random.Random) -> None:
    """Press what the page offers; where it offers nothing yet, pick a card or a bucket, and cards until it does."""
    offered = page.locator(".asked button.primary:enabled")
    for _ in range(4):
        if offered.count():
            hand.button(offered.first.inner_text())
            return
        spots = hands.open_spots(page)
        cards = [
            spot for spot in spots if spot[2].isupper() and not page.locator(f'.taken[data-spot="{spot}"]').count()
        ]
        if not spots:
            return
        hand.pick(rng.choice(cards or spots))
        hands.wait_until_drawn(page)


HANDS = pytest.mark.parametrize(
    ("size", "kind"), [("desk", Looking), ("desk", Tabbing), ("phone", Touching)], ids=["mouse", "keyboard", "phone"]
)


@HANDS
def test_a_newcomer_learns_plays_to_the_end_and_plays_again(
    host: Host, opened: Opener, shot: Shot, size: str, kind: type[Any]
) -> None:
    travel(host, opened, shot, "Jumping Cups", size, kind)


@pytest.mark.long
@HANDS
@pytest.mark.parametrize("game", ["Double Dutch", "Cup King", "Chinese Checkers"])
def test_a_newcomer_does_so_in_every_game(
    host: Host, opened: Opener, shot: Shot, game: str, size: str, kind: type[Any]
) -> None:
    travel(host, opened, shot, game, size, kind)


def travel(host: Host, opened: Opener, shot: Shot, game: str, size: str, kind: type[Any]) -> None:
    """From the first page to the first step of the lessons, then through a first game with the tutor to the next."""
    page = opened(size, reduced_motion="reduce")
    page.goto(host.address)
    page.wait_for_selector("article .play")
    hand: Hand = kind(page)
    hand.button(f"Learn it by playing: {game}")
    page.wait_for_selector(".sentence", timeout=180_000)  # the game may have to be compiled first
    rng = random.Random(7)
    # The first step is a move, and nothing but the marked places is needed for it.
    move = _fight if game == "Cup King" else _move
    if game == "Cup King":
        hand.button("My pyramid is ready")
    else:
        move(page, hand, rng)
    page.wait_for_selector(".said")
    hand.button("The end")
    hand.button("Play your first game with a tutor")
    for _ in range(400):
        if not hands.wait_for_turn(page, seconds=180):
            break
        before = hands.version(page)
        move(page, hand, rng)
        hands.wait_for_change(page, before)
    result = page.locator(hands.RESULT)
    result.get_by_role("heading").wait_for()
    shot(page, f"journey-{game.lower().replace(' ', '-')}-{size}-{kind.__name__.lower()}")
    assert result.get_by_role("heading").inner_text()
    table = page.url
    hand.button("Play again")
    page.wait_for_function("url => location.href != url", arg=table)
    assert hands.wait_for_turn(page, seconds=180)
