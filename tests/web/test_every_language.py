"""Every page in every language: nothing is cut off on a phone or a desk, and the words are enough to play and learn."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Iterator
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from tests.server.administration.holder import new_token

from cupboard.core.lessons import lessons_of
from cupboard.core.registry import find
from cupboard.core.words import languages, phrase, say

from . import hands
from .conftest import Host, Opener, Shot
from .test_classes import ask, sign_up
from .test_learning import Mouse, do_step

MESSAGES = Path(__file__).parents[2] / "web" / "src" / "lib" / "messages"
SIZES = {"narrow": (360, 740), "wide": (1440, 900)}
GAMES = ("jumping-cups", "double-dutch", "cup-king", "chinese-checkers")
BOT = {"kind": "bot", "level": "sprout"}
SHORT: dict[str, dict[str, Any]] = {"chinese-checkers": {"round_cap": 2}, "cup-king": {"removal": "careful"}}
"""Options with which a game that is played at random ends soon."""

# What is cut off: text that is hidden at the edge of its own box, or that sticks out of a button or the window.
_TROUBLE = """() => {
  const found = [];
  const name = (node) => `${node.tagName.toLowerCase()}.${node.className} “${(node.innerText ?? '').slice(0, 60)}”`;
  const root = document.scrollingElement;
  if (root.scrollWidth > innerWidth + 1) found.push(`the page is ${root.scrollWidth} wide`);
  const scrolls = (node) => {
    for (let up = node; up && up !== document.body; up = up.parentElement)
      if (/auto|scroll/.test(getComputedStyle(up).overflowX)) return true;
    return false;
  };
  for (const node of document.querySelectorAll('body *')) {
    const texts = [...node.childNodes].filter((one) => one.nodeType === Node.TEXT_NODE && one.data.trim());
    if (!texts.length || node.closest('svg, select, script, style, [aria-hidden=true], .hidden')) continue;
    const style = getComputedStyle(node);
    const box = node.getBoundingClientRect();
    if (box.width <= 1 || box.height <= 1 || style.visibility === 'hidden' || style.clipPath !== 'none') continue;
    if (style.textOverflow === 'ellipsis') continue;
    const hides = /hidden|clip/.test(style.overflowX);
    if (hides && node.scrollWidth > node.clientWidth + 1) found.push(`cut off: ${name(node)}`);
    const range = document.createRange();
    range.selectNodeContents(node);
    const words = range.getBoundingClientRect();
    const isOutside = words.width && (words.right > innerWidth + 1 || words.left < -1);
    if (isOutside && !scrolls(node)) found.push(`out of the window: ${name(node)}`);
    const button = node.closest('button, a.button');
    if (!button || style.position === 'absolute') continue;
    const room = button.getBoundingClientRect();
    if (words.right > room.right + 1 || words.left < room.left - 1) found.push(`out of its button: ${name(button)}`);
  }
  return found;
}"""


class Tour:
    """One browser that goes from page to page and changes its language."""

    def __init__(self, host: Host, opened: Opener) -> None:
        self.host, self.page = host, opened()
        self.page.goto(host.address)
        self.tables = {game: self._table(game) for game in GAMES}
        sign_up(self.page, host, "tour")
        made = ask(self.page, host, "POST", "/api/classes", {"name": "5b"})
        self.class_id = made["id"]
        self.token = new_token(host.folder)

    def _table(self, game: str) -> str:
        """A table in the middle of a game, with somebody to move."""
        made = hands.make_table(self.page, self.host.address, game, [{"kind": "me"}, BOT])
        assert hands.wait_for_turn(self.page, 120)
        return str(made["table"]["id"])

    def speak(self, language: str, size: str) -> None:
        width, height = SIZES[size]
        self.page.set_viewport_size({"width": width, "height": height})
        self.page.context.add_cookies([{"name": "cupboard-language", "value": language, "url": self.host.address}])
        self.page.evaluate("language => localStorage.setItem('cupboard.language', language)", language)

    def go(self, path: str, wanted: str) -> None:
        self.page.goto("about:blank")  # with another part behind the # only, nothing would be loaded
        self.page.goto(self.host.address + path)
        self.page.wait_for_selector(wanted)

    def trouble(self) -> list[str]:
        hands.wait_until_drawn(self.page)
        return list(self.page.evaluate(_TROUBLE))

    def pages(self, language: str) -> dict[str, Callable[[], None]]:
        """How to get to each page, by its name."""
        page = self.page

        def dialog(*clicks: str) -> Callable[[], None]:
            def show() -> None:
                self.go("/", "article svg [data-piece]")
                for click in clicks:
                    page.locator(click).first.click()
                page.wait_for_selector("dialog[open]")

            return show

        def at(path: str, wanted: str = "h1") -> Callable[[], None]:
            return lambda: self.go(path, wanted)

        def lost_server() -> None:
            self.go("/", "article")
            kept = "(await (await caches.open('cupboard-away')).match('/away'))?.text()"
            # The page that was kept in the language before is there until this one has put its own.
            page.wait_for_function(f"async (lang) => (await {kept})?.includes(lang)", arg=f'lang="{language}"')
            html = page.evaluate(f"async () => await {kept}")
            page.set_content(html)

        tables = {f"table-{game}": at(f"/t/{table}", "svg.board") for game, table in self.tables.items()}
        return {
            "lobby": at("/", "article svg [data-piece]"),
            "play": dialog("article button.play, article button.change"),
            "options": dialog("article >> nth=3 >> button >> nth=1", "dialog summary"),
            "account": dialog("header .who"),
            **tables,
            "lesson": at("/learn/jumping-cups", "p.sentence"),
            "lessons": at("/learn"),
            "rules": at(f"/rules/{language}/cup-king", "#CK-1"),
            "all-rules": at(f"/rules/{language}", "main li"),
            "explore": at("/explore/double-dutch", "svg.board"),
            "mine": at("/games/jumping-cups"),
            "classes": at("/classes"),
            "class": at(f"/class/{self.class_id}"),
            "join": at("/join"),
            "admin": at(f"/admin#{self.token}", "h2"),
            "away": lost_server,
            "nothing": at("/embed/explore/jumping-cups", "svg.board"),
        }


CROWDED = ("lobby", "options", "table-cup-king", "lesson", "rules")
"""The pages with the most words where there is the least room."""


@pytest.fixture(scope="module")
def tour(host: Host, chromium: Any) -> Iterator[Tour]:
    context = chromium.new_context(locale="en-GB")
    context.set_default_timeout(60_000)
    context.add_init_script("localStorage.getItem('cupboard.space') ?? localStorage.setItem('cupboard.space', 'off')")
    yield Tour(host, context.new_page)
    context.close()


def _look(tour: Tour, language: str, size: str, name: str, shot: Shot | None = None) -> list[str]:
    tour.speak(language, size)
    tour.pages(language)[name]()
    assert tour.page.get_attribute("html", "lang") == language or name == "away"
    if shot is not None:
        shot(tour.page, f"{language}-{name}-{size}")
    return [f"{language}, {name}, {size}: {what}" for what in tour.trouble()]


def test_the_crowded_pages_fit_a_phone_in_every_language(tour: Tour) -> None:
    assert not [what for language in languages() for name in CROWDED for what in _look(tour, language, "narrow", name)]


def test_every_page_fits_a_desk_and_a_phone_in_some_language(tour: Tour) -> None:
    names = [name for name in tour.pages("en") if name not in CROWDED]
    by_turns = zip(names, cycle(reversed(languages())), strict=False)
    assert not [what for name, language in by_turns for size in SIZES for what in _look(tour, language, size, name)]


@pytest.mark.long
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", languages())
def test_every_page_fits_in_every_language(tour: Tour, shot: Shot, language: str, size: str) -> None:
    assert not [what for name in tour.pages(language) for what in _look(tour, language, size, name, shot)]


def test_the_check_sees_what_is_cut_off(tour: Tour) -> None:
    tour.speak("en", "narrow")
    tour.go("/", "article svg [data-piece]")
    assert not tour.trouble()
    for style in ("width:40px;overflow:hidden;white-space:nowrap", "width:900px"):
        tour.page.evaluate(
            """(style) => {
              const one = document.createElement('p');
              one.id = 'x';
              one.textContent = 'Donaudampfschifffahrtsgesellschaft und noch vieles mehr auf einmal';
              one.style.cssText = style; // the page's policy forbids styles in its HTML
              document.body.append(one);
            }""",
            style,
        )
        assert tour.trouble()
        tour.page.evaluate("document.querySelector('#x').remove()")
    tour.page.evaluate("document.querySelector('article button').style = 'width:30px;padding:0;white-space:nowrap'")
    assert any("out of its button" in what for what in tour.trouble())


# Playing and learning by the words that can be seen.


def _said(language: str, key: str) -> str:
    """A message of the page without anything to fill in; in English if the language lacks it."""
    found: dict[str, object] = {}
    for tag in ("en", language):
        file = MESSAGES / f"{tag}.json"
        found |= json.loads(file.read_text("utf-8")) if file.is_file() else {}
    assert isinstance(found[key], str)
    return str(found[key])


def _play(page: Any, host: Host, language: str, game: str) -> None:
    """A whole game to its result: the places and the result are found by what they are called."""
    page.add_init_script("localStorage.setItem('cupboard.pace', 'once')")
    hands.make_table(page, host.address, game, [{"kind": "me"}, BOT], **SHORT.get(game, {}))
    title, take, target = (
        json.dumps(_said(language, key), ensure_ascii=False)
        for key in ("result.title", "board.movable", "board.target")
    )
    result = f"section[aria-label={title}]"
    rng, end = random.Random(game), time.monotonic() + 300
    while time.monotonic() < end:
        page.wait_for_selector(f"{hands.ACT}, {result}", state="attached", timeout=60_000)
        if page.locator(result).count():
            page.get_by_role("button", name=_said(language, "result.rematch")).first.wait_for()
            return
        buttons = page.locator(f"{hands.ACT} button.primary, dialog[open] button.danger")
        if buttons.count():
            hands.press(buttons.first)
        elif spots := _places(page, target) or _places(page, take):  # what is taken up is put down somewhere
            hands.click_spot(page, rng.choice(spots))
            hands.stop_here(page)
        elif (drop := page.get_by_role("button", name=_said(language, "asked.drop"), exact=True)).count():
            hands.press(drop.first)  # a cup that could only leave the track
        hands.wait_until_drawn(page)
    raise AssertionError("the game did not end")


def _places(page: Any, words: str) -> list[str]:
    """The places that are said to be what `words` mean, which stand in quotation marks."""
    return list(
        page.locator(f".spot.open[aria-label*={words}]").evaluate_all(
            "all => all.map((one) => one.getAttribute('data-spot'))"
        )
    )


def _learn(page: Any, host: Host, language: str) -> None:
    """Three steps done, the others skipped, and the way to the first game."""
    page.goto(f"{host.address}/learn/double-dutch")
    mouse = Mouse(page)
    for n, step in enumerate(lessons_of(find("double-dutch")).steps):
        page.get_by_text(say(phrase(step.words), language), exact=True).wait_for()
        if n < 3:
            do_step(page, mouse, "double-dutch", step, language)
        mouse.button(_said(language, "learn.next" if n < 3 else "learn.skip"))
    page.get_by_role("button", name=_said(language, "learn.firstGame")).wait_for()


_TURNS = list(zip(GAMES, cycle(reversed(languages())), strict=False))


@pytest.mark.parametrize(("game", "language"), _TURNS)
def test_a_game_is_played_by_its_words(host: Host, opened: Opener, game: str, language: str) -> None:
    _play(opened(locale=language), host, language, game)


@pytest.mark.parametrize("language", languages()[-1:])
def test_a_lesson_is_done_by_its_words(host: Host, opened: Opener, language: str) -> None:
    _learn(opened(locale=language), host, language)


@pytest.mark.long
@pytest.mark.parametrize("language", languages())
def test_all_games_and_a_lesson_in_every_language(host: Host, opened: Opener, language: str) -> None:
    page = opened(locale=language)
    for game in GAMES:
        _play(page, host, language, game)
    _learn(page, host, language)
