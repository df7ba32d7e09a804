"""The server's end of an open WebSocket: wsproto reads and writes frames, and what one client may send is capped.

uvicorn does the handshake and then hands the connection over (`handshake.py`), because there may be thousands of
sockets and most are silent: what stays is this object, wsproto's and a timer.

A client gets a bounded share of the event loop: after `FRAMES_AT_ONCE` frames all others have their turn. A client that
sends more than any page ever would is closed with code 1009 (a message of too many bytes or fragments) or 1008 (too
many control frames, or more refused messages than `handler.py` allows).
"""

from __future__ import annotations

import asyncio
import socket
from typing import Any, Protocol

from wsproto.connection import Connection, ConnectionState, ConnectionType
from wsproto.events import CloseConnection, Event, Message, Ping, Pong, TextMessage
from wsproto.frame_protocol import CloseReason

from cupboard.server.socket.transport import cut_off

MAX_MESSAGE = 4_096
"""The most characters of a text message, or bytes of a binary one."""
MOST_FRAGMENTS = 64
"""The most frames that one message may come in. Pages send each message in one."""
MOST_CONTROLS = 100
"""The most pings and pongs in one period of the heartbeat. Pages send one pong in it."""
FRAMES_AT_ONCE = 32
"""How many frames are read before all other clients have their turn: well below a millisecond."""
SERVICE_RESTART = CloseReason.SERVICE_RESTART
"""The close code of a server that stops: a page connects again at once, and finds another server or this one."""
HEARTBEAT = 20.0
"""Seconds after which a silent client is asked for a sign of life."""
_SECONDS_TO_CLOSE = 5.0
_SEND_BUFFER = 65_536
_READ = bytearray(4096)
"""The buffer that all connections read to, one at a time."""


class Listener(Protocol):
    """What is told about a connection: its messages, and when it can be written to or has ended."""

    def received(self, message: str | bytes) -> None:
        """The client has sent a message."""

    def drained(self) -> None:
        """The client has caught up with what it was sent."""

    def disconnected(self) -> None:
        """The connection has ended."""


