"""The odds of a flick: how likely each resting shape is, by hand, class, shape and bucket, as simulations counted it.

`odds.txt` is what `bench/flick_odds.py` counted, a line for each case:

    steady firm 7fff 2 120 61ce:40 6186:33 …

the hand, the class of the flick, the shape in its one form (shapes.py) as hexadecimal slots, the slot that is flicked,
how many flicks were simulated, and how often each outcome came of them: the slots that stay, from bit 15 on the breaks.
Searches, kernels and adapters draw from here and never simulate.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from cupboard.games.cup_king.flick import CLASSES, HANDS
from cupboard.games.cup_king.referee import parts
from cupboard.games.cup_king.shapes import cells, one_form, placing

FILE = Path(__file__).with_name("odds.txt")
Case = tuple[str, str, int, int]
"""A hand, a class of flick, a shape in its one form and a slot of it."""
_CERTAIN = 1 << 32


class Odds(NamedTuple):
    """How often each outcome came of so many flicks."""

    flicks: int
    counts: Mapping[int, int]

    def interval(self, outcome: int) -> tuple[float, float]:
        """The probability of an outcome lies between these two with 95 % confidence (Wilson's interval)."""
        z, n, share = 1.96, self.flicks, self.counts.get(outcome, 0) / self.flicks
        middle, half = share + z * z / 2 / n, z * math.sqrt(share * (1 - share) / n + (z / 2 / n) ** 2)
        return max(0.0, (middle - half) / (1 + z * z / n)), min(1.0, (middle + half) / (1 + z * z / n))


def read(lines: str) -> dict[Case, Odds]:
    """The odds that a text like odds.txt holds."""
    found = {}
    for line in lines.splitlines():
        if not line or line.startswith("#"):
            continue
        hand, kind, form, slot, flicks, *outcomes = line.split()
        pairs = (outcome.split(":") for outcome in outcomes)
        counts = {int(outcome, 16): int(count) for outcome, count in pairs}
        found[hand, kind, int(form, 16), int(slot)] = Odds(int(flicks), counts)
    return found


def write(odds: Mapping[Case, Odds]) -> str:
    """The text that `read` reads."""
    lines = ["# hand class shape slot flicks outcome:count ...   counted by bench/flick_odds.py, explained in odds.py"]
    for (hand, kind, form, slot), (flicks, counts) in sorted(odds.items()):
        ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
        said = " ".join(f"{outcome:x}:{count}" for outcome, count in ranked)
        lines.append(f"{hand} {kind} {form:x} {slot} {flicks} {said}")
    return "\n".join(lines) + "\n"


@cache
def known() -> dict[Case, Odds]:
    """The odds of every case, as they are shipped."""
    return read(FILE.read_text(encoding="ascii"))


def odds(hand: str, kind: str, mask: int, slot: int) -> Odds:
    """The odds of flicking `slot` out of a pyramid in one part, where it stands."""
    form, own = one_form(mask, slot)
    counted = known()[hand, kind, form, own]
    lies = placing(mask)[1]
    if lies.slot(own) != slot:  # the other one of a symmetrical shape
        lies = lies._replace(is_mirrored=not lies.is_mirrored)
    outcomes: dict[int, int] = {}
    for outcome, count in counted.counts.items():
        there = lies.slots(outcome & 0x7FFF) | lies.breaks(outcome >> 15) << 15
        outcomes[there] = outcomes.get(there, 0) + count
    return Odds(counted.flicks, outcomes)


class Table(NamedTuple):
    """The odds of all cases as arrays for compiled code.

    Slot t of form number f, flicked in class c of hand h, is case ((3 * h + c) * 43 + f) * 15 + t. Its outcomes are
    outcomes[first[case]:first[case + 1]], the likeliest first; the first with a limit above 32 random bits is drawn.
    """

    forms: npt.NDArray[np.int16]
    """The shapes in their one form, as sets of slots."""
    first: npt.NDArray[np.int32]
    limits: npt.NDArray[np.int64]
    outcomes: npt.NDArray[np.int32]
    losses: npt.NDArray[np.float32]
    """By case, how many buckets are lost on average if the owner keeps the largest part."""


@cache
def table() -> Table:
    """The shipped odds for compiled code."""
    forms = sorted({form for form, _ in cells()})
    first, limits, outcomes, losses = [0], list[int](), list[int](), list[float]()
    for hand in HANDS:
        for kind in CLASSES:
            for form in forms:
                for slot in range(15):
                    case = odds(hand, kind, form, slot) if form >> slot & 1 else Odds(1, {})
                    below = 0
                    for outcome, count in sorted(case.counts.items(), key=lambda item: (-item[1], item[0])):
                        below += count
                        limits.append(_CERTAIN * below // case.flicks)
                        outcomes.append(outcome)
                    first.append(len(outcomes))
                    losses.append(
                        sum(count * _lost(form, outcome) for outcome, count in case.counts.items()) / case.flicks
                    )
    return Table(
        np.array(forms, np.int16),
        np.array(first, np.int32),
        np.array(limits, np.int64),
        np.array(outcomes, np.int32),
        np.array(losses, np.float32),
    )


@cache
def _lost(form: int, outcome: int) -> int:
    """How many buckets are lost if the owner keeps the largest part of what an outcome leaves."""
    slots = [slot for slot in range(15) if outcome >> slot & 1]
    broken = [slot for slot in range(4) if outcome >> 15 + slot & 1]
    return form.bit_count() - max(map(len, parts(slots, broken)), default=0)
