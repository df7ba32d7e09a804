"""The whole server as one ASGI application: `make_app(ServerSettings(data=folder))`.

Sockets do not pass through Litestar, and are taken from uvicorn as soon as they are open: there may be thousands.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import urlsplit

import msgspec
from litestar import Litestar, Request, Response
from litestar.datastructures import State
from litestar.di import Provide
from litestar.exceptions import HTTPException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin

from cupboard import __version__
from cupboard.core.errors import CupboardError
from cupboard.core.words import phrase
from cupboard.server.errors import (
    BadMessage,
    BadOrigin,
    NoLength,
    NotFound,
    TooLarge,
    TooMany,
    TooSlow,
    UnknownHost,
    status_of,
)
from cupboard.server.http import accounts, api_page, downloads, pages, rest
from cupboard.server.http.hosts import Hosts, name_of
from cupboard.server.http.services import Services, address_of, cookie_of
from cupboard.server.limits.connections import ConnectionLimit
from cupboard.server.settings import ServerSettings
from cupboard.server.socket.connection import SocketConnection
from cupboard.server.socket.handler import SocketHandler
from cupboard.server.socket.handshake import HAND_OVER
from cupboard.server.table import deadlines
from cupboard.server.table.updates import problem
from cupboard.server.wire.messages import Problem
from cupboard.server.wire.openapi import WordsSchema

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]

MAX_BODY = 65_536
_LOG = logging.getLogger(__name__)
_HEADERS = [
    (
        b"content-security-policy",
        b"default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
        b"connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
]


class App:
    """The ASGI application: checks what a request is for and where it comes from, then passes it on."""

    def __init__(self, settings: ServerSettings) -> None:
        self.services = Services(settings)
        self._settings = settings
        self._hosts = Hosts(settings.hosts)
        # Behind a proxy all connections come from the proxy.
        self.connections = ConnectionLimit(settings.connections if settings.limited and not settings.https else None)
        self._sockets = ConnectionLimit(settings.sockets if settings.limited else None)
        self._litestar = _litestar(self.services)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request, a socket, or the server's start and end."""
        if scope["type"] == "lifespan":
            await self._litestar(scope, receive, send)  # type: ignore[arg-type]
        elif scope["type"] == "websocket":
            await self._socket(scope, receive, send)
        elif (error := self._fault(scope)) is not None:
            await _refuse(_guarded(send), error)
        else:
            await self._litestar(scope, _timed(receive, self._settings.body_seconds), _guarded(send))  # type: ignore[arg-type]

    def _fault(self, scope: Scope) -> CupboardError | None:
        """What is wrong with a request's headers."""
        if (error := self._host_fault(scope)) is not None:
            return error
        if scope["method"] not in ("GET", "HEAD", "OPTIONS") and not _is_same_origin(scope):
            return BadOrigin(phrase("no.foreignRequest"))
        if any(name == b"transfer-encoding" for name, _ in scope["headers"]):
            # 64 kB in chunks of one byte take 0.7 s of CPU to read.
            return NoLength(phrase("no.length"))
        return None

    def _host_fault(self, scope: Scope) -> CupboardError | None:
        host = dict(scope["headers"]).get(b"host")
        if self._hosts.allows(host):
            return None
        return UnknownHost(phrase("no.host", host=name_of((host or b"").decode("latin-1"))[:100]))

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        address = address_of(scope)
        if not self._sockets.enter(address):
            await _turn_away(receive, send, TooMany(phrase("no.moreSockets")))
            return
        handed_over = False
        try:
            connection = await self._sit(scope, address)
            await receive()
            await send({"type": "websocket.accept"})
            await send({"type": HAND_OVER, "connection": connection})
            handed_over = True
        except CupboardError as error:
            await _turn_away(receive, send, error)
        finally:
            if not handed_over:
                self._sockets.leave(address)

    async def _sit(self, scope: Scope, address: str) -> SocketConnection:
        """The connection of a socket that may be opened."""
        parts = scope["path"].split("/")
        if (error := self._host_fault(scope)) is not None:
            raise error
        if not _is_same_origin(scope):
            raise BadOrigin(phrase("no.foreignSocket"))
        if len(parts) != 5 or parts[:3] != ["", "api", "tables"] or parts[4] != "socket":
            raise NotFound(phrase("no.socket"))
        room = await self.services.tables.room(parts[3])
        session = await self.services.people.sessions.of(cookie_of(scope["headers"]))
        connection = SocketConnection(self._settings.heartbeat)
        connection.listen(
            SocketHandler(self.services.tables, self.services.limits, self._sockets, room, session, address, connection)
        )
        return connection


def make_app(settings: ServerSettings) -> App:
    """The application; opening the database may raise a CupboardError with a sentence."""
    return App(settings)


