"""The schedule of a tournament: which players meet in which seats, and with which random numbers.

Games come in sets: one line-up, one seed, every rotation of the seats. All games of a set draw the same random
numbers, so a lucky deal or the first move helps everybody equally often. An opening of a few random moves, if asked
for, is also the same in all games of a set.

    two players or as many as seats   A B C · C A B · B C A          and so on with the next seed
    more players than seats           every combination in turn: a round robin
    fewer players than seats          the first among copies of the others: A B B · B A B · B B A
    a ladder                          neighbours only, one of each against copies of the other: A B B … B A A … B C C …
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from cupboard.arena.entrants import BadEntrant, Entrant, label_all
from cupboard.core.game import Game
from cupboard.players.thinking import Limits

__all__ = ["Fixture", "Schedule"]

LONGEST = 2_000
"""The number of moves after which a game is a draw: random players of Chinese Checkers would never finish."""


@dataclass(frozen=True)
class Fixture:
    """One game to be played, with everything a worker needs to know about it."""

    id: str
    set: int
    game: Game[Any]
    entrants: tuple[Entrant, ...]
    """The players of seat 0, 1, …"""
    labels: tuple[str, ...]
    seed: int
    """The seed of chance, equal in all games of a set."""
    seeds: tuple[int, ...]
    """The seed of the player in each seat; a player takes its seed along from seat to seat."""
    limits: Limits
    longest: int
    opening: int = 0
    """How many random moves begin the game, the same moves in all games of a set."""


@dataclass(frozen=True)
class Schedule:
    """A tournament: the players, the rules and the number of games. `fixtures` lists the games, always the same."""

    game: Game[Any]
    entrants: tuple[Entrant, ...]
    games: int = 100
    seed: int = 0
    limits: Limits = field(default_factory=Limits)
    longest: int = LONGEST
    is_ladder: bool = False
    """Whether the entrants are listed weakest first and play only their neighbours in the list."""
    opening: int = 0
    """How many random moves begin each game. In a game without chance good players would repeat the same few games."""

    def __post_init__(self) -> None:
        if len(self.entrants) < 2:
            raise BadEntrant("An arena needs at least two players: --player A --player B.")

    @property
    def labels(self) -> tuple[str, ...]:
        """The names of the entrants, all different."""
        return label_all(self.entrants)

    @property
    def rotations(self) -> int:
        """How many games a set has: one for each rotation of the seats."""
        return self.game.seats

    @property
    def sets(self) -> int:
        """How many sets are played. Sets are always whole, since a part of one would favour a seat."""
        return -(-self.games // self.rotations)

    def lineups(self) -> list[tuple[int, ...]]:
        """The combinations of players that meet, as indices into `entrants`, seat by seat before any rotation."""
        n, seats = len(self.entrants), self.game.seats
        if self.is_ladder:
            alone = [(one, *[other] * (seats - 1)) for low in range(n - 1) for one, other in _both(low, low + 1)]
            return alone[::2] if seats == 2 else alone
        if n >= seats:
            return list(combinations(range(n), seats))
        rest = [1 + i % (n - 1) for i in range(seats - 1)]
        return [(0, *rest)]

    def fixtures(self) -> Iterator[Fixture]:
        """Every game of the tournament, set by set."""
        labels, lineups = self.labels, self.lineups()
        for number in range(self.sets):
            lineup = lineups[number % len(lineups)]
            # Every line-up of a round gets the same random numbers.
            seed = _number(self.seed, "nature", number // len(lineups))
            seeds = [_number(self.seed, "player", number, place) for place in range(len(lineup))]
            for turn in range(self.rotations):
                order = [(place - turn) % len(lineup) for place in range(len(lineup))]
                yield Fixture(
                    id=f"{number:06d}-{turn}",
                    set=number,
                    game=self.game,
                    entrants=tuple(self.entrants[lineup[place]] for place in order),
                    labels=tuple(labels[lineup[place]] for place in order),
                    seed=seed,
                    seeds=tuple(seeds[place] for place in order),
                    limits=self.limits,
                    longest=self.longest,
                    opening=self.opening,
                )

    def heading(self) -> dict[str, object]:
        """Everything that identifies this tournament, without the number of games, which may be raised later."""
        more: dict[str, object] = {"ladder": True} if self.is_ladder else {}
        if self.opening:
            more["opening"] = self.opening
        if programs := {entrant.short: entrant.text for entrant in self.entrants if entrant.short}:
            more["programs"] = programs
        return {
            "game": self.game.name,
            "seats": self.game.seats,
            "options": dict(self.game.options),
            "players": list(self.labels),
            "seed": self.seed,
            "seconds": self.limits.seconds,
            "nodes": self.limits.nodes,
            "depth": self.limits.depth,
            "longest": self.longest,
        } | more

    @property
    def fingerprint(self) -> str:
        """Eight letters that identify the tournament: a hash of its heading."""
        return hashlib.sha256(json.dumps(self.heading(), sort_keys=True).encode()).hexdigest()[:8]


def _both(one: int, other: int) -> tuple[tuple[int, int], tuple[int, int]]:
    return (one, other), (other, one)


def _number(*words: object) -> int:
    """A seed below 2**63, a hash of all the words."""
    return int.from_bytes(hashlib.sha256(repr(words).encode()).digest()[:8], "big") >> 1
