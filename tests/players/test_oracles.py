"""Oracles: the Double Dutch solver is right and fast, and the way home in Chinese Checkers is one."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from random import Random
from time import perf_counter
from typing import Any

import numpy as np
import pytest
from tests.players.exhaustive import winner, wins

from cupboard.core.game import Position
from cupboard.core.registry import load
from cupboard.core.row import TURN, Row
from cupboard.core.testing_games import after, play_out, walk
from cupboard.games.chinese_checkers import kernel
from cupboard.games.chinese_checkers import layout as k
from cupboard.games.chinese_checkers.race import Race, alone, is_apart
from cupboard.games.chinese_checkers.star import TRIANGLE
from cupboard.games.double_dutch import solver_core as solve
from cupboard.games.double_dutch.solver import Solver, is_hopeful
from cupboard.players import make_level
from cupboard.players.alphabeta import AlphaBeta
from cupboard.players.thinking import Limits, Proven


def random_position(name: str, moves: int, seed: int, **options: Any) -> Position[Any]:
    return after(load(name, 2, **options), moves, seed)


@pytest.mark.parametrize("board", ["pinwheel49", "rows56"])
def test_the_solver_agrees_with_trying_everything(board: str) -> None:
    solver = Solver(load("double-dutch", 2, board=board), table_bits=12)
    found = set()
    for seed in range(60):
        position = random_position("double-dutch", 33, seed, board=board)
        if position.is_over:
            continue
        advice = solver.advise(position._row, None, 10_000_000, lambda: False)
        assert advice is not None
        code, sign, _ = advice
        assert (sign > 0) == wins(position), str(position)
        if sign > 0:
            then = position.play(position._decode(code))
            assert position.to_act == (winner(then),)
        found.add(sign)
    assert found == {1, -1}


@pytest.mark.parametrize("stock", [(1, 1), (2, 1), (1, 3), (3, 2)])
def test_a_seat_without_stock_never_moves_again(stock: tuple[int, int]) -> None:
    """DA-5: with so few stones left the solver must not count on more."""
    game = load("double-dutch", 2)
    solver = Solver(game, table_bits=12)
    for seed in range(120):
        position = random_position("double-dutch", 33, seed)
        if position.is_over:
            continue
        row = position._row.copy()
        row[game.kernel_module.STOCK : game.kernel_module.STOCK + 2] = stock
        short = type(position)(game, row)
        advice = solver.advise(row, None, 1_000_000, lambda: False)
        assert advice is not None and (advice[1] > 0) == wins(short)


def test_positions_with_28_empty_cells_are_solved_within_a_second() -> None:
    solver = Solver(load("double-dutch", 2))
    control = np.zeros(solve.CONTROLS, np.int64)
    solved = 0
    for seed in range(10):
        control[:] = 0
        control[solve.NODE_LIMIT] = 2_000_000  # about a second
        solved += solver.solve(random_position("double-dutch", 21, seed)._row, control) != solve.UNKNOWN
    assert solved >= 9


def chances_to_err(position: Position[Any]) -> int:
    """How many moves of whoever is to act throw the win away."""
    return sum(
        1 for then in map(position.play, position.moves()) if not then.is_over and position.to_act != (winner(then),)
    )


def test_a_lost_game_is_lost_where_the_opponent_can_err() -> None:
    tried = 0
    for seed in range(60):
        position = random_position("double-dutch", 31, seed)
        if position.is_over or wins(position):
            continue
        seat = position.to_act[0]
        hard = {m for m in position.moves() if (then := position.play(m)).to_act != (seat,) and chances_to_err(then)}
        thought = AlphaBeta(position.game, 1).think(position.seen_by(seat), Limits(nodes=2_000_000))
        assert thought.proven is Proven.LOSS and thought.score == 0 and thought.move in position.moves()
        if hard:
            assert thought.move in hard, str(position)
            tried += len(hard) < len(position.moves())
    assert tried >= 3


def test_the_solver_is_asked_only_where_its_limits_give_it_hope() -> None:
    row = random_position("double-dutch", 14, 1)._row  # 35 empty cells
    assert not is_hopeful(row, 10_000) and is_hopeful(row, 1_000_000)
    assert not is_hopeful(load("double-dutch").start()._row, 1 << 60)
    assert Solver(load("double-dutch"), table_bits=12).advise(row, None, 3000, lambda: False) is None


def test_the_player_says_that_it_has_won() -> None:
    proven = set()
    for seed in range(8):
        position = random_position("double-dutch", 27, seed)
        player = AlphaBeta(position.game, 1)
        seat = position.to_act[0]
        thought = player.think(position.seen_by(seat), Limits(nodes=400_000))
        proven.add(thought.proven)
        assert thought.move in position.moves()
        if thought.proven is Proven.WIN:
            assert thought.score == 1
            then = position.play(thought.move)
            after = player.think(then.seen_by(then.to_act[0]), Limits(nodes=400_000))
            assert after.proven is (Proven.WIN if then.to_act == (seat,) else Proven.LOSS)
    assert Proven.WIN in proven and Proven.LOSS in proven


def test_three_seats_have_no_solver() -> None:
    game = load("double-dutch", 3)
    assert game.knowledge.oracle is not None and game.knowledge.oracle(game) is None
    assert load("jumping-cups").knowledge.oracle is None


def moves_home(position: Position[Any], seat: int, most: int) -> int:
    """By trying everything: how many moves of `seat` alone finish; most + 1 when more."""
    if most == 0:
        return 1
    kernel = position.game.kernel
    row = kernel.without_past(position._row)
    row[TURN] = seat
    best = most + 1
    for code in kernel.codes(row):
        child = row.copy()
        kernel.play(child, code)
        if child[position.game.kernel_module.FINISHED] >> seat & 1:
            return 1
        if child[TURN] >= 0:
            best = min(best, 1 + moves_home(type(position)(position.game, child), seat, best - 2))
    return best


def late(seed: int) -> Position[Any]:
    """Nearly home: a game of the search against itself, stopped a few moves before the end."""
    game = load("chinese-checkers")
    players = [AlphaBeta(game, seed + s, Limits(nodes=300), table_bits=12) for s in range(2)]
    match = play_out(game, players, seed)
    past = [match.position_at(n) for n in range(len(match.log) + 1)]
    outcome = past[-1].outcome()
    assert outcome is not None and outcome.reason == "finished"
    return next(
        p for p in reversed(past) if not p.is_over and p.to_act[0] == outcome.winners[0] and p.ply < past[-1].ply - 2
    )


def arranged(holes: dict[int, int], **options: Any) -> Position[Any]:
    """Two armies where the seat of each hole is told, Red to move."""
    game = load("chinese-checkers", 2, **options)
    row = game.start().row.copy()
    kernel.arrange(row, np.array([holes.get(hole, -1) for hole in range(121)], np.int64))
    return game.position_class(game, row)


def both_home() -> dict[int, int]:
    """Every piece in its target."""
    return {hole: 0 if TRIANGLE[hole] == 3 else 1 for hole in range(121) if TRIANGLE[hole] in (0, 3)}


def test_a_seat_can_meet_nobody_when_all_others_lie_behind_it() -> None:
    start = load("chinese-checkers").start()
    assert not is_apart(start._row, 0) and not is_apart(start._row, 1)
    home = both_home()
    assert is_apart(arranged(home)._row, 0) and is_apart(arranged(home)._row, 1)
    del home[111]
    home[0] = 0  # one of Red's stands at home, in Blue's target
    assert not is_apart(arranged(home)._row, 0) and not is_apart(arranged(home)._row, 1)
    assert is_apart(alone(start._row, 0), 0), "who is alone meets nobody"


def test_the_oracle_is_silent_where_armies_can_still_meet() -> None:
    for name in ("tactic-fi", "tactic-se", "openspiel-2"):
        for position in islice(walk(load("chinese-checkers", 2, profile=name).start(), Random(4)), 30):
            advice = Race(position.game).advise(position._row, None, 1000, lambda: False)
            assert advice is None


def apart() -> Position[Any]:
    """Red has passed Blue and needs some more moves to come home."""
    holes = {hole: 0 for hole in range(121) if TRIANGLE[hole] == 3 and hole not in (117, 118, 119, 120)}
    holes |= dict.fromkeys((76, 78, 81, 83), 0)
    holes |= {hole: 1 for hole in range(121) if TRIANGLE[hole] == 0}
    return arranged(holes, profile="openspiel-2")


def test_the_count_falls_with_every_own_move_whatever_the_rival_does() -> None:
    """The player keeps to its plan, and finds as many moves as it counted: it never goes round in circles."""
    rng, position = Random(2), apart()
    race = Race(position.game)
    needed = race.moves_home(position._row, 0)
    advice = race.advise(position._row, None, 100, lambda: False)
    made = 0
    while advice is not None:
        before = len(race._kept.moves)
        position = position.play(position._decode(advice[0]))
        made += 1
        if position.is_over:
            break
        position = position.play(rng.choice(position.moves()))  # Blue shuffles about in its target and out of it
        advice = race.advise(position._row, None, 100, lambda: False)
        assert len(race._kept.moves) < before
    outcome = position.outcome()
    assert outcome is not None and outcome.winners == (0,) and made <= needed


CIRCLING = (
    "./BB/.B./.B.B/.....B......./.....BB...../....AA...../.....B..../....B..../..A......./..A..A...../......A...../"
    ".....A......./...A/.../.A/A A 96 96"
)
"""Here a player who planned its way home as if the rival stood still went to and fro between h5 and h6 for ever."""


def test_a_player_that_once_went_round_in_circles_comes_home() -> None:
    game = load("chinese-checkers", 2, profile="openspiel-2")
    rival, player = AlphaBeta(game, 22, table_bits=14, oracle=False), AlphaBeta(game, 15, table_bits=14)
    position, seen = game.read(CIRCLING), Counter[str]()
    while not position.is_over:
        seat = position.to_act[0]
        thought = (rival, player)[seat].think(position.seen_by(seat), (Limits(depth=2), Limits(nodes=1000))[seat])
        position = position.play(thought.move)
        seen[str(position).rsplit(" ", 2)[0]] += 1
        assert max(seen.values()) < 4
    outcome = position.outcome()
    assert outcome is not None and outcome.reason == "finished"


def cross(choose: Any) -> int:
    """How many moves a player needs to bring an army across an empty star."""
    game = load("chinese-checkers")
    row: Row = alone(game.start()._row, 0)
    row[k.ROUND_CAP] = row[k.REPETITION] = 0
    for made in range(1, 60):
        position = game.position_class(game, row)
        row = row.copy()
        kernel.play(row, position._encode(choose(position.seen_by(0))))
        if row[k.FINISHED] & 1:
            return made
        row[TURN] = 0
    return 60


def test_alone_on_the_star_the_strongest_level_crosses_in_29_moves_at_most() -> None:
    """Its time is wall time: on a busy machine it may take a second or third attempt."""
    assert any(cross(make_level(load("chinese-checkers"), "sequoia", seed).choose) <= 29 for seed in range(3))


def test_with_the_nodes_of_the_strongest_level_the_way_across_is_a_shortest_one() -> None:
    """27 moves are known to be the fewest."""
    limits = Limits(nodes=400_000)
    assert cross(AlphaBeta(load("chinese-checkers"), 1, limits, table_bits=12).choose) == 27


def test_a_race_ends_soon_when_it_is_stopped() -> None:
    row = alone(load("chinese-checkers").start()._row, 0)
    race = Race(load("chinese-checkers"))
    began = perf_counter()
    race.advise(row, None, None, lambda: perf_counter() - began > 0.1)
    assert perf_counter() - began < 0.5 or race._control[1], "stopped, or done before"
    race.advise(row, 0.1, None, lambda: False)
    assert perf_counter() - began < 5


def test_the_way_home_is_a_way_and_a_short_one() -> None:
    position = late(2)
    seat = position.to_act[0]
    race = Race(position.game)
    count = race.moves_home(position._row, seat)
    assert 1 <= count <= 3 and count == moves_home(position, seat, count)
    row = position._row.copy()
    for code in race._moves[:count].tolist():
        row[TURN] = seat
        position.game.kernel.play(row, code)
    assert row[position.game.kernel_module.FINISHED] >> seat & 1
