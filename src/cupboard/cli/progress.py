"""A progress bar on stderr, for work that may take long; nothing in a pipe or a log."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def progress_bar(words: str) -> Iterator[Callable[[int, int], None]]:
    """A function that is told how many steps are done, and of how many, while the block runs."""
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    from cupboard.cli.terminal import screen

    console = screen(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f} %"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, disable=not console.is_terminal, transient=True) as bar:
        task = bar.add_task(words, total=None)
        yield lambda done, of: bar.update(task, completed=done, total=of)
