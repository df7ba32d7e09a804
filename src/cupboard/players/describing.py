"""How a level plays, in a few words made of its settings: what it sees, what it overlooks, where it errs.

describe(rung, game)        # looks 2 moves ahead, overlooks 5 of 10 chains of jumps and often misjudges a move
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cupboard.core.game import Game
from cupboard.core.ladder import Baseline, FullSearch, Playouts, Rung, Skill, Thumb, Worlds
from cupboard.core.words import Words, also, phrase

__all__ = ["describe"]

_LANDINGS = 3
"""A long move, as it is meant here, lands so often."""
# From which value on which word is said, the largest first.
_DOUBTS = ((0.9, "blind"), (0.45, "often"), (0.15, "sometimes"), (0.05, "seldom"))
_FORGETS = ((1000, "all"), (150, "most"), (70, "often"), (30, "sometimes"), (4, "seldom"))
_FAR = ((30_000, "far"), (1_000, "some"), (0, "little"))


def describe(rung: Rung, game: Game[Any]) -> Words:
    """How the level on this rung plays the game: a row of clauses without a subject, for the end of a sentence."""
    return also(*_clauses(rung, game))


def _clauses(rung: Rung, game: Game[Any]) -> Sequence[Words]:
    match rung.player:
        case Skill() as skill:
            return (_ahead(rung, skill.nodes), *_faults(skill, game))
        case FullSearch(nodes):
            counts = (phrase("plays.counts"),) if game.knowledge.oracle is not None else ()
            return (_ahead(rung, nodes), phrase("plays.all"), *counts)
        case Thumb(doubt, is_tuned):
            if (forgets := _grade(doubt, _FORGETS)) == "all":
                return (phrase("plays.forgets.all"),)
            rules = phrase("plays.rules.tuned" if is_tuned else "plays.rules.plain")
            return (rules, phrase(f"plays.forgets.{forgets}")) if forgets else (rules,)
        case Worlds(nodes):
            return phrase("plays.worlds"), phrase("plays.lines", count=nodes)
        case Playouts(nodes):
            return (phrase("plays.playouts", count=nodes),)
        case Baseline(name):
            return (phrase(f"plays.baseline.{name}"),)


def _ahead(rung: Rung, nodes: int) -> Words:
    """How far it looks: in moves where that was measured, else by the number of positions it looks at."""
    if rung.ahead is not None:
        return phrase("plays.ahead", count=rung.ahead)
    return phrase(f"plays.ahead.{_grade(nodes, _FAR)}")


def _faults(skill: Skill, game: Game[Any]) -> Sequence[Words]:
    """What it overlooks, and how it misjudges the rest."""
    clauses, what, missed = [], phrase("plays.moves"), skill.blind
    if game.knowledge.long_moves is not None:
        what, missed = game.knowledge.long_moves, 1 - (1 - skill.blind) * (1 - skill.overlook) ** (_LANDINGS - 1)
    if count := round(10 * missed):
        clauses.append(phrase("plays.misses", count=count, what=what))
    elif missed:
        clauses.append(phrase("plays.misses.few", what=what))
    if grade := _grade(skill.doubt, _DOUBTS):
        clauses.append(phrase(f"plays.doubts.{grade}"))
    if skill.counts and game.knowledge.oracle is not None:
        clauses.append(phrase("plays.counts"))
    return clauses or [phrase("plays.all")]


def _grade(value: float, grades: Sequence[tuple[float, str]]) -> str:
    """The word for the largest of these values that is reached; empty when it is below all of them."""
    return next((word for least, word in grades if value >= least), "")
