"""Lists too long to write out, as sequences that make each item when asked: pyramids to build, hands to deal."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, cached_property
from math import factorial, prod
from typing import overload

from cupboard.core.game import Seat
from cupboard.games.cup_king.layout import cards_in
from cupboard.games.cup_king.moves import CARD_INDEX, CARDS, COLOURS, Build, CupMove, Deal


class _Lazy(Sequence[CupMove]):
    """A sequence whose items are made when asked for: a subclass says in `_at` what stands where."""

    def _at(self, index: int) -> CupMove:
        raise NotImplementedError

    @overload
    def __getitem__(self, index: int) -> CupMove: ...
    @overload
    def __getitem__(self, index: slice) -> list[CupMove]: ...
    def __getitem__(self, index: int | slice) -> CupMove | list[CupMove]:
        if isinstance(index, slice):
            return [self._at(i) for i in range(*index.indices(len(self)))]
        if not -len(self) <= index < len(self):
            raise IndexError(index)
        return self._at(index % len(self))

    def __repr__(self) -> str:
        return f"<{len(self)} moves, from {self[0]} to {self[-1]}>"


class Builds(_Lazy):
    """Every pyramid a seat can build: 168,168,000 with fifteen buckets, 113,400 with ten (CK-3, CK-4)."""

    def __init__(self, seat: Seat, width: int) -> None:
        self._seat = seat
        self._widths = range(width, 0, -1)
        self._each = sum(self._widths) // len(COLOURS)

    def __len__(self) -> int:
        return _arrangements((self._each,) * len(COLOURS))

    def _at(self, index: int) -> CupMove:
        left = [self._each] * len(COLOURS)
        colours = ""
        while len(colours) < sum(self._widths):
            for i, colour in enumerate(COLOURS):
                if not left[i]:
                    continue
                left[i] -= 1
                ways = _arrangements(tuple(left))
                if index < ways:
                    colours += colour
                    break
                left[i] += 1
                index -= ways
        return Build(self._seat, rows_of(colours, self._widths[0]))

    def __contains__(self, move: object) -> bool:
        return (
            isinstance(move, Build)
            and move.seat == self._seat
            and [len(row) for row in move.rows] == list(self._widths)
            and all("".join(move.rows).count(colour) == self._each for colour in COLOURS)
        )


class Deals(_Lazy):
    """Every way to deal `due` cards of a pile to a seat; when the pile runs out, the discards follow (KA-8).

    Pile and discards come as the kernel keeps them: for each colour two bits that count each value.
    """

    def __init__(self, seat: Seat, due: int, pile: Sequence[int], discards: Sequence[int]) -> None:
        self._seat = seat
        self._due = due
        in_pile = sum(map(cards_in, pile))
        self._runs_out = in_pile < due
        self._certain = pile if self._runs_out else (0,) * len(COLOURS)
        self._pool = discards if self._runs_out else pile
        self._chosen = due - in_pile if self._runs_out else due

    @cached_property
    def _ways(self) -> list[list[int]]:
        """_ways[i][n]: how many different selections of n cards there are among those from CARDS[i] on."""
        ways = [[1] + [0] * self._chosen]
        for index in range(len(CARDS) - 1, -1, -1):
            later, copies = ways[0], _copies(self._pool, index)
            ways.insert(0, [sum(later[max(0, n - copies) : n + 1]) for n in range(self._chosen + 1)])
        return ways

    def __len__(self) -> int:
        return self._ways[0][self._chosen]

    def _at(self, index: int) -> CupMove:
        cards: list[str] = []
        left = self._chosen
        for i, card in enumerate(CARDS):
            for take in range(min(_copies(self._pool, i), left), -1, -1):
                ways = self._ways[i + 1][left - take]
                if index < ways:
                    cards += [card] * (take + _copies(self._certain, i))
                    left -= take
                    break
                index -= ways
        return Deal(self._seat, tuple(cards))

    def __contains__(self, move: object) -> bool:
        if not isinstance(move, Deal) or move.seat != self._seat or len(move.cards) != self._due:
            return False
        chosen = [CARD_INDEX[card] for card in move.cards]
        if chosen != sorted(chosen):
            return False
        if self._runs_out:
            certain = [i for i in range(len(CARDS)) for _ in range(_copies(self._certain, i))]
            if any(chosen.count(index) < certain.count(index) for index in certain):
                return False
            for index in certain:
                chosen.remove(index)
        return all(chosen.count(index) <= _copies(self._pool, index) for index in chosen)


def _copies(bunch: Sequence[int], index: int) -> int:
    return bunch[index >> 3] >> 2 * (index & 7) & 3


def rows_of(colours: str, width: int) -> tuple[str, ...]:
    """Colours in building order cut into the rows of a pyramid."""
    rows = []
    while width:
        rows.append(colours[:width])
        colours, width = colours[width:], width - 1
    return tuple(rows)


@cache
def _arrangements(counts: tuple[int, ...]) -> int:
    """In how many orders buckets can stand, given how many of each colour there are."""
    return factorial(sum(counts)) // prod(map(factorial, counts))
