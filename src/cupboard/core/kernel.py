"""Kernels: the rules of a game as a few compiled verbs on one row of int64.

Every game's `kernel.py` works on the same header and has the same verbs, so a search written once runs
every game through function pointers:

    row[LIVE]   how many entries are in use; a game that remembers its past appends, one entry a play unless its
                kernel has a `ROOM` for more
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

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType
from typing import Any

from numba import njit, types

from cupboard.core.row import CHANCE, HEADER, LIVE, OVER, PLY, POINT, SEATS, TURN, Row

__all__ = [
    "CHANCE", "DRAW", "EVALUATE", "HEADER", "KEY", "LIVE", "MOVES", "OVER", "PLAY", "PLY", "POINT", "REDEAL",
    "ROW", "SCORES", "SEATS", "SETUP", "TURN", "Kernel", "Row", "fast", "inner",
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
            chance=getattr(module, "chance", None) or _nothing().chance,
            redeal=getattr(module, "redeal", None) or _nothing().redeal,
            size=module.SIZE,
            max_moves=module.MAX_MOVES,
        )


def _nothing() -> ModuleType:
    return import_module("cupboard.core.nothing")  # compiled only for a game that needs it
