"""Once and not a thousand times: an event is written when it first happens, then counted and summed up."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from time import monotonic

from cupboard.server.watching.notes import Note

_MOST_KINDS = 500
"""So many kinds of events are told apart; whatever else happens within the time is counted as one kind more."""
_TELLS_APART = ("code", "limit", "route", "status", "work", "game", "kind", "process")
"""The fields in which events of one name differ enough to be written each. None can take any value somebody sends."""

ONCE = "once"
"""The mark of a record that nobody would see again if it were only counted: it is always written."""

Kind = tuple[object, ...]


class Repeats:
    """Decides of each event whether it is written, and has a summary for those that were not."""

    def __init__(self, seconds: float, clock: Callable[[], float] = monotonic) -> None:
        self._seconds = seconds
        self._clock = clock
        self._kinds: dict[Kind, _Count] = {}

    def take(self, record: logging.LogRecord) -> bool:
        """Whether this record is to be written now; if not, it is counted. What somebody did as administrator is."""
        if getattr(record, ONCE, False) or (isinstance(record.msg, Note) and "by" in record.msg.fields):
            return True
        kind = _kind_of(record)
        if kind not in self._kinds and len(self._kinds) >= _MOST_KINDS:
            kind = _OTHERS
            record = logging.LogRecord(
                __name__, logging.WARNING, __file__, 0, Note("too-many-kinds-of-events"), None, None
            )
        if (count := self._kinds.get(kind)) is not None:
            count.more += 1
            return False
        self._kinds[kind] = _Count(record, self._clock())
        return True

    def summaries(self, everything: bool = False) -> Iterator[logging.LogRecord]:
        """The records that say how often what was counted has happened, for every kind whose time is up.

        A kind that did not happen again is forgotten, and written at once when it does."""
        now = self._clock()
        for kind, count in list(self._kinds.items()):
            if not everything and now - count.since < self._seconds:
                continue
            if count.more:
                yield _summary(count.first, count.more, now - count.since)
                count.more, count.since = 0, now
            else:
                del self._kinds[kind]


class _Count:
    __slots__ = ("first", "more", "since")

    def __init__(self, first: logging.LogRecord, since: float) -> None:
        self.first = first
        self.since = since
        self.more = 0


_OTHERS: Kind = ("others",)


def _kind_of(record: logging.LogRecord) -> Kind:
    error = record.exc_info[0] if record.exc_info else None
    if isinstance(record.msg, Note):
        fields = record.msg.fields
        return record.name, record.msg.name, *(fields.get(key) for key in _TELLS_APART), error
    return record.name, str(record.msg)[:200], error


def _summary(first: logging.LogRecord, more: int, seconds: float) -> logging.LogRecord:
    """A record like the first one, with how many more there were instead of what was special about it."""
    name, fields = first.msg, {}
    if isinstance(first.msg, Note):
        name, fields = first.msg.name, {key: first.msg.fields[key] for key in _TELLS_APART if key in first.msg.fields}
    note = Note(str(name).partition("\n")[0], **fields, more=more, within=round(seconds))
    return logging.LogRecord(first.name, first.levelno, first.pathname, first.lineno, note, None, None)
