"""The judge: has processes beside the tables say what moves are worth. Bots come first: they give way to them.

Whoever asks waits until those who came before are answered; somebody who goes away is struck off the list.
"""

from __future__ import annotations

import logging
from collections import Counter
from typing import Any

import msgspec

from cupboard.core.game import Position, Seat
from cupboard.core.words import phrase
from cupboard.server.analysis.messages import Judgement, JudgeRequest
from cupboard.server.errors import Busy, TooMany
from cupboard.server.jobs.kinds import ANALYSIS, JobFailed, Jobs
from cupboard.server.watching.notes import Note

_LOG = logging.getLogger(__name__)
_MOST_WAITING = 16
_MOST_EACH = 2
_SECONDS_LATER = 2
"""When somebody whose share is used up should come again: a search takes about a second."""
_READER = msgspec.json.Decoder(Judgement)


class JudgeFailed(Exception):
    """There is no judgement; the text says why."""


class Judge:
    """The questions to the processes that search."""

    def __init__(self, jobs: Jobs) -> None:
        self._jobs = jobs
        self._askers: Counter[str] = Counter()

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
        try:
            data = await self._jobs.run(ANALYSIS, msgspec.json.encode(request), seconds + ANALYSIS.seconds_to_load)
            judged = _READER.decode(data)
        except JobFailed as error:
            raise JudgeFailed(str(error)) from error
        except msgspec.DecodeError as error:
            raise JudgeFailed(f"the answer makes no sense ({error})") from error
        if judged.error:
            raise JudgeFailed(judged.error)
        return judged
