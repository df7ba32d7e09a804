"""A match: a game being played, as the log of its moves, nature's included."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from cupboard.core.errors import IllegalMove
from cupboard.core.game import CHANCE, Game, Move, Position, Seat
from cupboard.core.luck import Luck
from cupboard.core.words import phrase


@dataclass(frozen=True)
class LoggedMove:
    """One line of a log: move number `n` of the match, by `seat` (CHANCE for nature)."""

    n: int
    seat: Seat
    move: Move


class Match:
    """A game being played: its log, and the positions that follow from it without a seed and without a clock."""

    def __init__(self, game: Game[Any], names: Sequence[str] = ()) -> None:
        self.game = game
        self.names = tuple(names)
        self.log: list[LoggedMove] = []
        self._positions: list[Position[Any]] = [game.start()]

    @classmethod
    def replay(cls, game: Game[Any], log: Iterable[tuple[Seat, Move]], names: Sequence[str] = ()) -> Match:
        """The match in which these moves have been made."""
        match = cls(game, names)
        for seat, move in log:
            match.play(move, seat)
        return match

    @property
    def position(self) -> Position[Any]:
        """The position after all moves of the log."""
        return self._positions[-1]

    def position_at(self, n: int) -> Position[Any]:
        """The position after the first `n` moves of the log."""
        return self._positions[n]

    def play(self, move: Move | str, seat: Seat | None = None) -> Position[Any]:
        """Make a move, given as a Move or in notation, and return the position after it. A refused one changes nothing.

        Where several act at once, `seat` must be said.
        """
        position = self.position
        made: Move = position.parse(move, seat) if isinstance(move, str) else move
        after = position.play(made, seat)
        self.log.append(LoggedMove(len(self.log), position.to_act[0] if seat is None else seat, made))
        self._positions.append(after)
        return after

    def settle(self, rng: Luck) -> Position[Any]:
        """Let nature make its moves until a seat is to act or the game is over."""
        while self.position.to_act == (CHANCE,):
            self.play(self.position.chance(rng), CHANCE)
        return self.position

    def undo(self) -> Move:
        """Take back and return the last move of a seat, with all that nature did after it."""
        last = next((entry for entry in reversed(self.log) if entry.seat != CHANCE), None)
        if last is None:
            raise IllegalMove(phrase("takeback.none"))
        del self.log[last.n :], self._positions[last.n + 1 :]
        return last.move

    def veiled(self, seat: Seat | None) -> list[LoggedMove]:
        """The log as `seat` (None: a spectator) may see it; every move keeps its number."""
        return [LoggedMove(entry.n, entry.seat, entry.move.seen_by(seat)) for entry in self.log]
