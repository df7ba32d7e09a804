"""The log of the server: everything that is logged goes to standard error, as lines for people or as JSON."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from cupboard.server.settings import LogSettings
from cupboard.server.watching.formats import JsonFormatter, PlainFormatter
from cupboard.server.watching.repeats import Repeats

_LONGEST_PAUSE = 5.0


class LogHandler(logging.StreamHandler):  # type: ignore[type-arg]
    """Writes each kind of event once, and how often it was repeated from time to time."""

    def __init__(self, settings: LogSettings) -> None:
        super().__init__(sys.stderr)
        self._repeats = Repeats(settings.sum_up)
        self.setFormatter(JsonFormatter() if settings.format == "json" else PlainFormatter())

    def emit(self, record: logging.LogRecord) -> None:
        """Write the record, or count it."""
        if self._repeats.take(record):
            super().emit(record)

    def sum_up(self, everything: bool = False) -> None:
        """Write the summaries that are due, or all."""
        self.acquire()
        try:
            for record in self._repeats.summaries(everything):
                super().emit(record)
        finally:
            self.release()

    def close(self) -> None:
        """Write what was counted."""
        self.sum_up(everything=True)
        super().close()

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802
        """Go on: a log that cannot be written must not keep the server from working."""


@contextmanager
def logging_to_stderr(settings: LogSettings) -> Iterator[None]:
    """Within this everything that is logged goes to standard error; within it again it does so once.

    Lines for people on a terminal leave out the start and the end of the server, which sentences tell there."""
    root, ours = logging.getLogger(), logging.getLogger("cupboard")
    if any(isinstance(handler, LogHandler) for handler in root.handlers):
        yield
        return
    handler = LogHandler(settings)
    is_terminal = sys.stderr is not None and sys.stderr.isatty()
    levels = root.level, ours.level
    root.addHandler(handler)
    root.setLevel(logging.WARNING)
    ours.setLevel(logging.WARNING if is_terminal and settings.format == "plain" else logging.INFO)
    try:
        yield
    finally:
        root.removeHandler(handler)
        handler.close()
        for logger, level in zip((root, ours), levels, strict=True):
            logger.setLevel(level)


async def sum_up_now_and_then(settings: LogSettings) -> None:
    """Have repeated events summed up for as long as the server runs."""
    while True:
        await asyncio.sleep(min(_LONGEST_PAUSE, settings.sum_up / 4))
        for handler in logging.getLogger().handlers:
            if isinstance(handler, LogHandler):
                handler.sum_up()
