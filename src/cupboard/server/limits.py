"""Rate limits: so many things at once from one place, then one at a time."""

from __future__ import annotations

from time import monotonic
from typing import Literal

from cupboard.core.words import phrase
from cupboard.server.errors import TooMany

Limited = Literal["tables", "guests", "accounts", "sign-ins", "links", "pictures", "messages", "hints", "address-hints"]
"""What is limited. A closed type: a misspelt name is the type checker's to find, not a stranger's."""

# What, with a sentence under many.<what>: (how many at once, seconds until one more is allowed).
RATES: dict[Limited, tuple[int, float]] = {
    "tables": (30, 6.0),
    "guests": (60, 6.0),
    "accounts": (10, 60.0),
    "sign-ins": (10, 12.0),
    "links": (20, 6.0),
    "pictures": (120, 0.2),
    "messages": (60, 0.05),
    "hints": (10, 3.0),
    "address-hints": (60, 1.0),
}
_MOST_PLACES = 20_000


class Limits:
    """One bucket for each thing and place. A place is an address, a username, a socket."""

    def __init__(self, enabled: bool = True) -> None:
        self._enabled = enabled
        self._buckets: dict[tuple[str, object], tuple[float, float]] = {}

    def spend(self, what: Limited, place: object, count: float = 1) -> None:
        """Take from the bucket; TooMany when it is empty."""
        if not self._enabled:
            return
        most, pause = RATES[what]
        now = monotonic()
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

    def forget(self, what: Limited, place: object) -> None:
        """Fill the bucket again."""
        self._buckets.pop((what, place), None)
