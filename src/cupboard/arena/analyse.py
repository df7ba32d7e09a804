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
from cupboard.core.game import CHANCE, Game, Move, Seat, View, letter
from cupboard.core.record import Record
from cupboard.players.thinking import Limits, Proven, Thought

__all__ = ["JudgedMove", "NoOpinion", "SeatSummary", "analyse", "annotate", "hint", "summaries"]

MARKS = ((0.25, "??"), (0.12, "?"), (0.05, "?!"))
"""The least cost of a move, as a share of the point, for each mark."""


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
        return 0.0 if self.score is None or self.forced else max(0.0, self.best_score - self.score)

    @property
    def mark(self) -> str:
        """`?!` for a dubious move, `?` for a mistake, `??` for a blunder, else an empty text."""
        return next((mark for least, mark in MARKS if self.cost >= least), "")

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
        forced = len(view.moves()) == 1
        spend = replace(limits, depth=1) if forced else limits
        thought, fault = TimedSearch(thinker, spend, all_moves=True).answer(view)
        if fault is not None:
            raise fault
        knows = thought.depth > 0 or len(thought.per_move) > 0
        value = value_of(entry.move, thought) if knows else None
        judged.append(
            JudgedMove(
                n=entry.n,
                seat=entry.seat,
                move=entry.move,
                score=None if value is None else value.score,
                best=thought.move,
                best_score=thought.score,
                pv=thought.pv,
                proven=thought.proven,
                forced=forced,
            )
        )
        on_move(judged[-1])
    if judged and all(one.score is None for one in judged if not one.forced):
        raise NoOpinion("This player chooses moves but cannot say how good they are: name another with --player.")
    return judged


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
