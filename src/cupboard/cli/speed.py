"""Measuring speed in CPU time of one core: the best of several short runs, since other programs only slow us down."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from random import Random
from time import process_time
from typing import TYPE_CHECKING, Any

import numpy as np

from cupboard.core.game import CHANCE, Game, Position
from cupboard.core.match import Match
from cupboard.core.playouts import playouts
from cupboard.core.row import LIVE

if TYPE_CHECKING:
    from collections.abc import Callable

    from cupboard.core.row import Row

ROOM = 4096
"""Extra entries in the row of a game that remembers its history: more than the longest game has turns."""
_RUN_SECONDS = 0.15
_UNLISTABLE = 10_000


@dataclass(frozen=True)
class Speed:
    """Random moves and whole random games that one core plays in a second."""

    moves: float
    playouts: float


def open_position(game: Game[Any]) -> Position[Any]:
    """The first position whose moves can be listed, after any decision that has too many of them."""
    match = Match(game)
    rng = Random(1)
    while True:
        position = match.settle(rng)
        seat = position.to_act[0]
        moves = position.moves(seat)
        if len(moves) <= _UNLISTABLE:
            return position
        match.play(moves[0], seat)


def start_row(game: Game[Any]) -> Row:
    """A row to play random games from, with room for the history if the game remembers one."""
    position = open_position(game)
    remembers = len(position.play(position.moves()[0]).row) > game.kernel.size
    row = np.zeros(len(position.row) + (ROOM if remembers else 0), np.int64)
    row[: len(position.row)] = position.row
    assert row[LIVE] == len(position.row)
    return row


def kernel_speed(game: Game[Any], seconds: float) -> Speed:
    """The speed of uniformly random games in compiled code."""
    row = start_row(game)
    games = _enough(lambda n: playouts(game.kernel, row, n, 1))
    best = Speed(0.0, 0.0)
    spent = 0.0
    for seed in count(2):
        began = process_time()
        tally = playouts(game.kernel, row, games, seed)
        took = process_time() - began
        if tally.moves / took > best.moves:
            best = Speed(tally.moves / took, games / took)
        spent += took
        if spent >= seconds and seed > 3:
            return best
    raise AssertionError


def friendly_speed(game: Game[Any], seconds: float) -> float:
    """Moves per second through `moves()` and `play()`, where each move is checked and makes a new position."""
    start = open_position(game)
    rng = Random(1)
    best, spent, position = 0.0, 0.0, start
    while spent < seconds:
        began, made = process_time(), 0
        while (took := process_time() - began) < _RUN_SECONDS:
            for _ in range(50):
                position = _step(position, start, rng)
                made += 1
        best, spent = max(best, made / took), spent + took
    return best


def _step(position: Position[Any], start: Position[Any], rng: Random) -> Position[Any]:
    """The position after one random move of a seat. Moves of chance, and a restart after the end, are not counted."""
    while position.to_act == (CHANCE,):
        position = position.play(position.chance(rng))
    if position.is_over:
        position = start
    seat = position.to_act[0]
    moves = position.moves(seat)
    return position.play(moves[rng.randrange(len(moves))], seat)


def _enough(run: Callable[[int], object]) -> int:
    """How many games fill one short run."""
    n = 1
    while True:
        began = process_time()
        run(n)
        took = process_time() - began
        if took >= _RUN_SECONDS / 4:
            return max(1, round(n * _RUN_SECONDS / took))
        n *= 4


@dataclass(frozen=True)
class Comparison:
    """Playouts per second of our kernel and of OpenSpiel, measured alternately in one run."""

    ours: float
    theirs: float

    @property
    def ratio(self) -> float:
        """How many times as fast as OpenSpiel we are."""
        return self.ours / self.theirs


def compare_with(game: Game[Any], roll_out: Callable[[int, int], None], seconds: float) -> Comparison:
    """Compare random playouts: our kernel's, and another program's, of which `roll_out(n, seed)` plays n games."""
    row = start_row(game)
    our_games = _enough(lambda n: playouts(game.kernel, row, n, 1))
    their_games = _enough(lambda n: roll_out(n, 1))
    ours: list[float] = []
    others: list[float] = []
    for seed in count(2):
        began = process_time()
        playouts(game.kernel, row, our_games, seed)
        middle = process_time()
        roll_out(their_games, seed)
        end = process_time()
        ours.append(middle - began)
        others.append(end - middle)
        if sum(ours) + sum(others) >= 2 * seconds and seed > 3:
            return Comparison(our_games / min(ours), their_games / min(others))
    raise AssertionError
