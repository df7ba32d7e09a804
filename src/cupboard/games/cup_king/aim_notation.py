"""How the aim of a flick is written behind its bucket: nothing, a class, or all its numbers.

-c2                       firm, straight at the middle
-c2:gentle  -c2:hard      straight at the middle
-c2:75                    straight at the middle, with 75 hundredths of the strength
-c2:75,40,-10,15,behind   strength, height, aside, turn, and the side the finger comes from
"""

from __future__ import annotations

import re

from cupboard.core.errors import BadNotation
from cupboard.core.words import listed, phrase
from cupboard.games.cup_king.flick import CLASSES, FIRM, MIDDLE, MOST_ASIDE, MOST_TURN, STRENGTHS, Aim

STRAIGHT = Aim()
USUAL = tuple(Aim(STRENGTHS[kind]) for kind in CLASSES)
"""The aim of each class."""
KIND_OF = dict(zip(USUAL, CLASSES, strict=True))
SIDES = ("front", "behind")
SCALES = (("strength", 1, 100), ("height", 0, 100), ("aside", -MOST_ASIDE, MOST_ASIDE), ("turn", -MOST_TURN, MOST_TURN))
"""The numbers of an aim in the order of notation, each with its scale."""


def write_aim(aim: Aim) -> str:
    """An aim as it stands behind the bucket."""
    if aim == STRAIGHT:
        return ""
    if kind := KIND_OF.get(aim):
        return f":{kind}"
    if aim == Aim(aim.strength):
        return f":{aim.strength}"
    return f":{aim.strength},{aim.height},{aim.aside},{aim.turn},{SIDES[aim.is_behind]}"


def read_aim(text: str) -> Aim:
    """The aim that is written behind the colon; BadNotation says what one may write, or which number is too large."""
    words = text.split(",")
    is_behind = words[-1] == "behind"
    if words[-1] in SIDES:
        words.pop()
    numbers = [FIRM, MIDDLE, 0, 0]
    if words and words[0] in STRENGTHS:
        words[0] = str(STRENGTHS[words[0]])
    if len(words) > len(numbers) or not all(re.fullmatch(r"[+-]?[0-9]{1,6}", word, re.ASCII) for word in words):
        raise BadNotation(phrase("cup-king.no.aim", kinds=listed(*CLASSES)))
    for place, word in enumerate(words):
        name, least, most = SCALES[place]
        numbers[place] = int(word)
        if not least <= numbers[place] <= most:
            scale = phrase(f"cup-king.aim.{name}")
            raise BadNotation(phrase("cup-king.no.scale", scale=scale, least=str(least), most=str(most), value=word))
    strength, height, aside, turn = numbers
    return Aim(strength, height, aside, turn, is_behind)
