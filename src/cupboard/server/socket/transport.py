"""Ending a TCP connection so that nothing of it is kept."""

from __future__ import annotations

import asyncio
import socket
import struct

_RESET = struct.pack("ii", 1, 0)
"""Linger for no time: closing sends a reset and drops what was not sent."""


def cut_off(transport: asyncio.Transport) -> None:
    """End the connection at once and let the system forget what the client did not read.

    An aborted socket with unsent data would live on in the system for minutes, with all that data.
    """
    if (sock := transport.get_extra_info("socket")) is not None and not transport.is_closing():
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
    transport.abort()
