"""Fillings: how a screen puts a move together that gives many places a piece each."""

from __future__ import annotations

from collections.abc import Iterable

from cupboard.core.scene import Drawn, Kind, Spot
from cupboard.core.words import Words

MOST_LISTED = 2000
"""A view with more legal moves offers a filling: nobody looks through such a list."""


class Filling(Drawn, frozen=True):
    """Where too many moves are legal to list them: every order of the suggested pieces on the places is one."""

    spots: tuple[Spot, ...]
    suggestion: tuple[str, ...]
    """The name of the tint for each place: a sensible order to start from."""
    pattern: str
    """The notation, with {} for the letter of each piece's tint in the order of `spots`."""
    kind: Kind
    how: Words
    """What a screen says while one is at it."""
    done: Words
    """What its button says."""

    def text(self, letters: Iterable[str]) -> str:
        """The notation of the move that puts pieces with these letters there."""
        return self.pattern.format(*letters)
