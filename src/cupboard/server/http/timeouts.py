"""uvicorn's HTTP with time limits: for the headers of a request, and for a client that does not read its answer.

uvicorn itself waits for both as long as the client likes. The time limit for a request's body is in `middleware.py`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import h11
import msgspec
from uvicorn.protocols.http.h11_impl import H11Protocol

from cupboard.core.words import phrase
from cupboard.server.http.proxies import Proxies, peer_of
from cupboard.server.limits.connections import ConnectionLimit
from cupboard.server.socket.transport import cut_off
from cupboard.server.wire.problems import Problem

_READ = bytearray(4096)
"""Where all connections read to, one at a time. It is small so that no read keeps the others waiting: 256 kB, which is
asyncio's measure, of one-byte chunks take 400 ms to read."""
_SECONDS_FOR_A_REFUSAL = 1.0
_PROXY_REST = 150
"""Seconds that a proxy's connection may rest: nginx keeps one for 60 s, Caddy for 120 s, and they are to close it."""
_LEAST_READ = 4096
"""How many bytes of an answer a client must read in each period, at least."""


class TimedHTTP(H11Protocol, asyncio.BufferedProtocol):
    """One HTTP connection, which is counted by its address and ends when the client takes too long.

    A proxy's connections are not counted, since each may be somebody else's, and may rest for longer between requests:
    a proxy keeps them, and would lose what it sends at the moment at which one is closed.
    """

    def __init__(
        self,
        *args: Any,
        limit: ConnectionLimit,
        proxies: Proxies,
        seconds: float,
        refused: Callable[[str], None],
        **more: Any,
    ) -> None:
        """`refused` is told the address of a connection that is one too many."""
        super().__init__(*args, **more)
        self._refused = refused
        self._limit = limit
        self._proxies = proxies
        self._seconds = self._rest = seconds
        self._timer: asyncio.TimerHandle | None = None
        self._unsent = 0
        self._is_counted = False
        self._is_refused = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count the connection and give it time for its first request."""
        super().connection_made(transport)
        if self._proxies.believes(peer_of(self.client, self.server)):
            self._rest = self.timeout_keep_alive = _PROXY_REST
        else:
            self._is_counted = self._limit.enter(self._address)
            self._is_refused = not self._is_counted
        self._wait(_SECONDS_FOR_A_REFUSAL if self._is_refused else self._rest)

    def get_buffer(self, sizehint: int) -> bytearray:
        """The small buffer that all connections read to, so that no read takes long."""
        return _READ

    def buffer_updated(self, nbytes: int) -> None:
        """Handle what was read; an address with too many connections is told so."""
        if self._is_refused:
            self._refused(self._address)
            self.transport.write(_FULL)
            self.transport.close()
            return
        self.data_received(bytes(_READ[:nbytes]))
        if self._is_answering and not self.flow.write_paused:
            self._wait_no_more()

    def on_response_complete(self) -> None:
        """Give the client time to read the answer and to send the next request."""
        super().on_response_complete()
        if not self._is_answering:
            self._wait(self._rest)

    def pause_writing(self) -> None:
        """Give the client time to read what it was sent."""
        super().pause_writing()
        self._wait(self._seconds)

    def resume_writing(self) -> None:
        """Stop the timer for a client that has read what it was sent."""
        super().resume_writing()
        if self._is_answering:
            self._wait_no_more()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Stop counting and timing a connection that becomes a WebSocket."""
        self._leave()
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop counting and timing a connection that has ended."""
        self._leave()
        super().connection_lost(exc)

    @property
    def _address(self) -> str:
        return self.client[0] if self.client else ""

    @property
    def _is_answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _leave(self) -> None:
        self._wait_no_more()
        if self._is_counted:
            self._is_counted = False
            self._limit.leave(self._address)

    def _wait(self, seconds: float) -> None:
        self._wait_no_more()
        self._unsent = self.transport.get_write_buffer_size()
        self._timer = self.loop.call_later(seconds, self._time_is_up)

    def _wait_no_more(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _time_is_up(self) -> None:
        """End the connection, unless the client is still reading its answer."""
        unsent = self.transport.get_write_buffer_size()
        if 0 < unsent <= self._unsent - _LEAST_READ:
            self._wait(self._seconds)
        else:
            cut_off(self.transport)


def _full() -> bytes:
    words = phrase("no.moreConnections")
    body = msgspec.json.encode(Problem("too-many", str(words), words))
    head = "HTTP/1.1 429 Too Many Requests\r\nContent-Type: application/json\r\nContent-Length: {}\r\n"
    return (head.format(len(body)) + "Retry-After: 10\r\nConnection: close\r\n\r\n").encode() + body


_FULL = _full()
