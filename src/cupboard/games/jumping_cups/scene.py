"""Jumping Cups as a screen draws it: one line of squares, cups slipped over each other."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from cupboard.core.game import CHANCE, Outcome, Seat, letter
from cupboard.core.scene import RED, YELLOW, Cell, Control, Part, Piece, PlayerPanel, Scene
from cupboard.core.words import Words, phrase, sentences

if TYPE_CHECKING:
    from cupboard.games.jumping_cups.rules import JumpingCups, _Track

_TURNS = (0, 180)
"""Everybody's cups run to the right."""
_OUTLINES = (((-0.75, -0.75), (13.75, -0.75), (13.75, 0.75), (-0.75, 0.75)),)


def scene(state: _Track) -> Scene:
    """Squares 1 to 14 from the left; Red runs to the right."""
    outcome = state.outcome()
    acting = state.to_act
    pieces = (cup for square, stack in enumerate(state.stacks(), start=1) for cup in _cups(square, stack))
    players = (
        PlayerPanel(
            seat,
            state.game.seat_name(seat),
            state.game.tint(seat).name,
            seat in acting,
            {"jumping-cups.home": f"{int(state.row[state.game.kernel_module.HOME + seat]).bit_count()}/5"},
            phrase("jumping-cups.won") if outcome and seat in outcome.winners else None,
        )
        for seat in range(2)
    )
    starts = (_lot(state, seat) for seat in range(2)) if acting == (CHANCE,) else ()
    return Scene(
        title=state.game.title,
        status=_status(state, outcome),
        parts=(Part("board", _cells(), tuple(pieces), outlines=_OUTLINES),),
        players=tuple(players),
        controls=(*starts, _OFF),
        tints=state.game.palette,
        turns=_TURNS,
        advice=None if outcome or acting == (CHANCE,) else _advice(state.game, acting[0]),
    )


_OFF = Control("off", phrase("jumping-cups.offTrack"))


def _status(state: _Track, outcome: Outcome | None) -> Words:
    if outcome:
        won = phrase("jumping-cups.wins", who=state.game.seat_name(outcome.winners[0]))
        return sentences(won, outcome.sentence)
    if state.to_act == (CHANCE,):
        return phrase("jumping-cups.lot")
    return phrase("jumping-cups.toMove", who=state.game.seat_name(state.to_act[0]))


@cache
def _advice(game: JumpingCups, seat: Seat) -> Words:
    return phrase("jumping-cups.advice", colour=game.tint(seat).words)


def _lot(state: _Track, seat: Seat) -> Control:
    return Control(f"lot-{letter(seat)}", phrase("jumping-cups.starts", who=state.game.seat_name(seat)))


@cache
def _cups(square: int, stack: str) -> tuple[Piece, ...]:
    tints = {"R": RED.name, "Y": YELLOW.name}
    return tuple(Piece(str(square), "cup", tints[cup], level=level) for level, cup in enumerate(stack))


@cache
def _cells() -> tuple[Cell, ...]:
    return tuple(_cell(square) for square in range(1, 15))


def _cell(square: int) -> Cell:
    if square >= 10:
        name, tint = _finish(square, square - 9, "red"), RED.name
    elif square <= 5:
        name, tint = _finish(square, 6 - square, "yellow"), YELLOW.name
    else:
        name, tint = phrase("jumping-cups.square", square=str(square)), ""
    return Cell(str(square), square - 1.0, 0.0, name, str(square), "square", tint)


def _finish(square: int, number: int, colour: str) -> Words:
    return phrase("jumping-cups.finish", square=str(square), number=number, who=phrase(f"seat.{colour}"))
