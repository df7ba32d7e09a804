"""The truth about small positions, found by trying everything: what searches and solvers are measured by."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from cupboard.core.game import Game, Position, Seat
from cupboard.core.row import OVER, POINT, TURN, Row

_KNOWN: dict[tuple[Game[Any], bytes], Seat] = {}


def winner(position: Position[Any]) -> Seat:
    """The seat that wins with the best play, in a game of two without draws."""
    return _winner(position.game, position._row)


def _winner(game: Game[Any], row: Row) -> Seat:
    if row[TURN] == OVER:
        shares = np.zeros(2, np.int64)
        game.kernel.scores(row, shares)
        return shares.tolist().index(POINT)
    known = game, row.tobytes()
    if known not in _KNOWN:
        seat = int(row[TURN])
        _KNOWN[known] = seat if any(_winner(game, then) == seat for then in _after(game, row)) else 1 - seat
    return _KNOWN[known]


def _after(game: Game[Any], row: Row) -> Iterator[Row]:
    for code in game.kernel.codes(row):
        then = row.copy()
        game.kernel.play(then, code)
        yield then


def wins(position: Position[Any]) -> bool:
    """Whether the seat to move wins with the best play."""
    return position.to_act == (winner(position),)
