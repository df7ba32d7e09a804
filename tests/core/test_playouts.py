"""Random games and counting, held against the same written out in Python."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import cupboard
from cupboard.core.game import CHANCE, Game, Position
from cupboard.core.playouts import divide, perft, playouts
from cupboard.core.prng import below, shifted, starred
from cupboard.core.row import OVER, TURN

MASK = (1 << 64) - 1
STAR = 0x2545F4914F6CDD1D


def stepped(state: int) -> int:
    """xorshift64*: shifts by 12, 25 and 27."""
    state ^= state >> 12
    state ^= (state << 25) & MASK
    return state ^ (state >> 27)


def drawn(state: int, most: int) -> int:
    """The upper half of the product, scaled."""
    return (((state * STAR) & MASK) >> 32) * most >> 32


def counted(position: Position[Any], depth: int) -> int:
    """Sequences of so many moves, by the rules for people; where nature acts, its first move stands for all."""
    while position.to_act == (CHANCE,):
        position = position.play(position.moves(CHANCE)[0], CHANCE)
    if depth == 0:
        return 1
    if position.is_over:
        return 0
    return sum(counted(position.play(move), depth - 1) for move in position.moves())


def test_random_numbers_are_xorshift64_star() -> None:
    state = 88172645463325252
    for _ in range(200):
        following = int(shifted(np.uint64(state)))
        assert following == stepped(state)
        state = following
        bits = np.uint64(starred(np.uint64(state)))
        assert [int(below(n, bits)) for n in (1, 2, 7, 1000)] == [drawn(state, n) for n in (1, 2, 7, 1000)]


def random_games(game: Game[Any], games: int, seed: int, cap: int) -> tuple[int, int, int]:
    """Moves, nature's moves and games that ended, with the kernel's verbs called one by one."""
    kernel, start = game.kernel, game.start().row
    out = np.zeros(kernel.max_moves, np.int64)
    state = ((seed * 0x9E3779B97F4A7C15 + 1) & MASK) | 1
    moves = chances = finished = 0
    for _ in range(games):
        row, made = start.copy(), 0
        while row[TURN] != OVER and made < cap:
            state = stepped(state)
            if row[TURN] == CHANCE:
                kernel.play(row, kernel.chance(row, np.uint64((state * STAR) & MASK)))
                chances += 1
            else:
                kernel.play(row, out[drawn(state, kernel.moves(row, out))])
                made += 1
        moves += made
        finished += row[TURN] == OVER
    return moves, chances, int(finished)


@pytest.mark.parametrize("name", ["jumping-cups", "double-dutch", "cup-king"])
@pytest.mark.parametrize(("seed", "cap"), [(0, 1 << 40), (1, 1 << 40), (2, 7), (3, 1)])
def test_playouts_are_uniformly_random_games(name: str, seed: int, cap: int) -> None:
    game = cupboard.load(name)
    tally = playouts(game.kernel, game.start().row.copy(), 20, seed, cap)
    assert (tally.moves, tally.chance_moves, tally.finished) == random_games(game, 20, seed, cap)
    assert tally.moves <= 20 * cap and (cap > 7) == (tally.finished == 20)


@pytest.mark.parametrize("line", ["", "R/R/R/./RY/././././Y/Y/Y/YR/. A 9"])
def test_perft_counts_what_can_be_played(line: str) -> None:
    game = cupboard.load("jumping-cups") if not line else cupboard.load("jumping-cups", starter="red")
    position = game.read(line) if line else game.start()
    for depth in range(5):
        assert perft(game.kernel, position.row, depth) == counted(position, depth)
    for depth in (1, 2, 3):
        split = dict(divide(game.kernel, position.row, depth))
        assert sum(split.values()) == perft(game.kernel, position.row, depth)
        assert len(split) == perft(game.kernel, position.row, 1)


def test_a_finished_game_has_no_moves_to_count() -> None:
    game = cupboard.load("jumping-cups", starter="red")
    position = game.start()
    while not position.is_over:
        position = position.play(position.moves()[0])
    assert [perft(game.kernel, position.row, depth) for depth in (1, 2)] == [0, 0]
    assert list(divide(game.kernel, position.row, 1)) == []


def test_counting_passes_through_nature() -> None:
    game = cupboard.load("cup-king", 2)
    position = game.start()
    while position.to_act != (CHANCE,):
        position = position.play(position.moves(position.to_act[0])[0], position.to_act[0])
    for depth in (1, 2):
        assert sum(count for _, count in divide(game.kernel, position.row, depth)) == perft(
            game.kernel, position.row, depth
        )
