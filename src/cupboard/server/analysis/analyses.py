"""Analyses of finished games: move by move, all that were asked for in turn, and only while somebody waits for them.

The results stay in memory, the latest of them; who comes later asks again.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from time import monotonic
from typing import Any, NamedTuple

from cupboard.arena.analyse import cost_of, hindsight, mark_of
from cupboard.core.errors import CupboardError
from cupboard.core.game import CHANCE, Game, Move, Position, Seat
from cupboard.core.match import LoggedMove
from cupboard.core.words import phrase
from cupboard.players.thinking import Proven
from cupboard.server.analysis.judge import Judge, JudgeFailed
from cupboard.server.analysis.messages import Judgement
from cupboard.server.errors import Busy, TooMany
from cupboard.server.watching.notes import Note
from cupboard.server.wire.analysis import AnalysisStatus, BetterMove, JudgedEvent, MoveMark

_LOG = logging.getLogger(__name__)
_MOST_KEPT = 200
_MOST_UNDER_WAY = 16
_MOST_EACH = 2
_SECONDS_LATER = 30
"""When somebody whose share is used up should come again: an analysis takes up to a minute."""
_MOST_SECONDS = 0.4
"""How long a move is thought about; in a long game less."""
_LEAST_SECONDS = 0.08
_MOST_MOVES = 500
"""Of a longer game only so many moves are judged, the last ones."""
_PATIENCE = 20.0
"""Seconds without a look at it after which an analysis is put aside; asking again goes on with it."""
_FAILURES = 3
"""An analysis is given up after so many judgements in a row that failed."""
_MARKS: dict[str, MoveMark] = {"": "", "?!": "dubious", "?": "mistake", "??": "blunder"}


class Question(NamedTuple):
    """A move of a finished game that is to be judged."""

    n: int
    """The number of its event at the table."""
    position: Position[Any]
    seat: Seat
    move: Move


class Analysis:
    """The analysis of one table: what has been found so far, and what is left to do."""

    def __init__(self, asker: str, game: Game[Any], log: Sequence[LoggedMove], events: Sequence[int]) -> None:
        made = sum(1 for entry in log if entry.seat != CHANCE)
        self.asker = asker
        self.total = min(made, _MOST_MOVES)
        self.status: AnalysisStatus = "waiting"
        self.moves: list[JudgedEvent] = []
        self.last: tuple[Question, Judgement] | None = None
        """The latest judgement, which that on the next move may correct."""
        self.looked = monotonic()
        self.failures = 0
        self.questions = _questions(game, log, events, made - self.total)

    def seconds(self, most: float) -> float:
        """How long each move is thought about if the whole is to take `most` seconds."""
        return max(_LEAST_SECONDS, min(_MOST_SECONDS, most / max(1, self.total)))


def _questions(game: Game[Any], log: Sequence[LoggedMove], events: Sequence[int], skipped: int) -> Iterator[Question]:
    position = game.start()
    for entry, n in zip(log, events, strict=True):
        if entry.seat != CHANCE:
            if skipped <= 0:
                yield Question(n, position, entry.seat, entry.move)
            skipped -= 1
        position = position.play(entry.move, entry.seat)


class Analyses:
    """The analyses of all tables, and the task that works on those that somebody waits for, a move of each in turn."""

    def __init__(self, judge: Judge, seconds: float, clock: Callable[[], float] = monotonic) -> None:
        self._judge = judge
        self._seconds = seconds
        self._clock = clock
        self._kept: OrderedDict[str, Analysis] = OrderedDict()
        self._under_way: list[Analysis] = []
        self._worker: asyncio.Task[None] | None = None

    def close(self) -> None:
        """Stop the analysis that is under way, and take no more."""
        if self._worker is not None:
            self._worker.cancel()

    @property
    def under_way(self) -> int:
        """How many analyses somebody waits for."""
        return len(self._under_way)

    def find(self, table: str) -> Analysis | None:
        """The analysis of a table as far as it has come; looking at it keeps it going."""
        found = self._kept.get(table)
        if found is not None:
            found.looked = self._clock()
        return found

    def start(
        self, table: str, asker: str, game: Game[Any], log: Sequence[LoggedMove], events: Sequence[int]
    ) -> Analysis:
        """Begin or resume the analysis of a finished game; `events` has the table's event of each move of the log.

        Busy when too many are under way, TooMany when the asker has too many. What is known already is not refused.
        """
        found = self.find(table)
        if found is not None and found.status not in ("paused", "failed"):
            return found
        if sum(one.asker == asker for one in self._under_way) >= _MOST_EACH:
            raise TooMany(phrase("no.secondAnalysis"), _SECONDS_LATER)
        if len(self._under_way) >= _MOST_UNDER_WAY:
            raise Busy(phrase("no.moreAnalyses"))
        if found is None or found.status == "failed":
            found = self._kept[table] = Analysis(asker, game, log, events)
        found.asker, found.status, found.looked = asker, "waiting", self._clock()
        self._kept.move_to_end(table)
        while len(self._kept) > _MOST_KEPT + _MOST_UNDER_WAY:
            del self._kept[next(name for name, one in self._kept.items() if one not in self._under_way)]
        self._under_way.append(found)
        if self._worker is None or self._worker.done():
            self._worker = asyncio.create_task(self._work())
        return found

    async def _work(self) -> None:
        while self._under_way:
            one = self._under_way.pop(0)
            if self._clock() - one.looked > _PATIENCE:
                one.status = "paused"
                continue
            one.status = "running"
            question = next(one.questions, None)
            if question is None:
                _settle(one, None)
                one.status = "done"
                continue
            self._under_way.append(one)
            try:
                await self._answer(one, question)
            except Exception:
                _LOG.exception(Note("analysis-failed", process="judge", game=question.position.game.name))
                self._fail(one)

    async def _answer(self, one: Analysis, question: Question) -> None:
        _, position, seat, move = question
        try:
            judged = await self._judge.ask(position, seat, one.seconds(self._seconds), str(move))
        except JudgeFailed as error:
            _LOG.warning(Note("analysis-failed", process="judge", game=position.game.name, why=error))
            self._fail(one)
            return
        one.failures = 0
        _settle(one, (seat, judged.best_score, judged.proven))
        one.last = question, judged

    def _fail(self, one: Analysis) -> None:
        """Go on with the next move, unless nothing has come of it for some time."""
        one.failures += 1
        if one.failures >= _FAILURES:
            one.status = "failed"
            self._under_way.remove(one)


def _settle(one: Analysis, later: tuple[Seat, float, Proven] | None) -> None:
    """Make an event of the latest judgement, with what the next move has shown."""
    if one.last is None:
        return
    (n, position, seat, move), judged = one.last
    score, best_score = judged.score, judged.best_score
    certain = hindsight(position.game, seat, position.play(move, seat), later)
    if score is not None and certain is not None:
        score = certain
        if str(move) == judged.best:
            best_score = certain
    cost = cost_of(score, best_score, judged.forced)
    mark = _MARKS[mark_of(cost)]
    best = better_move(position, seat, judged) if mark else None
    one.moves.append(JudgedEvent(n, seat, score, best_score, cost, mark, best, judged.forced))
    one.last = None


def better_move(position: Position[Any], seat: Seat, judged: Judgement) -> BetterMove | None:
    """The best move as a page shows it; None when the process named one that there is not."""
    try:
        move = position.parse(judged.best, seat)
    except CupboardError:
        return None
    proven = judged.proven.value if judged.proven else ""
    return BetterMove(
        text=str(move),
        spots=move.spots(),
        path=tuple(move.route()),
        words=move.words(position.game.seat_name),
        score=judged.best_score,
        proven=proven,
        line=judged.line,
    )
