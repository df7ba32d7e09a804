# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs
"""Bits of a 64-bit word as a set of small numbers, and words stirred into a hash.

`ones` and `lowest` are each one instruction of the processor for which numba has no name. As plain Python, with
NUMBA_DISABLE_JIT, they run as they are written here.
"""

import numpy as np
from numba import types
from numba.core.cgutils import true_bit
from numba.extending import intrinsic, overload

from cupboard.core.kernel import inner

_WORD = (1 << 64) - 1


def ones(bits: int) -> int:
    """How many bits are set."""
    return (int(bits) & _WORD).bit_count()


def lowest(bits: int) -> int:
    """The number of the lowest bit that is set; one must be."""
    return (int(bits) & -int(bits)).bit_length() - 1


@intrinsic
def _count_ones(typing_context, bits):
    def generate(context, builder, signature, arguments):
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), generate


@intrinsic
def _count_trailing_zeros(typing_context, bits):
    def generate(context, builder, signature, arguments):
        return builder.cttz(arguments[0], true_bit)

    return types.int64(types.int64), generate


@overload(ones)
def _ones(bits):
    return lambda bits: _count_ones(bits)


@overload(lowest)
def _lowest(bits):
    return lambda bits: _count_trailing_zeros(bits)


@inner
def stirred(h, word):
    """A hash of 64 bits with one more word in it."""
    h = (h ^ np.uint64(word)) * np.uint64(0x9E3779B97F4A7C15)
    return h ^ h >> np.uint64(29)
