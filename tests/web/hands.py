"""Actions for the browser tests: making a table, waiting for a turn, and pointing by mouse or touch."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from contextlib import suppress
from math import hypot
from typing import Any

BOT = {"kind": "bot", "level": "greedy"}
ACT = ".asked.act"
RESULT = "section[aria-label=Result]"


def make_table(
    page: Any, address: str, game: str, seats: list[dict[str, str]], clock: dict[str, int] | None = None, **options: Any
) -> dict[str, Any]:
    """Make a table as the page does, with this page's cookie, and open it. Returns the server's answer."""
    page.goto(address)
    page.wait_for_selector("article")
    body = {"game": game, "seats": seats, "options": options, "clock": clock}
    answer = page.request.post(
        f"{address}/api/tables",
        data=json.dumps(body),
        headers={"content-type": "application/json", "origin": address},
    )
    assert answer.ok, answer.text()
    made: dict[str, Any] = answer.json()
    page.goto(f"{address}/t/{made['table']['id']}")
    page.wait_for_selector("svg.board")
    return made


def wait_for_turn(page: Any, seconds: float = 30) -> bool:
    """Wait until the player is asked for a move. Returns False if the game is over."""
    page.wait_for_selector(f"{ACT}, {RESULT}", state="attached", timeout=1000 * seconds)
    return not page.locator(RESULT).count()


def version(page: Any) -> str:
    """A text that changes with every move, for `wait_for_change`."""
    return str(page.locator("[data-n]").count()) + str(page.inner_text(".status"))


def wait_for_change(page: Any, before: str) -> None:
    """Wait until `version` differs from `before`, or the game is over."""
    page.wait_for_function(
        "before => document.querySelectorAll('[data-n]').length + document.querySelector('.status').innerText != before"
        " || document.querySelector('section[aria-label=Result]')",
        arg=before,
    )


def wait_until_drawn(page: Any) -> None:
    """Wait for two animation frames, after which the board has been drawn at its new place."""
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


def focused(page: Any) -> str:
    """The spot of the focused element, or an empty text."""
    return str(page.evaluate("document.activeElement.getAttribute('data-spot') ?? ''"))


def open_spots(page: Any) -> list[str]:
    """The spots that may be picked now."""
    return list(page.eval_on_selector_all(".spot.open", "all => all.map(one => one.getAttribute('data-spot'))"))


def picked(page: Any) -> bool:
    """Whether a piece has been picked up."""
    return bool(page.locator(".taken").count())


def bucket(page: Any, spot: str) -> str:
    """The letter on the bucket at a spot."""
    return str(page.text_content(f'[data-piece="{spot}"] text'))


def own_name(page: Any) -> str:
    """The name of this page's player at the table."""
    return str(page.locator("li.you .name .text").first.inner_text())


def click_spot(page: Any, spot: str) -> None:
    """Click the middle of a spot with the mouse."""
    x, y = middle(page, spot)
    page.mouse.click(x, y)


def stop_here(page: Any) -> None:
    """Leave a piece where it waits on its way, if it could go on from where it was put."""
    wait_until_drawn(page)
    if page.locator("[data-stop]").count():
        press(page.locator("[data-stop]"))


def elbow_room(page: Any, spot: str) -> float:
    """How many pixels the nearest other place that may be pointed at is away, but no more than 100."""
    x, y = middle(page, spot)
    others = [middle(page, other) for other in open_spots(page) if other != spot]
    return min([100.0, *(hypot(x - a, y - b) for a, b in others)])


def tap_spot(page: Any, spot: str) -> None:
    """Tap the middle of a spot on the touch screen."""
    x, y = middle(page, spot)
    page.touchscreen.tap(x, y)


def middle(page: Any, spot: str) -> tuple[float, float]:
    """The middle of a spot in pixels; for a stack, the middle of its lowest piece."""
    box = page.locator(f'rect[data-spot="{spot}"]').bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] - box["width"] / 2


def drag_spot(page: Any, start: str, end: str) -> None:
    """Drag with the mouse from the spot `start` to the spot `end`."""
    x, y = middle(page, start)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 12, y - 12)
    page.mouse.move(*middle(page, end), steps=4)
    page.mouse.up()


def press(button: Any) -> None:
    """Click a button that may be gone by now, since the game may have gone on; then do nothing."""
    from playwright.sync_api import TimeoutError as GoneMeanwhile

    with suppress(GoneMeanwhile):
        button.click(timeout=2000)


def fight(page: Any, point: Callable[[Any, str], None], rng: random.Random | None = None) -> None:
    """Make one decision in Cup King: press a button below the board, or point at cards or a bucket."""
    rng = rng or random.Random(1)
    button = page.locator(".asked button.primary").first
    spots: list[str] = []
    while not spots:  # the page may be drawn anew between one look at it and the next
        page.wait_for_selector(f".asked button.primary, .spot.open, {RESULT}", state="attached")
        if page.locator(RESULT).count():
            return
        if button.count():
            press(button)
            return
        spots = open_spots(page)
    spot = rng.choice([one for one in spots if one[2].isupper()] or spots)
    point(page, spot)
    for _ in range(3):
        if button.count():
            press(button)
            return
        more = [one for one in open_spots(page) if one[2].isupper() and one != spot]
        if not more or not picked(page):
            return
        point(page, rng.choice(more))


def who_acts(pages: list[Any]) -> Any | None:
    """The first of the pages whose player is asked for a move; None when the game is over."""
    for _ in range(1200):
        for page in pages:
            if page.locator(RESULT).count():
                return None
            if page.locator(ACT).count() and page.locator(".spot.open").count():
                return page
        pages[0].wait_for_timeout(50)
    raise AssertionError("nobody can act")


def jump(page: Any, rng: random.Random, drag: bool) -> None:
    """Make a move of Jumping Cups, by dragging or by two clicks."""
    cups = open_spots(page)
    rng.shuffle(cups)
    for cup in cups:
        click_spot(page, cup)
        goals = [spot for spot in open_spots(page) if spot != cup]
        if goals:
            if drag:
                drag_spot(page, cup, goals[0])
            else:
                click_spot(page, goals[0])
            return
    # Only cups that would leave the track: the page asks first.
    page.click("text=Off the track")
    page.wait_for_selector("dialog >> text=you would lose at once")
    page.click("text=Play it anyway")
