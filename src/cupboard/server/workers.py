"""Several processes that serve on one socket: started, started again when they die, and restarted one after the other.

Each is a whole server; the database makes them one cluster. They inherit the listening socket, so that while one of
them is restarted those who knock are let in by the others.
"""

from __future__ import annotations

import asyncio
import logging
import os
import pickle
import signal
import socket
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import msgspec

from cupboard.server.addresses import parse_address
from cupboard.server.errors import BadSettings, Busy
from cupboard.server.settings import ServerSettings
from cupboard.server.systemd import Notifier
from cupboard.server.watching.log import logging_to_stderr
from cupboard.server.watching.notes import Note
from cupboard.server.worker import FAILED, SAID, STARTED

_LOG = logging.getLogger(__name__)
_SECONDS_TO_END = 15.0
_PAUSES = (0.2, 1.0, 3.0, 10.0)
"""Seconds before a process that died is started again; the last again and again while it dies soon after its start."""
_LONG_ENOUGH = 30.0
"""A process that has served for so many seconds is started again without much of a pause."""


def check_workers(settings: ServerSettings) -> None:
    """BadSettings when several processes are asked for, and cannot be."""
    if settings.workers > 1 and not settings.database:
        raise BadSettings(
            "Several processes need PostgreSQL: name its address with --database, or leave out --workers. "
            "One process on a file serves hundreds of tables."
        )
    if settings.workers > 1 and os.name == "nt":
        raise BadSettings("Several processes on one port are not possible on Windows: leave out --workers.")


def serve_with_workers(
    settings: ServerSettings, sock: socket.socket, started: Callable[[], Any], say: Callable[[str], Any]
) -> None:
    """Serve with several processes until Ctrl-C or SIGTERM; SIGHUP restarts them one after the other.

    `started` is called when all answer, `say` with what the first of them announces. Busy if the first cannot start."""
    with logging_to_stderr(settings.log):
        asyncio.run(_Workers(settings, sock, started, say).run())


