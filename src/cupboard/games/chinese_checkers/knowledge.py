"""What bots may ask of Chinese Checkers."""

from typing import Any

from cupboard.core.game import Game
from cupboard.core.knowledge import Evaluation, Knowledge, Lookahead, Oracle, Style, Tuning
from cupboard.core.words import phrase
from cupboard.games.chinese_checkers.levels import LADDERS

_STYLES: dict[int, Style] = {3: "reply", 4: "expect", 6: "expect"}
"""In the crowd of a full star, guessing what the others do and looking further ahead wins more than fearing it."""


def _evaluation() -> Evaluation:
    from cupboard.games.chinese_checkers.evaluate import SCALE, evaluate, outlook

    return Evaluation(evaluate, SCALE, outlook)


def _lookahead() -> Lookahead:
    from cupboard.games.chinese_checkers.evaluate import FUTILITY, WEIGHTS, promise, weigh

    return Lookahead(weigh, WEIGHTS, promise, FUTILITY, _STYLES)


def _tuning() -> Tuning:
    from cupboard.games.chinese_checkers.evaluate import FEATURES
    from cupboard.games.chinese_checkers.weight_fitting import BY_GAMES, candidates

    return Tuning(FEATURES, candidates, BY_GAMES)


def _oracle(game: Game[Any]) -> Oracle:
    """The count of moves home, for every number of seats and every variant."""
    from cupboard.games.chinese_checkers.race import Race

    return Race(game)


KNOWLEDGE = Knowledge(
    evaluation=_evaluation,
    lookahead=_lookahead,
    oracle=_oracle,
    tuning=_tuning,
    ladders=LADDERS,
    long_moves=phrase("chinese-checkers.longMoves"),
    speed_goals={2: 2.5e6, 6: 0.7e6},
)
