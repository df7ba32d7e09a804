"""The gallery draws pictures without keeping the event loop waiting, and keeps the latest."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from cupboard.server.jobs.kinds import Jobs
from cupboard.server.pictures.jobs import JobQueue
from cupboard.server.pictures.painter import Painter

T = TypeVar("T")
_MOST_BYTES = 32_000_000
"""How many bytes of the latest PNG pictures are kept: the star of Chinese Checkers has 400 kB."""


class Gallery:
    """Draws one picture at a time in its own thread, and PNG in another process."""

    def __init__(self, jobs: Jobs) -> None:
        # One thread: each that computes may keep the event loop waiting for a few milliseconds, several for longer.
        self._thread = ThreadPoolExecutor(1, "drawing")
        self._drawing: JobQueue[Any] = JobQueue(most=64, most_each=16)
        self._painting: JobQueue[bytes] = JobQueue(most=16, most_each=4)
        self._painter = Painter(jobs)
        self._kept: OrderedDict[Hashable, bytes] = OrderedDict()
        self._bytes = 0

    def close(self) -> None:
        """Cancel what is queued, and end the thread."""
        self._drawing.close()
        self._painting.close()
        self._thread.shutdown(wait=False, cancel_futures=True)

    async def draw(self, key: Hashable, asker: str, draw: Callable[[], T]) -> T:
        """What `draw` returns, called in the thread that draws. `key` says what it is a picture of."""
        drawn: T = await self._drawing.ask(
            key, asker, lambda: asyncio.get_running_loop().run_in_executor(self._thread, draw)
        )
        return drawn

    async def png(self, key: Hashable, asker: str, draw: Callable[[], str]) -> bytes:
        """The picture as PNG; `draw` makes the SVG, if it is not one of the latest pictures."""
        if (kept := self._kept.get(key)) is not None:
            self._kept.move_to_end(key)
            return kept
        return await self._painting.ask(key, asker, lambda: self._paint(key, asker, draw))

    async def _paint(self, key: Hashable, asker: str, draw: Callable[[], str]) -> bytes:
        png = await self._painter.paint(await self.draw(key, asker, draw))
        self._kept[key] = png
        self._bytes += len(png)
        while self._bytes > _MOST_BYTES:
            _, oldest = self._kept.popitem(last=False)
            self._bytes -= len(oldest)
        return png
