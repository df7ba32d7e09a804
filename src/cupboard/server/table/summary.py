"""A table as lists and headings show it: what anybody may know."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from cupboard.core.game import Outcome, Seat
from cupboard.server.people.names import called
from cupboard.server.table.plan import Chair, Plan
from cupboard.server.wire.tables import SeatInfo, TableInfo, TableStatus


def seat_infos(plan: Plan, connected: Collection[Seat] = ()) -> tuple[SeatInfo, ...]:
    """The seats of a table and who sits in them. `connected` are those whose person is here; bots always are."""
    return tuple(_seat_info(chair, chair.seat in connected) for chair in plan.chairs)


def _seat_info(chair: Chair, is_connected: bool) -> SeatInfo:
    return SeatInfo(
        chair.seat,
        "person" if chair.kind == "person" else "bot" if chair.kind == "bot" else "free",
        chair.name,
        chair.level,
        chair.kind == "bot" or is_connected,
        chair.kind == "free" and chair.invited,
        called(chair.name, chair.level),
    )


def table_info(
    plan: Plan,
    seats: tuple[SeatInfo, ...],
    status: TableStatus,
    version: int,
    moved: int,
    yours: frozenset[Seat],
    outcome: Outcome | None,
    **more: Any,
) -> TableInfo:
    """The table for somebody who holds the seats `yours`; `more` is what only the log tells."""
    return TableInfo(
        id=plan.id,
        game=plan.game.name,
        title=plan.game.title,
        seats=seats,
        status=status,
        version=version,
        options=dict(plan.game.options),
        chosen=tuple(plan.game.chosen),
        clock=plan.clock,
        listed=plan.listed,
        made=plan.made,
        moved=moved,
        yours=tuple(sorted(yours)),
        outcome=outcome,
        **more,
    )
