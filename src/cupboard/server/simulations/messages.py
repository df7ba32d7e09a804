"""What the server and the process that simulates say to each other, as JSON."""

from __future__ import annotations

from typing import Any

import msgspec


class SimulationRequest(msgspec.Struct, frozen=True):
    """A position in which nature is to move; it holds every secret of the game and goes to our own process only."""

    game: str
    seats: int
    options: dict[str, Any]
    position: Any
    """What `Position.to_json` gives."""
    seed: int | None = None
    """What the simulation draws from; None: only get ready, which takes seconds in a new process."""


class SimulationAnswer(msgspec.Struct, frozen=True):
    """What the simulation found, or why it found nothing."""

    move: str = ""
    """Nature's move in notation."""
    motion: bytes = b""
    error: str = ""
    """What went wrong; empty when nothing did."""
