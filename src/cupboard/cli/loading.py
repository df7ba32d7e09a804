"""Opening a game: options read, and a word on the screen while its engine is compiled the first time."""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from cupboard.core.game import Game, Seat
    from cupboard.core.words import Text

PATIENCE_SECONDS = 0.5
"""Nobody wonders about a shorter wait."""
WORD_EVERY_SECONDS = 5.0
"""How often a log hears that the work goes on."""


def open_game(
    name: str, seats: int | None = None, profile: str | None = None, options: Iterable[str] = ()
) -> Game[Any]:
    """The game with its options, its engine loaded."""
    from cupboard.core.registry import load_with

    game = load_with(name, seats, read_options(profile, options))
    warm_up(game)
    return game


def warm_up(game: Game[Any]) -> None:
    """Load the game's engine; say so if it must be compiled."""
    with building(game.title):
        assert game.kernel


def read_options(profile: str | None, options: Iterable[str]) -> dict[str, str]:
    """`name=value` words as a dict, the profile among them; what they mean the game will say."""
    given = {}
    for word in options:
        option, equals, value = word.partition("=")
        if not equals or not option.strip():
            raise typer.BadParameter(f"{word!r} is not written name=value.", param_hint="--option")
        given[option.strip().replace("-", "_")] = value.strip()
    return given | ({"profile": profile} if profile is not None else {})


def read_seat(game: Game[Any], text: str) -> Seat:
    """The seat a letter (A) or a colour (red) means."""
    from cupboard.core.errors import BadOption
    from cupboard.core.game import letter
    from cupboard.core.options import one_of

    for seat in range(game.seats):
        if text.strip().lower() in (letter(seat).lower(), str(game.seat_name(seat)).lower()):
            return seat
    words = one_of(f"{letter(seat)} ({game.seat_name(seat)})" for seat in range(game.seats))
    raise BadOption(f"There is no seat {text[:20]!r}: it is {words}.")


class Progress:
    """What the compiler has done so far; it reports only what its cache does not hold."""

    def __init__(self, title: Text) -> None:
        self.title = title
        self.begun = time.monotonic()
        self.parts = 0
        self.stopped = False
        self.done = threading.Event()

    def __str__(self) -> str:
        return f"part {self.parts}, {self.seconds} s"

    @property
    def seconds(self) -> int:
        """How long it has taken so far."""
        return round(time.monotonic() - self.begun)


@contextmanager
def building(title: Text, at_first: Callable[[], object] | None = None) -> Iterator[Progress]:
    """Say on stderr why it takes so long, if what happens here must compile, and how far it is.

    `at_first` is called once when there is something to compile.
    """
    progress = Progress(title)
    watcher = threading.Thread(target=_watch, args=(progress,), daemon=True)
    watcher.start()
    try:
        from numba.core import event

        class Notice(event.Listener):
            def on_start(self, event: object) -> None:
                progress.parts += 1
                if progress.stopped:
                    raise KeyboardInterrupt
                if progress.parts == 1 and at_first is not None:
                    at_first()

            def on_end(self, event: object) -> None:
                pass

        with event.install_listener("numba:compile", Notice()), _remembering_ctrl_c(progress):
            yield progress
    finally:
        progress.done.set()
        watcher.join()


@contextmanager
def _remembering_ctrl_c(progress: Progress) -> Iterator[None]:
    """An interrupt within the compiler's callbacks is lost: remember it until the next part begins."""
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


def _watch(progress: Progress) -> None:
    if progress.done.wait(PATIENCE_SECONDS):
        return
    words = f"Building the {progress.title} engine, once on this machine"
    if not sys.stderr.isatty():
        _print_now_and_then(words, progress)
        return
    from cupboard.cli.terminal import screen

    with screen(stderr=True).status(f"Opening {progress.title} …") as status:
        while not progress.done.wait(0.1):
            if progress.parts:
                status.update(f"{words}: {progress} …")


def _print_now_and_then(words: str, progress: Progress) -> None:
    """For a log or a pipe: what is being done, then every few seconds that it still is."""
    while not progress.parts:
        if progress.done.wait(0.05):
            return
    print(f"{words} …", file=sys.stderr, flush=True)
    while not progress.done.wait(WORD_EVERY_SECONDS):
        print(f"  still building: {progress} …", file=sys.stderr, flush=True)
