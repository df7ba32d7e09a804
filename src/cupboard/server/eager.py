"""Coroutines that start at once: most of what a client asks is done without ever waiting.

A task of its own would cost each message two turns of the event loop. Python 3.12 has this as `eager_start`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Generator
from types import coroutine
from typing import Any


def start(work: Coroutine[Any, Any, None]) -> asyncio.Task[None] | None:
    """Run `work` here and now until it must wait; the task that does the rest, or None when it is done."""
    try:
        awaited = work.send(None)
    except StopIteration:
        return None
    return asyncio.get_running_loop().create_task(_rest(work, awaited))


@coroutine
def _rest(work: Coroutine[Any, Any, None], awaited: Any) -> Generator[Any, Any, None]:
    """Hand on to the event loop what `work` waits for, and to `work` what comes of it, a cancellation too."""
    while True:
        try:
            try:
                answer = yield awaited
            except BaseException as error:
                awaited = work.throw(error)
            else:
                awaited = work.send(answer)
        except StopIteration:
            return
