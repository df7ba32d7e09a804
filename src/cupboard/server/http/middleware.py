"""What is done for every request before and after its handler: headers are checked, bodies timed, answers guarded."""

from __future__ import annotations

import asyncio
from typing import Any

from cupboard.core.errors import CupboardError
from cupboard.core.words import phrase
from cupboard.server.errors import BadOrigin, NoLength, TooSlow, UnknownHost
from cupboard.server.http.asgi import Receive, Scope, Send
from cupboard.server.http.hosts import Hosts, name_of
from cupboard.server.http.sub_path import path_of

_POLICY = (
    b"default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    b"connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors "
)
_FRAMED = "/embed/"
"""Pages under this address show a board and can do nothing, so that other sites may have them in a frame."""
_SECURITY_HEADERS = [
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
]


def check_request(scope: Scope, hosts: Hosts) -> CupboardError | None:
    """What is wrong with the headers of a request; None when nothing is."""
    if (error := _check_host(scope, hosts)) is not None:
        return error
    if scope["method"] not in ("GET", "HEAD", "OPTIONS") and not _is_same_origin(scope, hosts):
        return _bad_origin("no.foreignRequest", scope)
    if any(name == b"transfer-encoding" for name, _ in scope["headers"]):
        # 64 kB in chunks of one byte take 0.7 s of CPU to read.
        return NoLength(phrase("no.length"))
    return None


def check_socket(scope: Scope, hosts: Hosts) -> CupboardError | None:
    """What is wrong with the headers of a WebSocket's handshake; None when nothing is."""
    if (error := _check_host(scope, hosts)) is not None:
        return error
    return None if _is_same_origin(scope, hosts) else _bad_origin("no.foreignSocket", scope)


def timed(receive: Receive, seconds: float) -> Receive:
    """`receive` for a request whose body must be there within `seconds`; TooSlow when it is not."""
    loop = asyncio.get_running_loop()
    end: float | None = loop.time() + seconds

    async def receive_in_time() -> dict[str, Any]:
        nonlocal end
        try:
            async with asyncio.timeout_at(end):
                message = await receive()
        except TimeoutError:
            raise TooSlow(phrase("no.time", count=round(seconds))) from None
        if not message.get("more_body", False):
            end = None  # whoever waits on, waits for the client to leave
        return message

    return receive_in_time


def guarded(send: Send, scope: Scope) -> Send:
    """`send` that adds the security headers to every answer; a policy of its own takes the usual one's place."""
    ancestors = b"*" if path_of(scope).startswith(_FRAMED) else b"'none'"
    policy = (b"content-security-policy", _POLICY + ancestors)

    async def send_guarded(message: dict[str, Any]) -> None:
        if message["type"] == "http.response.start":
            headers = message.get("headers", [])
            more = _SECURITY_HEADERS if any(name == policy[0] for name, _ in headers) else [policy, *_SECURITY_HEADERS]
            if message["status"] in (NoLength.status, TooSlow.status):
                more = [*more, (b"connection", b"close")]  # its body is still on the way
            message = {**message, "headers": [*headers, *more]}
        await send(message)

    return send_guarded


def _check_host(scope: Scope, hosts: Hosts) -> CupboardError | None:
    host = dict(scope["headers"]).get(b"host")
    if hosts.allows(host):
        return None
    return UnknownHost(phrase("no.host", host=name_of((host or b"").decode("latin-1"))[:100]))


def _bad_origin(key: str, scope: Scope) -> BadOrigin:
    headers = {name: value.decode("latin-1")[:100] for name, value in scope["headers"]}
    return BadOrigin(phrase(key, page=headers.get(b"origin", ""), host=headers.get(b"host", "")))


def _is_same_origin(scope: Scope, hosts: Hosts) -> bool:
    """Whether the request comes from our own page, or from no page at all: programs send no origin."""
    headers = dict(scope["headers"])
    origin = headers.get(b"origin")
    return origin is None or hosts.are_same_origin(origin, headers.get(b"host", b""))
