"""Sessions: a new cookie for whoever signs in, an end to the old one on every server, and none that lasts for ever."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sa
from tests.server.helpers import Server, SocketPlayer, browser, lay, serving
from tests.server.postgres import needs_sqlite, rows_of, store_of
from tests.server.store.older import make_older
from websockets.exceptions import ConnectionClosed

from cupboard.server.people import people as people_module
from cupboard.server.people.people import People
from cupboard.server.people.sessions import digest_of
from cupboard.server.settings import PeopleSettings
from cupboard.server.store.schema import SESSION

PASSWORD = "correct horse battery"
OTHER = "another battery staple"
DAY = 24 * 3600 * 1000
GUEST_DAYS, ACCOUNT_DAYS = PeopleSettings().guest_days, PeopleSettings().account_days


def new_login() -> dict[str, str]:
    return {"username": f"user{time.monotonic_ns()}", "password": PASSWORD}


def name_with(server: Server, cookie: str) -> str:
    """Who one is with this cookie."""
    answer = httpx.get(f"{server.url}/api/me", headers={"cookie": f"cupboard={cookie}"}).json()
    return str(answer.get("username") or answer["name"])


# A new cookie.


def test_registering_gives_a_new_cookie_and_the_guest_s_is_worth_nothing(server: Server, http: httpx.Client) -> None:
    """Session fixation: whoever planted or saw the guest's cookie must not be in the account."""
    made = lay(http, "jumping-cups", "me", "friend")
    guest, login = http.cookies["cupboard"], new_login()
    assert http.post("/api/account", json=login).status_code == 201
    assert http.cookies["cupboard"] != guest
    assert name_with(server, guest) == "Guest"
    assert name_with(server, http.cookies["cupboard"]) == login["username"]
    assert http.get(f"/api/tables/{made['table']['id']}").json()["yours"] == [0], "the seat came along"
    thief = httpx.get(f"{server.url}/api/tables/{made['table']['id']}", headers={"cookie": f"cupboard={guest}"})
    assert thief.json().get("yours") is None


def test_signing_in_gives_a_new_cookie_and_ends_the_old_one(server: Server, http: httpx.Client) -> None:
    login = new_login()
    with browser(server.url) as desk:
        desk.post("/api/account", json=login)
    http.put("/api/me", json={"name": "Bo"})
    guest = http.cookies["cupboard"]
    assert http.post("/api/session", json=login).status_code == 201
    first = http.cookies["cupboard"]
    assert first != guest and name_with(server, guest) == "Guest"
    assert http.post("/api/session", json=login).status_code == 201
    assert name_with(server, first) == "Guest", "signing in twice leaves one session"
    assert name_with(server, http.cookies["cupboard"]) == login["username"]


def test_what_a_guest_played_moves_and_what_another_account_played_does_not(server: Server) -> None:
    anna, bo = new_login(), new_login()
    with browser(server.url) as desk, browser(server.url) as phone:
        phone.post("/api/account", json=bo)
        desk.post("/api/account", json=anna)
        table = lay(desk, "jumping-cups", "me", "friend")["table"]["id"]
        assert desk.post("/api/session", json=bo).status_code == 201
        for who in (desk, phone):
            assert who.get(f"/api/tables/{table}").json().get("yours") is None
            assert who.get("/api/mine").json()["running"] == []
        assert desk.post("/api/session", json=anna).status_code == 201
        assert desk.get(f"/api/tables/{table}").json()["yours"] == [0]
        assert len(desk.get("/api/mine").json()["running"]) == 1


# The end of sessions, and of their sockets.


async def closed(player: SocketPlayer, seconds: float = 5) -> int | None:
    """With which code the server hangs up; None when it does not."""
    try:
        async with asyncio.timeout(seconds):
            while True:
                await player.receive()
    except ConnectionClosed as end:
        assert end.rcvd is not None
        return int(end.rcvd.code)
    except TimeoutError:
        return None


