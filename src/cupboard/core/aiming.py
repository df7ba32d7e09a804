"""Aiming: how a screen lets somebody aim a move by hand, where the moves that are listed are only the usual ones."""

from __future__ import annotations

from cupboard.core.scene import Drawn, Spot
from cupboard.core.words import Words


class Scale(Drawn, frozen=True):
    """What one may choose on one scale of an aim: a whole number from `least` to `most`."""

    least: int
    most: int
    usual: int
    """What is chosen unless somebody chooses something else."""
    words: Words
    """What the scale is called."""


class Aiming(Drawn, frozen=True):
    """How to aim at one of several things and push it: where the finger touches it, which way and how hard it pushes.

    All numbers are seen from the owner's side, the front. Every choice of numbers on the scales is a legal move.
    """

    spots: tuple[Spot, ...]
    """What one may aim at."""
    names: tuple[str, ...]
    """What each of them is called in notation."""
    pattern: str
    """The notation of the move, with {at}, {strength}, {height}, {aside}, {turn} and {side} to be filled in."""
    strength: Scale
    """How hard the finger pushes, in hundredths of the hardest."""
    height: Scale
    """How high the finger touches the thing, in hundredths of its height."""
    aside: Scale
    """How far to the right of the middle the finger touches it, in hundredths of its half width; negative: left."""
    turn: Scale
    """By how many degrees the push is turned to the right of straight away from whoever pushes; negative: left."""
    from_front: str
    """What stands for {side} when the finger comes from the front."""
    from_behind: str
    """What stands for {side} when it comes from behind; right is then still the owner's right."""
    how: Words
    """What a screen says while one is at it."""

    def text(self, at: str, strength: int, height: int, aside: int, turn: int, is_behind: bool = False) -> str:
        """The notation of the move that these numbers mean."""
        side = self.from_behind if is_behind else self.from_front
        return self.pattern.format(at=at, strength=strength, height=height, aside=aside, turn=turn, side=side)
