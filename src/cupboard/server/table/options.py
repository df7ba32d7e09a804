"""The options of a game, as clients are told of them."""

from __future__ import annotations

from typing import Any

from cupboard.core.game import Game
from cupboard.core.words import Words, phrase
from cupboard.server.wire.games import OptionInfo


def options_of(kind: type[Game[Any]]) -> tuple[OptionInfo, ...]:
    """What people may agree on before a game begins: the profile, if there are some, then each option."""
    game = kind()
    profiles = (
        (OptionInfo("profile", _words(kind, "profile"), next(iter(kind.PROFILES)), tuple(kind.PROFILES)),)
        if kind.PROFILES
        else ()
    )
    # The default of an option is what its default profile says.
    options = tuple(
        OptionInfo(
            option.name,
            _words(kind, option.name),
            game.options[option.name],
            option.choices,
            *((option.least, option.most) if type(option.default) is int else (0, 0)),
            option.of_seats,
        )
        for option in kind.OPTIONS
    )
    return profiles + options


def _words(kind: type[Game[Any]], option: str) -> Words:
    return phrase(f"{kind.name}.option.{option}")
