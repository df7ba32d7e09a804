"""Clocks run out at tables that nobody has opened, too: after a restart, or when the table has left the memory.

A table in memory has an alarm of its own. For the others the database keeps `due`, a time before which none of the
table's clocks can run out, whatever is played meanwhile. So moves need not write it: only when it has passed is the
table loaded, its alarm set, and a new time noted. Looking for what is due is one step in an index, however many
tables are stored.
"""

from __future__ import annotations

import asyncio
import logging

import sqlalchemy as sa
from sqlalchemy import Connection

from cupboard.core.errors import CupboardError
from cupboard.server.errors import Busy, DamagedTable, NoRoom, TryLater
from cupboard.server.steady_clock import now
from cupboard.server.store.schema import GAME
from cupboard.server.store.store import Store
from cupboard.server.table.tables import Tables
from cupboard.server.watching.notes import Note

_LOG = logging.getLogger(__name__)
_MOST_AT_ONCE = 50
_LEAST_PAUSE = 10_000
"""A table whose players are all short of time is not noted again for every second that they have left."""


async def watch(tables: Tables, store: Store, pause: float) -> None:
    """Look for tables that are due every `pause` seconds, for as long as the server runs."""
    while True:
        try:
            while await _look(tables, store) == _MOST_AT_ONCE:
                await asyncio.sleep(0)
        except CupboardError:
            pass  # which the store has said
        except Exception:
            _LOG.exception(Note("clocks-failed"))
        await asyncio.sleep(pause)


async def _look(tables: Tables, store: Store) -> int:
    """Load the tables that are due, which sets their alarms; returns how many there were.

    Of several servers each does so for the tables that it works for."""
    due = await tables.cluster.acquire(await store.read(_due, now()))
    for table in due:
        await store.write(_note, table, await _wake(tables, table))
    return len(due)


async def _wake(tables: Tables, table: str) -> int | None:
    """Load the table, which sets its alarm; returns when to look at it again, None for never."""
    try:
        room = await tables.room(table)
    except DamagedTable:
        return None  # which has been said
    except (Busy, NoRoom):
        raise  # the database is away: look again
    except TryLater:
        return now() + _LEAST_PAUSE  # the game is being compiled
    except CupboardError as error:
        _LOG.warning(Note("clock-failed", table=table, code=error.code))
        return None
    room.wake()
    later = room.state.no_flag_before(room.now())
    return None if later is None else max(later, room.now() + _LEAST_PAUSE)


def _due(conn: Connection, until: int) -> list[str]:
    query = sa.select(GAME.c.id).where(GAME.c.due <= until).order_by(GAME.c.due).limit(_MOST_AT_ONCE)
    return list(conn.execute(query).scalars())


def _note(conn: Connection, table: str, later: int | None) -> None:
    conn.execute(sa.update(GAME).where(GAME.c.id == table, GAME.c.status == "playing").values(due=later))