class SocketConnection(asyncio.BufferedProtocol):
    """One open WebSocket, with a heartbeat and with caps on what its client may send."""

    __slots__ = (
        "_controls",
        "_fragments",
        "_heartbeat",
        "_is_held",
        "_is_over",
        "_listener",
        "_parts",
        "_protocol",
        "_registry",
        "_silence",
        "_size",
        "_timer",
        "_transport",
        "_waits_for_turn",
        "is_full",
    )  # fmt: skip

    def __init__(self, heartbeat: float = HEARTBEAT) -> None:
        self._heartbeat = heartbeat
        self._listener: Listener | None = None
        self._protocol = Connection(ConnectionType.SERVER)
        self._parts: list[str | bytes] | None = None
        """What has come of a message that is not complete."""
        self._size = 0
        self._fragments = 0
        self._controls = 0
        self._silence = 0
        self._is_held = False
        self._is_over = False
        self._waits_for_turn = False
        self.is_full = False
        """Whether the client is slow to read what it was sent. Updates can wait for `Listener.drained`."""

    def listen(self, listener: Listener) -> None:
        """Set the listener that is told about this connection."""
        self._listener = listener

    def open(self, transport: asyncio.Transport, registry: set[Any]) -> None:
        """Begin after the handshake. uvicorn calls `shutdown` for everything in the registry when it stops."""
        self._transport = transport
        self._registry = registry
        registry.add(self)
        if (sock := transport.get_extra_info("socket")) is not None:
            # The system would keep megabytes for a client that does not read before we noticed.
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _SEND_BUFFER)
        transport.resume_reading()
        self._timer = asyncio.get_running_loop().call_later(self._heartbeat, self._beat)

    # What the listener may ask for.

    def write(self, data: bytes) -> None:
        """Send a text message, given in UTF-8."""
        if not self._is_over:
            self._transport.write(self._protocol.send(TextMessage(data.decode())))

    def close(self, code: int, reason: str) -> None:
        """Send a close frame and read nothing more; a client that does not close in time is cut off."""
        if self._is_over:
            return
        self._transport.write(self._protocol.send(CloseConnection(code, reason)))
        self._end()

    def hold(self) -> None:
        """Read nothing more until `release`."""
        self._is_held = True
        self._transport.pause_reading()

    def release(self) -> None:
        """Read on, first what has come already."""
        if self._is_held:
            self._is_held = False
            self._read_later()

    # What the server asks for.

    @property
    def transport(self) -> asyncio.Transport:
        """The transport, which knows through which listening socket the client came."""
        return self._transport

    def shutdown(self) -> None:
        """Close the connection because the server stops."""
        self.close(SERVICE_RESTART, "")
        self._transport.close()

    # What the transport tells.

    def get_buffer(self, sizehint: int) -> bytearray:
        """The small buffer that all connections read to: what waits for its turn waits in the network."""
        return _READ

    def buffer_updated(self, nbytes: int) -> None:
        """Read the frames that have come; after the end drop them: closing at once would lose our close frame."""
        if not self._is_over:
            self._silence = 0
            self._protocol.receive_data(bytes(_READ[:nbytes]))
            self._read()

    def pause_writing(self) -> None:
        """Read nothing more from a client that does not read."""
        self.is_full = True
        self._transport.pause_reading()

    def resume_writing(self) -> None:
        """Read on from a client that has read what it was sent."""
        self.is_full = False
        self._read_later()
        if self._listener is not None:
            self._listener.drained()

    def connection_lost(self, exc: Exception | None) -> None:
        """Tell the listener that the connection has ended, and stop the timer."""
        self._is_over = True
        self._timer.cancel()
        self._registry.discard(self)
        listener, self._listener = self._listener, None
        if listener is not None:
            listener.disconnected()

    # Reading.

    def _read(self) -> None:
        """Handle a few frames, the rest after everybody else's turn. Nothing more comes in while some are left."""
        for count, event in enumerate(self._protocol.events(), 1):
            self._handle(event)
            if self._is_over or self._is_held:
                return
            if count == FRAMES_AT_ONCE or self.is_full:
                self._transport.pause_reading()
                self._read_later()
                return
        if not self.is_full:
            self._transport.resume_reading()

    def _read_later(self) -> None:
        if not self._waits_for_turn and not self._is_over:
            self._waits_for_turn = True
            asyncio.get_running_loop().call_soon(self._read_now)

    def _read_now(self) -> None:
        self._waits_for_turn = False
        if not self._is_over and not self._is_held and not self.is_full:
            self._read()

    def _handle(self, event: Event) -> None:
        if isinstance(event, Message):
            self._take(event)
        elif isinstance(event, CloseConnection):
            # Of the client, or wsproto's answer to a breach of the protocol.
            answer = event.response() if self._protocol.state is ConnectionState.REMOTE_CLOSING else event
            self._transport.write(self._protocol.send(answer))
            self._end()
        else:
            self._controls += 1
            if self._controls > MOST_CONTROLS:
                self.close(CloseReason.POLICY_VIOLATION, "too many control frames")
            elif isinstance(event, Ping):
                self._transport.write(self._protocol.send(Pong(event.payload)))

    def _take(self, event: Message[Any]) -> None:
        """Put a message together from its fragments, and pass it on when it is complete."""
        self._size += len(event.data)
        self._fragments += event.frame_finished
        if self._size > MAX_MESSAGE:
            self.close(CloseReason.MESSAGE_TOO_BIG, f"a message has at most {MAX_MESSAGE} bytes")
        elif self._fragments > MOST_FRAGMENTS:
            self.close(CloseReason.MESSAGE_TOO_BIG, f"a message has at most {MOST_FRAGMENTS} fragments")
        elif not event.message_finished:
            self._parts = self._parts or []
            self._parts.append(event.data)
        else:
            parts, self._parts, self._size, self._fragments = self._parts, None, 0, 0
            message = event.data if parts is None else type(event.data)().join([*parts, event.data])
            if self._listener is not None:
                self._listener.received(message)

    # Ending.

    def _beat(self) -> None:
        """Ask a client that was silent for a period for a sign of life; cut off one that gave none for another."""
        self._silence += 1
        self._controls = 0
        if self._silence > 2:
            cut_off(self._transport)
            return
        if self._silence == 2:
            self._transport.write(self._protocol.send(Ping()))
        self._timer = asyncio.get_running_loop().call_later(self._heartbeat, self._beat)

    def _end(self) -> None:
        """Read and write nothing more, and wait a while for the client to close."""
        self._is_over = True
        self._parts = None
        if self._transport.can_write_eof():
            self._transport.write_eof()
        self._transport.resume_reading()  # what still comes is thrown away
        self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(_SECONDS_TO_CLOSE, cut_off, self._transport)
