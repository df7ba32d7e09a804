"""The log's lines: one for each kind of event and then a sum, nothing private, and no line that a stranger wrote."""

from __future__ import annotations

import io
import json
import logging
import sqlite3
import sys
from contextlib import redirect_stderr
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cupboard.server.http.log_once import LogOnce
from cupboard.server.settings import LogSettings
from cupboard.server.watching.formats import JsonFormatter, PlainFormatter
from cupboard.server.watching.log import LogHandler, logging_to_stderr
from cupboard.server.watching.notes import Note
from cupboard.server.watching.private import scrubbed, traceback_of
from cupboard.server.watching.repeats import _MOST_KINDS, Repeats

TOKEN = "0123456789abcdef" * 2
COOKIE = "Zz-abcdefghijklmnopqrstuvwxyz_AB"


FORGERIES = ["a\nWARNING forged", "a\r\x1b[2Jgone", "\u2028x\u202egnp", '" level=x', "\ud800", "\x9b1m"]


def record(message: object, *args: object, error: BaseException | None = None) -> logging.LogRecord:
    exc: Any = (type(error), error, error.__traceback__) if error is not None else None
    made = logging.LogRecord("cupboard.here", logging.WARNING, __file__, 1, message, args, exc)
    made.created = 1_000_000_000.0
    return made


def raised(error: Exception) -> Exception:
    try:
        raise error
    except Exception as caught:
        return caught


def test_a_line_for_people_and_an_object_for_programs() -> None:
    note = Note("refused", route="/api/tables/{table}", status=429, seconds=0.123456, why="too many at once")
    assert PlainFormatter().format(record(note)) == (
        "2001-09-09T01:46:40.000Z WARNING refused route=/api/tables/{table} status=429 seconds=0.1235 "
        'why="too many at once"'
    )
    assert json.loads(JsonFormatter().format(record(note))) == {
        "ts": "2001-09-09T01:46:40.000Z",
        "level": "warning",
        "logger": "cupboard.here",
        "event": "refused",
        "fields": {
            "route": "/api/tables/{table}",
            "status": 429,
            "seconds": 0.1235,
            "why": "too many at once",
        },
    }


def test_what_libraries_log_is_told_too() -> None:
    said = record("Invalid %s received.", "request")
    assert PlainFormatter().format(said).endswith("WARNING Invalid request received.")
    assert json.loads(JsonFormatter().format(said))["event"] == "Invalid request received."
    wrong = record("%d %d", "one")
    assert json.loads(JsonFormatter().format(wrong))["event"] == "%d %d"
    told = record("Task exception was never retrieved\nfuture: <Task exception=ValueError('Anna')>")
    assert "Anna" not in PlainFormatter().format(told) + JsonFormatter().format(told)


def test_a_traceback_stands_behind_bars_or_in_a_key() -> None:
    failed = record(Note("bot-failed", game="cup-king"), error=raised(ZeroDivisionError("division by zero")))
    first, *others = PlainFormatter().format(failed).splitlines()
    assert first.endswith("bot-failed game=cup-king")
    assert (
        all(line.startswith("    | ") for line in others) and others[-1] == "    | ZeroDivisionError: division by zero"
    )
    told = json.loads(JsonFormatter().format(failed))
    assert told["exc"].endswith("ZeroDivisionError: division by zero") and "in raised" in told["exc"]


@pytest.mark.parametrize("formatter", [PlainFormatter(), JsonFormatter()])
@pytest.mark.parametrize(
    "text", ["a\nWARNING forged", "a\r\x1b[2Jgone", "\u2028x\u202egnp", '" level=x', "\ud800", "\x9b1m"]
)
def test_nobody_writes_lines_of_their_own(formatter: logging.Formatter, text: str) -> None:
    error = raised(RuntimeError(text))
    for said in (record(Note("refused", host=text)), record("host %s", text), record(Note("a"), error=error)):
        lines = formatter.format(said).split("\n")
        assert all(line.isprintable() for line in lines)
        assert all(line.startswith("    | ") for line in lines[1:])
    assert "host=a" not in formatter.format(record(Note("refused", host=text)))


@given(st.text(max_size=400), st.dictionaries(st.from_regex("[a-z]{1,8}", fullmatch=True), st.text(), max_size=4))
def test_any_text_is_one_printable_line(text: str, fields: dict[str, str]) -> None:
    for formatter in (PlainFormatter(), JsonFormatter()):
        for said in (record(Note("event", **fields)), record("%s", text)):
            line = formatter.format(said)
            assert line.isprintable() and len(line) < 6 * (600 + 400 * len(fields)), line
    json.loads(JsonFormatter().format(record(Note("event", **fields))))


@pytest.mark.parametrize("secret", [TOKEN, COOKIE, TOKEN.upper()])
def test_tokens_are_taken_out_wherever_they_stand(secret: str) -> None:
    text = f"GET /t/abc?invite={secret}&x"
    assert scrubbed(text) == "GET /t/abc?invite=…&x"
    error = raised(RuntimeError(text))
    for said in (record(Note("a", why=text)), record(text), record("%s", text), record(Note("a"), error=error)):
        assert secret not in PlainFormatter().format(said) + JsonFormatter().format(said)


