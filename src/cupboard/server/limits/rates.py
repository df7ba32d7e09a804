"""Rate limits by token buckets, and an exponential backoff for clients that keep failing."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from time import monotonic
from typing import Literal

from cupboard.core.words import phrase
from cupboard.server.errors import TooMany

Limited = Literal[
    "tables",
    "guests",
    "accounts",
    "sign-ins",
    "links",
    "pictures",
    "logs",
    "lessons",
    "strength",
    "readiness",
    "boards",
    "network",
    "admin",
    "faults",
    "chat",
    "table-chat",
    "messages",
    "hints",
    "address-hints",
    "analyses",
    "evaluations",
    "codes",
    "classes",
    "rounds",
]
"""The things that are limited. A closed type, so that the type checker finds a misspelt name."""

# What, with a sentence under many.<what>: (how many at once, seconds until one more is allowed). Each counts by one
# kind of place, so that no two places of different kinds share a bucket: most by address, `chat` by person (without a
# cookie by address, and marked as such), `hints` by person likewise, `table-chat` by table,
# `messages` by socket; `classes` and `rounds` by person.
RATES: dict[Limited, tuple[int, float]] = {
    "tables": (30, 6.0),
    "guests": (60, 6.0),
    "accounts": (10, 60.0),
    "sign-ins": (30, 6.0),
    "links": (20, 6.0),
    "pictures": (120, 0.2),
    "logs": (120, 0.5),
    "lessons": (600, 0.1),
    "strength": (120, 0.5),
    "readiness": (300, 0.2),
    "boards": (600, 0.05),
    "network": (20, 3.0),
    "admin": (20, 6.0),
    "faults": (100, 1.0),
    "chat": (10, 2.0),
    "table-chat": (30, 1.0),
    "messages": (60, 0.05),
    "hints": (10, 3.0),
    "address-hints": (60, 1.0),
    "analyses": (10, 20.0),
    "evaluations": (20, 3.0),
    "codes": (100, 30.0),  # wrong ones; right ones are given back, as soon as a class has joined at once
    "classes": (120, 0.5),
    "rounds": (10, 10.0),  # each lays the tables of a whole class
}
_MOST_PLACES = 20_000
_FREE_TRIES = 4
_FIRST_WAIT = 0.5
_LONGEST_WAIT = 8.0
_FORGIVEN_AFTER = 900.0
"""Failures are forgotten so many seconds after the last of them."""


class RateLimits:
    """Token buckets, one for each limited thing and each place it comes from."""

    def __init__(self, enabled: bool = True, clock: Callable[[], float] = monotonic) -> None:
        self._enabled = enabled
        self._clock = clock
        self._buckets: dict[tuple[Limited, Hashable], tuple[float, float]] = {}

    def spend(self, what: Limited, place: Hashable, count: float = 1) -> None:
        """Take `count` tokens from the bucket; TooMany when it holds fewer."""
        if not self._enabled:
            return
        most, pause = RATES[what]
        now = self._clock()
        left, then = self._buckets.pop((what, place), (float(most), now))
        left = min(most, left + (now - then) / pause)
        if left < count:
            self._buckets[what, place] = left, now
            wait = max(1, round((count - left) * pause))
            raise TooMany(phrase(f"many.{what}", count=wait))
        if len(self._buckets) >= _MOST_PLACES:
            # The oldest half has most likely filled up again by now.
            for key in list(self._buckets)[: _MOST_PLACES // 2]:
                del self._buckets[key]
        self._buckets[what, place] = left - count, now

    def give_back(self, what: Limited, place: Hashable, count: float = 1) -> None:
        """Undo a `spend` for something that turned out to be harmless."""
        if (bucket := self._buckets.get((what, place))) is not None:
            self._buckets[what, place] = min(RATES[what][0], bucket[0] + count), bucket[1]

    def forget(self, what: Limited, place: Hashable) -> None:
        """Drop the bucket of a place that has gone."""
        self._buckets.pop((what, place), None)


class Backoff:
    """How long a place that keeps failing must wait before its next try: each time twice as long, up to 8 s.

    Nobody is refused, so nobody can lock somebody else out.
    """

    def __init__(self, enabled: bool = True, clock: Callable[[], float] = monotonic) -> None:
        self._enabled = enabled
        self._clock = clock
        self._failures: dict[Hashable, tuple[int, float]] = {}

    def wait(self, place: Hashable) -> float:
        """Seconds to wait before the next try."""
        count, last = self._failures.get(place, (0, 0.0))
        if not self._enabled or count < _FREE_TRIES or self._clock() - last > _FORGIVEN_AFTER:
            return 0.0
        return float(min(_FIRST_WAIT * 2.0 ** min(count - _FREE_TRIES, 30), _LONGEST_WAIT))

    def failed(self, place: Hashable) -> None:
        """Note that another try has failed."""
        count, last = self._failures.pop(place, (0, 0.0))
        now = self._clock()
        if len(self._failures) >= _MOST_PLACES:
            for key in list(self._failures)[: _MOST_PLACES // 2]:
                del self._failures[key]
        self._failures[place] = (count + 1 if now - last <= _FORGIVEN_AFTER else 1), now

    def succeeded(self, place: Hashable) -> None:
        """Forget the failures of a place that has succeeded."""
        self._failures.pop(place, None)
