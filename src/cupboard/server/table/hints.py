"""Hints: what the strongest level would do, thought about one at a time in a process for bots.

There are at least two of those, so bots never wait behind hints. A seat has one hint under way at most, and nobody
waits for a hint any more when the position has changed or whoever asked has gone.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from dataclasses import dataclass
from typing import Any

from cupboard.core.game import Move, Seat, View
from cupboard.core.words import phrase
from cupboard.players.levels import LEVELS
from cupboard.players.safe import modest_move
from cupboard.server.errors import HintPending, TooMany
from cupboard.server.jobs.kinds import JobFailed, Jobs
from cupboard.server.readiness.readiness import Readiness
from cupboard.server.table.bots import most_kept, think
from cupboard.server.table.thinking import request_of
from cupboard.server.watching.notes import Note

_LOG = logging.getLogger(__name__)
_MOST_PENDING = 32
"""So many hints of all tables wait for the process; each takes about a second."""
_SECONDS_LATER = 5
"""When somebody for whom the queue is too long should come again."""


@dataclass(frozen=True, eq=False)
class PendingHint:
    """A hint that is queued or thought about."""

    changed: int
    """The change of the position that it is for (`TableState.changed`)."""
    answer: asyncio.Future[Move]

    def cancel(self) -> None:
        """Take it out of the queue; one that is thought about is forgotten."""
        self.answer.cancel()


class Hints:
    """The queue of hints."""

    def __init__(self, seconds: float, jobs: Jobs, readiness: Readiness | None = None) -> None:
        """Without `readiness` a hint does not wait until its level is compiled: the process compiles it."""
        self._seconds = seconds
        self._jobs = jobs
        self._readiness = readiness
        self._turn = asyncio.Semaphore(1)
        self._pending: dict[tuple[str, Seat], PendingHint] = {}

    @property
    def waiting(self) -> int:
        """How many hints are queued or thought about."""
        return len(self._pending)

    def close(self) -> None:
        """Cancel all hints that are queued or thought about."""
        for pending in list(self._pending.values()):
            pending.cancel()

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
        answer = asyncio.ensure_future(self._think(view))
        pending = self._pending[table, seat] = PendingHint(changed, answer)
        answer.add_done_callback(lambda _: self._forget((table, seat), pending))
        return pending

    def _forget(self, place: tuple[str, Seat], pending: PendingHint) -> None:
        if self._pending.get(place) is pending:
            del self._pending[place]

    async def _think(self, view: View[Any]) -> Move:
        if self._readiness is not None:  # hints for other games pass while the level of this one is compiled
            await self._readiness.level(view.game, LEVELS[-1])
        try:
            async with self._turn:
                asked = request_of(view, LEVELS[-1], self._seconds, most_kept=most_kept(self._jobs))
                found, move = await think(self._jobs, asked, view)
        except JobFailed as error:
            _LOG.warning(Note("hint-failed", level=LEVELS[-1], game=view.game.name, why=error))
            return await asyncio.to_thread(modest_move, view, secrets.randbits(32))
        for kind, why in found.faults:
            _LOG.warning(Note("hint-fault", level=LEVELS[-1], game=view.game.name, kind=kind, why=why))
        return move
