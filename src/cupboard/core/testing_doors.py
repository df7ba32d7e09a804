"""The part of check_game about what programs and people hand in: wrong things are refused, loose typing is forgiven."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np

from cupboard.core.errors import BadPosition, BadTurn, CupboardError, NoSuchSeat
from cupboard.core.game import CHANCE, Move, Position, Seat, letter
from cupboard.core.playouts import perft


def check_typing(position: Position[Any], move: Move, seat: Seat) -> None:
    """Blanks, any kind of dash and the letter of the seat are forgiven; the letter of another seat is not."""
    text, own = str(move), letter(seat)
    ways = {
        text.replace("-", "\u2013"),
        text.replace("-", " \u2212 "),
        re.sub(r"([^\w])", r" \1 ", text),
        re.sub(r"(?<=\w)-(?=\w)", " ", text),
        f"{own}:{text}",
        f" {own.lower()} : {text} ",
    }
    for typed in ways:
        assert position.parse(typed, seat) == move, f"{typed!r} is not read as {text}"
    assert position.parse(f"{own}:{text}") == move, "the letter says whose move it is"
    for other in {CHANCE, *range(position.game.seats)} - {seat}:
        refuses(BadTurn, position.parse, f"{letter(other)}:{text}", seat)


def check_doors(position: Position[Any], rng: Random) -> None:
    """A seat, move, generator or row that does not belong here is refused with a sentence."""
    game, acting = position.game, position.to_act
    view = position.seen_by(None)
    for wrong in (game.seats, 25, -3, "A"):
        for ask in (position.moves, position.seen_by, view.moves):
            refuses(NoSuchSeat, ask, wrong)
        refuses(NoSuchSeat, position.play, position.moves()[0], wrong)
    refuses(NoSuchSeat, position.seen_by, CHANCE)
    refuses(CupboardError, position.play, str(position.moves()[0]), acting[0])
    refuses(CupboardError, position.play, _Foreign(), acting[0])
    refuses(CupboardError, position.parse, 5)
    if len(acting) > 1:
        refuses(BadTurn, position.play, position.moves(acting[0])[0])
    if acting == (CHANCE,):
        assert position.chance(np.random.default_rng(1)) in position.moves()
        refuses(CupboardError, position.chance, 5)
    else:
        refuses(BadTurn, position.chance, rng)
    assert game.imagine(view, np.random.default_rng(1)).seen_by(None) == view
    refuses(BadPosition, game.imagine, position, rng)
    check_rows(position)


def check_rows(position: Position[Any]) -> None:
    """A read-only row will do, and anything that is no row of this game is refused before a kernel touches it."""
    kernel, row = position.game.kernel, position.row
    assert not row.flags.writeable and perft(kernel, row, 0) == 1
    assert type(position)(position.game, row) == position
    longer = np.zeros(len(row) + 5, np.int64)
    longer[: len(row)] = row
    longer[0] += 5 + position.ply
    for wrong in (row[:-1], row.astype(np.float64), np.zeros_like(row), row.reshape(1, -1), row.tolist(), longer):
        refuses(BadPosition, perft, kernel, wrong, 0)
        refuses(BadPosition, type(position), position.game, wrong)


class _Foreign(Move):
    """A move that belongs to no game."""

    def __str__(self) -> str:
        return "foreign"

    def spots(self) -> tuple[str, ...]:
        return ("foreign",)


def refuses(error: type[CupboardError], door: Callable[..., object], *given: object) -> None:
    """Raise AssertionError unless calling `door` raises this error with a sentence."""
    try:
        door(*given)
    except error as refusal:
        assert len(str(refusal)) > 10 and str(refusal).endswith("."), refusal
        return
    raise AssertionError(f"{door} takes {given}")
