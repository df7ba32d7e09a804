"""Guests, accounts, and seats that follow their people."""

from __future__ import annotations

import httpx
import pytest
from tests.server.helpers import Server, browser, lay
from tests.server.postgres import needs_sqlite

PASSWORD = "correct horse battery"

GUEST = {"name": "Guest", "words": ["name.guest", []]}


def device(server: Server) -> httpx.Client:
    return browser(server.url, timeout=30)


def test_a_guest_has_a_name_on_this_device(server: Server) -> None:
    with device(server) as phone:
        assert phone.get("/api/me").json() == GUEST and "cupboard" not in phone.cookies
        assert phone.put("/api/me", json={"name": "  Anna\u0000 \n B. "}).json() == {"name": "Anna B."}
        assert phone.get("/api/me").json() == {"name": "Anna B."}
        made = lay(phone, "jumping-cups", "me", "friend")
        assert made["table"]["seats"][0]["name"] == "Anna B."


def test_an_account_carries_games_to_another_device(server: Server) -> None:
    with device(server) as desk, device(server) as phone, device(server) as stranger:
        table = lay(desk, "jumping-cups", "me", "friend")["table"]["id"]
        login = {"username": "Anna.1", "password": PASSWORD}
        assert desk.post("/api/account", json=login).json()["username"] == "anna.1"
        assert desk.post("/api/account", json=login).json()["code"] == "name-taken"
        assert stranger.post("/api/account", json=login).json()["code"] == "name-taken"
        mid_game = lay(phone, "jumping-cups", "me", "friend")["table"]["id"]
        wrong = phone.post("/api/session", json=login | {"password": "wrong password"})
        assert (wrong.status_code, wrong.json()["code"]) == (403, "bad-login")
        unknown = phone.post("/api/session", json=login | {"username": "nobody"})
        assert unknown.json() == wrong.json(), "which of the two was wrong is nobody's business"
        assert phone.post("/api/session", json=login).status_code == 201
        mine = {t["id"]: t["yours"] for t in phone.get("/api/mine").json()["running"]}
        assert mine == {table: [0], mid_game: [0]}, "the guest's game came along"
        assert phone.get(f"/api/tables/{mid_game}").json()["yours"] == [0]
        assert len(phone.get(f"/api/tables/{table}/keys").json()) == 1
        assert phone.delete("/api/session").json() == GUEST
        assert phone.get("/api/mine").json()["running"] == []
        assert desk.get("/api/mine").json()["running"], "only the phone signed out"


def test_the_old_cookie_is_worth_nothing_after_signing_out(server: Server) -> None:
    with device(server) as phone, device(server) as thief:
        phone.put("/api/me", json={"name": "Anna"})
        cookie = phone.cookies["cupboard"]
        assert thief.get("/api/me", headers={"cookie": f"cupboard={cookie}"}).json() == {"name": "Anna"}
        phone.delete("/api/session")
        assert thief.get("/api/me", headers={"cookie": f"cupboard={cookie}"}).json() == {
            "name": "Guest",
            "words": ["name.guest", []],
        }


@pytest.mark.parametrize(
    "login",
    [
        {"username": "a", "password": PASSWORD},
        {"username": "a b", "password": PASSWORD},
        {"username": "anna", "password": "short"},
        {"username": "x" * 31, "password": PASSWORD},
        {"username": "anna"},
    ],
)
def test_bad_names_and_passwords_get_a_sentence(http: httpx.Client, login: dict[str, str]) -> None:
    answer = http.post("/api/account", json=login)
    assert (answer.status_code, answer.json()["code"]) == (400, "bad-message")


@needs_sqlite
def test_the_database_keeps_no_password_and_no_cookie(server: Server) -> None:
    with device(server) as phone:
        phone.post("/api/account", json={"username": "secretive", "password": PASSWORD})
        cookie = phone.cookies["cupboard"]
    kept = b"".join(path.read_bytes() for path in server.data.iterdir())
    assert b"secretive" in kept and PASSWORD.encode() not in kept and cookie.encode() not in kept


NOTHING_TO_SEE = {
    "blanks": "   ",
    "zero-width space": "\u200b",
    "joiners": "\u200d\u200c",
    "bidi override": "\u202e\u2066",
    "soft hyphen": "\u00ad",
    "combining marks": "\u0301\u0308",
    "variation selector": "\ufe0f",
    "Hangul filler": "\u3164",
    "half-width Hangul filler": "\uffa0 \u115f\u1160",
    "empty Braille": "\u2800",
    "no-break space": "\u00a0\u2007",
    "control": "\u0000\u0007\n",
    "tags": "\U000e0041\U000e0042",
    "private use": "\ue000",
}


@pytest.mark.parametrize("name", NOTHING_TO_SEE.values(), ids=NOTHING_TO_SEE)
def test_a_name_of_which_nothing_can_be_seen_is_refused(server: Server, http: httpx.Client, name: str) -> None:
    refused = http.put("/api/me", json={"name": name})
    assert (refused.status_code, refused.json()["code"]) == (400, "bad-name")
    assert refused.json()["sentence"] and "cupboard" not in http.cookies, "nobody was made for it"
    made = lay(http, "jumping-cups", "me", "open")
    seat = f"/api/tables/{made['table']['id']}/seats/1"
    with device(server) as friend:
        assert friend.post(seat, json={"name": name}).json()["code"] == "bad-name"
        assert friend.post(seat, json={"name": ""}).json()["table"]["seats"][1]["name"] == "Guest"
    new = {"game": "jumping-cups", "seats": [{"kind": "me", "name": name}, {"kind": "me"}]}
    assert http.post("/api/tables", json=new).json()["code"] == "bad-name"


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("An\u202ena", "Anna"),
        ("\u2067Anna\u2069", "Anna"),
        ("A\u200bn\u00adn\ufeffa", "Anna"),
        ("Anna\u3164\u3164Bo", "Anna Bo"),
        ("Zoë", "Zoë"),
        ("e\u0301", "e\u0301"),
        ("李", "李"),
        ("محمد", "محمد"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("🦊", "🦊"),
        ("👩\u200d🚀\u200d", "👩\u200d🚀"),
        ("!", "!"),
        ("x" * 40, "x" * 40),
    ],
)
def test_names_keep_what_can_be_seen_and_lose_what_cannot(http: httpx.Client, said: str, kept: str) -> None:
    assert http.put("/api/me", json={"name": said}).json() == {"name": kept}
