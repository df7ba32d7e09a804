"""The two addresses for whoever watches over the server: /healthz says that it lives, /readyz that it can write.

They answer under any name, for load balancers call servers by their addresses; they tell nothing that is not for all.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from time import monotonic

import msgspec

from cupboard.core.errors import CupboardError
from cupboard.core.words import phrase
from cupboard.server.errors import Busy
from cupboard.server.http.asgi import REFUSAL, Scope, Send
from cupboard.server.http.sub_path import path_of
from cupboard.server.store.store import Store
from cupboard.server.watching.notes import Note
from cupboard.server.wire.problems import problem

_LOG = logging.getLogger(__name__)
_ALIVE, _READY = "/healthz", "/readyz"
_SECONDS = 2.0
"""How long the database may take to write; after that it is busy."""
_BELIEVED_FOR = 1.0
"""Seconds for which an answer is given again: however often somebody asks, the database writes once a second."""


class Probes:
    """Answers requests for /healthz and /readyz."""

    def __init__(self, store: Store, clock: Callable[[], float] = monotonic) -> None:
        self._store = store
        self._clock = clock
        self._checking: asyncio.Task[CupboardError | None] | None = None
        self._found: CupboardError | None = None
        self._until = 0.0
        self.is_draining = False
        """Whether the server is ending."""

    def takes(self, scope: Scope) -> bool:
        """Whether a request is for one of the two."""
        return path_of(scope) in (_ALIVE, _READY) and scope["method"] in ("GET", "HEAD")

    async def answer(self, scope: Scope, send: Send) -> None:
        """Answer a request for one of the two."""
        scope["path_template"] = path_of(scope)
        error = await self.trouble() if path_of(scope) == _READY else None
        status = 200 if error is None else 503
        body = b'{"status":"ok"}'
        if error is not None:
            scope[REFUSAL] = problem(error)
            body = msgspec.json.encode(scope[REFUSAL])
        headers = [
            (b"content-type", b"application/json"),
            (b"content-length", str(len(body)).encode()),
            (b"cache-control", b"no-store"),
        ]
        if error is not None:
            headers.append((b"retry-after", b"5"))
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else body})

    async def trouble(self) -> CupboardError | None:
        """Why the server cannot be used; None if it can. What the database says is believed for a second."""
        if self.is_draining:
            return Busy(phrase("no.stopping"))
        if self._checking is None:
            if self._clock() < self._until:
                return self._found
            self._checking = asyncio.create_task(self._check())
            self._checking.add_done_callback(self._checked)
        done, _ = await asyncio.wait({self._checking}, timeout=_SECONDS)
        return next(iter(done)).result() if done else Busy(phrase("no.database"))

    async def _check(self) -> CupboardError | None:
        try:
            await self._store.check_writable()
        except CupboardError as error:
            return error
        except Exception:
            _LOG.exception(Note("check-failed"))
            return Busy(phrase("no.database"))
        return None

    def _checked(self, task: asyncio.Task[CupboardError | None]) -> None:
        self._checking = None
        if not task.cancelled():
            self._found, self._until = task.result(), self._clock() + _BELIEVED_FOR
