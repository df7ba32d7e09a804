"""What a person types as a move, made plain: one kind of dash, no blank beside a mark, and whose move it is said to be.

Games read plain notation. People type `5 – 6`, `e4 e7`, `> R5 + R3` or, as it stands in records, `A:5-6`; all of that
is forgiven here, once for all games, wherever a move is typed: at a table, in the terminal, in a record, to an engine.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from cupboard.core.errors import BadNotation
from cupboard.core.move import M, Seat
from cupboard.core.row import CHANCE
from cupboard.core.words import phrase

_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212\ufe58\ufe63\uff0d"
_INVISIBLE = "\u00ad\u200b\u200c\u200d\u2060\ufeff"
_RETYPED = {**dict.fromkeys(map(ord, _DASHES), "-"), **dict.fromkeys(map(ord, _INVISIBLE), ""), ord("×"): "x"}
_PLAIN = re.compile(r"[!-~]+")
_MARK = re.compile(r" ?([^\w ]) ?")
_SEAT = re.compile(r"([A-Fa-f*]):(.+)", re.DOTALL)


def tidy(text: str) -> str:
    """The text with every dash as `-` and without needless blanks; one blank stays between two words."""
    if not isinstance(text, str):
        raise BadNotation(phrase("move.noText", text=f"{text!r:.40}"))
    if _PLAIN.fullmatch(text):
        return text
    return _MARK.sub(r"\1", " ".join(text.translate(_RETYPED).split()))


def said_seat(plain: str) -> tuple[Seat | None, str]:
    """The seat whose letter stands before a move, as in `A:5-6`, and the move alone; `*` is nature's."""
    if plain[1:2] != ":" or not (found := _SEAT.fullmatch(plain)):
        return None, plain
    return (CHANCE if found[1] == "*" else ord(found[1].upper()) - ord("A")), found[2]


def read_joined(read: Callable[[str], M], plain: str, joiners: Iterable[str]) -> M:
    """What `read` makes of a tidied text, a blank between two words standing for the first joiner that makes sense."""
    if " " not in plain:
        return read(plain)
    *others, last = joiners
    for joiner in others:
        try:
            return read(plain.replace(" ", joiner))
        except BadNotation:
            continue
    return read(plain.replace(" ", last))
