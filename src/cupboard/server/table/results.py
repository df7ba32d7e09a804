"""Results: what a person's game against bots says about their strength, found when it ends or they leave it.

Only games of one person against bots are kept: nobody knows how strong other people are. A game tells nothing when the
person had help, gave up before it had begun in earnest, or met a bot whose strength nobody knows.
"""

from __future__ import annotations

from cupboard.core.game import Outcome, Seat
from cupboard.players.levels import LEVELS
from cupboard.server.people.results import Result
from cupboard.server.table.plan import Chair, Plan
from cupboard.server.table.state import TableState
from cupboard.server.wire.strength import LeftOut

_IN_EARNEST = 2
"""Who gives up before so many own moves has only looked at the table."""
_GIVEN_UP = ("resigned", "time")


def result_of(plan: Plan, state: TableState, outcome: Outcome, at: int) -> Result | None:
    """The result of a game that ends with this outcome; None for a table of several people, or of bots alone."""
    person = _only_person(plan)
    if person is None:
        return None
    left = outcome.reason in _GIVEN_UP and person.seat not in outcome.winners
    return _result(plan, state, person, outcome.score(person.seat), left, at)


def result_of_leaving(plan: Plan, state: TableState, seat: Seat, at: int) -> Result | None:
    """The result of somebody who leaves a game that goes on without them: it is lost for them."""
    person = _only_person(plan)
    return None if person is None or person.seat != seat else _result(plan, state, person, 0.0, True, at)


def _only_person(plan: Plan) -> Chair | None:
    """The chair of the only person at a table of bots."""
    people = [chair for chair in plan.chairs if chair.kind != "bot"]
    alone = len(people) == 1 < len(plan.chairs) and people[0].kind == "person"
    return people[0] if alone and people[0].person is not None else None


def _result(plan: Plan, state: TableState, chair: Chair, share: float, left: bool, at: int) -> Result:
    bots = tuple(other.level for other in plan.chairs if other.seat != chair.seat)
    moves = sum(state.entries[n].seat == chair.seat for n in state.played)
    helped = any(entry.kind == "takeback" and entry.seat == chair.seat for entry in state.entries)
    left_out: LeftOut = (
        "unknown"
        if not set(bots) <= set(LEVELS)
        else "helped"
        if helped
        else "short"
        if left and moves < _IN_EARNEST
        else ""
    )
    assert chair.person is not None
    game = plan.game
    return Result(plan.id, chair.seat, chair.person, game.name, game.seats, bots, share, left_out, at)
