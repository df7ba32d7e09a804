"""A pyramid to build as a screen offers it: all places filled, with colours spread out."""

from __future__ import annotations

from cupboard.core.filling import Filling
from cupboard.core.game import Seat, letter
from cupboard.core.words import phrase
from cupboard.games.cup_king.moves import COLOUR_NAMES, COLOURS, Build


def filling(seat: Seat, width: int) -> Filling:
    """All buckets of a seat, in the order of `Build`: row by row from the base, each from the left (CK-4)."""
    rows = _spread(width)
    places = [f"{letter(seat)}:{'abcde'[row]}{col + 1}" for row, word in enumerate(rows) for col in range(len(word))]
    return Filling(
        spots=tuple(places),
        suggestion=tuple(COLOUR_NAMES[COLOURS.index(colour)] for word in rows for colour in word),
        pattern=str(Build(seat, tuple("{}" * len(word) for word in rows))),
        kind="bucket",
        how=phrase("cup-king.arrange"),
        done=phrase("cup-king.built"),
    )


def _spread(width: int) -> list[str]:
    """The rows of a pyramid in which buckets differ from their neighbours and from those they stand on, where possible.

    A player who must give up a bucket of a colour then has several to choose from, none of them holding up another.
    """
    left = dict.fromkeys(COLOURS, width * (width + 1) // 2 // len(COLOURS))
    rows: list[str] = []
    for size in range(width, 0, -1):
        word = ""
        for col in range(size):
            near = word[-1:] + (rows[-1][col : col + 2] if rows else "")
            word += min((c for c in COLOURS if left[c]), key=lambda c: (c in near, -left[c], COLOURS.index(c)))
            left[word[-1]] -= 1
        rows.append(word)
    return rows
