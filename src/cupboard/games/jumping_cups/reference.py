"""Jumping Cups once more, slowly: lists of letters and the sentences of the rulebook. Only tests use it."""

from __future__ import annotations

from dataclasses import dataclass, field

COLOURS = "RY"


@dataclass
class SlowCups:
    """Squares 1 to 14 as strings, lowest cup first; index 0 is not used."""

    squares: list[str] = field(default_factory=lambda: [""] + ["R"] * 5 + [""] * 4 + ["Y"] * 5)
    colour: str = "R"
    winner: str = ""
    reason: str = ""

    def copy(self) -> SlowCups:
        """A copy that can be played on without touching this one."""
        return SlowCups(list(self.squares), self.colour, self.winner, self.reason)

    def moves(self) -> list[int]:
        """The squares whose top cup belongs to the seat to move."""
        if self.winner:
            return []
        return [k for k in range(1, 15) if self.squares[k].endswith(self.colour)]

    def finish_squares(self, colour: str) -> range:
        """The five squares at the far end of a seat's way."""
        return range(10, 15) if colour == "R" else range(1, 6)

    def target(self, start: int) -> int | None:
        """Where a cup comes to rest; None is off the track."""
        step = 1 if self.colour == "R" else -1
        here = start + step * len(self.squares[start])
        while 1 <= here <= 14:
            if here not in self.finish_squares(self.colour) or self.colour not in self.squares[here]:
                return here
            here += step * (len(self.squares[here]) + 1)
        return None

    def play(self, start: int) -> None:
        """Move the top cup of a square and see who has won."""
        me, other = self.colour, COLOURS[1 - COLOURS.index(self.colour)]
        target = self.target(start)
        self.squares[start] = self.squares[start][:-1]
        if target is None:
            self.winner, self.reason = other, "overshot"
            return
        self.squares[target] += me
        self.colour = other
        if all(me in self.squares[k] for k in self.finish_squares(me)):
            self.winner, self.reason = me, "filled"
        elif not self.moves():
            self.winner, self.reason = me, "blocked"
        elif all(self.target(k) is None for k in self.moves()):
            self.winner, self.reason = me, "only-overshoots"


def perft(cups: SlowCups, depth: int) -> int:
    """How many sequences of `depth` moves there are."""
    if depth == 0:
        return 1
    total = 0
    for move in cups.moves():
        child = cups.copy()
        child.play(move)
        total += perft(child, depth - 1)
    return total
