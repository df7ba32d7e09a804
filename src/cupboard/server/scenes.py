"""Scenes as they cross the wire: what stays is split from what changes, and tints are named."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from itertools import zip_longest
from typing import Any, TypeVar

import msgspec

from cupboard.core import scene as core
from cupboard.core.game import Game, Move, Seat, View
from cupboard.core.words import Words
from cupboard.server import wire

T = TypeVar("T")
ENCODER = msgspec.json.Encoder()


def scene_of(view: View[Any], last: tuple[Seat, Move] | None) -> core.Scene:
    """What the view shows, with the last move marked as far as the viewer may know it."""
    scene = view.scene()
    return scene if last is None else scene.after(last[1].seen_by(view.seat).spots())


# What every update carries.


class Frame(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is said and offered beside the board: the same for all seats."""

    status: Words
    players: tuple[wire.Line, ...]
    controls: tuple[wire.Control, ...] = ()


def changing(scene: core.Scene) -> wire.Scene:
    """The whole of it."""
    said = frame_of(scene)
    return wire.Scene(said.status, tuple(map(_piece, scene.pieces)), said.players, said.controls, _marks(scene))


def frame_of(scene: core.Scene) -> Frame:
    """What is said and offered."""
    return Frame(
        scene.status,
        tuple([wire.Line(p.seat, p.name, p.tint.name, p.acts, dict(p.counts), p.note) for p in scene.players]),
        tuple([wire.Control(c.spot, c.text) for c in scene.controls]),
    )


def encode(scene: core.Scene, frame: bytes) -> bytes:
    """The same encoded, from its frame encoded."""
    drawn = [part for part in scene.parts if part.pieces]
    known = [_parts.get(id(part)) or _pieces(part, keep=len(drawn) > 1) for part in drawn]
    pieces = b",".join([encoded for _, encoded in known])
    marks = b',"marks":%b' % ENCODER.encode(_marks(scene)) if scene.marks else b""
    return b'%b,"pieces":[%b]%b}' % (frame[:-1], pieces, marks)


def _marks(scene: core.Scene) -> tuple[wire.Mark, ...]:
    return tuple([wire.Mark(mark.kind, mark.spot) for mark in scene.marks])


def _piece(piece: core.Piece) -> wire.Piece:
    return wire.Piece(piece.spot, piece.kind, piece.tint.name if piece.tint else "", piece.text, piece.level)


_parts: dict[int, tuple[core.Part, bytes]] = {}
_MOST_PARTS = 4_000


def _pieces(part: core.Part, keep: bool) -> tuple[core.Part, bytes]:
    """The pieces of a part, encoded, without brackets. Some parts are drawn again and again, and worth keeping."""
    known = part, ENCODER.encode(list(map(_piece, part.pieces)))[1:-1]
    if keep:
        if len(_parts) >= _MOST_PARTS:
            _parts.clear()
        _parts[id(part)] = known  # which keeps its id its own
    return known


# What seldom changes.


class Ground(msgspec.Struct, frozen=True, gc=False):
    """The standing part of a scene as somebody has it, in the parts it is drawn from."""

    cells: tuple[tuple[core.Cell, ...], ...]
    outlines: tuple[tuple[tuple[float, float], ...], ...]
    labels: tuple[tuple[core.Label, ...], ...]


def ground_of(scene: core.Scene) -> Ground:
    """What seldom changes of a scene."""
    parts = scene.parts
    return Ground(tuple([part.cells for part in parts]), scene.outlines, tuple([part.labels for part in parts]))


_boards: dict[Game[Any], tuple[Ground, bytes]] = {}
_MOST_BOARDS = 200


def board_of(ground: Ground, game: Game[Any]) -> bytes:
    """The whole board, encoded. Tables of a game begin alike, so the last one is kept."""
    known = _boards.get(game)
    if known is None or known[0] != ground:
        if len(_boards) >= _MOST_BOARDS:
            _boards.clear()
        known = _boards[game] = ground, ENCODER.encode(standing(ground, game))
    return known[1]


def change_of(before: Ground, after: Ground) -> bytes:
    """A wire.Change, encoded; nothing when there is none. The outlines are the same."""
    if before == after:
        return b""
    cells, labels = _runs(before.cells, after.cells, _encoded), _runs(before.labels, after.labels, _encode_label)
    return b'{"cells":%b,"labels":%b}' % (cells, labels)


def _runs(before: tuple[tuple[T, ...], ...], after: tuple[tuple[T, ...], ...], encode: Callable[[T], bytes]) -> bytes:
    """What was at the same place before as [first, behind the last], told by identity, and the rest encoded."""
    if before == after:
        return b"[[0,%d]]" % sum(map(len, before)) if any(before) else b"[]"
    out: list[bytes] = []
    first = end = 0  # the run that goes on while nothing has changed
    start = 0
    for old, new in zip_longest(before, after, fillvalue=()):
        if old is not new:
            for n, (was, thing) in enumerate(zip_longest(old[: len(new)], new), start):
                if was is thing and n == end:
                    end += 1
                    continue
                if first < end:
                    out.append(b"[%d,%d]" % (first, end))
                first, end = n, n + 1
                if was is not thing:
                    out.append(encode(thing))
                    first = end
        elif old:
            if end != start:
                if first < end:
                    out.append(b"[%d,%d]" % (first, end))
                first = start
            end = start + len(old)
        start += len(old)
    if first < end:
        out.append(b"[%d,%d]" % (first, end))
    return b"[%b]" % b",".join(out)


_cells: dict[int, tuple[core.Cell, bytes]] = {}
_MOST_CELLS = 20_000


def _encoded(cell: core.Cell) -> bytes:
    """The very same cells are drawn again and again, and their bytes are known."""
    if (known := _cells.get(id(cell))) is None:
        if len(_cells) >= _MOST_CELLS:
            _cells.clear()
        known = _cells[id(cell)] = cell, ENCODER.encode(_cell(cell))  # which keeps its id its own
    return known[1]


def _encode_label(label: core.Label) -> bytes:
    return ENCODER.encode(_label(label))


def standing(ground: Ground, game: Game[Any]) -> wire.Board:
    """What seldom changes, for the wire."""
    cells = tuple([_cell(cell) for part in ground.cells for cell in part])
    labels = tuple([_label(label) for part in ground.labels for label in part])
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


# Moves.


@lru_cache(1 << 13)
def choice(move: Move) -> wire.Choice:
    """A legal move for the wire."""
    return wire.Choice(str(move), move.spots(), move.warning)


@lru_cache(1 << 13)
def encoded_choice(move: Move) -> bytes:
    """The same, encoded."""
    return ENCODER.encode(choice(move))
