"""Scenes as they cross the wire: what stays is split from what changes, and tints are named."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any

import msgspec

from cupboard.core import scene as core
from cupboard.core.game import Game, Move, Position, Seat, View
from cupboard.server import wire


def has_secrets(game: Game[Any]) -> bool:
    """Whether seats see different things."""
    return game.position_class._veil is not Position._veil


def scene_of(view: View[Any], last: tuple[Seat, Move] | None) -> core.Scene:
    """What the view shows, with the last move marked as far as the viewer may know it."""
    scene = view.scene()
    return scene if last is None else scene.after(last[1].seen_by(view.seat).spots())


def changing(scene: core.Scene) -> wire.Scene:
    """What every update carries."""
    return wire.Scene(
        scene.status,
        tuple([wire.Piece(p.spot, p.kind, p.tint.name if p.tint else "", p.text, p.level) for p in scene.pieces]),
        tuple([wire.Line(p.seat, p.name, p.tint.name, p.acts, dict(p.counts), p.note) for p in scene.players]),
        tuple([wire.Control(c.spot, c.text) for c in scene.controls]),
        tuple([wire.Mark(m.kind, m.spot) for m in scene.marks]),
    )


_boards: dict[tuple[Game[Any], Seat | None], tuple[core.Scene, bytes]] = {}
_MOST_BOARDS = 200


def board_of(scene: core.Scene, game: Game[Any], eye: Seat | None) -> bytes:
    """What is sent once, encoded. Tables share it: a board that has not changed is the same object."""
    known = _boards.get((game, eye))
    if (
        known is not None
        and scene.cells == known[0].cells
        and scene.outlines == known[0].outlines
        and scene.labels == known[0].labels
    ):
        return known[1]
    encoded = _encode_board(scene, game)
    if known is not None and known[1] == encoded:
        encoded = known[1]
    if len(_boards) >= _MOST_BOARDS:
        _boards.clear()
    _boards[game, eye] = scene, encoded
    return encoded


_parts: dict[int, tuple[core.Cell, bytes]] = {}
_MOST_PARTS = 20_000


def _encode_board(scene: core.Scene, game: Game[Any]) -> bytes:
    """The board for the wire. Games draw most of it from the very cells they drew before, whose bytes are known."""
    parts = []
    for cell in scene.cells:
        if (known := _parts.get(id(cell))) is None:
            if len(_parts) >= _MOST_PARTS:
                _parts.clear()
            known = _parts[id(cell)] = cell, msgspec.json.encode(_cell(cell))  # which keeps its id its own
        parts.append(known[1])
    raw: Any = msgspec.Raw
    return msgspec.json.encode(_board(scene, game, raw(b"[" + b",".join(parts) + b"]")))


def standing(scene: core.Scene, game: Game[Any]) -> wire.Board:
    """What seldom changes."""
    return _board(scene, game, tuple(map(_cell, scene.cells)))


def _board(scene: core.Scene, game: Game[Any], cells: tuple[wire.Cell, ...]) -> wire.Board:
    labels = tuple([wire.Label(label.x, label.y, label.text, label.kind) for label in scene.labels])
    return wire.Board(scene.title, cells, scene.outlines, labels, _palette(type(game)))


def _cell(cell: core.Cell) -> wire.Cell:
    tint = cell.tint.name if cell.tint else ""
    return wire.Cell(cell.spot, cell.x, cell.y, cell.name, cell.label, cell.shape, tint)


def tint_of(tint: core.Tint) -> wire.Tint:
    """A tint for the wire."""
    return wire.Tint(tint.name, tint.letter, tint.shape, tint.fill, tint.ink, tint.words)


@cache
def _palette(kind: type[Game[Any]]) -> tuple[wire.Tint, ...]:
    """Every tint that a scene of the game may name: the seats', the common ones, and the game's own."""
    return tuple(tint_of(tint) for tint in dict.fromkeys((*kind.TINTS, *core.TINTS, *kind.MORE_TINTS)))


@lru_cache(1 << 13)
def choice(move: Move) -> wire.Choice:
    """A legal move for the wire."""
    return wire.Choice(str(move), move.spots(), move.warning)
