"""A link to a table, pasted elsewhere, shows the board and the players."""

from __future__ import annotations

import re
from html import unescape

import httpx
from tests.server.helpers import lay


def tags(page: str) -> dict[str, str]:
    """The Open Graph tags of a page."""
    found = re.findall(r'<meta property="([^"]+)" content="([^"]*)" />', page)
    return {name: unescape(text) for name, text in found}


def test_a_link_to_a_table_shows_its_game_its_players_and_a_picture(http: httpx.Client) -> None:
    table = lay(http, "jumping-cups", "me", "bot")["table"]
    found = tags(http.get(f"/t/{table['id']}").text)
    assert found["og:title"].startswith("Jumping Cups: ") and " – " in found["og:title"]
    assert found["og:url"].endswith(f"/t/{table['id']}")
    picture = http.get(found["og:image"])
    assert picture.status_code == 200 and picture.headers["content-type"] == "image/png"


def test_the_picture_names_the_players_as_they_are_called_now(http: httpx.Client) -> None:
    seats = [{"kind": "me", "name": "Ida"}, {"kind": "friend"}]
    made = http.post("/api/tables", json={"game": "jumping-cups", "seats": seats}).json()
    picture = f"/api/tables/{made['table']['id']}/picture.svg"
    before = http.get(picture).text
    assert ">Ida<" in before and "Red" in before and "Bo &amp; Co" not in before
    invite = made["invites"][0]["invite"]
    seat = f"/api/tables/{made['table']['id']}/seats/1"
    assert http.post(seat, json={"invite": invite, "name": "Bo & Co"}).is_success
    assert ">Bo &amp; Co<" in http.get(picture).text


def test_the_preview_speaks_the_visitors_language(http: httpx.Client) -> None:
    table = lay(http, "jumping-cups", "me", "friend")["table"]["id"]
    english, german = (
        tags(http.get(f"/t/{table}", headers={"accept-language": language}).text)["og:description"]
        for language in ("en-GB", "de-DE,de;q=0.9")
    )
    assert english == "A seat is free. Come and play." and german == "Ein Platz ist frei. Spiel mit!"


def test_a_name_cannot_become_a_part_of_the_page(http: httpx.Client) -> None:
    rude = '"><script>alert(1)</script>'
    seats = [{"kind": "me"}, {"kind": "me", "name": rude}]
    table = http.post("/api/tables", json={"game": "jumping-cups", "seats": seats}).json()["table"]["id"]
    page = http.get(f"/t/{table}").text
    assert "<script>alert" not in page and rude in tags(page)["og:title"]


def test_a_link_to_nowhere_gets_the_page_without_a_preview(http: httpx.Client) -> None:
    answer = http.get("/t/nosuchtable")
    assert answer.status_code == 200 and not tags(answer.text) and "<div id=" in answer.text
