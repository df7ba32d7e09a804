"""The rows of servers and leases in PostgreSQL, over one connection: who runs, and who works for which table.

Times are the database's, so that the clocks of the machines need not agree. A server whose heartbeat is too old is
dead: whoever sees that first takes over its leases, and its row is deleted when it holds none. The row of a server that
has left says 0.
"""

from __future__ import annotations

import socket
from collections.abc import Collection

from psycopg import AsyncConnection

from cupboard.core.words import phrase
from cupboard.server.errors import LeaseLost

_NOW = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"
_DEAD = f"kind = 'server' AND seen < greatest(1, {_NOW} - %(silence)s)"
NEVER = 10**15
"""A silence in milliseconds that no server keeps: with it only servers that have left are dead."""


class Leases:
    """The statements about one server; each is a transaction by itself."""

    def __init__(self, conn: AsyncConnection, server: str) -> None:
        self._conn = conn
        self._server = server

    async def enter(self) -> None:
        """Write the server's row, unless it is there."""
        await self._conn.execute(
            f"INSERT INTO server (id, kind, machine, made, seen) VALUES (%s, 'server', %s, {_NOW}, {_NOW}) "
            "ON CONFLICT DO NOTHING",
            (self._server, socket.gethostname()),
        )

    async def beat(self) -> set[str]:
        """Say that the server lives; returns all that run. LeaseLost when its row is gone: it was taken for dead."""
        row = await self._conn.execute(f"UPDATE server SET seen = {_NOW} WHERE id = %s AND seen > 0", (self._server,))
        if row.rowcount == 0:
            raise LeaseLost(phrase("no.lease"))
        rows = await self._conn.execute("SELECT id FROM server WHERE kind = 'server' AND seen > 0")
        return {row[0] for row in await rows.fetchall()}

    async def held(self) -> set[str]:
        """The tables whose lease the server has."""
        rows = await self._conn.execute("SELECT game FROM lease WHERE server = %s", (self._server,))
        return {row[0] for row in await rows.fetchall()}

    async def ask(self, tables: Collection[str], silence: int) -> set[str]:
        """Acquire the leases that are free, or whose holder is dead; returns those that the server has now."""
        rows = await self._conn.execute(
            "INSERT INTO lease (game, server) SELECT id, %(server)s FROM game WHERE id = ANY(%(tables)s) ORDER BY id "
            "ON CONFLICT (game) DO UPDATE SET server = excluded.server WHERE lease.server = excluded.server "
            f"OR lease.server IN (SELECT id FROM server WHERE {_DEAD}) RETURNING game",
            {"server": self._server, "tables": list(tables), "silence": silence},
        )
        return {row[0] for row in await rows.fetchall()}

    async def release(self, tables: Collection[str]) -> None:
        """Give up leases."""
        await self._conn.execute("DELETE FROM lease WHERE server = %s AND game = ANY(%s)", (self._server, list(tables)))

    async def left_behind(self, silence: int) -> int | None:
        """How many leases dead servers have; None when no server is dead."""
        found = await self._conn.execute(
            f"SELECT count(game), count(*) FROM server LEFT JOIN lease ON lease.server = server.id WHERE {_DEAD}",
            {"silence": silence},
        )
        leases, rows = await found.fetchone() or (0, 0)
        return leases if rows else None

    async def take_over(self, silence: int, most: int) -> set[str]:
        """Take over leases of dead servers, passing over those that somebody else takes at this moment."""
        rows = await self._conn.execute(
            f"WITH dead AS (SELECT id FROM server WHERE {_DEAD}), "
            "free AS (SELECT game FROM lease WHERE server IN (SELECT id FROM dead) LIMIT %(most)s "
            "FOR UPDATE SKIP LOCKED) "
            "UPDATE lease SET server = %(server)s FROM free WHERE lease.game = free.game RETURNING lease.game",
            {"server": self._server, "silence": silence, "most": most},
        )
        return {row[0] for row in await rows.fetchall()}

    async def bury(self, silence: int) -> None:
        """Delete the rows of dead servers that have no lease any more."""
        await self._conn.execute(
            f"DELETE FROM server WHERE {_DEAD} AND NOT EXISTS (SELECT FROM lease WHERE lease.server = server.id)",
            {"silence": silence},
        )

    async def leave(self) -> None:
        """Be dead from now on."""
        await self._conn.execute("UPDATE server SET seen = 0 WHERE id = %s", (self._server,))
