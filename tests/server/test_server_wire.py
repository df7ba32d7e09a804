"""The messages and what is made from them."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from cupboard.server import errors, wire
from cupboard.server.app import make_app
from cupboard.server.settings import Settings
from cupboard.server.typescript import typescript

ROOT = Path(__file__).parents[2]


def test_the_pages_types_are_those_of_the_structs() -> None:
    written = (ROOT / "web/src/wire.gen.ts").read_text(encoding="utf-8")
    assert written == typescript(), "run: python -m cupboard.server.typescript web/src/wire.gen.ts"


def test_every_code_is_on_the_page() -> None:
    page = (ROOT / "docs/wire.md").read_text(encoding="utf-8")
    codes = {thing.code for thing in vars(errors).values() if isinstance(thing, type) and hasattr(thing, "code")}
    assert {code for code in codes - {"error"} if f"`{code}`" not in page} == set()


def test_every_message_of_the_page_is_understood() -> None:
    page = (ROOT / "docs/wire.md").read_text(encoding="utf-8")
    said = re.findall(r"^→ (\{.*\})$", page, re.MULTILINE)
    assert len(said) >= 3
    for text in said:
        msgspec.json.decode(text, type=wire.ClientMessage)


def test_the_schema_says_that_words_are_a_row(tmp_path: Path) -> None:
    app = make_app(Settings(data=tmp_path))
    try:
        schemas = app._litestar.openapi_schema.to_schema()["components"]["schemas"]
    finally:
        app.desk.close()
    text = schemas["Control"]["properties"]["text"]
    assert (text["type"], text["title"], text["prefixItems"][0]) == ("array", "Words", {"type": "string"})
    assert {"type": "null"} in schemas["Line"]["properties"]["note"]["oneOf"]
    assert "Words" not in schemas


@pytest.mark.parametrize(
    "text",
    [
        '{"type": "move", "text": "", "version": 1}',
        '{"type": "move", "text": "5-6"}',
        '{"type": "move", "text": "5-6", "version": 1, "seat": 6}',
        '{"type": "chat", "text": "' + "x" * 501 + '"}',
        '{"type": "offer", "what": "money"}',
        '{"type": "hello", "tokens": ["' + 7 * '12345678", "' + '12345678"]}',
        '{"type": "hello", "tokens": ["a b c d e f"]}',
        '{"type": "dance"}',
        '{"text": "5-6"}',
        "[]",
    ],
)
def test_what_is_no_message_is_refused(text: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(text, type=wire.ClientMessage)
