"""Double Dutch once more, slow and plain, written from the numbered rules alone: the judge of the kernel.

Cells are axial (q, r); a stone is (seat, flat); a move is ("d4",) for a first stone or ("d4", "E").
"""

from __future__ import annotations

from collections.abc import Iterator

Cell = tuple[int, int]
Stone = tuple[int, bool]
RefMove = tuple[str, ...]

COMPASS: dict[str, Cell] = {
    "E": (1, 0),
    "SE": (0, 1),
    "SW": (-1, 1),
    "W": (-1, 0),
    "NW": (0, -1),
    "NE": (1, -1),
}


def _pinwheel49() -> set[Cell]:
    ranges = [(2, 3), (-1, 3), (-2, 4), (-2, 4), (-3, 3), (-4, 2), (-4, 2), (-3, 1), (-3, -2)]
    return {(q, r) for r, (low, high) in zip(range(-4, 5), ranges, strict=True) for q in range(low, high + 1)}


def _stagger7x7() -> set[Cell]:
    return {(i - r // 2, r) for r in range(7) for i in range(7)}


def _rows56() -> set[Cell]:
    # Rows of 5 and 6 in turn; a row of 6 begins half a cell further left than the row of 5 above it.
    return {(i - (r + 1) // 2, r) for r in range(9) for i in range(6 if r % 2 else 5)}


def _rhombus7() -> set[Cell]:
    return {(q, r) for q in range(7) for r in range(7)}


def _hex37plus12() -> set[Cell]:
    # The side-5 hexagon without its corners and the middles of its sides.
    near = range(-4, 5)
    hexagon = {(q, r) for q in near for r in near if abs(q + r) <= 4}
    corners = {(dq * 4, dr * 4) for dq, dr in COMPASS.values()}
    middles = {(2, 2), (-2, -2), (4, -2), (-4, 2), (2, -4), (-2, 4)}
    return hexagon - corners - middles


BOARDS = {
    "pinwheel49": _pinwheel49(),
    "stagger7x7": _stagger7x7(),
    "rows56": _rows56(),
    "rhombus7": _rhombus7(),
    "hex37plus12": _hex37plus12(),
}


def names(board: set[Cell]) -> dict[str, Cell]:
    """The cells by name: letters for the rows from the top, numbers from the left."""
    top = min(r for _, r in board)
    named = {}
    for r in sorted({r for _, r in board}):
        for number, q in enumerate(sorted(q for q, row in board if row == r), 1):
            named[f"{'abcdefghi'[r - top]}{number}"] = (q, r)
    return named


class Reference:
    """A game in progress, which `play` changes."""

    def __init__(self, seats: int, board: str = "pinwheel49", stock: int | None = None) -> None:
        self.seats = seats
        self.cells = BOARDS[board]
        self.named = names(self.cells)
        self.name_of = {cell: name for name, cell in self.named.items()}
        # DD-3: 26 stones each for two, 20 each for three.
        self.stock = [stock if stock is not None else {2: 26, 3: 20}[seats]] * seats
        self.stones: dict[Cell, Stone] = {}
        self.turn: int | None = 0
        self.last_mover: int | None = None

    def copy(self) -> Reference:
        """A twin that can be played on without touching this one."""
        twin = Reference.__new__(Reference)
        twin.__dict__.update(self.__dict__)
        twin.stock = list(self.stock)
        twin.stones = dict(self.stones)
        return twin

    def is_placing(self) -> bool:
        """Whether some seat has yet to place its first stone (DD-5)."""
        return len(self.stones) < self.seats

    def path(self, start: Cell, heading: str) -> list[Cell]:
        """The free cells ahead of `start` up to the end of the row or a stone (DD-8)."""
        dq, dr = COMPASS[heading]
        crossed: list[Cell] = []
        q, r = start[0] + dq, start[1] + dr
        while (q, r) in self.cells and (q, r) not in self.stones:
            crossed.append((q, r))
            q, r = q + dq, r + dr
        return crossed

    def regular_moves(self, seat: int) -> Iterator[RefMove]:
        """The moves of a seat by DD-7 to DD-9; none without a stone in stock to follow (DA-5)."""
        if self.stock[seat] == 0:
            return
        for cell, (owner, flat) in self.stones.items():
            if owner == seat and flat:
                for heading in COMPASS:
                    if len(self.path(cell, heading)) >= 2:
                        yield (self.name_of[cell], heading)

    def moves(self) -> list[RefMove]:
        """What the seat to act may do."""
        if self.turn is None:
            return []
        if self.is_placing():
            return [(name,) for name, cell in self.named.items() if cell not in self.stones]
        return list(self.regular_moves(self.turn))

    def play(self, move: RefMove) -> None:
        """Make the move and find whose turn it is, passing over those who cannot move (DD-12)."""
        seat = self.turn
        assert seat is not None
        start = self.named[move[0]]
        if len(move) == 1:
            self.stones[start] = (seat, True)
        else:
            crossed = self.path(start, move[1])
            del self.stones[start]
            self.stones[crossed[-1]] = (seat, len(crossed) == 2)  # DD-10
            self.stones[crossed[0]] = (seat, True)  # DD-11
            self.last_mover = seat
        self.stock[seat] -= 1
        following = [(seat + i) % self.seats for i in range(1, self.seats + 1)]
        if self.is_placing():
            self.turn = following[0]
        else:
            self.turn = next((s for s in following if any(self.regular_moves(s))), None)

    def points(self) -> list[float]:
        """The points of each seat: all to the last mover (DD-13), equal shares if there is none (DA-9)."""
        if self.last_mover is None:
            return [1 / self.seats] * self.seats
        return [float(seat == self.last_mover) for seat in range(self.seats)]

    def perft(self, depth: int) -> int:
        """How many sequences of `depth` moves there are."""
        moves = self.moves()
        if depth == 1:
            return len(moves)
        total = 0
        for move in moves:
            child = self.copy()
            child.play(move)
            total += child.perft(depth - 1)
        return total
