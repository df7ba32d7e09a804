"""systemd's side of a service: the socket that it opened for the server, and what it is told of the server's state.

Without systemd there is no such socket, and nobody is told. See sd_listen_fds(3) and sd_notify(3).
"""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import MutableMapping
from contextlib import suppress

from cupboard.server.errors import BadSettings

_FIRST_FD = 3
_LISTEN = ("LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES", "LISTEN_PIDFDID")
_WRONG_SOCKET = (
    "The socket that systemd passes is none to listen at: the unit's socket needs one ListenStream= with a port or a "
    "path, and Accept=no."
)


def is_service(environ: MutableMapping[str, str] = os.environ) -> bool:
    """Whether systemd has started this program, so that nobody sits in front of it."""
    return "NOTIFY_SOCKET" in environ or environ.get("LISTEN_PID") == str(os.getpid())


def inherited_socket(environ: MutableMapping[str, str] = os.environ) -> socket.socket | None:
    """The socket that systemd opened for this process (socket activation); None if it did not.

    BadSettings if there are several, or one that nobody can connect to. The variables that told of it are removed, as
    they are not for the processes that this one starts.
    """
    if environ.get("LISTEN_PID") != str(os.getpid()):
        return None
    count = environ.get("LISTEN_FDS", "")
    for name in _LISTEN:
        environ.pop(name, None)
    if count in ("", "0"):
        return None
    if count != "1":
        raise BadSettings(
            f"systemd passes {count[:20]} sockets, and a server takes one: leave one ListenStream= in its unit."
        )
    try:
        os.set_inheritable(_FIRST_FD, False)
        sock = socket.socket(fileno=_FIRST_FD)
    except OSError as error:
        raise BadSettings(_WRONG_SOCKET) from error
    if not _is_listening(sock):
        sock.close()
        raise BadSettings(_WRONG_SOCKET)
    return sock


class Notifier:
    """Tells systemd how the server is; tells nobody when no one asked."""

    def __init__(self, environ: MutableMapping[str, str] = os.environ) -> None:
        """Read the variables that systemd sets, and remove them: they are not for processes that this one starts."""
        address = environ.pop("NOTIFY_SOCKET", "")
        self._address = "\0" + address[1:] if address.startswith("@") else address if address.startswith("/") else ""
        period, pid = environ.pop("WATCHDOG_USEC", ""), environ.pop("WATCHDOG_PID", "")
        is_watched = period.isascii() and period.isdigit() and pid in ("", str(os.getpid()))
        self._watchdog = int(period[:18]) / 1e6 if is_watched else 0.0

    def tell(self, **what: str) -> None:
        """Tell systemd, as in `tell(READY="1", STATUS="All is well.")`. What cannot be told is dropped."""
        if not self._address:
            return
        text = "\n".join(f"{name}={' '.join(value.splitlines())}" for name, value in what.items())
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sock:
            sock.setblocking(False)
            sock.sendto(text.encode(), self._address)

    async def keep_alive(self) -> None:
        """Send signs of life while the event loop goes round, if systemd asked for them (WatchdogSec=)."""
        while self._address and self._watchdog:
            self.tell(WATCHDOG="1")
            await asyncio.sleep(self._watchdog / 2)


def _is_listening(sock: socket.socket) -> bool:
    if sock.type != socket.SOCK_STREAM or not sock.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
        return False
    if sock.family == socket.AF_UNIX:
        return str(sock.getsockname()).startswith("/")
    return sock.family in (socket.AF_INET, socket.AF_INET6)
