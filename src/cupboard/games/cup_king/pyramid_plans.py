"""Decisions of many small moves, offered to a search as a few whole plans: here, the pyramid to build."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt

from cupboard.core.game import View
from cupboard.core.row import TURN, Row
from cupboard.games.cup_king import kernel
from cupboard.games.cup_king import layout as k
from cupboard.games.cup_king.evaluate import judge
from cupboard.games.cup_king.long_lists import rows_of
from cupboard.games.cup_king.moves import COLOURS, Build


def fits(view: View[Any]) -> bool:
    """Whether some deal looks like this view: no card is seen too often, and what is unseen fills hands and pile."""
    row, seat = view.row, view.seat
    hidden = int(row[k.LEFT])
    for other in range(view.game.seats):
        if other != seat:
            hidden += int(row[k.HELD + other])
    places = [k.DISCARD, *(k.OPEN + 5 * other for other in range(view.game.seats))]
    if seat is not None:
        places.append(k.HAND + 5 * seat)
    for suit in range(k.SUITS):
        for value in range(k.VALUES):
            unseen = 2 - sum(int(row[place + suit]) >> 2 * value & 3 for place in places)
            if unseen < 0:
                return False
            hidden -= unseen
    return hidden == 0


def start_of_plan(view: View[Any]) -> Row:
    """The row in which the seat builds next and nobody has built yet, since hidden pyramids tell nothing."""
    assert view.seat is not None
    row = view.row.copy()
    row[k.PYRAMID : k.PYRAMID + k.MAX_SEATS] = 0
    row[TURN] = view.seat
    return row


def plans(view: View[Any], many: int, rng: Random) -> npt.NDArray[np.int64]:
    """So many different pyramids, as colours from the base up: first the one of best marks, then variations of it.

    Variations exchange buckets; small changes are tried more often than large ones.
    """
    row = start_of_plan(view)
    first = _judged(row)
    found = [first]
    known = {tuple(first)}
    for _ in range(many * 20):
        if len(found) == many:
            break
        plan = list(rng.choice(found))
        for _ in range(rng.choice((1, 1, 2, 3, 5))):
            one, other = rng.sample(range(len(plan)), 2)
            plan[one], plan[other] = plan[other], plan[one]
        if tuple(plan) not in known:
            known.add(tuple(plan))
            found.append(plan)
    return np.array(found, np.int64)


def move_of_plan(view: View[Any], plan: list[int]) -> Build:
    """The move that builds the pyramid of a plan."""
    assert view.seat is not None
    width = k.width_of(view.game.seats)
    return Build(view.seat, rows_of("".join(COLOURS[colour] for colour in plan), width))


def _judged(row: Row) -> list[int]:
    """The pyramid one gets by always taking the move with the best mark."""
    row = row.copy()
    seat, pyramid = int(row[TURN]), []
    out, marks = np.empty(k.MAX_MOVES, np.int64), np.empty(k.MAX_MOVES, np.int64)
    while row[TURN] == seat and row[k.PHASE] == k.BUILDING:
        n = kernel.moves(row, out)
        judge(row, out, n, marks)
        colour = int(out[np.argmax(marks[:n])])
        pyramid.append(colour)
        kernel.play(row, colour)
    return pyramid
