"""Exploring over HTTP: positions set up by hand, and records and trees that are opened. Nothing is kept."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
from litestar import Request, post
from litestar.params import FromPath, JSONBody

from cupboard.core.errors import BadPosition, BadRecord, CupboardError
from cupboard.core.game import Game, Position, letter
from cupboard.core.record import Record
from cupboard.core.registry import load_with
from cupboard.core.scene import Piece
from cupboard.core.words import phrase
from cupboard.server.http.readiness import needs_rules
from cupboard.server.http.services import WithServices
from cupboard.server.http.visitor import Visitor
from cupboard.server.wire.exploring import (
    MOST_TREE_MOVES,
    Arranged,
    Arrangement,
    OpenedRecord,
    OpenRecord,
    TreeMove,
)
from cupboard.server.wire.games import OptionValue

Visit = Request[Any, Any, Any]
_MOST_COMMENT = 500


class _FileMove(msgspec.Struct, frozen=True, array_like=True):
    """A move of a tree as a row: the move, the index of the one before it, and perhaps a comment."""

    text: str
    parent: int
    comment: str = ""


class _TreeFile(msgspec.Struct, frozen=True):
    """A tree of variations as a file."""

    tree: int
    game: str
    moves: list[_FileMove]
    seats: int | None = None
    options: dict[str, OptionValue] = msgspec.field(default_factory=dict)
    position: str = ""


@post(
    "/api/games/{name:str}/arrangement",
    guards=[needs_rules],
    status_code=200,
    summary="Set up a position",
)
async def arrange(services: WithServices, request: Visit, name: FromPath[str], data: JSONBody[Arrangement]) -> Arranged:
    """The position in which these pieces stand; refused with a sentence if it cannot come up in a game."""
    await Visitor(services, request).spend("boards")
    return await asyncio.to_thread(_arranged, name, data)


def _arranged(name: str, data: Arrangement) -> Arranged:
    game = load_with(name, data.seats, data.options)
    game.check_seat(data.turn, nature=False)
    tints = {tint.name for tint in game.TINTS[: game.seats]}
    spots = {cell.spot for cell in game.start().seen_by(None).scene().cells}
    stacks: dict[str, list[Piece]] = {}
    for piece in data.pieces:
        if (piece.kind, piece.tint) not in game.LOOSE or piece.tint not in tints or piece.spot not in spots:
            raise BadPosition(phrase("position.fixed", game=game.title))
        stack = stacks.setdefault(piece.spot, [])
        stack.append(Piece(piece.spot, piece.kind, piece.tint, level=len(stack)))
    return Arranged(str(game.arranged(stacks, data.turn)))


@post("/api/records", status_code=200, summary="Open a record")
async def open_record(services: WithServices, request: Visit, data: JSONBody[OpenRecord]) -> OpenedRecord:
    """The game and the moves of a record or a tree of variations; an error names the line or the move."""
    await Visitor(services, request).spend("boards", 1 + len(data.text) / 500)
    return await asyncio.to_thread(_opened_text, data.text.strip())


def _opened_text(text: str) -> OpenedRecord:
    if not text.startswith("{"):
        return _line(Record.read(text))
    try:
        read = msgspec.json.decode(text)
    except msgspec.DecodeError as error:
        raise BadRecord(phrase("record.json", why=str(error))) from error
    if not isinstance(read, dict) or "tree" not in read:
        return _line(Record.from_json(read))
    try:
        return _tree(msgspec.convert(read, _TreeFile))
    except msgspec.ValidationError as error:
        raise BadRecord(phrase("record.json", why=str(error))) from error


def _line(record: Record) -> OpenedRecord:
    log = record.replay().log
    moves = tuple(
        TreeMove(f"{letter(move.seat)}:{move.text}", n - 1, move.comment, log[n].move.short(record.game.seat_name))
        for n, move in enumerate(record.moves)
    )
    names = {mark: record.tags[mark] for mark in map(letter, range(record.game.seats)) if mark in record.tags}
    return _opened(record.game, moves, names=names)


def _tree(file: _TreeFile) -> OpenedRecord:
    if len(file.moves) > MOST_TREE_MOVES:
        raise BadRecord(phrase("record.manyMoves", count=MOST_TREE_MOVES))
    game = load_with(file.game, file.seats, file.options)
    root: Position[Any] = game.read(file.position) if file.position else game.start()
    positions: list[Position[Any]] = []
    moves: list[TreeMove] = []
    for n, move in enumerate(file.moves):
        if not -1 <= move.parent < n:
            raise BadRecord(phrase("record.noParent", n=n + 1))
        before = positions[move.parent] if move.parent >= 0 else root
        try:
            step = before.step(move.text)
        except CupboardError as error:
            why = error.words or str(error)
            raise BadRecord(phrase("record.illegal", n=n + 1, move=move.text[:60], why=why)) from error
        positions.append(step.after)
        said = f"{letter(step.seat)}:{step.move}"
        moves.append(TreeMove(said, move.parent, move.comment[:_MOST_COMMENT], step.move.short(game.seat_name)))
    return _opened(game, tuple(moves), str(root) if file.position else "")


def _opened(
    game: Game[Any], moves: tuple[TreeMove, ...], position: str = "", names: dict[str, str] | None = None
) -> OpenedRecord:
    return OpenedRecord(game.name, game.seats, dict(game.options), moves, position, names or {})


HANDLERS = [arrange, open_record]
