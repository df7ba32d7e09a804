"""Chinese Checkers against players who would rather not lose than win: they must not get away with it."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from cupboard.core.game import Game
from cupboard.core.registry import load
from cupboard.games.chinese_checkers.board import BETWEEN, HOMES, NAMES, NUMBER, STEPS, TRIANGLE_OF
from cupboard.games.chinese_checkers.evaluate import evaluate
from cupboard.games.chinese_checkers.rules import ChineseCheckers, StarPosition, Walk
from cupboard.players import make_player

TIPS = ("a1", "e13", "m13", "q1", "m1", "e1")
Staller = Callable[[StarPosition, Random], Walk]


def home_of(position: StarPosition) -> tuple[int, set[int], set[int]]:
    """The home of the seat to act: its tip, the four holes around from which the tip can be reached, all ten holes."""
    home = HOMES[position.game.seats][position.to_act[0]]
    tip = NUMBER[TIPS[home]]
    wall = {hole for hole in range(121) if (tip, hole) in STEPS or (tip, hole) in BETWEEN}
    return tip, wall, {hole for hole in range(121) if TRIANGLE_OF[hole] == home}


def holes_of(position: StarPosition, seat: int) -> set[int]:
    return {hole for hole, owner in enumerate(position.owners()) if owner == seat}


def waller(position: StarPosition, rng: Random) -> Walk:
    """Walls the tip of its home off (CA-21), by `o1-m5` and `q1-o1` in the south, and keeps nine pieces there."""
    tip, wall, home = home_of(position)
    own, side = holes_of(position, position.to_act[0]), min(hole for hole in wall if (tip, hole) in BETWEEN)

    def worth(move: Walk) -> float:
        start, end = (NUMBER[spot] for spot in move.spots())
        then = own - {start} | {end}
        built = 2 * (tip not in then and wall <= then) + (side not in then)
        return 100 * built + 10 * len(then & home) + rng.random()

    return max(position.moves(), key=worth)


def walking_waller(position: StarPosition, rng: Random) -> Walk:
    """Keeps only the four pieces of the wall at home and brings the others across."""
    tip, wall, _ = home_of(position)
    seat = position.to_act[0]
    own = holes_of(position, seat)
    if tip in own or not wall <= own:
        return waller(position, rng)
    loose = [move for move in position.moves() if NUMBER[move.path[0]] not in wall]
    return max(loose, key=lambda move: int(evaluate(position.play(move).row.copy(), seat)) + rng.random() / 2)


def play_out(game: Game[Any], staller: Staller, seat: int, seed: int) -> Any:
    """The last position of a game with a staller in one seat and `greedy` in the others."""
    rng, position = Random(seed), game.start()
    others = [make_player("greedy", game, 10 * seed + other) for other in range(game.seats)]
    while not position.is_over:
        turn = position.to_act[0]
        move = staller(position, rng) if turn == seat else others[turn].choose(position.seen_by(turn))  # type: ignore[arg-type]
        position = position.play(move)
    return position


def parker(position: StarPosition, rng: Random) -> Walk:
    """Never moves the piece in the tip of its home, and the others as greedy does."""
    seat = position.to_act[0]
    tip, _, _ = home_of(position)
    loose = [move for move in position.moves() if NUMBER[move.path[0]] != tip] or position.moves()
    return max(loose, key=lambda move: int(evaluate(position.play(move).row.copy(), seat)) + rng.random() / 2)


def idler(position: StarPosition, rng: Random) -> Walk:
    """Never moves the piece in the tip of its home, and the others by lot."""
    tip, _, _ = home_of(position)
    return rng.choice([move for move in position.moves() if NUMBER[move.path[0]] != tip] or position.moves())


@pytest.mark.parametrize("staller", [parker, idler])
@pytest.mark.parametrize("seats", [2, 4, 6])
def test_cc_18_se_greedy_swaps_out_a_piece_that_is_parked_in_its_tip(seats: int, staller: Staller) -> None:
    """By the Swedish rule a parked piece is walked out of the target, four swaps at most; then all ten are in."""
    for seed in range(4):
        seat = seed % seats
        position = play_out(load("chinese-checkers", seats, profile="tactic-se"), staller, seat, seed)
        outcome = position.outcome()
        assert outcome is not None and outcome.reason in ("finished", "joint-finish"), str(position)
        assert position.turns < 100 * seats
        assert seats > 2 or outcome.score(seat) == 0, "swapped out, it may still win against five"


@pytest.mark.parametrize("staller", [waller, walking_waller])
@pytest.mark.parametrize("seats", [2, 4, 6])
def test_ca_21_who_walls_off_the_tip_of_the_own_home_loses_against_greedy(seats: int, staller: Staller) -> None:
    for seed in range(4):
        seat = (seed + 1) % seats
        outcome = play_out(load("chinese-checkers", seats), staller, seat, seed).outcome()
        assert outcome is not None and outcome.reason in ("finished", "joint-finish")
        assert outcome.score(seat) == 0


def test_the_wall_stands_after_the_moves_that_build_it() -> None:
    position = ChineseCheckers(2).start()
    for text in ("d1-e5", "", "e5-f5", "", "f5-g5", ""):
        position = position.play(position.parse(text) if text else waller(position, Random(1)))
    tip, _, _ = home_of(position)
    assert NAMES[tip] == "a1"
    assert {NAMES[hole] for hole in holes_of(position, 1)} >= {"p1", "p2", "o1", "o3"} and position.owner("q1") is None
