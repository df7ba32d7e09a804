"""Double Dutch as a screen draws it: half-spheres in the hollows of a square board."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from cupboard.core.scene import Cell, Piece, Player, Scene

if TYPE_CHECKING:
    from cupboard.core.game import Seat
    from cupboard.games.double_dutch.board import Board
    from cupboard.games.double_dutch.rules import _Table

_EDGE = 0.85
"""From the middle of the outermost hollows to the edge of the board."""


def scene(state: _Table) -> Scene:
    """Row a at the top; a stone with its round side down is `turned`."""
    cells = state.board
    stones = {name: stone for name in cells.bit if (stone := state.stone(name)) != "."}
    return Scene(
        title=state.game.title,
        status=_status(state),
        cells=_cells(cells),
        pieces=tuple(
            Piece(name, "dome" if stone.isupper() else "turned", state.game.tint(ord(stone.upper()) - ord("A")))
            for name, stone in stones.items()
        ),
        players=tuple(_player(state, seat) for seat in range(state.game.seats)),
        outlines=(_outline(cells),),
    )


@cache
def _cells(board: Board) -> tuple[Cell, ...]:
    return tuple(Cell(name, *board.place[bit], f"space {name}", name) for bit, name in board.name.items())


def _status(state: _Table) -> str:
    name = state.game.seat_name
    outcome = state.outcome()
    if outcome:
        won = "Nobody wins." if outcome.is_draw else f"{name(outcome.winners[0])} wins."
        return f"{won} {outcome.sentence}"
    seat = state.to_act[0]
    return f"{name(seat)} to place a first stone." if state.is_placing else f"{name(seat)} to move."


def _player(state: _Table, seat: Seat) -> Player:
    limited = state.game.options["stock"] == "book"
    outcome = state.outcome()
    if outcome:
        note = "has won" if outcome.winners == (seat,) else ""
    else:
        # DD-12: only for now, and the note goes away as soon as there is a move again.
        note = "" if state.is_placing or state.can_move(seat) else "sits out"
    counts: dict[str, int | str] = {"stock": state.stock(seat) if limited else "∞"}
    return Player(seat, state.game.seat_name(seat), state.game.tint(seat), seat in state.to_act, counts, note)


@cache
def _outline(board: Board) -> tuple[tuple[float, float], ...]:
    xs, ys = [x for x, _ in board.place.values()], [y for _, y in board.place.values()]
    left, right, top, bottom = min(xs) - _EDGE, max(xs) + _EDGE, min(ys) - _EDGE, max(ys) + _EDGE
    return (left, top), (right, top), (right, bottom), (left, bottom)
