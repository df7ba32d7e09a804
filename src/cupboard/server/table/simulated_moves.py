"""Nature's moves that take a simulation: found beside the table, and written if the position is still that one.

The move of the seat before is in the log, and acknowledged, long before. So a server that ends meanwhile leaves a table
that waits for nature, and whoever loads it next goes on from there. Of several servers on PostgreSQL the one with the
table's lease simulates. Two that share a file may both do so: the log has room for one answer, and the slower one shows
what the other has written.
"""

from __future__ import annotations

import asyncio
import logging
from functools import partial
from typing import TYPE_CHECKING

from cupboard.server.errors import LeaseLost, Stale
from cupboard.server.simulations.simulations import NatureMove
from cupboard.server.table.bot_turns import longest_wait
from cupboard.server.table.plan import Draft, settle
from cupboard.server.table.storage import write_motion
from cupboard.server.watching.notes import Note
from cupboard.server.watching.private import summary_of

if TYPE_CHECKING:
    from cupboard.server.table.room import Room

_LOG = logging.getLogger(__name__)
_FIRST_WAIT = 1.0
"""Seconds until a move that failed is tried again; each time twice as many, up to `longest_wait`."""


def wake(room: Room) -> None:
    """Look for nature's move, if the table waits for one that takes a simulation and nobody looks for it yet."""
    if not room.state.asked and not room.is_simulating and room.state.is_simulated:
        if not room.may_work:
            room.cluster.ask_for(room.plan.id)
            return
        room.is_simulating = True
        room.spawn(_find_moves(room))


async def _find_moves(room: Room) -> None:
    """Find and write nature's moves for as long as the table waits for one."""
    wait = _FIRST_WAIT
    try:
        while room.state.is_simulated and room.may_work:
            try:
                await _find_move(room)
                wait = _FIRST_WAIT
            except LeaseLost:
                room.lost_lease()
            except Exception as error:
                # Mostly the database: it is full or somebody else keeps it busy.
                event = Note("nature-cannot-move", table=room.plan.id, why=summary_of(error), again_in=wait)
                _LOG.warning(event, exc_info=wait == _FIRST_WAIT)
                await asyncio.sleep(wait)
                wait = min(2 * wait, longest_wait(error))
    finally:
        room.is_simulating = False


async def _find_move(room: Room) -> None:
    position, changed = room.state.position, room.state.changed

    def is_wanted() -> bool:
        return room.state.changed == changed and room.state.is_simulated

    found = await room.simulations.find(room.plan.id, position, is_wanted)
    async with room.lock:
        # After a takeback or a resignation, or where another server was quicker, it was found in vain.
        while found is not None and is_wanted():
            try:
                await _write(room, found)
            except LeaseLost:
                raise
            except Stale:
                continue  # another server has written, a line of chat perhaps: look again


async def _write(room: Room, found: NatureMove) -> None:
    """Write the move, its motion and nature's moves after it, all or nothing. The caller holds the lock."""
    drafts = [Draft.of(found.step)]
    settle(found.step.after, drafts)
    also = partial(write_motion, table=room.plan.id, n=room.state.version, data=found.motion) if found.motion else None
    await room.append(drafts, also=also, holder=room.cluster.id)
