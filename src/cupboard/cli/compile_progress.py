"""Progress on stderr while compiled code is built, which happens once on a machine and may take a minute."""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from cupboard.cli.language import told
from cupboard.core.words import phrase

if TYPE_CHECKING:
    from cupboard.core.game import Game
    from cupboard.core.words import Text

PATIENCE_SECONDS = 0.5
"""A shorter wait is not worth a message."""
WORD_EVERY_SECONDS = 5.0
"""How often a line is printed where stderr is a log or a pipe."""


def load_kernel(game: Game[Any]) -> None:
    """Load the game's kernel, with progress on stderr if it must be compiled."""
    with compile_progress(game.title):
        assert game.kernel


class CompileProgress:
    """How much numba has compiled so far. Code from its cache is not counted."""

    def __init__(self, title: Text) -> None:
        self.title = title
        self.begun = time.monotonic()
        self.parts = 0
        self.stopped = False
        self.done = threading.Event()

    def __str__(self) -> str:
        return told(phrase("terminal.part", n=self.parts, count=self.seconds))

    @property
    def seconds(self) -> int:
        """The time since the beginning, in whole seconds."""
        return round(time.monotonic() - self.begun)


@contextmanager
def compile_progress(title: Text) -> Iterator[None]:
    """While the block runs, show on stderr what is being compiled and how far it is; nothing if nothing is."""
    progress = CompileProgress(title)
    watcher = threading.Thread(target=_watch, args=(progress,), daemon=True)
    watcher.start()
    try:
        from numba.core import event

        class Notice(event.Listener):
            def on_start(self, event: object) -> None:
                progress.parts += 1
                if progress.stopped:
                    raise KeyboardInterrupt

            def on_end(self, event: object) -> None:
                pass

        with event.install_listener("numba:compile", Notice()), _remembering_ctrl_c(progress):
            yield
    finally:
        progress.done.set()
        watcher.join()


@contextmanager
def _remembering_ctrl_c(progress: CompileProgress) -> Iterator[None]:
    """Note a Ctrl-C: numba drops exceptions in its callbacks, so it is raised again when the next part begins."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(*_: object) -> None:
        progress.stopped = True
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _watch(progress: CompileProgress) -> None:
    if progress.done.wait(PATIENCE_SECONDS):
        return
    words = told(phrase("terminal.building", game=progress.title))
    if not sys.stderr.isatty():
        _print_now_and_then(words, progress)
        return
    from cupboard.cli.terminal import screen

    with screen(stderr=True).status(told(phrase("terminal.opening", game=progress.title))) as status:
        while not progress.done.wait(0.1):
            if progress.parts:
                status.update(f"{words}: {progress} …")


def _print_now_and_then(words: str, progress: CompileProgress) -> None:
    """For a log or a pipe: print one line at the beginning, then one every few seconds."""
    while not progress.parts:
        if progress.done.wait(0.05):
            return
    print(f"{words} …", file=sys.stderr, flush=True)
    while not progress.done.wait(WORD_EVERY_SECONDS):
        print("  " + told(phrase("terminal.stillBuilding", progress=str(progress))), file=sys.stderr, flush=True)
