"""The store as a small protocol, so that tables need not know which database it is. What it acknowledges is written.

Work is done with SQLAlchemy's Core, on the tables of `schema.py`, in functions that get a Connection. Such a function
must do nothing but read and write through it: it runs in another thread, and after a collision a second time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Concatenate, ParamSpec, Protocol, TypeVar

import msgspec
from sqlalchemy import Connection

from cupboard.server.wire.server_messages import EventKind

P = ParamSpec("P")
T = TypeVar("T")


class LogEntry(msgspec.Struct, frozen=True, gc=False):
    """Entry `n` of a table's log, as it is stored."""

    n: int
    kind: EventKind
    seat: int | None
    text: str
    at: int


class Store(Protocol):
    """A database, opened. Everything may raise Busy, NoRoom or DamagedDatabase."""

    @property
    def secret(self) -> bytes:
        """What seat tokens and invites are derived from; never leaves the server."""

    async def read(self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What `work` finds in the database."""

    async def write(self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What `work` returns, after all it wrote in one transaction is committed."""

    async def append(
        self,
        game: str,
        entries: Sequence[LogEntry],
        outcome: str | None = None,
        also: Callable[[Connection], object] | None = None,
        holder: str = "",
    ) -> None:
        """Add entries to a log; Stale, and nothing is written, when one of their numbers is taken.

        In the same transaction an `outcome`, as JSON, ends the game, and `also` writes what else there is.

        Where a `holder` is named, LeaseLost unless that server holds the table's lease. With one server nobody is
        asked."""

    async def check_writable(self) -> None:
        """Write something that changes nothing, nor makes the database larger; an error when that cannot be done."""

    async def changed(self) -> bool:
        """Whether another server may have written since this was last asked; True when in doubt."""

    def close(self) -> None:
        """Finish what is queued, then close the database."""
