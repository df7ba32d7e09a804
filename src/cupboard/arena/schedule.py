"""The schedule of a tournament: who sits where, and which chance they share.

Games come in sets: one line-up, one seed, every rotation of the seats. Nature draws the same for each game of a set,
so a lucky deal or the first move helps everybody equally often. So does the opening, where one is asked for: a few
random moves, the same for each game of a set.

    two players or as many as seats   A B C · C A B · B C A          and so on with the next seed
    more players than seats           every choice of them in turn: a round robin
    fewer players than seats          the first alone among the others: A B B · B A B · B B A
    a ladder                          neighbours only, each alone among the other's likes: A B B … B A A … B C C …
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from cupboard.arena.entrants import BadEntrant, Entrant, label_all
from cupboard.core.game import Game
from cupboard.players.thinking import Limits

__all__ = ["Fixture", "Schedule"]

LONGEST = 2_000
"""Moves after which a game is called even; random players on a star would never end."""


@dataclass(frozen=True)
class Fixture:
    """One game to be played: everything a worker needs to know."""

    id: str
    set: int
    game: Game[Any]
    entrants: tuple[Entrant, ...]
    """Who sits on seat 0, 1, …"""
    labels: tuple[str, ...]
    seed: int
    """Of nature, the same in the whole set."""
    seeds: tuple[int, ...]
    """Of the players, by seat; they go with the player around the table."""
    limits: Limits
    longest: int
    opening: int = 0
    """So many moves are made for the players, the same in the whole set."""


@dataclass(frozen=True)
class Schedule:
    """All games of a tournament, made when looked at, the same each time."""

    game: Game[Any]
    entrants: tuple[Entrant, ...]
    games: int = 100
    seed: int = 0
    limits: Limits = field(default_factory=Limits)
    longest: int = LONGEST
    is_ladder: bool = False
    """The entrants are listed weakest first, and only neighbours meet."""
    opening: int = 0
    """How many random moves begin each game: without nature good players would repeat a few games."""

    def __post_init__(self) -> None:
        if len(self.entrants) < 2:
            raise BadEntrant("An arena needs at least two players: --player A --player B.")

    @property
    def labels(self) -> tuple[str, ...]:
        """The players' names, all different."""
        return label_all(self.entrants)

    @property
    def rotations(self) -> int:
        """Games of one set."""
        return self.game.seats

    @property
    def sets(self) -> int:
        """Whole sets only: a half set would favour a seat."""
        return -(-self.games // self.rotations)

    def lineups(self) -> list[tuple[int, ...]]:
        """Which players sit down together, as indices; seat by seat before any rotation."""
        n, seats = len(self.entrants), self.game.seats
        if self.is_ladder:
            alone = [(one, *[other] * (seats - 1)) for low in range(n - 1) for one, other in _both(low, low + 1)]
            return alone[::2] if seats == 2 else alone
        if n >= seats:
            return list(combinations(range(n), seats))
        rest = [1 + i % (n - 1) for i in range(seats - 1)]
        return [(0, *rest)]

    def fixtures(self) -> Iterator[Fixture]:
        """Set by set."""
        labels, lineups = self.labels, self.lineups()
        for number in range(self.sets):
            lineup = lineups[number % len(lineups)]
            # Every line-up of a round meets the same chance.
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
        """What makes this tournament this one; more games may be asked for later."""
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
        """Eight letters that differ between tournaments."""
        return hashlib.sha256(json.dumps(self.heading(), sort_keys=True).encode()).hexdigest()[:8]


def read_entrants(texts: Sequence[str]) -> tuple[Entrant, ...]:
    """All entrants of a command line."""
    return tuple(map(Entrant.read, texts))


def _both(one: int, other: int) -> tuple[tuple[int, int], tuple[int, int]]:
    return (one, other), (other, one)


def _number(*words: object) -> int:
    """A number below 2**63 that depends on every word."""
    return int.from_bytes(hashlib.sha256(repr(words).encode()).digest()[:8], "big") >> 1
