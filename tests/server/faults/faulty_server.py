"""A server that is killed, frozen and started again on the same port."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
from pathlib import Path

from tests.server.program import Program


class FaultyServer:
    """`cupboard serve` with options of its own; `is_up` says whether a load balancer would send people there."""

    def __init__(self, name: str, folder: Path, *options: object) -> None:
        self.name = name
        self._folder = folder
        self._options = options
        self.port = _free_port()
        self.is_up = False
        self._runs = False
        self.logs: list[str] = []
        """All that its processes have logged."""

    async def start(self) -> None:
        """Start the process, and wait until it answers."""
        self._program = Program(self._folder, "--port", self.port, *self._options)
        self._runs = True
        self.logs = [*self.logs, f"--- {self.name} started"]
        await asyncio.to_thread(self._program.wait)
        if "is laid" not in " ".join(self._program.said):
            await self._end(signal.SIGTERM)
            raise AssertionError(f"{self.name} did not start: {self._program.said} {self.logs}")
        self.is_up = True

    @property
    def has_ended(self) -> bool:
        """Whether the process is gone although nobody killed it."""
        return self.is_up and self._program.process.poll() is not None

    @property
    def log(self) -> list[str]:
        """All that its processes have logged, the present one's too."""
        return self.logs + (self._program.log if self._runs else [])

    async def kill(self) -> None:
        """End the process with SIGKILL."""
        self.is_up = False
        await self._end(signal.SIGKILL)

    def freeze(self) -> None:
        """Stop the process where it is; its sockets stay open."""
        self.is_up = False
        os.kill(self._program.process.pid, signal.SIGSTOP)

    def thaw(self) -> None:
        """Let the process go on."""
        os.kill(self._program.process.pid, signal.SIGCONT)
        self.is_up = True

    async def end(self) -> None:
        """End the process for good."""
        if self._runs:
            self._program.process.send_signal(signal.SIGCONT)
            self.is_up = False
            await self._end(signal.SIGTERM)

    async def _end(self, sign: signal.Signals) -> None:
        self._runs = False
        await asyncio.to_thread(self._program.end, sign)
        self.logs += self._program.log
        self._program.log.clear()


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])
