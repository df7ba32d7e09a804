"""What bots may ask of Noughts: enough for alpha-beta, and so for the usual levels."""

from cupboard.core.knowledge import Evaluation, Knowledge, Lookahead


def _evaluation() -> Evaluation:
    from cupboard.games.noughts.evaluate import SCALE, evaluate

    return Evaluation(evaluate, SCALE)


def _lookahead() -> Lookahead:
    from cupboard.games.noughts.evaluate import WEIGHTS, weigh

    return Lookahead(weigh, WEIGHTS)


KNOWLEDGE = Knowledge(evaluation=_evaluation, lookahead=_lookahead)
