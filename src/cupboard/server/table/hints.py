"""Hints: what the strongest level would do, thought about one at a time in a thread of their own.

Bots think in other threads, so they never wait behind hints. A seat has one hint under way at most, and nobody thinks
about a hint any more when the position has changed or whoever asked has gone.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import Event
from typing import Any

from cupboard.core.game import Move, Seat, View
from cupboard.core.words import phrase
from cupboard.players.levels import LEVELS, limits_of, make_seated, seated_at
from cupboard.players.safe import PlayerFault, SafePlayer
from cupboard.server.errors import HintPending, TooMany
from cupboard.server.readiness.readiness import Readiness
from cupboard.server.watching.notes import Note

_LOG = logging.getLogger(__name__)
_MOST_PENDING = 32
"""So many hints of all tables wait for the thread; each takes about a second."""
_SECONDS_LATER = 5
"""When somebody for whom the queue is too long should come again."""


@dataclass(frozen=True, eq=False)
class PendingHint:
    """A hint that is queued or thought about."""

    changed: int
    """The change of the position that it is for (`TableState.changed`)."""
    answer: asyncio.Future[Move]
    stop: Event

    def cancel(self) -> None:
        """Take it out of the queue, or let the search end early."""
        self.stop.set()
        self.answer.cancel()


class Hints:
    """The queue of hints, and the thread that thinks about one after the other."""

    def __init__(self, seconds: float, readiness: Readiness | None = None) -> None:
        """Without `readiness` a hint does not wait until its level is compiled: the thread compiles it."""
        self._seconds = seconds
        self._readiness = readiness
        self._thread = ThreadPoolExecutor(1, "hint")
        self._pending: dict[tuple[str, Seat], PendingHint] = {}

    @property
    def waiting(self) -> int:
        """How many hints are queued or thought about."""
        return len(self._pending)

    def close(self) -> None:
        """Cancel all hints that are queued or thought about, and end the thread."""
        for pending in list(self._pending.values()):
            pending.cancel()
        self._thread.shutdown(wait=False, cancel_futures=True)

    def check(self, table: str, seat: Seat, changed: int) -> None:
        """HintPending when the seat waits for a hint in this position already; TooMany when the queue is full."""
        pending = self._pending.get((table, seat))
        if pending is not None and pending.changed == changed:
            raise HintPending(phrase("no.secondHint"))
        if pending is None and len(self._pending) >= _MOST_PENDING:
            raise TooMany(phrase("no.moreHints"), _SECONDS_LATER)

    def ask(self, table: str, seat: Seat, changed: int, view: View[Any]) -> PendingHint:
        """Put a hint into the queue; it takes the place of one for an earlier position."""
        self.check(table, seat, changed)
        if (before := self._pending.get((table, seat))) is not None:
            before.cancel()
        stop = Event()
        if self._readiness is None or self._readiness.is_ready(view.game, LEVELS[-1]):
            answer = self._begin(view, stop)
        else:
            answer = asyncio.ensure_future(self._begin_later(self._readiness, view, stop))
        pending = self._pending[table, seat] = PendingHint(changed, answer, stop)
        answer.add_done_callback(lambda _: self._forget((table, seat), pending))
        return pending

    def _begin(self, view: View[Any], stop: Event) -> asyncio.Future[Move]:
        return asyncio.get_running_loop().run_in_executor(self._thread, self._think, view, stop)

    async def _begin_later(self, readiness: Readiness, view: View[Any], stop: Event) -> Move:
        """Let hints for other games pass while the level of this one is compiled."""
        await readiness.level(view.game, LEVELS[-1])
        return await self._begin(view, stop)

    def _forget(self, place: tuple[str, Seat], pending: PendingHint) -> None:
        if self._pending.get(place) is pending:
            del self._pending[place]

    def _think(self, view: View[Any], stop: Event) -> Move:
        best, seed = seated_at(view.game, LEVELS[-1]), secrets.randbits(32)
        player = make_seated(best, view.game, seed)

        def faulty(fault: PlayerFault) -> None:
            _LOG.warning(Note("hint-fault", level=LEVELS[-1], game=view.game.name, kind=fault.kind, why=fault))

        # The limits of the level itself, said here because only a search with limits can be stopped.
        limits = limits_of(best)
        return SafePlayer(player, seconds=self._seconds, limits=limits, seed=seed, on_fault=faulty).choose(view, stop)
