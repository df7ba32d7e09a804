"""Bots at many tables: what they keep in memory has a limit, and nobody waits for one that cannot be made."""

from __future__ import annotations

import pytest

from cupboard.core.errors import UnknownPlayer
from cupboard.core.registry import load
from cupboard.server import bots
from cupboard.server.bots import Bots


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


def test_a_bot_that_cannot_be_made_is_stood_in_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its table waited for ever."""

    def broken(*given: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(bots, "make_player", broken)
    game, all_bots = load("jumping-cups", 2, starter="red"), Bots(1.0)
    view = game.start().seen_by(0)
    assert all_bots.make("sprout", game).choose(view) in view.moves()
    all_bots.close()


def test_only_who_can_play_a_game_is_seated() -> None:
    game = load("cup-king", 2)
    assert [bots.check_level(game, level) for level in ("", "hazel", "ismcts")] == ["sapling", "hazel", "ismcts"]
    for level in ("alphabeta", "mcts", "nobody"):
        with pytest.raises(UnknownPlayer, match="sprout"):
            bots.check_level(game, level)
