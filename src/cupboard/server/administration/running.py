"""Where the running servers of a data folder are: each has a file there while it runs, for the shell beside it.

The file holds a key that lets the shell ask the server; it is for nobody but the owner of the folder, who may write to
the database anyway, and is worth nothing when the server has ended.
"""

from __future__ import annotations

import http.client
import logging
import os
import secrets
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec

_LOG = logging.getLogger(__name__)
_PREFIX = "running-"
_SECONDS_TO_ANSWER = 5.0
_EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}


class Running(msgspec.Struct, frozen=True):
    """A running server, as its file describes it."""

    pid: int
    machine: str
    url: str
    """What people call it."""
    key: str
    """What lets the shell ask it, sent as an admin token."""
    host: str = ""
    port: int = 0
    path: str = ""
    """Its Unix socket, where it listens on one."""

    @property
    def place(self) -> str:
        """Where it listens, in words for people."""
        return f"the socket {self.path}" if self.path else f"{self.host}:{self.port}"


@contextmanager
def running_file(folder: Path, sock: socket.socket, url: str, key: str) -> Iterator[None]:
    """Keeps the file in the data folder while the block runs. Without room for it the server runs all the same."""
    file = folder / f"{_PREFIX}{os.getpid()}.json"
    _remove_dead(folder)
    try:
        _write(file, _describe(sock, url, key))
    except OSError as error:
        _LOG.warning("%s cannot be written (%s): `cupboard admin now` will not find this server.", file, error.strerror)
    try:
        yield
    finally:
        with suppress(OSError):
            file.unlink(missing_ok=True)


def running_servers(folder: Path) -> list[Running]:
    """The servers that say that they run; one that was killed may be among them."""
    found = []
    for file in sorted(folder.glob(f"{_PREFIX}*.json")):
        with suppress(OSError, msgspec.DecodeError):
            found.append(msgspec.json.decode(file.read_bytes(), type=Running))
    return found


def ask(server: Running, path: str) -> bytes:
    """What a running server answers to a GET of administration; OSError when it cannot be reached or refuses."""
    connection = _Connection(server)
    try:
        connection.request("GET", path, headers={"X-Admin-Token": server.key})
        answer = connection.getresponse()
        if answer.status != 200:
            raise ConnectionError(None, f"it refuses with status {answer.status}")
        return answer.read()
    except http.client.HTTPException as error:
        raise ConnectionError(None, "its answer is not HTTP") from error
    finally:
        connection.close()


def is_here(server: Running) -> bool:
    """Whether the process of a server runs on this machine; one that was killed does not."""
    return server.machine == socket.gethostname() and os.name != "nt" and _is_alive(server.pid)


def new_key() -> str:
    """A key for a server that starts."""
    return secrets.token_urlsafe(24)


class _Connection(http.client.HTTPConnection):
    """A connection to a server, through its Unix socket if it has one."""

    def __init__(self, server: Running) -> None:
        super().__init__(server.host or "localhost", server.port or None, timeout=_SECONDS_TO_ANSWER)
        self._path = server.path

    def connect(self) -> None:
        if not self._path:
            super().connect()
            return
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(_SECONDS_TO_ANSWER)
        self.sock.connect(self._path)


def _describe(sock: socket.socket, url: str, key: str) -> Running:
    name: Any = sock.getsockname()
    machine = socket.gethostname()
    if isinstance(name, tuple):
        host = _EVERYWHERE.get(str(name[0]), str(name[0]))
        shown = f"[{host}]" if ":" in host else host
        return Running(os.getpid(), machine, url or f"http://{shown}:{name[1]}/", key, host, name[1])
    return Running(os.getpid(), machine, url, key, path=str(name))


def _write(file: Path, running: Running) -> None:
    file.unlink(missing_ok=True)  # of a process that had the same number
    descriptor = os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    with os.fdopen(descriptor, "wb") as out:
        out.write(msgspec.json.encode(running))


def _remove_dead(folder: Path) -> None:
    """Remove the files of servers that were killed on this machine."""
    if os.name == "nt":
        return  # asking whether a process is there would end it
    for server in running_servers(folder):
        if server.machine == socket.gethostname() and not is_here(server):
            with suppress(OSError):
                (folder / f"{_PREFIX}{server.pid}.json").unlink(missing_ok=True)
                (folder / f"{_PREFIX}{server.pid}.sock").unlink(missing_ok=True)


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True
