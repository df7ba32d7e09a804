# mypy: allow-untyped-calls, disable-error-code="type-var"
"""Bits and random numbers: the compiled functions give what the same in plain Python gives."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from numba import njit

from cupboard.core.bits import lowest, ones
from cupboard.core.prng import counted, counted_by, mixed, unit

MASK = (1 << 64) - 1
WORDS = [1, 2, 3, 1 << 62, (1 << 63) - 1, 1 << 63, MASK, *(Random(5).getrandbits(64) | 1 << 40 for _ in range(50))]


@njit
def compiled(word):  # type: ignore[no-untyped-def]
    return ones(word), lowest(word)


@njit
def compiled_ones(word):  # type: ignore[no-untyped-def]
    return ones(word)


@pytest.mark.parametrize("word", WORDS)
def test_ones_and_lowest_agree_with_the_binary_digits(word: int) -> None:
    digits = bin(word)[2:]
    expected = digits.count("1"), len(digits) - len(digits.rstrip("0"))
    signed = int(np.uint64(word).astype(np.int64))
    assert compiled(np.int64(signed)) == compiled(np.uint64(word)) == expected
    assert (ones(signed), lowest(signed)) == expected


def test_no_bits_are_no_ones() -> None:
    assert ones(0) == 0
    assert compiled_ones(0) == 0


def test_splitmix64_gives_the_numbers_of_its_authors() -> None:
    """From a state of 1234567 the reference implementation begins with these."""
    state = np.uint64(1234567)
    found = []
    for _ in range(3):
        state = np.uint64(counted(state))
        found.append(int(mixed(state)))
    assert found == [6457827717110365317, 3203168211198807973, 9817491932198370423]
    assert counted_by(np.uint64(1234567), 3) == state


def test_a_unit_stays_below_one() -> None:
    assert unit(np.uint64(0)) == 0.0
    assert 0.999999 < unit(np.uint64(MASK)) < 1.0
