"""Every answer is told to the watcher: how long it took, and when it is a refusal, why."""

from __future__ import annotations

from time import perf_counter
from typing import Any

import msgspec

from cupboard.core.words import Words
from cupboard.server.errors import UnknownHost
from cupboard.server.http.asgi import REFUSAL, Scope, Send
from cupboard.server.http.hosts import name_of
from cupboard.server.watching.watcher import Watcher, name_of_limit
from cupboard.server.wire.problems import Problem

_OTHER = "other"
"""The route of requests that no handler takes, whatever their path: it may be anything, and hold a token."""
_PROBLEM = msgspec.json.Decoder(Problem)


def watched(send: Send, scope: Scope, watcher: Watcher, address: str) -> Send:
    """`send` for a request, or for a socket that may be refused, that tells the watcher what was answered."""
    began = perf_counter()
    status = 0

    async def send_watched(message: dict[str, Any]) -> None:
        nonlocal status
        await send(message)
        if message["type"].endswith("http.response.start"):
            status = message["status"]
            method, route = _what(scope)
            watcher.answered(method, route, status, perf_counter() - began)
        elif status >= 400 and message["type"].endswith("http.response.body"):
            code, limit = _why(scope, message.get("body", b""))
            host = _host(scope) if status == UnknownHost.status else ""
            watcher.refused(*_what(scope), status, code, limit, address, host)
            status = 0

    return send_watched


def _what(scope: Scope) -> tuple[str, str]:
    method = "GET" if scope["type"] == "websocket" else str(scope["method"])
    return method, scope.get("path_template") or _OTHER


def _why(scope: Scope, body: bytes) -> tuple[str, str]:
    """The code of a refusal, and the name of the limit that was used up, if it was one.

    An answer with a page, or to HEAD, does not say them in its body: whoever refuses has noted them in the scope."""
    if (problem := scope.get(REFUSAL)) is None:
        try:
            problem = _PROBLEM.decode(body)
        except msgspec.MsgspecError:
            return "error", ""
    words = problem.words
    return problem.code, name_of_limit(words.key) if isinstance(words, Words) and problem.code == "too-many" else ""


def _host(scope: Scope) -> str:
    return name_of(dict(scope["headers"]).get(b"host", b"").decode("latin-1"))
