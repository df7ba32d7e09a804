"""Chinese Checkers once more, slow and obvious, for the tests only.

Written from the rules and sharing nothing with the kernel: holes are axial coordinates, the board is a dict from
hole to seat, a chain is followed by trying everything.
"""

from __future__ import annotations

from dataclasses import dataclass, field

Hole = tuple[int, int]
Step = tuple[Hole, Hole]

DIRECTIONS = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)]
CLOCKWISE = ["N", "NE", "SE", "S", "SW", "NW"]
HOMES = {
    2: ["N", "S"],
    3: ["N", "SE", "SW"],
    4: ["N", "NE", "S", "SW"],
    6: ["N", "NE", "SE", "S", "SW", "NW"],
}


def on_board(hole: Hole) -> bool:
    """CC-1: two large triangles laid over each other make the star."""
    q, r = hole
    s = -q - r
    return max(q, r, s) <= 4 or min(q, r, s) >= -4


def triangle(hole: Hole) -> str:
    """The point of the star that holds the hole, or '' for the middle."""
    q, r = hole
    s = -q - r
    beyond = {"N": r < -4, "NE": q > 4, "SE": s < -4, "S": r > 4, "SW": q < -4, "NW": s > 4}
    return "".join(name for name, inside in beyond.items() if inside)


def opposite(name: str) -> str:
    """The triangle opposite (CC-8)."""
    return CLOCKWISE[(CLOCKWISE.index(name) + 3) % 6]


HOLES = [(q, r) for r in range(-8, 9) for q in range(-8, 9) if on_board((q, r))]


@dataclass(frozen=True)
class Rules:
    """The options of a game."""

    seats: int = 2
    finish_rule: str = "fi"
    fi_min_own: int = 1
    leave_home: bool = True
    swap_by_jump: bool = False
    lenient_transit: bool = False
    lock: bool = True
    whole_rounds: bool = True
    repetition: int = 3
    round_cap: int = 250
    turn_cap: int = 0


