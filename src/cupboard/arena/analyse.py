"""Hints and analysis for people: what to play now, and where a finished game went wrong.

    thought = hint(view, Limits(seconds=1))       # for a table's hint button
    for judged in analyse(record, Limits(nodes=20_000)):
        print(judged.mark, judged.cost, judged.better)

Every move is judged by what its seat could know: the analyst gets the View, as the player did.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from cupboard.arena.thinkers import Asked, find_thinker, value_of
from cupboard.core.errors import CupboardError
from cupboard.core.game import CHANCE, Game, Move, Seat, View, letter
from cupboard.core.record import Record
from cupboard.players.thinking import Limits, Proven, Thought

__all__ = ["Judged", "NoOpinion", "Summary", "analyse", "annotate", "hint", "summaries"]

MARKS = ((0.25, "??"), (0.12, "?"), (0.05, "?!"))
"""How much of the point a move must throw away for each mark."""


class NoOpinion(CupboardError):
    """The analyst cannot tell how good moves are."""

    code = "no-opinion"


def hint(view: View[Any], limits: Limits = Limits(seconds=1.0), player: str = "") -> Thought:  # noqa: B008  # frozen
    """What the best player would do here. Whatever happens in the search, there is a legal move, and soon."""
    thinker = find_thinker(view.game, player)
    thought, _ = Asked(thinker, limits).answer(view)
    return thought


@dataclass(frozen=True)
class Judged:
    """One move of a game with what the analyst thinks of it."""

    n: int
    """Its number in the log, nature's moves counted, from 0."""
    seat: Seat
    move: Move
    score: float | None
    """The share of the point its seat could expect after it; None when the analyst does not know."""
    best: Move
    best_score: float
    pv: tuple[Move, ...]
    """The best line, as seen."""
    proven: Proven
    """Of the best move."""
    forced: bool
    """Whether there was nothing to choose."""

    @property
    def cost(self) -> float:
        """How much of the point the move gave away."""
        return 0.0 if self.score is None or self.forced else max(0.0, self.best_score - self.score)

    @property
    def mark(self) -> str:
        """`?!` dubious, `?` a mistake, `??` a blunder, or nothing."""
        return next((mark for least, mark in MARKS if self.cost >= least), "")

    @property
    def better(self) -> Move | None:
        """What to play instead, if it matters."""
        return self.best if self.mark else None

    def to_json(self) -> dict[str, object]:
        """As plain data."""
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
        """For the person: what was better and why."""
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
    on_move: Callable[[Judged], None] = lambda judged: None,
) -> list[Judged]:
    """Every decision of the game judged; BadRecord when the game does not follow the rules."""
    match = record.replay()
    thinker = find_thinker(match.game, player)
    judged: list[Judged] = []
    for entry in match.log:
        if entry.seat == CHANCE:
            continue
        view = match.position_at(entry.n).seen_by(entry.seat)
        forced = len(view.moves()) == 1
        thought, fault = Asked(thinker, replace(limits, depth=1) if forced else limits, all_moves=True).answer(view)
        if fault is not None:
            raise fault
        knows = thought.depth > 0 or len(thought.per_move) > 0
        value = value_of(entry.move, thought) if knows else None
        judged.append(
            Judged(
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
class Summary:
    """One seat's play in a game."""

    seat: Seat
    moves: int
    cost: float
    """Given away per move."""
    marks: dict[str, int]


def summaries(game: Game[Any], judged: Iterable[Judged]) -> list[Summary]:
    """How each seat played."""
    moves = list(judged)
    found = []
    for seat in range(game.seats):
        mine = [one for one in moves if one.seat == seat and not one.forced]
        marks = {mark: sum(one.mark == mark for one in mine) for _, mark in reversed(MARKS)}
        found.append(Summary(seat, len(mine), sum(one.cost for one in mine) / max(1, len(mine)), marks))
    return found


def annotate(record: Record, judged: Sequence[Judged]) -> Record:
    """The record with the marks and better moves as comments."""
    by_number = {one.n: one for one in judged if one.mark}
    moves = []
    for n, move in enumerate(record.moves):
        if n in by_number:
            words = f"{by_number[n].mark} {by_number[n].sentence()}"
            move = replace(move, comment=f"{move.comment} {words}".strip())
        moves.append(move)
    return replace(record, moves=tuple(moves))
