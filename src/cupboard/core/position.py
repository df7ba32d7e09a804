"""Positions and views: one read-only kernel row each, checked where kernels assume, and speaking to people."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, NoReturn, Self

import numpy as np
from typing_extensions import TypeVar  # the standard one takes a default only from Python 3.13 on

from cupboard.core.errors import BadNotation, BadTurn, CupboardError, GameOver, IllegalMove
from cupboard.core.move import M, Move, Outcome, Seat, Spot, letter
from cupboard.core.move_list import Moves
from cupboard.core.notation import read_joined, said_seat, tidy
from cupboard.core.random_source import Luck, random_bits
from cupboard.core.row import CHANCE, LIVE, OVER, PLY, POINT, TURN, Row
from cupboard.core.words import Words, also, phrase

if TYPE_CHECKING:
    from cupboard.core.aiming import Aiming
    from cupboard.core.filling import Filling
    from cupboard.core.game import Game
    from cupboard.core.scene import Scene


class State(ABC, Generic[M]):
    """What can be asked of a Position and of a View alike: one read-only row under the rules of a game."""

    __slots__ = ("_legal", "_row", "game")

    def __init__(self, game: Game[M, Any], row: Row) -> None:
        """The state a kernel's row describes; BadPosition when it is no row of this game."""
        own = game.kernel.own(row)
        self.game = game
        self._row = own[: own[LIVE]]  # never written again; numba would compile every verb twice for a read-only array
        self._legal: list[int] | None = None

    # What a game fills in.

    @abstractmethod
    def __str__(self) -> str:
        """The state in one line; a position's is what `Game.read` takes."""

    @abstractmethod
    def _decode(self, code: int) -> M:
        """The move a kernel code means here."""

    def _decode_all(self, codes: Iterable[int]) -> Iterator[M]:
        """The moves that many codes mean here. A game overrides it if it can do better than one after the other."""
        return map(self._decode, codes)

    @abstractmethod
    def _encode(self, move: Move) -> int:
        """The kernel code of a move, or -1 for what can be no move here."""

    @abstractmethod
    def _why_not(self, move: M) -> Words:
        """Why the rules forbid `move` here, as a sentence. Asked only of illegal moves."""

    @abstractmethod
    def _explain(self, reason: int, winners: tuple[Seat, ...]) -> tuple[str, Words]:
        """The stable word and the sentence for a kernel's reason to end."""

    @abstractmethod
    def scene(self) -> Scene:
        """What a screen draws of this state."""

    # What follows.

    @property
    def row(self) -> Row:
        """The kernel's row, read-only."""
        view = self._row.view()
        view.flags.writeable = False
        return view

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """The seats to act now: one, several at once, (CHANCE,) for nature, or () when the game is over."""
        turn = int(self._row[TURN])
        return () if turn == OVER else (turn,)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return bool(self._row[TURN] == OVER)

    @property
    def ply(self) -> int:
        """How many moves the seats have made."""
        return int(self._row[PLY])

    def moves(self, seat: Seat | None = None) -> Sequence[M]:
        """The legal moves of `seat`, by default of the first seat to act; none when it is not to act."""
        acting = self.to_act
        if seat is not None and seat not in acting:
            self.game.check_seat(seat)
            return Moves(self, ())
        if not acting:
            return Moves(self, ())
        return self._moves_of(acting[0] if seat is None else seat)

    def parse(self, text: str, seat: Seat | None = None) -> M:
        """The legal move `text` means; BadNotation, IllegalMove or BadTurn say why there is none.

        Blanks and dashes are forgiven, and the letter of its seat may stand before a move: see core/notation.py.
        """
        move, mover = self._read(text, seat)
        if not self._is_by(move, mover) or not self._is_legal(move):
            raise IllegalMove(self._why_not(move))
        return move

    def _read(self, text: str, seat: Seat | None) -> tuple[M, Seat | None]:
        """The move a text means, legal or not, and whose it is as far as anybody said; BadNotation or BadTurn."""
        said, plain = said_seat(tidy(text))
        mover = said if seat is None else seat
        move = read_joined(lambda spelt: self._read_move(spelt, mover), plain, self.game.JOINERS)
        self._check_turn(mover)
        if said is not None and seat is not None and said != seat:
            other = self.game.seat_name(self.game.check_seat(said))
            raise BadTurn(phrase("turn.letter", letter=letter(said), other=other, who=self.game.seat_name(seat)))
        return move, mover

    def why_not(self, spots: Sequence[Spot], seat: Seat | None = None) -> CupboardError:
        """Why `seat` cannot move by pointing at `spots`, as the error that would refuse it. Nothing is played."""
        try:
            self._check_turn(seat)
            self.parse(self._pointed_at(spots, seat), seat)
        except BadNotation:  # it says how to write moves, which is no answer to somebody who points
            return IllegalMove(phrase("move.cannot"))
        except CupboardError as error:
            return error
        return IllegalMove(phrase("move.can"))

    def outcome(self) -> Outcome | None:
        """Who won and why, or None while the game goes on."""
        if not self.is_over:
            return None
        shares = np.zeros(self.game.seats, np.int64)
        reason = int(self.game.kernel.scores(self._row, shares))
        winners = tuple(int(seat) for seat in np.flatnonzero(shares))
        assert shares.sum() == POINT
        return Outcome(winners, self.game.seats, *self._explain(reason, winners))

    def _read_move(self, text: str, seat: Seat | None) -> M:
        """The move a plain text describes here, made by `seat` if that is known."""
        return self.game.read_move(text)

    def _pointed_at(self, spots: Sequence[Spot], seat: Seat | None) -> str:
        """The move that `seat` means by pointing at `spots`, in notation; IllegalMove where there can be none."""
        return "-".join(spots)

    def _is_by(self, move: M, seat: Seat | None) -> bool:
        """Whether `seat` may be the one that makes `move`; in most games a move does not say whose it is."""
        return True

    def _moves_of(self, seat: Seat) -> Sequence[M]:
        return Moves(self, self._codes())

    def _codes(self) -> list[int]:
        if self._legal is None:
            self._legal = self.game.kernel.codes(self._row)
        return self._legal

    def _is_legal(self, move: M) -> bool:
        return self._encode(move) in self._codes()

    def _check_turn(self, seat: Seat | None) -> None:
        acting = self.to_act
        if not acting:
            raise GameOver(phrase("turn.over"))
        if seat is None:
            if len(acting) > 1:
                raise BadTurn(phrase("turn.several", who=also(*map(self.game.seat_name, acting))))
        elif seat not in acting:
            name = self.game.seat_name
            self.game.check_seat(seat)
            raise BadTurn(phrase("turn.wrong", who=name(seat), others=also(*map(name, acting))))

    def _refuse(self, move: object) -> NoReturn:
        """Say why `move` cannot be played here: it is none of this game, none at all, or the rules forbid it."""
        if isinstance(move, str):
            raise IllegalMove(f"{move[:30]!r} is text, not a move: let parse read it first.")
        if not isinstance(move, self.game.move_classes):
            raise IllegalMove(f"{type(move).__name__} is no move of {self.game.title}.")
        try:
            self.game.read_move(str(move))
        except BadNotation as error:
            raise IllegalMove(*error.args) from None
        except (AttributeError, TypeError, ValueError):
            raise IllegalMove(f"This {type(move).__name__} is filled with things of the wrong kind.") from None
        known: Any = move
        raise IllegalMove(self._why_not(known))

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self.game == other.game and np.array_equal(self._row, other._row)

    def __hash__(self) -> int:
        return hash(self._row.tobytes())

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def __repr__(self) -> str:
        from cupboard.core.scene_text import draw

        return draw(self.scene())

    def _repr_svg_(self) -> str:
        from cupboard.core.svg import svg

        return svg(self.scene())


