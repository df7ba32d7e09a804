"""Scores are shares of the one point: they add up to one over the seats, and an even start is shared evenly."""

from __future__ import annotations

from itertools import islice
from random import Random
from typing import Any

import pytest

from cupboard.core.game import Position
from cupboard.core.registry import load
from cupboard.core.testing_games import walk
from cupboard.players.alphabeta import AlphaBeta
from cupboard.players.search_core import WIN
from cupboard.players.shares import Shares
from cupboard.players.thinking import Limits

PROFILES = ("tactic-fi", "tactic-se", "openspiel-2")
TABLES = [("chinese-checkers", seats) for seats in (2, 3, 4, 6)] + [("double-dutch", 3)]


def think(position: Position[Any], nodes: int = 2000, seed: int = 1) -> tuple[float, Any]:
    seat = position.to_act[0]
    thought = AlphaBeta(position.game, seed, table_bits=14).think(position.seen_by(seat), Limits(nodes=nodes))
    assert all(0 <= rated.score <= thought.score <= 1 for rated in thought.per_move)
    return thought.score, thought.move


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_the_shares_of_all_seats_add_up_to_one_in_every_position(name: str, seats: int) -> None:
    game = load(name, seats)
    shares = Shares(game)
    for position in islice(walk(game.start(), Random(seats)), 150):
        if position.is_over:
            break
        each = shares.of_seats(position._row)
        assert len(each) == seats and sum(each) == pytest.approx(1) and min(each) >= 0


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("seats", [2, 3, 4, 6])
def test_an_even_start_is_an_even_share_under_every_profile(profile: str, seats: int) -> None:
    """Two seats are judged where the best line ends, after an odd or an even number of moves."""
    score, _ = think(load("chinese-checkers", seats, profile=profile).start())
    assert score == pytest.approx(1 / seats, abs=0.1 if seats == 2 else 0.001)


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("seats", [2, 3, 4, 6])
def test_what_the_seats_say_one_after_the_other_adds_up_to_about_one(profile: str, seats: int) -> None:
    """Each is asked when it is its turn, so the position has changed a little in between."""
    position = load("chinese-checkers", seats, profile=profile).start()
    said: list[float] = []
    while len(said) < 8 * seats:
        score, move = think(position, 500)
        said.append(score)
        position = position.play(move)
    rounds = [sum(said[i : i + seats]) for i in range(0, len(said), seats)]
    assert all(0.7 < total < 1.4 for total in rounds), rounds
    assert sum(rounds) / len(rounds) == pytest.approx(1, abs=0.2)


def test_who_is_ahead_has_the_greater_share() -> None:
    game = load("chinese-checkers", 6)
    position = game.start()
    for _ in range(4):  # Red runs, the others step to and fro
        for seat in range(6):
            moves = position.moves()
            position = position.play(think(position, 300)[1] if seat == 0 else moves[0])
    shares = Shares(game).of_seats(position._row)
    assert shares[0] == max(shares) and shares[0] > 1 / 6


def test_a_win_that_others_could_prevent_is_a_prospect_and_no_certainty() -> None:
    """With three seats a search that expects certain answers finds ends that need not come about."""
    position = load("chinese-checkers", 3).start()
    codes = list(position._codes())
    shares = Shares(position.game)
    values = dict.fromkeys(codes, -5000) | {codes[0]: WIN - 4, codes[1]: 4 - WIN, codes[2]: WIN - 1}
    told = shares.of_moves(position, position, values, is_sure=False)
    assert told[codes[3]] == pytest.approx(1 / 3)
    assert 0.5 < told[codes[0]] < 1 and 0 < told[codes[1]] < 0.1 and told[codes[2]] == 1
    assert shares.of_moves(position, position, values, is_sure=True)[codes[0]] == 1
