"""Ratings and SPRT: they find what was put in, and are as sure as they may be."""

from __future__ import annotations

from collections.abc import Sequence
from math import isinf
from random import Random

import pytest

from cupboard.arena.entrants import BadEntrant
from cupboard.arena.game_runner import GameResult
from cupboard.arena.ratings import elo_of, expected_share, ladder_steps, rate_players, score_interval
from cupboard.arena.sprt import Sprt, Verdict


def made_up(
    strengths: dict[str, float], lineups: Sequence[tuple[str, ...]], rng: Random, first: int = 0
) -> list[GameResult]:
    """Sets of games won with the chances that the strengths (in Elo) give."""
    games = []
    for number, lineup in enumerate(lineups, start=first):
        for turn in range(len(lineup)):
            seats = lineup[-turn:] + lineup[:-turn] if turn else lineup
            weights = [10 ** (strengths[label] / 400) for label in seats]
            winner = rng.choices(range(len(seats)), weights)[0]
            scores = tuple(float(seat == winner) for seat in range(len(seats)))
            n = len(seats)
            games.append(
                GameResult(f"{number:06d}-{turn}", number, seats, scores, "won", 10 * n, (1.0,) * n, (10,) * n)
            )
    return games


def test_elo_and_share_are_each_others_inverse() -> None:
    assert elo_of(0.5) == 0 and elo_of(0.25, seats=4) == pytest.approx(0)
    assert elo_of(10 / 11) == pytest.approx(400)
    for seats in (2, 3, 6):
        assert elo_of(expected_share(123, seats), seats) == pytest.approx(123)
    assert isinf(elo_of(1.0)) and elo_of(0.0) < 0


def test_true_strengths_lie_within_their_intervals() -> None:
    """Nineteen of twenty should; of the sixty made here at least 52."""
    truth = {"a": 0.0, "b": 120.0, "c": -200.0}
    rng = Random(1)
    hits = 0
    for seats in (2, 3):
        pairs = [("a", "b"), ("b", "c"), ("a", "c")] if seats == 2 else [("a", "b", "c")]
        for _ in range(10):
            games = made_up(truth, pairs * (240 // seats // len(pairs)), rng)
            mean = sum(truth.values()) / 3
            for rating in rate_players(("a", "b", "c"), games):
                hits += rating.elo.low <= truth[rating.label] - mean <= rating.elo.high
    assert hits >= 52


def test_the_steps_of_a_ladder_lie_within_their_intervals() -> None:
    truth, rng = {"low": 0.0, "middle": 150.0, "high": 260.0}, Random(3)
    hits = 0
    for seats in (2, 4):
        pairs = [("low", "middle"), ("middle", "low"), ("middle", "high"), ("high", "middle")]
        tables = [(one, *[other] * (seats - 1)) for one, other in pairs]
        for _ in range(10):
            climbs = ladder_steps(tuple(truth), made_up(truth, tables * 30, rng))
            hits += sum(step.low <= true <= step.high for step, true in zip(climbs, (150, 110), strict=True))
            assert all(step.high - step.low < 200 for step in climbs)
    assert hits >= 34, "nineteen of twenty should; of these forty at least 34"


def test_more_games_make_the_interval_narrow() -> None:
    truth, rng = {"a": 50.0, "b": 0.0}, Random(2)
    few, many = (rate_players(("a", "b"), made_up(truth, [("a", "b")] * n, rng))[0].elo for n in (50, 800))
    assert (few.high - few.low) / (many.high - many.low) == pytest.approx(4, rel=0.2)


def test_one_who_wins_everything_gets_a_finite_rating() -> None:
    games = made_up({"a": 9000.0, "b": 0.0}, [("a", "b")] * 20, Random(0))
    best = rate_players(("a", "b"), games)[0]
    assert best.label == "a" and 200 < best.elo.value < 1500
    assert best.score.value == 1.0 and 0.85 < best.score.low < 0.95 and best.score.high == pytest.approx(1)


def test_a_player_on_several_seats_of_a_table_is_rated_by_each() -> None:
    games = made_up({"a": 0.0, "b": 0.0}, [("a", "b", "b")] * 400, Random(4))
    one, other = sorted(rate_players(("a", "b"), games), key=lambda rating: rating.label)
    assert one.games == 1200 and other.games == 2400
    assert abs(one.elo.value - other.elo.value) < 40
    assert one.own_moves == 10 and one.move_seconds == pytest.approx(0.1)


def test_pairs_that_cancel_their_luck_are_trusted_more_than_single_games() -> None:
    paired = score_interval([[1.0, 0.0]] * 45 + [[1.0, 1.0]] * 5)
    alike = score_interval([[1.0, 1.0], [0.0, 0.0]] * 25)
    assert paired.high - paired.low < 0.6 * (alike.high - alike.low)


@pytest.mark.parametrize(("truth", "verdict"), [(80.0, Verdict.BETTER), (-40.0, Verdict.NOT_BETTER)])
def test_the_test_stops_early_and_is_right(truth: float, verdict: Verdict) -> None:
    test, rng = Sprt(0, 40), Random(5)
    for _ in range(10):
        games = made_up({"new": truth, "old": 0.0}, [("new", "old")] * 1500, rng)
        assert test.judge("new", games, 2, 2)[0] is verdict


def test_the_test_is_wrong_about_one_time_in_twenty() -> None:
    test, rng = Sprt(0, 60), Random(6)
    wrong = sum(
        test.judge("new", made_up({"new": 0.0, "old": 0.0}, [("new", "old")] * 800, rng), 2, 2)[0] is Verdict.BETTER
        for _ in range(100)
    )
    assert wrong <= 11


def test_with_more_seats_a_fair_share_is_no_evidence() -> None:
    rng = Random(7)
    verdicts = [
        Sprt(0, 80).judge("new", made_up({"new": 0.0, "old": 0.0}, [("new", "old", "old", "old")] * 300, rng), 4, 4)[0]
        for _ in range(20)
    ]
    assert verdicts.count(Verdict.NOT_BETTER) >= 17


def test_a_set_that_is_still_being_played_holds_the_verdict_back() -> None:
    games = made_up({"new": 9000.0, "old": 0.0}, [("new", "old")] * 40, Random(8))
    test = Sprt(0, 20)
    assert test.judge("new", games, 2, 2)[0] is Verdict.BETTER
    assert test.judge("new", [game for game in games if game.id != "000002-1"], 2, 2)[0] is Verdict.OPEN
    assert test.judge("new", games[:4], 2, 2)[0] is Verdict.OPEN, "two sets are not enough for anything"


@pytest.mark.parametrize("text", ["", "5", "10,0", "a,b", "1,2,3", "nan,nan", "0,1e9"])
def test_claims_that_make_no_sense_are_refused(text: str) -> None:
    with pytest.raises(BadEntrant):
        Sprt.read(text)
