"""Cup King once more, slow and obvious: what the tests hold the kernel against.

Written from the rules alone, with strings, lists and dicts. A card is "R5", a bucket (row, column) with row 0
the base, a break the column of the bucket of the base at its left, a move a tuple that begins with a word.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from copy import deepcopy
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import Any

COLOURS = "RYGBP"
NATURE = "nature"
CLASSES = ("gentle", "firm", "hard")

Cell = tuple[int, int]
Breaks = frozenset[int]
Move = tuple[Any, ...]
Event = tuple[str, int | None, str | None]
"""What happened to a card: it was drawn or showed by a seat; or the open cards were cleared, the discards shuffled."""
World = tuple[tuple[str, ...], ...]
"""The hands of all seats in order, then the pile."""


def value(card: str) -> int:
    """What a card counts."""
    return int(card[1:])


def in_order(cards: list[str] | tuple[str, ...]) -> tuple[str, ...]:
    """Cards by colour and value."""
    return tuple(sorted(cards, key=lambda card: (COLOURS.index(card[0]), value(card))))


def fall(cells: frozenset[Cell]) -> frozenset[Cell]:
    """Take away what lacks a support until nothing does (4.2, step 2)."""
    while True:
        firm = frozenset((row, col) for row, col in cells if row == 0 or {(row - 1, col), (row - 1, col + 1)} <= cells)
        if firm == cells:
            return cells
        cells = firm


UNBROKEN: Breaks = frozenset()


def parts(cells: frozenset[Cell], breaks: Breaks = UNBROKEN) -> list[frozenset[Cell]]:
    """The groups of buckets that belong together, beside or above one another, from the left.

    Two of the base that have a break between them do not.
    """
    left = set(cells)
    groups = []
    while left:
        group: set[Cell] = set()
        reached = [min(left, key=lambda cell: (cell[1], cell[0]))]
        while reached:
            row, col = reached.pop()
            if (row, col) in left:
                left.remove((row, col))
                group.add((row, col))
                reached += [(row + 1, col), (row + 1, col - 1), (row - 1, col), (row - 1, col + 1)]
                if row > 0 or col not in breaks:
                    reached.append((row, col + 1))
                if row > 0 or col - 1 not in breaks:
                    reached.append((row, col - 1))
        groups.append(frozenset(group))
    return sorted(groups, key=lambda group: min(col for row, col in group if row == 0))


def drop_loners(groups: list[frozenset[Cell]]) -> list[frozenset[Cell]]:
    """Situation C: single buckets go if there is anything larger."""
    larger = [group for group in groups if len(group) > 1]
    return larger or groups


def without_loners(cells: frozenset[Cell], breaks: Breaks = UNBROKEN) -> frozenset[Cell]:
    """The buckets left by situation C."""
    return frozenset().union(*drop_loners(parts(cells, breaks)))


def possible_breaks(cells: frozenset[Cell]) -> list[Breaks]:
    """Every choice of breaks: between two neighbours of the base that carry nothing together."""
    columns = [col for row, col in cells if row == 0 and (0, col + 1) in cells and (1, col) not in cells]
    return [frozenset(some) for size in range(len(columns) + 1) for some in combinations(columns, size)]


@cache
def settlings(cells: frozenset[Cell], flicked: Cell) -> list[Move]:
    """Every way for a pyramid to come to rest after a flick (CK-13, CK-14 A to C): never more than with care."""
    rest = fall(cells - {flicked})
    subsets = (frozenset(some) for size in range(len(rest) + 1) for some in combinations(rest, size))
    return [
        ("settle", some, breaks)
        for some in subsets
        if fall(some) == some
        for breaks in possible_breaks(some)
        if without_loners(some, breaks) == some
    ]


class Reference:
    """A game in progress. `play` changes it."""

    def __init__(self, seats: int, **options: Any) -> None:
        self.seats = seats
        self.options = options
        self.game = 0
        self.totals = [0] * seats
        self.winners: list[int] | None = None
        self.begin()

    def option(self, name: str) -> Any:
        """The value of an option, or its default."""
        defaults = {"removal": "flick", "end": "second_out", "auto_draw": True, "tie": "shared", "games": 1}
        return self.options.get(name, defaults.get(name, False))

    def flicks(self, seat: int) -> bool:
        """Whether a seat taps buckets out with one finger; else it takes them out with two (CK-V3, KA-27)."""
        return self.option("removal") == "flick" and "ABCDEF"[seat] not in self.options.get("two_fingers", "")

    def begin(self) -> None:
        """Begin a game: all cards in the pile, and no bucket placed yet (CK-1 to CK-3)."""
        self.game += 1
        self.pile = [f"{colour}{number}" for colour in COLOURS for number in range(1, 9) for _ in "ab"]
        self.discards: list[str] = []
        self.past: list[Event] = []
        self.hands: list[list[str]] = [[] for _ in range(self.seats)]
        self.open: list[list[str]] = [[] for _ in range(self.seats)]
        self.width = 5 if self.seats <= 4 else 4
        self.cells = [(row, col) for row in range(self.width) for col in range(self.width - row)]
        self.pyramids: list[dict[Cell, str]] = [{} for _ in range(self.seats)]
        self.flicked: Cell | None = None
        self.breaks = UNBROKEN
        self.asked: str | None = None
        self.direction = 1
        self.phase = "deal"
        self.actor: int | str = NATURE
        self.serving = 0
        self.due = 10

    # What may be done.

    def moves(self) -> list[Move]:
        """Everything the actor may do."""
        if self.phase == "deal":
            return [("card", card) for card in in_order(tuple(set(self.pile)))]
        if self.phase == "reveal":
            return [("reveal",)]
        if self.phase == "lot":
            return [("lot", seat) for seat in range(self.seats)]
        if self.phase == "settle":
            assert self.flicked is not None
            return settlings(frozenset(self.pyramids[self.serving]), self.flicked)
        if self.phase == "put away":
            return [("put away",)]
        assert isinstance(self.actor, int)
        if self.phase == "build":
            used = Counter(self.pyramids[self.actor].values())
            return [("build", colour) for colour in COLOURS if used[colour] < len(self.cells) // 5]
        if self.phase == "offer":
            return [("draw",), ("forget",)]
        if self.phase == "keep":
            groups = parts(frozenset(self.pyramids[self.actor]), self.breaks)
            return [("keep", group) for group in drop_loners(groups)]
        return [*self.attacks(self.actor), *self.shots(self.actor)]

    def attacks(self, seat: int) -> Iterator[Move]:
        """Action A: 1-3 cards of one colour that beat the player before, with extras for 1s."""
        hand = self.hands[seat]
        highest = max(sum(map(value, cards)) for cards in self.open) if self.asked else 0
        mine = sum(map(value, self.open[seat]))
        directions = ["clockwise"]
        if not self.asked and self.seats > 2:
            directions.append("anticlockwise")
        found = set()
        for colour in COLOURS if self.asked is None else self.asked:
            same = [card for card in hand if card[0] == colour]
            others = [card for card in hand if card[0] != colour]
            for size in (1, 2, 3):
                for base in combinations(same, size):
                    for extras in self.additions(base, others):
                        if mine + sum(map(value, base + extras)) > highest:
                            found.add((in_order(base), in_order(extras)))
        for base, extras in found:
            for direction in directions:
                yield "play", direction if not self.asked else None, base, extras

    def additions(self, base: tuple[str, ...], others: list[str]) -> Iterator[tuple[str, ...]]:
        """Extra cards of other colours: up to one for each 1 (experienced variant)."""
        yield ()
        if self.option("experienced_ones"):
            ones = sum(value(card) == 1 for card in base)
            for size in range(1, ones + 1):
                for extras in combinations(others, size):
                    colours = [card[0] for card in extras]
                    if len(set(colours)) == size or not self.option("extras_distinct"):
                        yield extras

    def shots(self, seat: int) -> Iterator[Move]:
        """Action B: a bucket of the asked colour, or any if there is none."""
        pyramid = self.pyramids[seat]
        if self.asked is None and self.hands[seat] and not self.option("starter_may_shoot"):
            return
        of_colour = [cell for cell in pyramid if pyramid[cell] == self.asked]
        for cell in of_colour or list(pyramid):
            if self.flicks(seat):
                for kind in CLASSES:
                    yield "flick", cell, kind
            else:
                yield "shoot", cell

    # What comes of it.

    def play(self, move: Move) -> None:
        """Make a move and find who acts next."""
        word = move[0]
        if word == "card":
            self.take(move[1])
        elif word == "build":
            self.build(move[1])
        elif word == "reveal":
            self.phase = "lot"
        elif word == "lot":
            self.start_round(move[1])
        elif word == "play":
            self.attack(move[1], move[2], move[3])
        elif word == "draw":
            self.draw(self.due)
        elif word == "forget":
            self.pass_on()
        elif word == "shoot":
            self.shoot(move[1])
        elif word == "flick":
            assert isinstance(self.actor, int)
            self.serving, self.flicked = self.actor, move[1]
            self.actor, self.phase = NATURE, "settle"
        elif word == "settle":
            self.flicked = None
            self.rest(self.serving, move[1], move[2])
        elif word == "keep":
            self.rest(self.serving, move[1])
        else:
            self.past += [("showed", self.serving, card) for card in in_order(self.hands[self.serving])]
            self.past.append(("cleared", None, None))
            self.discards += self.hands[self.serving]
            self.hands[self.serving] = []
            self.start_round(self.neighbour(self.serving))

    def take(self, card: str) -> None:
        """A card comes from the pile; dealing goes on with the next seat, then building."""
        self.pile.remove(card)
        self.hands[self.serving].append(card)
        self.past.append(("drew", self.serving, card))
        self.due -= 1
        if self.asked is not None:
            self.draw(self.due)
        elif self.due == 0 and self.serving + 1 < self.seats:
            self.serving, self.due = self.serving + 1, 10
        elif self.due == 0:
            self.phase, self.actor = "build", 0

    def build(self, colour: str) -> None:
        """The next bucket, row by row from the base, left to right."""
        assert isinstance(self.actor, int)
        pyramid = self.pyramids[self.actor]
        pyramid[self.cells[len(pyramid)]] = colour
        if len(pyramid) == len(self.cells):
            waiting = [seat for seat in range(self.seats) if len(self.pyramids[seat]) < len(self.cells)]
            self.actor, self.phase = (waiting[0], "build") if waiting else (NATURE, "reveal")

    def start_round(self, seat: int) -> None:
        """The start player is on turn; an empty pile is renewed."""
        self.asked, self.direction = None, 1
        self.renew_pile()
        self.actor, self.phase = seat, "play"

    def attack(self, direction: str | None, base: tuple[str, ...], extras: tuple[str, ...]) -> None:
        """Cards are laid open; one is due, and one for each extra."""
        assert isinstance(self.actor, int)
        self.serving = self.actor
        if self.asked is None:
            self.asked = base[0][0]
            self.direction = -1 if direction == "anticlockwise" else 1
        for card in base + extras:
            self.hands[self.actor].remove(card)
            self.open[self.actor].append(card)
            self.past.append(("showed", self.actor, card))
        self.due = 1 + len(extras)
        if self.option("auto_draw"):
            self.draw(self.due)
        else:
            self.phase = "offer"

    def draw(self, due: int) -> None:
        """Nature deals what is due; an empty pile is renewed at once."""
        if due == 0:
            self.pass_on()
            return
        self.renew_pile()
        self.actor, self.phase = NATURE, "deal"

    def renew_pile(self) -> None:
        """An empty pile is replaced by the discards."""
        if not self.pile:
            self.pile, self.discards = self.discards, []
            self.past.append(("shuffled", None, None))

    def pass_on(self) -> None:
        """Let the neighbour be attacked."""
        self.actor, self.phase = self.neighbour(self.serving), "play"

    def neighbour(self, seat: int) -> int:
        """The next seat in the round's direction that has a bucket."""
        seats = [(seat + step * self.direction) % self.seats for step in range(1, self.seats)]
        return next(other for other in seats if self.pyramids[other])

    def shoot(self, cell: Cell) -> None:
        """The bucket goes; the support rule says what else."""
        assert isinstance(self.actor, int)
        self.serving = self.actor
        self.rest(self.serving, fall(frozenset(self.pyramids[self.serving]) - {cell}))

    def rest(self, seat: int, cells: frozenset[Cell], breaks: Breaks = UNBROKEN) -> None:
        """Only one part may stay; then the round is over."""
        groups = drop_loners(parts(cells, breaks))
        cells = frozenset().union(*groups)
        self.pyramids[seat] = {cell: colour for cell, colour in self.pyramids[seat].items() if cell in cells}
        self.breaks = breaks if len(groups) > 1 else UNBROKEN
        if len(groups) > 1:
            self.actor, self.phase = seat, "keep"
            return
        for cards in self.open:
            self.discards += cards
            cards.clear()
        self.past.append(("cleared", None, None))
        self.asked = None
        out = sum(not pyramid for pyramid in self.pyramids)
        if cells:
            self.start_round(seat)
        elif self.seats <= 4 or out == (self.seats - 3 if self.option("end") == "three_left" else 2):
            self.finish()
        else:
            self.actor, self.phase = NATURE, "put away"

    def finish(self) -> None:
        """Count the buckets; play the next game or name the winners."""
        self.totals = [total + len(pyramid) for total, pyramid in zip(self.totals, self.pyramids, strict=True)]
        if self.game < self.option("games"):
            self.begin()
            return
        self.winners = [seat for seat in range(self.seats) if self.totals[seat] == max(self.totals)]
        if self.option("tie") == "cards":
            most = max(len(self.hands[seat]) for seat in self.winners)
            self.winners = [seat for seat in self.winners if len(self.hands[seat]) == most]

    # Counting.

    def first_of_nature(self) -> Move:
        """The lowest card, the first seat, or all that can stand."""
        if self.phase == "settle":
            assert self.flicked is not None
            return "settle", without_loners(fall(frozenset(self.pyramids[self.serving]) - {self.flicked})), UNBROKEN
        return self.moves()[0]

    def perft(self, depth: int) -> int:
        """How many sequences of `depth` moves the seats can make; nature always makes its first."""
        while self.actor == NATURE and self.winners is None:
            self.play(self.first_of_nature())
        if self.winners is not None:
            return 0
        moves = self.moves()
        if depth == 1:
            return len(moves)
        total = 0
        for move in moves:
            after = deepcopy(self)
            after.play(move)
            total += after.perft(depth - 1)
        return total


