"""Turns SVG into PNG in another process (`rendering.py`), so that no table waits while resvg draws."""

from __future__ import annotations

import asyncio
import logging
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from pathlib import Path

from cupboard.core.words import phrase
from cupboard.server.errors import Busy

_LOG = logging.getLogger(__name__)
_PROGRAM = Path(__file__).with_name("rendering.py")
_MOST_SECONDS = 20.0
"""A picture that takes longer is given up, and the process with it."""
_IDLE_SECONDS = 60.0
"""After so long without a picture the process ends: most servers are seldom asked for one."""


class Painter:
    """One process, started when the first picture is asked for and again whenever it has died."""

    def __init__(self) -> None:
        self._process: Process | None = None
        self._idle: asyncio.TimerHandle | None = None

    async def paint(self, drawn: str) -> bytes:
        """The PNG of an SVG; Busy when it cannot be drawn. Callers take turns: see `JobQueue`."""
        if self._idle is not None:
            self._idle.cancel()
        for _ in range(2):  # a process that died unnoticed is replaced once
            try:
                async with asyncio.timeout(_MOST_SECONDS):
                    png = await self._ask(drawn.encode())
            except (OSError, asyncio.IncompleteReadError, TimeoutError) as error:
                _LOG.warning("The process that draws pictures has failed: %r", error)
                await self.close()
                continue
            self._idle = asyncio.get_running_loop().call_later(_IDLE_SECONDS, self._end)
            if png:
                return png
            break
        raise Busy(phrase("no.picture"))

    async def close(self) -> None:
        """End the process, and wait until it has."""
        process = self._process
        self._end()
        if process is not None:
            await process.wait()

    async def _ask(self, request: bytes) -> bytes:
        process = self._process
        if process is None:
            # A session of its own: Ctrl-C in a terminal is for the server, which then ends the process.
            process = self._process = await asyncio.create_subprocess_exec(
                sys.executable, "-P", str(_PROGRAM), stdin=PIPE, stdout=PIPE, stderr=DEVNULL, start_new_session=True
            )
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(len(request).to_bytes(4, "big") + request)
        await process.stdin.drain()
        length = int.from_bytes(await process.stdout.readexactly(4), "big")
        return await process.stdout.readexactly(length)

    def _end(self) -> None:
        if self._idle is not None:
            self._idle.cancel()
            self._idle = None
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            process.kill()
