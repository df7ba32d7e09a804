"""A TCP proxy before PostgreSQL that can cut, stall and refuse connections, as networks do."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path

_BLOCK = 65_536


class DatabaseProxy:
    """Listens on a port of this computer and passes everything on to PostgreSQL's Unix socket, and back."""

    def __init__(self, target: Path) -> None:
        self._target = target
        self._port = 0  # any that is free; later the same again
        self._server: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()
        self._flows = asyncio.Event()
        self._flows.set()

    @property
    def port(self) -> int:
        """The port it listens on, once it is open."""
        return self._port

    async def open(self) -> None:
        """Accept connections, on the port it had before if there was one."""
        self._server = await asyncio.start_server(self._pass_on, "127.0.0.1", self._port)
        self._port = self._server.sockets[0].getsockname()[1]

    def refuse(self) -> None:
        """Cut all connections and accept no new ones until `open`."""
        if self._server is not None:
            self._server.close()
            self._server = None
        self.cut()

    def cut(self) -> None:
        """End all connections at once, in the middle of whatever they carry."""
        for writer in list(self._writers):
            writer.transport.abort()

    def stall(self) -> None:
        """Pass nothing on until `flow`: connections stay open and silent."""
        self._flows.clear()

    def flow(self) -> None:
        """Pass on what was held back, and whatever comes."""
        self._flows.set()

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            there, back = await asyncio.open_unix_connection(str(self._target))
        except OSError:  # PostgreSQL is not there
            writer.transport.abort()
            return
        ends = {writer, back}
        self._writers |= ends
        pumps = [asyncio.create_task(self._pump(*pair)) for pair in ((reader, back), (there, writer))]
        try:
            await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._writers -= ends
            for pump in pumps:
                pump.cancel()
            for end in ends:
                end.transport.abort()
            await asyncio.gather(*pumps, return_exceptions=True)

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(_BLOCK):
                await self._flows.wait()
                writer.write(data)
                await writer.drain()
