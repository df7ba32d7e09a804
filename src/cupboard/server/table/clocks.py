"""The clocks of a table, as a pure function of when seats were asked and when they moved. All times in milliseconds."""

from __future__ import annotations

from collections.abc import Iterable

from cupboard.core.game import Seat
from cupboard.server.wire.server_messages import Times
from cupboard.server.wire.tables import Clock

_DAY = 86_400_000


class Clocks:
    """How much time each seat has left, and whose clock runs since when."""

    __slots__ = ("_clock", "_left", "_since")

    def __init__(self, clock: Clock, seats: int) -> None:
        self._clock = clock
        self._left = [budget(clock)] * seats
        self._since: dict[Seat, int] = {}

    def turn(self, asked: set[Seat], at: int, mover: Seat | None = None) -> None:
        """Stop the clocks of seats that are asked no more or have just moved, and start those of seats asked now."""
        for seat in [s for s in self._since if s not in asked or s == mover]:
            self._left[seat] = max(0, self._left[seat] - max(0, at - self._since.pop(seat)))
            if self._clock.days:
                self._left[seat] = budget(self._clock)
            elif seat == mover:
                self._left[seat] += 1000 * self._clock.gain
        for seat in asked - set(self._since):
            self._since[seat] = at

    def times(self, now: int) -> Times:
        """What the clocks show at `now`."""
        since = self._since
        left = tuple(max(0, left - max(0, now - since.get(seat, now))) for seat, left in enumerate(self._left))
        return Times(left, tuple(sorted(since)))

    def flag(self) -> tuple[int, Seat] | None:
        """When the next clock runs out, and whose; None when no clock runs."""
        if not self._since:
            return None
        return min((since + self._left[seat], seat) for seat, since in self._since.items())

    def no_flag_before(self, now: int, people: Iterable[Seat]) -> int:
        """A time before which none of these seats' clocks runs out, whatever is played meanwhile."""
        return min(self._since.get(seat, now) + self._left[seat] for seat in people)


def budget(clock: Clock) -> int:
    """The milliseconds a clock shows at first."""
    return clock.days * _DAY if clock.days else 1000 * clock.start
