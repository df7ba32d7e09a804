"""The watcher is told what happens in the server; it counts for Prometheus, and logs what somebody should know."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from cupboard.core.errors import CupboardError
from cupboard.server.errors import Busy, DamagedDatabase, NoRoom, TooMany
from cupboard.server.settings import LogSettings
from cupboard.server.watching.notes import Note

if TYPE_CHECKING:
    from cupboard.server.watching.meters import Meters

_LOG = logging.getLogger(__name__)
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


class Watcher:
    """Logs and counts. Without meters nothing is counted, which costs next to nothing."""

    def __init__(self, settings: LogSettings, meters: Meters | None = None) -> None:
        self._slow_move = settings.slow_move
        self._slow_database = settings.slow_database
        self.meters = meters

    # At the tables.

    def moved(self, game: str, table: str, seconds: float) -> None:
        """A person's move was acknowledged so many seconds after it was received."""
        if self.meters is not None:
            moves, times = self.meters.of_moves(game)
            moves.inc()
            times.observe(seconds)
        if seconds > self._slow_move:
            _LOG.warning(Note("slow-move", game=game, table=table, seconds=seconds))

    def bot_moved(self, game: str) -> None:
        """A bot's move was written."""
        if self.meters is not None:
            self.meters.moves.labels(game, "bot").inc()

    def bot_thought(self, game: str, seconds: float) -> None:
        """A bot has thought about a move; told in the thread of the bot."""
        if self.meters is not None:
            self.meters.bot_seconds.labels(game).observe(seconds)

    def hinted(self, game: str) -> None:
        """A hint was given."""
        if self.meters is not None:
            self.meters.hints.labels(game).inc()

    # Sockets.

    def socket_opened(self) -> None:
        """A table's socket was opened."""
        if self.meters is not None:
            self.meters.sockets.inc()

    def socket_closed(self) -> None:
        """A table's socket was closed."""
        if self.meters is not None:
            self.meters.sockets.dec()

    def message_refused(self, error: CupboardError | None, address: str) -> None:
        """A message was refused, with an error or because the server has failed."""
        code = "error" if error is None else error.code
        limit = limit_of(error) if isinstance(error, TooMany) else ""
        self._count_refusal(code, limit)
        if limit:
            _LOG.warning(Note("message-refused", code=code, limit=limit, address=address))

    # Requests, and sockets before they are open.

    def answered(self, method: str, route: str, status: int, seconds: float) -> None:
        """A request was answered after so many seconds; a socket that was refused counts as a request."""
        if self.meters is not None:
            known = method if method in _METHODS else "other"
            self.meters.requests.labels(known, route, status).inc()
            self.meters.request_seconds.labels(route).observe(seconds)

    def refused(
        self, method: str, route: str, status: int, code: str, limit: str, address: str, host: str = ""
    ) -> None:
        """A request or a socket was refused. `limit` is the limit that was used up, `host` a name that is not ours."""
        self._count_refusal(code, limit)
        if status in (403, 421, 429) or status >= 500:
            more = {"limit": limit} if limit else {"host": host} if host else {}
            event = Note("refused", method=method, route=route, status=status, code=code, **more, address=address)
            _LOG.log(logging.INFO if code == "getting-ready" else logging.WARNING, event)

    def connection_refused(self, address: str) -> None:
        """A connection was refused because its address has too many."""
        self._count_refusal(TooMany.code, "connections")
        _LOG.warning(Note("connection-refused", code=TooMany.code, limit="connections", address=address))

    def _count_refusal(self, code: str, limit: str) -> None:
        if self.meters is not None:
            self.meters.refusals.labels(code).inc()
            if limit:
                self.meters.limited.labels(limit).inc()

    # The database.

    def stored(self, work: str, seconds: float, error: Exception | None = None) -> None:
        """The database has read, written or appended, or refused to."""
        if self.meters is not None:
            self.meters.of_work(work).observe(seconds)
        if isinstance(error, NoRoom | Busy | DamagedDatabase):
            if self.meters is not None:
                self.meters.database_failures.labels(work, error.code).inc()
            _LOG.error(Note("database-failed", work=work, code=error.code, seconds=seconds))
        elif seconds > self._slow_database:
            _LOG.warning(Note("database-slow", work=work, seconds=seconds))


def limit_of(error: CupboardError) -> str:
    """The name of the limit that was used up: the key of the sentence about it, of which there are few."""
    return "" if error.words is None else name_of_limit(error.words.key)


def name_of_limit(key: str) -> str:
    """`tables` for the sentence `many.tables`."""
    return key.rpartition(".")[2]
