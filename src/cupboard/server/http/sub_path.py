"""A server under a path of a site, such as /cupboard of https://games.example/cupboard/ (`--url`).

Some proxies take the path off before they pass a request on, others leave it. Here every request gets it, and the
handlers see what follows: ASGI's `root_path` says where that begins.
"""

from __future__ import annotations

from cupboard.server.http.asgi import Scope, Send


def under(scope: Scope, prefix: str) -> Scope:
    """The scope of a request or socket as one under `prefix`, whether or not its path had that already."""
    if not prefix:
        return scope
    path, raw = scope["path"], scope.get("raw_path") or b""
    if path != prefix and not path.startswith(f"{prefix}/"):
        path, raw = prefix + path, prefix.encode() + raw
    return {**scope, "path": path, "raw_path": raw, "root_path": prefix}


def path_of(scope: Scope) -> str:
    """The path of a request within this server; empty for the prefix without the slash that belongs after it."""
    path: str = scope["path"]
    return path[len(scope.get("root_path", "")) :]


async def lead_home(send: Send, scope: Scope) -> None:
    """Answer a request for /cupboard with a redirect to /cupboard/, with the same query."""
    query: bytes = scope.get("query_string", b"")
    there = scope["root_path"].encode() + b"/" + (b"?" + query if query else b"")
    # Not a permanent one, which browsers would keep even when the server has moved.
    headers = [(b"location", there), (b"content-length", b"0")]
    await send({"type": "http.response.start", "status": 307, "headers": headers})
    await send({"type": "http.response.body", "body": b""})
