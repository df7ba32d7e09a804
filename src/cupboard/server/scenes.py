"""Scenes as they cross the wire: what stays is split from what changes, and tints are named."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any, TypeVar

import msgspec

from cupboard.core import scene as core
from cupboard.core.game import Game, Move, Position, Seat, View
from cupboard.server import wire

T = TypeVar("T")


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


class Ground(msgspec.Struct, frozen=True, gc=False):
    """The standing part of a scene as somebody has it. Games draw most of it from what they drew before."""

    cells: tuple[core.Cell, ...]
    outlines: tuple[tuple[tuple[float, float], ...], ...]
    labels: tuple[core.Label, ...]


def ground_of(scene: core.Scene) -> Ground:
    """What seldom changes."""
    return Ground(scene.cells, scene.outlines, scene.labels)


_boards: dict[Game[Any], tuple[Ground, bytes]] = {}
_MOST_BOARDS = 200


def board_of(ground: Ground, game: Game[Any]) -> bytes:
    """The whole board, encoded. Tables of a game begin alike, so the last one is kept."""
    known = _boards.get(game)
    if known is None or known[0] != ground:
        if len(_boards) >= _MOST_BOARDS:
            _boards.clear()
        known = _boards[game] = ground, msgspec.json.encode(standing(ground, game))
    return known[1]


def change_of(before: Ground, after: Ground) -> bytes:
    """A wire.Change, encoded; nothing when there is none. The outlines are the same."""
    if before == after:
        return b""
    cells, labels = _runs(before.cells, after.cells, _encoded), _runs(before.labels, after.labels, _encode_label)
    return b'{"cells":%b,"labels":%b}' % (cells, labels)


def _runs(before: tuple[T, ...], after: tuple[T, ...], encode: Callable[[T], bytes]) -> bytes:
    """What was there before as [first, behind the last], told by identity, and the rest encoded."""
    if before == after:
        return b"[[0,%d]]" % len(before)
    places: dict[int, int] | None = None
    out: list[bytes] = []
    first = end = 0  # the run that goes on while nothing has changed
    for part in after:
        if end < len(before) and before[end] is part:
            end += 1
            continue
        if first < end:
            out.append(b"[%d,%d]" % (first, end))
        if places is None:
            places = dict(zip(map(id, before), range(len(before)), strict=True))
        if (n := places.get(id(part))) is not None:
            first, end = n, n + 1
        else:
            out.append(encode(part))
            first = end = end + 1  # mostly it takes another's place
    if first < end:
        out.append(b"[%d,%d]" % (first, end))
    return b"[%b]" % b",".join(out)


_parts: dict[int, tuple[core.Cell, bytes]] = {}
_MOST_PARTS = 20_000


def _encoded(cell: core.Cell) -> bytes:
    """The very same cells are drawn again and again, and their bytes are known."""
    if (known := _parts.get(id(cell))) is None:
        if len(_parts) >= _MOST_PARTS:
            _parts.clear()
        known = _parts[id(cell)] = cell, msgspec.json.encode(_cell(cell))  # which keeps its id its own
    return known[1]


def _encode_label(label: core.Label) -> bytes:
    return msgspec.json.encode(_label(label))


def standing(ground: Ground | core.Scene, game: Game[Any]) -> wire.Board:
    """What seldom changes, for the wire."""
    cells, labels = tuple(map(_cell, ground.cells)), tuple(map(_label, ground.labels))
    return wire.Board(game.title, cells, ground.outlines, labels, _palette(type(game)))


def _label(label: core.Label) -> wire.Label:
    return wire.Label(label.x, label.y, label.text, label.kind)


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