async def watch(*players: SocketPlayer, seconds: float = 5) -> list[int | None]:
    codes = list(await asyncio.gather(*(closed(player, seconds) for player in players)))
    for player in players:
        await player.close()
    return codes


class Two:
    """Two servers on one database."""

    def __init__(self, one: Server, two: Server) -> None:
        self.one, self.two = one, two


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Any:
    data = tmp_path_factory.mktemp("shared")
    with serving(data) as one, serving(data) as other:
        yield Two(one, other)


def test_signing_out_closes_the_session_s_sockets_on_every_server(two: Two) -> None:
    login = new_login()
    with browser(two.one.url) as desk, browser(two.one.url) as phone:
        desk.post("/api/account", json=login)
        phone.post("/api/session", json=login)
        table = lay(desk, "jumping-cups", "me", "friend")["table"]["id"]
        cookies = desk.cookies["cupboard"], phone.cookies["cupboard"]

        async def run() -> None:
            mine = [await SocketPlayer.sit(server.port, table, cookie=cookies[0]) for server in (two.one, two.two)]
            others = [await SocketPlayer.sit(server.port, table, cookie=cookies[1]) for server in (two.one, two.two)]
            assert [player.others[0]["yours"] for player in mine + others] == [[0]] * 4
            assert (await asyncio.to_thread(desk.delete, "/api/session")).status_code == 200
            assert await watch(*mine) == [4003, 4003]
            assert await watch(*others, seconds=0.5) == [None, None], "the phone is still signed in"
            for server in (two.one, two.two):
                assert name_with(server, cookies[0]) == "Guest"
                assert name_with(server, cookies[1]) == login["username"]
                back = await SocketPlayer.sit(server.port, table, cookie=cookies[0])
                assert back.others[0]["yours"] == [], "who comes back watches"
                await back.close()

        asyncio.run(run())


def test_changing_the_password_closes_the_other_sockets_on_every_server(two: Two) -> None:
    login = new_login()
    with browser(two.one.url) as desk, browser(two.one.url) as phone:
        desk.post("/api/account", json=login)
        phone.post("/api/session", json=login)
        table = lay(desk, "jumping-cups", "me", "friend")["table"]["id"]
        cookies = desk.cookies["cupboard"], phone.cookies["cupboard"]

        async def run() -> None:
            mine = [await SocketPlayer.sit(server.port, table, cookie=cookies[0]) for server in (two.one, two.two)]
            others = [await SocketPlayer.sit(server.port, table, cookie=cookies[1]) for server in (two.one, two.two)]
            change = {"old": PASSWORD, "new": OTHER}
            answer = await asyncio.to_thread(lambda: desk.put("/api/account/password", json=change))
            assert answer.json()["username"] == login["username"]
            assert await watch(*others) == [4003, 4003]
            assert await watch(*mine, seconds=0.5) == [None, None], "this device stays signed in"

        asyncio.run(run())
        assert desk.get("/api/me").json()["username"] == login["username"]
        assert phone.get("/api/me").json()["name"] == "Guest"
        assert phone.post("/api/session", json=login).json()["code"] == "bad-login"
        assert phone.post("/api/session", json=login | {"password": OTHER}).status_code == 201


def test_who_registers_or_signs_in_comes_back_to_the_seat_on_every_server(two: Two) -> None:
    anna, bo = new_login(), new_login()
    with browser(two.one.url) as desk, browser(two.one.url) as phone:
        phone.post("/api/account", json=bo)
        table = lay(desk, "jumping-cups", "me", "friend")["table"]["id"]

        async def run(change: Callable[[], httpx.Response], table: str, who: httpx.Client) -> None:
            before = [await SocketPlayer.sit(s.port, table, cookie=who.cookies["cupboard"]) for s in (two.one, two.two)]
            assert (await asyncio.to_thread(change)).status_code == 201
            assert await watch(*before) == [4003, 4003]
            await asyncio.sleep(0.2)
            for server in (two.one, two.two):
                after = await SocketPlayer.sit(server.port, table, cookie=who.cookies["cupboard"])
                assert after.others[0]["yours"] == [0]
                await after.close()

        asyncio.run(run(lambda: desk.post("/api/account", json=anna), table, desk))
        with browser(two.one.url) as guest:
            another = lay(guest, "jumping-cups", "me", "friend")["table"]["id"]
            asyncio.run(run(lambda: guest.post("/api/session", json=bo), another, guest))
            assert {t["id"] for t in phone.get("/api/mine").json()["running"]} == {another}


