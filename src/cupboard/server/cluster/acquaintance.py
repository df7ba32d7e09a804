"""What a server knows of the others: which tables they have open, and who is connected to them."""

from __future__ import annotations

from cupboard.core.game import Seat


class Acquaintance:
    """The other servers, as their messages describe them."""

    def __init__(self) -> None:
        self.servers: set[str] = set()
        self._open: dict[str, set[str]] = {}
        self._present: dict[str, dict[str, tuple[frozenset[Seat], int]]] = {}

    def has_open(self, table: str) -> bool:
        """Whether any other server has the table in memory."""
        return table in self._open

    def opened(self, server: str, tables: tuple[str, ...], all_of_them: bool) -> None:
        """A server has opened tables, or has no others open."""
        self.servers.add(server)
        if all_of_them:
            for table in [table for table, servers in self._open.items() if server in servers]:
                if table not in tables:
                    self.closed(server, table)
        for table in tables:
            self._open.setdefault(table, set()).add(server)

    def closed(self, server: str, table: str) -> None:
        """A server has a table open no longer."""
        self._shut(server, table)
        self.present(server, table, frozenset(), 0)

    def present(self, server: str, table: str, seats: frozenset[Seat], watching: int) -> None:
        """A server says who is connected to it at a table."""
        if seats or watching:
            self._present.setdefault(table, {})[server] = seats, watching
        else:
            self._leave(server, table)

    def seats_at(self, table: str) -> frozenset[Seat]:
        """The seats of a table that are connected to any of them."""
        return frozenset().union(*(seats for seats, _ in self._present.get(table, {}).values()))

    def watching_at(self, table: str) -> int:
        """How many watch a table at all of them."""
        return sum(watching for _, watching in self._present.get(table, {}).values())

    def has_clients(self, table: str) -> bool:
        """Whether anybody is connected to any of them at a table."""
        return table in self._present

    def gone(self, server: str) -> list[str]:
        """Forget a server; returns the tables where somebody was connected to it."""
        self.servers.discard(server)
        for table in [table for table, servers in self._open.items() if server in servers]:
            self._shut(server, table)
        left = [table for table, servers in self._present.items() if server in servers]
        for table in left:
            self._leave(server, table)
        return left

    def _shut(self, server: str, table: str) -> None:
        servers = self._open.get(table, set())
        servers.discard(server)
        if not servers:
            self._open.pop(table, None)

    def _leave(self, server: str, table: str) -> None:
        servers = self._present.get(table, {})
        servers.pop(server, None)
        if not servers:
            self._present.pop(table, None)
