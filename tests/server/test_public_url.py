"""The setting `url`: what browsers make of it, and a sentence for what cannot be the address of a server."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cupboard.server.app import make_app
from cupboard.server.errors import BadSettings
from cupboard.server.public_url import OWN_WORDS, PublicUrl, read_url
from cupboard.server.settings import ServerSettings
from cupboard.server.settings_file import read_settings


@pytest.mark.parametrize(
    ("text", "origin", "prefix", "host"),
    [
        ("https://games.example/cupboard/", "https://games.example", "/cupboard", "games.example"),
        ("https://games.example/cupboard", "https://games.example", "/cupboard", "games.example"),
        ("https://games.example", "https://games.example", "", "games.example"),
        ("http://games.example:80/", "http://games.example", "", "games.example"),
        ("https://games.example:443/a/b/", "https://games.example", "/a/b", "games.example"),
        ("https://games.example:8443/", "https://games.example:8443", "", "games.example"),
        ("http://games.example:443/", "http://games.example:443", "", "games.example"),
        ("HTTPS://Games.Example/Cupboard/", "https://games.example", "/Cupboard", "games.example"),
        ("http://192.168.1.2:8000/", "http://192.168.1.2:8000", "", "192.168.1.2"),
        ("http://[2001:DB8::0:1]:8000/x/", "http://[2001:db8::1]:8000", "/x", "2001:db8::1"),
        ("http://localhost:8000/games/cupboard/", "http://localhost:8000", "/games/cupboard", "localhost"),
        ("https://xn--mller-kva.example/", "https://xn--mller-kva.example", "", "xn--mller-kva.example"),
        ("", "", "", ""),
    ],
)
def test_an_address_is_read_as_browsers_write_it(text: str, origin: str, prefix: str, host: str) -> None:
    found = read_url(text)
    assert found == PublicUrl(origin, prefix)
    assert (found.base, found.host, found.is_https) == (origin + prefix, host, origin.startswith("https"))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("games.example", "neither http:// nor https://"),
        ("localhost:8000", "neither http:// nor https://"),
        ("ftp://games.example/", "neither http:// nor https://"),
        ("//games.example/", "neither http:// nor https://"),
        ("javascript:alert(1)", "neither http:// nor https://"),
        ("https://", "no host"),
        ("https:///cupboard/", "no host"),
        ("https:games.example", "no host"),
        ("https://:8000/", "no host"),
        ("https://games.example/?a=1", "a query"),
        ("https://games.example/?", "a query"),
        ("https://games.example/#a", "a part after #"),
        ("https://anna:secret@games.example/", "a user or a password"),
        ("https://games.example/a b/", "a space"),
        (" https://games.example/", "a space"),
        ("https://games.example/\n", "a space or a sign that cannot be printed"),
        ("https://games.example/a\r\nset-cookie: x/", "a space or a sign that cannot be printed"),
        ("https://games.example:0/", "no port 0"),
        ("https://games.example:65536/", "its host or its port"),
        ("https://games.example:x/", "its host or its port"),
        ("https://[::1/", "its host or its port"),
        ("https://[v1.x]/", "its host"),
        ("https://[fe80::1%25eth0]/", "its host"),
        ("https://*/", "its host"),
        ("https://-games.example/", "its host"),
        ("https://games..example/", "its host"),
        ("https://games.example\\cupboard/", "its host"),
        ("https://müller.example/", "letters that browsers write otherwise"),
        ("https://" + "a" * 300 + ".example/", "its host"),
        ("https://games.example/" + "a" * 300 + "/", "its path"),
        ("https://games.example//", "its path"),
        ("https://games.example/a//b/", "its path"),
        ("https://games.example/a/../b/", "its path"),
        ("https://games.example/./", "its path"),
        ("https://games.example/a%20b/", "its path"),
        ('https://games.example/a"b/', "its path"),
        ("https://games.example/a;b/", "its path"),
        ("https://games.example/games/", "the path /games/ is one of Cupboard's own"),
        ("https://games.example/api/cupboard/", "the path /api/ is one of Cupboard's own"),
    ],
)
def test_what_cannot_be_the_address_of_a_server_is_a_sentence_that_says_why(text: str, why: str) -> None:
    with pytest.raises(BadSettings) as refused:
        read_url(text)
    sentence = str(refused.value)
    assert why in sentence and sentence.endswith("write it as in https://games.example/cupboard/.")
    assert sentence.startswith("url: ") and len(sentence.splitlines()) == 1 and "secret" not in sentence


@given(st.text(max_size=40) | st.text("htps:/.@?#[]%a1é\\ ", max_size=30).map("https://".__add__))
def test_any_text_is_an_address_or_a_sentence(text: str) -> None:
    try:
        found = read_url(text)
    except BadSettings:
        return
    assert read_url(found.base) == found and found.base.isascii()


def test_a_file_with_such_an_address_is_named(tmp_path: Path) -> None:
    file = tmp_path / "cupboard.toml"
    file.write_text("url = 'https://games.example/?'")
    with pytest.raises(BadSettings, match=r"cupboard\.toml: url: a query"):
        read_settings(file)
    with pytest.raises(BadSettings, match="url: a query"):
        make_app(ServerSettings(data=tmp_path, url="https://games.example/?"))


def test_no_path_of_the_server_is_taken_for_the_path_of_a_site(tmp_path: Path) -> None:
    """A proxy that takes /games off the path passes on /games/jumping-cups as what it got /games/games/… for."""
    app = make_app(ServerSettings(data=tmp_path))
    first = {route.path.split("/")[1] for route in app._litestar.routes}
    files = {word for word in first if "." in word}  # of which nobody makes a folder
    assert {word for word in first - files if word and not word.startswith("{")} | {
        "assets",
        "healthz",
        "readyz",
    } == OWN_WORDS
