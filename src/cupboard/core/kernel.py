"""Kernels: the rules of a game as a few compiled verbs on one row of int64.

Every game's `kernel.py` works on the same header and has the same verbs, so a search written once runs
every game through function pointers:

    row[LIVE]   how many entries are in use; one play may use one more (a game that remembers its past appends)
    row[TURN]   the seat to act, CHANCE when nature acts, OVER when the game has ended
    row[PLY]    moves made by seats so far (nature's are not counted)
    row[SEATS]  how many seats play

    setup(row, options)       the start; `options` is the row of ints the game's rules made of its options
    moves(row, out) -> n      the codes of whoever acts, nature included, written to out[:n]
    play(row, move)           makes the move in place and leaves TURN at whoever acts next
    scores(row, out) -> why   only when over: out[seat] in sixtieths of the one point shared by the winners
    key(row) -> int           equal for equal positions (moves and turn), whatever the past
    chance(row, random) -> m  one of nature's moves, drawn with the right odds; only where the game has chance
    redeal(row, seat, random) deals anew, in place, all that `seat` has not seen; only where the game has secrets

Kernels neither check nor raise: they assume a legal move. A row without room for history keeps none, which is
what a search wants. numba's cache does not see edits in another file, so a kernel calls compiled code of its
own file only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np
from numba import njit, types

from cupboard.core.row import CHANCE, HEADER, LIVE, OVER, PLY, POINT, SEATS, TURN, Row

__all__ = [
    "CHANCE", "DRAW", "EVALUATE", "HEADER", "KEY", "LIVE", "MOVES", "OVER", "PLAY", "PLY", "POINT", "REDEAL",
    "ROW", "SCORES", "SEATS", "SETUP", "TURN", "Kernel", "Row", "Tally", "divide", "fast", "inner", "perft",
    "playouts",
]  # fmt: skip

ROW = types.int64[::1]
SETUP = types.void(ROW, ROW)
MOVES = types.int64(ROW, ROW)
PLAY = types.void(ROW, types.int64)
SCORES = types.int64(ROW, ROW)
KEY = types.int64(ROW)
DRAW = types.int64(ROW, types.uint64)
REDEAL = types.void(ROW, types.int64, types.uint64)
EVALUATE = types.int64(ROW, types.int64)
"""evaluate(row, seat): higher is better for `seat`; what a game's evaluate.py offers."""

_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "boundscheck": False}


def fast(signature: Any) -> Callable[[Callable[..., Any]], Any]:
    """Compile now, for one signature, and keep the machine code between processes: for verbs."""
    compiled: Callable[[Callable[..., Any]], Any] = njit(signature, cache=True, **_OPTIONS)
    return compiled


def inner(function: Callable[..., Any]) -> Any:
    """Compile as part of the verbs of the same file that call it: for their helpers."""
    return njit(function, **_OPTIONS)


@dataclass(frozen=True)
class Kernel:
    """The verbs of one game, and how much room they need."""

    setup: Any
    moves: Any
    play: Any
    scores: Any
    key: Any
    chance: Any
    redeal: Any
    size: int
    """Length of a row without history: what a search copies."""
    max_moves: int
    """No position has more moves than this."""

    @classmethod
    def of(cls, module: ModuleType) -> Kernel:
        """The kernel a game's `kernel.py` spells out by names."""
        return cls(
            setup=module.setup,
            moves=module.moves,
            play=module.play,
            scores=module.scores,
            key=module.key,
            chance=getattr(module, "chance", _no_chance),
            redeal=getattr(module, "redeal", _no_redeal),
            size=module.SIZE,
            max_moves=module.MAX_MOVES,
        )


@fast(DRAW)
def _no_chance(row, random):
    return np.int64(-1)


@fast(REDEAL)
def _no_redeal(row, seat, random):
    pass


@inner
def next_random(state):
    """Step xorshift64*'s state; use `pick` to make a number of it."""
    state ^= state >> np.uint64(12)
    state ^= state << np.uint64(25)
    state ^= state >> np.uint64(27)
    return state


@inner
def pick(state, n):
    """A number below n (far below 2**32) from a random state."""
    high = (state * np.uint64(0x2545F4914F6CDD1D)) >> np.uint64(32)
    return np.int64((high * np.uint64(n)) >> np.uint64(32))


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
            state = next_random(state)
            if row[TURN] == CHANCE:
                play(row, chance(row, state * np.uint64(0x2545F4914F6CDD1D)))
                tally[1] += 1
            else:
                n = moves(row, out)
                play(row, out[pick(state, n)])
                made += 1
        tally[0] += made
        if row[TURN] == OVER:
            tally[2] += 1


@dataclass(frozen=True)
class Tally:
    """What a run of random games did."""

    moves: int
    chance_moves: int
    finished: int


def playouts(kernel: Kernel, start: Row, games: int, seed: int, cap: int = 1 << 40) -> Tally:
    """Play `games` uniformly random games from `start`, each for at most `cap` moves."""
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
    """How many sequences of `depth` moves there are from `start`; nature always makes its first move."""
    if depth < 1:
        return 1
    rows = np.zeros((depth + 1, len(start) + depth), np.int64)
    rows[depth, : len(start)] = start
    outs = np.zeros((depth + 1, kernel.max_moves), np.int64)
    return int(_perft(kernel.moves, kernel.play, rows, outs, depth))


def divide(kernel: Kernel, start: Row, depth: int) -> Iterator[tuple[int, int]]:
    """Each first move's code with the number of sequences of `depth` moves that begin with it."""
    row = np.zeros(len(start) + depth, np.int64)
    row[: len(start)] = start
    out = np.zeros(kernel.max_moves, np.int64)
    while row[TURN] == CHANCE:
        kernel.moves(row, out)
        kernel.play(row, out[0])
    for code in out[: kernel.moves(row, out) if row[TURN] != OVER else 0].tolist():
        child = row.copy()
        kernel.play(child, code)
        yield code, perft(kernel, child, depth - 1)
