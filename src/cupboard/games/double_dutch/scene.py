"""Double Dutch as a screen draws it: half-spheres in the hollows of a square board."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from cupboard.core.scene import Cell, Outline, Part, Piece, PlayerPanel, Scene
from cupboard.core.words import Words, phrase, sentences

if TYPE_CHECKING:
    from cupboard.core.game import Seat
    from cupboard.games.double_dutch.board import Board
    from cupboard.games.double_dutch.rules import DoubleDutch, _Stones

_EDGE = 0.85
"""From the middle of the outermost hollows to the edge of the board."""


def scene(state: _Stones) -> Scene:
    """Row a at the top; a stone with its round side down is `turned`."""
    cells = state.board
    stones = tuple(_piece(name, stone) for name, stone in state.stones().items())
    return Scene(
        title=state.game.title,
        status=_status(state),
        parts=(Part("board", _cells(cells), stones, outlines=_outlines(cells)),),
        players=tuple(_player(state, seat) for seat in range(state.game.seats)),
        tints=state.game.palette,
        direction=1 if state.game.seats > 2 else 0,
        advice=_advice(state.game, state.to_act[0], state.is_placing) if state.to_act else None,
    )


@cache
def _cells(board: Board) -> tuple[Cell, ...]:
    words = {name: phrase("double-dutch.space", cell=name) for name in board.name.values()}
    return tuple(Cell(name, *board.place[bit], words[name], name) for bit, name in board.name.items())


def _status(state: _Stones) -> Words:
    name = state.game.seat_name
    outcome = state.outcome()
    if outcome:
        alone = not outcome.is_draw
        won = phrase("double-dutch.wins", who=name(outcome.winners[0])) if alone else phrase("double-dutch.nobodyWins")
        return sentences(won, outcome.sentence)
    return phrase("double-dutch.toPlace" if state.is_placing else "double-dutch.toMove", who=name(state.to_act[0]))


@cache
def _advice(game: DoubleDutch, seat: Seat, is_placing: bool) -> Words:
    said = "place" if is_placing else "slide"
    return phrase(f"double-dutch.advice.{said}", colour=game.tint(seat).words)


def _player(state: _Stones, seat: Seat) -> PlayerPanel:
    limited = state.game.options["stock"] == "book"
    outcome = state.outcome()
    note = None
    if outcome:
        note = phrase("double-dutch.won") if outcome.winners == (seat,) else None
    elif not state.is_placing and not state.can_move(seat):
        # DD-12: only for now, and the note goes away as soon as there is a move again.
        note = phrase("double-dutch.sitsOut")
    counts: dict[str, int | str] = {"double-dutch.stock": state.stock(seat) if limited else "∞"}
    return PlayerPanel(seat, state.game.seat_name(seat), state.game.tint(seat).name, seat in state.to_act, counts, note)


@cache
def _piece(name: str, stone: str) -> Piece:
    from cupboard.games.double_dutch.rules import DoubleDutch

    tint = DoubleDutch.TINTS[ord(stone.upper()) - ord("A")].name
    return Piece(name, "dome" if stone.isupper() else "turned", tint)


@cache
def _outlines(board: Board) -> tuple[Outline, ...]:
    xs, ys = [x for x, _ in board.place.values()], [y for _, y in board.place.values()]
    left, right, top, bottom = min(xs) - _EDGE, max(xs) + _EDGE, min(ys) - _EDGE, max(ys) + _EDGE
    return (((left, top), (right, top), (right, bottom), (left, bottom)),)
