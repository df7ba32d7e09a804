"""The time of day, as a clock that never jumps.

The computer's own clock may be set back or forward while games run. It is read once, when the server starts; from
then on the time that has passed is counted by a counter that nobody can set.
"""

from __future__ import annotations

import time

_AWAKE_OR_ASLEEP: int | None = getattr(time, "CLOCK_BOOTTIME", None)


def _ticks() -> int:
    """Nanoseconds since some fixed moment. Where the system can tell, time spent asleep counts."""
    return time.monotonic_ns() if _AWAKE_OR_ASLEEP is None else time.clock_gettime_ns(_AWAKE_OR_ASLEEP)


_BEGUN = time.time_ns() - _ticks()


def now() -> int:
    """The time now, in milliseconds since 1970."""
    return (_BEGUN + _ticks()) // 1_000_000
