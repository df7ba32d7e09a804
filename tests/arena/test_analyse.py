"""Analysis: a thrown-away win is found, and what cost nothing is not blamed."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

import cupboard.games
from cupboard.arena import thinkers
from cupboard.arena.analyse import NoOpinion, analyse, annotate, hint, summaries
from cupboard.core.match import Match
from cupboard.core.record import Record
from cupboard.core.registry import load, names
from cupboard.players.alphabeta import AlphaBeta
from cupboard.players.thinking import Limits, Proven

RECORDS = Path(cupboard.games.__path__[0]) / "jumping_cups" / "records"


def record(name: str) -> Record:
    return Record.read((RECORDS / f"{name}.game").read_text(encoding="utf-8"))


def test_the_move_that_threw_the_game_away_is_marked_with_the_better_one() -> None:
    """In filled.game Red is winning until 19. … 6-7; the search proves 8-11 there.

    It stops with the proof, so what 6-7 is worth stays an estimate.
    """
    judged = analyse(record("filled"), Limits(nodes=50_000))
    (blunder,) = [one for one in judged if one.n == 37]
    assert blunder.mark == "??"
    assert (blunder.seat, str(blunder.move), str(blunder.better)) == (0, "6-7", "8-11")
    assert blunder.cost > 0.3 and blunder.proven is Proven.WIN
    assert "8-11 was better and wins: 100% instead of " in blunder.sentence()
    # From there on Yellow wins and lets nothing slip.
    red, yellow = summaries(load("jumping-cups"), [one for one in judged if one.n >= 37])
    assert red.marks["??"] == 1 and yellow.marks == {"?!": 0, "?": 0, "??": 0} and red.cost > yellow.cost == 0


def test_the_annotated_record_is_the_same_game_with_comments() -> None:
    before = record("filled")
    after = annotate(before, analyse(before, Limits(nodes=3_000)))
    assert Record.read(str(after)) == after
    assert [move.text for move in after.moves] == [move.text for move in before.moves]
    assert after.replay().position == before.replay().position


def test_a_forced_move_costs_nothing_and_every_cost_is_a_share_of_the_point() -> None:
    for one in analyse(record("blocked"), Limits(nodes=500)):
        assert 0 <= one.cost <= 1
        assert not one.forced or one.cost == 0
        if one.move == one.best:
            assert one.cost == 0


def played(seats: int, searched: int) -> Record:
    """A game of Chinese Checkers: two random rounds, some by searches of 3,000 nodes, then six random ones."""
    game, rng = load("chinese-checkers", seats), Random(seats)
    players = [AlphaBeta(game, seat, Limits(nodes=3000), table_bits=14) for seat in range(seats)]
    match = Match(game)
    for n in range((2 + searched + 6) * seats):
        seat = match.position.to_act[0]
        by_lot = not 2 * seats <= n < (2 + searched) * seats
        view = match.position.seen_by(seat)
        match.play(rng.choice(match.position.moves()) if by_lot else players[seat].choose(view), seat)
    return Record.of(match)


@pytest.mark.parametrize("seats", [3, 4, 6])
def test_with_many_seats_only_real_mistakes_are_marked(seats: int) -> None:
    """Moves as good as the analyst's own are hardly ever blamed, moves by lot often; and scores are shares."""
    searched = 10
    judged = analyse(played(seats, searched), Limits(nodes=3000))
    good, by_lot = judged[2 * seats : (2 + searched) * seats], judged[(2 + searched) * seats :]
    assert sum(bool(one.mark) for one in good) <= 0.15 * len(good)
    assert sum(bool(one.mark) for one in by_lot) >= 0.3 * len(by_lot)
    rounds = [sum(one.best_score for one in judged[i : i + seats]) for i in range(0, len(judged), seats)]
    assert all(0.6 < total < 1.5 for total in rounds)


def test_an_analyst_without_an_opinion_says_so() -> None:
    with pytest.raises(NoOpinion):
        analyse(record("blocked"), player="random")


@pytest.mark.parametrize("name", names())
def test_a_hint_is_a_legal_move_of_every_game(name: str) -> None:
    match, rng = Match(load(name)), Random(2)
    for _ in range(4):
        match.settle(rng)
        seat = match.position.to_act[0]
        view = match.position.seen_by(seat)
        thought = hint(view, Limits(nodes=50))
        assert thought.move in view.moves() and 0 <= thought.score <= 1
        match.play(thought.move, seat)


def test_a_hint_comes_even_when_the_search_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    class Failing:
        knows_depth = True

        def think(self, *rest: Any) -> None:
            raise ZeroDivisionError

    monkeypatch.setattr("cupboard.arena.analyse.find_thinker", lambda *rest: Failing())
    view = load("jumping-cups", starter="red").start().seen_by(0)
    assert hint(view).move in view.moves()


def test_the_best_player_is_chosen_when_none_is_named() -> None:
    assert thinkers.thinkers_of(load("jumping-cups"))[0] == "alphabeta"
    assert "alphabeta" not in thinkers.thinkers_of(load("cup-king"))
