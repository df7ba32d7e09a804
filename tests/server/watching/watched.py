"""A real server whose log is read by the test."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.server.helpers import SERVE, Server, wait_for

TO_FILE = """
import os, sys
os.dup2(os.open(sys.argv[1] + "/server.log", os.O_WRONLY | os.O_CREAT | os.O_APPEND), 2)
from cupboard.server.settings import LogSettings
"""


class WatchedServer(Server):
    """A server that logs to a file in its folder."""

    program = TO_FILE + SERVE

    @property
    def log(self) -> str:
        """All that it has logged."""
        return (self.data / "server.log").read_text()

    def events(self, name: str) -> list[dict[str, Any]]:
        """The fields of all events of a name, from a log of JSON objects."""
        told = [json.loads(line) for line in self.log.splitlines()]
        return [one["fields"] for one in told if one["event"] == name]

    def until(self, name: str, count: int = 1) -> list[dict[str, Any]]:
        """The fields of the events of a name, when there are so many."""
        wait_for(lambda: len(self.events(name)) >= count)
        return self.events(name)


@contextmanager
def watching(data: Path, prelude: str = "", **settings: Any) -> Iterator[WatchedServer]:
    """A server that logs to a file; it runs the prelude before it starts."""
    kind = type("Prepared", (WatchedServer,), {"program": TO_FILE + prelude + SERVE})
    server: WatchedServer = kind(data, **settings)
    try:
        yield server
    finally:
        server.stop()


def free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return int(sock.getsockname()[1])
