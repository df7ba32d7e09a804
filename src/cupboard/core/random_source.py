"""Where randomness comes from: the standard library's generator or numpy's, whichever the caller has."""

from __future__ import annotations

from random import Random
from typing import TypeAlias

import numpy as np

from cupboard.core.errors import CupboardError

Luck: TypeAlias = Random | np.random.Generator


def random_bits(rng: Luck) -> np.uint64:
    """64 random bits; CupboardError when `rng` is no generator."""
    if isinstance(rng, Random):
        return np.uint64(rng.getrandbits(64))
    if isinstance(rng, np.random.Generator):
        return rng.integers(0, 2**64, dtype=np.uint64)
    raise CupboardError(f"Chance draws from random.Random or a numpy Generator, not from {type(rng).__name__}.")
