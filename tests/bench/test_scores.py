"""Scores as the bench prints them, and the clock that its matches are measured by."""

from __future__ import annotations

import sys
from pathlib import Path

from cupboard.core.registry import load
from cupboard.players.alphabeta import AlphaBeta
from cupboard.players.thinking import Limits

sys.path.insert(0, str(Path(__file__).parents[2]))

from bench.scores import share_and_elo, share_of_points
from bench.strength_double_dutch import cpu_clocks


def test_a_share_comes_with_its_interval_and_its_elo() -> None:
    games = [[1.0]] * 15 + [[0.0]] * 5
    assert share_of_points(games) == "75.0 % (52.5 to 89.0)"
    assert share_and_elo(games, 2) == "75.0 % (52.5 to 89.0), +191 Elo (+18 to +364)"
    assert share_and_elo(games, 3).endswith(", +311 Elo (+138 to +484)")


def test_a_search_by_cpu_time_uses_its_time() -> None:
    game = load("double-dutch", 2)
    with cpu_clocks():
        thought = AlphaBeta(game, 1).think(game.start().seen_by(0), Limits(seconds=0.2))
    assert thought.depth > 2
