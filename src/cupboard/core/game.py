"""Game, Position, View, Move, Outcome: the nouns every game fills in and every player, screen and server uses.

A game folder writes a `Game`, its moves as frozen dataclasses, and a `Position` and a `View` that share what can
be asked of both. The rules themselves are in the game's kernel; the classes here wrap one read-only row of it,
check what kernels assume, and speak to people.

    game = cupboard.load("jumping-cups")
    position = game.start()                       # the whole truth; immutable
    view = position.seen_by(0)                    # what seat 0 may know; None is a spectator
    position = position.play(position.parse("5-6"))
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from random import Random
from types import MappingProxyType, ModuleType
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, overload

import numpy as np
from typing_extensions import TypeVar  # the standard one takes a default only from Python 3.13 on

from cupboard.core.errors import BadPosition, BadSeats, BadTurn, GameOver, IllegalMove
from cupboard.core.options import Option, Value, one_of, read_options
from cupboard.core.row import CHANCE, LIVE, OVER, PLY, POINT, TURN, Row

if TYPE_CHECKING:
    from cupboard.core.kernel import Kernel
    from cupboard.core.scene import Scene, Tint

__all__ = [
    "CHANCE",
    "Game",
    "Move",
    "Moves",
    "Outcome",
    "Position",
    "Seat",
    "Spot",
    "State",
    "View",
    "letter",
]

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
        """Its notation: no blanks, readable without the position."""

    @abstractmethod
    def spots(self) -> tuple[Spot, ...]:
        """What to point at, in order, to enter it. No legal move's path begins another's."""

    def seen_by(self, seat: Seat | None) -> Move:
        """What `seat` (None: a spectator) gets to know of it."""
        return self

    def words(self, name: Callable[[Seat], str]) -> str:
        """What happens, for a log or a screen reader: `slides to e7` after a seat's name, a whole clause for nature."""
        return f"plays {self}"

    @property
    def warning(self) -> str:
        """What a screen asks about before playing it; mostly nothing."""
        return ""


M = TypeVar("M", bound=Move)


@dataclass(frozen=True)
class Outcome:
    """How a game ended: the winners share one point."""

    winners: tuple[Seat, ...]
    seats: int
    reason: str
    """A stable word: "filled", "blocked" …"""
    sentence: str
    """The reason for the person."""

    @property
    def scores(self) -> tuple[float, ...]:
        """One share of the point for each seat."""
        return tuple(self.score(seat) for seat in range(self.seats))

    @property
    def is_draw(self) -> bool:
        """Whether nobody won alone."""
        return len(self.winners) > 1

    def score(self, seat: Seat) -> float:
        """The seat's share of the point."""
        return 1 / len(self.winners) if seat in self.winners else 0.0


class Moves(Sequence[M]):
    """The legal moves of a position, made only when looked at."""

    __slots__ = ("_codes", "_state")

    def __init__(self, state: State[M], codes: Sequence[int]) -> None:
        self._state = state
        self._codes = codes

    def __len__(self) -> int:
        return len(self._codes)

    @overload
    def __getitem__(self, index: int) -> M: ...
    @overload
    def __getitem__(self, index: slice) -> list[M]: ...
    def __getitem__(self, index: int | slice) -> M | list[M]:
        if isinstance(index, slice):
            return [self._state._decode(code) for code in self._codes[index]]
        return self._state._decode(self._codes[index])

    def __contains__(self, move: object) -> bool:
        return isinstance(move, Move) and self._state._encode(move) in self._codes

    def __repr__(self) -> str:
        shown = [str(move) for move in self[:40]]
        more = [f"… {len(self) - 40} more"] if len(self) > 40 else []
        return f"<{len(self)} moves: {', '.join(shown + more)}>"


