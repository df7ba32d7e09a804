"""check_rulebook: the rules of a game in words, in data and on its boards agree. check_game does it for all games."""

from __future__ import annotations

from typing import Any

from cupboard.core.errors import CupboardError
from cupboard.core.game import CHANCE, Game
from cupboard.core.rule_pages import Rule, RulePage, rule_page
from cupboard.core.rulebook import RuleBoard, Rulebook, numbers_in, rulebook_of
from cupboard.core.words import Value, catalogue, languages

_MOST_WARNED = 300
"""How many moves of a board are asked for their warnings: there may be millions."""


def check_rulebook(kind: type[Game[Any]]) -> None:
    """Every rule has a board or a reason for having none, and every refusal and ending has a rule."""
    book = rulebook_of(kind)
    if not book.rules:
        return
    page = rule_page(kind)
    assert page is not None, f"{kind.name} has rules.json, but no README.md"
    check_numbers(kind, book)
    for number, entry in book.rules.items():
        assert (entry.board is None) == bool(entry.unseen), f"{number} needs either a board or why it has none"
        if entry.board is not None:
            try:
                check_board(kind, entry.board, book)
            except (AssertionError, CupboardError) as error:
                raise AssertionError(f"the board of {number} of {kind.name}: {error}") from error
    check_keys(kind, book)
    named = {span.text.partition("=")[0] for rule in page.rules.values() for span in rule.text if span.kind == "option"}
    silent = {option.name for option in kind.OPTIONS} - named
    assert not silent, f"no rule of {kind.name} says what can be agreed on with {sorted(silent)}"


def check_numbers(kind: type[Game[Any]], book: Rulebook) -> None:
    """The page of each language defines the numbers of the data, in their order, and cites no others."""
    for language in languages():
        page = rule_page(kind, language)
        if page is None or page.language != language:
            continue
        known = list(page.rules)
        missing, unknown = [n for n in book.rules if n not in known], [n for n in known if n not in book.rules]
        assert not missing, f"the {language} page of {kind.name} lacks {missing}"
        assert not unknown, f"rules.json of {kind.name} lacks {unknown}"
        assert known == list(book.rules), f"the {language} page of {kind.name} has another order than rules.json"
        for rule in page.rules.values():
            cited = _cited(rule) - set(known)
            assert not cited, f"{rule.number} of {kind.name} ({language}) cites {sorted(cited)}: no such rule"
        _check_marks(page)


def _cited(rule: Rule) -> set[str]:
    return {span.text for span in (*rule.question, *rule.text) if span.kind == "rule"}


def _check_marks(page: RulePage) -> None:
    """Nothing of Markdown is left over in the text."""
    for rule in page.rules.values():
        assert not set("*`[]|") & set(rule.plain), f"{rule.number} ({page.language}) is left in Markdown: {rule.plain}"


def check_board(kind: type[Game[Any]], board: RuleBoard, book: Rulebook) -> None:
    """The moment can be read and goes on, what is marked is shown, and what may be tried is a move."""
    position, _ = board.shown(kind)
    assert position.to_act, "the game is over there, so there is nothing to try"
    seat = board.looks_from(position)
    shown = position.seen_by(seat).scene().spots()
    unseen = {mark.spot for mark in board.marks} - shown
    assert not unseen, f"the scene shows no {sorted(unseen)}"
    asked = seat if seat in position.to_act else position.to_act[0]
    moves = position.moves(asked)
    for spot in board.hinted():
        assert any(spot in move.spots() for move in moves), f"no move is made with {spot}"
    if asked != CHANCE:
        for move in list(moves[:_MOST_WARNED]):
            check_explained(kind, move.warning, book)


def check_keys(kind: type[Game[Any]], book: Rulebook) -> None:
    """Each key exists and is explained once, and none of the refusals and endings is left out."""
    said = [key for entry in book.rules.values() for key in entry.says]
    twice = {key for key in said if said.count(key) > 1} | (set(said) & set(book.unexplained))
    assert not twice, f"{kind.name} explains {sorted(twice)} twice"
    unknown = {*said, *book.unexplained} - set(catalogue("en"))
    assert not unknown, f"nothing is said by the keys {sorted(unknown)}"
    wanted = {key for key in catalogue("en") if key.startswith((f"{kind.name}.no.", f"{kind.name}.end."))}
    left_out = wanted - {*said, *book.unexplained}
    assert not left_out, f"no rule of {kind.name} explains {sorted(left_out)}"


def check_explained(kind: type[Game[Any]], words: Value | None, book: Rulebook | None = None) -> None:
    """A warning or an ending that people meet has the number of a rule."""
    book = book or rulebook_of(kind)
    if book.rules and words is not None:
        assert numbers_in(words, book.numbers_by_key()), f"no rule of {kind.name} explains {words!r}"
