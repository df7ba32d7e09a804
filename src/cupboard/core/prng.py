# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs
"""Random numbers in compiled code: two generators, and what is made of their bits.

    splitmix64    a counter: `counted` gives the next state, `mixed` its 64 random bits; any state will do
    xorshift64*   `shifted` gives the next state, `starred` its 64 random bits; a state must not be 0

The searches count, because states far apart are as independent as neighbours; kernels and random games shift, which is
faster. Which of them a caller uses decides what a seed means, so it stays as it is.
"""

import numpy as np

from cupboard.core.kernel import inner

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_STAR = np.uint64(0x2545F4914F6CDD1D)


@inner
def counted(state):
    """The next state of splitmix64."""
    return state + _GOLDEN


@inner
def counted_by(state, n):
    """The state of splitmix64 after n steps."""
    return state + np.uint64(n) * _GOLDEN


@inner
def mixed(state):
    """The 64 random bits of a state of splitmix64."""
    bits = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return bits ^ (bits >> np.uint64(31))


@inner
def shifted(state):
    """The next state of xorshift64*."""
    state ^= state >> np.uint64(12)
    state ^= state << np.uint64(25)
    return state ^ state >> np.uint64(27)


@inner
def starred(state):
    """The 64 random bits of a state of xorshift64*."""
    return state * _STAR


@inner
def below(n, bits):
    """A number below n, which must be far below 2**32, from 64 random bits."""
    return np.int64(((bits >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32))


@inner
def unit(bits):
    """A number from 0 to 1, 1 excluded, from 64 random bits."""
    return np.float64(bits >> np.uint64(11)) / 9007199254740992.0
