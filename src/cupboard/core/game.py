"""Game: the rules with their options chosen. Here also stands the short guide to the whole protocol.

A game folder writes a `Game`, its moves as frozen dataclasses, and a `Position` and a `View` that share what can
be asked of both. The rules themselves are in the game's kernel; the classes of core wrap one read-only row of it,
check what kernels assume, and speak to people.

    game = cupboard.load("jumping-cups")
    position = game.start()                       # the whole truth; immutable
    view = position.seen_by(0)                    # what seat 0 may know; None is a spectator
    position = position.play(position.parse("5-6"))
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property
from importlib import import_module
from types import MappingProxyType, ModuleType
from typing import TYPE_CHECKING, Any, ClassVar, Generic

import numpy as np

from cupboard.core.errors import BadPosition, BadSeats, NoSuchSeat
from cupboard.core.move import M, Move, Outcome, Seat, Spot, letter
from cupboard.core.move_list import Moves
from cupboard.core.options import Option, Value, read_options
from cupboard.core.position import P, Position, State, Step, View
from cupboard.core.random_source import Luck, random_bits
from cupboard.core.row import CHANCE, LIVE
from cupboard.core.words import Words, either, phrase

if TYPE_CHECKING:
    from cupboard.core.kernel import Kernel
    from cupboard.core.knowledge import Knowledge
    from cupboard.core.scene import Kind, Piece, Tint

__all__ = ["CHANCE", "Game", "Move", "Moves", "Outcome", "Position", "Seat", "Spot", "State", "Step", "View", "letter"]


class Game(ABC, Generic[M, P]):
    """The rules with their options chosen; no play state."""

    name: ClassVar[str]
    """The name as people type it: "jumping-cups"; the folder is jumping_cups."""
    title: ClassVar[Words]
    blurb: ClassVar[Words]
    """One sentence that makes somebody want to play. It stands in the game's catalogue, as the title does."""
    minutes: ClassVar[int]
    SEATS: ClassVar[tuple[int, ...]]
    """The numbers of players it can be played with; the first is the default."""
    OPTIONS: ClassVar[tuple[Option, ...]] = ()
    PROFILES: ClassVar[Mapping[str, Mapping[str, Value]]] = MappingProxyType({})
    """Named sets of options; the first is the default. A game that has some takes the option `profile`."""
    TINTS: ClassVar[tuple[Tint, ...]]
    """The colour of each seat."""
    MORE_TINTS: ClassVar[tuple[Tint, ...]] = ()
    """Further colours of its pieces, which are neither a seat's nor among those of core.scene."""
    LOOSE: ClassVar[tuple[tuple[Kind, str], ...]] = ()
    """The pieces with which somebody can set up a position, by kind and tint; those of seats that do not play do not
    count. Empty: the game's positions cannot be set up by hand."""
    has_secrets: ClassVar[bool] = False
    """Whether seats see different things: hands of cards, say. Such a game veils positions, and its kernel redeals."""
    has_chance: ClassVar[bool] = False
    """Whether nature acts once the seats have begun to move: dice, or a pile to draw from. A lot that only decides who
    starts does not count, for nobody who looks ahead meets it."""
    can_be_drawn: ClassVar[bool] = True
    """Whether people may agree on a draw."""
    JOINERS: ClassVar[tuple[str, ...]] = ("-",)
    """What a blank between two words of a typed move may stand for, the likeliest first: `e4 e7` is `e4-e7`."""
    move_classes: ClassVar[tuple[type[Move], ...]]
    """The classes of its moves, all dataclasses."""
    position_class: type[P]
    view_class: type[View[M]]

    def __init_subclass__(cls) -> None:
        cls.title, cls.blurb = phrase(f"{cls.name}.title"), phrase(f"{cls.name}.blurb")

    def __init__(self, seats: int | None = None, **options: object) -> None:
        self.seats = self._read_seats(seats)
        self.options: Mapping[str, Value] = MappingProxyType(self._read_options(options))
        self._check_options()

    # What a game fills in.

    @abstractmethod
    def _kernel_options(self) -> Sequence[int]:
        """The options as ints in the order in which the kernel's `setup` takes them; see core.row.by_entry."""

    @abstractmethod
    def read(self, text: str) -> P:
        """The position a line of text describes; BadPosition says what is wrong with it."""

    @abstractmethod
    def read_move(self, text: str) -> M:
        """The move a text describes, legal or not; BadNotation says how to write one."""

    def arranged(self, stacks: Mapping[Spot, Sequence[Piece]], turn: Seat) -> P:
        """The position in which these pieces stand, the lowest of each stack first, and `turn` is to act.

        Games whose pieces can be set up by hand (`LOOSE`) fill it in. BadPosition says why it cannot come up.
        """
        raise BadPosition(phrase("position.fixed", game=self.title))

    def _check_options(self) -> None:
        """Raise BadOption for options that make no sense together."""

    def _why_not_seats(self, seats: int) -> Words:
        """The sentence that says why the game cannot be played by so many."""
        return phrase("seats.wrong", game=self.title, seats=either(*sorted(self.SEATS)), count=seats)

    # What follows.

    @cached_property
    def kernel(self) -> Kernel:
        """The compiled rules; loading them the first time on a machine takes a few seconds."""
        from cupboard.core.kernel import Kernel

        return Kernel.of(self.kernel_module)

    @cached_property
    def kernel_module(self) -> ModuleType:
        """The module kernel.py of the game, for functions beyond the common verbs."""
        return import_module(f"{self._package()}.kernel")

    @cached_property
    def knowledge(self) -> Knowledge:
        """What bots may ask of the game beyond its rules; finding out compiles nothing."""
        from cupboard.core.knowledge import knowledge_in

        return knowledge_in(self._package())

    @classmethod
    def _package(cls) -> str:
        """The folder of the game, as Python imports it."""
        return cls.__module__.rpartition(".")[0]

    def start(self) -> P:
        """The position before anybody, nature included, has moved."""
        row = np.zeros(self.kernel.size, np.int64)
        self.kernel.setup(row, np.array(self._kernel_options(), np.int64))
        return self.position_class._of(self, row)

    def imagine(self, view: View[M], rng: Luck) -> P:
        """Some position that would look exactly like `view` to its seat."""
        self.check_view(view)
        row = view._row.copy()
        seat = CHANCE if view.seat is None else view.seat
        self.kernel.redeal(row, seat, random_bits(rng))
        return self.position_class._of(self, row)

    def check_seat(self, seat: Seat, nature: bool = True) -> Seat:
        """Return the seat if the game has it, else raise NoSuchSeat. CHANCE is a seat here if `nature` is true."""
        if seat not in range(self.seats) and not (nature and seat == CHANCE):
            named = f"{letter(seat)} ({seat})" if seat in range(26) else str(seat)[:20]
            raise NoSuchSeat(phrase("turn.noSeat", seat=named, game=self.title, count=self.seats))
        return seat

    def check_view(self, view: View[M]) -> None:
        """Raise BadPosition unless `view` is a view of this game with these options."""
        if not isinstance(view, View):
            raise BadPosition(f"A view is what position.seen_by(seat) gives, not a {type(view).__name__}.")
        if view.game is not self and view.game != self:
            raise BadPosition(f"This is a view of {view.game!r}, not of {self!r}.")

    def from_json(self, data: object) -> P:
        """The position `Position.to_json` wrote."""
        if not isinstance(data, dict) or not isinstance(data.get("position"), str):
            raise BadPosition(phrase("position.json"))
        past = data.get("past", [])
        if not isinstance(past, list) or not all(type(n) is int and -(2**63) <= n < 2**63 for n in past):
            raise BadPosition(phrase("position.past"))
        position = self.read(data["position"])
        if not past:
            return position
        row = np.concatenate([position._row, np.array(past, np.int64)])
        row[LIVE] = len(row)
        return self.position_class(self, row)

    def seat_name(self, seat: Seat) -> Words:
        """What people call a seat: the colour of its pieces."""
        return phrase("seat.nature") if seat == CHANCE else phrase(f"seat.{self.TINTS[seat].name}")

    def tint(self, seat: Seat) -> Tint:
        """The colour, letter and shape of a seat."""
        return self.TINTS[seat]

    @cached_property
    def palette(self) -> tuple[Tint, ...]:
        """Every tint that its scenes may name: the seats', the common ones and the game's own."""
        from cupboard.core.scene import TINTS

        return tuple({tint.name: tint for tint in (*self.TINTS, *TINTS, *self.MORE_TINTS)}.values())

    @property
    def chosen(self) -> dict[str, Value]:
        """The options that differ from the defaults: with them `load` makes an equal game."""
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
        profile = Option("profile", names[0], choices=names)
        chosen = profile.read(given.get("profile", names[0]))
        return read_options(self.title, (profile, *self.OPTIONS), {**self.PROFILES[str(chosen)], **given})

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self.seats == other.seats and self.options == other.options

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.name, self.seats, tuple(self.options.items())))

    def __repr__(self) -> str:
        chosen = "".join(f", {name}={value!r}" for name, value in self.chosen.items())
        return f"load({self.name!r}, seats={self.seats}{chosen})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore_game, (type(self), self.seats, dict(self.options))


def _restore_game(cls: type[Game[Any]], seats: int, options: dict[str, Value]) -> Game[Any]:
    return cls(seats, **options)
