"""The whole server as one ASGI application: `make_app(ServerSettings(data=folder))`.

Sockets do not pass through Litestar, and are taken from uvicorn as soon as they are open: there may be thousands.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from litestar import Litestar
from litestar.datastructures import State
from litestar.di import Provide
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin

from cupboard import __version__
from cupboard.core.errors import CupboardError
from cupboard.core.words import phrase
from cupboard.server.errors import NotFound, TooMany
from cupboard.server.http import (
    accounts,
    analysis,
    api,
    api_page,
    boards,
    downloads,
    exploring,
    house,
    learning,
    network,
    pages,
    positions,
    previews,
    readiness,
    rulebooks,
    strength,
)
from cupboard.server.http.asgi import Receive, Scope, Send
from cupboard.server.http.hosts import Hosts
from cupboard.server.http.middleware import check_request, check_socket, guarded, timed
from cupboard.server.http.problems import EXCEPTION_HANDLERS, MAX_BODY, refuse, refuse_socket
from cupboard.server.http.services import Services
from cupboard.server.http.visitor import address_of, cookie_of
from cupboard.server.limits.connections import ConnectionLimit
from cupboard.server.settings import ServerSettings
from cupboard.server.socket.connection import SocketConnection
from cupboard.server.socket.handler import SocketHandler
from cupboard.server.socket.handshake import HAND_OVER
from cupboard.server.table import deadlines
from cupboard.server.wire.openapi import WordsSchema

_SECONDS_LATER = 10
"""When an address with too many sockets should come again: somebody must have closed a window."""


class App:
    """The ASGI application: checks what a request is for and where it comes from, then passes it on."""

    def __init__(self, settings: ServerSettings) -> None:
        self.services = Services(settings)
        self._settings = settings
        self._hosts = Hosts(settings.hosts)
        # Behind a proxy all connections come from the proxy.
        self.connections = ConnectionLimit(
            settings.limits.most_connections if settings.limited and not settings.https else None
        )
        self._sockets = ConnectionLimit(settings.limits.most_sockets if settings.limited else None)
        self._litestar = _litestar(self.services)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request, a socket, or the server's start and end."""
        if scope["type"] == "lifespan":
            await self._litestar(scope, receive, send)  # type: ignore[arg-type]
        elif scope["type"] == "websocket":
            await self._socket(scope, receive, send)
        elif (error := check_request(scope, self._hosts)) is not None:
            await refuse(guarded(send, scope), error)
        else:
            await self._litestar(scope, timed(receive, self._settings.body_seconds), guarded(send, scope))  # type: ignore[arg-type]

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        address = address_of(scope)
        if not self._sockets.enter(address):
            await refuse_socket(receive, send, TooMany(phrase("no.moreSockets"), _SECONDS_LATER))
            return
        handed_over = False
        try:
            connection = await self._sit(scope, address)
            await receive()
            await send({"type": "websocket.accept"})
            await send({"type": HAND_OVER, "connection": connection})
            handed_over = True
        except CupboardError as error:
            await refuse_socket(receive, send, error)
        finally:
            if not handed_over:
                self._sockets.leave(address)

    async def _sit(self, scope: Scope, address: str) -> SocketConnection:
        """The connection for a socket that may be opened; a CupboardError when it may not."""
        parts = scope["path"].split("/")
        if (error := check_socket(scope, self._hosts)) is not None:
            raise error
        if len(parts) != 5 or parts[:3] != ["", "api", "tables"] or parts[4] != "socket":
            raise NotFound(phrase("no.socket"))
        room = await self.services.tables.room(parts[3])
        session = await self.services.people.sessions.of(cookie_of(scope["headers"]))
        connection = SocketConnection(self._settings.heartbeat)
        tables, access, limits = self.services.tables, self.services.access, self.services.limits
        connection.listen(SocketHandler(tables, access, limits, self._sockets, room, session, address, connection))
        return connection


def make_app(settings: ServerSettings) -> App:
    """The application with its database open; a CupboardError says why that cannot be opened."""
    return App(settings)


def _litestar(services: Services) -> Litestar:
    @asynccontextmanager
    async def living(_: Litestar) -> AsyncIterator[None]:
        beside = (
            asyncio.create_task(services.tables.look_around()),
            asyncio.create_task(deadlines.watch(services.tables, services.store, services.settings.look_at_clocks)),
            asyncio.create_task(services.people.sessions.sweep_now_and_then()),
        )
        if services.settings.warm:
            services.tables.readiness.start()
        try:
            yield
        finally:
            for task in beside:
                task.cancel()
            await services.close()

    return Litestar(
        route_handlers=[
            *api.HANDLERS,
            *accounts.HANDLERS,
            *downloads.HANDLERS,
            *learning.HANDLERS,
            *strength.HANDLERS,
            *readiness.HANDLERS,
            *boards.HANDLERS,
            *exploring.HANDLERS,
            *positions.HANDLERS,
            *rulebooks.HANDLERS,
            *analysis.HANDLERS,
            *network.HANDLERS,
            *house.HANDLERS,
            *api_page.HANDLERS,
            *previews.HANDLERS,
            *pages.HANDLERS,
        ],
        dependencies={"services": Provide(lambda: services, sync_to_thread=False)},
        lifespan=[living],
        exception_handlers=EXCEPTION_HANDLERS,
        request_max_body_size=MAX_BODY,
        plugins=[WordsSchema()],
        openapi_config=OpenAPIConfig(
            title="Cupboard",
            version=__version__,
            description="Table games: lay a table, take a seat, play over its socket.",
            path="/api/schema",
            render_plugins=[JsonRenderPlugin(path="/openapi.json")],
        ),
        state=State({"services": services}),
        logging_config=None,
        debug=False,
    )
