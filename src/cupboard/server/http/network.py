"""Who can reach the server, and the host's switch for the home network, over HTTP."""

from __future__ import annotations

from typing import Any

from litestar import Request, get, post
from litestar.params import JSONBody

from cupboard.server.http.services import WithServices
from cupboard.server.http.visitor import address_of
from cupboard.server.wire.network import NetworkInfo, OpenNetwork

Visit = Request[Any, Any, Any]


@get("/api/network", sync_to_thread=False, summary="Who can reach the server")
def show_network(services: WithServices, request: Visit) -> NetworkInfo:
    """Whether others can reach the server, and where, as far as the visitor may know."""
    return services.network.info(request.scope)  # type: ignore[arg-type]


@post("/api/network", status_code=200, summary="Let the home network in, or send it away")
async def change_network(services: WithServices, request: Visit, data: JSONBody[OpenNetwork]) -> NetworkInfo:
    """Listen on the home network too, or no longer: only for a visitor at the server's own computer."""
    services.limits.spend("network", address_of(request.scope))
    if data.open:
        await services.network.let_in(request.scope)  # type: ignore[arg-type]
    else:
        await services.network.send_away(request.scope)  # type: ignore[arg-type]
    return services.network.info(request.scope)  # type: ignore[arg-type]


HANDLERS = [show_network, change_network]
