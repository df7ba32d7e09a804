"""A person's strength comes out of a handful of results, whatever it is and whatever game they play."""

from __future__ import annotations

from random import Random
from statistics import mean, median

import numpy as np
import pytest

from cupboard.arena.ratings import expected_share
from cupboard.arena.strength import Strength
from cupboard.core.registry import find, load, names
from cupboard.players.levels import elo_of_levels

TABLES = [(name, seats) for name in names() for seats in find(name).SEATS]
PEOPLE = 500


def ladder(name: str, seats: int) -> list[float]:
    return [float(elo) for elo in elo_of_levels(load(name, seats)).values()]


def played(true: float, steps: list[float], seats: int, games: int, rng: Random) -> tuple[Strength, float]:
    """What is believed of a person of this strength after so many games against the proposed level, and their score."""
    guess, points = Strength.unknown(steps), 0.0
    for _ in range(games):
        level = steps[guess.fitting()]
        share = float(rng.random() < expected_share(true - level, seats))
        guess, points = guess.after(share, [level] * (seats - 1)), points + share
    return guess, points / games


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_ten_games_find_somebody_of_any_strength_within_100_elo_in_the_median(name: str, seats: int) -> None:
    """Results alone cannot do much better: ten even games of two leave an error of 74 Elo in the median at best."""
    steps, rng = ladder(name, seats), Random(1)
    truth = [rng.uniform(0, steps[-1]) for _ in range(PEOPLE)]
    found = [played(true, steps, seats, 10, rng) for true in truth]
    errors = [abs(guess.elo - true) for true, (guess, _) in zip(truth, found, strict=True)]
    assert median(errors) < 100
    assert float(np.quantile(errors, 0.9)) < 260
    inside = mean(guess.low <= true <= guess.high for true, (guess, _) in zip(truth, found, strict=True))
    assert 0.9 < inside <= 1, "the interval is as wide as it should be"
    matched = [abs(steps[guess.fitting()] - true) for true, (guess, _) in zip(truth, found, strict=True)]
    assert median(matched) < 120
    assert 0.9 / seats < mean(points for _, points in found) < 1.3 / seats + 0.1, "about as often as everybody else"


def test_more_games_find_them_ever_better() -> None:
    steps = ladder("chinese-checkers", 2)
    errors = []
    for games in (10, 20, 40):
        rng = Random(2)
        truth = [rng.uniform(0, steps[-1]) for _ in range(PEOPLE)]
        errors.append(median(abs(played(true, steps, 2, games, rng)[0].elo - true) for true in truth))
    assert errors[0] > errors[1] > errors[2] and errors[1] < 75 and errors[2] < 60


def test_somebody_unknown_meets_the_lower_middle_and_large_steps_follow() -> None:
    steps = [150.0 * n for n in range(10)]
    guess = Strength.unknown(steps)
    assert guess.fitting() in (2, 3)
    won, lost = guess.after(1, [steps[4]]), guess.after(0, [steps[4]])
    assert won.fitting() >= 5 and lost.fitting() <= 2
    twice = won.after(1, [steps[won.fitting()]])
    assert twice.fitting() > won.fitting()
    assert guess.high - guess.low > won.high - won.low > twice.high - twice.low
    assert (guess.games, twice.games) == (0, 2)


def test_who_wins_or_loses_everything_ends_at_the_ends_of_the_ladder() -> None:
    steps = [150.0 * n for n in range(10)]
    best = worst = Strength.unknown(steps)
    for _ in range(30):
        best, worst = best.after(1, [steps[-1]]), worst.after(0, [0])
    assert (best.fitting(), worst.fitting()) == (9, 0)
    assert best.elo > steps[-1] and worst.elo < 0


def test_an_even_share_says_that_one_is_as_strong_as_the_others() -> None:
    for seats in (2, 3, 6):
        guess = Strength.unknown([0.0, 300.0, 600.0])
        for _ in range(40):
            guess = guess.after(1 / seats, [300.0] * (seats - 1))
        assert guess.elo == pytest.approx(300, abs=15) and guess.fitting() == 1


def test_the_others_count_each_with_their_own_strength() -> None:
    guess = Strength.unknown([0.0, 300.0, 600.0])
    weak, mixed, strong = (guess.after(1, others) for others in ([0, 0], [0, 600], [600, 600]))
    assert weak.elo < mixed.elo < strong.elo
    assert guess.after(1, [0, 600]).elo == guess.after(1, [600, 0]).elo


def test_who_gets_better_is_followed() -> None:
    steps = [150.0 * n for n in range(10)]
    guess = Strength.unknown(steps)
    for _ in range(40):
        guess = guess.after(0.5, [300])
    before = guess.elo
    for _ in range(15):
        guess = guess.after(1, [steps[guess.fitting()]])
    assert guess.elo > before + 200
