"""Warnings about how a server was set up: a visitor causes them with every request, and they are logged once."""

from __future__ import annotations

import logging

from cupboard.server.watching.repeats import ONCE

_MOST = 8
"""A server logs so many of one kind; what a stranger makes up may differ each time."""


class LogOnce:
    """Logs a warning the first time, and not again while the server runs."""

    def __init__(self, log: logging.Logger) -> None:
        self._log = log
        self._said: set[tuple[str, tuple[str, ...]]] = set()

    def warning(self, text: str, *values: str) -> None:
        """Log the text with these values, unless that was done, or many like it."""
        if (text, values) in self._said or sum(said[0] == text for said in self._said) >= _MOST:
            return
        self._said.add((text, values))
        self._log.warning(text, *values, extra={ONCE: True})
