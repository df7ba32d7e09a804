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
        def think(self, *rest: Any) -> None:
            raise ZeroDivisionError

    monkeypatch.setattr("cupboard.arena.analyse.find_thinker", lambda *rest: Failing())
    view = load("jumping-cups", starter="red").start().seen_by(0)
    assert hint(view).move in view.moves()


def test_the_best_player_is_chosen_when_none_is_named() -> None:
    assert thinkers.thinkers_of(load("jumping-cups"))[0] == "alphabeta"
    assert "alphabeta" not in thinkers.thinkers_of(load("cup-king"))
