"""Alpha-beta: agrees with a slow minimax, answers the same each time, stops when told, and says what it thinks."""

from __future__ import annotations

from time import perf_counter
from typing import Any

import numpy as np
import pytest
from tests.players.exhaustive import wins

from cupboard.core.game import Position
from cupboard.core.kernel import Kernel
from cupboard.core.registry import load
from cupboard.core.row import OVER, TURN, Row
from cupboard.core.testing_games import after
from cupboard.players.alphabeta import AlphaBeta
from cupboard.players.deepening import STYLES, Deepening
from cupboard.players.needs import CannotPlay
from cupboard.players.search_core import PROVEN, WIN
from cupboard.players.thinking import Limits, Proven, Thinker, Thought

GAMES = [("jumping-cups", 2), ("double-dutch", 2), ("double-dutch", 3)]
GAMES += [("chinese-checkers", seats) for seats in (2, 3, 6)]


def think(position: Position[Any], limits: Limits, seed: int = 1, **settings: Any) -> Thought:
    return AlphaBeta(position.game, seed, limits, **settings).think(position.seen_by(position.to_act[0]), limits)


@pytest.mark.parametrize(("name", "moves"), [("jumping-cups", 36), ("double-dutch", 34)])
def test_a_proven_result_is_what_trying_everything_finds(name: str, moves: int) -> None:
    game = load(name, 2)
    found = set()
    for seed in range(40):
        position = after(game, moves, seed)
        if position.is_over:
            continue
        thought = think(position, Limits(depth=40), oracle=False)
        assert thought.proven is (Proven.WIN if wins(position) else Proven.LOSS), str(position)
        found.add(thought.proven)
    assert found == {Proven.WIN, Proven.LOSS}


def forced(row: Row, kernel: Kernel, plies: int, known: dict[tuple[bytes, int], int]) -> int:
    """By trying everything: n if the seat to move wins in n plies, -n if it loses in n, 0 if neither in `plies`."""
    if (row.tobytes(), plies) in known:
        return known[row.tobytes(), plies]
    shares, ends = np.zeros(2, np.int64), []
    for code in kernel.codes(row):
        then = row.copy()
        kernel.play(then, code)
        if then[TURN] == OVER:
            kernel.scores(then, shares)
            ends.append(1 if shares[row[TURN]] else -1)
        else:
            end = 0 if plies == 1 else forced(then, kernel, plies - 1, known)
            end = end if then[TURN] == row[TURN] else -end
            ends.append(end and (end + 1 if end > 0 else end - 1))
    wins = [end for end in ends if end > 0]
    known[row.tobytes(), plies] = min(wins) if wins else 0 if 0 in ends else min(ends)
    return known[row.tobytes(), plies]


def test_the_end_of_jumping_cups_is_seen_as_soon_as_it_can_be() -> None:
    """A search of n plies announces every win and loss in n plies, with the right distance, and no other."""
    game = load("jumping-cups")
    distances = set()
    for seed in range(120):
        position = after(game, 22 + seed % 18, seed)
        if position.is_over:
            continue
        row = game.kernel.without_past(position._row)
        distance = forced(row, game.kernel, 8, {})
        depth = abs(distance) or 8
        value = Deepening(game, table_bits=12).search(row, position._codes(), Limits(depth=depth)).value
        if distance:
            assert value == (WIN - distance if distance > 0 else -WIN - distance), str(position)
            assert think(position, Limits(depth=40)).depth == depth
            distances.add(distance)
        else:
            assert abs(value) < PROVEN, str(position)
    assert len(distances) >= 6 and min(distances) < 0 < max(distances)


@pytest.mark.parametrize(("name", "seats"), GAMES)
def test_a_thought_is_complete(name: str, seats: int) -> None:
    position = after(load(name, seats), 6, 1)
    seen: list[Thought] = []
    player = AlphaBeta(position.game, 1)
    assert isinstance(player, Thinker)
    thought = player.think(position.seen_by(position.to_act[0]), Limits(depth=3), report=seen.append)
    assert [answer.depth for answer in seen] == [1, 2, 3] and seen[-1].move == thought.move
    assert {rated.move for rated in thought.per_move} == set(position.moves())
    assert thought.per_move[0].move == thought.move == thought.pv[0]
    assert all(0 <= rated.score <= thought.score <= 1 for rated in thought.per_move)
    here = position
    for move in thought.pv:
        here = here.play(move)
    assert thought.info().startswith("info depth 3 score ") and f" pv {thought.move}" in thought.info()


def test_all_moves_have_exact_values_when_asked() -> None:
    position = after(load("jumping-cups"), 5, 3)
    seat = position.to_act[0]
    player = AlphaBeta(position.game, 1)
    told = {r.move: r.score for r in player.think(position.seen_by(seat), Limits(depth=4), all_moves=True).per_move}
    for move, score in told.items():
        then = position.play(move)
        # One move deeper and from the other side it is the same number.
        assert think(then, Limits(depth=3)).score == pytest.approx(1 - score)


@pytest.mark.parametrize("style", STYLES)
def test_a_win_on_the_spot_is_seen_in_every_style(style: str) -> None:
    game = load("double-dutch", 3)
    tried = 0
    for seed in range(60):
        position = after(game, 36, seed)
        if position.is_over:
            continue
        seat = position.to_act[0]
        ends = [then.outcome() for then in map(position.play, position.moves())]
        if any(outcome and outcome.score(seat) == 1 for outcome in ends):
            outcome = position.play(think(position, Limits(depth=2), style=style).move).outcome()
            assert outcome is not None and outcome.score(seat) == 1
            tried += 1
    assert tried >= 3


def test_who_has_seen_nothing_claims_nothing() -> None:
    """One node is not enough for all moves of depth 1: what was not looked at is unknown, not lost."""
    position = after(load("jumping-cups", starter="red"), 1, 1)
    thought = AlphaBeta(position.game, 1, oracle=False).think(position.seen_by(1), Limits(nodes=1))
    assert thought.move in position.moves() and thought.proven is Proven.OPEN and thought.depth == 0


def test_time_is_kept() -> None:
    position = after(load("double-dutch"), 6, 1)
    player = AlphaBeta(position.game, 1)
    player.think(position.seen_by(position.to_act[0]), Limits(depth=1))
    began = perf_counter()
    player.think(position.seen_by(position.to_act[0]), Limits(seconds=0.2))
    assert perf_counter() - began < 2


def test_a_game_of_secrets_is_refused_with_a_sentence() -> None:
    with pytest.raises(CannotPlay, match="Alpha-beta cannot play Cup King"):
        AlphaBeta(load("cup-king"), 1)


@pytest.mark.parametrize("seats", [2, 3, 6])
def test_scores_on_the_star_are_shares_of_the_point(seats: int) -> None:
    """Though the search counts only a part of the rivals' way, an even start is worth about a fair share."""
    game = load("chinese-checkers", seats)
    thought = AlphaBeta(game, 1, Limits(nodes=2000)).think(game.start().seen_by(0), Limits(nodes=2000))
    assert 0.5 / seats < thought.score < 1.6 / seats
    assert all(rated.score <= thought.score for rated in thought.per_move)