class Position(State[M]):
    """The whole truth of a moment in a game. Immutable; it never leaves the server."""

    __slots__ = ()

    def play(self, move: M, seat: Seat | None = None) -> Self:
        """The position after `move` of `seat`, by default of the seat to act. This one stays as it is."""
        self._check_turn(seat)
        return self._of(self.game, self._after(move, seat))

    def step(self, move: M | str, seat: Seat | None = None) -> Step[M]:
        """A move, given as such or in notation, with the position after it. Its legality is checked once, here."""
        if isinstance(move, str):
            made, seat = self._read(move, seat)
        else:
            made = move
            self._check_turn(seat)
        mover = self.to_act[0] if seat is None else seat
        return Step(self, mover, made, self._of(self.game, self._after(made, seat)))

    def chance(self, rng: Luck) -> M:
        """Nature's next move, drawn with the right odds: the only door for randomness. BadTurn at a seat's turn."""
        self._check_turn(CHANCE)
        return self._decode(int(self.game.kernel.chance(self._row, random_bits(rng))))

    @property
    def is_simulated(self) -> bool:
        """Whether nature's next move takes a simulation to find out where people play: seconds, perhaps."""
        return False

    def simulate(self, rng: Luck) -> Simulated[M]:
        """Nature's next move as it happens before people, with the motion that leads to it. May take seconds.

        `chance` draws from the same odds at once and without a motion, for searches and tournaments.
        """
        return Simulated(self.chance(rng))

    def unsimulated(self) -> M:
        """Nature's next move where a simulation has failed: the kindest there is, and it says why it is played."""
        return self._decode(self._codes()[0])

    def seen_by(self, seat: Seat | None) -> View[M]:
        """What `seat` may know; None is a spectator."""
        if seat is not None:
            self.game.check_seat(seat, nature=False)
        return self.game.view_class._of(self.game, self._veil(seat), seat)

    def to_json(self) -> dict[str, object]:
        """Everything there is to know, as plain data; `Game.from_json` takes it back."""
        size = self.game.kernel.size
        return {"position": str(self), "past": self._row[size:].tolist()}

    def _veil(self, seat: Seat | None) -> Row:
        """The row with all that `seat` may not know blanked. Games without secrets hide nothing."""
        return self._row

    def _after(self, move: M, seat: Seat | None) -> Row:
        code = self._encode(move)
        if code not in self._codes():
            self._refuse(move)
        return self._step(self._row, code)

    def _step(self, row: Row, code: int) -> Row:
        """A new row after one more move of the kernel."""
        live = int(row[LIVE])
        after = np.zeros(live + 1, np.int64)  # one spare entry: a play may remember one thing more
        after[:live] = row[:live]
        self.game.kernel.play(after, code)
        return after[: after[LIVE]]

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self)._restore, (self.game, self._row.tobytes())

    @classmethod
    def _restore(cls, game: Game[M, Any], data: bytes) -> Self:
        return cls._of(game, np.frombuffer(data, np.int64).copy())

    @classmethod
    def _of(cls, game: Game[M, Any], row: Row) -> Self:
        """The position of a row that is known to be right, without a check."""
        position = cls.__new__(cls)
        position.game, position._row, position._legal = game, row, None
        return position


