"""Invites: each friend gets the seat of the own link, and a stranger none."""

from __future__ import annotations

import httpx
import pytest
from tests.server.helpers import Server, browser, lay

from cupboard.server.limits.rates import HOME


def sit_like_the_page(friend: httpx.Client, table: str, invite: str, name: str) -> int:
    """Try the link at every free seat in turn, as Join.svelte does: a link does not say which seat it is for."""
    free = [s["seat"] for s in friend.get(f"/api/tables/{table}").json()["seats"] if s["kind"] == "free"]
    for seat in free:
        answer = friend.post(f"/api/tables/{table}/seats/{seat}", json={"invite": invite, "name": name})
        if answer.status_code == 201:
            return int(answer.json()["key"]["seat"])
        assert (answer.status_code, answer.json()["code"]) == (403, "bad-invite"), answer.text
    raise AssertionError(f"{name} found no seat")


@pytest.mark.parametrize("order", [(1, 2), (2, 1)])
def test_two_invited_friends_both_sit_down_and_a_stranger_does_not(
    server: Server, http: httpx.Client, order: tuple[int, int]
) -> None:
    made = lay(http, "double-dutch", "me", "friend", "friend")
    table = made["table"]["id"]
    links = {invite["seat"]: invite["invite"] for invite in made["invites"]}
    with browser(server.url) as first, browser(server.url) as second, browser(server.url) as stranger:
        for seat, friend in zip(order, (first, second), strict=True):
            refused = stranger.post(f"/api/tables/{table}/seats/{seat}", json={"name": "Eve"})
            assert (refused.status_code, refused.json()["code"]) == (403, "bad-invite")
            refused = stranger.post(f"/api/tables/{table}/seats/{seat}", json={"invite": "0" * 32})
            assert (refused.status_code, refused.json()["code"]) == (403, "bad-invite")
            assert sit_like_the_page(friend, table, links[seat], f"Friend {seat}") == seat
        assert http.get(f"/api/tables/{table}").json()["status"] == "playing"
        late = stranger.post(f"/api/tables/{table}/seats/1", json={"invite": links[1]})
        assert (late.status_code, late.json()["code"]) == (409, "seat-taken")


def test_five_friends_of_one_household_find_their_seats_in_any_order(server: Server, http: httpx.Client) -> None:
    """Trying a friend's seat is no guessing: it does not use up the household's wrong links."""
    for _ in range(3):
        made = lay(http, "cup-king", "me", *["friend"] * 5)
        for invite in reversed(made["invites"]):
            with browser(server.url) as friend:
                assert sit_like_the_page(friend, made["table"]["id"], invite["invite"], "F") == invite["seat"]


def test_guessing_invites_is_slowed_down(server: Server, http: httpx.Client) -> None:
    table = lay(http, "jumping-cups", "me", "friend")["table"]["id"]
    guesses = [{"invite": f"{n:032x}"} for n in range(HOME["links"][0] + 3)]
    codes = [http.post(f"/api/tables/{table}/seats/1", json=guess).json()["code"] for guess in guesses]
    assert codes[0] == "bad-invite" and codes[-1] == "too-many"


def test_an_invite_of_another_table_is_a_guess(server: Server, http: httpx.Client) -> None:
    one, two = (lay(http, "jumping-cups", "me", "friend") for _ in range(2))
    other = {"invite": two["invites"][0]["invite"]}
    address = f"/api/tables/{one['table']['id']}/seats/1"
    codes = [http.post(address, json=other).json()["code"] for _ in range(HOME["links"][0] + 3)]
    assert codes[0] == "bad-invite" and codes[-1] == "too-many"


def test_invites_are_for_those_at_the_table_not_for_any_guest(server: Server, http: httpx.Client) -> None:
    table = lay(http, "double-dutch", "me", "friend", "open")["table"]["id"]
    address = f"/api/tables/{table}/invites"
    with browser(server.url) as guest, browser(server.url) as account, browser(server.url) as friend:
        lay(guest, "jumping-cups", "me", "friend")  # a cookie, and a table of their own
        account.post("/api/account", json={"username": f"eve{table}".lower(), "password": "long enough"})
        for stranger in (guest, account, friend):
            refused = stranger.get(address)
            assert (refused.status_code, refused.json()["code"]) == (403, "not-your-seat")
        assert [invite["seat"] for invite in http.get(address).json()] == [1, 2]
        assert friend.post(f"/api/tables/{table}/seats/2", json={"name": "Bo"}).status_code == 201
        assert [invite["seat"] for invite in friend.get(address).json()] == [1], "who sits at the table may invite"
        http.cookies.clear()
        assert http.get(address).status_code == 403


def test_who_laid_a_table_for_others_may_invite_without_a_seat(server: Server, http: httpx.Client) -> None:
    table = lay(http, "jumping-cups", "friend", "friend")["table"]["id"]
    assert len(http.get(f"/api/tables/{table}/invites").json()) == 2
