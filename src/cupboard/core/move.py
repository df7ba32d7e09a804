"""Moves and outcomes: what a seat or nature decides, and how a game ended."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, TypeVar

from msgspec import Struct

from cupboard.core.row import CHANCE
from cupboard.core.words import Text, Words, phrase

Seat = int
Spot = str
"""Something one can point at: "c3", "hand:2", "confirm"."""


def letter(seat: Seat) -> str:
    """A for seat 0, B for seat 1 …; * for nature."""
    return "*" if seat == CHANCE else chr(ord("A") + seat)


class Move(ABC):
    """One decision of a seat or of nature. Subclasses are frozen dataclasses, equal when their fields are."""

    __slots__ = ()

    @abstractmethod
    def __str__(self) -> str:
        """The move in notation, without blanks and readable without the position."""

    @abstractmethod
    def spots(self) -> tuple[Spot, ...]:
        """What to point at, in order, to enter the move. No legal move's path is the beginning of another's."""

    def route(self) -> tuple[Spot, ...]:
        """The cells that the moved piece passes, in order, for an animation: all of them, not only its ends."""
        return self.spots()

    def seen_by(self, seat: Seat | None) -> Move:
        """The move as `seat` (None: a spectator) gets to know it: a dealt card may show only its back."""
        return self

    def words(self, name: Callable[[Seat], Text]) -> Words:
        """What happens, as a sentence for a log or a screen reader. {who} is left open for the name of the mover."""
        return phrase("move.plays", move=str(self))

    def short(self, name: Callable[[Seat], Text]) -> Text | None:
        """What a list of moves says instead of the notation; None: the notation; empty: it is not listed."""
        return None

    @property
    def is_simulated(self) -> bool:
        """Whether a simulation found this move of nature, so that there may be a motion to be seen."""
        return False

    @property
    def landings(self) -> int:
        """How often the piece lands on its way; beginners overlook chains of several."""
        return 1

    @property
    def warning(self) -> Words | None:
        """The sentence with which a screen asks back before it plays the move, or None to play it at once."""
        return None


@dataclass(frozen=True, slots=True)
class Lot(Move):
    """Nature draws the seat that starts; for games that begin with it."""

    starter: Seat
    mover: ClassVar[Seat] = CHANCE

    def spots(self) -> tuple[Spot, ...]:
        """Its notation: nobody points at anything to make it."""
        return (str(self),)

    def route(self) -> tuple[Spot, ...]:
        """No cells: no piece moves."""
        return ()

    def words(self, name: Callable[[Seat], Text]) -> Words:
        """The sentence that says which seat starts."""
        return phrase("move.lotFalls", starter=name(self.starter))

    def short(self, name: Callable[[Seat], Text]) -> Words:
        """Which seat starts, in a few words."""
        return phrase("move.lot", starter=name(self.starter))

    def __str__(self) -> str:
        return f"lot-{letter(self.starter)}"


M = TypeVar("M", bound=Move)


class Outcome(Struct, frozen=True, gc=False):
    """How a game ended: the winners share one point, and nobody wins an abandoned solo. It is also sent to clients."""

    winners: tuple[Seat, ...]
    seats: int
    """How many seats the game has."""
    reason: str
    """A stable word: the game's own ("filled", "blocked" …), or at a table "resigned", "time" or "agreed".

    A teacher or whoever runs the server may have "decided" it, the latter also "stopped" or "closed"."""
    sentence: Words
    """The reason, as a sentence for people."""

    @property
    def scores(self) -> tuple[float, ...]:
        """The share of the point of each seat."""
        return tuple(self.score(seat) for seat in range(self.seats))

    @property
    def is_draw(self) -> bool:
        """Whether nobody won alone."""
        return len(self.winners) > 1

    def score(self, seat: Seat) -> float:
        """The share of the point that a seat gets."""
        return 1 / len(self.winners) if seat in self.winners else 0.0
