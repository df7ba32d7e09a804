"""Visitors who leave while their request is being read: nothing has failed, and nothing is logged."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from cupboard.server.app import make_app
from cupboard.server.settings import ServerSettings


def test_whoever_leaves_in_the_middle_of_a_request_is_no_failure(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    app = make_app(ServerSettings(data=tmp_path, warm=False))
    frames = iter([{"type": "http.request", "body": b'{"game"', "more_body": True}, {"type": "http.disconnect"}])
    sent: list[dict[str, Any]] = []

    async def receive() -> Any:
        return next(frames)

    async def send(message: Any) -> None:
        sent.append(message)

    headers = [(b"host", b"localhost"), (b"content-type", b"application/json"), (b"content-length", b"900")]
    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "POST", "scheme": "http",
        "path": "/api/tables", "raw_path": b"/api/tables", "query_string": b"", "root_path": "", "headers": headers,
        "client": ("127.0.0.1", 5), "server": ("127.0.0.1", 8000), "state": {},
    }  # fmt: skip

    asyncio.run(app(scope, receive, send))
    asyncio.run(app.services.close())
    assert [message["status"] for message in sent if "status" in message] == [499]
    assert not caplog.messages
