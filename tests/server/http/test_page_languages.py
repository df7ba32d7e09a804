"""Whose language a page is in before its script runs, and that addresses of rules carry theirs."""

from __future__ import annotations

import re

import httpx
import pytest

from cupboard.core.words import languages, phrase, say
from cupboard.server.http.languages import COOKIE, by_preference

GERMAN = {"accept-language": "de-AT,de;q=0.9,en;q=0.5"}


def spoken(answer: httpx.Response) -> str:
    found = re.search(r'<html lang="([\w-]+)"', answer.text)
    return found[1] if found else ""


def test_the_page_says_its_language_with_its_first_bytes(http: httpx.Client) -> None:
    for path in ("/", "/learn", "/t/nosuchtable", "/explore/jumping-cups", "/admin", "/join/abcdef"):
        assert [spoken(http.get(path, headers=headers)) for headers in ({}, GERMAN)] == ["en", "de"], path
    german = http.get("/", headers=GERMAN)
    assert f'content="{say(phrase("page.description"), "de")}"' in german.text
    assert {"accept-language", "cookie"} <= set(re.split(", *", german.headers["vary"]))


def test_the_language_chosen_on_the_page_counts_more_than_the_browser(http: httpx.Client) -> None:
    chosen = {"cookie": f"{COOKIE}=en", **GERMAN}
    assert spoken(http.get("/", headers=chosen)) == "en"
    assert spoken(http.get("/", headers={"cookie": f'{COOKIE}="><script>', **GERMAN})) == "de"
    picture = "/api/games/jumping-cups/picture.svg"
    said = [http.get(picture, headers=headers).text for headers in (chosen, GERMAN)]
    assert 'lang="en"' in said[0] and 'lang="de"' in said[1]
    assert 'lang="en"' in http.get(f"{picture}?language=en", headers=GERMAN).text


def test_an_installed_page_is_described_in_the_language_of_its_reader(http: httpx.Client) -> None:
    told = [http.get("/manifest.webmanifest", headers=headers).json()["description"] for headers in ({}, GERMAN)]
    assert told == [say(phrase("page.description"), language) for language in ("en", "de")]


@pytest.mark.parametrize(
    ("path", "leads_to"),
    [
        ("/rules", "/rules/de"),
        ("/rules/jumping-cups", "/rules/de/jumping-cups"),
        ("/rules/jumping-cups?x=1", "/rules/de/jumping-cups?x=1"),
        ("/rules/tlh/jumping-cups", "/rules/de/jumping-cups"),
        ("/rules/evil.example%3F", "/rules/de/evil.example%3F"),
    ],
)
def test_an_address_of_rules_without_a_language_leads_to_the_readers_own(
    http: httpx.Client, path: str, leads_to: str
) -> None:
    answer = http.get(path, headers=GERMAN, follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (307, leads_to)


def test_the_language_of_the_address_is_that_of_the_page(http: httpx.Client) -> None:
    for path in ("/rules/en/jumping-cups", "/rules/en"):
        assert spoken(http.get(path, headers=GERMAN)) == "en"


def test_rules_name_their_pages_in_all_languages(http: httpx.Client) -> None:
    page = http.get("/rules/de/jumping-cups").text
    links = dict(re.findall(r'<link rel="alternate" hreflang="([\w-]+)" href="([^"]+)" />', page))
    assert set(links) == {*languages(), "x-default"}
    assert spoken(http.get(links["en"])) == "en" and links["x-default"].endswith("/rules/jumping-cups")
    assert "hreflang" not in http.get("/").text


@pytest.mark.parametrize(
    ("header", "tags"),
    [
        ("nl-BE,nl;q=0.9,en;q=0.5", ["nl-BE", "nl", "en"]),
        ("en;q=0.4, sv-FI ;q=0.8, fi", ["fi", "sv-FI", "en"]),
        ("de;q=0,*;q=0.1", ["*"]),
        ("fr;q=x, pl", ["pl"]),
        ("", [""]),
    ],
)
def test_languages_are_taken_in_the_order_of_preference(header: str, tags: list[str]) -> None:
    assert by_preference(header) == tags
