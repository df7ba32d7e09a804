"""The kinds of work that is done in processes of its own, and the errors and figures that all of them have."""

from __future__ import annotations

from typing import Protocol

import msgspec

MOST_REQUEST_BYTES = 4_000_000
"""A request is a position or a picture; the largest picture that the tables draw has 0.4 MB."""


class JobFailed(Exception):
    """A job has no answer: its process died, took too long or answered nonsense. The text says which."""


class Kind(msgspec.Struct, frozen=True):
    """A kind of work, done by the function `answer` of a module in a process that loads nothing else."""

    name: str
    module: str
    most_bytes: int
    """The most bytes that an answer may have."""
    is_urgent: bool
    """Whether a person at a table waits for it. Other work never has the processes that are meant for this."""
    nice: int
    """How far its processes give way to others. Bots give way to nobody: with less time they would be weaker."""
    seconds_to_load: float
    """How long a process may take to start and to load a game: on a busy machine, where nothing is compiled yet."""


# Hints are the moves of the strongest bot.
BOT = Kind("bot", "cupboard.server.table.thinking", 100_000, True, 0, 120.0)
FLICK = Kind("flick", "cupboard.server.simulations.simulating", 4_000_000, True, 10, 30.0)
ANALYSIS = Kind("analysis", "cupboard.server.analysis.judging", 100_000, False, 10, 120.0)
PICTURE = Kind("picture", "cupboard.server.pictures.rendering", 64_000_000, False, 10, 20.0)
KINDS = {kind.name: kind for kind in (BOT, FLICK, ANALYSIS, PICTURE)}


class Jobs(Protocol):
    """Where work is done. Cancelling whoever waits for an answer cancels the job."""

    async def run(
        self, kind: Kind, request: bytes, seconds: float, *, before: bytes | None = None, place: str = ""
    ) -> bytes:
        """The answer to a request; JobFailed when there is none `seconds` after the work has begun.

        The process is asked `before` first, if that is said, for which it has `kind.seconds_to_load`. Requests of one
        `place` go to one process as long as that is free, because it may have kept what it found for the last one."""

    def count(self, kind: Kind) -> int:
        """How many processes here do this kind of work at once."""

    def waiting(self, kind: Kind) -> int:
        """How many requests of this kind wait for a process."""

    def running(self, kind: Kind) -> int:
        """How many requests of this kind are worked on."""

    @property
    def posted(self) -> int:
        """How many requests workers elsewhere have not answered yet."""

    async def live(self) -> None:
        """Stay in touch with whoever works, as long as the server runs."""

    async def close(self) -> None:
        """Cancel all jobs, and end the processes."""
