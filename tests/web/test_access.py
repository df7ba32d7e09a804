"""What axe-core finds wrong for people who see little, or nothing, or use no mouse: it must be nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from . import hands
from .conftest import Host, Opener
from .hands import BOT

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"


def check(page: Any, where: str) -> None:
    """Contrast of at least 4.5:1, names, roles, landmarks …: https://dequeuniversity.com/rules/axe lists the rules."""
    if not AXE.is_file():
        pytest.skip("web/node_modules is missing (npm install in web/)")
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    wrong = [(one["id"], node["html"][:120]) for one in found["violations"] for node in one["nodes"][:3]]
    assert not wrong, where


@pytest.mark.parametrize("size", ("phone", "desk"))
@pytest.mark.parametrize("theme", ("light", "dark"))
def test_axe_finds_nothing_wrong(host: Host, opened: Opener, size: str, theme: str) -> None:
    page = opened(size, theme=theme, reduced_motion="reduce")
    page.goto(host.address)
    page.wait_for_selector("article svg [data-piece]")
    check(page, "the first page")
    page.click("button[aria-label='Play Chinese Checkers against a bot']")
    page.click("dialog .more")
    check(page, "against whom")
    page.keyboard.press("Escape")
    page.click("button[aria-label='Cup King with friends']")
    page.click("dialog summary")
    check(page, "a new table")
    page.keyboard.press("Escape")
    page.click("button[aria-label$='name and account']")
    check(page, "the account")
    for game, seats in (("jumping-cups", 2), ("chinese-checkers", 6), ("double-dutch", 3), ("cup-king", 4)):
        clock = {"start": 300, "gain": 3}
        hands.make_table(page, host.address, game, [{"kind": "me"}, *[BOT] * (seats - 1)], clock)
        assert hands.wait_for_turn(page)
        check(page, game)
    if page.locator("[role=toolbar] >> text=More").count():
        page.click("[role=toolbar] >> text=More")
        page.wait_for_selector("dialog >> text=Links")
        check(page, "what else can be done")
        page.click("dialog >> text=Links")
    else:
        page.click("[role=toolbar] >> text=Links")
    page.wait_for_selector("dialog[aria-label=Links]")
    check(page, "the links")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")
    page.keyboard.press("?")
    page.wait_for_selector("dialog .rulebook article p")
    check(page, "the rules")
    page.goto(f"{host.address}/games/jumping-cups")
    page.wait_for_selector("main h2")
    check(page, "my games")
    page.goto(f"{host.address}/docs")
    check(page, "the reference")
