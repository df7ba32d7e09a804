# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs
"""The verbs of games that have no chance and no secrets."""

from __future__ import annotations

import numpy as np

from cupboard.core.kernel import DRAW, REDEAL, fast


@fast(DRAW)
def chance(row, random):
    """Never called, since nature never acts; the searches want a function of this signature."""
    return np.int64(-1)


@fast(REDEAL)
def redeal(row, seat, random):
    """Change nothing, since every seat sees everything."""
