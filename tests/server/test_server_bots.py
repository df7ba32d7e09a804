"""Bots at many tables: what they keep in memory has a limit."""

from __future__ import annotations

from cupboard.core.registry import load
from cupboard.server.table import bots
from cupboard.server.table.bots import Bots


def test_a_bot_keeps_its_seat_until_many_others_have_moved() -> None:
    game, all_bots = load("jumping-cups", 2), Bots(1.0)
    first = all_bots.at("table", 1, "sprout", game)
    for other in range(bots._MOST_KEPT - 1):
        all_bots.at(f"another {other}", 0, "sprout", game)
    assert all_bots.at("table", 1, "sprout", game) is first
    for other in range(bots._MOST_KEPT):
        all_bots.at(f"yet another {other}", 0, "sprout", game)
    assert all_bots.at("table", 1, "sprout", game) is not first
    assert len(all_bots._seated) == bots._MOST_KEPT
    all_bots.close()


def test_who_leaves_a_table_is_forgotten() -> None:
    game, all_bots = load("jumping-cups", 2), Bots(1.0)
    seats = [all_bots.at("table", seat, "sprout", game) for seat in range(2)]
    stays = all_bots.at("another", 0, "sprout", game)
    all_bots.leave("table")
    assert list(all_bots._seated.values()) == [stays]
    assert all_bots.at("table", 0, "sprout", game) not in seats
    all_bots.close()
