"""The turning points of finished games and the value of positions, over HTTP."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from litestar import Request, get, post
from litestar.params import FromPath, JSONBody, QueryParameter

from cupboard.core.game import CHANCE
from cupboard.core.registry import load_with
from cupboard.core.words import phrase
from cupboard.players.levels import LEVELS
from cupboard.server.analysis.analyses import Analysis, better_move
from cupboard.server.errors import BadMessage, Busy, NotOver, NotYourSeat
from cupboard.server.http.boards import moved
from cupboard.server.http.readiness import needs_rules
from cupboard.server.http.services import WithServices
from cupboard.server.http.visitor import Visitor
from cupboard.server.wire.analysis import Evaluation, TableAnalysis
from cupboard.server.wire.boards import BoardTry

Visit = Request[Any, Any, Any]
Since = Annotated[int, QueryParameter(ge=0, le=1_000_000)]


@post("/api/tables/{table:str}/analysis", status_code=200, summary="Find the turning points of a finished game")
async def start_analysis(services: WithServices, request: Visit, table: FromPath[str]) -> TableAnalysis:
    """Begin or resume the analysis of a game that the visitor has played. It goes on while somebody asks for it."""
    visitor = Visitor(services, request)
    room = await services.tables.room(table)
    if not await visitor.held(room.plan):
        raise NotYourSeat(phrase("no.analysis"))
    if room.state.outcome is None:
        raise NotOver(phrase("no.analysisYet"))
    if (known := services.analyses.find(table)) is not None and known.status not in ("paused", "failed"):
        return _answer(known, 0)
    await visitor.spend("analyses")
    match = room.state.match
    started = services.analyses.start(table, await visitor.asker(), match.game, match.log, room.state.played)
    return _answer(started, 0)


@get("/api/tables/{table:str}/analysis", summary="The turning points found so far")
async def show_analysis(
    services: WithServices, request: Visit, table: FromPath[str], since: Since = 0
) -> TableAnalysis:
    """What has been found about a finished game, from the judgement number `since` on. Nothing is begun."""
    await Visitor(services, request).spend("logs", 0.2)
    await services.tables.room(table)
    found = services.analyses.find(table)
    return TableAnalysis("none") if found is None else _answer(found, since)


@post("/api/games/{name:str}/evaluation", guards=[needs_rules], status_code=200, summary="The best move of a position")
async def evaluate(services: WithServices, request: Visit, name: FromPath[str], data: JSONBody[BoardTry]) -> Evaluation:
    """The best move of the seat that is to act after the moves tried, and what it is worth. May take a few seconds."""
    visitor = Visitor(services, request)
    await visitor.spend("evaluations")
    await visitor.spend("boards", len(data.moves) / 50)
    game = load_with(name, data.seats, data.options)
    position, _ = await asyncio.to_thread(moved, game, data.position, data.moves)
    seat = data.seat if data.seat in position.to_act else next(iter(position.to_act), CHANCE)
    if seat is None or seat == CHANCE:
        raise BadMessage(phrase("no.question"))
    await services.tables.readiness.level(game, LEVELS[-1])  # or the process that judges compiles it once more
    value = services.judge.value(await visitor.asker(), position, seat, services.settings.value_seconds)
    judged = await visitor.wait_for(value)
    best = better_move(position, seat, judged)
    if best is None:
        raise Busy(phrase("no.evaluation"))
    return Evaluation(seat, best)


def _answer(found: Analysis, since: int) -> TableAnalysis:
    return TableAnalysis(found.status, found.total, len(found.moves), tuple(found.moves[since:]))


HANDLERS = [start_analysis, show_analysis, evaluate]
