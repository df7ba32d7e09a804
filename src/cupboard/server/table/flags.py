"""Flags: a clock that has run out ends its seat's game, or hands the seat over to a bot that plays on."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from sqlalchemy import Connection

from cupboard.core.game import Seat
from cupboard.server.errors import Busy, DamagedTable, LeaseLost, NoRoom, Stale
from cupboard.server.people.names import stand_in_name
from cupboard.server.people.results import write_result
from cupboard.server.table.bots import STAND_IN
from cupboard.server.table.plan import Chair, Draft
from cupboard.server.table.results import result_of_leaving
from cupboard.server.table.storage import write_leaver
from cupboard.server.watching.notes import Note
from cupboard.server.watching.private import summary_of

if TYPE_CHECKING:
    from cupboard.server.table.client import Client
    from cupboard.server.table.room import Room

_LOG = logging.getLogger(__name__)
_WAIT = 1.0
"""Seconds until a flag is called again that could not be written."""
_LOOK_AGAIN = 3600.0
"""Timers of days would overflow some event loops; looking again every hour is cheap."""
_MOST_FLAGS = 20
"""How often flags are called at one moment, at most: a seat has one, and now and then another server is quicker."""


def set_alarm(room: Room) -> None:
    """Call the table's next flag when its time comes."""
    stop_alarm(room)
    if (flag := room.state.flag()) is not None:
        wait = min(_LOOK_AGAIN, max(0.0, (flag[0] - room.now()) / 1000 + 0.001))
        room.alarm = asyncio.get_running_loop().call_later(wait, lambda: room.spawn(_call_flag(room)))


def stop_alarm(room: Room) -> None:
    """Call no flag."""
    if room.alarm is not None:
        room.alarm.cancel()
        room.alarm = None


async def _call_flag(room: Room) -> None:
    """Call the flags that are due, as the server that works for the table; tried again while the database is away."""
    while not room.is_damaged and room.cluster.works_for(room.plan.id):
        try:
            async with room.lock:
                if not await call_flags(room, room.cluster.id):
                    set_alarm(room)
                return
        except LeaseLost:
            room.lost_lease()
        except (Busy, NoRoom) as error:
            _LOG.warning(Note("flag-not-called", table=room.plan.id, why=summary_of(error), again_in=_WAIT))
            await asyncio.sleep(_WAIT)
        except DamagedTable:
            return  # which has been said


async def call_flags(room: Room, holder: str = "") -> set[Seat]:
    """Give up for every seat whose time has run out; returns those seats. The caller holds the lock.

    A `holder` does so without being asked; a person whose move comes too late asks."""
    fallen: set[Seat] = set()
    for _ in range(_MOST_FLAGS):
        if (flag := room.state.flag()) is None or flag[0] > room.now():
            break
        fallen.add(flag[1])
        try:
            await give_up(room, flag[1], "time", holder=holder)
        except LeaseLost:
            raise
        except Stale:
            continue  # another server has called it, or something came in before: look again
    return fallen


async def give_up(room: Room, seat: Seat, why: str, by: Client | None = None, holder: str = "") -> None:
    """Resign or lose on time: the game ends, or with more than two seats a bot plays on. The caller holds the lock."""
    if room.plan.game.seats <= 2:
        await room.append([Draft("end", seat, why)], by=by, holder=holder)
        return
    chair = room.plan.chairs[seat]
    result = result_of_leaving(room.plan, room.state, seat, room.now())
    stand_in = Chair(seat, "bot", None, stand_in_name(chair.name), STAND_IN, False, chair.chair)

    def also(conn: Connection) -> None:
        write_leaver(conn, room.plan.id, seat, chair.person)
        if result is not None:
            write_result(conn, result)

    await room.append([Draft("handover", seat, STAND_IN)], stand_in, also, by=by, holder=holder)