def test_names_of_things_are_no_tokens() -> None:
    for text in ("cupboard.server.table.simulated_moves", "a_very_long_name_of_a_function", "/api/tables/{table}"):
        assert scrubbed(text) == text


def test_errors_that_may_quote_people_tell_only_their_kind() -> None:
    typed = "Anna, hunter2"
    try:
        try:
            raise ValueError(typed)
        except ValueError as error:
            raise sqlite3.OperationalError("disk I/O error") from error
    except sqlite3.OperationalError as error:
        told = traceback_of(error)
    assert "Anna" not in told and "hunter2" not in told
    assert "ValueError\n" in told and told.endswith("OperationalError: disk I/O error")


def test_an_error_behind_itself_and_a_deep_one_end() -> None:
    one, two = RuntimeError("one"), RuntimeError("two")
    one.__cause__, two.__cause__ = two, one
    assert traceback_of(one) == "RuntimeError: two\nRuntimeError: one"

    def deep() -> None:
        deep()

    with pytest.raises(RecursionError) as caught:
        deep()
    assert len(traceback_of(caught.value)) < 10_000


# Once and not a thousand times.


def test_an_event_is_written_once_then_counted_then_forgotten() -> None:
    now = [0.0]
    repeats = Repeats(60.0, lambda: now[0])

    def refused(limit: str, address: str) -> bool:
        return repeats.take(record(Note("refused", code="too-many", limit=limit, address=address)))

    assert refused("tables", "10.0.0.1") and refused("guests", "10.0.0.1"), "each kind is written"
    assert not any(refused("tables", f"10.0.0.{n}") for n in range(1234)), "from whatever address it comes"
    now[0] = 59.0
    assert not list(repeats.summaries())
    now[0] = 60.0
    (summary,) = repeats.summaries()
    assert str(summary.msg) == "refused code=too-many limit=tables more=1234 within=60"
    assert summary.levelno == logging.WARNING and summary.name == "cupboard.here"
    assert not refused("tables", "x"), "it goes on, and is summed up again"
    now[0] = 120.0
    assert [record.msg.fields["more"] for record in repeats.summaries()] == [1]  # type: ignore[union-attr]
    now[0] = 180.0
    assert not list(repeats.summaries()) and refused("tables", "x"), "a minute without it, and it is news again"


@pytest.mark.parametrize("name", ["admin-link-renewed", "admin-", "a-name-that-nobody-has-heard-of"])
def test_an_event_of_any_name_is_folded(name: str) -> None:
    repeats = Repeats(60.0)
    assert [repeats.take(record(Note(name, person=f"p{n}"))) for n in range(4)] == [True, False, False, False]
    (summary,) = repeats.summaries(everything=True)
    assert str(summary.msg) == f"{name} more=3 within=0"


def test_what_is_logged_once_is_written_and_not_only_counted() -> None:
    """It is not said again: the second name that does not work has its own remedy."""
    with redirect_stderr(io.StringIO()) as written, logging_to_stderr(LogSettings()):
        once = LogOnce(logging.getLogger("cupboard.test"))
        for host in ("a", "b", "a"):
            once.warning("A request for %s was refused.", host)
    lines = [line.partition("WARNING ")[2] for line in written.getvalue().splitlines()]
    assert lines == ["A request for a was refused.", "A request for b was refused."]


def test_however_many_kinds_there_are_memory_and_log_stay_small() -> None:
    repeats = Repeats(60.0)
    written = sum(repeats.take(record(f"library says {n}")) for n in range(20_000))
    written += sum(repeats.take(record(Note("refused", route=f"/{n}"))) for n in range(20_000))
    assert written <= _MOST_KINDS + 1
    assert len(repeats._kinds) <= _MOST_KINDS + 1
    assert sum(1 for _ in repeats.summaries(everything=True)) == 1


def test_the_rest_is_summed_up_at_the_end_and_logging_is_as_before() -> None:
    before = logging.getLogger().handlers[:], logging.getLogger().level
    log = logging.getLogger("cupboard.test")
    with redirect_stderr(io.StringIO()) as written, logging_to_stderr(LogSettings()), logging_to_stderr(LogSettings()):
        log.info(Note("hello"))
        for _ in range(3):
            log.warning(Note("again"))
        logging.getLogger("some.library").info("chatter")
    first, second, third = written.getvalue().splitlines()
    assert first.endswith("INFO hello") and second.endswith("WARNING again")
    assert third.split(" ", 1)[1] == "WARNING again more=2 within=0"
    assert (logging.getLogger().handlers, logging.getLogger().level) == before


def test_a_terminal_hears_of_trouble_only() -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    with redirect_stderr(Terminal()) as written, logging_to_stderr(LogSettings()):
        logging.getLogger("cupboard.test").info(Note("server-started"))
        logging.getLogger("cupboard.test").warning(Note("trouble"))
    (line,) = written.getvalue().splitlines()
    assert line.endswith("WARNING trouble")


def test_a_log_that_cannot_be_written_stops_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    class Full(io.StringIO):
        def write(self, _: str) -> int:
            raise OSError(28, "No space left on device")

    for stream in (Full(), None):
        monkeypatch.setattr(sys, "stderr", stream)
        handler = LogHandler(LogSettings())
        handler.handle(record(Note("trouble")))
        handler.close()
