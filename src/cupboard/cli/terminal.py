"""The terminal: what is printed and what is asked. Rich and prompt_toolkit are imported only when used."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from prompt_toolkit.completion import Completer
    from rich.console import Console, RenderableType

Complete = Callable[[str], Iterable[str]]
"""What a line that begins so may become."""


def is_interactive() -> bool:
    """Whether a person sits there: both the keyboard and the screen are a terminal's."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def screen(stderr: bool = False) -> Console:
    """The console for what was asked for, or for what is only said beside it (stderr)."""
    from rich.console import Console

    return Console(stderr=stderr, markup=False, highlight=False, emoji=False)


def say(*things: RenderableType, style: str = "") -> None:
    """Print for the person: wrapped at words on a terminal, never wrapped or cut in a pipe."""
    console = screen()
    console.print(*things, style=style or None, soft_wrap=not console.is_terminal)


def show(text: RenderableType) -> None:
    """Print lines that must stay as they are: a board."""
    screen().print(text, soft_wrap=True)


def table(header: Sequence[str], rows: Sequence[Sequence[str]], right: Iterable[int] = ()) -> None:
    """Print rows under a header: drawn and wrapped to fit on a terminal, aligned text in a pipe."""
    numbers = set(right)
    console = screen()
    if console.is_terminal:
        from rich.table import Table

        drawn = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
        for column, name in enumerate(header):
            drawn.add_column(name, justify="right" if column in numbers else "left", no_wrap=column + 1 < len(header))
        for row in rows:
            drawn.add_row(*row)
        console.print(drawn)
        return
    widths = [max(len(row[column]) for row in (header, *rows)) for column in range(len(header))]
    for row in (header, *rows):
        words = (
            word.rjust(width) if column in numbers else word.ljust(width)
            for column, (word, width) in enumerate(zip(row, widths, strict=True))
        )
        print("  ".join(words).rstrip())


def clear() -> None:
    """Wipe the screen and what could be scrolled back to."""
    if sys.stdout.isatty():
        sys.stdout.write("\x1b[H\x1b[2J\x1b[3J")
        sys.stdout.flush()


@contextmanager
def waiting(words: str) -> Iterator[None]:
    """A spinner on stderr while something takes its time; nothing in a pipe."""
    console = screen(stderr=True)
    if console.is_terminal:
        with console.status(words):
            yield
    else:
        yield


def ask(question: str, complete: Complete | None = None) -> str:
    """The line the person answers, stripped; Tab completes it at a terminal. EOFError when there is no more."""
    sys.stdout.flush()
    if is_interactive():
        from prompt_toolkit import prompt

        completer = _completer(complete) if complete else None
        return prompt(question, completer=completer, complete_while_typing=False).strip()
    sys.stdout.write(question)
    sys.stdout.flush()
    line = sys.stdin.readline()
    # Nobody's typing is echoed into a pipe: do it, so that the output reads like a session.
    sys.stdout.write(f"{line.rstrip()}\n")
    if not line:
        raise EOFError
    return line.strip()


def confirm(question: str, default: bool = False) -> bool:
    """Yes or no; an empty line means `default`."""
    while True:
        answer = ask(f"{question} [{'Y/n' if default else 'y/N'}] ").lower()
        if not answer:
            return default
        if answer in ("y", "yes", "n", "no"):
            return answer.startswith("y")
        say("Please answer yes or no.")


@contextmanager
def keys() -> Iterator[Callable[[], str]]:
    """A function that waits for the next key; what is typed ahead is not lost. EOFError when there is no more."""
    try:
        import termios
        import tty
    except ImportError:  # Windows
        from typer import getchar

        yield getchar
        return
    keyboard = sys.stdin.fileno()
    before = termios.tcgetattr(keyboard)
    waiting_keys: list[str] = []

    def next_key() -> str:
        if not waiting_keys:
            typed = os.read(keyboard, 64).decode(errors="replace")
            if not typed:
                raise EOFError
            waiting_keys.extend(_KEY.findall(typed))
        return waiting_keys.pop(0)

    try:
        tty.setcbreak(keyboard, termios.TCSANOW)
        yield next_key
    finally:
        termios.tcsetattr(keyboard, termios.TCSANOW, before)


_KEY = re.compile(r"\x1b(?:\[[0-9;]*[A-Za-z~]|O[A-Z])?|[^\x1b]")


def _completer(complete: Complete) -> Completer:
    from prompt_toolkit.completion import CompleteEvent, Completer, Completion
    from prompt_toolkit.document import Document

    class Words(Completer):
        def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Completion]:
            typed = document.text_before_cursor.lstrip()
            for word in complete(typed):
                yield Completion(word, start_position=-len(typed))

    return Words()
