"""A store that tells the watcher how long its work takes, and when the database refuses it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Concatenate

from sqlalchemy import Connection

from cupboard.core.errors import CupboardError
from cupboard.server.store.store import LogEntry, P, Store, T
from cupboard.server.watching.watcher import Watcher


class WatchedStore(Store):
    """Another store, watched."""

    def __init__(self, store: Store, watcher: Watcher) -> None:
        self.store = store
        self._watcher = watcher

    @property
    def secret(self) -> bytes:
        """What seat tokens and invites are derived from; never leaves the server."""
        return self.store.secret

    async def read(self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What `work` finds in the database."""
        began = perf_counter()
        try:
            found = await self.store.read(work, *args, **kwargs)
        except CupboardError as error:
            self._watcher.stored("read", perf_counter() - began, error)
            raise
        self._watcher.stored("read", perf_counter() - began)
        return found

    async def write(self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What `work` returns, after all it wrote in one transaction is committed."""
        began = perf_counter()
        try:
            written = await self.store.write(work, *args, **kwargs)
        except CupboardError as error:
            self._watcher.stored("write", perf_counter() - began, error)
            raise
        self._watcher.stored("write", perf_counter() - began)
        return written

    async def append(
        self,
        game: str,
        entries: Sequence[LogEntry],
        outcome: str | None = None,
        also: Callable[[Connection], object] | None = None,
        holder: str = "",
    ) -> None:
        """Add entries to a log; Stale, and nothing is written, when one of their numbers is taken."""
        began = perf_counter()
        try:
            await self.store.append(game, entries, outcome, also, holder)
        except CupboardError as error:
            self._watcher.stored("append", perf_counter() - began, error)
            raise
        self._watcher.stored("append", perf_counter() - began)

    async def check_writable(self) -> None:
        """Write something that changes nothing, nor makes the database larger; an error when that cannot be done."""
        began = perf_counter()
        try:
            await self.store.check_writable()
        except CupboardError as error:
            self._watcher.stored("check", perf_counter() - began, error)
            raise
        self._watcher.stored("check", perf_counter() - began)

    async def changed(self) -> bool:
        """Whether another server may have written since this was last asked; True when in doubt."""
        return await self.store.changed()

    def close(self) -> None:
        """Finish what is queued, then close the database."""
        self.store.close()
