"""Moves too many to list: how to put one together, for games where a move fills a set of places."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from cupboard.core import scene
from cupboard.core.game import Move, View, letter
from cupboard.server.wire import Arrange

MOST_LISTED = 2000


def arrange(view: View[Any], moves: Sequence[Move]) -> Arrange | None:
    """What to fill and with what, if the moves of the seat are arrangements: Cup King's pyramids.

    Such a move has `rows`, from the base up, each a word of tint letters, and is written with the rows in it.
    """
    if view.seat is None:
        return None
    first: Any = moves[0]
    rows: tuple[str, ...] | None = getattr(first, "rows", None)
    if rows is None:
        return None
    tints = {tint.letter: tint.name for tint in (scene.RED, scene.YELLOW, scene.GREEN, scene.BLUE, scene.PURPLE)}
    supply = Counter("".join(rows))
    side = letter(view.seat)
    return Arrange(
        spots=tuple(f"{side}:{'abcde'[row]}{col + 1}" for row, word in enumerate(rows) for col in range(len(word))),
        supply={tints[colour]: count for colour, count in supply.items()},
        letters={tints[colour]: colour for colour in supply},
        pattern=str(first).replace("/".join(rows), "/".join("{}" * len(word) for word in rows)),
        suggestion=tuple(tints[colour] for word in _spread(rows, supply) for colour in word),
    )


def _spread(rows: tuple[str, ...], supply: Counter[str]) -> list[str]:
    """Colours spread out: a bucket differs from its neighbours and from those it stands on, where that can be.

    Whoever must give up a bucket of a colour then has several to choose from, none of them holding up another.
    """
    left = Counter(supply)
    out: list[str] = []
    for row, word in enumerate(rows):
        line = ""
        for col in range(len(word)):
            near = line[-1:] + (out[row - 1][col : col + 2] if row else "")
            order = sorted(left, key=lambda colour: (colour in near, -left[colour], list(supply).index(colour)))
            line += next(colour for colour in order if left[colour])
            left[line[-1]] -= 1
        out.append(line)
    return out
