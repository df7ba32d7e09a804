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
from litestar.openapi.spec import Server

from cupboard import __version__
from cupboard.core.errors import CupboardError
from cupboard.core.words import phrase
from cupboard.server.errors import NotFound, TooMany
from cupboard.server.http import (
    accounts,
    administration,
    analysis,
    api,
    api_page,
    boards,
    classes,
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
from cupboard.server.http.misdirected import Misdirected
from cupboard.server.http.probes import Probes
from cupboard.server.http.problems import EXCEPTION_HANDLERS, MAX_BODY, refuse, refuse_socket
from cupboard.server.http.proxies import Proxies
from cupboard.server.http.services import Services
from cupboard.server.http.sub_path import lead_home, path_of, under
from cupboard.server.http.visitor import address_of, cookie_of
from cupboard.server.http.watched import watched
from cupboard.server.limits.connections import ConnectionLimit
from cupboard.server.settings import ServerSettings
from cupboard.server.socket.connection import SocketConnection
from cupboard.server.socket.handler import SocketHandler
from cupboard.server.socket.handshake import HAND_OVER
from cupboard.server.table import deadlines
from cupboard.server.watching.log import sum_up_now_and_then
from cupboard.server.watching.watcher import Watcher
from cupboard.server.wire.openapi import WordsSchema

_SECONDS_LATER = 10
"""When an address with too many sockets should come again: somebody must have closed a window."""


class App:
    """The ASGI application: checks what a request is for and where it comes from, then passes it on."""

    def __init__(self, settings: ServerSettings, watcher: Watcher | None = None) -> None:
        self.proxies = Proxies(settings.believed_proxies)  # first: what makes no sense leaves no database behind
        self.services = Services(settings, watcher)
        self._settings = settings
        self._hosts = Hosts(settings.hosts, settings.public_url)
        self._misdirected = Misdirected()
        self.connections = ConnectionLimit(settings.limits.most_connections if settings.limited else None)
        self._sockets = ConnectionLimit(settings.limits.most_sockets if settings.limited else None)
        self._probes = Probes(self.services.store)
        self._litestar = _litestar(self.services)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request, a socket, or the server's start and end."""
        if scope["type"] == "lifespan":
            await self._litestar(scope, receive, send)  # type: ignore[arg-type]
            return
        self.proxies.see_through(scope)
        scope = under(scope, self.services.public_url.prefix)
        send = watched(send, scope, self.services.watcher, address_of(scope))
        if scope["type"] == "websocket":
            await self._socket(scope, receive, send)
        elif self._probes.takes(scope):
            await self._probes.answer(scope, guarded(send, scope))
        elif (error := check_request(scope, self._hosts)) is not None:
            self._misdirected.note(scope, error)
            await refuse(guarded(send, scope), error, scope)
        elif not path_of(scope):
            await lead_home(guarded(send, scope), scope)
        else:
            await self._litestar(scope, timed(receive, self._settings.body_seconds), guarded(send, scope))  # type: ignore[arg-type]

    def begin_to_drain(self) -> None:
        """Be ready for no more: load balancers are told, and nobody waits for a game to be compiled."""
        self._probes.is_draining = True
        self.services.tables.readiness.turn_away()

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        address = address_of(scope)
        if _is_of_table(scope):
            scope["path_template"] = "/api/tables/{table}/socket"
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
            self.services.watcher.socket_opened()
        except CupboardError as error:
            self._misdirected.note(scope, error)
            await refuse_socket(receive, send, error)
        finally:
            if not handed_over:
                self._sockets.leave(address)

    async def _sit(self, scope: Scope, address: str) -> SocketConnection:
        """The connection for a socket that may be opened; a CupboardError when it may not."""
        if (error := check_socket(scope, self._hosts)) is not None:
            raise error
        if not _is_of_table(scope):
            raise NotFound(phrase("no.socket"))
        room = await self.services.tables.room(path_of(scope).split("/")[3])
        session = await self.services.people.sessions.of(cookie_of(scope["headers"]))
        connection = SocketConnection(self._settings.heartbeat)
        tables, access, limits = self.services.tables, self.services.access, self.services.limits
        connection.listen(SocketHandler(tables, access, limits, self._sockets, room, session, address, connection))
        return connection


def _is_of_table(scope: Scope) -> bool:
    parts = path_of(scope).split("/")
    return len(parts) == 5 and parts[:3] == ["", "api", "tables"] and parts[4] == "socket"


def make_app(settings: ServerSettings, watcher: Watcher | None = None) -> App:
    """The application with its database open; a CupboardError says why that cannot be opened."""
    return App(settings, watcher)


def _litestar(services: Services) -> Litestar:
    @asynccontextmanager
    async def living(_: Litestar) -> AsyncIterator[None]:
        await services.tables.close_ended_sessions()  # from the first request on it is known who is banned
        beside = (
            asyncio.create_task(services.cluster.run()),
            asyncio.create_task(services.tables.look_around()),
            asyncio.create_task(deadlines.watch(services.tables, services.store, services.settings.look_at_clocks)),
            asyncio.create_task(services.people.sessions.sweep_now_and_then()),
            asyncio.create_task(sum_up_now_and_then(services.settings.log)),
            asyncio.create_task(services.retention.sweep_now_and_then()),
            asyncio.create_task(services.work_beside()),
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
            *classes.HANDLERS,
            *readiness.HANDLERS,
            *boards.HANDLERS,
            *exploring.HANDLERS,
            *positions.HANDLERS,
            *rulebooks.HANDLERS,
            *analysis.HANDLERS,
            *network.HANDLERS,
            *administration.HANDLERS,
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
            servers=[Server(url=services.public_url.base or "/")],
            render_plugins=[JsonRenderPlugin(path="/openapi.json")],
        ),
        state=State({"services": services}),
        logging_config=None,
        debug=False,
    )
