"""cupboard rules: shows the page of a game, its README.md, or single rules of it by number or by a word."""

from __future__ import annotations

import os
import re
import unicodedata
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cupboard.cli.parameters import GameName, Language

if TYPE_CHECKING:
    from cupboard.core.game import Game


Wanted = Annotated[
    list[str] | None,
    typer.Argument(metavar="[NUMBER|WORD]...", help="The number of a rule, or words to look for.", show_default=False),
]


def rules(game: GameName, wanted: Wanted = None, language: Language = None) -> None:
    """Show the rules of a game, numbered, with its options and its notation; or only one, or those with a word."""
    from cupboard.cli.language import speak
    from cupboard.core.registry import find

    speak(language)
    if wanted:
        show_found(find(game), " ".join(wanted))
    else:
        show_rules(find(game))


def show_found(game: type[Game[Any]], wanted: str) -> None:
    """Show the rule of this number, or every rule in which all these words, or what begins like them, occur."""
    from cupboard.cli.language import spoken, told
    from cupboard.cli.terminal import say
    from cupboard.core.errors import BadOption
    from cupboard.core.rule_pages import rule_page
    from cupboard.core.words import phrase

    page = rule_page(game, spoken())
    known = page.rules if page else {}
    one = known.get(wanted.upper().replace(" ", "-"))
    found = [one] if one else [rule for rule in known.values() if _has(rule.plain, wanted)]
    if not found:
        raise BadOption(told(phrase("rules.none", wanted=wanted, game=game.title, name=game.name)))
    for rule in found:
        say(f"{rule.number}  {rule.plain}")


_LETTERS = str.maketrans({"ł": "l", "ø": "o", "æ": "ae", "œ": "oe", "đ": "d"})
"""Letters that are no plain letter with a mark."""


def _has(text: str, wanted: str) -> bool:
    """Whether each of the words wanted begins a word of the text, whatever their accents and capitals."""
    words = _folded(text)
    return all(any(word.startswith(part) for word in words) for part in _folded(wanted))


def _folded(text: str) -> list[str]:
    plain = unicodedata.normalize("NFD", text.casefold().translate(_LETTERS))
    return re.findall(r"\w+", "".join(letter for letter in plain if not unicodedata.combining(letter)))


def show_rules(game: type[Game[Any]]) -> None:
    """Show the rules of a game: formatted at a terminal, with a pager if long; as plain Markdown in a pipe."""
    from cupboard.cli.language import spoken
    from cupboard.cli.terminal import is_interactive, screen
    from cupboard.core.rule_pages import rule_text

    page, _ = rule_text(game, spoken())
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
