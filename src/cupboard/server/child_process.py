"""A child process that answers one request at a time, for work that would keep players waiting."""

from __future__ import annotations

import asyncio
import secrets
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from pathlib import Path

_PROGRAM = Path(__file__).with_name("child_program.py")
NICE = 10
"""Players come first: a child gives way to everything else on the machine."""
_IDLE_SECONDS = 60.0
"""After so long without a request the process ends: most servers seldom need it."""
_TAG_BYTES = 8


class ChildFailed(Exception):
    """The child has died, took too long or answered nonsense. It has been ended; the next request starts another."""


class ChildProcess:
    """One process, started with the first request and again whenever it has died or was idle. Callers take turns.

    `module` names the module whose function `answer` answers the requests; an answer has at most `most_bytes`. A child
    that `stays` does not end when it is idle.
    """

    def __init__(self, module: str, most_bytes: int, nice: int = NICE, stays: bool = False) -> None:
        self._module = module
        self._most_bytes = most_bytes
        self._nice = nice
        self._stays = stays
        self._process: Process | None = None
        self._ended: Process | None = None
        self._idle: asyncio.TimerHandle | None = None

    async def ask(self, request: bytes, seconds: float) -> bytes:
        """The answer to a request; ChildFailed when there is none within `seconds`, the start of the process included.

        Whoever stops waiting ends the process: its answer would be taken for that to the next request."""
        if self._idle is not None:
            self._idle.cancel()
        try:
            async with asyncio.timeout(seconds):
                answer = await self._exchange(request)
        except TimeoutError:
            await self.close()
            raise ChildFailed(f"no answer within {seconds:g} seconds") from None
        except OSError as error:
            await self.close()
            raise ChildFailed(f"{type(error).__name__}: {error}") from error
        except BaseException:
            self._end()
            raise
        if not self._stays:
            self._idle = asyncio.get_running_loop().call_later(_IDLE_SECONDS, self._end)
        return answer

    @property
    def pid(self) -> int | None:
        """The number of the process; None while there is none."""
        return None if self._process is None else self._process.pid

    async def close(self) -> None:
        """End the process, and wait until it has ended."""
        self._end()
        if self._ended is not None:
            await self._ended.wait()

    async def _exchange(self, request: bytes) -> bytes:
        if self._process is not None and self._process.returncode is not None:
            self._end()  # it has died since the last request
        process = self._process or await self._start()
        assert process.stdin is not None and process.stdout is not None
        tag = secrets.token_bytes(_TAG_BYTES)
        process.stdin.write(tag + len(request).to_bytes(4, "big") + request)
        await process.stdin.drain()
        try:
            if await process.stdout.readexactly(_TAG_BYTES) != tag:
                raise ChildFailed("the answer is to another request")
            length = int.from_bytes(await process.stdout.readexactly(4), "big")
            if length > self._most_bytes:
                raise ChildFailed(f"an answer of {length} bytes")
            return await process.stdout.readexactly(length)
        except asyncio.IncompleteReadError:
            raise ChildFailed(f"it ended with code {await process.wait()}") from None

    async def _start(self) -> Process:
        # A session of its own: Ctrl-C in a terminal is for the server, which then ends the process.
        self._process = await asyncio.create_subprocess_exec(
            sys.executable, "-P", str(_PROGRAM), self._module, str(self._nice),
            stdin=PIPE, stdout=PIPE, stderr=DEVNULL, start_new_session=True,
        )  # fmt: skip
        return self._process

    def _end(self) -> None:
        if self._idle is not None:
            self._idle.cancel()
            self._idle = None
        process, self._process = self._process, None
        if process is not None:
            self._ended = process
            if process.returncode is None:
                process.kill()
