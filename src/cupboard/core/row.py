"""The row every kernel works on: the entries of its header and their special values. Needs no compiler."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

Row = npt.NDArray[np.int64]

LIVE, TURN, PLY, SEATS, FORM = 0, 1, 2, 3, 4
HEADER = 5
CHANCE = -1
OVER = -2
POINT = 60
"""One point in sixtieths: it divides evenly among up to six joint winners."""


def by_entry(options: Mapping[int, int]) -> list[int]:
    """A kernel's options as its `setup` takes them: each at the entry of the row that it is meant for."""
    return [options.get(entry, 0) for entry in range(max(options) + 1)]
