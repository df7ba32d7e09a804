"""A Unix socket to listen at: a file that a proxy on the same computer connects to, and nobody else can."""

from __future__ import annotations

import os
import socket
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from cupboard.server.errors import Busy

_NOBODY_ELSE = 0o117
"""What is taken from the file's permissions: left are the user and the group, which the proxy's user is to be in."""
_PATIENCE = 2.0


@contextmanager
def listening_at(path: Path) -> Iterator[socket.socket]:
    """A socket that listens at the path, which is removed in the end. Busy says why that cannot be.

    A socket that a killed server left there is replaced. What is no socket, or has a server behind it, stays as it is.
    """
    if not hasattr(socket, "AF_UNIX"):
        raise Busy("There are no Unix sockets on this system: listen at a --port.")
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as sock:
        before = os.umask(_NOBODY_ELSE)
        try:
            _make_way(path)
            sock.bind(str(path))
            sock.listen(2048)
        except OSError as error:
            raise Busy(f"Cannot listen at {path}: {error.strerror or error}.") from error
        finally:
            os.umask(before)
        made = os.lstat(path)
        try:
            yield sock
        finally:
            with suppress(OSError):
                now = os.lstat(path)
                if (now.st_dev, now.st_ino) == (made.st_dev, made.st_ino):  # another server may have replaced it
                    path.unlink()


def _make_way(path: Path) -> None:
    """Remove a socket that nobody listens at; Busy if there is anything else."""
    try:
        found = os.lstat(path)
    except FileNotFoundError:
        return
    if not stat.S_ISSOCK(found.st_mode):
        raise Busy(f"{path} is there, and is no socket. Name another path with --socket, or remove it.")
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(_PATIENCE)
        try:
            probe.connect(str(path))
        except ConnectionRefusedError:
            path.unlink()
        except FileNotFoundError:
            return
        else:
            raise Busy(f"Another server listens at {path}. Name another path with --socket, or end it.")
