"""The evaluation counts alike from every side, and its weights come out of armies that walk alone."""

from __future__ import annotations

from random import Random

import numpy as np

from cupboard.core.registry import load
from cupboard.games.chinese_checkers import kernel, star
from cupboard.games.chinese_checkers.evaluate import COST, FOLD, HALF, MOVE, ON_TURN, REAR, WAY, WEIGHTS, features
from cupboard.games.chinese_checkers.race_core import guess
from cupboard.games.chinese_checkers.weight_fitting import alone, candidates, counted, regress


def test_every_target_sees_the_same_star() -> None:
    for t in range(6):
        assert set(FOLD[t].tolist()) == set(range(HALF))
        ways = {(int(place), int(way)) for place, way in zip(FOLD[t], WAY[t], strict=True)}
        assert ways == {(int(place), int(way)) for place, way in zip(FOLD[0], WAY[0], strict=True)}
        assert FOLD[t, int(np.argmin(WAY[t]))] == 0
    assert len(COST) == 17 and len(WEIGHTS) == HALF + 5


def test_the_start_looks_the_same_to_all_six() -> None:
    row, lines = load("chinese-checkers", 6).start().row.copy(), np.zeros((6, ON_TURN), np.int64)
    for seat in range(6):
        features(row, seat, lines[seat])
    assert (lines == lines[0]).all() and lines[0, :HALF].sum() == 10 and lines[0, REAR] == 16


def test_the_costs_of_the_start_are_about_the_moves_it_takes() -> None:
    line = counted(alone(load("chinese-checkers"), int(star.HOME[2, 0])))
    assert 25 < line @ np.array(WEIGHTS[:ON_TURN]) / MOVE < 40


def test_the_regression_finds_the_costs_that_made_the_lengths() -> None:
    game, rng, prior = load("chinese-checkers"), Random(1), guess()
    row, armies = alone(game, 0), []
    for _ in range(2000):
        owners = np.full(121, -1)
        owners[rng.sample(range(121), 10)] = 0
        kernel.arrange(row, owners)
        armies.append(counted(row))
    lines, home = np.array(armies, np.float64), counted(alone(game, int(star.TARGET[2, 0])))
    truth = prior * 1.5
    truth[REAR] -= truth @ home / home[REAR]
    found = regress(lines, lines @ truth, prior, home)
    assert np.abs(lines @ (found - truth)).max() < MOVE < np.abs(lines @ (prior - truth)).max()


def test_the_same_seed_proposes_the_same_weights() -> None:
    game, told = load("chinese-checkers"), []
    one, armies = candidates(game, 2, 3, lambda done, total: told.append((done, total)))
    assert armies >= 30 and told[-1] == (30, 30)
    assert one == candidates(game, 2, 3, lambda *_: None)[0] != candidates(game, 2, 4, lambda *_: None)[0]
    assert all(len(weights) == len(WEIGHTS) and weights[ON_TURN:] == WEIGHTS[ON_TURN:] for weights in one)
