"""Input that makes no sense gets a sentence and a code, never a 500; and too much of it is told so."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import httpx
import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.server.helpers import Household, Server, browser, lay, serving

from cupboard.core.registry import find, names
from cupboard.server.limits.rates import HOME

NEW = {"game": "chinese-checkers", "seats": [{"kind": "me"}, {"kind": "me"}]}
DEEP = 20_000
BODIES = [
    ("POST", "/api/tables"),
    ("POST", "/api/tables/{table}/seats/0"),
    ("PUT", "/api/me"),
    ("POST", "/api/account"),
    ("PUT", "/api/account/password"),
    ("POST", "/api/session"),
]


@pytest.fixture(scope="module")
def table(server: Server) -> str:
    with browser(server.url) as http:
        return str(lay(http, "jumping-cups", "me", "me")["table"]["id"])


def refused(answer: httpx.Response, *codes: str) -> None:
    assert 400 <= answer.status_code < 500, (answer.status_code, answer.text[:200])
    problem = answer.json()
    assert problem["sentence"] and problem["code"] in (codes or (problem["code"],)), problem


@pytest.mark.parametrize("name", ["seats", "name", "self", "cls", "args", "options", "game"])
@pytest.mark.parametrize("game", names())
def test_options_with_a_programmer_s_names_are_unknown_options(http: httpx.Client, name: str, game: str) -> None:
    answer = http.post("/api/tables", json=NEW | {"game": game, "options": {name: 3}})
    refused(answer, "bad-option")
    assert name in answer.json()["sentence"]


def test_no_game_has_an_option_with_such_a_name() -> None:
    assert not {o.name for game in names() for o in find(game).OPTIONS} & {"seats", "name", "self"}


@pytest.mark.parametrize(
    "value",
    [b"9" * 30, b"9" * 5000, b"-1", b"1e400", b"NaN", b"1.5", b"null", b"[]", b'"%b"' % (b"9" * 5000), b'"\\u0000"'],
    ids=lambda value: value[:12].decode(),
)
def test_numbers_out_of_all_bounds(http: httpx.Client, value: bytes) -> None:
    body = msgspec.json.encode(NEW | {"options": {"turn_limit": msgspec.Raw(value)}})
    name = next(o.name for o in find("chinese-checkers").OPTIONS if type(o.default) is int)
    refused(http.post("/api/tables", content=body.replace(b"turn_limit", name.encode())))
    clock = msgspec.json.encode(NEW | {"clock": {"start": msgspec.Raw(value)}})
    refused(http.post("/api/tables", content=clock))


@pytest.mark.parametrize(("method", "path"), BODIES)
@pytest.mark.parametrize(
    "content",
    [
        b"[" * DEEP + b"]" * DEEP,
        b"[" * DEEP,
        b'{"name":' * 6000,
        b'{"name":' + b"[" * DEEP + b"]" * DEEP + b"}",
        b'{"name": "\xed\xa0\x80"}',
        b'{"name": "\\ud800"}',
        b"\xff\xfe\x00",
        b'{"name": 1}',
        b'"name"',
        b"\x00",
    ],
    ids=["list", "open list", "open object", "in a field", "surrogate", "escape", "bytes", "number", "string", "NUL"],
)
def test_bodies_that_are_no_message(server: Server, table: str, method: str, path: str, content: bytes) -> None:
    Household.move()
    with browser(server.url) as http:
        refused(http.request(method, path.format(table=table), content=content), "bad-message")


@pytest.mark.parametrize(
    "path",
    [
        "/%00",
        "/a%00b",
        "/assets/" + "x" * 5000,
        "/assets/" + "x/" * 3000,
        "/..%2f..%2f..%2fetc%2fpasswd",
        "/%2e%2e/%2e%2e/app.py",
        "//etc/passwd",
        "/%ff%fe",
        "/%ED%A0%80",
        "/api/tables/%00",
        "/api/tables/" + "x" * 5000,
        "/api/games/%00/scene",
        "/api/games/..%2fcore/rules",
        "/api/tables/{table}/events?since=-1",
        "/api/tables/{table}/events?since=" + "9" * 5000,
        "/api/tables/{table}/events?since=%00",
        "/api/tables/{table}/events?since=NaN",
        "/api/tables/{table}/scenes?until=-3",
        "/api/tables/{table}/picture.svg?version=99999999999999999999",
        "/api/tables/{table}/picture.png?theme=%00",
        "/api/games/cup-king/picture.svg?theme=purple",
    ],
    ids=lambda path: path[:40],
)
def test_addresses_that_lead_nowhere(http: httpx.Client, table: str, path: str) -> None:
    refused(http.get(path.format(table=table)), "not-found", "bad-message", "unknown-table", "unknown-game")


@pytest.mark.parametrize("seat", ["9" * 30, "9" * 5000, "%00", "1e3", "-1"])
def test_seats_that_are_none(http: httpx.Client, table: str, seat: str) -> None:
    refused(http.post(f"/api/tables/{table}/seats/{seat}", json={}))


@pytest.mark.parametrize("username", ["anna\n", "an\u0000na", "anna ", "änna", "a" * 31, "\u0430nna"])
def test_usernames_are_plain(http: httpx.Client, username: str) -> None:
    refused(http.post("/api/account", json={"username": username, "password": "long enough"}), "bad-message")


def test_headers_with_strange_bytes(http: httpx.Client, table: str) -> None:
    assert http.get("/api/me", headers=[(b"cookie", b"cupboard=\xff\xed\xa0\x80")]).json()["name"] == "Guest"
    assert http.get("/api/me", headers={"cookie": "cupboard=" + "x" * 5000}).json()["name"] == "Guest"
    refused(http.get(f"/api/tables/{table}", headers=[(b"x-seat-token", b"\xff\xfe")]), "bad-message")
    refused(http.get(f"/api/tables/{table}", headers={"x-seat-token": "x" * 65}), "bad-message")


# Whatever else a program may think of.


@pytest.fixture(scope="module")
def unlimited(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """Hundreds of requests in a second: the one place where the limits would be in the way."""
    with serving(tmp_path_factory.mktemp("unlimited"), limited=False) as server, browser(server.url) as http:
        yield http


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=50),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
    max_leaves=12,
)
FIELDS = ["game", "seats", "options", "clock", "listed", "name", "invite", "username", "password", "old", "new", "kind"]
QUICKLY = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@QUICKLY
@given(method_path=st.sampled_from(BODIES), body=st.dictionaries(st.sampled_from(FIELDS), JSON, max_size=6))
def test_no_body_is_a_surprise(unlimited: httpx.Client, method_path: tuple[str, str], body: dict[str, Any]) -> None:
    method, path = method_path
    content = json.dumps(body).encode()  # with NaN and lone surrogates, as JavaScript and Python write them
    assert unlimited.request(method, path.format(table="x"), content=content).status_code < 500


@QUICKLY
@given(value=JSON, name=st.text(max_size=41), game=st.sampled_from(names()))
def test_no_option_is_a_surprise(unlimited: httpx.Client, value: Any, name: str, game: str) -> None:
    kind = find(game)
    for option in [name, "profile", *(o.name for o in kind.OPTIONS[:3])]:
        body = NEW | {"game": game, "seats": [{"kind": "me"}] * kind.SEATS[0], "options": {option: value}}
        assert unlimited.post("/api/tables", content=json.dumps(body).encode()).status_code < 500


@pytest.mark.parametrize(
    "number", [10**20, -(10**20), 2**63, 2**63 - 1, -1, 10**400], ids=lambda number: str(number)[:21]
)
def test_no_number_in_an_address_is_a_surprise(unlimited: httpx.Client, number: int) -> None:
    """Every number of every path and query, also larger ones than the database can hold, as whoever may ask."""
    unlimited.post("/api/account", json={"username": f"meier-{secrets.token_hex(4)}", "password": "correct horse"})
    known = {
        "class_id": unlimited.post("/api/classes", json={"name": "5b"}).json()["id"],
        "table": lay(unlimited, "jumping-cups", "me", "me")["table"]["id"],
        "name": "jumping-cups",
    }
    walked = []
    for path, verbs in unlimited.get("/api/schema/openapi.json").json()["paths"].items():
        for verb, does in verbs.items():
            numbers = [one for one in does.get("parameters", ()) if "integer" in json.dumps(one["schema"])]
            told = known | {one["name"]: str(number) for one in numbers if one["in"] == "path"}
            query = {one["name"]: str(number) for one in numbers if one["in"] == "query"}
            if numbers:
                body = {"score": "first"} if verb in ("put", "post") else None
                answer = unlimited.request(verb, path.format(**told), params=query, json=body)
                assert answer.status_code < 500, (verb, path, answer.text)
                walked.append(path)
    assert "/api/classes/{class_id}/tournaments/{after}" in walked and len(walked) >= 10
    unlimited.cookies.clear()


@QUICKLY
@given(
    path=st.text(st.characters(exclude_categories=["Cs"]), max_size=60), query=st.text("=&%0123abc\x00.", max_size=20)
)
def test_no_address_is_a_surprise(unlimited: httpx.Client, path: str, query: str) -> None:
    for start in ("/", "/api/", "/api/tables/", "/api/games/", "/assets/", "/t/"):
        assert unlimited.get(f"{start}{quote(path, safe='/')}?{quote(query, safe='=&')}").status_code < 500


def test_too_many_requests_without_sense_are_told_so(server: Server, http: httpx.Client, table: str) -> None:
    most = HOME["faults"][0]
    codes = [http.get("/%00").json()["code"] for _ in range(most // 2)]
    codes += [http.put("/api/me", content=b"[" * DEEP).json()["code"] for _ in range(most // 2)]
    assert set(codes) == {"not-found", "bad-message"}
    codes = [http.post("/api/tables", content=b"{").json()["code"] for _ in range(10)]
    codes += [http.get("/assets/" + "x" * 5000).json()["code"] for _ in range(10)]
    assert codes[-1] == "too-many" and codes.count("too-many") > 10
    assert http.get(f"/api/tables/{table}").status_code == 200, "what makes sense is answered as ever"
    Household.move()
    with browser(server.url) as neighbour:
        assert neighbour.get("/%00").json()["code"] == "not-found"
