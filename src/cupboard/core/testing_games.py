"""Games played to try something out: by lot, or by players who choose for their seats."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, TypeVar

from cupboard.core.game import CHANCE, Game, Move, Position, Seat
from cupboard.core.match import Match
from cupboard.core.player import Player

_P = TypeVar("_P", bound=Position[Any])


def by_lot(position: Position[Any], rng: Random) -> tuple[Seat, Move]:
    """One of the seats that may act, or nature, and one of its moves, both drawn by lot."""
    seat = rng.choice(position.to_act)
    return seat, position.chance(rng) if seat == CHANCE else rng.choice(position.moves(seat))


def walk(start: _P, rng: Random) -> Iterator[_P]:
    """Every position of a game played by lot: `start` first, the end last."""
    position = start
    yield position
    while not position.is_over:
        seat, move = by_lot(position, rng)
        position = position.play(move, seat)
        yield position


def after(game: Game[Any], moves: int, seed: int) -> Position[Any]:
    """The first position with a seat to act after so many moves by lot, nature's included.

    Of a game that ends earlier it is the last position with a seat to act.
    """
    found: Position[Any] = game.start()
    for made, position in enumerate(walk(game.start(), Random(seed))):
        if position.is_over:
            break
        if position.to_act != (CHANCE,):
            found = position
            if made >= moves:
                break
    return found


def follow(position: _P, *moves: str) -> _P:
    """The position after these moves in notation; where several seats may act, the first does."""
    for text in moves:
        seat = next(iter(position.to_act), None)
        position = position.play(position.parse(text, seat), seat)
    return position


def result(position: Position[Any]) -> tuple[tuple[Seat, ...], str]:
    """The winners of a game that is over, and the reason for its end."""
    outcome = position.outcome()
    assert outcome is not None, "the game goes on"
    return outcome.winners, outcome.reason


def play_out(game: Game[Any], players: Sequence[Player], seed: int) -> Match:
    """A whole match of these players. Where several seats may act, the first does; what nature does is drawn by lot."""
    match, rng = Match(game), Random(seed)
    while not match.settle(rng).is_over:
        seat = match.position.to_act[0]
        match.play(players[seat].choose(match.position.seen_by(seat)), seat)
    return match
