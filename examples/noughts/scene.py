"""Noughts as a screen draws it: nine squares, and stones instead of marks."""

from __future__ import annotations

from cupboard.core.scene import Cell, Part, Piece, PlayerPanel, Scene
from cupboard.core.words import Words, phrase, sentences
from cupboard.games.noughts.rules import CELLS, MARKS, _Grid

_CELLS = tuple(
    Cell(spot, n % 3, n // 3, phrase("noughts.cell", cell=spot), spot, "square") for n, spot in enumerate(CELLS)
)


def scene(state: _Grid) -> Scene:
    """Row 1 at the top."""
    game = state.game
    pieces = tuple(
        Piece(spot, "dome", game.TINTS[MARKS.index(mark)].name)
        for spot, mark in zip(CELLS, state.marks(), strict=True)
        if mark != "."
    )
    panels = [PlayerPanel(seat, game.seat_name(seat), game.tint(seat).name, seat in state.to_act) for seat in (0, 1)]
    return Scene(game.title, _status(state), (Part("board", _CELLS, pieces),), tuple(panels), tints=game.palette)


def _status(state: _Grid) -> Words:
    outcome = state.outcome()
    if outcome is None:
        return phrase("noughts.toMark", who=state.game.seat_name(state.to_act[0]))
    won = [phrase("noughts.wins", who=state.game.seat_name(outcome.winners[0]))] if not outcome.is_draw else []
    return sentences(*won, outcome.sentence)