# Changing the password.


def test_the_password_changes_only_for_who_knows_the_old_one(server: Server, http: httpx.Client) -> None:
    change = {"old": PASSWORD, "new": OTHER}
    assert http.put("/api/account/password", json=change).json()["code"] == "bad-login", "nobody"
    http.put("/api/me", json={"name": "Bo"})
    assert http.put("/api/account/password", json=change).json()["code"] == "bad-login", "a guest has none"
    login = new_login()
    http.post("/api/account", json=login)
    wrong = http.put("/api/account/password", json={"old": "not the password", "new": OTHER})
    assert (wrong.status_code, wrong.json()["code"]) == (403, "bad-login")
    short = http.put("/api/account/password", json={"old": PASSWORD, "new": "short"})
    assert (short.status_code, short.json()["code"]) == (400, "bad-message")
    with browser(server.url) as phone:
        assert phone.post("/api/session", json=login).status_code == 201, "nothing has changed"


def test_guessing_the_old_password_is_slowed_down(http: httpx.Client) -> None:
    http.post("/api/account", json=new_login())
    for _ in range(4):
        assert http.put("/api/account/password", json={"old": "wrong password", "new": OTHER}).status_code == 403
    begun = time.monotonic()
    assert http.put("/api/account/password", json={"old": "wrong password", "new": OTHER}).status_code == 403
    assert time.monotonic() - begun > 0.5


# How long they last.


