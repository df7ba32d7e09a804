"""One timer for all lines: who has been silent is asked for a sign, who gives none has gone."""

from __future__ import annotations

import asyncio
from typing import Protocol

PERIOD = 20.0
_TURNS = 5
"""The lines take turns within a period, so that they are not all asked at once."""


class Beating(Protocol):
    """Something with a heart."""

    def beat(self) -> None:
        """A period is over."""


class Pulse:
    """Calls `beat` of everybody added once in a period."""

    def __init__(self, period: float = PERIOD) -> None:
        self._period = period
        self._turns: list[set[Beating]] = [set() for _ in range(_TURNS)]
        self._turn = 0

    def add(self, line: Beating) -> None:
        """Its first beat is a whole period away."""
        self._turns[self._turn].add(line)

    def discard(self, line: Beating) -> None:
        """It beats no more."""
        for turn in self._turns:
            turn.discard(line)

    async def run(self) -> None:
        """For as long as the server runs."""
        while True:
            await asyncio.sleep(self._period / _TURNS)
            self._turn = (self._turn + 1) % _TURNS
            for line in list(self._turns[self._turn]):
                line.beat()
