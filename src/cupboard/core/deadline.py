"""Stopping compiled code that runs for long: a thread raises its flag when the time is over or the caller asks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import inf
from threading import Event, Thread
from time import perf_counter

from cupboard.core.row import Row

_POLL_SECONDS = 0.005


@contextmanager
def deadline(control: Row, flag: int, ends: float, is_stopped: Callable[[], bool] | None = None) -> Iterator[None]:
    """While the block runs, set control[flag] once `perf_counter()` passes `ends` or `is_stopped()` is true."""
    done = Event()

    def wait() -> None:
        while not done.is_set():
            left = ends - perf_counter()
            if left <= 0 or (is_stopped is not None and is_stopped()):
                control[flag] = 1
                return
            # Without anybody to ask, one sleep is enough.
            done.wait(left if is_stopped is None else min(left, _POLL_SECONDS))

    if ends < inf or is_stopped is not None:
        Thread(target=wait, name="clock", daemon=True).start()
    try:
        yield
    finally:
        done.set()
