"""Retention: guests who do not come back are forgotten, and games that only guests and bots played are deleted in time.

How long they are kept is said by the settings (`people.guest_days`, `people.keep_guests_games`). It is done in small
transactions with pauses between them, so that moves are written meanwhile.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from cupboard.server.administration import people_rows, table_rows
from cupboard.server.administration.administration import forget
from cupboard.server.settings import ServerSettings
from cupboard.server.steady_clock import now
from cupboard.server.store.store import Store
from cupboard.server.table.tables import Tables
from cupboard.server.watching.notes import Note

_LOG = logging.getLogger(__name__)
_DAY = 24 * 3600 * 1000
_AT_ONCE = 10
"""So many games are deleted in one transaction, which takes a few milliseconds."""
_FOUND_AT_ONCE = 100
_PAUSE = 0.02
_FIRST_WAIT = 60.0
"""Seconds after the start until the first sweep, at most: a start has enough to do."""


class Retention:
    """Forgets guests and deletes games that are old enough. `clock` tells milliseconds since 1970."""

    def __init__(self, store: Store, tables: Tables, settings: ServerSettings, clock: Callable[[], int] = now) -> None:
        self._store = store
        self._tables = tables
        self._settings = settings
        self._clock = clock

    async def sweep_now_and_then(self) -> None:
        """Sweep for as long as the server runs."""
        pause = self._settings.look_for_old
        await asyncio.sleep(min(_FIRST_WAIT, pause))
        while True:
            try:
                await self.sweep()
            except Exception:
                _LOG.exception(Note("retention-failed"))
            await asyncio.sleep(pause)

    async def sweep(self) -> None:
        """Delete the games that are old, then forget the guests who are gone."""
        games = await self._delete_games() if self._settings.people.keep_guests_games else 0
        guests = await self._forget_guests()
        if games or guests:
            _LOG.warning(Note("retention", games=games, guests=guests))

    async def _delete_games(self) -> int:
        until = self._clock() - self._settings.people.keep_guests_games * _DAY
        count, after = 0, ""
        while found := await self._store.read(table_rows.old_guests_games, until, after, _FOUND_AT_ONCE):
            after = found[-1]
            for at in range(0, len(found), _AT_ONCE):
                quiet = [table for table in found[at : at + _AT_ONCE] if self._tables.drop(table)]
                count += await self._store.write(table_rows.delete_games, quiet, until)
                await asyncio.sleep(_PAUSE)
        return count

    async def _forget_guests(self) -> int:
        count, after = 0, ""
        while found := await self._store.read(people_rows.gone_guests, after, _FOUND_AT_ONCE):
            after = found[-1]
            for person in found:
                # Somebody may still play by the link of a seat.
                if not any(room.clients and room.seats_of(person) for room in self._tables.rooms.values()):
                    await forget(self._store, person)
                    for room in [room for room in self._tables.rooms.values() if room.names({person})]:
                        await room.read_anew(texts=True)
                    await self._store.write(people_rows.delete_person, person)
                    count += 1
                    await asyncio.sleep(_PAUSE)
        return count
