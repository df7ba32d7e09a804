"""Names that nobody chose: guests, bots and stand-ins are English in the log, and have words for every language."""

from __future__ import annotations

from cupboard.core.words import Words, phrase
from cupboard.players.levels import LEVELS

GUEST = "Guest"
_STAND_IN = "'s stand-in"


def bot_name(level: str) -> str:
    """What a bot of this level is called when nobody has named it."""
    return f"{level.capitalize()} bot"


def stand_in_name(name: str) -> str:
    """Who plays on for somebody who has left."""
    return name[: 40 - len(_STAND_IN)] + _STAND_IN


def called(name: str, level: str = "") -> Words | None:
    """The words for a name that the program has given; None for one that a person has."""
    if level in LEVELS and name == bot_name(level):
        return phrase("name.bot", level=phrase(f"level.{level}"))
    if level and name.endswith(_STAND_IN):
        left = name.removesuffix(_STAND_IN)
        return phrase("name.standIn", name=called(left) or left)
    return phrase("name.guest") if name == GUEST and not level else None
