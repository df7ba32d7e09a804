"""Each game's lessons, done on the page by mouse, by keyboard and by touch, and the first game with a tutor.

The learner knows what a step asks for, but does it with what can be seen: places of the board, and buttons with words.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

import pytest
from tests.cli.test_learn import TAUGHT, answers

from cupboard.core.lessons import Attempt, LessonStep, lessons_of
from cupboard.core.registry import find
from cupboard.core.words import phrase, say

from . import hands
from .conftest import Host, Opener, Shot
from .keys import Keys
from .test_access import check

SAID = ".said.done, .said.shown"


class Hand(Protocol):
    """How somebody works the page."""

    def pick(self, spot: str) -> None:
        """Point at a place of the board."""

    def button(self, words: str) -> None:
        """Press the button with these words."""


class Mouse:
    """Somebody with a mouse."""

    def __init__(self, page: Any) -> None:
        self.page = page

    def pick(self, spot: str) -> None:
        hands.click_spot(self.page, spot)

    def button(self, words: str) -> None:
        self.page.get_by_role("button", name=words, exact=True).click()


class Finger:
    """Somebody with a phone: where places are small, a tap may only bring them nearer."""

    def __init__(self, page: Any) -> None:
        self.page = page

    def pick(self, spot: str) -> None:
        before = self._seen()
        whole = self.page.locator("button[aria-label='Show the whole board']")
        if whole.count() and not self._in_sight(spot):
            whole.tap()
            hands.wait_until_drawn(self.page)
        hands.tap_spot(self.page, spot)
        hands.wait_until_drawn(self.page)
        if self._seen() == before:
            hands.tap_spot(self.page, spot)

    def button(self, words: str) -> None:
        self.page.get_by_role("button", name=words, exact=True).tap()

    def _in_sight(self, spot: str) -> bool:
        place = self.page.locator(f'rect[data-spot="{spot}"]')
        found = place.evaluate(
            """place => {
              const [at, frame] = [place, place.closest("svg")].map(one => one.getBoundingClientRect());
              const [x, y] = [at.x + at.width / 2, at.y + at.height / 2];
              return x > frame.left && x < frame.right && y > frame.top && y < frame.bottom;
            }"""
        )
        return bool(found)

    def _seen(self) -> Any:
        return self.page.evaluate(
            "[document.querySelectorAll('.taken').length, document.querySelector('.said')?.innerText,"
            " document.querySelector('[data-news]').innerText]"
        )


class Blind:
    """Somebody with a keyboard and a screen reader."""

    def __init__(self, page: Any) -> None:
        self.page = page
        page.wait_for_selector(".sentence")
        self.keys = Keys(page)

    def pick(self, spot: str) -> None:
        self.keys.pick(spot)

    def button(self, words: str) -> None:
        if self.page.evaluate("document.activeElement.innerText ?? ''").strip() == words:
            self.keys.press("Enter")  # the way on has the keyboard already
        else:
            self.keys.button(words)


def ways(game: str, step: LessonStep) -> Iterator[tuple[str, ...]]:
    """The places to point at for each move that a step asks for; none for putting something up."""
    attempt = Attempt(find(game), step)
    for text in answers(game, step):
        if step.goal.kind == "point":
            yield (text,)
            continue
        view = attempt.position.seen_by(step.seat)
        yield () if view.filling() else tuple(attempt.position.parse(text, step.seat).spots())
        attempt.play(text)


def start(page: Any, host: Host, game: str) -> None:
    page.goto(f"{host.address}/learn/{game}")
    page.wait_for_selector(".sentence", timeout=180_000)  # the game may have to be compiled first


def do_step(page: Any, hand: Hand, game: str, step: LessonStep, language: str = "en") -> None:
    """Do what the step asks for, and see that it is praised."""
    assert page.inner_text(".sentence") == say(phrase(step.words), language)
    for spots in ways(game, step):
        page.wait_for_function("!document.querySelector('.said.done')")
        before = page.inner_text("[data-news]")
        for spot in spots:
            control = page.locator(f'.controls button[data-spot="{spot}"]')
            if control.count():
                hand.button(control.inner_text())
            else:
                hand.pick(spot)
        stop = page.locator("button[data-stop]")
        if stop.count():  # the piece waits where it could go on
            hand.button(stop.inner_text())
        if not spots:
            hand.button(page.locator(".controls button.primary").inner_text())
        page.wait_for_function("before => document.querySelector('[data-news]').innerText != before", arg=before)
    page.wait_for_selector(SAID)
    assert say(phrase(step.done), language) in page.inner_text(".said")


def do_all(page: Any, hand: Hand, game: str) -> None:
    steps = lessons_of(find(game)).steps
    for n, step in enumerate(steps, 1):
        page.wait_for_selector(f"text=Step {n} of {len(steps)}")
        do_step(page, hand, game, step)
        hand.button("Next")
    page.wait_for_selector("text=Play your first game with a tutor")


@pytest.mark.parametrize("game", TAUGHT)
def test_the_lessons_are_done_by_mouse(host: Host, opened: Opener, shot: Shot, game: str) -> None:
    page = opened(reduced_motion="reduce")
    start(page, host, game)
    do_all(page, Mouse(page), game)
    shot(page, f"{game}-learnt")


@pytest.mark.parametrize("game", TAUGHT)
def test_the_lessons_are_done_by_touch_with_everything_in_sight(
    host: Host, opened: Opener, shot: Shot, game: str
) -> None:
    page = opened("phone", reduced_motion="reduce")
    start(page, host, game)
    height = page.evaluate("document.documentElement.scrollHeight - innerHeight")
    assert height <= 0, "sentence, board and buttons are in sight together"
    shot(page, f"{game}-learning-phone")
    do_all(page, Finger(page), game)


@pytest.mark.parametrize("game", TAUGHT)
def test_the_lessons_are_done_by_keyboard_and_all_is_told(host: Host, opened: Opener, game: str) -> None:
    page = opened(reduced_motion="reduce")
    start(page, host, game)
    blind = Blind(page)
    do_all(page, blind, game)
    heard = " ".join(blind.keys.heard())
    for step in lessons_of(find(game)).steps:
        assert say(phrase(step.words)) in heard, step.id
        assert say(phrase(step.done)) in heard, step.id
    assert page.evaluate("window.pointed") == 0


def test_who_errs_twice_is_shown_what_is_meant_and_a_rule_is_one_click_away(host: Host, opened: Opener) -> None:
    page = opened()
    page.goto(f"{host.address}/learn/jumping-cups?step=height")
    page.wait_for_selector("text=Step 2 of 12")
    page.click("main >> text=JC-10")
    page.wait_for_selector("dialog >> text=JC-10")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")
    hands.click_spot(page, "1")
    page.wait_for_selector(".said.wrong >> text=The rules say:")
    assert not page.locator("text=Show me").count()
    hands.click_spot(page, "10")
    hands.click_spot(page, "9")
    hands.click_spot(page, "10")
    page.wait_for_selector("text=Show me")
    page.click("text=Show me")
    page.wait_for_selector(".said.shown")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=Step 3 of 12")


def test_places_that_a_sentence_speaks_of_have_their_names_on_the_board(host: Host, opened: Opener) -> None:
    page = opened()
    for game, step, said in (("chinese-checkers", "chain", {"d2", "h5"}), ("double-dutch", "slide", {"e4", "e7"})):
        page.goto(f"{host.address}/learn/{game}?step={step}")
        page.wait_for_selector(".sentence", timeout=180_000)
        assert said <= set(page.inner_text(".sentence").replace(".", "").replace(",", "").split())
        page.wait_for_selector(".coordinates text", state="attached")
        assert set(page.locator(".coordinates text").all_text_contents()) == said


def test_progress_is_kept_and_any_step_is_one_click_away(host: Host, opened: Opener) -> None:
    page = opened()
    page.goto(host.address)
    page.click("article >> text=Learn it by playing")
    page.wait_for_selector("text=Step 1 of")
    page.click("nav[aria-label=Steps] >> text=4")
    page.wait_for_selector("text=Step 4 of")
    page.click("text=Back")
    page.wait_for_selector("text=Step 3 of")
    page.reload()
    page.wait_for_selector("text=Step 3 of")
    page.click("text=Skip")
    page.wait_for_selector("text=Step 4 of")
    page.goto(f"{host.address}/learn")
    page.wait_for_selector("text=0 of 12 steps done")
    page.click("text=Begin")
    page.wait_for_selector("text=Step ")


@pytest.mark.parametrize("size", ("desk", "phone"))
def test_the_first_game_has_a_tutor_who_says_each_thing_once(host: Host, opened: Opener, shot: Shot, size: str) -> None:
    page = opened(size)
    start(page, host, "double-dutch")
    page.click("nav[aria-label=Steps] >> button[aria-label^='The end']")
    page.click("text=Play your first game with a tutor")
    tutor = page.locator("section[aria-label=Tutor]")
    tutor.get_by_text("Your first game").wait_for()
    assert hands.wait_for_turn(page)
    shot(page, f"tutor-{size}")
    tutor.get_by_role("button", name="Got it").click()
    assert not tutor.get_by_text("Your first game").count()
    before = hands.version(page)
    point = hands.tap_spot if size == "phone" else hands.click_spot
    point(page, "e4")
    page.wait_for_timeout(400)
    if hands.version(page) == before:  # a tap on a crowded board brings it nearer first
        point(page, "e4")
    hands.wait_for_change(page, before)
    tutor.get_by_text("every turn is a slide").wait_for()
    tutor.get_by_role("button", name="Without the tutor").click()
    assert not tutor.get_by_text("every turn is a slide").count()
    page.reload()
    tutor.get_by_role("button", name="With the tutor").click()
    tutor.get_by_role("button", name="Without the tutor").wait_for()
    assert not tutor.get_by_text("Your first game").count(), "once is enough"


@pytest.mark.parametrize("size", ("phone", "desk"))
@pytest.mark.parametrize("theme", ("light", "dark"))
def test_axe_finds_nothing_wrong_with_lessons(host: Host, opened: Opener, size: str, theme: str) -> None:
    page = opened(size, theme=theme, reduced_motion="reduce")
    page.goto(f"{host.address}/learn")
    page.wait_for_selector("text=Begin")
    check(page, "all games")
    for game in TAUGHT:
        start(page, host, game)
        check(page, game)
    page.goto(f"{host.address}/learn/jumping-cups?step=covered")
    page.wait_for_selector("text=Step 4 of")
    hands.click_spot(page, "1")
    page.wait_for_selector(".said.wrong")
    check(page, "a wrong try")
    hands.click_spot(page, "7")
    page.wait_for_selector(SAID)
    check(page, "a step that is done")
    page.click("nav[aria-label=Steps] >> button[aria-label^='The end']")
    page.click("text=Play your first game with a tutor")
    page.wait_for_selector("section[aria-label=Tutor] >> text=Your first game")
    check(page, "a first game")
