"""How pieces travel: along the way they really take, in a third of a second, and not at all for who wants calm."""

from __future__ import annotations

from typing import Any

import pytest

from . import hands
from .conftest import Host, Opener, Shot
from .hands import BOT

_WATCH = """
  window.trips = [];
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, options) {
    window.trips.push({stops: frames.filter(f => f.transform).map(f => f.transform), ms: options.duration});
    return animate.call(this, frames, options);
  };
"""


def watch_two_bots(page: Any, address: str) -> None:
    """Let them play, and keep what is animated."""
    page.add_init_script(_WATCH)
    hands.make_table(page, address, "chinese-checkers", [BOT, BOT])


def test_a_chain_hops_from_hole_to_hole(calm_host: Host, opened: Opener, shot: Shot) -> None:
    page = opened()
    watch_two_bots(page, calm_host.address)
    page.wait_for_function("() => window.trips.some(trip => trip.stops.length >= 7)")
    shot(page, "chinese-checkers-in-the-middle-of-a-hop")
    trips = page.evaluate("window.trips")
    # Each hop has a place on the ground and one in the air; the first hole is a place too.
    assert all(len(trip["stops"]) == len(set(trip["stops"])) for trip in trips), "a chain passes no hole twice"
    assert all(180 <= trip["ms"] <= 350 for trip in trips), {trip["ms"] for trip in trips}


def test_who_wants_calm_sees_the_way_instead(calm_host: Host, opened: Opener) -> None:
    page = opened(reduced_motion="reduce")
    # Bots that hardly pause can have finished the game before a busy machine has opened the page.
    watch_two_bots(page, calm_host.address)
    # A chain of three hops or more has its whole way on the board.
    page.wait_for_function("() => document.querySelector('polyline.way')?.getAttribute('points').split(' ').length > 3")
    assert page.evaluate("window.trips") == []


@pytest.mark.parametrize("size", ("phone", "tablet", "desk"))
def test_nothing_scrolls_sideways_with_six_players_and_a_long_name(host: Host, opened: Opener, size: str) -> None:
    page = opened(size)
    name = "Maximiliane-Wilhelmine von Hohenstaufen"
    for game in ("chinese-checkers", "cup-king"):
        hands.make_table(page, host.address, game, [{"kind": "me", "name": name}, *[BOT] * 5])
        assert hands.wait_for_turn(page)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{game} is wider than the screen"
        assert page.evaluate("document.querySelector('.asked').getBoundingClientRect().bottom <= innerHeight"), (
            f"{game}: what is asked, with its buttons, is not in sight"
        )
