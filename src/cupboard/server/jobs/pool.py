"""The pool: work is done by processes of this server, so many for each kind, as many as are needed."""

from __future__ import annotations

import os

from cupboard.server.jobs.kinds import ANALYSIS, BOT, FLICK, PICTURE, Kind
from cupboard.server.jobs.lane import Lane
from cupboard.server.settings import ServerSettings


def bot_processes(settings: ServerSettings) -> int:
    """How many bots think at once unless the settings say otherwise: one for each processor, and at least two.

    Several processes that serve on one machine share the processors."""
    return settings.jobs.processes or max(2, (os.cpu_count() or 1) // settings.workers)


class JobPool:
    """Processes of this server. Each kind has its own, so nobody waits for a bot behind an analysis."""

    def __init__(self, settings: ServerSettings, background: int = 1) -> None:
        """So many processes do each kind of work that no person at a table waits for."""
        counts = {
            BOT: bot_processes(settings),
            FLICK: settings.simulation_processes,
            ANALYSIS: background,
            PICTURE: background,
        }
        self._lanes = {kind.name: Lane(kind, count, stays=kind is BOT) for kind, count in counts.items()}

    def lane(self, kind: Kind) -> Lane:
        """The processes for a kind of work."""
        return self._lanes[kind.name]

    async def run(
        self, kind: Kind, request: bytes, seconds: float, *, before: bytes | None = None, place: str = ""
    ) -> bytes:
        """The answer to a request, as `Jobs.run` says."""
        return await self.lane(kind).run(request, seconds, before, place)

    def count(self, kind: Kind) -> int:
        """How many processes do this kind of work at once."""
        return len(self.lane(kind).children)

    def waiting(self, kind: Kind) -> int:
        """How many requests of this kind wait for a process."""
        return self.lane(kind).waiting

    def running(self, kind: Kind) -> int:
        """How many processes work on requests of this kind."""
        return self.lane(kind).running

    posted = 0
    """Nothing is done elsewhere."""

    async def live(self) -> None:
        """There is nobody to stay in touch with: the processes are the server's own."""

    async def close(self) -> None:
        """Cancel all jobs, and end the processes."""
        for lane in self._lanes.values():
            await lane.close()
