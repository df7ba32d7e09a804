"""Boards to try things on, over HTTP. Nothing is kept: the client sends the position and all moves with every try."""

from __future__ import annotations

import asyncio
import secrets
from random import Random
from typing import Any

from litestar import Request, post
from litestar.params import FromPath, JSONBody

from cupboard.core.game import CHANCE, Game, Move, Position, Seat, letter
from cupboard.core.registry import load_with
from cupboard.core.words import phrase
from cupboard.server.errors import BadMessage
from cupboard.server.http.readiness import needs_rules
from cupboard.server.http.services import WithServices
from cupboard.server.http.visitor import Visitor
from cupboard.server.table.scenes import choice, scene_of
from cupboard.server.wire.boards import BoardState, BoardTry, TriedMove


@post(
    "/api/games/{name:str}/board",
    guards=[needs_rules],
    status_code=200,
    summary="Try moves on a board",
)
async def try_board(
    services: WithServices, request: Request[Any, Any, Any], name: FromPath[str], data: JSONBody[BoardTry]
) -> BoardState:
    """What is to be seen after some moves from a position, and what can follow."""
    # A long line of moves costs as much as several short ones.
    await Visitor(services, request).spend("boards", 1 + len(data.moves) / 50)
    return await asyncio.to_thread(_board, name, data)


def _board(name: str, data: BoardTry) -> BoardState:
    game = load_with(name, data.seats, data.options)
    position, last = moved(game, data.position, data.moves)
    seat = data.seat if data.seat is not None else next((one for one in position.to_act if one != CHANCE), 0)
    if seat >= game.seats:
        raise BadMessage(phrase("no.boardSeat", seat=letter(seat)))
    view = position.seen_by(seat)
    filling = view.filling()
    nature = ""
    if position.to_act == (CHANCE,):
        nature = f"*:{position.chance(Random(secrets.randbits(64)))}"
    return BoardState(
        position=str(position),
        scene=scene_of(view, last),
        seat=seat,
        asked=tuple(one for one in position.to_act if one != CHANCE),
        moves=tuple(map(choice, view.moves())) if filling is None else (),
        filling=filling,
        nature=nature,
        last=None if last is None else _tried(game, *last),
        outcome=position.outcome(),
        why=view.why_not(data.spots, seat).words if data.spots else None,
    )


def moved(game: Game[Any], line: str, moves: tuple[str, ...]) -> tuple[Position[Any], tuple[Seat, Move] | None]:
    """The position after `moves` from the position of a line, and the last of the moves with its seat."""
    position: Position[Any] = game.read(line) if line else game.start()
    last = None
    for text in moves:
        step = position.step(text)
        position, last = step.after, (step.seat, step.move)
    return position, last


def _tried(game: Game[Any], seat: Seat, move: Move) -> TriedMove:
    return TriedMove(seat, str(move), tuple(move.route()), move.words(game.seat_name), move.short(game.seat_name))


HANDLERS = [try_board]