class _Workers:
    def __init__(
        self, settings: ServerSettings, sock: socket.socket, started: Callable[[], Any], say: Callable[[str], Any]
    ) -> None:
        self._settings = settings
        self._sock = sock
        self._started = started
        self._say = say
        self._notifier = Notifier()
        self._ending = asyncio.Event()
        self._workers = [_Worker(self._settings_of(n), sock, n, self._hears(n)) for n in range(settings.workers)]
        self._restarting: asyncio.Task[None] | None = None

    async def run(self) -> None:
        loop = asyncio.get_running_loop()
        for wish in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(wish, self._ending.set)
        loop.add_signal_handler(signal.SIGHUP, self._restart)
        alive = asyncio.create_task(self._notifier.keep_alive())
        watching: list[asyncio.Task[None]] = []
        try:
            # The first brings the database up to date, and is told what is wrong with it.
            for worker in self._workers:
                if not await self._unless_ending(worker.start()):
                    break
                watching.append(asyncio.create_task(worker.watch()))
            else:
                self._notifier.tell(READY="1", STATUS=f"{len(self._workers)} processes answer requests.")
                await asyncio.to_thread(self._started)
                await self._ending.wait()
        finally:
            self._notifier.tell(STOPPING="1", STATUS="The server is ending.")
            alive.cancel()
            if self._restarting is not None:
                self._restarting.cancel()
            for task in watching:
                task.cancel()
            await asyncio.gather(*(worker.end() for worker in self._workers))

    async def _unless_ending(self, starting: Any) -> bool:
        """Whether a process has started before the end was wished for."""
        tasks = {asyncio.ensure_future(starting), asyncio.ensure_future(self._ending.wait())}
        done, waiting = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in waiting:
            task.cancel()
        for task in done:
            task.result()
        return not self._ending.is_set()

    def _restart(self) -> None:
        if self._restarting is None or self._restarting.done():
            self._restarting = asyncio.create_task(self._restart_all())

    async def _restart_all(self) -> None:
        """Restart all processes, one after the other."""
        self._notifier.tell(RELOADING="1", MONOTONIC_USEC=str(time.monotonic_ns() // 1000))
        for worker in self._workers:
            _LOG.info(Note("worker-restarts", worker=worker.number))
            await worker.restart()
        self._notifier.tell(READY="1", STATUS=f"{len(self._workers)} processes answer requests.")

    def _settings_of(self, n: int) -> ServerSettings:
        """The settings of a process: its figures have a port of their own."""
        if not self._settings.metrics:
            return self._settings
        host, port = parse_address(self._settings.metrics)
        shown = f"[{host}]" if ":" in host else host
        return msgspec.structs.replace(self._settings, metrics=f"{shown}:{port + n}")

    def _hears(self, n: int) -> Callable[[str], Any]:
        return self._say if n == 0 else lambda _: None


class _Worker:
    """One of the processes."""

    def __init__(self, settings: ServerSettings, sock: socket.socket, number: int, say: Callable[[str], Any]) -> None:
        self.number = number
        self._settings = settings
        self._sock = sock
        self._say = say
        self._process: Process | None = None
        self._listening: asyncio.Task[None] | None = None
        self._answers = asyncio.Event()
        self._why = ""
        self._tries = 0
        self._is_restarting = False

    async def start(self) -> None:
        """Start the process, and wait until it answers requests; Busy when it ends instead."""
        # A group of its own: Ctrl-C in a terminal is for the process that started it.
        number = self._sock.fileno()
        self._process = process = await asyncio.create_subprocess_exec(
            sys.executable, "-P", "-m", "cupboard.server.worker", str(number),
            stdin=PIPE, stdout=PIPE, pass_fds=[number], start_new_session=True,
        )  # fmt: skip
        assert process.stdin is not None
        self._answers.clear()
        self._why = ""
        self._listening = asyncio.create_task(self._listen(process))
        process.stdin.write(pickle.dumps(self._settings))
        with suppress(ConnectionError):
            await process.stdin.drain()
        answers = asyncio.create_task(self._answers.wait())
        await asyncio.wait({answers, self._listening}, return_when=asyncio.FIRST_COMPLETED)
        answers.cancel()
        if not self._answers.is_set():
            raise Busy(self._why or f"A server process has ended with code {await process.wait()}.")

    async def _listen(self, process: Process) -> None:
        assert process.stdout is not None
        async for line in process.stdout:
            kind, _, text = line.decode(errors="replace").rstrip("\n").partition(" ")
            if kind == STARTED:
                self._answers.set()
            elif kind == FAILED:
                self._why = text
            elif kind == SAID:
                self._say(text)

    async def watch(self) -> None:
        """Start the process again whenever it has ended, for as long as the server runs."""
        while True:
            began = time.monotonic()
            process = self._process
            if process is not None:
                code = await process.wait()
                if process is not self._process or self._is_restarting:
                    await asyncio.sleep(0.1)
                    continue
                _LOG.error(Note("worker-ended", worker=self.number, code=code, why=self._why))
            self._tries = 0 if time.monotonic() - began > _LONG_ENOUGH else self._tries + 1
            await asyncio.sleep(_PAUSES[min(self._tries, len(_PAUSES)) - 1 if self._tries else 0])
            try:
                await self.start()
            except (Busy, OSError) as error:
                _LOG.error(Note("worker-cannot-start", worker=self.number, why=str(error)))

    async def restart(self) -> None:
        """End the process and start it again; it is left to `watch` if that cannot be done."""
        self._is_restarting = True
        try:
            await self.end()
            await self.start()
        except (Busy, OSError) as error:
            _LOG.error(Note("worker-cannot-start", worker=self.number, why=str(error)))
        finally:
            self._is_restarting = False

    async def end(self) -> None:
        """End the process: with SIGTERM, and if that takes too long with SIGKILL."""
        process = self._process
        if process is None:
            return
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.terminate()
            try:
                await asyncio.wait_for(process.wait(), _SECONDS_TO_END)
            except TimeoutError:
                process.kill()
                await process.wait()
        if self._listening is not None:
            await self._listening
