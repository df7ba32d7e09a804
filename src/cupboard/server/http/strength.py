"""The HTTP API of a person's strength, and of their games one by one."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import Request, get
from litestar.params import FromPath, QueryParameter

from cupboard.core.registry import find
from cupboard.server.http.services import WithServices
from cupboard.server.http.visitor import Visitor
from cupboard.server.wire.strength import MineOf, Progress, StrengthInfo

Visit = Request[Any, Any, Any]
Before = Annotated[int, QueryParameter(ge=0, le=2**53 - 1)]


@get("/api/strength", summary="How strong the visitor is, and which level fits")
async def list_strengths(services: WithServices, request: Visit) -> list[StrengthInfo]:
    """The visitor's strength in each game with each number of seats; of a stranger, where to begin."""
    visitor = Visitor(services, request)
    await visitor.spend("strength")
    return await services.strengths.all(await visitor.person())


@get("/api/strength/{name:str}", summary="How the visitor's strength in a game came about")
async def show_progress(services: WithServices, request: Visit, name: FromPath[str]) -> Progress:
    """The strength after each of the last games that count, and how often the visitor has won against each level."""
    visitor = Visitor(services, request)
    await visitor.spend("strength")
    return await services.strengths.progress(await visitor.person(), name)


@get("/api/mine/{name:str}", summary="The visitor's own tables of one game")
async def list_mine_of(services: WithServices, request: Visit, name: FromPath[str], before: Before = 0) -> MineOf:
    """A page of the visitor's tables of a game, newest first; `before` is `more` of the page before it."""
    visitor = Visitor(services, request)
    await visitor.spend("strength")
    return await services.lists.mine_of(await visitor.person(), find(name).name, before)


HANDLERS = [list_strengths, show_progress, list_mine_of]
