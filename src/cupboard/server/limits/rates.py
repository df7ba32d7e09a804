"""Rate limits by token buckets, and an exponential backoff for clients that keep failing.

What a person does is limited by person first, and by address with a much wider bucket: whoever hammers is slowed down
and the rest of the class goes on, while many guests made by one program are slowed down together. Visitors without a
session share a bucket of their own at each address, for the same reason.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from math import ceil
from time import monotonic
from typing import Any, Literal, get_args

from cupboard.core.words import phrase
from cupboard.server.errors import TooMany
from cupboard.server.settings import Limited, LimitSettings

ByPerson = Literal[
    "tables",
    "logs",
    "pictures",
    "lessons",
    "strength",
    "readiness",
    "boards",
    "hints",
    "analyses",
    "evaluations",
    "class-codes",
    "codes",
    "chat",
]
"""What is limited by person, and besides, with `address-` before its name, by address."""

# Codes that lead into a class or back to it: only wrong ones count, since right ones are given back at once. A right
# code is refused, too, once the wrong ones are used up: if it passed, its passing would tell a guesser that it is
# right, and guessing would have no limit. So the limit of a person is strict, and that of an address so wide that a
# school, all of it behind one address, does not run into it by misspelling; those without a session cannot use up what
# the others have. It is finite: of 85 million codes a school's address can try 58,000 a day, with and without sessions.

# What, with a sentence under many.<what>: (how many at once, seconds until one more is allowed).
HOME: dict[Limited, tuple[int, float]] = {
    # By person.
    "tables": (30, 6.0),
    "logs": (120, 0.5),
    "pictures": (120, 0.2),
    "lessons": (600, 0.1),
    "strength": (120, 0.5),
    "readiness": (120, 0.5),
    "boards": (600, 0.05),
    "hints": (10, 3.0),
    "analyses": (10, 20.0),
    "evaluations": (20, 3.0),
    "class-codes": (10, 20.0),
    "codes": (10, 20.0),  # wrong ones: see above
    "classes": (120, 0.5),
    "rounds": (10, 10.0),  # each lays the tables of a whole class
    "chat": (10, 2.0),
    # By address: what a class of 25 needs for its first lesson, not for one after the other.
    "address-tables": (120, 3.0),
    "address-logs": (600, 0.1),
    "address-pictures": (600, 0.05),
    "address-lessons": (2000, 0.03),
    "address-strength": (600, 0.1),
    "address-readiness": (1000, 0.05),
    "address-boards": (1800, 0.02),
    "address-hints": (60, 1.0),
    "address-analyses": (40, 5.0),
    "address-evaluations": (80, 1.0),
    "address-class-codes": (80, 10.0),
    "address-codes": (300, 10.0),
    "address-chat": (120, 0.5),
    "guests": (120, 4.0),
    "accounts": (40, 30.0),
    "sign-ins": (60, 6.0),
    "links": (20, 6.0),
    "admin": (20, 6.0),
    "faults": (200, 0.5),
    "network": (20, 3.0),
    # By table, and by socket.
    "table-chat": (30, 1.0),
    "messages": (60, 0.05),
}
SCHOOL: dict[Limited, tuple[int, float]] = HOME | {
    # For three classes of thirty behind one address, lesson after lesson. A person may do no more than elsewhere.
    "address-tables": (500, 0.5),
    "address-logs": (3000, 0.02),
    "address-pictures": (3000, 0.01),
    "address-lessons": (6000, 0.01),
    "address-strength": (3000, 0.02),
    "address-readiness": (3000, 0.02),
    "address-boards": (6000, 0.005),
    "address-hints": (200, 0.5),
    "address-analyses": (150, 1.0),
    "address-evaluations": (300, 0.3),
    "address-class-codes": (150, 5.0),
    "address-codes": (1000, 3.0),
    "address-chat": (600, 0.1),
    "guests": (300, 1.0),
    "accounts": (150, 5.0),
    "sign-ins": (150, 3.0),
    "links": (120, 2.0),
    "faults": (600, 0.2),
}
_PROFILES = {"home": HOME, "school": SCHOOL}
_LIMITED: dict[str, Limited] = {name: name for name in get_args(Limited)}
_MOST_PLACES = 20_000
_FREE_TRIES = 4
_FIRST_WAIT = 0.5
_LONGEST_WAIT = 8.0
_FORGIVEN_AFTER = 900.0
"""Failures are forgotten so many seconds after the last of them."""


def rates_of(settings: LimitSettings) -> Mapping[Limited, tuple[int, float]]:
    """The rates of a profile, with those that the settings name put over them."""
    return _PROFILES[settings.profile] | {what: (rate.at_once, rate.every) for what, rate in settings.rates.items()}


class RateLimits:
    """Token buckets, one for each limited thing and each place it comes from."""

    def __init__(
        self,
        enabled: bool = True,
        clock: Callable[[], float] = monotonic,
        rates: Mapping[Limited, tuple[int, float]] = HOME,
    ) -> None:
        self._enabled = enabled
        self._clock = clock
        self._rates = rates
        self._buckets: dict[tuple[Limited, Hashable], tuple[float, float]] = {}
        self.tell: Callable[[Limited, Any, float], None] | None = None
        """Tells the other servers what was spent here, or with a negative count given back."""

    def spend(self, what: Limited, place: Hashable, count: float = 1) -> None:
        """Take `count` tokens from the bucket; TooMany when it holds fewer. What costs more than a bucket can hold is
        allowed when it is full."""
        if not self._enabled:
            return
        most, pause = self._rates[what]
        count = min(count, most)
        now = self._clock()
        left, then = self._buckets.pop((what, place), (float(most), now))
        left = min(most, left + (now - then) / pause)
        if left < count:
            self._buckets[what, place] = left, now
            wait = max(1, ceil((count - left) * pause - 1e-6))
            raise TooMany(phrase(f"many.{what}", count=wait), wait)
        self._keep(what, place, left - count, now)
        self._tell(what, place, count)

    def spent_elsewhere(self, what: str, place: Hashable, count: float) -> None:
        """Take what was spent at another server. The bucket may owe for a while: both may have spent the last token."""
        if (found := _LIMITED.get(what)) is None or not self._enabled:
            return
        most, pause = self._rates[found]
        now = self._clock()
        left, then = self._buckets.pop((found, place), (float(most), now))
        left = min(most, left + (now - then) / pause)
        self._keep(found, place, max(-float(most), min(most, left - count)), now)

    def _keep(self, what: Limited, place: Hashable, left: float, now: float) -> None:
        if len(self._buckets) >= _MOST_PLACES:
            # The oldest half has most likely filled up again by now.
            for key in list(self._buckets)[: _MOST_PLACES // 2]:
                del self._buckets[key]
        self._buckets[what, place] = left, now

    def _tell(self, what: Limited, place: Hashable, count: float) -> None:
        if self.tell is not None and what != "messages":  # which is the limit of one socket
            self.tell(what, place, count)

    def give_back(self, what: Limited, place: Hashable, count: float = 1) -> None:
        """Undo a `spend` for something that turned out to be harmless."""
        if (bucket := self._buckets.get((what, place))) is not None:
            self._buckets[what, place] = min(self._rates[what][0], bucket[0] + count), bucket[1]
            self._tell(what, place, -count)

    def spend_for(self, what: ByPerson, person: Hashable | None, address: str, count: float = 1) -> None:
        """Take tokens of a person and of the address, which loses nothing when the person's are used up.

        Whoever has no session is None, and spends what all such visitors have at that address together."""
        if person is None:
            self.spend(_at_address(what), _strangers(address), count)
            return
        self.spend(what, person, count)
        try:
            self.spend(_at_address(what), address, count)
        except TooMany:
            self.give_back(what, person, count)
            raise

    def give_back_for(self, what: ByPerson, person: Hashable | None, address: str, count: float = 1) -> None:
        """Undo a `spend_for` for something that turned out to be harmless."""
        if person is None:
            self.give_back(_at_address(what), _strangers(address), count)
        else:
            self.give_back(what, person, count)
            self.give_back(_at_address(what), address, count)

    def forget(self, what: Limited, place: Hashable) -> None:
        """Drop the bucket of a place that has gone."""
        self._buckets.pop((what, place), None)


def _at_address(what: ByPerson) -> Limited:
    return f"address-{what}"  # type: ignore[return-value]  # test_rates.py: every one of them is a Limited


def _strangers(address: str) -> Hashable:
    """The place of all visitors without a session at an address."""
    return "strangers", address


class Backoff:
    """How long a place that keeps failing must wait before its next try: each time twice as long, up to 8 s.

    Nobody is refused, so nobody can lock somebody else out.
    """

    def __init__(self, enabled: bool = True, clock: Callable[[], float] = monotonic) -> None:
        self._enabled = enabled
        self._clock = clock
        self._failures: dict[Hashable, tuple[int, float]] = {}
        self._familiar: dict[Hashable, None] = {}
        self.tell: Callable[[Any, bool], None] | None = None
        """Tells the other servers that a place has failed, or with True that it has succeeded."""

    def wait(self, place: Hashable) -> float:
        """Seconds to wait before the next try."""
        count, last = self._failures.get(place, (0, 0.0))
        if not self._enabled or count < _FREE_TRIES or self._clock() - last > _FORGIVEN_AFTER:
            return 0.0
        return float(min(_FIRST_WAIT * 2.0 ** min(count - _FREE_TRIES, 30), _LONGEST_WAIT))

    def failed(self, place: Hashable) -> None:
        """Note that another try has failed."""
        self._fail(place)
        if self.tell is not None:
            self.tell(place, False)

    def heard(self, place: Hashable, *, ended: bool) -> None:
        """Note that a try at another server has failed, or succeeded."""
        if ended:
            self._failures.pop(place, None)
        else:
            self._fail(place)

    def _fail(self, place: Hashable) -> None:
        count, last = self._failures.pop(place, (0, 0.0))
        now = self._clock()
        if len(self._failures) >= _MOST_PLACES:
            for key in list(self._failures)[: _MOST_PLACES // 2]:
                del self._failures[key]
        self._failures[place] = (count + 1 if now - last <= _FORGIVEN_AFTER else 1), now

    def succeeded(self, place: Hashable) -> None:
        """Forget the failures of a place that has succeeded, and remember that it has."""
        self._failures.pop(place, None)
        self._familiar.pop(place, None)
        self._familiar[place] = None
        if len(self._familiar) > _MOST_PLACES:
            del self._familiar[next(iter(self._familiar))]
        if self.tell is not None:
            self.tell(place, True)

    def knows(self, place: Hashable) -> bool:
        """Whether the place is one of the latest that have succeeded since the server started."""
        return place in self._familiar
