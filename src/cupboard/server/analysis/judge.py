"""The judge: a process beside the tables that says what moves are worth. Bots come first: it gives way to them.

Whoever asks waits until those who came before are answered; somebody who goes away is struck off the list.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from typing import Any

import msgspec

from cupboard.core.game import Position, Seat
from cupboard.core.words import phrase
from cupboard.server.analysis.messages import Judgement, JudgeRequest
from cupboard.server.child_process import ChildFailed, ChildProcess
from cupboard.server.errors import Busy, TooMany
from cupboard.server.watching.notes import Note

_LOG = logging.getLogger(__name__)
_MODULE = "cupboard.server.analysis.judging"
_MOST_BYTES = 100_000
_SECONDS_TO_LOAD = 120.0
"""How long a process may take to start and to load a game: on a busy machine, where nothing is compiled yet."""
_MOST_WAITING = 16
_MOST_EACH = 2
_SECONDS_LATER = 2
"""When somebody whose share is used up should come again: a search takes about a second."""
_READER = msgspec.json.Decoder(Judgement)


class JudgeFailed(Exception):
    """There is no judgement; the text says why."""


class Judge:
    """The process that searches, started with the first question."""

    def __init__(self) -> None:
        self._child = ChildProcess(_MODULE, _MOST_BYTES)
        self._turn = asyncio.Lock()
        self._askers: Counter[str] = Counter()
        self._tasks: set[asyncio.Task[Judgement]] = set()

    async def close(self) -> None:
        """Cancel all questions, and end the process."""
        for task in self._tasks:
            task.cancel()
        await self._child.close()

    async def value(self, asker: str, position: Position[Any], seat: Seat, seconds: float) -> Judgement:
        """The best move of `seat` and its value. Busy when too many wait, TooMany when the asker's share is used up."""
        if self._askers.total() >= _MOST_WAITING:
            raise Busy(phrase("no.moreAnalyses"))
        if self._askers[asker] >= _MOST_EACH:
            raise TooMany(phrase("no.moreEvaluations"), _SECONDS_LATER)
        self._askers[asker] += 1
        try:
            return await self.ask(position, seat, seconds)
        except JudgeFailed as error:
            _LOG.warning(Note("value-failed", process="judge", game=position.game.name, why=error))
            raise Busy(phrase("no.evaluation")) from error
        finally:
            self._askers -= Counter({asker: 1})

    async def ask(self, position: Position[Any], seat: Seat, seconds: float, move: str = "") -> Judgement:
        """What a move is worth, or without one the best; JudgeFailed when the process does not say."""
        game = position.game
        request = JudgeRequest(game.name, game.seats, dict(game.options), position.to_json(), seat, seconds, move)
        async with self._turn:
            # Whoever stops waiting for a child ends it: a search of half a second is rather brought to its end.
            task = asyncio.ensure_future(self._ask(request))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
            try:
                return await asyncio.shield(task)
            except asyncio.CancelledError:
                await asyncio.wait({task})
                raise

    async def _ask(self, request: JudgeRequest) -> Judgement:
        try:
            data = await self._child.ask(msgspec.json.encode(request), request.seconds + _SECONDS_TO_LOAD)
            judged = _READER.decode(data)
        except ChildFailed as error:
            raise JudgeFailed(str(error)) from error
        except msgspec.DecodeError as error:
            await self._child.close()
            raise JudgeFailed(f"the answer makes no sense ({error})") from error
        if judged.error:
            # A search that was given up may still be running in its thread.
            await self._child.close()
            raise JudgeFailed(judged.error)
        return judged
