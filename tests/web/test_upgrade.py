"""A page that was left open while the server was updated: its files are gone. It says so and loads itself anew."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from . import hands
from .conftest import PAGE, Host, until_killed
from .hands import BOT

WORDS = {"en-GB": "Cupboard has been updated.", "de-DE": "Cupboard wurde aktualisiert."}
NOTICE = "[role=alert]"


class Updated(Host):
    """A server whose page can be built again: same page, other names, the old files gone."""

    def __init__(self, folder: Path) -> None:
        shutil.copytree(PAGE, folder / "page")
        super().__init__(folder / "data", folder / "page")

    def update(self) -> None:
        files = [path for path in self.page.rglob("*") if path.suffix in (".js", ".css", ".html")]
        names = {path.name: self._renamed(path.name) for path in self.page.joinpath("assets").iterdir()}
        pattern = re.compile("|".join(map(re.escape, names)))
        for path in files:
            text = pattern.sub(lambda found: names[found[0]], path.read_text(encoding="utf-8"))
            path.write_text(text, encoding="utf-8")
        for path in list(self.page.joinpath("assets").iterdir()):
            path.rename(path.with_name(names[path.name]))

    @staticmethod
    def _renamed(name: str) -> str:
        stem, dot, ending = name.rpartition(".")
        return stem[:-8] + stem[-8:].swapcase()[::-1] + dot + ending


@pytest.fixture
def updated(tmp_path: Path) -> Iterator[Updated]:
    yield from until_killed(lambda: Updated(tmp_path))


def visitor(chromium: Any, locale: str = "en-GB") -> tuple[Any, list[str]]:
    """A page, and the addresses it has loaded."""
    page = chromium.new_context(locale=locale).new_page()
    page.set_default_timeout(90_000)
    loaded: list[str] = []
    page.on("domcontentloaded", lambda page: loaded.append(page.url))
    return page, loaded


def lay(page: Any, address: str) -> str:
    """A table of this page's visitor, who stays where they are."""
    page.goto(address)
    page.wait_for_selector("article")
    seats = [{"kind": "me"}, BOT]
    answer = page.request.post(
        f"{address}/api/tables",
        data=json.dumps({"game": "jumping-cups", "seats": seats}),
        headers={"content-type": "application/json", "origin": address},
    )
    return f"/t/{answer.json()['table']['id']}"


def go(page: Any, path: str) -> None:
    """As a link of the page would."""
    page.evaluate("path => { history.pushState(null, '', path); dispatchEvent(new PopStateEvent('popstate')); }", path)


@pytest.mark.parametrize("locale", WORDS)
def test_who_opens_a_table_on_an_old_page_is_told_and_sees_it_on_the_new_one(
    updated: Updated, chromium: Any, locale: str
) -> None:
    page, loaded = visitor(chromium, locale)
    table = lay(page, updated.address)
    updated.update()
    loaded.clear()
    go(page, table)
    assert WORDS[locale] in page.inner_text(NOTICE)
    page.wait_for_selector("svg.board")
    assert loaded == [updated.address + table] and not page.locator(NOTICE).count()
    page.context.close()


def test_who_sits_at_a_table_is_told_when_the_server_comes_back_with_another_page(
    updated: Updated, chromium: Any
) -> None:
    page, loaded = visitor(chromium)
    hands.make_table(page, updated.address, "jumping-cups", [{"kind": "me"}, BOT])
    loaded.clear()
    updated.kill()
    updated.start()
    page.wait_for_selector(".cut", state="detached")
    assert not page.locator(NOTICE).count(), "the same page: nothing to say"
    updated.kill()
    page.wait_for_selector(".cut")
    updated.update()
    updated.start()
    assert WORDS["en-GB"] in page.inner_text(NOTICE)
    page.wait_for_selector(NOTICE, state="detached")
    page.wait_for_selector("svg.board")
    assert len(loaded) == 1
    page.context.close()


def test_a_page_that_stays_old_is_loaded_once_and_then_left_to_the_person(host: Host, chromium: Any) -> None:
    """As behind a proxy that mixes two servers up."""
    page, loaded = visitor(chromium)
    table = lay(page, host.address)
    new = '<script type="module" src="/assets/index-another.js"></script>'

    def mixed(route: Any) -> None:
        if route.request.resource_type == "fetch":
            route.fulfill(body=new, content_type="text/html")
        else:
            route.continue_()

    page.route(f"{host.address}/", mixed)
    page.route("**/assets/TablePage*", lambda route: route.fulfill(status=404))
    loaded.clear()
    go(page, table)
    page.wait_for_selector("text=This page is being loaded anew")
    page.wait_for_selector("text=this page is an old one")
    page.wait_for_timeout(4000)
    assert loaded == [host.address + table] and page.is_visible("text=A part of this page is missing")
    page.context.close()
