"""A whole game of each, played through the page."""

from __future__ import annotations

import random
from collections.abc import Callable
from math import hypot
from typing import Any

from . import hands
from .conftest import Host, Opener, Shot
from .hands import BOT


def test_chinese_checkers_is_played_to_the_end_on_a_phone(host: Host, opened: Opener, shot: Shot) -> None:
    page = opened("phone", reduced_motion="reduce")
    hands.make_table(page, host.address, "chinese-checkers", [{"kind": "me"}, BOT])
    for turn in range(300):
        if not hands.wait_for_turn(page):
            break
        before = hands.version(page)
        _advance(page)
        if turn == 2:
            shot(page, "chinese-checkers-phone")
        hands.wait_for_change(page, before)
    page.wait_for_selector(hands.RESULT)
    page.evaluate("document.querySelector('section[aria-label=Result]').scrollIntoView()")
    shot(page, "chinese-checkers-phone-over")


def _advance(page: Any) -> None:
    """Take the hindmost piece that can get on, and let it go as far down the star as it can."""
    pieces = hands.open_spots(page)
    for piece in sorted(pieces):
        _tap_until(page, piece, hands.picked)
        goals = [spot for spot in hands.open_spots(page) if spot not in pieces]
        goal = max(goals, key=lambda spot: (spot[0], -abs(int(spot[1:]) - 3)), default="")
        if goal and (goal[0] > piece[0] or piece == sorted(pieces)[-1]):
            room = hands.elbow_room(page, goal)
            assert room >= 43, f"a target of {room} pixels is too small for a finger"
            _bring_into_sight(page, goal)
            hands.tap_spot(page, goal)
            hands.stop_here(page)
            return
        hands.tap_spot(page, piece)
    raise AssertionError("no piece can move")


def _bring_into_sight(page: Any, spot: str) -> None:
    """Drag the zoomed board until the place is on the screen; a finger starts where no piece of its own is."""
    frame = page.locator("svg.board").bounding_box()
    for _ in range(6):
        x, y = hands.middle(page, spot)
        out_x = min(0, x - frame["x"] - 24) + max(0, x - frame["x"] - frame["width"] + 24)
        out_y = min(0, y - frame["y"] - 24) + max(0, y - frame["y"] - frame["height"] + 24)
        if not out_x and not out_y:
            return
        # A finger that hardly moves taps, and a tap beside all places lets go of the piece.
        far = max(1.0, 40 / hypot(out_x, out_y))
        page.evaluate(
            """([dx, dy]) => {
              const svg = document.querySelector('svg.board'), box = svg.getBoundingClientRect();
              const open = [...svg.querySelectorAll('.spot.open')].map(one => one.getBoundingClientRect());
              let x = 0, y = 0;
              for (y = box.top + 20; y < box.bottom; y += 15) {
                for (x = box.left + 20; x < box.right; x += 15)
                  if (open.every(o => Math.hypot(o.left + o.width / 2 - x, o.top + o.height / 2 - y) > 60)) break;
                if (x < box.right) break;
              }
              const send = (type, x, y) => svg.dispatchEvent(new PointerEvent(type,
                {pointerId: 7, pointerType: 'touch', button: 0, clientX: x, clientY: y, bubbles: true}));
              svg.setPointerCapture = () => {};
              send('pointerdown', x, y); send('pointermove', x - dx / 2, y - dy / 2);
              send('pointermove', x - dx, y - dy); send('pointerup', x - dx, y - dy);
            }""",
            [far * out_x, far * out_y],
        )
        hands.wait_until_drawn(page)


def _tap_until(page: Any, spot: str, there: Callable[[Any], bool]) -> None:
    """The first tap may only bring the board nearer."""
    for _ in range(3):
        _bring_into_sight(page, spot)
        hands.tap_spot(page, spot)
        hands.wait_until_drawn(page)
        if there(page):
            return
    raise AssertionError(f"{spot} cannot be taken up")


def test_jumping_cups_between_two_browsers_survives_the_servers_death(
    own_host: Host, opened: Opener, shot: Shot
) -> None:
    anna, bo = opened(), opened("tablet", theme="dark")
    anna.goto(own_host.address)
    anna.click("button[aria-label='Jumping Cups with friends']")
    anna.click("dialog button.start")
    anna.wait_for_selector("text=Waiting for 1 friend")
    link = anna.locator("aside input[readonly]").first.input_value()
    shot(anna, "jumping-cups-invite")
    bo.goto(link)
    bo.fill("#sit", "Bo the Second of a Name That Is Long")
    bo.click("text=Sit down")
    rng = random.Random(2)
    for turn in range(120):
        both = [anna, bo]
        anna.wait_for_function(
            "() => document.querySelector('.status') && !document.querySelector('section[aria-label=Invite]')"
        )
        acting = hands.who_acts(both)
        if acting is None:
            break
        if turn == 8:
            own_host.kill()
            anna.wait_for_selector("text=The line is cut")
            own_host.start()
            anna.wait_for_selector("text=The line is cut", state="detached")
            bo.wait_for_selector("text=The line is cut", state="detached")
            continue
        before = hands.version(acting)
        hands.jump(acting, rng, drag=turn % 2 == 0)
        hands.wait_for_change(acting, before)
        if turn == 14:
            shot(anna, "jumping-cups-desk")
            shot(bo, "jumping-cups-tablet-dark")
    for page in (anna, bo):
        page.wait_for_selector(hands.RESULT)
    shot(anna, "jumping-cups-over")
    anna.click("text=Play again")
    bo.click("div[role=alertdialog] >> text=Yes")
    for page in (anna, bo):
        page.wait_for_selector(hands.RESULT, state="detached")  # the rematch begins by itself
        page.wait_for_selector("svg.board")


def test_cup_king_with_six_seats_is_played_to_the_end(host: Host, opened: Opener, shot: Shot) -> None:
    page = opened()
    hands.make_table(page, host.address, "cup-king", [{"kind": "me"}, *[BOT] * 5])
    page.wait_for_selector("text=My pyramid is ready")
    colours = "document.querySelector('[data-piece=\"A:a1\"] text').textContent"
    first = page.evaluate(colours)
    other = next(
        spot
        for spot in hands.open_spots(page)
        if page.evaluate(f"document.querySelector('[data-piece=\"{spot}\"] text').textContent") != first
    )
    hands.drag_spot(page, "A:a1", other)
    assert page.evaluate(colours) != first
    shot(page, "cup-king-building")
    before = hands.version(page)
    page.click("text=My pyramid is ready")
    hands.wait_for_change(page, before)
    rng = random.Random(3)
    for turn in range(200):
        # Whoever is out waits for the five others to the end: on a busy machine their falls take a minute to simulate.
        if not hands.wait_for_turn(page, seconds=120):
            break
        before = hands.version(page)
        hands.fight(page, hands.click_spot, rng)
        hands.wait_for_change(page, before)
        if turn == 5:
            shot(page, "cup-king-six")
    page.wait_for_selector(hands.RESULT)
    shot(page, "cup-king-over")
