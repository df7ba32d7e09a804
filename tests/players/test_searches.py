"""What holds for every search: it explains itself, can be repeated, keeps its own limits and can be stopped."""

from __future__ import annotations

from itertools import count
from threading import Event, Timer
from time import perf_counter
from typing import Any

import pytest

from cupboard.core.game import View
from cupboard.core.registry import load
from cupboard.core.testing_games import after
from cupboard.players import make_player
from cupboard.players.thinking import Limits, Thinker, Thought

SEARCHES = [
    ("alphabeta", "double-dutch", 3),
    ("alphabeta", "chinese-checkers", 2),
    ("mcts", "jumping-cups", 2),
    ("mcts", "double-dutch", 2),
    ("mcts", "chinese-checkers", 2),
    ("uct", "jumping-cups", 2),
    ("uct", "double-dutch", 2),
    ("uct", "double-dutch", 3),
    ("uct", "chinese-checkers", 2),
    ("ismcts", "cup-king", 2),
    ("ismcts", "cup-king", 3),
]
every_search = pytest.mark.parametrize(("player", "name", "seats"), SEARCHES)


def made(player: str, name: str, seats: int) -> tuple[Thinker, View[Any]]:
    """The search, and the view of a seat to act in the middle of a game."""
    game = load(name, seats)
    later = (after(game, moves, 1) for moves in count(6))
    position = next(one for one in later if 3 < len(one.moves(one.to_act[0])) <= game.kernel.max_moves)
    thinker = make_player(player, position.game, 3)
    assert isinstance(thinker, Thinker)
    return thinker, position.seen_by(position.to_act[0])


@every_search
def test_the_same_seed_and_nodes_make_the_same_thought(player: str, name: str, seats: int) -> None:
    thoughts = []
    for _ in range(2):
        thinker, view = made(player, name, seats)
        thoughts.append(thinker.think(view, Limits(nodes=300)))
    one, other = ([(v.move, v.visits, v.score) for v in thought.per_move] for thought in thoughts)
    assert one == other and len(one) > 1
    assert thoughts[0].pv == thoughts[1].pv and thoughts[0].pv[0] == thoughts[0].move == one[0][0]
    assert 0 < thoughts[0].nodes <= 300 + len(view.moves())


@every_search
def test_a_stop_ends_an_endless_search(player: str, name: str, seats: int) -> None:
    thinker, view = made(player, name, seats)
    stop = Event()
    Timer(0.2, stop.set).start()
    began = perf_counter()
    assert thinker.think(view, Limits(), stop).move in view.moves()
    assert perf_counter() - began < 5  # milliseconds after the timer; generous for a busy machine


@every_search
def test_without_limits_it_keeps_its_own(player: str, name: str, seats: int) -> None:
    thinker, view = made(player, name, seats)
    assert thinker.limits.seconds is not None and 0.3 < thinker.limits.seconds < 1
    thinker.limits = Limits(nodes=40)
    assert thinker.think(view).nodes < 400


@pytest.mark.parametrize(("player", "knows"), [("alphabeta", True), ("mcts", False), ("uct", False), ("ismcts", False)])
def test_playouts_have_no_depth(player: str, knows: bool) -> None:
    thinker = make_player(player, load("cup-king" if player == "ismcts" else "double-dutch"), 1)
    assert isinstance(thinker, Thinker) and thinker.knows_depth is knows


@pytest.mark.parametrize("player", ["mcts", "uct", "ismcts"])
def test_a_long_search_reports_what_it_has_so_far(player: str) -> None:
    thinker, view = made(player, "cup-king" if player == "ismcts" else "double-dutch", 2)
    stop = Event()
    told: list[Thought] = []
    Timer(1, stop.set).start()
    thought = thinker.think(view, Limits(), stop, told.append, all_moves=True)
    assert told and all(one.move in view.moves() and one.nodes <= thought.nodes for one in told)
    assert [one.nodes for one in told] == sorted(one.nodes for one in told)
