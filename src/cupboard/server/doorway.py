"""uvicorn's WebSocket up to the handshake; an application may then take the connection over.

To do so it sends, after `websocket.accept`, the message `{"type": HAND_OVER, "line": line}`, and returns. What uvicorn
keeps for a connection (headers, scope, a task, queues: 12 of 19 kB) goes, and `line` stays.
"""

from __future__ import annotations

from typing import Any

from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

HAND_OVER = "cupboard.hand_over"


class Doorway(WebSocketsSansIOProtocol):
    """Like uvicorn's own until the application takes over."""

    handed_over = False

    async def send(self, message: Any) -> None:
        """ASGI, and HAND_OVER."""
        if message["type"] != HAND_OVER:
            await super().send(message)
            return
        if self.disconnected or self.transport.is_closing():
            raise ClientDisconnected
        self.handed_over = True
        self.connections.discard(self)
        self.transport.set_protocol(message["line"])
        message["line"].open(self.transport, self.connections)

    async def run_asgi(self) -> None:
        """The application's end is the connection's, unless it was handed over."""
        try:
            await self.app(self.scope, self.receive, self.send)
        except ClientDisconnected:
            return
        except Exception:
            self.logger.exception("Exception in ASGI application")
            self.send_500_response()
        if not self.handed_over:
            self.transport.close()
