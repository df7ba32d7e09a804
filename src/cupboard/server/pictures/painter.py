"""Turns SVG into PNG in another process (`rendering.py`), so that no table waits while resvg draws."""

from __future__ import annotations

import logging

from cupboard.core.words import phrase
from cupboard.server.child_process import ChildFailed, ChildProcess
from cupboard.server.errors import Busy
from cupboard.server.watching.notes import Note

_LOG = logging.getLogger(__name__)
_MODULE = "cupboard.server.pictures.rendering"
_MOST_BYTES = 64_000_000
_MOST_SECONDS = 20.0
"""A picture that takes longer is given up, and the process with it."""


class Painter:
    """The process that draws, and what happens when it cannot."""

    def __init__(self) -> None:
        self._child = ChildProcess(_MODULE, _MOST_BYTES)

    async def paint(self, drawn: str) -> bytes:
        """The PNG of an SVG; Busy when it cannot be drawn. Callers take turns: see `JobQueue`."""
        for _ in range(2):  # a process that died unnoticed is replaced once
            try:
                png = await self._child.ask(drawn.encode(), _MOST_SECONDS)
            except ChildFailed as error:
                _LOG.warning(Note("picture-failed", process="pictures", why=error))
                continue
            if png:
                return png
            break
        raise Busy(phrase("no.picture"))

    async def close(self) -> None:
        """End the process, and wait until it has ended."""
        await self._child.close()
