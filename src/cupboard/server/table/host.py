"""The tables of this server as the cluster knows them: what other servers tell reaches the rooms here."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection, Coroutine
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from cupboard.core.errors import CupboardError
from cupboard.core.game import Seat
from cupboard.server.errors import DamagedTable, UnknownTable
from cupboard.server.watching.notes import Note

if TYPE_CHECKING:
    from cupboard.server.table.room import Room
    from cupboard.server.table.tables import Tables

_LOG = logging.getLogger(__name__)
_LOOKS = 5.0
"""Seconds between looks for what no message has told."""
_LOADED_AT_ONCE = 8
_LONGEST_PAUSE = 10.0


class TablesHost:
    """Wakes, reads on and shows the rooms that messages are about."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._tasks: set[asyncio.Task[None]] = set()
        self._loading = asyncio.Semaphore(_LOADED_AT_ONCE)
        self._missed = asyncio.Event()
        self._people_changed = False

    def work_for(self, table: str) -> None:
        """Go on with a table, which is loaded if another server had it."""
        if (room := self._tables.rooms.get(table)) is not None:
            room.wake()
        else:
            self._spawn(self._load(table))

    async def _load(self, table: str) -> None:
        """Load a table that was taken over, tried again while the database is busy or the game is compiled."""
        pause = 1.0
        while self._tables.cluster.works_for(table):
            try:
                async with self._loading:
                    room = await self._tables.room(table)
            except (DamagedTable, UnknownTable):
                self._tables.cluster.let_go(table)
            except CupboardError as error:
                _LOG.warning(Note("table-not-taken-over", table=table, code=error.code))
                await asyncio.sleep(pause)
                pause = min(2 * pause, _LONGEST_PAUSE)
            else:
                room.wake()
                return

    def may_hand_over(self, table: str) -> bool:
        """Whether nobody is at the table here and nothing is under way."""
        return (room := self._tables.rooms.get(table)) is None or room.is_idle

    def is_unused(self, room: Room) -> bool:
        """Whether nobody is at a table here, and this server does not work for it."""
        return room.is_idle and not self._tables.cluster.works_for(room.plan.id)

    def read_on(self, table: str, version: int) -> None:
        """Read what another server has written; a table that nobody needs here leaves the memory instead."""
        room = self._tables.rooms.get(table)
        if room is None or room.is_damaged or version <= room.state.version:
            return
        if self.is_unused(room):
            self._tables.drop(table)
        else:
            self._spawn(_read_on(room, version))

    def show_presence(self, table: str) -> None:
        """Tell the clients of a table who is connected to other servers."""
        if (room := self._tables.rooms.get(table)) is not None:
            room.show_presence()

    def look_again(self) -> None:
        """Look now what the other servers wrote. A table that nobody needs here is read anew when somebody does."""
        for room in [room for room in self._tables.rooms.values() if self.is_unused(room)]:
            self._tables.drop(room.plan.id)
        self._missed.set()

    async def wait_to_look(self) -> None:
        """Wait until messages may have been lost, or a while has passed."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_LOOKS):
                await self._missed.wait()
        self._missed.clear()

    def people_changed(self) -> None:
        """Look which sessions have ended and who has changed."""
        if not self._people_changed:
            self._people_changed = True
            self._spawn(self._look_at_people())

    def chairs_changed(self, people: Collection[str]) -> None:
        """Read who sits at the tables of these people."""
        self._spawn(self._read_chairs(people))

    async def _read_chairs(self, people: Collection[str]) -> None:
        with suppress(CupboardError):
            await self._tables.read_chairs_of(people)

    async def _look_at_people(self) -> None:
        self._people_changed = False
        try:
            await self._tables.close_ended_sessions()
        except CupboardError:
            self.look_again()

    def cut_off(self, is_cut_off: bool) -> None:
        """Tell all clients that the database cannot be reached, or is there again."""
        for room in list(self._tables.rooms.values()):
            room.tell_cut_off(is_cut_off)
        if not is_cut_off:
            self.look_again()

    def open_tables(self) -> Collection[str]:
        """The tables in memory."""
        return self._tables.rooms.keys()

    def version_of(self, table: str) -> int | None:
        """How many entries of a table's log are known here; None for a table that is not in memory."""
        room = self._tables.rooms.get(table)
        return None if room is None or room.is_damaged else room.state.version

    def present_at(self, table: str) -> tuple[Collection[Seat], int]:
        """Which seats of a table are connected to this server, and how many watch here."""
        room = self._tables.rooms.get(table)
        return ((), 0) if room is None else (room.seats_here(), room.watching_here())

    def close(self) -> None:
        """Cancel what is under way."""
        for task in list(self._tasks):
            task.cancel()

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(_logged(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


async def _logged(work: Coroutine[Any, Any, None]) -> None:
    try:
        await work
    except Exception:
        _LOG.exception(Note("message-from-server-failed"))


async def _read_on(room: Room, version: int) -> None:
    async with room.lock:
        if room.state.version < version and not room.is_damaged:
            with suppress(CupboardError):  # the next look reads it
                await room.catch_up()