class State(ABC, Generic[M]):
    """What can be asked of a Position and of a View alike: one read-only row under the rules of a game."""

    __slots__ = ("_legal", "_row", "game")

    def __init__(self, game: Game[M, Any], row: Row) -> None:
        self.game = game
        self._row = row  # never written again; numba would compile every verb twice for a read-only array
        self._legal: list[int] | None = None

    # What a game fills in.

    @abstractmethod
    def __str__(self) -> str:
        """The state in one line; a position's is what `Game.read` takes."""

    @abstractmethod
    def _decode(self, code: int) -> M:
        """The move a kernel code means here."""

    @abstractmethod
    def _encode(self, move: Move) -> int:
        """The kernel code of a move, or -1 for what can be no move here."""

    @abstractmethod
    def _why_not(self, move: M) -> str:
        """Why the rules forbid `move` here, as a sentence. Asked only of illegal moves."""

    @abstractmethod
    def _explain(self, reason: int, winners: tuple[Seat, ...]) -> tuple[str, str]:
        """The stable word and the sentence for a kernel's reason to end."""

    @abstractmethod
    def scene(self) -> Scene:
        """What a screen draws of it."""

    # What follows.

    @property
    def row(self) -> Row:
        """The kernel's row, to look at."""
        view = self._row.view()
        view.flags.writeable = False
        return view

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """Who acts now: one seat, several at once, (CHANCE,) for nature, () when over."""
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
        """The legal moves of `seat`, or of whoever acts; empty when it is not its turn."""
        acting = self.to_act
        if not acting or (seat is not None and seat not in acting):
            return Moves(self, ())
        return self._moves_of(acting[0] if seat is None else seat)

    def parse(self, text: str, seat: Seat | None = None) -> M:
        """The legal move `text` means; BadNotation or IllegalMove say why there is none."""
        move = self._read_move(text)
        self._check_turn(seat)
        if not self._is_legal(move):
            raise IllegalMove(self._why_not(move))
        return move

    def outcome(self) -> Outcome | None:
        """Who won and why, or None while the game goes on."""
        if not self.is_over:
            return None
        shares = np.zeros(self.game.seats, np.int64)
        reason = int(self.game.kernel.scores(self._row, shares))
        winners = tuple(int(seat) for seat in np.flatnonzero(shares))
        assert shares.sum() == POINT
        return Outcome(winners, self.game.seats, *self._explain(reason, winners))

    def _read_move(self, text: str) -> M:
        return self.game.read_move(text)

    def _moves_of(self, seat: Seat) -> Sequence[M]:
        return Moves(self, self._codes())

    def _codes(self) -> list[int]:
        if self._legal is None:
            kernel = self.game.kernel
            out = np.empty(kernel.max_moves, np.int64)
            self._legal = out[: kernel.moves(self._row, out)].tolist()
        return self._legal

    def _is_legal(self, move: M) -> bool:
        return self._encode(move) in self._codes()

    def _check_turn(self, seat: Seat | None) -> None:
        acting = self.to_act
        if not acting:
            raise GameOver("The game is over.")
        if seat is not None and seat not in acting:
            names = " and ".join(self.game.seat_name(other) for other in acting)
            raise BadTurn(f"It is not {self.game.seat_name(seat)}'s turn: {names} must act first.")

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
        from cupboard.core.text import draw

        return draw(self.scene())

    def _repr_svg_(self) -> str:
        from cupboard.core.svg import svg

        return svg(self.scene())


