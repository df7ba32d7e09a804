"""Fillings: how a screen puts a move together that gives many places a piece each."""

from __future__ import annotations

from dataclasses import dataclass

from cupboard.core.scene import Kind, Spot, Tint
from cupboard.core.words import Words

MOST_LISTED = 2000
"""A view with more legal moves offers a filling: nobody looks through such a list."""


@dataclass(frozen=True)
class Filling:
    """Every order of the suggested pieces on the places is a legal move."""

    spots: tuple[Spot, ...]
    suggestion: tuple[Tint, ...]
    """The piece for each place: a sensible order to start from."""
    pattern: str
    """The notation, with {} for the letter of each piece in the order of `spots`."""
    kind: Kind
    how: Words
    """What a screen says while one is at it."""
    done: Words
    """What its button says."""

    def text(self, tints: tuple[Tint, ...]) -> str:
        """The move that puts these pieces there."""
        return self.pattern.format(*(tint.letter for tint in tints))