def _litestar(services: Services) -> Litestar:
    @asynccontextmanager
    async def living(_: Litestar) -> AsyncIterator[None]:
        beside = (
            asyncio.create_task(services.tables.look_around()),
            asyncio.create_task(deadlines.watch(services.tables, services.store, services.settings.look_at_clocks)),
            asyncio.create_task(services.people.sessions.sweep_now_and_then()),
        )
        try:
            yield
        finally:
            for task in beside:
                task.cancel()
            await services.gallery.close()
            services.close()

    return Litestar(
        route_handlers=[*rest.HANDLERS, *accounts.HANDLERS, *downloads.HANDLERS, *api_page.HANDLERS, *pages.HANDLERS],
        dependencies={"services": Provide(lambda: services, sync_to_thread=False)},
        lifespan=[living],
        exception_handlers={
            CupboardError: _on_cupboard_error,
            HTTPException: _on_http_error,
            RecursionError: _on_nesting,
            UnicodeDecodeError: _on_bad_text,
            Exception: _on_surprise,
        },
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


async def _refuse(send: Send, error: CupboardError) -> None:
    body = msgspec.json.encode(problem(error))
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status_of(error), "headers": headers})
    await send({"type": "http.response.body", "body": body})


def _on_cupboard_error(request: Request[Any, Any, Any], error: CupboardError) -> Response[Problem]:
    if isinstance(error, BadMessage | NotFound):
        error = _too_many_faults(request) or error
    return _answer(error)


def _answer(error: CupboardError) -> Response[Problem]:
    return Response(problem(error), status_code=status_of(error), media_type="application/json")


def _too_many_faults(request: Request[Any, Any, Any]) -> TooMany | None:
    """Count a request that made no sense; the error when too many such come from one address."""
    try:
        request.app.state.services.limits.spend("faults", address_of(request.scope))
    except TooMany as error:
        return error
    return None


def _on_http_error(request: Request[Any, Any, Any], error: HTTPException) -> Response[Problem]:
    status = error.status_code
    if status >= 500:
        return _on_surprise(request, error)
    if (too_many := _too_many_faults(request)) is not None:
        return _answer(too_many)
    code = {404: NotFound.code, 413: TooLarge.code}.get(status, BadMessage.code)
    extra = error.extra if isinstance(error.extra, list) else []
    reasons = "; ".join(f"{item.get('key', '')}: {item.get('message', '')}" for item in extra if isinstance(item, dict))
    words = {
        404: phrase("no.address"),
        405: phrase("no.method"),
        413: phrase("no.bytes", most=MAX_BODY),
    }.get(status, phrase("no.request", why=error.detail))
    return Response(
        Problem(code, f"{words}{' ' + reasons if reasons else ''}"[:500], words),
        status_code=status,
        media_type="application/json",
        headers={key: value for key, value in (error.headers or {}).items() if key.lower() == "allow"},
    )


def _on_nesting(request: Request[Any, Any, Any], _: RecursionError) -> Response[Problem]:
    """What is nested so deeply that reading it fails is no request of ours."""
    return _on_cupboard_error(request, BadMessage(phrase("no.nesting")))


def _on_bad_text(request: Request[Any, Any, Any], error: UnicodeDecodeError) -> Response[Problem]:
    return _on_cupboard_error(request, BadMessage(phrase("no.request", why=str(error))))


def _on_surprise(request: Request[Any, Any, Any], error: Exception) -> Response[Problem]:
    _LOG.error("%s %s failed", request.method, request.url.path, exc_info=error)
    words = phrase("no.surprise")
    return Response(Problem("error", str(words), words), status_code=500, media_type="application/json")


def _is_same_origin(scope: Scope) -> bool:
    """Whether the request comes from our own page, or from no page at all: programs send no origin."""
    headers = dict(scope["headers"])
    origin = headers.get(b"origin")
    if origin is None:
        return True
    return bool(urlsplit(origin).netloc == headers.get(b"host", b""))


def _timed(receive: Receive, seconds: float) -> Receive:
    """Reading a request's body, which must be there in time."""
    loop = asyncio.get_running_loop()
    end: float | None = loop.time() + seconds

    async def timed() -> dict[str, Any]:
        nonlocal end
        try:
            async with asyncio.timeout_at(end):
                message = await receive()
        except TimeoutError:
            raise TooSlow(phrase("no.time", seconds=round(seconds))) from None
        if not message.get("more_body", False):
            end = None  # whoever waits on, waits for the client to leave
        return message

    return timed


def _guarded(send: Send) -> Send:
    async def guarded(message: dict[str, Any]) -> None:
        if message["type"] == "http.response.start":
            more = _HEADERS
            if message["status"] in (NoLength.status, TooSlow.status):
                more = [*more, (b"connection", b"close")]  # its body is still on the way
            message = {**message, "headers": [*message.get("headers", []), *more]}
        await send(message)

    return guarded


async def _turn_away(receive: Receive, send: Send, error: CupboardError) -> None:
    """Refuse a socket before it opens, with the sentence as the body of the answer."""
    await receive()
    body = msgspec.json.encode(problem(error))
    headers = [(b"content-type", b"application/json")]
    await send({"type": "websocket.http.response.start", "status": status_of(error), "headers": headers})
    await send({"type": "websocket.http.response.body", "body": body})
