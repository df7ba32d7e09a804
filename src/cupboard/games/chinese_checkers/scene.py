"""Chinese Checkers as a screen draws it: a star of hollows, each triangle in the colour of whose target it is."""

from __future__ import annotations

from functools import cache
from math import cos, pi, sin
from typing import TYPE_CHECKING

from cupboard.core.scene import Cell, Label, Part, Piece, PlayerPanel, Scene
from cupboard.core.words import Words, phrase, sentences
from cupboard.games.chinese_checkers.board import (
    HOMES,
    NAMES,
    NUMBER,
    ROW_LETTERS,
    TRIANGLE_OF,
    TRIANGLES,
    WIDTHS,
    place,
    target,
)

if TYPE_CHECKING:
    from cupboard.games.chinese_checkers.rules import ChineseCheckers, _Star

_BOTTOM = 3
"""The southern triangle."""
_TIP, _NOTCH = 8.4, 8.4 / 3**0.5
_OUTLINES = (
    tuple(
        (radius * sin(turn * pi / 6), -radius * cos(turn * pi / 6)) for turn, radius in enumerate((_TIP, _NOTCH) * 6)
    ),
)
_LABELS = tuple(
    Label(-(width - 1) / 2 - 0.75, place(NUMBER[f"{row}1"])[1], row)
    for row, width in zip(ROW_LETTERS, WIDTHS, strict=True)
)


def scene(state: _Star) -> Scene:
    """Seat A starts at the top; the others follow clockwise."""
    game = state.game
    pegs = tuple([_pegs(seat)[hole] for hole, seat in enumerate(state.owners()) if seat is not None])
    return Scene(
        title=game.title,
        status=_status(state),
        parts=(Part("board", _cells(game), pegs, _LABELS, _OUTLINES),),
        players=_players(state),
        tints=game.palette,
        turns=_turns(game.seats),
        direction=1 if game.seats > 2 else 0,
        advice=_advice(game, state.to_act[0]) if state.to_act else None,
    )


@cache
def _turns(seats: int) -> tuple[int, ...]:
    """By how much the star is turned for each seat: the triangle that it starts from is at the bottom."""
    return tuple((_BOTTOM - home) * 60 % 360 for home in HOMES[seats])


def _status(state: _Star) -> Words:
    outcome = state.outcome()
    if outcome is None:
        mover, number = state.game.seat_name(state.to_act[0]), state.turns // state.game.seats + 1
        asked = phrase("chinese-checkers.toMove", round=number, who=mover)
        return sentences(asked, phrase("chinese-checkers.lastRound")) if state.finished else asked
    if outcome.reason == "finished":
        won = phrase("chinese-checkers.wins", who=state.game.seat_name(outcome.winners[0]))
        return sentences(won, outcome.sentence)
    return outcome.sentence


@cache
def _advice(game: ChineseCheckers, seat: int) -> Words:
    return phrase("chinese-checkers.advice", colour=game.tint(seat).words)


def _players(state: _Star) -> tuple[PlayerPanel, ...]:
    outcome = state.outcome()
    out = []
    for seat in range(state.game.seats):
        note = None
        if outcome and seat in outcome.winners:
            note = phrase("chinese-checkers.shares" if outcome.is_draw else "chinese-checkers.won")
        elif seat in state.finished:
            note = phrase("chinese-checkers.finished")
        elif not outcome and not state.can_move(seat):
            note = phrase("chinese-checkers.passedOver")
        home = {"chinese-checkers.home": f"{state.home(seat)}/10"}
        name, tint = state.game.seat_name(seat), state.game.tint(seat).name
        out.append(PlayerPanel(seat, name, tint, seat in state.to_act, home, note))
    return tuple(out)


@cache
def _pegs(seat: int) -> tuple[Piece, ...]:
    from cupboard.games.chinese_checkers.rules import ChineseCheckers

    return tuple(Piece(name, "peg", ChineseCheckers.TINTS[seat].name) for name in NAMES)


@cache
def _cells(game: ChineseCheckers) -> tuple[Cell, ...]:
    return tuple(_cell(game, name) for name in NAMES)


def _cell(game: ChineseCheckers, name: str) -> Cell:
    hole = NUMBER[name]
    where = TRIANGLE_OF[hole]
    whose = next((seat for seat in range(game.seats) if target(game.seats, seat) == where), None)
    words = phrase("chinese-checkers.hole", hole=name)
    if where is not None:
        triangle = phrase(f"chinese-checkers.triangle.{TRIANGLES[where]}")
        words = phrase("chinese-checkers.corner", hole=name, triangle=triangle)
        if whose is not None:
            words = phrase("chinese-checkers.target", hole=name, triangle=triangle, who=game.seat_name(whose))
    return Cell(name, *place(hole), words, name[1:], "hollow", "" if whose is None else game.tint(whose).name)
