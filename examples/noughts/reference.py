"""Noughts once more, slowly: a list of letters and the sentences of the rules. Only tests use it."""

from __future__ import annotations

WAYS = ("abc", "def", "ghi", "adg", "beh", "cfi", "aei", "ceg")
"""The lines, the cells being a to i in reading order."""


class SlowGrid:
    """Nine letters, x and o and points."""

    def __init__(self, marks: str = "." * 9) -> None:
        self.marks = marks

    @property
    def winner(self) -> str:
        """The letter that fills a line, or nothing (NC-3)."""
        for way in WAYS:
            letters = {self.marks["abcdefghi".index(cell)] for cell in way}
            if letters in ({"x"}, {"o"}):
                return letters.pop()
        return ""

    def moves(self) -> list[int]:
        """The empty cells, as long as nobody has won."""
        return [] if self.winner else [cell for cell in range(9) if self.marks[cell] == "."]

    def play(self, cell: int) -> SlowGrid:
        """The grid after the next mark; x begins (NC-2)."""
        mark = "x" if self.marks.count("x") == self.marks.count("o") else "o"
        return SlowGrid(self.marks[:cell] + mark + self.marks[cell + 1 :])


def perft(grid: SlowGrid, depth: int) -> int:
    """Sequences of `depth` moves."""
    return 1 if depth == 0 else sum(perft(grid.play(cell), depth - 1) for cell in grid.moves())
