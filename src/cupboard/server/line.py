"""An open socket, as small as it can be: there may be thousands, and most are silent.

The handshake is uvicorn's (`doorway.py`). Afterwards whole small text frames, pings and pongs, which is all that ever
comes from a page, are read here without further ado. The first frame that is anything else (a fragment, a binary one,
a close, a fault) brings in the websockets library, which then reads that connection to its end.
"""

from __future__ import annotations

import asyncio
from typing import Any, Protocol

from websockets.frames import CloseCode, Frame, Opcode
from websockets.protocol import OPEN, Side
from websockets.protocol import Protocol as Library
from websockets.utils import apply_mask

from cupboard.server.pulse import Pulse

MAX_MESSAGE = 4_096
_SECONDS_TO_CLOSE = 10.0
_TEXT, _PING, _PONG = 0x81, 0x89, 0x8A  # first bytes of frames that are whole messages
_SHORT = 126
"""From this length on a frame has two more bytes for it; control frames are shorter."""


class Listener(Protocol):
    """Who is at our end of a line."""

    def heard(self, message: bytes) -> None:
        """The client has sent a message."""

    def drained(self) -> None:
        """The client has caught up with what it was sent."""

    def gone(self) -> None:
        """There is nobody there any more."""


class Line(asyncio.Protocol):
    """The server's end of an open WebSocket."""

    __slots__ = (
        "_hung_up", "_library", "_listener", "_parts", "_pulse", "_registry", "_silence", "_transport", "is_full",
    )  # fmt: skip

    def __init__(self, pulse: Pulse) -> None:
        self._pulse = pulse
        self._listener: Listener | None = None
        self._library: Library | None = None
        self._parts: tuple[bytes, ...] = ()
        self._silence = 0
        self._hung_up = False
        self.is_full = False
        """Whether the client is slow to take what it was sent; who may wait, waits for `drained`."""

    def listen(self, listener: Listener) -> None:
        """From now on this one hears what the client says."""
        self._listener = listener

    def open(self, transport: asyncio.Transport, registry: set[Any]) -> None:
        """The handshake is done. The registry is what uvicorn shuts down when it stops."""
        self._transport = transport
        self._registry = registry
        registry.add(self)
        self._pulse.add(self)

    # What the listener may ask for.

    def write(self, data: bytes) -> None:
        """Send a text message, given in UTF-8."""
        size = len(data)
        if size < _SHORT:
            head = bytes((_TEXT, size))
        elif size < 65_536:
            head = b"\x81\x7e" + size.to_bytes(2, "big")
        else:
            head = b"\x81\x7f" + size.to_bytes(8, "big")
        if self._library is None or self._library.state is OPEN:
            self._transport.write(head + data)

    def close(self, code: int, reason: str) -> None:
        """Say why and hang up; a client that does not answer in time is cut off."""
        library = self._bring_library()
        self._hung_up = True
        if library.state is OPEN:
            library.send_close(code, reason)
            self._flush(library)
            asyncio.get_running_loop().call_later(_SECONDS_TO_CLOSE, self._transport.close)

    def pause(self) -> None:
        """Hear nothing more for a while."""
        self._transport.pause_reading()

    def resume(self) -> None:
        """Go on hearing."""
        if not self.is_full:
            self._transport.resume_reading()

    # What the pulse and uvicorn ask for.

    def beat(self) -> None:
        """Called now and then: who is silent for a beat is asked for a sign, who gives none is cut off."""
        self._silence += 1
        if self._silence == 2 and self._library is None:
            self._transport.write(bytes((_PING, 0)))
        elif self._silence == 2 and self._library is not None and self._library.state is OPEN:
            self._library.send_ping(b"")
            self._flush(self._library)
        elif self._silence > 2:
            self._transport.abort()

    def shutdown(self) -> None:
        """The server stops."""
        library = self._bring_library()
        if library.state is OPEN:
            library.send_close(CloseCode.SERVICE_RESTART)
            self._flush(library)
        self._transport.close()

    # What the transport tells.

    def data_received(self, data: bytes) -> None:
        """Bytes have come."""
        self._silence = 0
        while data and self._library is None:
            if (end := _end_of_plain_frame(data)) < 0:
                self._bring_library()
                break
            start = 6 if end < 6 + _SHORT else 8
            message = apply_mask(data[start:end], data[start - 4 : start])
            kind, data = data[0], data[end:]
            if kind == _TEXT:
                self._pass_on(message)
            elif kind == _PING:
                self._transport.write(bytes((_PONG, len(message))) + message)
        if data and self._library is not None:
            self._read_by_the_book(self._library, data)

    def pause_writing(self) -> None:
        """The client is slow: it says nothing more either, until it has read."""
        self.is_full = True
        self._transport.pause_reading()

    def resume_writing(self) -> None:
        """It has caught up."""
        self.is_full = False
        self._transport.resume_reading()
        if self._listener is not None:
            self._listener.drained()

    def connection_lost(self, exc: Exception | None) -> None:
        """The end."""
        self._registry.discard(self)
        self._pulse.discard(self)
        listener, self._listener = self._listener, None
        if listener is not None:
            listener.gone()

    # The library.

    def _bring_library(self) -> Library:
        if self._library is None:
            self._library = Library(Side.SERVER, max_size=MAX_MESSAGE)
        return self._library

    def _read_by_the_book(self, library: Library, data: bytes) -> None:
        library.receive_data(data)
        for frame in library.events_received():
            assert isinstance(frame, Frame)
            if frame.opcode in (Opcode.TEXT, Opcode.BINARY, Opcode.CONT):
                self._parts += (bytes(frame.data),)
                if frame.fin:
                    parts, self._parts = self._parts, ()
                    self._pass_on(b"".join(parts))
        self._flush(library)
        if library.close_expected():
            self._transport.close()

    def _flush(self, library: Library) -> None:
        for data in library.data_to_send():
            if data:  # an empty one stands for the end, which closing says
                self._transport.write(data)

    def _pass_on(self, message: bytes) -> None:
        if self._listener is not None and not self._hung_up:
            self._listener.heard(message)


def _end_of_plain_frame(data: bytes) -> int:
    """Where the first frame ends, if it is whole, masked, and a small text, a ping or a pong; else -1."""
    if len(data) < 6 or data[0] not in (_TEXT, _PING, _PONG):
        return -1
    length, start = data[1] - 128, 6
    if length == _SHORT and data[0] == _TEXT:
        length, start = int.from_bytes(data[2:4], "big"), 8
        if not _SHORT <= length <= MAX_MESSAGE:
            return -1
    elif not 0 <= length < _SHORT:
        return -1
    return start + length if start + length <= len(data) else -1
