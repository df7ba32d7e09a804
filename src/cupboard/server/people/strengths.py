"""The strengths of people: what their results say, weighed anew whenever somebody asks."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from functools import cache

from cupboard.arena.strength import Strength
from cupboard.core.errors import UnknownPlayer
from cupboard.core.registry import find, names
from cupboard.core.words import Words, phrase
from cupboard.players.levels import elo_of_levels, level_at
from cupboard.server.people.results import Result, read_results, read_tallies
from cupboard.server.people.sessions import Person
from cupboard.server.store.store import Store
from cupboard.server.wire.strength import Progress, StrengthInfo, StrengthPoint

_SURE = 500
"""An interval of more Elo than this is said with reserve."""


class Strengths:
    """Says how strong people are, and which level fits them."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def all(self, person: Person | None) -> list[StrengthInfo]:
        """The strengths of a person in all games with all numbers of seats; of a stranger, where to begin."""
        results = [] if person is None else await self._store.read(read_results, person.id)
        return await asyncio.to_thread(_all, results)

    async def progress(self, person: Person | None, name: str) -> Progress:
        """How a person's strength in one game came about."""
        name = find(name).name
        if person is None:
            return Progress(_weigh_all(name, ())[0], (), ())
        results = await self._store.read(read_results, person.id, name)
        tallies = await self._store.read(read_tallies, person.id, name)
        strengths, points = await asyncio.to_thread(_weigh_all, name, results)
        return Progress(strengths, points, tallies)


def _all(results: Sequence[Result]) -> list[StrengthInfo]:
    by_game = {name: [result for result in results if result.name == name] for name in names()}
    return [info for name, played in by_game.items() for info in _weigh_all(name, played)[0]]


def _weigh_all(name: str, results: Sequence[Result]) -> tuple[tuple[StrengthInfo, ...], tuple[StrengthPoint, ...]]:
    """The strength in one game with each number of seats, and how they came about."""
    strengths, points = [], []
    for seats in find(name).SEATS:
        if seats > 1:
            info, course = _weigh(name, seats, [result for result in results if result.seats == seats])
            strengths.append(info)
            points += course
    return tuple(strengths), tuple(sorted(points, key=lambda point: point.at))


def _weigh(name: str, seats: int, results: Iterable[Result]) -> tuple[StrengthInfo, list[StrengthPoint]]:
    """The strength that follows from results, oldest first, with one number of seats."""
    ladder = _ladder(name, seats)
    guess, points = Strength.unknown([float(elo) for elo in ladder.values()]), []
    for result in results:
        try:
            against = [_elo(name, seats, level) for level in result.against]
        except UnknownPlayer:  # a level that this program has lost
            continue
        guess = guess.after(result.share, against)
        points.append(
            StrengthPoint(result.game, result.at, seats, round(guess.elo), round(guess.low), round(guess.high))
        )
    levels, place = list(ladder), guess.fitting()
    above = levels[place + 1] if place + 1 < len(levels) else ""
    info = StrengthInfo(
        game=name,
        seats=seats,
        games=guess.games,
        elo=round(guess.elo),
        low=round(guess.low),
        high=round(guess.high),
        fits=levels[place],
        words=_words(guess, levels[place], above),
        next=above,
    )
    return info, points


def _words(guess: Strength, fits: str, above: str) -> Words:
    """What is said of a person whom one level fits, with another above it."""
    level = phrase(f"level.{fits}")
    if not guess.games:
        return phrase("strength.unknown", level=level)
    if guess.high - guess.low > _SURE:
        return phrase("strength.guess", level=level)
    return (
        phrase("strength.like", level=level, next=phrase(f"level.{above}"))
        if above
        else phrase("strength.top", level=level)
    )


@cache
def _ladder(name: str, seats: int) -> dict[str, int]:
    """The Elo of each level of a game with this number of seats, weakest first."""
    return dict(elo_of_levels(find(name)(seats)))


@cache
def _elo(name: str, seats: int, level: str) -> float:
    """The Elo of a level, or of the next below it that the ladder has."""
    return float(_ladder(name, seats)[level_at(find(name)(seats), level)])
