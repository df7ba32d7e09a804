"""Aiming a move at the terminal: the list of what one may aim at, an explanation, and questions one by one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from cupboard.cli.language import told
from cupboard.cli.terminal import ask, say
from cupboard.core.words import listed, phrase, quoted

if TYPE_CHECKING:
    from cupboard.core.aiming import Aiming, Scale

COMMAND = "aim"
_SCALES = ("strength", "height", "aside", "turn")


def stem(aiming: Aiming, name: str) -> str:
    """What the notation of every move that aims at the thing called `name` begins with."""
    return aiming.pattern.partition("{at}")[0] + name


def grouped(aiming: Aiming, moves: Sequence[Any]) -> tuple[list[str], list[str]]:
    """The notation of the moves, those that aim at one thing as one word: `-c2…`; and the usual moves for the first."""
    words, usual = list[str](), list[str]()
    stems = [stem(aiming, name) for name in aiming.names]
    for text in map(str, moves):
        begins = next((start for start in stems if re.fullmatch(rf"{re.escape(start)}(?!\w).*", text)), None)
        if begins is None:
            words.append(text)
        elif f"{begins}…" not in words:
            words.append(f"{begins}…")
        if begins == stems[0]:
            usual.append(text)
    return words, usual


def explain(aiming: Aiming) -> str:
    """How to write a move that is aimed, scale by scale, with an example."""
    name = aiming.names[0]
    scales = (getattr(aiming, key) for key in _SCALES)
    strength, height, aside, turn = (scale.most - (scale.most - scale.least) // 4 for scale in scales)
    example = aiming.text(name, strength, height, aside, turn, is_behind=True)
    lines = [
        told(phrase("terminal.aim.explain", example=example)),
        *(f"  {_scale(key, getattr(aiming, key))}" for key in _SCALES),
        "  " + told(phrase("terminal.aim.side", front=aiming.from_front, behind=aiming.from_behind)),
        told(phrase("terminal.aim.oneByOne", name=name)),
    ]
    return "\n".join(lines)


def ask_aim(aiming: Aiming, name: str = "") -> str:
    """The notation of a move, asked for piece by piece; Enter alone takes the usual value. Empty: none was chosen."""
    names = dict(zip(map(str.lower, aiming.names), aiming.names, strict=True))
    while name.lower() not in names:
        if name:
            say(told(phrase("terminal.aim.cannot", name=quoted(name[:30]), names=listed(*aiming.names))))
        name = ask(told(phrase("terminal.aim.which", names=listed(*aiming.names))), lambda _: aiming.names)
        if not name:
            return ""
    strength, height, aside, turn = (_ask_number(key, getattr(aiming, key)) for key in _SCALES)
    sides = front, behind = aiming.from_front, aiming.from_behind
    question = told(phrase("terminal.aim.from", front=front, behind=behind))
    while (side := ask(question, lambda _: sides).lower() or front) not in sides:
        say(told(phrase("terminal.aim.either", front=front, behind=behind)))
    return aiming.text(names[name.lower()], strength, height, aside, turn, side == aiming.from_behind)


def _scale(key: str, scale: Scale) -> str:
    unit = phrase(f"terminal.aim.unit.{key}")
    return told(
        phrase(
            "terminal.aim.scale", scale=scale.words, least=scale.least, most=scale.most, usual=scale.usual, unit=unit
        )
    )


def _ask_number(key: str, scale: Scale) -> int:
    while True:
        question = phrase("terminal.aim.ask", scale=scale.words, least=scale.least, most=scale.most, usual=scale.usual)
        text = ask(told(question)) or str(scale.usual)
        if re.fullmatch(r"[+-]?[0-9]{1,6}", text, re.ASCII) and scale.least <= int(text) <= scale.most:
            return int(text)
        unit = phrase(f"terminal.aim.unit.{key}")
        say(told(phrase("terminal.aim.number", least=scale.least, most=scale.most, unit=unit)))
