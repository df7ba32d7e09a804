"""Short messages between the programs on one database of PostgreSQL, by LISTEN and NOTIFY.

NOTIFY takes a lock over the whole of PostgreSQL when its transaction commits. So no transaction that writes anything
notifies: messages are posted after the commit, and go together, many in one statement, over a connection of their own.
A message is lost when a connection is cut or its program ends: nothing may rest on it but the haste of the others.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable

import psycopg
from psycopg import sql

MOST_BYTES = 7_900
"""A message of PostgreSQL has less than 8000 bytes."""
_MOST_QUEUED = 10_000
_QUIET_SECONDS = 5.0
"""After so long without a message the connection is asked whether it is still there."""
_ANSWER_SECONDS = 5.0
_PAUSES = (0.1, 0.3, 1.0, 2.0)
"""Seconds before another try to connect; the last again and again."""


class PostgresChannel:
    """One channel: what `post` takes reaches every program that has the channel open, this one too.

    `heard` gets each message; `connected` is called whenever messages can be heard (again), after which what was missed
    must be looked up."""

    def __init__(
        self,
        url: str,
        name: str,
        heard: Callable[[str], None],
        connected: Callable[[], None] = lambda: None,
    ) -> None:
        self._url = url
        self._name = name
        self._heard = heard
        self._connected = connected
        self._posted: asyncio.Queue[str] = asyncio.Queue(_MOST_QUEUED)
        self.is_open = False
        """Whether messages are heard."""

    def post(self, message: str) -> None:
        """Send a message to all; it is dropped while the database cannot be reached and thousands wait already."""
        if not self._posted.full():
            self._posted.put_nowait(message)

    async def run(self) -> None:
        """Hear and send, for as long as the program runs; connections that are lost are made again."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._again_and_again(self._listen))
            tasks.create_task(self._again_and_again(self._send))

    async def _again_and_again(self, work: Callable[[psycopg.AsyncConnection], Awaitable[None]]) -> None:
        tries = 0
        while True:
            try:
                async with await psycopg.AsyncConnection.connect(
                    self._url, autocommit=True, connect_timeout=5, keepalives_idle=5, keepalives_interval=2
                ) as conn:
                    tries = 0
                    await work(conn)
            except (psycopg.Error, OSError, TimeoutError):
                # Servers that lost the database together do not come back in the same moment.
                await asyncio.sleep(_PAUSES[min(tries, len(_PAUSES) - 1)] * random.uniform(0.5, 1.5))
                tries += 1

    async def _listen(self, conn: psycopg.AsyncConnection) -> None:
        try:
            await conn.execute(sql.SQL("LISTEN {}").format(sql.Identifier(self._name)))
            self.is_open = True
            self._connected()
            while True:
                async for notice in conn.notifies(timeout=_QUIET_SECONDS):
                    self._heard(notice.payload)
                async with asyncio.timeout(_ANSWER_SECONDS):
                    await conn.execute("SELECT 1")
        finally:
            self.is_open = False

    async def _send(self, conn: psycopg.AsyncConnection) -> None:
        while True:
            messages = [await self._posted.get()]
            while not self._posted.empty():
                messages.append(self._posted.get_nowait())
            async with asyncio.timeout(_ANSWER_SECONDS):
                await conn.execute(
                    "SELECT pg_notify(%s, message) FROM unnest(%s::text[]) AS message", (self._name, messages)
                )
