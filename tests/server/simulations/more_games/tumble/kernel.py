"""Tumble's rules. row[5]: the phase, [6]: where it last came to rest, [7]: how many pushes, [8]: who pushes next."""

from __future__ import annotations

from typing import Any

from cupboard.core.row import CHANCE, FORM, LIVE, OVER, PLY, SEATS, TURN, Row

PHASE, LAST, PUSHES, NEXT = 5, 6, 7, 8
SIZE = 10
MAX_MOVES = 7
COUNTS = (3, 7, 2)


def setup(row: Row, options: Row) -> None:
    row[:] = 0
    row[LIVE] = row[FORM] = SIZE
    row[SEATS] = 2
    row[PUSHES] = options[0]
    if options[1]:
        row[PHASE], row[TURN] = 1, CHANCE


def moves(row: Row, out: Row) -> int:
    count = COUNTS[row[PHASE]]
    out[:count] = range(count)
    return count


def play(row: Row, move: int) -> None:
    if row[PHASE] == 0:
        row[NEXT] = 1 - row[TURN]
        row[PLY] += 1
        row[PHASE], row[TURN] = 1, CHANCE
    elif row[PHASE] == 1:
        row[PHASE], row[LAST] = 2, move
    else:
        row[PHASE] = 0
        row[TURN] = OVER if row[PLY] >= row[PUSHES] else row[NEXT]


def scores(row: Row, out: Row) -> int:
    out[:2] = 30
    return 1


def key(row: Row) -> int:
    return hash(row[PLY:].tobytes())


def chance(row: Row, random: Any) -> int:
    return 1 + int(random % 6) if row[PHASE] == 1 else int(random % 2)


def redeal(row: Row, seat: int, random: Any) -> None:
    raise NotImplementedError
