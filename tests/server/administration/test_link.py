"""The admin link: nobody else is let in or learns anything, and a link that leaked is worthless when it is renewed."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest
from tests.server.administration.holder import holding, new_account, new_token, person_called
from tests.server.helpers import Server, browser, lay, serving
from tests.server.postgres import rows_of

from cupboard.server.administration.running import running_servers
from cupboard.server.http import administration
from cupboard.server.limits.rates import HOME

ENDPOINTS = [
    (method, path.replace("{table:str}", "x").replace("{person:str}", "x").replace("{session:str}", "x"))
    for handler in administration.HANDLERS
    for path in handler.paths
    for method in sorted(handler.http_methods)
    if method != "OPTIONS"
]
BODIES = [None, b"", b"{", b'{"name": 5}', b"[" * 5000]


def ask(http: httpx.Client, method: str, path: str, **more: object) -> httpx.Response:
    return http.request(method, path, **more)  # type: ignore[arg-type]


def test_there_are_endpoints_to_be_kept() -> None:
    assert len(ENDPOINTS) == 14 and ("GET", "/api/admin/now") in ENDPOINTS


@pytest.mark.parametrize(("method", "path"), ENDPOINTS)
def test_without_the_token_everything_is_refused_in_the_same_words(server: Server, method: str, path: str) -> None:
    new_token(server.data)
    with browser(server.url) as stranger, browser(server.url) as member:
        new_account(member)
        answers = [
            ask(stranger, method, path),
            ask(member, method, path),
            *(
                ask(stranger, method, path, headers={"x-admin-token": wrong})
                for wrong in (b"x", b"x" * 5000, "Ä".encode())
            ),
            *(ask(stranger, method, path, content=body) for body in BODIES if method in ("POST", "PUT")),
        ]
    assert {answer.status_code for answer in answers} == {403}
    assert {answer.json()["code"] for answer in answers} == {"not-admin"}
    assert len({answer.text for answer in answers}) == 1, "a wrong token is told no more than none"


def test_a_server_without_a_link_lets_nobody_in(tmp_path: Path) -> None:
    with serving(tmp_path) as server, browser(server.url) as http:
        for token in ("", "None", "x"):
            assert http.get("/api/admin/now", headers={"x-admin-token": token}).status_code == 403


def test_a_link_that_leaked_is_worthless_when_it_is_renewed(server: Server) -> None:
    token = new_token(server.data)
    with holding(server, token) as thief:
        assert thief.get("/api/admin/now").status_code == 200
        with holding(server) as owner:
            assert thief.get("/api/admin/now").status_code == 403, "on the connection that is open, too"
            assert owner.get("/api/admin/now").status_code == 200


def test_the_database_keeps_the_digest_only(server: Server) -> None:
    token = new_token(server.data)
    with rows_of(server.data) as db:
        ((digest, _),) = db.execute("SELECT * FROM admin_link")
        dump = db.dump()
    assert len(digest) == 64 and token not in dump


def test_whoever_guesses_is_slowed_down_and_the_owner_beside_them_is_not(server: Server) -> None:
    with holding(server) as owner, browser(server.url) as guesser:
        codes = [
            guesser.get("/api/admin/now", headers={"x-admin-token": f"guess{n}"}).status_code
            for n in range(HOME["admin"][0] + 5)
        ]
        assert codes[: HOME["admin"][0]] == [403] * HOME["admin"][0] and codes[-1] == 429
        assert owner.get("/api/admin/now").status_code == 200


def test_nothing_is_kept_by_a_cache_and_the_page_is_not_indexed(server: Server) -> None:
    with holding(server) as owner:
        assert owner.get("/api/admin/now").headers["cache-control"] == "no-store"
        assert owner.get("/api/admin/people").headers["cache-control"] == "no-store"
        page = owner.get("/admin")
        assert page.status_code == 200 and "text/html" in page.headers["content-type"]
        assert page.headers["cache-control"] == "no-store" and "noindex" in page.headers["x-robots-tag"]


def test_another_site_s_page_cannot_use_it(server: Server) -> None:
    with holding(server) as owner:
        answer = owner.post("/api/admin/tables/x/close", headers={"origin": "https://elsewhere.example"})
        assert (answer.status_code, answer.json()["code"]) == (403, "bad-origin")


def test_what_an_administrator_does_is_logged_without_a_token(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with serving(tmp_path) as server, browser(server.url) as http:
        new_account(http)
        token = new_token(tmp_path)
        with holding(server, token) as owner:
            (person,) = owner.get("/api/admin/people").json()
            owner.post(f"/api/admin/people/{person['id']}/ban")
            password = owner.post(f"/api/admin/people/{person['id']}/password").json()["password"]
            owner.get("/api/admin/now", headers={"x-admin-token": "guess-" + token})
        (running,) = running_servers(tmp_path)
    logged = capfd.readouterr().err
    assert f" admin-banned by=link person={person['id']}\n" in logged
    assert f" admin-password-reset by=link person={person['id']}\n" in logged
    assert " admin-token-wrong address=127." in logged
    assert not any(secret in logged for secret in (token, password, running.key))


def test_everything_that_an_administrator_does_is_an_event_of_its_own_without_names(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with serving(tmp_path) as server, holding(server) as owner:
        people, tables = [], []
        for name in ("Ottilie", "Waldemar"):
            with browser(server.url) as one:
                one.put("/api/me", json={"name": name})
                made = lay(one, "jumping-cups", "me", "me", listed=True)["table"]["id"]
                one.post("/api/account", json={"username": name.lower(), "password": "correct horse battery"})
            tables.append(made)
            people.append(person_called(owner, name)["id"])
        for table in tables:
            owner.post(f"/api/admin/tables/{table}/end", json={})
            owner.post(f"/api/admin/tables/{table}/close")
        for person in people:
            place = f"/api/admin/people/{person}"
            owner.put(f"{place}/name", json={"name": "Kunigunde"})
            owner.post(f"{place}/ban")
            owner.delete(f"{place}/ban")
            owner.get(f"{place}/export")
            owner.delete(f"{place}/sessions")
            owner.post(f"{place}/password")
            assert owner.delete(place).status_code == 200
    logged = capfd.readouterr().err
    events = [line.split(" ", 2)[2] for line in logged.splitlines() if " admin-" in line]
    assert events == [
        *(f"{event} by=link table={table}" for table in tables for event in ("admin-game-ended", "admin-table-closed")),
        *(
            event.replace(" ", f" by=link person={person} ").rstrip()
            for person in people
            for event in (
                "admin-renamed ",
                "admin-banned ",
                "admin-unbanned ",
                "admin-exported ",
                "admin-sessions-ended count=1",
                "admin-password-reset ",
                "admin-deleted ",
            )
        ),
    ]
    assert not [name for name in ("ottilie", "waldemar", "kunigunde") if name in logged.lower()]


ODD = ["%00", "..%2f..%2fnow", "'; DROP TABLE person; --", "x" * 4000, "%F0%9F%8E%B2", "%ff%fe", "nobody", "-1", "%25_"]


@pytest.mark.parametrize("odd", ODD)
def test_odd_ids_find_nobody_and_harm_nothing(server: Server, odd: str) -> None:
    with holding(server) as owner:
        before = owner.get("/api/admin/now").json()["counts"]["accounts"]
        for method, path in ENDPOINTS:
            filled = path.replace("/x/sessions/x", f"/{odd}/sessions/{odd}").replace("/x", f"/{odd}", 1)
            if filled == path:
                continue
            body = {"json": {"name": "Ida"}} if path.endswith("/name") else {"json": {}} if method == "POST" else {}
            answer = ask(owner, method, filled, **body)
            assert answer.status_code in (400, 404), (filled, answer.text)
        for place in ("people", "tables"):
            found = owner.get(f"/api/admin/{place}?find={odd}")
            assert found.status_code in (200, 400) and (found.status_code == 400 or not found.json())
        assert owner.get("/api/admin/now").json()["counts"]["accounts"] == before


@pytest.mark.parametrize(
    "body", [{}, {"name": ""}, {"name": "x" * 41}, {"name": 5}, {"name": "\u200b"}, {"name": None}]
)
def test_a_name_that_is_none_is_refused(server: Server, http: httpx.Client, body: dict[str, object]) -> None:
    login = new_account(http)
    with holding(server) as owner:
        (person,) = owner.get("/api/admin/people", params={"find": login["username"]}).json()
        answer = owner.put(f"/api/admin/people/{person['id']}/name", json=body)
        assert answer.status_code == 400, answer.text
    assert http.get("/api/me").json()["name"] == login["username"].title()
