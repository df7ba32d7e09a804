"""cupboard rules: shows the page of a game, its README.md."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from cupboard.cli.parameters import GameName, Language

if TYPE_CHECKING:
    from cupboard.core.game import Game


def rules(game: GameName, language: Language = None) -> None:
    """Show the rules of a game, numbered, with its options and its notation."""
    from cupboard.cli.language import speak
    from cupboard.core.registry import find

    speak(language)
    show_rules(find(game))


def show_rules(game: type[Game[Any]]) -> None:
    """Show the rules of a game: formatted at a terminal, with a pager if long; as plain Markdown in a pipe."""
    from importlib.resources import files

    from cupboard.cli.language import spoken
    from cupboard.cli.terminal import is_interactive, screen

    folder = files(game.__module__.rpartition(".")[0])
    own = folder / f"README.{spoken()}.md"
    page = (own if own.is_file() else folder / "README.md").read_text(encoding="utf-8")
    console = screen()
    if not console.is_terminal:
        print(page, end="")
        return
    from rich.markdown import Markdown

    # Wider lines than this are hard to read.
    drawn = Markdown(page, hyperlinks=False)
    width = min(console.width, 110)
    if not is_interactive() or len(page.splitlines()) < console.height - 2:
        console.print(drawn, width=width)
        return
    os.environ.setdefault("LESS", "-R")  # less shows colours only when told to
    with console.pager(styles=True):
        console.print(drawn, width=width)
