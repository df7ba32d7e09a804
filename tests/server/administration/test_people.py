"""What an administrator does to people: banned at once and on every server, renamed, signed out, given a password."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.server.administration.holder import holding, new_account, person_called
from tests.server.administration.test_tables import closed
from tests.server.helpers import Server, SocketPlayer, browser, lay, serving, wait_for


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Two servers on one database."""
    data = tmp_path_factory.mktemp("shared")
    with serving(data) as one, serving(data) as other:
        yield one, other


@pytest.mark.parametrize("account", [True, False])
def test_a_banned_person_s_sockets_close_at_once_on_every_server(pair: tuple[Server, Server], account: bool) -> None:
    one, other = pair
    with browser(one.url) as bad, browser(one.url) as good, holding(one) as owner:
        name = new_account(bad)["username"] if account else f"Rowdy{id(bad)}"
        if not account:
            bad.put("/api/me", json={"name": name})
        made = lay(bad, "jumping-cups", "me", "friend")
        table, token = made["table"]["id"], made["keys"][0]["token"]
        good.post(f"/api/tables/{table}/seats/1", json={"invite": made["invites"][0]["invite"], "name": "Bo"})
        elsewhere = lay(good, "jumping-cups", "me", "me")["table"]["id"]
        person = person_called(owner, name)["id"]

        async def run() -> None:
            cookie = bad.cookies["cupboard"]
            theirs = [
                await SocketPlayer.sit(one.port, table, cookie=cookie),
                await SocketPlayer.sit(other.port, table, cookie=cookie),
                await SocketPlayer.sit(other.port, table, token),
                await SocketPlayer.sit(one.port, elsewhere, cookie=cookie),
            ]
            others = [
                await SocketPlayer.sit(server.port, place, cookie=good.cookies["cupboard"])
                for server in pair
                for place in (table, elsewhere)
            ]
            answer = await asyncio.to_thread(owner.post, f"/api/admin/people/{person}/ban")
            assert answer.status_code == 200, answer.text
            assert await asyncio.gather(*map(closed, theirs)) == [4003] * 4
            assert await asyncio.gather(*(closed(player, 0.3) for player in others)) == [None] * 4
            for player in others:
                assert not [message for message in player.others if message["type"] == "refused"]
                await player.close()

        asyncio.run(run())
        for server in pair:
            with browser(server.url, cookies={"cupboard": bad.cookies["cupboard"]}) as http:
                for answer in (
                    http.get("/api/me"),
                    http.post("/api/tables", json={"game": "jumping-cups", "seats": [{"kind": "me"}] * 2}),
                    http.get(f"/api/tables/{table}"),
                ):
                    assert (answer.status_code, answer.json()["code"]) == (403, "banned")
                    assert answer.json()["sentence"].startswith("Whoever runs this server has shut you out.")
            with browser(server.url) as stranger:
                answer = stranger.get(f"/api/tables/{table}", headers={"x-seat-token": token})
                assert answer.json()["code"] == "banned", "nor does the link of the seat let them in"

        owner.delete(f"/api/admin/people/{person}/ban")
        assert bad.get("/api/me").json()["name"].lower() == name.lower(), "who is let in again is who they were"
        assert bad.get(f"/api/tables/{table}").json()["yours"] == [0]


def test_a_banned_account_cannot_sign_in_and_is_told_so_only_with_its_password(server: Server) -> None:
    with browser(server.url) as http, browser(server.url) as phone, holding(server) as owner:
        login = new_account(http)
        owner.post(f"/api/admin/people/{person_called(owner, login['username'])['id']}/ban")
        answer = phone.post("/api/session", json=login)
        assert (answer.status_code, answer.json()["code"]) == (403, "banned")
        wrong = phone.post("/api/session", json=login | {"password": "wrong horse battery"})
        assert wrong.json()["code"] == "bad-login"
        # Another account signs in from the browser of the banned one.
        other = new_account(phone)
        assert http.post("/api/session", json=other).status_code == 201
        assert http.get("/api/me").json()["username"] == other["username"]


def test_a_banned_browser_can_be_signed_out(server: Server) -> None:
    with browser(server.url) as http, holding(server) as owner:
        login = new_account(http)
        owner.post(f"/api/admin/people/{person_called(owner, login['username'])['id']}/ban")
        assert http.get("/api/me").status_code == 403
        assert http.delete("/api/session").status_code == 200
        assert http.get("/api/me").json()["name"] == "Guest"


def test_a_ban_outlives_a_restart(tmp_path: Path) -> None:
    with serving(tmp_path, look_around=60.0) as server, browser(server.url) as http:
        http.put("/api/me", json={"name": "Rowdy"})
        made = lay(http, "jumping-cups", "me", "me")
        with holding(server) as owner:
            owner.post(f"/api/admin/people/{person_called(owner, 'Rowdy')['id']}/ban")
        server.stop()
        server.start()
        assert http.get("/api/me").json()["code"] == "banned"
        token, table = made["keys"][0]["token"], made["table"]["id"]
        answer = httpx.get(f"{server.url}/api/tables/{table}", headers={"x-seat-token": token})
        assert answer.json()["code"] == "banned", "from the first request on"


