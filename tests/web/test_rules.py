"""The rulebook in the browser: links to rules, boards to try them on, the search, the drawer at a table, and paper."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from . import hands
from .conftest import Host, Opener, Shot
from .test_access import check

CUPS = "/rules/en/jumping-cups"


def at_the_top(page: Any, number: str) -> bool:
    """Whether a rule stands at the upper edge of the window, once everything above it has been drawn."""
    tops = [page.evaluate("n => document.getElementById(n).getBoundingClientRect().top", number) for _ in range(2)]
    return all(-5 <= top <= 60 for top in tops)


def click(page: Any, number: str, spot: str) -> None:
    page.locator(f"#{number} [data-spot='{spot}']").dispatch_event("click", {"detail": 0})


@pytest.mark.parametrize("size", ["phone", "desk"])
@pytest.mark.parametrize(
    "game, number", [("jumping-cups", "JC-13"), ("cup-king", "KA-29"), ("chinese-checkers", "CA-21")]
)
def test_a_link_leads_to_its_rule(host: Host, opened: Opener, size: str, game: str, number: str) -> None:
    page = opened(size)
    page.goto(f"{host.address}/rules/{game}#{number}")
    page.wait_for_selector(f"#{number}.here svg.board", timeout=120_000)
    page.wait_for_timeout(2000)
    assert at_the_top(page, number)
    assert page.evaluate("document.activeElement.id") == number
    assert "Cupboard" in page.title() and "rules" in page.title()


def test_rules_lead_to_each_other_and_back(host: Host, opened: Opener) -> None:
    page = opened()
    page.goto(f"{host.address}{CUPS}#JC-15")
    page.click("#JC-15 p a:has-text('JC-12')")
    page.wait_for_selector("#JC-12.here")
    assert page.url.endswith("#JC-12") and not page.locator("#JC-15.here").count()
    page.go_back()
    page.wait_for_selector("#JC-15.here")
    page.click("nav[aria-label=Contents] a:has-text('What can be agreed on')")
    page.wait_for_function("document.activeElement.id === 'options'")
    page.click("#option-starter button:has-text('JA-10')")
    page.wait_for_selector("#JA-10.here")
    page.click("#JA-10 p a")
    page.wait_for_function("document.activeElement.id === 'option-starter'")


def test_a_number_is_a_link_that_can_be_copied(host: Host, opened: Opener) -> None:
    page = opened(permissions=["clipboard-read", "clipboard-write"])
    page.goto(host.address + CUPS)
    page.click("#JC-9 h3 a")
    page.wait_for_selector("#JC-9 [role=status]:has-text('copied')")
    assert page.evaluate("navigator.clipboard.readText()") == f"{host.address}{CUPS}#JC-9" == page.url


def test_a_rule_can_be_tried_and_the_board_says_why(host: Host, opened: Opener, shot: Shot) -> None:
    page = opened()
    page.goto(f"{host.address}{CUPS}#JC-12")
    page.click("#JC-12 button:has-text('Try it')")
    page.wait_for_selector("#JC-12 .spot.open")
    assert page.evaluate("document.activeElement.closest('article')?.id") == "JC-12", "the keyboard is on the board"
    click(page, "JC-12", "9")
    page.wait_for_selector("#JC-12 .said:has-text('not Red')")
    assert page.inner_text("#JC-12 .said button") == "JC-8"
    click(page, "JC-12", "13")
    click(page, "JC-12", "off")
    page.wait_for_selector("#JC-12 .said:has-text('moved a cup off the track')")
    assert page.inner_text("#JC-12 .said button") == "JC-12"
    shot(page, "rules-tried")
    page.click("#JC-12 button:has-text('Again')")
    page.wait_for_selector("#JC-12 .spot.open")
    assert not page.locator("#JC-12 .said button").count()
    click(page, "JC-12", "9")
    page.click("#JC-12 .said button:has-text('JC-8')")
    page.wait_for_selector("#JC-8.here")


def test_a_board_is_played_on_by_the_keyboard_and_nature_answers(host: Host, opened: Opener) -> None:
    page = opened()
    page.goto(f"{host.address}/rules/cup-king#CK-12")
    page.wait_for_selector("#CK-12 svg.board", timeout=120_000)
    page.locator("#CK-12 button:has-text('Try it')").press("Enter")
    page.wait_for_selector("#CK-12 .spot.open")
    page.wait_for_function("document.activeElement.dataset.spot")
    assert hands.focused(page) == "A:e1", "the place that is hinted at"
    page.keyboard.press("Enter")
    page.wait_for_selector("#CK-12 .said:has-text('gives up the bucket')")


def test_boards_come_in_one_request_and_are_drawn_when_near(host: Host, opened: Opener) -> None:
    page = opened()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{host.address}/rules/double-dutch")
    page.wait_for_selector("article svg.board", timeout=120_000)
    page.wait_for_timeout(500)
    drawn = page.locator("article svg.board").count()
    assert drawn < page.locator("article .place").count(), "those far below wait"
    page.locator("#DA-16").scroll_into_view_if_needed()
    page.wait_for_selector("#DA-16 svg.board")
    assert len([url for url in asked if "/rulebook/boards" in url]) == 1
    assert not [url for url in asked if url.endswith("/board")], "nobody has touched one"


def test_the_search_forgives_and_is_used_by_the_keyboard(host: Host, opened: Opener, shot: Shot) -> None:
    page = opened()
    page.goto(host.address + CUPS)
    page.focus("input[type=search]")
    page.keyboard.type("oversht")
    page.wait_for_selector("search li")
    assert {"JC-12", "JA-1"} <= set(page.locator("search li .number").all_inner_texts())
    assert "found" in page.inner_text("search [role=status]")
    shot(page, "rules-search")
    page.keyboard.press("ArrowDown")
    first = page.evaluate("document.activeElement.querySelector('.number').innerText")
    page.keyboard.press("ArrowUp")
    assert page.evaluate("document.activeElement.type") == "search"
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_selector(f"#{first}.here")
    assert not page.locator("search li").count()
    page.fill("input[type=search]", "xylophone")
    page.wait_for_selector("search .none:has-text('xylophone')")
    page.keyboard.press("Escape")
    assert page.input_value("input[type=search]") == ""


def test_the_rules_of_all_games_are_searched_together(host: Host, opened: Opener) -> None:
    page = opened("phone", locale="de-DE")
    page.goto(f"{host.address}/rules")
    page.wait_for_selector("main ul a >> nth=3")
    page.fill("input[type=search]", "aussezt")
    page.wait_for_selector("search li:has-text('Double Dutch · DD-12')")
    page.click("search li:has-text('DD-12')")
    page.wait_for_url("**/rules/en/double-dutch#DD-12")
    page.wait_for_selector("#DD-12.here")
    assert page.get_attribute(".rulebook", "lang") == "de"


OVERSHOT = "5-6 10-9 6-7 9-8 7-8 11-10 8-10 13-12 10-12 8-7"
"""The moves of records/overshot.game up to the one that leaves the track."""


def test_a_refusal_and_a_warning_and_an_ending_open_their_rule(host: Host, opened: Opener, shot: Shot) -> None:
    page = opened("phone")
    hands.make_table(page, host.address, "jumping-cups", [{"kind": "me"}, {"kind": "me"}], starter="red")
    assert hands.wait_for_turn(page)

    def go(start: str, end: str = "") -> None:
        for spot in filter(None, (start, end)):
            page.locator(f"main [data-spot='{spot}']").dispatch_event("click", {"detail": 0})

    go("10")
    page.click(".says button:has-text('JC-8')")
    page.wait_for_selector("dialog #JC-8.here svg.board")
    assert "/t/" in page.url, "the table goes on behind it"
    shot(page, "rules-drawer-phone")
    page.click("dialog #JC-8 button:has-text('Try it')")
    page.wait_for_selector("dialog #JC-8 .spot.open")
    check(page, "the rules at a table")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")

    for move in OVERSHOT.split():
        start, end = move.split("-")
        page.wait_for_selector(f"main .spot.open[data-spot='{start}']")
        go(start, end)
    page.wait_for_selector("main .spot.open[data-spot='12']")
    go("12", "off")
    page.click("dialog[open] p button:has-text('JC-12')")
    page.wait_for_selector("dialog #JC-12.here")
    shot(page, "rules-warning-phone")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog #JC-12", state="detached")
    page.click("dialog[open] button.danger")
    page.click(f"{hands.RESULT} button:has-text('JC-12')")
    page.wait_for_selector("dialog #JC-12.here")


def test_the_rules_come_out_of_a_printer(host: Host, opened: Opener, tmp_path: Path) -> None:
    page = opened(theme="dark")
    page.goto(host.address + CUPS)
    page.wait_for_selector("article svg.board")
    page.wait_for_timeout(500)
    paper = tmp_path / "rules.pdf"
    page.pdf(path=paper, format="A4")
    pages = len(re.findall(rb"/Type\s*/Page\b", paper.read_bytes()))
    assert 4 <= pages <= 10
    page.emulate_media(media="print")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.evaluate("getComputedStyle(document.querySelector('article p')).color") == "rgb(0, 0, 0)"
    for gone in ("#app > header", "nav", "search", "article button"):
        assert not page.locator(gone).first.is_visible(), gone
    assert page.locator("#JC-13 .number").is_visible()
    undrawn = page.locator("article .place:not(.again):not(:has(svg))").count()
    assert undrawn == 0, "paper shows every board"


@pytest.mark.parametrize("size", ["phone", "desk"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_wrong_with_the_rules(host: Host, opened: Opener, size: str, theme: str) -> None:
    page = opened(size, theme=theme, reduced_motion="reduce")
    page.goto(f"{host.address}/rules")
    page.wait_for_selector("main li")
    page.fill("input[type=search]", "jump")
    page.wait_for_selector("search li")
    check(page, "all rules")
    page.goto(f"{host.address}{CUPS}#JC-12")
    page.click("#JC-12 button:has-text('Try it')")
    page.wait_for_selector("#JC-12 .spot.open")
    click(page, "JC-12", "14")
    page.wait_for_selector("#JC-12 .said button")
    check(page, "a rule that is tried")


def test_a_game_there_is_not_has_no_rules(host: Host, opened: Opener) -> None:
    page = opened()
    page.goto(f"{host.address}/rules/chess")
    page.wait_for_selector("main [role=alert]")
