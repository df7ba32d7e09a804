"""The figures for Prometheus. Made only where they are asked for: without them no meter is counted up.

Every label has few values: names of games, templates of routes, codes. None holds what somebody sends, nor a table.
"""

from __future__ import annotations

import logging
import platform
from collections.abc import Callable
from functools import cache

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    GCCollector,
    Histogram,
    Info,
    PlatformCollector,
    ProcessCollector,
    disable_created_metrics,
)

from cupboard import __version__
from cupboard.server.watching.notes import Note

_QUICK = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
_REQUEST = (0.005, 0.025, 0.1, 0.5, 2.5, 10.0)
_THOUGHT = (0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class Meters(logging.Handler):
    """The figures of one server. As a handler of the log it counts the events that are warnings or worse."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        disable_created_metrics()  # type: ignore[no-untyped-call]  # they would double the number of figures
        self.registry = registry = CollectorRegistry()
        for collector in (ProcessCollector, PlatformCollector, GCCollector):
            collector(registry=registry)
        build = Info("cupboard_build", "The program that runs.", registry=registry)
        build.info({"version": __version__, "python": platform.python_version()})
        self.moves = Counter(
            "cupboard_moves", "Moves written, by people and by bots.", ["game", "by"], registry=registry
        )
        self.move_seconds = Histogram(
            "cupboard_move_seconds",
            "From a person's move received to its acknowledgement.",
            ["game"], registry=registry, buckets=_QUICK,
        )  # fmt: skip
        self.bot_seconds = Histogram(
            "cupboard_bot_seconds", "How long bots think about a move.", ["game"], registry=registry, buckets=_THOUGHT
        )
        self.hints = Counter("cupboard_hints", "Hints given.", ["game"], registry=registry)
        self.sockets = Gauge("cupboard_sockets_open", "Open sockets of tables.", registry=registry)
        self.database_seconds = Histogram(
            "cupboard_database_seconds", "Work in the database.", ["work"], registry=registry, buckets=_QUICK
        )
        self.database_failures = Counter(
            "cupboard_database_failures", "Work that the database refused.", ["work", "code"], registry=registry
        )
        self.requests = Counter(
            "cupboard_requests", "Requests answered.", ["method", "route", "status"], registry=registry
        )
        self.request_seconds = Histogram(
            "cupboard_request_seconds", "From a request to its answer.", ["route"], registry=registry, buckets=_REQUEST
        )
        self.refusals = Counter(
            "cupboard_refusals", "Requests, sockets and messages refused.", ["code"], registry=registry
        )
        self.limited = Counter(
            "cupboard_limited", "Refusals because a limit was used up, by its name.", ["limit"], registry=registry
        )
        self.events = Counter(
            "cupboard_events", "Warnings and errors in the log, repeated ones too.", ["event", "level"],
            registry=registry,
        )  # fmt: skip

        # Looking a label up takes as long as counting: what every move needs is looked up once.
        self.of_moves = cache(lambda game: (self.moves.labels(game, "person"), self.move_seconds.labels(game)))
        """The counter and the times of people's moves in a game."""
        self.of_work = cache(self.database_seconds.labels)
        """The times of a kind of work in the database."""

    def emit(self, record: logging.LogRecord) -> None:
        """Count an event; what libraries log has one name together."""
        name = record.msg.name if isinstance(record.msg, Note) else "other"
        self.events.labels(name, record.levelname.lower()).inc()

    def gauge(self, name: str, help: str, read: Callable[[], float]) -> None:
        """Add a figure that is read when somebody asks for it, in another thread."""
        Gauge(name, help, registry=self.registry).set_function(read)
