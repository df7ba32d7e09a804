"""What bots may ask of Jumping Cups."""

from cupboard.core.knowledge import Evaluation, Knowledge, Lookahead, Tuning
from cupboard.core.words import phrase
from cupboard.games.jumping_cups.levels import LADDERS


def _evaluation() -> Evaluation:
    from cupboard.games.jumping_cups.evaluate import SCALE, evaluate

    return Evaluation(evaluate, SCALE)


def _lookahead() -> Lookahead:
    from cupboard.games.jumping_cups.evaluate import WEIGHTS, weigh

    return Lookahead(weigh, WEIGHTS)


def _tuning() -> Tuning:
    from cupboard.games.jumping_cups.evaluate import FEATURES

    return Tuning(FEATURES)


KNOWLEDGE = Knowledge(
    evaluation=_evaluation,
    lookahead=_lookahead,
    tuning=_tuning,
    ladders=LADDERS,
    long_moves=phrase("jumping-cups.longMoves"),
    speed_goals={2: 10e6},
)
