"""Bots' turns: a bot that is to move thinks beside the table and moves, whatever goes wrong on the way.

A table never waits for a bot that gave up: `Bots.choose` always has a legal move, and a move that could not be written
is tried again.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from cupboard.core.game import Seat
from cupboard.server.errors import Busy, LeaseLost, NoRoom, Stale
from cupboard.server.table.bots import DEFAULT
from cupboard.server.table.moves import play
from cupboard.server.watching.notes import Note
from cupboard.server.watching.private import summary_of

if TYPE_CHECKING:
    from cupboard.server.table.room import Room

_LOG = logging.getLogger(__name__)
_FIRST_WAIT = 1.0
"""Seconds until a move that failed is tried again; each time twice as many, up to `_LONGEST_WAIT`."""
_LONGEST_WAIT = 60.0
_LONGEST_WAIT_FOR_DATABASE = 3.0
"""A game goes on soon after the database is there again."""


def wake(room: Room) -> None:
    """Let the bots think whose turn it is. A table of bots alone waits until somebody looks."""
    state = room.state
    if state.outcome is not None:
        room.bots.leave(room.plan.id)
    if state.bots and (room.has_clients or len(state.bots) < state.game.seats):
        for seat in state.asked:
            if seat in state.bots and seat not in room.thinking:
                room.thinking.add(seat)
                room.spawn(_take_turns(room, seat))


def longest_wait(error: Exception) -> float:
    """The most seconds until what failed is tried again."""
    return _LONGEST_WAIT_FOR_DATABASE if isinstance(error, Busy | NoRoom) else _LONGEST_WAIT


async def _take_turns(room: Room, seat: Seat) -> None:
    """Move for the seat as long as it is to act."""
    wait = _FIRST_WAIT
    try:
        while seat in room.state.asked and seat in room.state.bots and room.may_work:
            try:
                await _take_turn(room, seat)
                wait = _FIRST_WAIT
            except LeaseLost:
                room.lost_lease()
            except Exception as error:
                # Mostly the database: it is full or somebody else keeps it busy.
                event = Note("bot-cannot-move", table=room.plan.id, why=summary_of(error), again_in=wait)
                _LOG.warning(event, exc_info=wait == _FIRST_WAIT)
                await asyncio.sleep(wait)
                wait = min(2 * wait, longest_wait(error))
    finally:
        room.thinking.discard(seat)
        if room.state.outcome is not None:
            room.bots.leave(room.plan.id)


async def _take_turn(room: Room, seat: Seat) -> None:
    asked = room.state.since.get(seat)
    level = room.plan.chairs[seat].level or DEFAULT
    await asyncio.sleep(room.settings.bot_pause)
    move = await room.bots.choose(room.plan.id, level, room.state.position.seen_by(seat))
    async with room.lock:
        # After a takeback or a resignation the bot has thought in vain.
        if room.state.since.get(seat) == asked:
            try:
                await play(room, seat, move, holder=room.cluster.id)
                room.bots.watcher.bot_moved(room.plan.game.name)
            except LeaseLost:
                raise
            except Stale:
                return  # another server has moved: look again
