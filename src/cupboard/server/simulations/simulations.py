"""Finds nature's moves that take a simulation, in processes of their own; whatever goes wrong, there is a move.

Tables take turns: those that wait are served in the order in which they came, and each has one simulation at a time. A
simulation that fails, takes too long or would have to wait too long is replaced by `Position.unsimulated`, and one
sentence in the log says why.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec

from cupboard.core.game import CHANCE, Position, Step
from cupboard.server.jobs.kinds import FLICK, JobFailed, Jobs
from cupboard.server.settings import ServerSettings
from cupboard.server.simulations.messages import SimulationAnswer, SimulationRequest
from cupboard.server.watching.notes import Note

MOST_MOTION_BYTES = 65_536
"""A longer motion is not kept; the move counts all the same."""
_LOG = logging.getLogger(__name__)


class NatureMove(NamedTuple):
    """Nature's move and the position after it, with the motion that leads to it, if there is one."""

    step: Step[Any]
    motion: bytes = b""


class SimulationFailed(Exception):
    """A simulation has found no move; the text says why."""


class Simulations:
    """The tables that wait for a simulation."""

    def __init__(self, settings: ServerSettings, jobs: Jobs) -> None:
        self._seconds = settings.simulation_seconds
        self._wait = settings.simulation_wait
        self._jobs = jobs
        # Those who wait are served in order.
        self._turns = asyncio.Semaphore(settings.simulation_processes)

    async def find(self, table: str, position: Position[Any], is_wanted: Callable[[], bool]) -> NatureMove | None:
        """Nature's move in a position that is simulated; None if it `is_wanted` no more when its turn comes."""
        try:
            try:
                async with asyncio.timeout(self._wait):
                    await self._turns.acquire()
            except TimeoutError:
                raise SimulationFailed(f"its turn did not come within {self._wait:g} seconds") from None
            try:
                return await self._simulate(table, position) if is_wanted() else None
            finally:
                self._turns.release()
        except SimulationFailed as error:
            _LOG.warning(Note("simulation-failed", table=table, game=position.game.name, why=error))
            return NatureMove(position.step(position.unsimulated(), CHANCE))

    async def _simulate(self, table: str, position: Position[Any]) -> NatureMove:
        """What the process found; SimulationFailed when that is no legal move."""
        game = position.game
        request = SimulationRequest(game.name, game.seats, dict(game.options), position.to_json())
        found = await self._ask(request, msgspec.structs.replace(request, seed=secrets.randbits(64)))
        try:
            step = position.step(found.move, CHANCE)
        except Exception as error:
            raise SimulationFailed(f"{found.move[:100]!r} is no move here ({type(error).__name__}: {error})") from error
        if len(found.motion) > MOST_MOTION_BYTES:
            _LOG.warning(Note("motion-too-long", table=table, game=game.name, bytes=len(found.motion)))
            return NatureMove(step)
        return NatureMove(step, found.motion)

    async def _ask(self, loading: SimulationRequest, request: SimulationRequest) -> SimulationAnswer:
        try:
            data = await self._jobs.run(
                FLICK, msgspec.json.encode(request), self._seconds, before=msgspec.json.encode(loading)
            )
            answer = msgspec.json.decode(data, type=SimulationAnswer)
        except JobFailed as error:
            raise SimulationFailed(str(error)) from error
        except msgspec.DecodeError as error:
            raise SimulationFailed(f"the answer makes no sense ({error})") from error
        if answer.error:
            raise SimulationFailed(answer.error)
        return answer
