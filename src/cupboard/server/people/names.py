"""What may be a name, and the names that the program gives.

Guests, bots and stand-ins are English in the log, and have words for every language.
"""

from __future__ import annotations

from collections.abc import Collection
from unicodedata import category

from cupboard.core.words import Words, phrase
from cupboard.players.levels import LEVELS
from cupboard.server.errors import BadName

GUEST = "Guest"
_STAND_IN = "'s stand-in"
_OWN_NAMES = ("Finn", "Ida", "Juno", "Leo", "Mira")
"""What further bots of one level at a table are called besides; a table has six seats."""
_LONGEST = 40
_BLANK_LETTERS = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and signs by their category that nobody can see: Hangul's fillers and the empty Braille cell."""
_JOINERS = "\u200c\u200d"
"""Invisible, but Persian names and many emoji are not written without them."""


def bot_name(level: str, taken: Collection[str] = ()) -> str:
    """The name of a bot that nobody has named; where that is `taken`, with a name of its own before it."""
    plain = f"{level.capitalize()} bot"
    names = (plain, *(f"{own} ({plain})" for own in _OWN_NAMES))
    return next((name for name in names if name not in taken), plain)


def stand_in_name(name: str) -> str:
    """The name of the bot that plays on for somebody who has left."""
    return name[: 40 - len(_STAND_IN)] + _STAND_IN


def is_stand_in(name: str) -> bool:
    """Whether it is the name of a bot that plays on for somebody who has left."""
    return name.endswith(_STAND_IN)


def called(name: str, level: str = "") -> Words | None:
    """The words for a name that the program has given; None for one that a person has."""
    if level in LEVELS and name == bot_name(level):
        return phrase("name.bot", level=phrase(f"level.{level}"))
    own = name.removesuffix(f" ({bot_name(level)})")
    if level in LEVELS and own in _OWN_NAMES and own != name:
        return phrase("name.botOf", level=phrase(f"level.{level}"), name=own)
    if level and is_stand_in(name):
        left = name.removesuffix(_STAND_IN)
        return phrase("name.standIn", name=called(left) or left)
    return phrase("name.guest") if name == GUEST and not level else None


def clean(name: str) -> str:
    """A name on one line, without what cannot be seen or turns the text around it; BadName when nothing is left."""
    text = "".join(map(_shown, name))
    text = " ".join(text.split())[:_LONGEST].strip(_JOINERS + " ")
    if name and not any(category(sign)[0] in "LNPS" for sign in text):
        raise BadName(phrase("no.name"))
    return text


def _shown(sign: str) -> str:
    kind = category(sign)
    if kind in ("Cc", "Zs", "Zl", "Zp") or sign in _BLANK_LETTERS:
        return " "
    return "" if kind[0] == "C" and sign not in _JOINERS else sign
