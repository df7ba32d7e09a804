"""The two forms of a line of the log: for people, and as JSON for programs."""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime

from cupboard.server.watching.notes import Field, Note, escaped
from cupboard.server.watching.private import scrubbed, traceback_of

_LONGEST = 500


class PlainFormatter(logging.Formatter):
    """One line for each event: time, level, event, key=value; the lines of a traceback follow, each behind a bar."""

    def format(self, record: logging.LogRecord) -> str:
        """The line for a record."""
        line = f"{_time(record)} {record.levelname} {_line(record)}"
        for more in _traceback(record).splitlines():
            line += f"\n    | {escaped(more)}"
        return line


class JsonFormatter(logging.Formatter):
    """One JSON object for each event, with the keys ts, level, logger, event, fields and, of an exception, exc."""

    def format(self, record: logging.LogRecord) -> str:
        """The object for a record, in ASCII and on one line."""
        event, fields = parts_of(record)
        told = {
            "ts": _time(record),
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": event,
            "fields": fields,
        }
        if exc := _traceback(record):
            told["exc"] = exc
        return json.dumps(told)


def parts_of(record: logging.LogRecord) -> tuple[str, dict[str, Field]]:
    """The name and the fields of an event; of what a library logs only the first line, which is the name then."""
    if isinstance(record.msg, Note):
        return record.msg.name, record.msg.fields
    try:
        text = record.getMessage()
    except Exception:  # the arguments do not fit, as logging itself would complain
        text = str(record.msg)
    # asyncio, for one, puts the text of an exception into the lines after the first.
    return scrubbed(text.partition("\n")[0][:_LONGEST]), {}


def _line(record: logging.LogRecord) -> str:
    if isinstance(record.msg, Note):
        return str(record.msg)
    return escaped(parts_of(record)[0])


def _time(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _traceback(record: logging.LogRecord) -> str:
    error = record.exc_info[1] if record.exc_info else None
    return traceback_of(error) if error is not None else ""
