"""The terminal: printing, tables, questions and keys. Rich and prompt_toolkit are imported only when used."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from cupboard.cli.language import told
from cupboard.core.words import phrase

if TYPE_CHECKING:
    from prompt_toolkit.completion import Completer
    from rich.console import Console, RenderableType

Complete = Callable[[str], Iterable[str]]
"""A function from a typed text to the lines that it may be completed to."""


def is_interactive() -> bool:
    """Whether both standard input and standard output are a terminal."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def screen(stderr: bool = False) -> Console:
    """A Rich console for standard output, or for standard error, without markup or highlighting."""
    from rich.console import Console

    return Console(stderr=stderr, markup=False, highlight=False, emoji=False)


def say(*things: RenderableType, style: str = "") -> None:
    """Print text: wrapped at words on a terminal, never wrapped or cut in a pipe."""
    console = screen()
    console.print(*things, style=style or None, soft_wrap=not console.is_terminal)


def show(text: RenderableType) -> None:
    """Print lines that must not be wrapped, such as a board."""
    screen().print(text, soft_wrap=True)


def print_table(header: Sequence[str], rows: Sequence[Sequence[str]], right: Iterable[int] = ()) -> None:
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
    """Clear the terminal and its scroll-back. Does nothing in a pipe."""
    if sys.stdout.isatty():
        sys.stdout.write("\x1b[H\x1b[2J\x1b[3J")
        sys.stdout.flush()


@contextmanager
def spinner(words: str) -> Iterator[None]:
    """Show a spinner with these words on stderr while the block runs; nothing in a pipe."""
    console = screen(stderr=True)
    if console.is_terminal:
        with console.status(words):
            yield
    else:
        yield


def ask(question: str, complete: Complete | None = None) -> str:
    """Ask a question and return the answer, stripped; Tab completes it at a terminal. EOFError at the end of input."""
    sys.stdout.flush()
    if is_interactive():
        from prompt_toolkit import prompt

        completer = _completer(complete) if complete else None
        return prompt(question, completer=completer, complete_while_typing=False).strip()
    sys.stdout.write(question)
    sys.stdout.flush()
    line = sys.stdin.readline()
    # In a pipe the input is not echoed: print it, so that the output reads like a session.
    sys.stdout.write(f"{line.rstrip()}\n")
    if not line:
        raise EOFError
    return line.strip()


def confirm(question: str, default: bool = False) -> bool:
    """Ask until the answer is yes or no, in the reader's language or in English; an empty line means `default`."""
    yes, no = (told(answer).split(", ") for answer in (phrase("terminal.yes"), phrase("terminal.no")))
    choice = f"{yes[-1].upper()}/{no[-1]}" if default else f"{yes[-1]}/{no[-1].upper()}"
    while True:
        answer = ask(f"{question} [{choice}] ").lower()
        if not answer:
            return default
        if answer in (*yes, *no, "y", "yes", "n", "no"):
            return answer not in (*no, "n", "no")
        say(told(phrase("terminal.yesNo", yes=yes[0], no=no[0])))


@contextmanager
def read_keys() -> Iterator[Callable[[], str]]:
    """A function that waits for the next key and keeps keys typed ahead. It raises EOFError at the end of the input."""
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
