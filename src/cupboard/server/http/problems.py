"""Refusals over HTTP: every error becomes a status and a Problem, a sentence with a stable code."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import msgspec
from litestar import Request, Response
from litestar.exceptions import HTTPException

from cupboard.core.errors import CupboardError
from cupboard.core.words import phrase
from cupboard.server.errors import BadMessage, Gone, NotFound, TooLarge, TooMany, TryLater, UnknownHost, status_of
from cupboard.server.http import misdirected
from cupboard.server.http.asgi import REFUSAL, Receive, Scope, Send
from cupboard.server.http.visitor import address_of
from cupboard.server.watching.notes import Note
from cupboard.server.wire.problems import Problem, problem

MAX_BODY = 65_536
"""The most bytes that a request's body may have."""
_LOG = logging.getLogger(__name__)


async def refuse(send: Send, error: CupboardError, scope: Scope) -> None:
    """Answer a request that is not passed on to Litestar."""
    said = scope[REFUSAL] = problem(error)
    if isinstance(error, UnknownHost) and misdirected.wants_page(scope):
        body = misdirected.page(scope)
        headers = [(b"content-type", b"text/html; charset=utf-8"), (b"content-security-policy", misdirected.POLICY)]
    else:
        body = msgspec.json.encode(said)
        headers = _raw_headers(error)
    headers = [*headers, (b"content-length", str(len(body)).encode()), (b"vary", b"accept, accept-language")]
    await send({"type": "http.response.start", "status": status_of(error), "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def refuse_socket(receive: Receive, send: Send, error: CupboardError) -> None:
    """Refuse a socket before it opens, with the sentence as the body of the answer."""
    await receive()
    body = msgspec.json.encode(problem(error))
    start = {"type": "websocket.http.response.start", "status": status_of(error), "headers": _raw_headers(error)}
    await send(start)
    await send({"type": "websocket.http.response.body", "body": body})


def _raw_headers(error: CupboardError) -> list[tuple[bytes, bytes]]:
    later = [(key.encode(), value.encode()) for key, value in _later(error).items()]
    return [(b"content-type", b"application/json"), *later]


def _later(error: CupboardError) -> dict[str, str]:
    """The header that says when to come again, if that helps."""
    return {"retry-after": str(error.seconds)} if isinstance(error, TryLater) else {}


# Litestar's exception handlers.


def _on_cupboard_error(request: Request[Any, Any, Any], error: CupboardError) -> Response[Problem]:
    if isinstance(error, BadMessage | NotFound):
        error = _too_many_faults(request) or error
    return _answer(request, error)


def _answer(request: Request[Any, Any, Any], error: CupboardError) -> Response[Problem]:
    return _response(request, problem(error), status_of(error), _later(error))


def _response(
    request: Request[Any, Any, Any], said: Problem, status: int, headers: dict[str, str] | None = None
) -> Response[Problem]:
    scope: Any = request.scope
    scope[REFUSAL] = said
    return Response(said, status_code=status, media_type="application/json", headers=headers)


def _too_many_faults(request: Request[Any, Any, Any]) -> TooMany | None:
    """Count a request that made no sense; the error when too many such come from one address."""
    try:
        request.app.state.services.limits.spend("faults", address_of(request.scope))
    except TooMany as error:
        return error
    return None


_LEFT = "client disconnected prematurely"
"""What Litestar raises when somebody leaves while their request is still being read; nothing has failed then."""


def _on_http_error(request: Request[Any, Any, Any], error: HTTPException) -> Response[Problem]:
    status = error.status_code
    if error.detail == _LEFT:
        return _answer(request, Gone(phrase("no.asker")))
    if status >= 500:
        return _on_surprise(request, error)
    if (too_many := _too_many_faults(request)) is not None:
        return _answer(request, too_many)
    code = {404: NotFound.code, 413: TooLarge.code}.get(status, BadMessage.code)
    extra = error.extra if isinstance(error.extra, list) else []
    reasons = "; ".join(f"{item.get('key', '')}: {item.get('message', '')}" for item in extra if isinstance(item, dict))
    words = {
        404: phrase("no.address"),
        405: phrase("no.method"),
        413: phrase("no.bytes", count=MAX_BODY),
    }.get(status, phrase("no.request", why=error.detail))
    return _response(
        request,
        Problem(code, f"{words}{' ' + reasons if reasons else ''}"[:500], words),
        status,
        {key: value for key, value in (error.headers or {}).items() if key.lower() == "allow"},
    )


def _on_nesting(request: Request[Any, Any, Any], _: RecursionError) -> Response[Problem]:
    """Refuse a body that is nested too deeply to be read."""
    return _on_cupboard_error(request, BadMessage(phrase("no.nesting")))


def _on_bad_text(request: Request[Any, Any, Any], error: UnicodeDecodeError) -> Response[Problem]:
    return _on_cupboard_error(request, BadMessage(phrase("no.request", why=str(error))))


def _on_surprise(request: Request[Any, Any, Any], error: Exception) -> Response[Problem]:
    route = request.scope.get("path_template", "")
    _LOG.error(Note("request-failed", method=request.method, route=route), exc_info=error)
    words = phrase("no.surprise")
    return _response(request, Problem("error", str(words), words), 500)


EXCEPTION_HANDLERS: dict[int | type[Exception], Callable[[Request[Any, Any, Any], Any], Response[Any]]] = {
    CupboardError: _on_cupboard_error,
    HTTPException: _on_http_error,
    RecursionError: _on_nesting,
    UnicodeDecodeError: _on_bad_text,
    Exception: _on_surprise,
}
