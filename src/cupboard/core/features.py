"""Features of evaluations that are sums of features times weights: they follow from the sum."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from cupboard.core.row import Row


def features_of(weigh: Callable[[Row, int, Row], int], count: int) -> Callable[[Row, int, Row], None]:
    """A function features(row, seat, out) that writes what `weigh` multiplies each of its `count` weights with."""
    each = np.eye(count, dtype=np.int64)

    def features(row: Row, seat: int, out: Row) -> None:
        for i in range(count):
            out[i] = weigh(row, seat, each[i])

    return features
