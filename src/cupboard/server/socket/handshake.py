"""uvicorn's WebSocket handshake, after which the application takes the connection over.

To do so it sends, after `websocket.accept`, the message `{"type": HAND_OVER, "connection": connection}`, and returns.
What uvicorn keeps for a connection (headers, scope, a task, queues) is freed, and only the SocketConnection stays.
Decision 10 has the numbers.
"""

from __future__ import annotations

from typing import Any

from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request

HAND_OVER = "cupboard.hand_over"


class Handshake(WebSocketsSansIOProtocol):
    """The handshake of a WebSocket; frames are read by the `SocketConnection` that takes over."""

    handed_over = False

    def handle_connect(self, event: Request) -> None:
        """Begin the handshake, and read nothing more until a SocketConnection counts what comes."""
        self.transport.pause_reading()
        super().handle_connect(event)

    async def send(self, message: Any) -> None:
        """Handle ASGI's messages and our HAND_OVER."""
        if message["type"] != HAND_OVER:
            await super().send(message)
            return
        if self.disconnected or self.transport.is_closing():
            raise ClientDisconnected
        self.handed_over = True
        self.connections.discard(self)
        self.transport.set_protocol(message["connection"])
        message["connection"].open(self.transport, self.connections)

    async def run_asgi(self) -> None:
        """Run the application. Its end is the connection's end, unless the connection was handed over."""
        try:
            await self.app(self.scope, self.receive, self.send)
        except ClientDisconnected:
            return
        except Exception:
            self.logger.exception("Exception in ASGI application")
            self.send_500_response()
        if not self.handed_over:
            self.transport.close()