class Position(State[M]):
    """The whole truth of a moment in a game. Immutable; it never leaves the server."""

    __slots__ = ()

    def play(self, move: M, seat: Seat | None = None) -> Self:
        """The position after `move` of `seat` (or whoever acts). This one stays as it is."""
        self._check_turn(seat)
        return type(self)(self.game, self._after(move, seat))

    def chance(self, rng: Random) -> M:
        """Nature's next move, drawn with the right odds. The only door for randomness."""
        assert self.to_act == (CHANCE,)
        return self._decode(int(self.game.kernel.chance(self._row, np.uint64(rng.getrandbits(64)))))

    def seen_by(self, seat: Seat | None) -> View[M]:
        """What `seat` may know; None is a spectator."""
        return self.game.view_class(self.game, self._veil(seat), seat)

    def to_json(self) -> dict[str, object]:
        """Everything there is to know, as plain data; `Game.from_json` takes it back."""
        size = self.game.kernel.size
        return {"position": str(self), "past": self._row[size:].tolist()}

    def _veil(self, seat: Seat | None) -> Row:
        """The row with what `seat` may not know blanked. Games without secrets hide nothing."""
        return self._row

    def _after(self, move: M, seat: Seat | None) -> Row:
        code = self._encode(move)
        if code not in self._codes():
            raise IllegalMove(self._why_not(move))
        return self._step(self._row, code)

    def _step(self, row: Row, code: int) -> Row:
        """A new row, one kernel move later."""
        live = int(row[LIVE])
        after = np.zeros(live + 1, np.int64)  # one spare entry: a play may remember one thing more
        after[:live] = row[:live]
        self.game.kernel.play(after, code)
        return after[: after[LIVE]]

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self)._restore, (self.game, self._row.tobytes())

    @classmethod
    def _restore(cls, game: Game[M, Any], data: bytes) -> Self:
        return cls(game, np.frombuffer(data, np.int64).copy())


class View(State[M]):
    """What one seat, or a spectator, may know of a position. Players and screens get nothing else."""

    __slots__ = ("seat",)

    def __init__(self, game: Game[M, Any], row: Row, seat: Seat | None) -> None:
        super().__init__(game, row)
        self.seat = seat

    def moves(self, seat: Seat | None = None) -> Sequence[M]:
        """The legal moves of the seat that looks; nobody else's, and a spectator has none."""
        if self.seat is None or seat not in (None, self.seat):
            return Moves(self, ())
        return super().moves(self.seat)

    def __eq__(self, other: object) -> bool:
        return super().__eq__(other) if isinstance(other, View) and other.seat == self.seat else False

    def __hash__(self) -> int:
        return hash((self.seat, self._row.tobytes()))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self)._restore, (self.game, self._row.tobytes(), self.seat)

    @classmethod
    def _restore(cls, game: Game[M, Any], data: bytes, seat: Seat | None) -> Self:
        return cls(game, np.frombuffer(data, np.int64).copy(), seat)


P = TypeVar("P", bound=Position[Any], default=Position[Any])


