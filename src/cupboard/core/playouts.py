# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs
"""Random games by the million and the counting of move sequences (perft), without Python between two moves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numba import types

from cupboard.core.kernel import CHANCE, DRAW, MOVES, OVER, PLAY, ROW, TURN, Kernel, Row, fast
from cupboard.core.prng import below, shifted, starred

_MOVES = types.FunctionType(MOVES)
_PLAY = types.FunctionType(PLAY)
_DRAW = types.FunctionType(DRAW)
_ROWS = types.int64[:, ::1]


@fast(types.void(_MOVES, _PLAY, _DRAW, ROW, types.int64, types.int64, types.int64, types.uint64, ROW))
def _playouts(moves, play, chance, start, max_moves, games, cap, seed, tally):
    row = start.copy()
    out = np.empty(max_moves, np.int64)
    state = seed
    for _ in range(games):
        row[:] = start
        made = 0
        while row[TURN] != OVER and made < cap:
            state = shifted(state)
            if row[TURN] == CHANCE:
                play(row, chance(row, starred(state)))
                tally[1] += 1
            else:
                n = moves(row, out)
                play(row, out[below(n, starred(state))])
                made += 1
        tally[0] += made
        if row[TURN] == OVER:
            tally[2] += 1


@dataclass(frozen=True)
class Tally:
    """How many moves of seats and of nature a run of random games made, and how many games ended."""

    moves: int
    chance_moves: int
    finished: int


def playouts(kernel: Kernel, start: Row, games: int, seed: int, cap: int = 1 << 40) -> Tally:
    """Play `games` uniformly random games from `start`, each for at most `cap` moves.

    BadPosition when `start` is not a row of this kernel's game; it is not changed, and may be read-only.
    """
    start = kernel.own(start)
    tally = np.zeros(3, np.int64)
    state = np.uint64((seed * 0x9E3779B97F4A7C15 + 1) & 0xFFFFFFFFFFFFFFFF | 1)
    _playouts(kernel.moves, kernel.play, kernel.chance, start, kernel.max_moves, games, cap, state, tally)
    return Tally(int(tally[0]), int(tally[1]), int(tally[2]))


@fast(types.int64(_MOVES, _PLAY, _ROWS, _ROWS, types.int64))
def _perft(moves, play, rows, outs, depth):
    row, out = rows[depth], outs[depth]
    # Perft counts the seats' choices: where nature acts, its first move stands for all.
    while row[TURN] == CHANCE:
        moves(row, out)
        play(row, out[0])
    if row[TURN] == OVER:
        return np.int64(0)
    n = moves(row, out)
    if depth <= 1:
        return n
    total = np.int64(0)
    for i in range(n):
        rows[depth - 1][:] = row
        play(rows[depth - 1], out[i])
        total += _perft(moves, play, rows, outs, depth - 1)
    return total


def perft(kernel: Kernel, start: Row, depth: int) -> int:
    """How many sequences of `depth` moves the seats have from `start`; nature always makes the first of its moves."""
    start = kernel.own(start)
    if depth < 1:
        return 1
    rows = np.zeros((depth + 1, len(start) + depth), np.int64)
    rows[depth, : len(start)] = start
    outs = np.zeros((depth + 1, kernel.max_moves), np.int64)
    return int(_perft(kernel.moves, kernel.play, rows, outs, depth))


def divide(kernel: Kernel, start: Row, depth: int) -> Iterator[tuple[int, int]]:
    """Each first move's code with the number of sequences of `depth` moves that begin with it."""
    row = np.zeros(len(start) + max(0, depth), np.int64)
    row[: len(start)] = kernel.own(start)
    while row[TURN] == CHANCE:
        kernel.play(row, kernel.codes(row)[0])
    for code in kernel.codes(row) if row[TURN] != OVER else ():
        child = row.copy()
        kernel.play(child, code)
        yield code, perft(kernel, child, depth - 1)
