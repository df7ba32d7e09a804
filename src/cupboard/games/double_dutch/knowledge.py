"""What bots may ask of Double Dutch."""

from typing import Any

from cupboard.core.game import Game
from cupboard.core.knowledge import Evaluation, Knowledge, Lookahead, Oracle, Tuning
from cupboard.games.double_dutch.levels import LADDERS


def _evaluation() -> Evaluation:
    from cupboard.games.double_dutch.evaluate import SCALE, evaluate

    return Evaluation(evaluate, SCALE)


def _lookahead() -> Lookahead:
    from cupboard.games.double_dutch.evaluate import WEIGHTS, weigh

    return Lookahead(weigh, WEIGHTS)


def _tuning() -> Tuning:
    from cupboard.games.double_dutch.evaluate import FEATURES

    return Tuning(FEATURES)


def _oracle(game: Game[Any]) -> Oracle | None:
    """The solver for two seats; with three there is no such thing as a won position."""
    from cupboard.games.double_dutch.solver import Solver

    return Solver(game) if game.seats == 2 else None


KNOWLEDGE = Knowledge(
    evaluation=_evaluation,
    lookahead=_lookahead,
    oracle=_oracle,
    tuning=_tuning,
    ladders=LADDERS,
    speed_goals={2: 5e6, 3: 5e6},
)
