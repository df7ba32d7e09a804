"""The files of the page: which may be kept for ever, and that there are no others."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from cupboard.server.errors import NotFound
from cupboard.server.http import pages
from cupboard.server.public_url import PublicUrl


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A page of four files, with a secret beside it."""
    built = tmp_path / "page"
    (built / "assets").mkdir(parents=True)
    (built / "index.html").write_text("<p>the page</p>")
    (built / "icon.svg").write_text("<svg/>")
    (built / "assets" / "app-1a2b.js").write_text("1")
    (built / "unknown.xyzzy").write_text("2")
    (tmp_path / "secret.txt").write_text("3")
    monkeypatch.setattr(pages, "PAGE", built)
    return built


def test_what_has_a_hash_in_its_name_is_kept_for_ever_and_the_rest_is_asked_for_again(page: Path) -> None:
    script, icon = pages._file("/assets/app-1a2b.js"), pages._file("icon.svg")
    assert "immutable" in script.headers["cache-control"] and icon.headers["cache-control"] == "no-cache"
    assert (script.content, icon.content) == (b"1", b"<svg/>")
    assert [answer.media_type for answer in (script, icon, pages._file("unknown.xyzzy"))] == [
        "text/javascript",
        "image/svg+xml",
        "application/octet-stream",
    ]


@pytest.mark.parametrize("name", ["../secret.txt", "/assets/../../secret.txt", "nothing.js", "assets", "", "/"])
def test_there_is_nothing_but_the_page(page: Path, name: str) -> None:
    with pytest.raises(NotFound):
        pages._file(name)


def test_a_server_without_a_page_says_so(page: Path) -> None:
    found = pages.index_page(PublicUrl())
    assert found.content == b"<p>the page</p>" and found.headers["cache-control"] == "no-cache"
    (page / "index.html").unlink()
    assert b"has not been built" in pages.index_page(PublicUrl()).content
    assert b'href="/cupboard/docs"' in pages.index_page(PublicUrl("https://games.example", "/cupboard")).content


def test_the_catalogue_of_a_language_is_told_and_of_an_unknown_one_the_english(http: httpx.Client) -> None:
    english, german, klingon = (http.get(f"/api/words/{language}").json() for language in ("en", "de", "tlh"))
    assert english["seat.red"] == klingon["seat.red"] == "Red" and german["seat.red"] == "Rot"
    assert set(english) == set(german)
