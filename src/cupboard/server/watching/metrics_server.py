"""The server of the figures, on an address of its own: people who play never come near it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING
from wsgiref.simple_server import WSGIRequestHandler

from cupboard.server.addresses import parse_address
from cupboard.server.errors import Busy

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry

_SECONDS = 10.0
"""How long a client may take to ask."""


@contextmanager
def serving_metrics(address: str, registry: CollectorRegistry) -> Iterator[None]:
    """Serve the figures of a registry within this, in a thread; BadSettings or Busy when that cannot be done."""
    from prometheus_client import start_http_server

    host, port = parse_address(address)
    try:
        server, thread = start_http_server(port, host, registry)
    except OSError as error:
        why = error.strerror or str(error)
        raise Busy(f"The figures cannot be served at {address}: {why}. Name another address with --metrics.") from error
    handler: type[WSGIRequestHandler] = server.RequestHandlerClass  # type: ignore[assignment]
    server.RequestHandlerClass = type("TimedHandler", (handler,), {"timeout": _SECONDS})
    server.handle_error = lambda *_: None  # type: ignore[method-assign]
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