class Game(ABC, Generic[M, P]):
    """The rules with their options chosen; no play state."""

    name: ClassVar[str]
    """As one writes it: "jumping-cups"; the folder is jumping_cups."""
    title: ClassVar[str]
    blurb: ClassVar[str]
    """One sentence that makes somebody want to play."""
    minutes: ClassVar[int]
    SEATS: ClassVar[tuple[int, ...]]
    """How many can play; the first is the default."""
    OPTIONS: ClassVar[tuple[Option, ...]] = ()
    PROFILES: ClassVar[Mapping[str, Mapping[str, Value]]] = MappingProxyType({})
    """Named sets of options; the first is the default. A game that has some takes the option `profile`."""
    TINTS: ClassVar[tuple[Tint, ...]]
    """The colour of each seat."""
    can_be_drawn: ClassVar[bool] = True
    """Whether people may agree on a draw."""
    position_class: type[P]
    view_class: type[View[M]]

    def __init__(self, seats: int | None = None, **options: object) -> None:
        self.seats = self._read_seats(seats)
        self.options: Mapping[str, Value] = MappingProxyType(self._read_options(options))
        self._check_options()

    # What a game fills in.

    @abstractmethod
    def _kernel_options(self) -> Sequence[int]:
        """The options as the kernel's `setup` takes them."""

    @abstractmethod
    def read(self, text: str) -> P:
        """The position a line of text describes; BadPosition says what is wrong with it."""

    @abstractmethod
    def read_move(self, text: str) -> M:
        """The move a text describes, legal or not; BadNotation says how to write one."""

    def _check_options(self) -> None:
        """Refuse with BadOption what makes no sense together."""

    def _why_not_seats(self, seats: int) -> str:
        """Why so many cannot play."""
        return f"{self.title} is for {one_of(str(n) for n in sorted(self.SEATS))} players, not {seats}."

    # What follows.

    @cached_property
    def kernel(self) -> Kernel:
        """The compiled rules; loading them the first time on a machine takes a few seconds."""
        from cupboard.core.kernel import Kernel

        return Kernel.of(self.kernel_module)

    @cached_property
    def kernel_module(self) -> ModuleType:
        """The game's kernel.py, for what is not one of the common verbs."""
        return import_module(f"{type(self).__module__.rpartition('.')[0]}.kernel")

    def start(self) -> P:
        """The position before anybody, nature included, has moved."""
        row = np.zeros(self.kernel.size, np.int64)
        self.kernel.setup(row, np.array(self._kernel_options(), np.int64))
        return self.position_class(self, row)

    def imagine(self, view: View[M], rng: Random) -> P:
        """Some position that would look exactly like `view` to its seat."""
        row = view._row.copy()
        seat = CHANCE if view.seat is None else view.seat
        self.kernel.redeal(row, seat, np.uint64(rng.getrandbits(64)))
        return self.position_class(self, row)

    def from_json(self, data: object) -> P:
        """The position `Position.to_json` wrote."""
        if not isinstance(data, dict) or not isinstance(data.get("position"), str):
            raise BadPosition('A position is written {"position": "…", "past": […]}.')
        past = data.get("past", [])
        if not isinstance(past, list) or not all(type(n) is int and -(2**63) <= n < 2**63 for n in past):
            raise BadPosition("The past of a position is a list of whole numbers.")
        position = self.read(data["position"])
        if not past:
            return position
        row = np.concatenate([position._row, np.array(past, np.int64)])
        row[LIVE] = len(row)
        return self.position_class(self, row)

    def seat_name(self, seat: Seat) -> str:
        """What people call a seat: the colour of its pieces."""
        return "nature" if seat == CHANCE else self.TINTS[seat].name.capitalize()

    def tint(self, seat: Seat) -> Tint:
        """The colour, letter and shape of a seat."""
        return self.TINTS[seat]

    @property
    def chosen(self) -> dict[str, Value]:
        """The options that differ from the defaults: what one writes to get this game again."""
        plain = type(self)(self.seats)
        profile = {"profile": self.options["profile"]} if self.PROFILES else {}
        base = type(self)(self.seats, **profile).options if profile else plain.options
        differs = {name: value for name, value in self.options.items() if value != base[name]}
        if profile and profile["profile"] != plain.options["profile"]:
            differs = profile | differs
        return differs

    def _read_seats(self, seats: int | None) -> int:
        if seats is None:
            return self.SEATS[0]
        if seats not in self.SEATS:
            raise BadSeats(self._why_not_seats(seats))
        return seats

    def _read_options(self, given: Mapping[str, object]) -> dict[str, Value]:
        if not self.PROFILES:
            return read_options(self.title, self.OPTIONS, given)
        names = tuple(self.PROFILES)
        profile = Option("profile", names[0], "A named set of rules.", choices=names)
        chosen = profile.read(given.get("profile", names[0]))
        return read_options(self.title, (profile, *self.OPTIONS), {**self.PROFILES[str(chosen)], **given})

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self.seats == other.seats and self.options == other.options

    def __hash__(self) -> int:
        return hash((self.name, self.seats, tuple(self.options.items())))

    def __repr__(self) -> str:
        chosen = "".join(f", {name}={value!r}" for name, value in self.chosen.items())
        return f"load({self.name!r}, seats={self.seats}{chosen})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore_game, (type(self), self.seats, dict(self.options))


def _restore_game(cls: type[Game[Any]], seats: int, options: dict[str, Value]) -> Game[Any]:
    return cls(seats, **options)
