"""`cupboard serve` as a subprocess, as an administrator starts it: its options, its environment and its log."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

PROGRAM = [sys.executable, "-W", "error", "-c", "from cupboard.cli import main; main()"]
_NEVER_INHERITED = ("NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID", "LISTEN_PID", "LISTEN_FDS")
_AS_SYSTEMD = """
import os, sys
os.dup2(int(sys.argv[1]), 3)
os.environ["LISTEN_PID"] = str(os.getpid())
os.execv(sys.argv[2], sys.argv[2:])
"""
"""Has the program find its socket as file 3, and its own id in a variable."""


_TOLD_ELSEWHERE = re.compile(r"^\S+ (INFO|WARNING refused|WARNING connection-refused) ")
"""Events of the log that tests/server/watching looks at."""


class Program:
    """A running `cupboard serve`. Its folder keeps a settings file that leaves the games uncompiled."""

    def __init__(self, folder: Path, *options: object, passed: socket.socket | None = None, **variables: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        settings = folder / "test.toml"
        settings.write_text(f"data = {str(folder / 'data')!r}\nwarm = false\nbot-pause = 0.0\npatience = 180.0\n")
        words = [*PROGRAM, "serve", "--settings", str(settings), *map(str, options)]
        environment = {name: value for name, value in os.environ.items() if name not in _NEVER_INHERITED}
        more: dict[str, Any] = {}
        if passed is not None:  # as systemd does: it is file 3 of the process with this id
            words = [sys.executable, "-I", "-S", "-c", _AS_SYSTEMD, str(passed.fileno()), *words]
            more, variables = {"pass_fds": [passed.fileno()]}, {"LISTEN_FDS": "1"} | variables
        self.process = subprocess.Popen(
            words,
            env=environment | {"BROWSER": "false"} | variables,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            **more,
        )
        self.said: list[str] = []
        self.log: list[str] = []
        self._laid = threading.Event()
        self._readers = [
            threading.Thread(target=self._read, args=(self.process.stdout, self.said), daemon=True),
            threading.Thread(target=self._read, args=(self.process.stderr, self.log), daemon=True),
        ]
        for reader in self._readers:
            reader.start()

    def _read(self, stream: Any, lines: list[str]) -> None:
        for line in stream:
            lines.append(line.rstrip("\n"))
            if "is laid" in line:
                self._laid.set()
        self._laid.set()

    @property
    def url(self) -> str:
        """Where it says that the table is laid."""
        assert self._laid.wait(60)
        (line,) = [line for line in self.said if "is laid at http" in line]
        return line.rpartition(" ")[2].rstrip("/")

    @property
    def advice(self) -> list[str]:
        """What it wrote on standard error for whoever runs it: neither that it started, nor each kind of refusal."""
        return [line for line in self.log if not _TOLD_ELSEWHERE.search(line)]

    def wait(self) -> None:
        """Wait until it answers requests, or has ended."""
        assert self._laid.wait(60)

    def end(self, sign: signal.Signals = signal.SIGTERM) -> int:
        """End it, and return its exit code; all that it said and logged is there then."""
        if self.process.poll() is None:
            self.process.send_signal(sign)
        code = self.process.wait(20)
        for reader in self._readers:
            reader.join(10)
        for stream in (self.process.stdout, self.process.stderr):
            assert stream is not None
            stream.close()
        return code


@contextmanager
def running(folder: Path, *options: object, **more: Any) -> Iterator[Program]:
    program = Program(folder, *options, **more)
    try:
        program.wait()
        yield program
    finally:
        program.end()


def at_socket(path: Path, **more: Any) -> httpx.Client:
    """An HTTP client at a Unix socket."""
    return httpx.Client(base_url="http://localhost", transport=httpx.HTTPTransport(uds=str(path)), timeout=60, **more)
