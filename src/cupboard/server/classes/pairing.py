"""Who plays whom in the next round: round robin and Swiss. Pure functions of who is there and what has been played.

Both look for the pairing of everybody at once that costs least: a minimum-weight perfect matching. What costs how much
is a row of numbers of which the earlier ones always outweigh the later ones: first that nobody meets the same opponent
or sits out a second time, then the points, then who has moved first how often.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Literal, NamedTuple

Player = str
Method = Literal["round-robin", "swiss"]
Score = Literal["first", "draw", "second", "bye", "pause"]
"""Who won; or a player sat out, in a Swiss round for a point (`bye`), in a round robin for none (`pause`)."""
_HALVES: dict[Score | None, tuple[int, int]] = {
    "first": (2, 0),
    "draw": (1, 1),
    "second": (0, 2),
    "bye": (2, 0),
    "pause": (0, 0),
    None: (0, 0),
}
_NOBODY = ""
"""Stands for the opponent of whoever sits out."""
Cost = tuple[int, ...]


class Played(NamedTuple):
    """A pairing of an earlier round."""

    first: Player
    second: Player | None
    """None for a player who sat out or played a bot instead."""
    score: Score | None
    """None while the game is not over."""

    @property
    def halves(self) -> tuple[int, int]:
        """The half points of both."""
        return _HALVES[self.score]


class Pairing(NamedTuple):
    """Two who are to play; the first has seat 0."""

    first: Player
    second: Player


class Round(NamedTuple):
    """The pairings of a round, best board first, and who has nobody to play with."""

    pairs: tuple[Pairing, ...]
    odd: Player | None


class _Past:
    """What the earlier rounds say about the players."""

    def __init__(self, played: Sequence[Played]) -> None:
        self.met: Counter[frozenset[Player]] = Counter()
        self.halves: Counter[Player] = Counter()
        self.lead: Counter[Player] = Counter()
        """How much more often a player had the first seat than the second."""
        self.last_lead: dict[Player, int] = {}
        for game in played:
            self.halves[game.first] += game.halves[0]
            self.met[frozenset((game.first, game.second or _NOBODY))] += 1
            if game.second is not None:
                self.halves[game.second] += game.halves[1]
                self._sat(game.first, 1)
                self._sat(game.second, -1)

    def _sat(self, player: Player, seat: int) -> None:
        self.lead[player] += seat
        self.last_lead[player] = seat

    def meetings(self, one: Player, other: Player) -> int:
        """How often two have met, or one has sat out."""
        return self.met[frozenset((one, other))]

    def seated(self, one: Player, other: Player) -> Pairing:
        """The two with the first seat for who had it less often, or had the second one last."""
        wish = {player: (self.lead[player], self.last_lead.get(player, 0)) for player in (one, other)}
        return Pairing(one, other) if wish[one] <= wish[other] else Pairing(other, one)

    def unfairness(self, one: Player, other: Player) -> int:
        """How far the two would be from having had both seats equally often."""
        if _NOBODY in (one, other):
            return 0
        first, second = self.seated(one, other)
        return (self.lead[first] + 1) ** 2 + (self.lead[second] - 1) ** 2


def pair(method: Method, players: Sequence[Player], played: Sequence[Played]) -> Round:
    """The next round for these players, each named once, in an order that stays the same from round to round."""
    past = _Past(played)
    if len(players) < 2:
        return Round((), players[0] if players else None)
    couples = _swiss(players, past) if method == "swiss" else _round_robin(players, past)
    ranked = sorted(couples, key=lambda couple: _board(players, past, couple))
    pairs = tuple(past.seated(*couple) for couple in ranked if _NOBODY not in couple)
    odd = [one if other == _NOBODY else other for one, other in ranked if _NOBODY in (one, other)]
    return Round(pairs, odd[0] if odd else None)


def _board(players: Sequence[Player], past: _Past, couple: tuple[Player, Player]) -> tuple[int, ...]:
    """What boards are numbered by: the points at the board, then where the players stand in the list."""
    real = [player for player in couple if player != _NOBODY]
    points = sorted((past.halves[player] for player in real), reverse=True)
    return *(-half for half in points), min(players.index(player) for player in real)


def _everybody(players: Sequence[Player]) -> list[Player]:
    """The players, an even number of them with the one whom the odd player meets."""
    return [*players, _NOBODY] if len(players) % 2 else list(players)


# Round robin: everybody meets everybody.


def _round_robin(players: Sequence[Player], past: _Past) -> list[tuple[Player, Player]]:
    """A round of the circle in which nobody meets again, if there is one; else as few meet again as can be.

    The circle has everybody meet everybody when the same players stay. Who comes late, or was absent, breaks it."""
    everybody = _everybody(players)
    fewest = min(past.meetings(*couple) for couple in combinations(everybody, 2))
    for number in range(len(everybody) - 1):
        couples = circle(everybody, number)
        if all(past.meetings(*couple) == fewest for couple in couples):
            return couples
    return _cheapest(everybody, lambda one, other: (past.meetings(one, other), past.unfairness(one, other)))


def circle(everybody: Sequence[Player], number: int) -> list[tuple[Player, Player]]:
    """Round `number` of the circle method for an even number of players: the first stays, the others move round."""
    fixed, *others = everybody
    turned = others[number:] + others[:number]
    around = [fixed, *turned]
    return [(around[n], around[-1 - n]) for n in range(len(around) // 2)]


# Swiss: who has as many points, and has not met before.


def _swiss(players: Sequence[Player], past: _Past) -> list[tuple[Player, Player]]:
    ranks = {player: n for n, player in enumerate(sorted(players, key=lambda player: -past.halves[player]))}
    halves = {player: past.halves[player] for player in players}
    # Whoever sits out is paired with somebody who has as many points as the last.
    halves[_NOBODY] = min(halves.values())
    ranks[_NOBODY] = len(players)
    sizes = Counter(halves.values())

    def cost(one: Player, other: Player) -> Cost:
        apart = abs(ranks[one] - ranks[other])
        if halves[one] == halves[other] and _NOBODY not in (one, other):
            apart = abs(apart - sizes[halves[one]] // 2)  # the upper half of a score group meets the lower one
        return (
            past.meetings(one, other),
            (halves[one] - halves[other]) ** 2,
            past.unfairness(one, other),
            apart,
        )

    return _cheapest(_everybody(players), cost)


# The matching.


def _cheapest(everybody: Sequence[Player], cost: Callable[[Player, Player], Cost]) -> list[tuple[Player, Player]]:
    """The pairs of all players whose costs, added up number by number, come first in order."""
    # Imported when first needed: it takes a third of a second, and most servers have no classes.
    import networkx as nx

    costs = {couple: cost(*couple) for couple in combinations(everybody, 2)}
    # As one number: each place of the row weighs more than all that can come together in the places after it.
    weights = dict.fromkeys(costs, 0)
    weigh = 1
    for column in reversed(range(len(next(iter(costs.values()))))):
        for couple, row in costs.items():
            weights[couple] += row[column] * weigh
        weigh *= max(row[column] for row in costs.values()) * (len(everybody) // 2) + 1
    graph = nx.Graph()
    graph.add_weighted_edges_from((*couple, weight) for couple, weight in weights.items())
    return list(nx.min_weight_matching(graph))
