"""Hints and analysis for people: the best move now, and the mistakes of a finished game.

    thought = hint(view, Limits(seconds=1))       # for a table's hint button
    for judged in analyse(record, Limits(nodes=20_000)):
        print(judged.mark, judged.cost, judged.better)

Every move is judged by what its seat could know: the analysing player gets the View, as the seat did.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from cupboard.arena.thinkers import TimedSearch, find_thinker, value_of
from cupboard.core.errors import CupboardError
from cupboard.core.game import CHANCE, Game, Move, Position, Seat, View, letter
from cupboard.core.match import Match
from cupboard.core.record import Record
from cupboard.players.thinking import Limits, Proven, Thinker, Thought

__all__ = [
    "JudgedMove",
    "NoOpinion",
    "SeatSummary",
    "analyse",
    "annotate",
    "cost_of",
    "hindsight",
    "hint",
    "judge",
    "mark_of",
    "summaries",
]

MARKS = ((0.25, "??"), (0.12, "?"), (0.05, "?!"))
"""The least cost of a move, as a share of the point, for each mark."""


def cost_of(score: float | None, best_score: float, forced: bool) -> float:
    """The share of the point that a move gave away; 0 if it is forced or has no value."""
    return 0.0 if score is None or forced else max(0.0, best_score - score)


def mark_of(cost: float) -> str:
    """`?!` for a dubious move, `?` for a mistake, `??` for a blunder, else an empty text."""
    return next((mark for least, mark in MARKS if cost >= least), "")


def hindsight(
    game: Game[Any], seat: Seat, after: Position[Any], later: tuple[Seat, float, Proven] | None
) -> float | None:
    """What a move of `seat` has turned out to be worth for certain, or None if that is not known.

    `after` is the position after it, and `later` what the judgement of the next move says, if that follows at once: its
    seat, its best score and whether that is proven. A search stops with its proof, so it may not know how good the
    other moves were; the search for the next move does.
    """
    if (outcome := after.outcome()) is not None:
        return outcome.score(seat)
    if later is None or not later[2] or game.seats > 2 or game.has_secrets or game.has_chance:
        return None
    return later[1] if later[0] == seat else 1 - later[1]


class NoOpinion(CupboardError):
    """The player chosen for the analysis picks moves but cannot value them."""

    code = "no-opinion"


def hint(view: View[Any], limits: Limits = Limits(seconds=1.0), player: str = "") -> Thought:  # noqa: B008  # frozen
    """What the named player, or the best one, would do here. Always a legal move in time, even if the search fails."""
    thinker = find_thinker(view.game, player)
    thought, _ = TimedSearch(thinker, limits).answer(view)
    return thought


@dataclass(frozen=True)
class JudgedMove:
    """One move of a game, with its value and the best move instead of it."""

    n: int
    """Its index in the log, counting moves of chance too."""
    seat: Seat
    move: Move
    score: float | None
    """The share of the point that its seat could expect after it; None if the search has no value for it."""
    best: Move
    best_score: float
    pv: tuple[Move, ...]
    """The expected play after the best move, that move first."""
    proven: Proven
    """Whether the value of the best move is proven."""
    forced: bool
    """Whether it was the only legal move."""

    @property
    def cost(self) -> float:
        """The share of the point that the move gave away; 0 if it is forced or has no value."""
        return cost_of(self.score, self.best_score, self.forced)

    @property
    def mark(self) -> str:
        """`?!` for a dubious move, `?` for a mistake, `??` for a blunder, else an empty text."""
        return mark_of(self.cost)

    @property
    def better(self) -> Move | None:
        """The move to play instead if this one has a mark, else None."""
        return self.best if self.mark else None

    def to_json(self) -> dict[str, object]:
        """The judgement as plain data, moves in notation."""
        return {
            "n": self.n,
            "seat": letter(self.seat),
            "move": str(self.move),
            "score": self.score,
            "best": str(self.best),
            "best_score": self.best_score,
            "cost": self.cost,
            "mark": self.mark,
            "pv": [str(move) for move in self.pv],
            "proven": self.proven.value if self.proven else None,
            "forced": self.forced,
        }

    def sentence(self) -> str:
        """A sentence on what was better and by how much; empty for a move without a mark."""
        if not self.mark or self.score is None:
            return ""
        line = " ".join(map(str, self.pv[:6]))
        won = " and wins" if self.proven is Proven.WIN else ""
        more = f" ({line})" if len(self.pv) > 1 else ""
        return f"{self.best} was better{won}: {self.best_score:.0%} instead of {self.score:.0%}{more}"


def judge(view: View[Any], move: Move, limits: Limits, thinker: Thinker, n: int = 0) -> JudgedMove:
    """The judgement on a move of the seat that looks, number `n` of a log; PlayerFault if the search fails."""
    assert view.seat is not None
    forced = len(view.moves()) == 1
    spend = replace(limits, depth=1) if forced else limits
    thought, fault = TimedSearch(thinker, spend, all_moves=True).answer(view)
    if fault is not None:
        raise fault
    knows = thought.depth > 0 or len(thought.per_move) > 0
    value = value_of(move, thought) if knows else None
    return JudgedMove(
        n=n,
        seat=view.seat,
        move=move,
        score=None if value is None else value.score,
        best=thought.move,
        best_score=thought.score,
        pv=thought.pv,
        proven=thought.proven,
        forced=forced,
    )


def analyse(
    record: Record,
    limits: Limits = Limits(seconds=0.5),  # noqa: B008  # frozen
    player: str = "",
    on_move: Callable[[JudgedMove], None] = lambda judged: None,
) -> list[JudgedMove]:
    """Judge every move of the game but those of chance; `on_move` is called after each, for progress.

    Raises BadRecord if the game breaks the rules, and NoOpinion if the player cannot value moves.
    """
    match = record.replay()
    thinker = find_thinker(match.game, player)
    judged: list[JudgedMove] = []
    for entry in match.log:
        if entry.seat == CHANCE:
            continue
        view = match.position_at(entry.n).seen_by(entry.seat)
        judged.append(judge(view, entry.move, limits, thinker, entry.n))
        if len(judged) > 1:
            judged[-2] = _corrected(match, judged[-2], judged[-1])
        on_move(judged[-1])
    opinions = [one.score for one in judged if not one.forced]
    if judged and all(score is None for score in opinions):
        raise NoOpinion("This player chooses moves but cannot say how good they are: name another with --player.")
    if judged:
        judged[-1] = _corrected(match, judged[-1], None)
    return judged


def _corrected(match: Match, one: JudgedMove, later: JudgedMove | None) -> JudgedMove:
    """The judgement with the value that the move has turned out to have, if that is certain."""
    follows = (later.seat, later.best_score, later.proven) if later is not None else None
    score = hindsight(match.game, one.seat, match.position_at(one.n + 1), follows)
    if score is None or one.score is None:
        return one
    return replace(one, score=score, best_score=score if one.move == one.best else one.best_score)


@dataclass(frozen=True)
class SeatSummary:
    """How well one seat played: its free choices, what they cost, and its marks."""

    seat: Seat
    moves: int
    cost: float
    """The mean cost of a move."""
    marks: dict[str, int]


def summaries(game: Game[Any], judged: Iterable[JudgedMove]) -> list[SeatSummary]:
    """The summary of each seat's moves, forced ones left out."""
    moves = list(judged)
    found = []
    for seat in range(game.seats):
        mine = [one for one in moves if one.seat == seat and not one.forced]
        marks = {mark: sum(one.mark == mark for one in mine) for _, mark in reversed(MARKS)}
        found.append(SeatSummary(seat, len(mine), sum(one.cost for one in mine) / max(1, len(mine)), marks))
    return found


def annotate(record: Record, judged: Sequence[JudgedMove]) -> Record:
    """The record with marks and better moves added to its comments."""
    by_number = {one.n: one for one in judged if one.mark}
    moves = []
    for n, move in enumerate(record.moves):
        if n in by_number:
            words = f"{by_number[n].mark} {by_number[n].sentence()}"
            move = replace(move, comment=f"{move.comment} {words}".strip())
        moves.append(move)
    return replace(record, moves=tuple(moves))
