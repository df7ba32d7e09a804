"""A small reverse proxy that takes a prefix off the path of what it passes on, as nginx's `location` does."""

from __future__ import annotations

import asyncio
import re
import socket
import threading
from contextlib import suppress

_PIECE = 65_536


class Proxy:
    """Passes requests and sockets under `prefix` on to a port of this computer, and refuses all others.

    It runs in a thread. Every connection carries one request, so that none but the first has to be looked for.
    """

    def __init__(self, prefix: str) -> None:
        self.prefix = prefix
        self.behind = 0
        """The port of the server behind it."""
        self.refused: list[str] = []
        """The paths outside the prefix that were asked for."""
        self._sock = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._sock.getsockname()[1]
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Listen no longer, and end all connections."""
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()

    def _run(self) -> None:
        self._loop.run_until_complete(self._serve())
        self._loop.close()

    async def _serve(self) -> None:
        self._stop = asyncio.Event()
        server = await asyncio.start_server(self._pass_on, sock=self._sock)
        await self._stop.wait()
        server.close()
        rest = asyncio.all_tasks() - {asyncio.current_task()}
        for task in rest:
            task.cancel()
        await asyncio.gather(*rest, return_exceptions=True)

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, EOFError):
            head = await reader.readuntil(b"\r\n\r\n")
            method, path, rest = head.decode("latin-1").split(" ", 2)
            if path == self.prefix:
                writer.write(b"HTTP/1.1 301 Moved\r\nlocation: %b/\r\ncontent-length: 0\r\n" % path.encode())
                writer.write(b"connection: close\r\n\r\n")
            elif not path.startswith(f"{self.prefix}/"):
                self.refused.append(path)
                writer.write(b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
            else:
                if "upgrade: websocket" not in rest.lower():
                    rest = re.sub(r"(?i)\r\nconnection:[^\r]*", "", rest).replace(
                        "\r\n", "\r\nConnection: close\r\n", 1
                    )
                there, back = await asyncio.open_connection("127.0.0.1", self.behind)
                back.write(f"{method} {path.removeprefix(self.prefix)} {rest}".encode("latin-1"))
                both = asyncio.create_task(_copy(reader, back)), asyncio.create_task(_copy(there, writer))
                await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
                for task in both:
                    task.cancel()
                back.close()
        writer.close()


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while data := await reader.read(_PIECE):
            writer.write(data)
            await writer.drain()