def test_a_person_is_renamed_in_running_games_on_every_server(pair: tuple[Server, Server]) -> None:
    one, _ = pair
    with browser(one.url) as http, holding(one) as owner:
        http.put("/api/me", json={"name": "Rude Word"})
        table = lay(http, "jumping-cups", "me", "friend")["table"]["id"]
        two_seats = http.post(
            "/api/tables", json={"game": "jumping-cups", "seats": [{"kind": "me"}, {"kind": "me", "name": "Sister"}]}
        ).json()["table"]["id"]
        person = person_called(owner, "Rude Word")["id"]

        async def run() -> None:
            watchers = [await SocketPlayer.sit(server.port, table) for server in pair]
            for watcher in watchers:
                watcher.others.clear()
            renamed = await asyncio.to_thread(owner.put, f"/api/admin/people/{person}/name", json={"name": " Bo  "})
            assert renamed.json()["name"] == "Bo"
            for watcher in watchers:
                seats = await watcher.until("seats")
                assert [seat.get("name", "") for seat in seats["seats"]] == ["Bo", ""]
                await watcher.close()

        asyncio.run(run())
        for server in pair:
            with browser(server.url, cookies={"cupboard": http.cookies["cupboard"]}) as again:
                wait_for(lambda again=again: again.get("/api/me").json()["name"] == "Bo")
                names = [seat["name"] for seat in again.get(f"/api/tables/{two_seats}").json()["seats"]]
                assert names == ["Bo", "Sister"]
                assert "Rude" not in again.get(f"/api/tables/{table}/events").text
        assert http.get(f"/api/tables/{table}").json()["yours"] == [0], "nobody lost a seat"


def test_a_reset_password_is_the_only_one_that_lets_in(server: Server) -> None:
    with browser(server.url) as http, browser(server.url) as phone, holding(server) as owner:
        login = new_account(http)
        person = person_called(owner, login["username"])["id"]
        given = owner.post(f"/api/admin/people/{person}/password").json()["password"]
        assert len(given) == 19 and http.get("/api/me").json()["name"] == "Guest", "all sessions have ended"
        assert phone.post("/api/session", json=login).json()["code"] == "bad-login"
        assert phone.post("/api/session", json=login | {"password": given}).status_code == 201


def how_it_is_met(server: Server, cookie: str) -> str:
    """What a browser with this cookie is told: that it is banned, or who it is."""
    with browser(server.url, cookies={"cupboard": cookie}) as again:
        told = again.get("/api/me").json()
    return str(told.get("code") or told.get("username") or told["name"])


@pytest.mark.parametrize("how", ["password", "sessions"])
def test_sessions_that_end_during_a_ban_stay_ended_after_it(server: Server, how: str) -> None:
    with browser(server.url) as desk, browser(server.url) as phone, holding(server) as owner:
        login = new_account(desk)
        assert phone.post("/api/session", json=login).status_code == 201
        cookies = [desk.cookies["cupboard"], phone.cookies["cupboard"]]
        place = f"/api/admin/people/{person_called(owner, login['username'])['id']}"
        owner.post(f"{place}/ban")
        if how == "password":
            login = login | {"password": owner.post(f"{place}/password").json()["password"]}
        else:
            assert owner.delete(f"{place}/sessions").json()["count"] == 2
        assert [how_it_is_met(server, cookie) for cookie in cookies] == ["banned"] * 2, "they are still told why"
        with browser(server.url) as other:
            assert other.post("/api/session", json=login).json()["code"] == "banned", "the new password is no way in"
            owner.post(f"{place}/ban")  # once more, which changes nothing
            owner.delete(f"{place}/ban")
            assert [how_it_is_met(server, cookie) for cookie in cookies] == ["Guest"] * 2
            assert other.post("/api/session", json=login).status_code == 201


def test_a_person_who_is_banned_twice_has_the_sessions_back_after_it(server: Server, http: httpx.Client) -> None:
    http.put("/api/me", json={"name": "Twice"})
    with holding(server) as owner:
        place = f"/api/admin/people/{person_called(owner, 'Twice')['id']}/ban"
        for _ in range(2):
            owner.post(place)
        owner.delete(place)
    assert http.get("/api/me").json()["name"] == "Twice"


def test_a_guest_has_no_password_to_be_reset(server: Server, http: httpx.Client) -> None:
    http.put("/api/me", json={"name": "Gusta"})
    with holding(server) as owner:
        answer = owner.post(f"/api/admin/people/{person_called(owner, 'Gusta')['id']}/password")
    assert (answer.status_code, answer.json()["code"]) == (409, "no-account")


def test_sessions_have_an_age_and_are_ended_one_by_one_or_all(server: Server) -> None:
    with browser(server.url) as desk, browser(server.url) as phone, holding(server) as owner:
        login = new_account(desk)
        phone.post("/api/session", json=login)
        person = person_called(owner, login["username"])
        assert person["sessions"] == 2
        place = f"/api/admin/people/{person['id']}"
        sessions = owner.get(place).json()["sessions"]
        assert len(sessions) == 2
        for session in sessions:
            assert len(session["id"]) == 12 and session["made"] <= session["used"] < session["expires"]
        last = max(sessions, key=lambda one: one["made"])
        assert owner.delete(f"{place}/sessions/{last['id']}").json().get("count", 1) == 1
        assert phone.get("/api/me").json()["name"] == "Guest"
        assert desk.get("/api/me").json()["username"] == login["username"]
        again = owner.delete(f"{place}/sessions/{last['id']}")
        assert (again.status_code, again.json()["code"]) == (404, "unknown-session")
        owner.delete(f"{place}/sessions")
        assert desk.get("/api/me").json()["name"] == "Guest"
        assert owner.get(place).json()["sessions"] == []
