"""Under `openspiel-2` our games are OpenSpiel's: the same end holes for every piece at every turn, the same result.

OpenSpiel makes a chain of jumps of several actions, so its end holes are found by making them and taking them back.
"""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

from cupboard.core.kernel import LIVE, OVER, TURN, Row
from cupboard.games.chinese_checkers import kernel
from cupboard.games.chinese_checkers import layout as k
from cupboard.games.chinese_checkers.evaluate import WAY
from cupboard.games.chinese_checkers.rules import ChineseCheckers
from cupboard.games.chinese_checkers.star import FAR, NEAR, TARGET

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install open_spiel")

WAYS = WAY.tolist()
PASS = 726
DIRECTION = (3, 5, 4, 2, 0, 1)
"""OpenSpiel's number for each of our directions."""
STEP = [0] * PASS
LANDING = [0] * PASS
"""For each action of OpenSpiel our code if it is a step, and where it lands if it is a jump."""
for _hole in range(121):
    for _d in range(6):
        STEP[_hole * 6 + DIRECTION[_d]] = _hole * 121 + int(NEAR[_hole, _d])
        LANDING[_hole * 6 + DIRECTION[_d]] = int(FAR[_hole, _d])


def start_row(seats: int) -> Row:
    return ChineseCheckers(seats, profile="openspiel-2").start().row.copy()


def their_moves(state: Any, seat: int, taken: list[int]) -> dict[int, tuple[int, ...]]:
    """Every end hole of every piece as our code, with the actions that lead there."""
    actions = state.legal_actions()
    found: dict[int, tuple[int, ...]] = {STEP[a]: (a,) for a in actions if a != PASS and not taken[STEP[a] % 121]}

    def jump_on(base: int, way: tuple[int, ...]) -> None:
        code = base + LANDING[way[-1]]
        if code in found:
            return
        found[code] = way
        state.apply_action(way[-1])
        # The turn passes by itself where the chain cannot go on.
        if state.current_player() == seat:
            for further in state.legal_actions():
                if further != PASS:
                    jump_on(base, (*way, further))
        state.undo_action(seat, way[-1])

    for action in actions:
        if action != PASS and taken[STEP[action] % 121]:
            jump_on(action // 6 * 121, (action,))
    return found


def play_both(seats: int, rng: Random, eager: float) -> tuple[bool, int]:
    """One game on both sides; whether somebody finished, and the number of turns compared."""
    state = pyspiel.load_game(f"chinese_checkers(players={seats})").new_initial_state()
    row = start_row(seats)
    out = np.empty(k.MAX_MOVES, np.int64)
    turns = 0
    while row[TURN] != OVER:
        seat = int(row[TURN])
        while state.current_player() != seat:  # they pass for who is blocked, we pass over
            assert state.legal_actions() == [PASS]
            state.apply_action(PASS)
        ours = out[: kernel.moves(row, out)].tolist()
        theirs = their_moves(state, seat, (row[k.HOLES : k.HOLES + 121] >> 12).tolist())
        assert len(ours) == len(theirs) and theirs.keys() == set(ours), (turns, str(state))
        if eager and rng.random() < eager:
            way = WAYS[TARGET[seats, seat]]
            code = max(ours, key=lambda c: way[c // 121] - way[c % 121] + rng.random())
        else:
            code = ours[int(rng.random() * len(ours))]
        for action in theirs[code]:
            state.apply_action(action)
        if state.current_player() == seat:
            state.apply_action(PASS)  # stop here, though the chain could go on
        kernel.play(row, code)
        turns += 1
    assert row[LIVE] == k.SIZE
    while not state.is_terminal():
        assert state.legal_actions() == [PASS]
        state.apply_action(PASS)
    shares = np.zeros(6, np.int64)
    reason = kernel.scores(row, shares)
    returns = state.returns()
    if reason == k.ONE_FINISHED:
        assert [share > 0 for share in shares[:seats]] == [value > 0 for value in returns]
    else:
        assert not any(returns)
    return reason == k.ONE_FINISHED, turns


def test_a_thousand_random_games_of_two_are_the_same() -> None:
    """400 are uniformly random, and such games nearly always last their 1000 turns.

    The other 600 lean towards the target, so that they end by a finish, after about 120 turns. The long run has a
    thousand uniformly random ones.
    """
    rng = Random(2)
    uniform = [play_both(2, rng, eager=0) for _ in range(400)]
    leaning = [play_both(2, rng, eager=rng.uniform(0.6, 0.95)) for _ in range(600)]
    assert sum(turns for _, turns in uniform) > 390_000
    assert sum(finished for finished, _ in leaning) > 500


@pytest.mark.parametrize("seats", [3, 4, 6])
def test_eager_games_of_more_reach_the_same_finish(seats: int) -> None:
    rng = Random(seats)
    results = [play_both(seats, rng, eager=0.9)[0] for _ in range(10)]
    assert sum(results) > 5


@pytest.mark.parametrize("seats", [3, 4, 6])
def test_random_games_of_more_are_the_same(seats: int) -> None:
    rng = Random(seats)
    for _ in range(2):
        play_both(seats, rng, eager=0)


@pytest.mark.long
@pytest.mark.parametrize("seats", [3, 4, 6])
def test_hundreds_of_random_games_of_more_are_the_same(seats: int) -> None:
    rng = Random(100 + seats)
    for _ in range(300):
        play_both(seats, rng, eager=rng.choice([0, 0, 0.5, 0.9]))


@pytest.mark.long
def test_a_thousand_uniformly_random_games_of_two_are_the_same() -> None:
    rng = Random(3)
    assert sum(play_both(2, rng, eager=0)[1] for _ in range(1000)) > 990_000
