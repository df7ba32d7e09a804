"""A lane: the processes for one kind of work, and the requests that wait for them in the order in which they came."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from contextlib import suppress

from cupboard.server.child_process import ChildFailed, ChildProcess
from cupboard.server.jobs.kinds import MOST_REQUEST_BYTES, JobFailed, Kind

_FAITHFUL_SECONDS = 0.3
"""So long a place waits for the process that it had before, although another one is free: a bot that begins afresh is
a little weaker, one that moves late annoys."""
_MOST_PLACES = 1000


class _Request:
    """A request that waits for its turn, with the child that its place had before."""

    __slots__ = ("child", "turn", "until")

    def __init__(self, child: ChildProcess | None) -> None:
        loop = asyncio.get_running_loop()
        self.child = child
        self.until = loop.time() + _FAITHFUL_SECONDS
        self.turn: asyncio.Future[ChildProcess] = loop.create_future()

    def takes(self, child: ChildProcess) -> bool:
        return self.child in (None, child) or asyncio.get_running_loop().time() >= self.until


class Lane:
    """So many processes, each started when it is needed; the first that is free works. Idle ones end."""

    def __init__(self, kind: Kind, count: int, stays: bool = False) -> None:
        """The first process does not end when it is idle if one `stays`."""
        self.kind = kind
        self.children = [
            ChildProcess(kind.module, kind.most_bytes, kind.nice, stays and number == 0) for number in range(count)
        ]
        self._busy: set[ChildProcess] = set()
        self._requests: list[_Request] = []
        self._places: OrderedDict[str, ChildProcess] = OrderedDict()
        self._work: set[asyncio.Task[bytes]] = set()

    @property
    def waiting(self) -> int:
        """How many requests wait for a process."""
        return len(self._requests)

    @property
    def running(self) -> int:
        """How many processes work."""
        return len(self._busy)

    async def run(self, request: bytes, seconds: float, before: bytes | None, place: str) -> bytes:
        """See `Jobs.run`. What has begun when whoever asked stops waiting goes on: a new process would take longer."""
        if len(request) > MOST_REQUEST_BYTES:
            raise JobFailed(f"a request of {len(request)} bytes")
        child = await self._turn(place)
        task = asyncio.ensure_future(self._ask(child, request, seconds, before))
        self._work.add(task)
        task.add_done_callback(self._done)
        return await asyncio.shield(task)

    async def close(self) -> None:
        """Cancel all requests, and end the processes."""
        for request in self._requests:
            request.turn.cancel()
        self._requests.clear()
        tasks = list(self._work)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for child in self.children:
            await child.close()

    async def _turn(self, place: str) -> ChildProcess:
        """A process that is free, which counts as busy from now on."""
        request = _Request(self._places.get(place) if place else None)
        self._requests.append(request)
        self._hand_out()
        if request.child is not None and not request.turn.done():
            asyncio.get_running_loop().call_later(_FAITHFUL_SECONDS, self._hand_out)
        try:
            child = await request.turn
        except asyncio.CancelledError:
            if request.turn.cancelled():
                with suppress(ValueError):
                    self._requests.remove(request)
            else:
                self._give_back(request.turn.result())
            raise
        if place:
            self._places[place] = child
            self._places.move_to_end(place)
            if len(self._places) > _MOST_PLACES:
                self._places.popitem(last=False)
        return child

    def _hand_out(self) -> None:
        """Give every free process to the first request that takes it."""
        for child in self.children:
            if child not in self._busy:
                request = next((one for one in self._requests if one.takes(child)), None)
                if request is not None:
                    self._requests.remove(request)
                    self._busy.add(child)
                    request.turn.set_result(child)

    def _give_back(self, child: ChildProcess) -> None:
        self._busy.discard(child)
        self._hand_out()

    async def _ask(self, child: ChildProcess, request: bytes, seconds: float, before: bytes | None) -> bytes:
        try:
            if before is not None:
                await child.ask(before, self.kind.seconds_to_load)
            return await child.ask(request, seconds)
        except ChildFailed as error:
            raise JobFailed(str(error)) from error
        finally:
            self._give_back(child)

    def _done(self, task: asyncio.Task[bytes]) -> None:
        self._work.discard(task)
        if not task.cancelled():
            task.exception()  # nobody may be left to look at it, which is no fault
