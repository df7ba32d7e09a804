"""Jumping Cups as a screen draws it: one line of squares, cups slipped over each other."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from cupboard.core.game import CHANCE
from cupboard.core.scene import RED, YELLOW, Cell, Control, Piece, Player, Scene

if TYPE_CHECKING:
    from cupboard.games.jumping_cups.rules import _Track

_OUTLINE = ((-0.75, -0.75), (13.75, -0.75), (13.75, 0.75), (-0.75, 0.75))


def scene(state: _Track) -> Scene:
    """Squares 1 to 14 from the left; Red runs to the right."""
    squares = range(1, 15)
    outcome = state.outcome()
    acting = state.to_act
    if outcome:
        status = f"{state.game.seat_name(outcome.winners[0])} wins. {outcome.sentence}"
    elif acting == (CHANCE,):
        status = "The lot decides who starts."
    else:
        status = f"{state.game.seat_name(acting[0])} to move."
    pieces = (
        Piece(str(square), "cup", RED if cup == "R" else YELLOW, level=level)
        for square in squares
        for level, cup in enumerate(state.stack(square))
    )
    players = (
        Player(
            seat,
            state.game.seat_name(seat),
            state.game.tint(seat),
            seat in acting,
            {"home": f"{int(state.row[state.game.kernel_module.HOME + seat]).bit_count()}/5"},
            "has won" if outcome and seat in outcome.winners else "",
        )
        for seat in range(2)
    )
    starts = (Control(f"lot-{side}", f"{side} starts") for side in "AB") if acting == (CHANCE,) else ()
    return Scene(
        title=state.game.title,
        status=status,
        cells=tuple(_cell(square) for square in squares),
        pieces=tuple(pieces),
        players=tuple(players),
        outlines=(_OUTLINE,),
        controls=(*starts, Control("off", "Off the track")),
    )


@cache
def _cell(square: int) -> Cell:
    if square >= 10:
        name, tint = f"square {square}, finish square {square - 9} of Red", RED
    elif square <= 5:
        name, tint = f"square {square}, finish square {6 - square} of Yellow", YELLOW
    else:
        name, tint = f"square {square}", None
    return Cell(str(square), square - 1.0, 0.0, name, str(square), "square", tint)
