"""What can go wrong, as one small tree. Each class has a stable code for the wire and a sentence for the person.

CupboardError (a ValueError)
├── BadNotation      the text is no move at all
├── IllegalMove      a move, but the rules forbid it here
├── BadTurn          a move of a seat that is not asked now, or of nobody where several are
├── NoSuchSeat       a seat the game does not have
├── GameOver         a move after the end
├── BadPosition      the text is no position, or a row or view is one of another game
├── BadRecord        the text is no played game
├── BadOption        an option the game does not have, or a value it does not take
│   └── BadSeats     a number of players it cannot be played with
└── UnknownGame      no such game here
"""

from __future__ import annotations

from cupboard.core.words import Words


class CupboardError(ValueError):
    """Something the person asked for cannot be done; `str(error)` is a sentence that says why.

    Made with Words where somebody at a table may meet it, so that the page can say it in another language; with a
    plain sentence where only a terminal or a program does.
    """

    code = "error"

    @property
    def words(self) -> Words | None:
        """The sentence as Words, which can be said in another language, or None if it was made in English only."""
        said = self.args[0] if self.args else None
        return said if isinstance(said, Words) else None


class BadNotation(CupboardError):
    """The text cannot be read as a move of this game."""

    code = "bad-notation"


class IllegalMove(CupboardError):
    """The rules forbid this move in this position."""

    code = "illegal-move"


class BadTurn(CupboardError):
    """The seat is not to act now."""

    code = "not-your-turn"


class NoSuchSeat(CupboardError):
    """The game is played by fewer: there is no such seat."""

    code = "unknown-seat"


class GameOver(CupboardError):
    """The game has ended; nobody moves any more."""

    code = "game-over"


class BadPosition(CupboardError):
    """The text cannot be read as a position of this game."""

    code = "bad-position"


class BadRecord(CupboardError):
    """The text cannot be read as a played game, or its moves do not follow the rules."""

    code = "bad-record"


class BadOption(CupboardError):
    """The game has no such option, or the option does not take this value."""

    code = "bad-option"


class BadSeats(BadOption):
    """The game cannot be played by so many."""

    code = "bad-seats"


class UnknownGame(CupboardError):
    """There is no game of this name."""

    code = "unknown-game"


class UnknownPlayer(CupboardError):
    """There is no player of this name."""

    code = "unknown-player"
