"""A fifth game in the browser: the page of a copy of the package that has examples/noughts plays it like the others."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator

import pytest
from tests.fifth_game import ROOT, Copy

from . import hands
from .conftest import Host, Opener, Shot, needs_browser
from .test_units import node


@pytest.fixture(scope="module")
def fifth(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    """A server with the fifth game, and the page that is built with it."""
    needs_browser()
    modules = ROOT / "web" / "node_modules"
    if not modules.is_dir():
        pytest.skip("web/node_modules is missing (npm install in web/)")
    copy = Copy(tmp_path_factory.mktemp("fifth"))
    web = copy.home / "web"
    shutil.copytree(ROOT / "web", web, ignore=shutil.ignore_patterns("node_modules"))
    (web / "node_modules").symlink_to(modules)
    vite = [node(), "--preserve-symlinks", str(modules / "vite" / "bin" / "vite.js"), "build", "--logLevel", "error"]
    built = subprocess.run(vite, cwd=web, capture_output=True, text=True, timeout=300)
    assert built.returncode == 0, built.stdout + built.stderr
    folder = tmp_path_factory.mktemp("data")
    page = copy.home / "src" / "cupboard" / "server" / "page"
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("PYTHONPATH", os.pathsep.join([copy.environment["PYTHONPATH"], str(ROOT)]))
        made = Host(folder, page)
    yield made
    made.kill()


def test_the_first_page_shows_it_like_the_others(fifth: Host, opened: Opener, shot: Shot) -> None:
    page = opened("desk")
    page.goto(fifth.address)
    card = page.locator("article", has_text="Noughts")
    card.locator("svg.board").wait_for()
    assert card.locator("svg.board").count() == 1 and "three in a row" in card.inner_text().lower()
    shot(page, "fifth-game-home")


def test_it_is_played_with_the_mouse_against_every_level(fifth: Host, opened: Opener, shot: Shot) -> None:
    page = opened("desk")
    (info,) = (game for game in page.request.get(f"{fifth.address}/api/games").json() if game["name"] == "noughts")
    levels = [level["level"] for level in info["levels"]]
    assert len(levels) >= 5
    for level in levels:
        hands.make_table(page, fifth.address, "noughts", [{"kind": "me"}, {"kind": "bot", "level": level}])
        while hands.wait_for_turn(page):
            before = hands.version(page)
            page.locator(".spot.open").first.dispatch_event("click", {"detail": 0})
            hands.wait_for_change(page, before)
        assert page.locator(hands.RESULT).inner_text()
    shot(page, "fifth-game-over")


def test_a_taken_cell_is_refused_with_the_sentence_of_its_rules(fifth: Host, opened: Opener) -> None:
    page = opened("phone")
    hands.make_table(page, fifth.address, "noughts", [{"kind": "me"}, {"kind": "me"}])
    for cell, said in (("b2", ""), ("b2", "b2 is marked already")):
        hands.wait_for_turn(page)
        hands.wait_until_drawn(page)
        before = hands.version(page)
        page.locator(f"[data-spot={cell}]").dispatch_event("click", {"detail": 0})
        if said:
            page.get_by_text(said).first.wait_for()
        else:
            hands.wait_for_change(page, before)
