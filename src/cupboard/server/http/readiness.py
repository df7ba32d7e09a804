"""How far the games are that are still being compiled, and the guard of what needs the rules of one."""

from __future__ import annotations

from typing import Any

from litestar import Request, get
from litestar.connection import ASGIConnection
from litestar.handlers import BaseRouteHandler

from cupboard.core.registry import find
from cupboard.server.http.services import WithServices
from cupboard.server.http.visitor import Visitor
from cupboard.server.wire.games import GameReadiness


@get("/api/readiness", summary="Which games can be played at once")
async def show_readiness(services: WithServices, request: Request[Any, Any, Any]) -> list[GameReadiness]:
    """How far each game is: the first time on a machine the games are compiled while the server runs."""
    await Visitor(services, request).spend("readiness")
    return list(services.tables.readiness.now())


async def needs_rules(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """A guard for handlers of /api/games/{name}/…: waits for the rules of the game, or raises GettingReady."""
    services = connection.app.state.services
    await services.tables.readiness.rules(find(connection.path_params["name"]).name)


HANDLERS = [show_readiness]
