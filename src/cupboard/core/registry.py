"""The games there are, which is the listing of the games folder."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from cupboard.core.errors import UnknownGame
from cupboard.core.game import Game
from cupboard.core.options import read_options
from cupboard.core.words import listed, phrase, quoted, sentences

_ARGUMENTS = ("self", "name", "seats")
"""Names that Python would take for arguments of a game rather than for options."""


@cache
def names() -> tuple[str, ...]:
    """The games' names in alphabetical order: "chinese-checkers" …"""
    home = import_module("cupboard.games")  # by name: core knows of no game, the folder does
    return tuple(sorted(module.name.replace("_", "-") for module in iter_modules(home.__path__) if module.ispkg))


def find(name: str) -> type[Game[Any]]:
    """The class of the game of this name; UnknownGame if there is none."""
    plain = name.strip().lower().replace("_", "-").replace(" ", "-")
    if plain not in names():
        close = get_close_matches(plain, names(), 1, 0.5)
        hint = phrase("unknown.close", name=close[0]) if close else phrase("unknown.known", names=listed(*names()))
        raise UnknownGame(sentences(phrase("unknown.game", name=quoted(name[:40])), hint))
    game: type[Game[Any]] = import_module(f"cupboard.games.{plain.replace('-', '_')}").GAME
    return game


def load(name: str, seats: int | None = None, **options: object) -> Game[Any]:
    """The game of this name for so many seats, with these options."""
    return find(name)(seats, **options)


def load_with(name: str, seats: int | None, options: Mapping[str, object]) -> Game[Any]:
    """The game with options as a record, a client or a shell spells them; BadOption for unknown names."""
    kind = find(name)
    if taken := [option for option in options if option in _ARGUMENTS]:
        read_options(kind.title, kind.OPTIONS, dict.fromkeys(taken))  # which refuses them with a sentence
    return kind(seats, **options)