# KA-28: what somebody can know who forgets nothing.


def possible_worlds(deck: list[str], seats: int, past: list[Event], viewer: int | None) -> dict[World, Fraction]:
    """How likely each world is for a viewer who saw all of `past`, from the first card of a small deck on.

    Every single card is followed, copies apart, through every way it can have gone. Which card somebody shows tells
    nothing about the others: it counts as a blind pick from the hand.
    """
    everything = frozenset(enumerate(deck))
    nothing: frozenset[tuple[int, str]] = frozenset()
    ways = {(everything, (nothing,) * seats, nothing, nothing): Fraction(1)}  # the pile, hands, open cards, discards
    for word, seat, card in past:
        after: defaultdict[Any, Fraction] = defaultdict(Fraction)
        for (pile, hands, table, discards), weight in ways.items():
            if word == "cleared":
                after[pile, hands, nothing, discards | table] += weight
            elif word == "shuffled":
                assert not pile
                after[discards, hands, table, nothing] += weight
            else:
                assert seat is not None
                source = pile if word == "drew" else hands[seat]
                for one in source:
                    if one[1] != card and (word == "showed" or seat == viewer):
                        continue
                    hand = hands[seat] ^ {one}
                    others = (*hands[:seat], hand, *hands[seat + 1 :])
                    where = (pile - {one}, others, table if word == "drew" else table | {one}, discards)
                    after[where] += weight / len(source)
        ways = dict(after)
    worlds: defaultdict[World, Fraction] = defaultdict(Fraction)
    for (pile, hands, _, _), weight in ways.items():
        worlds[tuple(in_order([card for _, card in cards]) for cards in (*hands, pile))] += weight
    total = sum(worlds.values())
    return {world: weight / total for world, weight in worlds.items()}


def agrees(past: list[Event], piles: list[Counter[str]], world: World) -> bool:
    """Whether a world can have come of `past`, followed backwards; `piles` are those that were shuffled, in order."""
    hands, pile = [Counter(cards) for cards in world[:-1]], Counter(world[-1])
    shuffled = list(piles)
    for word, seat, card in reversed(past):
        if word == "shuffled":
            if pile != shuffled.pop():
                return False
            pile = Counter()
        elif seat is not None and card is not None:
            hands[seat][card] += 1 if word == "showed" else -1
            pile[card] += word == "drew"
            if hands[seat][card] < 0 or pile - shuffled[-1]:
                return False
    return True
