"""Rulebooks over HTTP: every number, every board in one answer, and boards that can be played on."""

from __future__ import annotations

import httpx
import pytest

from cupboard.core.registry import find, names
from cupboard.core.rule_pages import rule_page
from cupboard.core.rulebook import rulebook_of
from cupboard.server.limits.rates import HOME


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("game", names())
def test_a_rulebook_has_every_rule_of_its_page(http: httpx.Client, game: str, language: str) -> None:
    book = http.get(f"/api/games/{game}/rulebook", params={"language": language}).json()
    page = rule_page(find(game), language)
    assert page is not None and book["language"] == page.language == language
    numbers = [rule["number"] for group in book["groups"] for rule in group["rules"]]
    assert numbers == list(page.rules)
    assert {group["kind"] for group in book["groups"]} == {"rules", "rulings"}
    assert set(book["boards"]) <= set(numbers) and set(book["says"].values()) <= set(numbers)
    assert all(
        rule.get("question") for group in book["groups"] if group["kind"] == "rulings" for rule in group["rules"]
    )


@pytest.mark.parametrize("game", names())
def test_every_board_of_the_rules_can_be_played_on(http: httpx.Client, game: str) -> None:
    book = http.get(f"/api/games/{game}/rulebook").json()
    boards = http.get(f"/api/games/{game}/rulebook/boards").json()
    assert sorted(number for board in boards for number in board["numbers"]) == sorted(book["boards"])
    for board in boards:
        body = {name: board[name] for name in ("seats", "options", "position", "moves") if name in board}
        state = http.post(f"/api/games/{game}/board", json=body).json()
        assert state.get("moves") or state.get("filling") or state.get("nature"), board["numbers"]
        if state["seat"] == board["seat"]:
            assert state["scene"]["parts"] == board["scene"]["parts"], board["numbers"]


def test_the_rules_of_a_language_nobody_has_written_are_english(http: httpx.Client) -> None:
    assert http.get("/api/games/jumping-cups/rulebook?language=tlh").json()["language"] == "en"


@pytest.mark.parametrize("path", ["rulebook", "rulebook/boards"])
def test_a_game_there_is_not_has_no_rulebook(http: httpx.Client, path: str) -> None:
    answer = http.get(f"/api/games/chess/{path}")
    assert (answer.status_code, answer.json()["code"]) == (404, "unknown-game")


@pytest.mark.parametrize("path", ["rulebook", "rulebook/boards"])
def test_rulebooks_are_not_sent_without_end(http: httpx.Client, path: str) -> None:
    most, _ = HOME["boards"]
    http.put("/api/me", json={"name": "Ida"})  # visitors without a session share more
    codes = {http.get(f"/api/games/jumping-cups/{path}").status_code for _ in range(most + 200)}
    assert codes == {200, 429}


def test_a_board_that_several_rules_share_is_sent_once(http: httpx.Client) -> None:
    shared = [entry.board for entry in rulebook_of(find("jumping-cups")).rules.values() if entry.board is not None]
    boards = http.get("/api/games/jumping-cups/rulebook/boards").json()
    assert len(boards) < len(shared)


def test_boards_are_packed_for_those_who_can_unpack_them(http: httpx.Client) -> None:
    address = "/api/games/chinese-checkers/rulebook/boards"
    packed, plain = (http.get(address, headers={"accept-encoding": how}) for how in ("gzip, br", "identity"))
    assert packed.headers["content-encoding"] == "gzip" and "content-encoding" not in plain.headers
    assert packed.json() == plain.json()
    assert int(packed.headers["content-length"]) < 30_000 < int(plain.headers["content-length"])


@pytest.mark.parametrize("path", ["/rules/en", "/rules/de/jumping-cups"])
def test_the_page_is_at_the_address_of_the_rules(http: httpx.Client, path: str) -> None:
    assert http.get(path).headers["content-type"].startswith("text/html")
