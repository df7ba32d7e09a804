"""What a process that simulates does, for `simulations.py`: it loads the game and calls `Position.simulate`."""

from __future__ import annotations

from functools import lru_cache
from random import Random
from typing import Any

import msgspec

from cupboard.core.game import Game
from cupboard.core.registry import load
from cupboard.server.simulations.messages import SimulationAnswer, SimulationRequest

_READER = msgspec.json.Decoder(SimulationRequest)


def answer(request: bytes) -> bytes:
    """The answer to a request as JSON. What goes wrong in a game is said in it, and the process lives on."""
    asked = _READER.decode(request)
    try:
        answered = _simulate(asked)
    except Exception as error:
        answered = SimulationAnswer(error=f"{type(error).__name__}: {error}"[:500])
    return msgspec.json.encode(answered)


def _simulate(asked: SimulationRequest) -> SimulationAnswer:
    game = _game(asked.game, asked.seats, tuple(asked.options.items()))
    position = game.from_json(asked.position)
    if asked.seed is None:
        return SimulationAnswer()
    found = position.simulate(Random(asked.seed))
    return SimulationAnswer(str(found.move), found.motion)


@lru_cache(32)
def _game(name: str, seats: int, options: tuple[tuple[str, Any], ...]) -> Game[Any]:
    return load(name, seats, **dict(options))
