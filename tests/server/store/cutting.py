"""A way to PostgreSQL over TCP that can lose answers, as a network does that breaks in the wrong moment."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from psycopg.conninfo import conninfo_to_dict


class Way:
    """Passes everything on; after `lose` it swallows the next answers to a statement, and ends the connection."""

    def __init__(self, url: str) -> None:
        parts: dict[str, Any] = conninfo_to_dict(url)
        self._socket = f"{parts['host']}/.s.PGSQL.{parts.get('port', 5432)}"
        self._name = parts["dbname"]
        self._user = parts["user"]
        self._loses: bytes | None = None
        self.lost = 0
        self.port = 0
        self.passing: set[asyncio.Task[Any]] = set()

    @property
    def url(self) -> str:
        return f"postgresql://{self._user}@127.0.0.1:{self.port}/{self._name}?sslmode=disable&gssencmode=disable"

    def lose(self, said: bytes) -> None:
        """Lose the answer to the next statement that has this in it."""
        self._loses = said

    async def pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there_in, there_out = await asyncio.open_unix_connection(self._socket)
        is_cut = asyncio.Event()

        async def forth() -> None:
            while data := await reader.read(65_536):
                if self._loses is not None and self._loses in data:
                    self._loses = None
                    is_cut.set()
                there_out.write(data)

        async def back() -> None:
            while data := await there_in.read(65_536):
                if is_cut.is_set():
                    self.lost += 1
                    break
                writer.write(data)

        here = asyncio.current_task()
        assert here is not None
        self.passing.add(here)
        tasks = {asyncio.create_task(forth()), asyncio.create_task(back())}
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            writer.close()
            there_out.close()
            self.passing.discard(here)


@asynccontextmanager
async def way_to(url: str) -> AsyncIterator[Way]:
    way = Way(url)
    server = await asyncio.start_server(way.pass_on, "127.0.0.1", 0)
    way.port = server.sockets[0].getsockname()[1]
    async with server:
        yield way
        while way.passing:  # whoever came this way has closed their connections
            await asyncio.sleep(0.01)