class World:
    """People in a database, and a clock that the test turns."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 1_794_783_600_000
        monkeypatch.setattr(people_module, "now", lambda: self.now)
        self.store = store_of(folder)
        self.people = People(self.store)

    async def rows(self) -> dict[str, tuple[int, int | None]]:
        query = sa.select(SESSION.c.digest, SESSION.c.expires, SESSION.c.ended)
        return await self.store.read(lambda conn: {r.digest: (r.expires, r.ended) for r in conn.execute(query)})

    def another_server(self) -> People:
        """What another server on this database knows."""
        return People(self.store)


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    world = World(tmp_path, monkeypatch)
    yield world
    world.store.close()


def run(work: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(work())  # type: ignore[arg-type]


@pytest.mark.parametrize(("account", "days"), [(False, GUEST_DAYS), (True, ACCOUNT_DAYS)])
def test_a_session_expires_when_it_is_not_used(world: World, account: bool, days: int) -> None:
    async def work() -> None:
        person, cookie = await world.people.welcome("Anna")
        if account:
            person, cookie = await world.people.register(person, "anna", PASSWORD)
        world.now += days * DAY - 1
        assert await world.another_server().of(cookie) == person
        world.now += days * DAY - 1
        assert await world.people.of(cookie) == person, "its use has prolonged it"
        world.now += days * DAY
        assert await world.people.of(cookie) is None
        assert await world.another_server().of(cookie) is None

    run(work)


def test_a_session_is_prolonged_once_a_day_not_with_every_request(world: World) -> None:
    async def work() -> None:
        _, cookie = await world.people.welcome("Anna")
        first = await world.rows()
        for _ in range(10):
            world.now += DAY // 12
            await world.people.of(cookie)
        assert await world.rows() == first
        world.now += DAY
        await world.people.of(cookie)
        ((expires, _),) = (await world.rows()).values()
        assert expires == world.now + GUEST_DAYS * DAY

    run(work)


def test_what_has_expired_or_ended_is_deleted(world: World) -> None:
    async def work() -> None:
        old, gone = [(await world.people.welcome("Anna"))[1] for _ in range(2)]
        world.now += 300 * DAY
        person, fresh = await world.people.welcome("Bo")
        leaving, out = await world.people.welcome("Cy")
        assert await world.people.of(gone) is not None, "it came back"
        await world.people.sign_out(leaving, out)
        await world.people.sessions.sweep()
        assert {digest_of(c) for c in (old, gone, fresh, out)} == set(await world.rows()), "not yet"
        world.now += 100 * DAY
        await world.people.sessions.sweep()
        assert {digest_of(c) for c in (gone, fresh)} == set(await world.rows())
        assert await world.people.of(fresh) == person

    run(work)


def test_another_server_believes_an_ended_session_no_longer_than_until_it_looks(world: World) -> None:
    async def work() -> None:
        other = world.another_server()
        person, cookie = await world.people.welcome("Anna")
        assert await other.of(cookie) == person
        await world.people.sign_out(person, cookie)
        assert await other.sessions.newly_ended() == {digest_of(cookie): person.id}
        assert await other.of(cookie) is None
        assert await other.sessions.newly_ended() == {}, "each is told once"

    run(work)


def test_a_server_that_never_looks_asks_again_after_a_while(world: World) -> None:
    async def work() -> None:
        other = world.another_server()
        person, cookie = await world.people.welcome("Anna")
        assert await other.of(cookie) == person
        await world.people.sign_out(person, cookie)
        world.now += 6 * 60 * 1000
        assert await other.of(cookie) is None

    run(work)


def test_the_browser_keeps_the_cookie_as_long_as_the_session_lasts(server: Server, http: httpx.Client) -> None:
    def age(answer: httpx.Response) -> int:
        words = dict(w.split("=", 1) for w in answer.headers["set-cookie"].lower().split("; ") if "=" in w)
        return int(words["max-age"])

    assert age(http.put("/api/me", json={"name": "Anna"})) == GUEST_DAYS * DAY // 1000
    assert age(http.get("/api/me")) == GUEST_DAYS * DAY // 1000, "every visit begins anew"
    assert http.get("/api/me").headers["cache-control"] == "no-store", "or a cache would hand it to others"
    assert age(http.post("/api/account", json=new_login())) == ACCOUNT_DAYS * DAY // 1000
    assert age(http.get("/api/me")) == ACCOUNT_DAYS * DAY // 1000
    assert age(http.delete("/api/session")) == 0
    assert "set-cookie" not in http.get("/api/me").headers


@pytest.mark.parametrize("https", [True, False])
def test_under_https_the_cookie_is_marked_secure(tmp_path: Path, https: bool) -> None:
    with serving(tmp_path, https=https) as server, browser(server.url) as http:
        answers = [http.put("/api/me", json={"name": "Anna"}), http.post("/api/account", json=new_login())]
        answers.append(http.delete("/api/session", headers={"cookie": answers[1].headers["set-cookie"].split(";")[0]}))
        for answer in answers:
            words = answer.headers["set-cookie"].lower().split("; ")
            assert ("secure" in words) is https and "httponly" in words and "samesite=lax" in words


@needs_sqlite
def test_sessions_of_an_older_database_go_on(tmp_path: Path) -> None:
    login = new_login()
    with serving(tmp_path) as server:
        with browser(server.url) as desk, browser(server.url) as phone:
            desk.post("/api/account", json=login)
            phone.put("/api/me", json={"name": "Bo"})
            account, guest = desk.cookies["cupboard"], phone.cookies["cupboard"]
        server.stop()
        make_older(tmp_path / "cupboard.db", "0002")
        server.start()
        assert (name_with(server, account), name_with(server, guest)) == (login["username"], "Bo")
        with rows_of(tmp_path) as db:
            expires = dict(db.execute("SELECT digest, expires FROM session"))
        days = {digest: round((until - time.time() * 1000) / DAY) for digest, until in expires.items()}
        assert days[digest_of(account)] == ACCOUNT_DAYS and days[digest_of(guest)] == GUEST_DAYS