@dataclass
class Reference:
    """A game in progress; `winners` and `reason` are set when it is over."""

    rules: Rules
    board: dict[Hole, int] = field(default_factory=dict)
    turn: int = 0
    turns_taken: int = 0
    finished: list[int] = field(default_factory=list)
    past: list[str] = field(default_factory=list)
    winners: list[int] | None = None
    reason: str = ""

    def __post_init__(self) -> None:
        if not self.board:
            for seat, home in enumerate(HOMES[self.rules.seats]):
                for hole in HOLES:
                    if triangle(hole) == home:
                        self.board[hole] = seat
        self.past = [self.snapshot()]

    def snapshot(self) -> str:
        """All that must be equal for a position to count as repeated."""
        return f"{sorted(self.board.items())} {self.turn} {self.finished}"

    def target(self, seat: int) -> str:
        """The triangle a seat is bound for."""
        return opposite(HOMES[self.rules.seats][seat])

    def moves(self) -> set[Step]:
        """All moves of the seat to act, as pairs of start and end (CA-5)."""
        return {(start, end) for start, seat in self.board.items() if seat == self.turn for end in self.ends(start)}

    def ends(self, start: Hole) -> set[Hole]:
        """Every hole the piece on `start` may come to rest in."""
        seat = self.board[start]
        mine = self.target(seat)
        found: set[Hole] = set()
        for dq, dr in DIRECTIONS:
            end = (start[0] + dq, start[1] + dr)
            if on_board(end) and not self.locked_in(mine, start, end) and self.accepts(end, seat):
                found.add(end)

        lifted = {hole: who for hole, who in self.board.items() if hole != start}
        reached = {start}
        waiting = [start]
        while waiting:
            here = waiting.pop()
            for dq, dr in DIRECTIONS:
                over = (here[0] + dq, here[1] + dr)
                end = (over[0] + dq, over[1] + dr)
                if over not in lifted or not on_board(end):
                    continue
                if not self.rules.lenient_transit and self.locked_in(mine, here, end):
                    continue
                if end not in lifted:
                    if end not in reached:
                        reached.add(end)
                        waiting.append(end)
                elif self.rules.swap_by_jump and self.accepts(end, seat):
                    found.add(end)  # a swap ends the turn, so nothing waits here
        jumped = reached - {start}
        if self.rules.lenient_transit:
            jumped = {end for end in jumped if not self.locked_in(mine, start, end)}
        return found | jumped

    def locked_in(self, mine: str, here: Hole, there: Hole) -> bool:
        """Whether a piece on `here` may not go to `there`, because it would leave its target (CC-17)."""
        return self.rules.lock and triangle(here) == mine and triangle(there) != mine

    def accepts(self, hole: Hole, seat: int) -> bool:
        """Whether the hole is empty, or holds a piece that must give way (CC-18 SE)."""
        if hole not in self.board:
            return True
        swaps = self.rules.finish_rule == "se" and triangle(hole) == self.target(seat)
        return swaps and self.board[hole] != seat

    def play(self, start: Hole, end: Hole) -> None:
        """Make the move and every forced pass after it."""
        seat = self.board.pop(start)
        if end in self.board:
            self.board[start] = self.board[end]
        self.board[end] = seat
        self.end_turn()
        passed = 0
        while self.winners is None and not self.moves():
            self.end_turn()
            passed += 1
            if passed >= self.rules.seats and self.winners is None and not self.finished:
                self.draw("blocked")
        if self.winners is None:
            self.past.append(self.snapshot())
            if self.rules.repetition and self.past.count(self.past[-1]) >= self.rules.repetition:
                self.draw("repeated")

    def end_turn(self) -> None:
        """Test the seat that has had its turn, then the game (CA-12, CA-13, CA-19)."""
        if self.has_finished(self.turn):
            self.finished.append(self.turn)
        self.turns_taken += 1
        self.turn = (self.turn + 1) % self.rules.seats
        caps = (self.rules.round_cap * self.rules.seats, self.rules.turn_cap)
        at_limit = any(cap and self.turns_taken >= cap for cap in caps)
        if self.finished and (self.turn == 0 or at_limit or not self.rules.whole_rounds):
            self.winners = list(self.finished)
            self.reason = "one" if len(self.finished) == 1 else "several"
        elif at_limit:
            self.draw("limit")

    def has_finished(self, seat: int) -> bool:
        """CC-18, with CA-10, CA-11, CA-21 and CA-22 for the Finnish ending."""
        target = self.target(seat)
        inside = [hole for hole in HOLES if triangle(hole) == target]
        own = [hole for hole in inside if self.board.get(hole) == seat]
        if self.rules.finish_rule != "fi":
            return len(own) == 10
        empty = [hole for hole in inside if hole not in self.board]
        if any(self.in_reach(seat, target, hole) for hole in empty):
            return False
        if self.rules.leave_home and not self.has_left_home(seat):
            return False
        shut_out = self.rules.leave_home and self.rules.fi_min_own == 1 and not own and len(empty) > 0
        return len(own) >= self.rules.fi_min_own or shut_out

    def has_left_home(self, seat: int) -> bool:
        """CA-22: a piece that is walled in at home cannot leave and does not count."""
        home = HOMES[self.rules.seats][seat]
        waiting = [hole for hole, who in self.board.items() if who == seat and triangle(hole) == home]
        return not any(self.in_reach(seat, home, hole) for hole in waiting)

    def in_reach(self, seat: int, where: str, hole: Hole) -> bool:
        """CA-21: whether a piece could go between this hole and the outside of its triangle, if only the other seats'
        pieces inside the triangle stood still and anything else were put wherever it helps."""
        wall = [other for other, who in self.board.items() if who != seat and triangle(other) == where]
        visited = {hole}
        waiting = [hole]
        while waiting:
            q, r = waiting.pop()
            if triangle((q, r)) != where:
                return True
            for dq, dr in DIRECTIONS:
                for far in (1, 2):  # a step, or a jump: something to jump over can always be put there
                    there = (q + far * dq, r + far * dr)
                    if on_board(there) and there not in wall and there not in visited:
                        visited.add(there)
                        waiting.append(there)
        return False

    def draw(self, reason: str) -> None:
        """End the game without anybody who has finished: all share the point."""
        self.winners = list(range(self.rules.seats))
        self.reason = reason

    def scores(self) -> list[int]:
        """Each seat's share in sixtieths of the point."""
        assert self.winners is not None
        return [60 // len(self.winners) if seat in self.winners else 0 for seat in range(self.rules.seats)]

    def perft(self, depth: int) -> int:
        """How many sequences of so many moves there are."""
        if self.winners is not None:
            return 0
        moves = self.moves()
        if depth == 1:
            return len(moves)
        total = 0
        for start, end in moves:
            child = Reference(self.rules, dict(self.board), self.turn, self.turns_taken, list(self.finished))
            child.play(start, end)
            total += child.perft(depth - 1)
        return total
