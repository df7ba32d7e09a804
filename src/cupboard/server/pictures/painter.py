"""Has SVG turned into PNG in another process (`rendering.py`), so that no table waits while resvg draws."""

from __future__ import annotations

import logging

from cupboard.core.words import phrase
from cupboard.server.errors import Busy
from cupboard.server.jobs.kinds import PICTURE, JobFailed, Jobs
from cupboard.server.watching.notes import Note

_LOG = logging.getLogger(__name__)
_MOST_SECONDS = 20.0
"""A picture that takes longer is given up, and the process with it."""


class Painter:
    """Asks a process to draw, and says what happens when it cannot."""

    def __init__(self, jobs: Jobs) -> None:
        self._jobs = jobs

    async def paint(self, drawn: str) -> bytes:
        """The PNG of an SVG; Busy when it cannot be drawn. Callers take turns: see `JobQueue`."""
        for _ in range(2):  # a process that died unnoticed is replaced once
            try:
                png = await self._jobs.run(PICTURE, drawn.encode(), _MOST_SECONDS)
            except JobFailed as error:
                _LOG.warning(Note("picture-failed", process="pictures", why=error))
                continue
            if png:
                return png
            break
        raise Busy(phrase("no.picture"))