class Step(NamedTuple, Generic[M]):
    """A legal move with the positions before and after it. `Position.step` makes it, so nobody need check it again."""

    before: Position[M]
    seat: Seat
    move: M
    after: Position[M]


class Simulated(NamedTuple, Generic[M]):
    """What a simulation found: nature's move, and how it came to that."""

    move: M
    motion: bytes = b""
    """The motion that leads to the move, packed as docs/motion.md says; empty: there is nothing to be seen."""


class View(State[M]):
    """What one seat, or a spectator, may know of a position. Players and screens get nothing else."""

    __slots__ = ("seat",)

    def __init__(self, game: Game[M, Any], row: Row, seat: Seat | None) -> None:
        super().__init__(game, row)
        self.seat = seat

    def moves(self, seat: Seat | None = None) -> Sequence[M]:
        """The legal moves of the seat whose view this is; of nobody else, and a spectator has none."""
        if seat is not None:
            self.game.check_seat(seat)
        if self.seat is None or seat not in (None, self.seat):
            return Moves(self, ())
        return super().moves(self.seat)

    def parse(self, text: str, seat: Seat | None = None) -> M:
        """The legal move `text` means; where several act at once, of the seat whose view this is."""
        several = seat is None and self.seat is not None and len(self.to_act) > 1
        return super().parse(text, self.seat if several else seat)

    def filling(self) -> Filling | None:
        """How to put a move together where there are too many to list; None in games where moves can be listed."""
        return None

    def aiming(self) -> Aiming | None:
        """How to aim a move by hand, where that is more than choosing from the list; None in most games."""
        return None

    def __eq__(self, other: object) -> bool:
        return super().__eq__(other) if isinstance(other, View) and other.seat == self.seat else False

    def __hash__(self) -> int:
        return hash((self.seat, self._row.tobytes()))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self)._restore, (self.game, self._row.tobytes(), self.seat)

    @classmethod
    def _restore(cls, game: Game[M, Any], data: bytes, seat: Seat | None) -> Self:
        return cls._of(game, np.frombuffer(data, np.int64).copy(), seat)

    @classmethod
    def _of(cls, game: Game[M, Any], row: Row, seat: Seat | None) -> Self:
        """The view of a row that is known to be right, without a check."""
        view = cls.__new__(cls)
        view.game, view._row, view._legal, view.seat = game, row, None, seat
        return view


P = TypeVar("P", bound=Position[Any], default=Position[Any])
