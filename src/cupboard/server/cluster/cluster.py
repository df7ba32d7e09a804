"""The cluster is all servers on one database. This is the one of a server that is alone, where nobody has to be asked.

Whatever a table does by itself (bots' moves, nature's simulated moves, flags) is the task of the server that has the
table's lease. People's moves need none: the log's key `(game, n)` decides between servers.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from typing import Protocol, TypeVar

from cupboard.core.game import Seat
from cupboard.server.cluster.messages import Message

M = TypeVar("M", bound=Message)


class Host(Protocol):
    """The tables in this server's memory, as far as the cluster must know them."""

    def work_for(self, table: str) -> None:
        """The table is this server's task now."""

    def may_hand_over(self, table: str) -> bool:
        """Whether nobody is at the table here and nothing is under way, so that another server may work for it."""

    def read_on(self, table: str, version: int) -> None:
        """Another server has written: the table's log has so many entries."""

    def show_presence(self, table: str) -> None:
        """Who is connected to other servers has changed."""

    def look_again(self) -> None:
        """Messages may have been lost: look what the other servers wrote."""

    def cut_off(self, is_cut_off: bool) -> None:
        """The database cannot be reached, or is there again."""

    def open_tables(self) -> Collection[str]:
        """The tables in memory."""

    def version_of(self, table: str) -> int | None:
        """How many entries of the table's log are known here; None for a table that is not in memory."""

    def present_at(self, table: str) -> tuple[Collection[Seat], int]:
        """Which seats of a table are connected to this server, and how many watch here."""


class Cluster:
    """A server alone: it works for every table, and there is nobody to tell."""

    id = ""
    """The holder of leases; empty where there are none."""
    is_alone = True
    """Whether no other server can be on the database but one that is found by `Store.changed`."""
    is_cut_off = False
    """Whether the database cannot be reached."""
    host: Host
    """Set by the tables before `run`."""

    # Leases.

    def works_for(self, table: str) -> bool:
        """Whether what the table does by itself is this server's task."""
        return True

    def ask_for(self, table: str) -> None:
        """Ask for the lease of a table; `Host.work_for` is called when it comes."""

    async def acquire(self, tables: Collection[str]) -> list[str]:
        """Those of some tables whose lease this server has, after it has asked for all of them."""
        return list(tables)

    def let_go(self, table: str) -> None:
        """Give up the lease of a table, if this server has it."""

    def lost(self, table: str) -> None:
        """Another server has taken the lease, as an append has shown; ask for it, in case that server ends."""

    # Messages.

    def opened(self, table: str) -> None:
        """The table is in memory now."""

    def closed(self, table: str) -> None:
        """The table has left the memory: its lease is given up, and others need not tell what happens there."""

    def grown(self, table: str, version: int) -> None:
        """This server has written to the log of a table."""

    def presence_changed(self, table: str) -> None:
        """Somebody came to a table here, or left it."""

    def seats_elsewhere(self, table: str) -> frozenset[Seat]:
        """The seats that are connected to other servers."""
        return frozenset()

    def watching_elsewhere(self, table: str) -> int:
        """How many watch a table at other servers."""
        return 0

    def has_clients_elsewhere(self, table: str) -> bool:
        """Whether anybody has the table open at another server."""
        return False

    def post(self, message: Message) -> None:
        """Tell all other servers."""

    def hear(self, kind: type[M], heard: Callable[[M], None]) -> None:
        """Have messages of a kind passed on that other servers post."""

    # The life of the server.

    @property
    def servers(self) -> int:
        """How many servers are known to run on the database, this one counted."""
        return 1

    @property
    def leases(self) -> int:
        """For how many tables this server works."""
        return 0

    async def run(self) -> None:
        """Take part in the cluster for as long as the server runs."""
        await asyncio.Event().wait()

    async def leave(self) -> None:
        """Work for no table any more, and tell the others, who take over at once."""
