"""Rulebooks: their data, their text and their boards agree, and what does not is found out."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from cupboard.core import testing_rulebook
from cupboard.core.game import Game
from cupboard.core.lessons import LessonMark
from cupboard.core.registry import find, names
from cupboard.core.rule_pages import Span, read_page, rule_page
from cupboard.core.rulebook import RuleBoard, Rulebook, RuleEntry, numbers_in, rulebook_of
from cupboard.core.testing_rulebook import check_explained, check_rulebook
from cupboard.core.words import Words, phrase, sentences

CUPS: type[Game[Any]] = find("jumping-cups")
BOOK = rulebook_of(CUPS)


@pytest.mark.parametrize("name", names())
def test_every_rule_has_its_board_and_every_refusal_its_rule(name: str) -> None:
    assert rulebook_of(find(name)).rules, "the game has no rules.json"
    check_rulebook(find(name))


@pytest.mark.parametrize("name", names())
def test_most_rules_can_be_seen(name: str) -> None:
    entries = rulebook_of(find(name)).rules.values()
    assert sum(entry.board is not None for entry in entries) >= 0.8 * len(entries)


def with_rule(number: str, **change: Any) -> Rulebook:
    return replace(BOOK, rules={**BOOK.rules, number: replace(BOOK.rules[number], **change)})


def with_board(**change: Any) -> Rulebook:
    board = BOOK.rules["JC-13"].board
    assert board is not None
    return with_rule("JC-13", board=replace(board, **change))


def without(number: str) -> Rulebook:
    return replace(BOOK, rules={key: entry for key, entry in BOOK.rules.items() if key != number})


@pytest.mark.parametrize(
    ("broken", "found"),
    [
        (without("JC-7"), r"lacks \['JC-7'\]"),
        (replace(BOOK, rules={**BOOK.rules, "JC-99": RuleEntry(unseen="x")}), r"page of .* lacks \['JC-99'\]"),
        (replace(BOOK, rules=dict(reversed(BOOK.rules.items()))), "another order"),
        (with_rule("JC-13", board=None), "JC-13 needs either"),
        (with_rule("JC-13", unseen="both"), "JC-13 needs either"),
        (with_board(position="nonsense"), "JC-13"),
        (with_board(position="", moves=("1-9",)), "JC-13"),
        (with_board(position="R/R/R/././././././Y/Y/Y/Y/Y =B:overshot 9"), "JC-13"),
        (with_board(seats=3), "JC-13"),
        (with_board(options={"starter": "green"}), "JC-13"),
        (with_board(marks=(LessonMark("to", "z9"),)), "shows no"),
        (with_board(marks=(LessonMark("hint", "8"),)), "no move is made with 8"),
        (with_rule("JC-12", says=("jumping-cups.end.overshot",)), "overshoots"),
        (with_rule("JC-9", says=()), "no.covered"),
        (with_rule("JC-8", says=("jumping-cups.no.own", "jumping-cups.no.covered")), "twice"),
        (with_rule("JC-8", says=("jumping-cups.no.own", "jumping-cups.no.such")), "nothing is said by"),
        (replace(BOOK, unexplained={"jumping-cups.no.own": "explained all the same"}), "twice"),
    ],
)
def test_a_rulebook_that_is_wrong_is_found_out(monkeypatch: pytest.MonkeyPatch, broken: Rulebook, found: str) -> None:
    monkeypatch.setattr(testing_rulebook, "rulebook_of", lambda kind: broken)
    with pytest.raises(AssertionError, match=found):
        check_rulebook(CUPS)


def test_an_option_that_no_rule_speaks_of_is_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    page = rule_page(CUPS)
    assert page is not None
    silent = read_page(_readme(page.language).replace("(`starter`)", ""), CUPS)
    monkeypatch.setattr(testing_rulebook, "rule_page", lambda kind, language="en": silent)
    with pytest.raises(AssertionError, match="starter"):
        check_rulebook(CUPS)


def _readme(language: str) -> str:
    from cupboard.core.rule_pages import rule_text

    return rule_text(CUPS, language)[0]


def test_an_ending_without_a_rule_is_missed() -> None:
    check_explained(CUPS, phrase("jumping-cups.end.blocked"))
    check_explained(CUPS, None)
    with pytest.raises(AssertionError, match="no rule of jumping-cups explains"):
        check_explained(CUPS, phrase("jumping-cups.toMove"))


def test_the_numbers_of_nested_sentences_are_found_in_their_order() -> None:
    numbers = BOOK.numbers_by_key()
    both = sentences(phrase("jumping-cups.end.overshot"), phrase("move.can", why=phrase("jumping-cups.no.covered")))
    assert numbers_in(both, numbers) == ["JC-12", "JC-9"]
    assert numbers_in("a name", numbers) == numbers_in(Words("plain"), numbers) == []


PAGE = """# A game

For two.
It is short.

## The rules, numbered

Prose that is not for players: `code`.

**Board**

- **AB-1** A *small* board, see [the table](x.md)
  and AB-2.
- **AB-2** Whoever `starter` names.

## Rulings

| Number | Question | Here |
|---|---|---|
| AJ-1 | On `e4`? | **Yes** (`starter=red`). |

## Notation

- e4
"""


def test_a_page_is_read_by_its_numbers() -> None:
    page = read_page(PAGE, CUPS)
    assert page.intro == ((Span("text", "For two. It is short."),),)
    assert [(group.title, group.kind, [*(rule.number for rule in group.rules)]) for group in page.groups] == [
        ("Board", "rules", ["AB-1", "AB-2"]),
        ("Rulings", "rulings", ["AJ-1"]),
    ]
    one, two, ruling = page.rules.values()
    assert one.plain == "A small board, see the table and AB-2."
    assert Span("em", "small") in one.text and Span("rule", "AB-2") in one.text
    assert Span("option", "starter") in two.text and two.question == ()
    assert ruling.question == (Span("text", "On "), Span("code", "e4"), Span("text", "?"))
    assert ruling.text[0] == Span("strong", "Yes") and Span("option", "starter=red") in ruling.text


def test_a_game_without_a_rulebook_is_as_good_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(testing_rulebook, "rulebook_of", lambda kind: Rulebook())
    check_rulebook(CUPS)
    check_explained(CUPS, phrase("jumping-cups.toMove"))


def test_a_board_is_looked_at_from_who_is_to_act() -> None:
    board = RuleBoard(position="R/R/R/./././././RRY/Y/Y/Y/Y/. B 0")
    position, last = board.shown(CUPS)
    assert board.looks_from(position) == 1 and last is None
    moved, last = replace(board, moves=("9-6",)).shown(CUPS)
    assert last is not None and str(last[1]) == "9-6" and board.looks_from(moved) == 0
    assert replace(board, seat=0).looks_from(position) == 0
