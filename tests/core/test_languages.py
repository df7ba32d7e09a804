"""Every language says the same: keys, names, forms, plural forms and the numbers of the rules."""

from __future__ import annotations

import importlib.util
import json
import re
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from cupboard.core import words

ROOT = Path(__file__).parents[2]


def _check() -> ModuleType:
    """web/words.py, which translators run."""
    found = importlib.util.spec_from_file_location("web_words", ROOT / "web" / "words.py")
    assert found is not None and found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


CHECK = _check()


@pytest.mark.parametrize("language", words.languages())
def test_a_language_has_all_that_english_has_and_says_the_same(language: str) -> None:
    assert list(CHECK.faults(language)) == []


def test_the_languages_are_those_of_the_booklets() -> None:
    assert {"en", "de", "fr", "nl", "pl", "fi", "sv"} <= set(words.languages())


def test_the_check_knows_the_catalogues_of_the_program() -> None:
    own = json.loads((CHECK.PAGE / "en.json").read_text("utf-8"))
    assert dict(CHECK.catalogue("en")) == {**words.catalogue("en"), **own}
    assert CHECK.languages() == list(words.languages())
    assert CHECK.BASE == words.BASE


@pytest.mark.parametrize(
    ("key", "message", "fault"),
    [
        ("turn.over", " ", "has an empty text"),
        ("turn.wrong", "Nie {who}.", "has the names who, and English others, who"),
        (
            "cup-king.draws",
            {"one": "{who}", "other": "{who}"},
            "has the plural forms one, other, and the language has few",
        ),
        ("turn.over", {"base": "Koniec", "genitive": "Końca"}, "has forms, and is in no set"),
        ("turn.wrong", "Nie {who.vocative}: {others}", "asks for {who.vocative}, and seat.red has no form 'vocative'"),
        ("news.chat", "{name.genitive}: {text}", "may be a name of somebody"),
        ("double-dutch.puts", "{who.genitive}: {cell}", "may be a name of somebody"),
        ("jumping-cups.end.filled", "Cel {who.genitive}", "may be a name of somebody"),
        ("jumping-cups.advice", "{colour}ych", "glues letters to {colour}ych"),
        ("news.chat", "d'{name}: {text}", "glues letters to d'{name}"),
        ("terminal.saveName", "`zapisz x`", "has the codes zapisz, and English save"),
    ],
)
def test_the_check_finds_what_does_not_fit(key: str, message: Any, fault: str) -> None:
    found = list(CHECK.faults_of(key, message, CHECK.catalogue("en")[key], "pl"))
    assert any(line.startswith(fault) or fault in line for line in found), found


def test_a_form_is_known_when_every_member_of_its_set_has_it(monkeypatch: pytest.MonkeyPatch) -> None:
    english = CHECK.catalogue("en")
    forms = {"base": "x", "genitive": "y"}
    polish = {key: forms for key in english if re.fullmatch(CHECK.SETS["seats"], key)}
    monkeypatch.setattr(CHECK, "catalogue", {"en": english, "pl": polish}.__getitem__)
    said = {"jumping-cups.no.own": "{square} {who.genitive}", "cup-king.no.discard": "{who.genitive}"}
    assert [list(CHECK.faults_of(key, text, english[key], "pl")) for key, text in said.items()] == [[], []]
    del polish["cup-king.player"]
    assert [len(list(CHECK.faults_of(key, text, english[key], "pl"))) for key, text in said.items()] == [0, 1]
