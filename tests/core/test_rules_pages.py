"""The rules pages in other languages: each has every rule of the English one, by its number."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

GAMES = Path(__file__).parents[2] / "src" / "cupboard" / "games"
PAGES = sorted(GAMES.glob("*/README.*.md"))
DEFINITION = re.compile(r"^(?:- \*\*|\| )([A-Z]{2}-[A-Z]?\d+)(?:\*\* | \|)", re.MULTILINE)
"""`- **JC-1** …` in a list, `| JA-1 | …` in a table; elsewhere a number only refers."""


def defined(page: Path) -> list[str]:
    """The numbers that a page explains, in its order."""
    return DEFINITION.findall(page.read_text(encoding="utf-8"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.parent.name}-{page.name}")
def test_a_translated_page_has_every_rule_by_its_number(page: Path) -> None:
    english, translated = defined(page.with_name("README.md")), defined(page)
    assert english, "README.md defines its numbers in another way"
    assert [number for number in english if number not in translated] == [], "rules are missing"
    assert [number for number in translated if number not in english] == [], "README.md lacks rules"
    assert translated == english, "rules are in another order, or stand there twice"
