"""The messages and what is made from them."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import msgspec
import pytest

from cupboard.server import errors
from cupboard.server.app import make_app
from cupboard.server.settings import ServerSettings
from cupboard.server.wire.client_messages import ClientMessage, Hello, Why
from cupboard.server.wire.people import Login, Rename
from cupboard.server.wire.server_messages import Pong
from cupboard.server.wire.tables import Clock, NewTable, SeatPlan, TakeSeat
from cupboard.server.wire.typescript import typescript

ROOT = Path(__file__).parents[3]


def test_the_pages_types_are_those_of_the_structs() -> None:
    written = (ROOT / "web/src/wire.gen.ts").read_text(encoding="utf-8")
    assert written == typescript(), "run: python -m cupboard.server.wire.typescript web/src/wire.gen.ts"


def test_every_code_is_on_the_page() -> None:
    page = (ROOT / "docs/wire.md").read_text(encoding="utf-8")
    codes = {thing.code for thing in vars(errors).values() if isinstance(thing, type) and hasattr(thing, "code")}
    assert {code for code in codes - {"error"} if f"`{code}`" not in page} == set()


def test_every_message_of_the_page_is_understood() -> None:
    page = (ROOT / "docs/wire.md").read_text(encoding="utf-8")
    said = re.findall(r"^→ (\{.*\})$", page, re.MULTILINE)
    assert len(said) >= 3
    for text in said:
        msgspec.json.decode(text, type=ClientMessage)


def test_the_schema_says_that_words_are_a_row(tmp_path: Path) -> None:
    app = make_app(ServerSettings(data=tmp_path))
    try:
        schemas = app._litestar.openapi_schema.to_schema()["components"]["schemas"]
    finally:
        asyncio.run(app.services.close())
    text = schemas["Control"]["properties"]["text"]
    assert (text["type"], text["title"], text["prefixItems"][0]) == ("array", "Words", {"type": "string"})
    assert {"type": "null"} in schemas["PlayerPanel"]["properties"]["note"]["oneOf"]
    assert "Words" not in schemas


@pytest.mark.parametrize(
    "text",
    [
        '{"type": "move", "text": "", "version": 1}',
        '{"type": "move", "text": "5-6"}',
        '{"type": "move", "text": "5-6", "version": 1, "seat": 6}',
        '{"type": "chat", "text": "' + "x" * 501 + '"}',
        '{"type": "offer", "what": "money"}',
        '{"type": "phrase", "phrase": "insult"}',
        '{"type": "hello", "tokens": ["' + 7 * '12345678", "' + '12345678"]}',
        '{"type": "hello", "tokens": ["a b c d e f"]}',
        '{"type": "dance"}',
        '{"text": "5-6"}',
        "[]",
    ],
)
def test_what_is_no_message_is_refused(text: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(text, type=ClientMessage)


def decoded(text: str, kind: object) -> bool:
    """Whether it is understood."""
    try:
        msgspec.json.decode(text, type=kind)
    except msgspec.ValidationError:
        return False
    return True


def tokens(count: int) -> str:
    return ", ".join(['"abcdefgh"'] * count)


def seats(count: int) -> str:
    return ", ".join(['{"kind": "me"}'] * count)


@pytest.mark.parametrize(
    ("kind", "text", "fitting", "wrong"),
    [
        (ClientMessage, '{"type": "chat", "text": "%s"}', ["x", "x" * 500], ["", "x" * 501]),
        (ClientMessage, '{"type": "move", "version": 0, "text": "%s"}', ["x", "x" * 200], ["", "x" * 201]),
        (ClientMessage, '{"type": "move", "text": "5", "version": %s}', ["-1", "1000000"], ["-2", "1000001"]),
        (ClientMessage, '{"type": "resign", "seat": %s}', ["0", "5", "null"], ["-1", "6"]),
        (ClientMessage, '{"type": "ping", "id": %s}', ["0", str(2**53 - 1)], ["-1", str(2**53)]),
        (Why, '{"type": "why", "spots": ["%s"]}', ["", "x" * 20], ["x" * 21]),
        (Why, '{"type": "why", "spots": [%s]}', [tokens(1), tokens(40)], [tokens(0), tokens(41)]),
        (Hello, '{"type": "hello", "tokens": ["%s"]}', ["a" * 8, "A-_9" * 16], ["a" * 7, "a" * 65, "ä" * 9]),
        (Hello, '{"type": "hello", "tokens": [%s]}', [tokens(0), tokens(6)], [tokens(7)]),
        (Clock, '{"start": %s}', ["0", "86400"], ["-1", "86401"]),
        (Clock, '{"gain": %s}', ["0", "3600"], ["-1", "3601"]),
        (Clock, '{"days": %s}', ["0", "30"], ["-1", "31"]),
        (SeatPlan, '{"kind": "me", "name": "%s"}', ["", "x" * 40], ["x" * 41]),
        (SeatPlan, '{"kind": "bot", "level": "%s"}', ["", "x" * 40], ["x" * 41]),
        (NewTable, '{"game": "%s", "seats": [{"kind": "me"}]}', ["x" * 40], ["x" * 41]),
        (NewTable, '{"game": "x", "seats": [%s]}', [seats(1), seats(6)], [seats(0), seats(7)]),
        (NewTable, '{"game": "x", "seats": [{"kind": "me"}], "options": {"%s": 1}}', ["x" * 40], ["x" * 41]),
        (TakeSeat, '{"name": "%s"}', ["", "x" * 40], ["x" * 41]),
        (Rename, '{"name": "%s"}', ["x", "x" * 40], ["", "x" * 41]),
        (Login, '{"username": "%s", "password": "12345678"}', ["ab", "x" * 30, "a.B_9-"], ["a", "x" * 31, "a b"]),
        (Login, '{"username": "ida", "password": "%s"}', ["12345678", "x" * 200], ["1234567", "x" * 201]),
    ],
)  # fmt: skip
def test_what_is_sent_has_its_limits(kind: object, text: str, fitting: list[str], wrong: list[str]) -> None:
    assert [decoded(text % one, kind) for one in fitting] == [True] * len(fitting)
    assert [decoded(text % one, kind) for one in wrong] == [False] * len(wrong)


def test_unknown_fields_are_forgiven_and_defaults_are_left_out() -> None:
    """A newer client may say more than an older server knows."""
    assert decoded('{"type": "ping", "mood": "good"}', ClientMessage)
    assert msgspec.json.encode(Pong()) == b'{"type":"pong"}'


STATUS = {
    "bad-message": 400, "bad-clock": 400, "not-your-seat": 403, "bad-invite": 403, "bad-origin": 403, "bad-login": 403,
    "not-found": 404, "unknown-table": 404, "unknown-seat": 404, "seat-taken": 409, "stale": 409, "not-started": 409,
    "not-over": 409, "no-offer": 409, "no-takeback": 409, "no-draw": 409, "name-taken": 409, "too-large": 413,
    "too-many": 429, "newer-database": 500, "busy": 503, "no-room": 507,
}  # fmt: skip


def test_refusals_keep_their_http_status() -> None:
    known = {
        thing.code: thing.status
        for thing in vars(errors).values()
        if isinstance(thing, type) and issubclass(thing, errors.TableError) and thing is not errors.TableError
    }
    assert {code: known.get(code) for code in STATUS} == STATUS
