"""Aiming a move at the terminal: the list of what one may aim at, an explanation, and questions one by one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from cupboard.cli.terminal import ask, say

if TYPE_CHECKING:
    from cupboard.core.aiming import Aiming, Scale

COMMAND = ("aim", "choose the thing, the strength and the side one by one, as in `aim {name}`")
_UNITS = {
    "strength": "in hundredths of the hardest push",
    "height": "where the finger touches it, in hundredths of its height",
    "aside": "where it touches, in hundredths of the half width; negative: left",
    "turn": "which way it pushes, in degrees; negative: left",
}


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
    scales = (getattr(aiming, key) for key in _UNITS)
    strength, height, aside, turn = (scale.most - (scale.most - scale.least) // 4 for scale in scales)
    example = aiming.text(name, strength, height, aside, turn, is_behind=True)
    lines = [
        f"To aim freely, write what you aim at, then five things, as in {example}:",
        *(f"  {_scale(key, getattr(aiming, key))}; {_UNITS[key]}" for key in _UNITS),
        f"  the side the finger comes from: {aiming.from_front} or {aiming.from_behind}; right is always yours",
        f"`aim {name}` asks for them one by one.",
    ]
    return "\n".join(lines)


def ask_aim(aiming: Aiming, name: str = "") -> str:
    """The notation of a move, asked for piece by piece; Enter alone takes the usual value. Empty: none was chosen."""
    names = dict(zip(map(str.lower, aiming.names), aiming.names, strict=True))
    while name.lower() not in names:
        if name:
            say(f"You cannot aim at {name[:30]!r} now: {', '.join(aiming.names)}.")
        name = ask(f"Aim at which ({', '.join(aiming.names)}; Enter alone leaves it)? ", lambda _: aiming.names)
        if not name:
            return ""
    strength, height, aside, turn = (_ask_number(key, getattr(aiming, key)) for key in _UNITS)
    sides = (aiming.from_front, aiming.from_behind)
    while (side := ask(f"From {' or '.join(sides)} [{sides[0]}]? ", lambda _: sides).lower() or sides[0]) not in sides:
        say(f"Write {' or '.join(sides)}.")
    return aiming.text(names[name.lower()], strength, height, aside, turn, side == aiming.from_behind)


def _scale(key: str, scale: Scale) -> str:
    return f"{str(scale.words).lower()}: {scale.least} to {scale.most}, usually {scale.usual}"


def _ask_number(key: str, scale: Scale) -> int:
    while True:
        text = ask(f"{scale.words}, {scale.least} to {scale.most} [{scale.usual}]: ") or str(scale.usual)
        if re.fullmatch(r"[+-]?[0-9]{1,6}", text, re.ASCII) and scale.least <= int(text) <= scale.most:
            return int(text)
        say(f"Write a whole number from {scale.least} to {scale.most}: {_UNITS[key]}.")
