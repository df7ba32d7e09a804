"""What bots may ask of Cup King."""

from cupboard.core.knowledge import Evaluation, Knowledge, Marks, Planner
from cupboard.games.cup_king.levels import LADDERS


def _evaluation() -> Evaluation:
    from cupboard.games.cup_king.evaluate import SCALE, evaluate

    return Evaluation(evaluate, SCALE)


def _marks() -> Marks:
    from cupboard.games.cup_king.evaluate import judge, judge_plainly

    return Marks(judge, judge_plainly)


def _planner() -> Planner:
    from cupboard.games.cup_king.pyramid_plans import fits, move_of_plan, plans, start_of_plan

    return Planner(fits, start_of_plan, plans, move_of_plan)


KNOWLEDGE = Knowledge(
    evaluation=_evaluation,
    marks=_marks,
    planner=_planner,
    ladders=LADDERS,
    speed_goals={2: 1e6, 4: 1e6},
)
