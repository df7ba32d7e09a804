"""A match: a game being played, as the log of its moves, nature's included."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from cupboard.core.errors import IllegalMove
from cupboard.core.game import CHANCE, Game, Move, Position, Seat, Step
from cupboard.core.random_source import Luck
from cupboard.core.words import phrase


@dataclass(frozen=True, slots=True)
class LoggedMove:
    """One line of a log: move number `n` of the match, by `seat` (CHANCE for nature)."""

    n: int
    seat: Seat
    move: Move


class Match:
    """A game being played: its log, and the positions that follow from it without a seed and without a clock.

    Only the newest position is kept. Earlier ones are worked out, and kept, when somebody asks for them.
    """

    __slots__ = ("_earlier", "game", "log", "names", "position")

    def __init__(self, game: Game[Any], names: Sequence[str] = ()) -> None:
        self.game = game
        self.names = tuple(names)
        self.log: list[LoggedMove] = []
        self.position: Position[Any] = game.start()
        """Where the match stands now."""
        self._earlier: list[Position[Any]] = []

    @classmethod
    def replay(cls, game: Game[Any], log: Iterable[tuple[Seat, Move]], names: Sequence[str] = ()) -> Match:
        """The match in which these moves have been made."""
        match = cls(game, names)
        for seat, move in log:
            match.play(move, seat)
        return match

    def position_at(self, n: int) -> Position[Any]:
        """The position after the first `n` moves of the log; negative `n` count from the end, -1 is the present one."""
        if n < 0:
            n += len(self.log) + 1
        if not 0 <= n <= len(self.log):
            raise IndexError(f"position {n} of a match of {len(self.log)} moves")
        if n == len(self.log):
            return self.position
        if not self._earlier:
            self._earlier.append(self.game.start())
        for entry in self.log[len(self._earlier) - 1 : n]:
            self._earlier.append(self._earlier[-1].play(entry.move, entry.seat))
        return self._earlier[n]

    def play(self, move: Move | str, seat: Seat | None = None) -> Position[Any]:
        """Make a move, given as a Move or in notation, and return the position after it. A refused one changes nothing.

        Where several act at once, `seat` must be said.
        """
        return self.add(self.position.step(move, seat))

    def add(self, step: Step[Any]) -> Position[Any]:
        """Make a move that was found legal in the present position; ValueError when it was in another."""
        if step.before is not self.position and step.before != self.position:
            raise ValueError(f"{step.move} was made in another position")
        self.log.append(LoggedMove(len(self.log), step.seat, step.move))
        self.position = step.after
        return step.after

    def settle(self, rng: Luck) -> Position[Any]:
        """Let nature make its moves until a seat is to act or the game is over."""
        while self.position.to_act == (CHANCE,):
            self.play(self.position.chance(rng), CHANCE)
        return self.position

    def undo(self) -> Move:
        """Take back and return the last move of a seat, with all that nature did after it."""
        last = self.last()
        if last is None:
            raise IllegalMove(phrase("takeback.none"))
        self.cut(last.n)
        return last.move

    def cut(self, n: int) -> None:
        """Go back to where the match stood after the first `n` entries of the log."""
        position = self.game.start()
        for entry in self.log[:n]:
            position = position.play(entry.move, entry.seat)
        self.position = position
        del self.log[n:], self._earlier[n + 1 :]

    def last(self) -> LoggedMove | None:
        """The last move that a seat, not nature, has made."""
        return next((entry for entry in reversed(self.log) if entry.seat != CHANCE), None)

    def veiled(self, seat: Seat | None) -> list[LoggedMove]:
        """The log as `seat` (None: a spectator) may see it; every move keeps its number."""
        return [LoggedMove(entry.n, entry.seat, entry.move.seen_by(seat)) for entry in self.log]
