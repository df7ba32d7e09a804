"""Kernels: the rules of a game as a few compiled verbs on one row of int64.

Every game's `kernel.py` works on the same header and has the same verbs, so a search written once runs
every game through function pointers:

    row[LIVE]   how many entries are in use; a game that remembers its past appends, one entry a play unless its
                kernel has a `ROOM` for more
    row[TURN]   the seat to act, CHANCE when nature acts, OVER when the game has ended
    row[PLY]    moves made by seats so far (nature's are not counted)
    row[SEATS]  how many seats play
    row[FORM]   the kernel's SIZE, which tells the rows of one game from those of another

    setup(row, options)       the start; `options` is the row of ints the game's rules made of its options
    moves(row, out) -> n      the codes of whoever acts, nature included, written to out[:n]
    play(row, move)           makes the move in place and leaves TURN at whoever acts next
    scores(row, out) -> why   only when over: out[seat] in sixtieths of the one point shared by the winners
    key(row) -> int           equal for equal positions (moves and turn), whatever the past
    chance(row, random) -> m  one of nature's moves, drawn with the right odds; only where the game has chance
    redeal(row, seat, random) deals anew, in place, all that `seat` has not seen; only where the game has secrets

SIZE is the length of a row without history, another one in every game, and MAX_MOVES the most moves a position has.

Kernels neither check nor raise: they assume a legal move. A row without room for history keeps none, which is
what a search wants. Compiled code may be shared: `caching.py` sees edits in the files that a kernel imports.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numba import njit, types
from numba.core.typeinfer import register_dispatcher

from cupboard.core.caching import Shelves
from cupboard.core.errors import BadPosition
from cupboard.core.row import CHANCE, FORM, HEADER, LIVE, OVER, PLY, POINT, SEATS, TURN, Row

__all__ = [
    "CHANCE", "DRAW", "EVALUATE", "FORM", "HEADER", "JUDGE", "KEY", "LIVE", "MOVES", "OVER", "PLAY", "PLY", "POINT",
    "PROMISE", "REDEAL", "ROW", "SCORES", "SEATS", "SETUP", "TURN", "WEIGH", "Kernel", "Row", "fast", "inner",
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
WEIGH = types.int64(ROW, types.int64, ROW)
PROMISE = types.int64(ROW, types.int64)
JUDGE = types.void(ROW, ROW, types.int64, ROW)
"""evaluate(row, seat), weigh(row, seat, weights), promise(row, move) and judge(row, codes, n, marks), which are not the
kernel's: what a game's `knowledge.py` offers to bots."""

_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "boundscheck": False}


def fast(signature: Any) -> Callable[[Callable[..., Any]], Any]:
    """Compile now, for one signature, and keep the machine code between processes: for verbs."""

    def compiled(function: Callable[..., Any]) -> Any:
        dispatcher = njit(function, **_OPTIONS)
        if dispatcher is function:  # NUMBA_DISABLE_JIT
            # In plain Python numpy warns where machine words wrap round, which kernels count on.
            return np.errstate(over="ignore")(function)
        # What `njit(signature, cache=True)` does, with a cache of our own.
        dispatcher._cache = Shelves(function, Path(function.__code__.co_filename))
        with register_dispatcher(dispatcher):
            dispatcher.compile(signature)
            dispatcher.disable_compile()
        return dispatcher

    return compiled


def inner(function: Callable[..., Any]) -> Any:
    """Compile as part of the verbs that call it, in this file or another: for their helpers."""
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
    """The length of a row without history, which is what a search copies."""
    max_moves: int
    """The length of `out` that suffices for the moves of every position."""
    remembers: int
    """By how many entries at most a row grows with each move of a seat and what nature adds to it. A kernel that keeps
    a past behind `size` declares it as REMEMBERS; for the others it is 0."""

    @classmethod
    def of(cls, module: ModuleType) -> Kernel:
        """The kernel whose verbs and sizes are the names of a module."""
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
            remembers=getattr(module, "REMEMBERS", 0),
        )

    def codes(self, row: Row) -> list[int]:
        """The codes of all moves of whoever acts, nature included; the game must not be over."""
        out = np.empty(self.max_moves, np.int64)
        codes: list[int] = out[: self.moves(row, out)].tolist()
        return codes

    def own(self, row: Row) -> Row:
        """A copy of `row` to play on; BadPosition if it is not a row of this game.

        Verbs trust their rows, and with one of another game they would write where they please. FORM tells them apart,
        and LIVE says how much of a row is in use.
        """
        if not isinstance(row, np.ndarray) or row.dtype != np.int64 or row.ndim != 1 or len(row) < self.size:
            raise BadPosition(f"A row of this game is a numpy array with at least {self.size} entries of int64.")
        live, turn, ply, seats, form = row[:HEADER].tolist()
        most = self.size + ply * self.remembers
        if form != self.size or not (
            self.size <= live <= min(most, len(row)) and OVER <= turn < seats <= 6 and ply >= 0
        ):
            raise BadPosition(f"This row is none of this game's, which have {self.size} entries in use.")
        return np.array(row)

    def without_past(self, row: Row) -> Row:
        """A copy of `row` without its past and without room for one, which is what a search wants."""
        bare = row[: self.size].copy()
        bare[LIVE] = self.size
        return bare


def _nothing() -> ModuleType:
    return import_module("cupboard.core.default_verbs")  # compiled only for a game that needs it
