"""Our sentences are our own: no run of more than seven words stands in a printed rulebook, too; and the glossary."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

import pytest
from tests.core.test_languages import CHECK, ROOT

from cupboard.core.words import languages

BOOKLETS = ROOT.parent / "shared" / "rulebooks"
MOST = 7


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.lower())


def _runs(text: str) -> Iterator[str]:
    """Every run of eight words in a text."""
    found = _words(text)
    return (" ".join(found[at : at + MOST + 1]) for at in range(len(found) - MOST))


@cache
def _printed() -> frozenset[str]:
    texts = [file.read_text("utf-8") for file in sorted(BOOKLETS.glob("*.txt"))]
    return frozenset(run for text in texts for run in _runs(text))


def _texts(language: str) -> Iterator[tuple[str, str]]:
    """All sentences of a language, with where they stand."""
    for key, message in CHECK.catalogue(language).items():
        yield from ((key, text) for text in (message.values() if isinstance(message, dict) else [message]))
    for page in sorted(CHECK.GAMES.glob("*/README.md" if language == "en" else f"*/README.{language}.md")):
        yield from ((f"{page.parent.name} {number}", text) for number, text in CHECK.rules_of(page).items())


@pytest.mark.skipif(
    not BOOKLETS.is_dir(), reason="the printed rulebooks are not beside this checkout (../shared/rulebooks)"
)
@pytest.mark.parametrize("language", languages())
def test_no_sentence_is_taken_from_a_booklet(language: str) -> None:
    printed = _printed()
    assert len(printed) > 3_000
    assert not [f"{where}: {run}" for where, text in _texts(language) for run in _runs(text) if run in printed]


def test_a_run_of_words_is_found_whatever_its_signs() -> None:
    assert list(_runs("One, two (three) four – five: six seven")) == []
    assert list(_runs("One, two (three) four – five: six seven; Eight.")) == ["one two three four five six seven eight"]


def test_the_glossary_has_twenty_words_of_each_game_in_every_language() -> None:
    games = sorted(page.parent.name.replace("_", "-") for page in CHECK.GAMES.glob("*/README.md"))
    for language in languages():
        found = CHECK.glossary(language)
        assert sorted(found) == games and {len(terms) for terms in found.values()} == {20}, language


def test_the_glossary_to_read_is_that_of_the_languages() -> None:
    assert (ROOT / "docs" / "glossary.md").read_text("utf-8") == CHECK.glossary_page(), "python web/words.py --glossary"
