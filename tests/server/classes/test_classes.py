"""A class at a real server: joining, pairing, results, coming back, and who may see what."""

from __future__ import annotations

import asyncio
import csv
import io
import secrets
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.server.administration.holder import holding, person_called
from tests.server.helpers import Household, Server, SocketPlayer, browser, serving, wait_for
from tests.server.postgres import rows_of

from cupboard.server.limits.rates import HOME
from cupboard.server.settings import PeopleSettings

GAME = "jumping-cups"


@contextmanager
def teaching(server: Server, name: str = "Class 5b") -> Iterator[tuple[httpx.Client, dict[str, Any]]]:
    """A teacher with an account, and the class they have made."""
    with browser(server.url) as http:
        http.put("/api/me", json={"name": "Ms Meier"})
        login = {"username": f"meier-{secrets.token_hex(4)}", "password": "correct horse battery"}
        assert http.post("/api/account", json=login).status_code == 201
        made = http.post("/api/classes", json={"name": name})
        assert made.status_code == 201, made.text
        yield http, made.json()


@contextmanager
def pupils(server: Server, code: str, *names: str) -> Iterator[list[httpx.Client]]:
    """Pupils with a browser each, who have joined."""
    with ExitStack() as stack:
        clients = [stack.enter_context(browser(server.url)) for _ in names]
        for client, name in zip(clients, names, strict=True):
            joined = client.post("/api/join", json={"code": code, "name": name})
            assert (joined.status_code, joined.json()["name"]) == (201, name), joined.text
        yield clients


def shown(teacher: httpx.Client, room: dict[str, Any]) -> dict[str, Any]:
    answer = teacher.get(f"/api/classes/{room['id']}")
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def pair(teacher: httpx.Client, room: dict[str, Any], **more: Any) -> httpx.Response:
    """Pair everybody, or those whose names are `among`, for the next round."""
    now = shown(teacher, room)
    among = more.pop("among", None)
    present = [one["id"] for one in now["members"] if not one.get("gone") and (among is None or one["name"] in among)]
    body = {"game": GAME, "method": "swiss", "members": present, "after": len(now["rounds"])}
    return teacher.post(f"/api/classes/{room['id']}/rounds", json=body | more)


def ids(info: dict[str, Any]) -> dict[str, str]:
    return {one["name"]: one["id"] for one in info["members"]}


def give(teacher: httpx.Client, room: dict[str, Any], board: dict[str, Any], score: str) -> httpx.Response:
    place = f"/api/classes/{room['id']}/rounds/{board['round']}/boards/{board['board']}"
    return teacher.put(place, json={"score": score})


def rows(answer: httpx.Response, delimiter: str = ",") -> list[list[str]]:
    assert answer.status_code == 200, answer.text
    assert answer.content.startswith(b"\xef\xbb\xbf"), "Excel opens umlauts only after the mark"
    return list(csv.reader(io.StringIO(answer.content.decode("utf-8-sig"), newline=""), delimiter=delimiter))


def test_a_class_is_made_by_an_account_and_joined_by_its_code(server: Server, http: httpx.Client) -> None:
    assert http.post("/api/classes", json={"name": "x"}).json()["code"] == "needs-account"
    http.put("/api/me", json={"name": "Guest"})
    assert http.post("/api/classes", json={"name": "x"}).status_code == 403
    with teaching(server, "  Chess\u0000 club ") as (teacher, made):
        assert (made["name"], made["members"], len(made["code"])) == ("Chess club", [], 6)
        aloud = f" {made['code'][:3].lower()}-{made['code'][3:].lower()} "
        assert http.get(f"/api/join/{made['code'].lower()}").json() == {
            "id": made["id"],
            "name": "Chess club",
            "teacher": "Ms Meier",
        }
        joined = http.post("/api/join", json={"code": aloud, "name": " Zoë "})
        assert joined.json() == {"id": made["id"], "name": "Zoë"}
        assert http.get(f"/api/join/{made['code']}").json()["member"] == "Zoë"
        again = http.post("/api/join", json={"code": made["code"], "name": "Somebody else"})
        assert again.json()["name"] == "Zoë", "whoever is in the class stays who they are"
        assert [one["name"] for one in shown(teacher, made)["members"]] == ["Zoë"]
        assert http.get("/api/classes").json()["member"][0] == {
            "id": made["id"],
            "name": "Chess club",
            "teacher": "Ms Meier",
        }
        assert teacher.get("/api/classes").json()["teaching"][0]["members"] == 1


def test_two_in_a_class_are_not_called_the_same(server: Server, http: httpx.Client) -> None:
    with teaching(server) as (teacher, made), pupils(server, made["code"], "Anna", "Bo"):
        for name in ("Anna", "anna", " ANNA "):
            refused = http.post("/api/join", json={"code": made["code"], "name": name})
            assert (refused.status_code, refused.json()["code"]) == (409, "name-taken")
            assert "cupboard" not in http.cookies and "set-cookie" not in refused.headers
        for name in ("", " ", "\u200b"):
            assert http.post("/api/join", json={"code": made["code"], "name": name}).json()["code"] == "bad-name"
        place = f"/api/classes/{made['id']}/members/{ids(shown(teacher, made))['Bo']}"
        assert teacher.put(place, json={"name": "anna"}).json()["code"] == "name-taken"
        assert "BO!" in ids(teacher.put(place, json={"name": "BO!"}).json())


def test_one_click_lays_the_tables_and_the_games_begin(server: Server) -> None:
    with (
        teaching(server) as (teacher, made),
        pupils(server, made["code"], "Anna", "Bo", "Cai", "Dee", "Eve") as clients,
    ):
        paired = pair(teacher, made)
        assert paired.status_code == 201, paired.text
        info = paired.json()
        assert len(info["boards"]) == 3 and [one["running"] for one in info["rounds"]] == [2]
        out = [board for board in info["boards"] if "table" not in board]
        assert [board["score"] for board in out] == ["bye"]
        views = [client.get(f"/api/classes/{made['id']}/me").json() for client in clients]
        seated: dict[str, list[str]] = {}
        for client, view in zip(clients, views, strict=True):
            if not view.get("table"):
                assert view["boards"][0]["points"] == 1.0
                continue
            table = client.get(f"/api/tables/{view['table']}").json()
            assert table["status"] == "playing" and len(table["yours"]) == 1
            assert table["seats"][table["yours"][0]]["name"] == view["you"]
            assert client.get("/api/mine").json()["running"][0]["id"] == view["table"]
            seated.setdefault(view["table"], []).append(view["you"])
        assert sorted(map(len, seated.values())) == [2, 2]
        assert all(one["here"] for one in shown(teacher, made)["members"]), "their pages have just asked"
        assert not teacher.get("/api/tables").json()["join"]


def test_pressing_twice_pairs_once_and_running_games_are_not_forgotten(server: Server) -> None:
    with teaching(server) as (teacher, made), pupils(server, made["code"], "Anna", "Bo", "Cai", "Dee"):
        assert pair(teacher, made, among=["Anna"]).json()["code"] == "cannot-pair"
        assert pair(teacher, made, among=["Anna", "Bo"]).status_code == 201
        assert pair(teacher, made, after=0).json()["code"] == "stale"
        running = pair(teacher, made)
        assert (running.status_code, running.json()["code"]) == (409, "cannot-pair")
        assert "1 game is not over" in running.json()["sentence"]
        info = pair(teacher, made, among=["Cai", "Dee"], anyway=True).json()
        assert [(one["round"], one["board"]) for one in info["boards"]] == [(1, 1), (2, 1)], "both are in sight"
        earlier = teacher.get(f"/api/classes/{made['id']}/rounds/1").json()
        assert [one["table"] for one in earlier] == [info["boards"][0]["table"]]


def test_what_cannot_be_paired_is_said(server: Server) -> None:
    with teaching(server) as (teacher, made), pupils(server, made["code"], "Anna", "Bo"):
        for change, code in (
            ({"game": "nothing"}, "unknown-game"),
            ({"game": "cup-king", "bot": "nobody", "clock": {"start": 1}}, "bad-clock"),
            ({"method": "elo"}, "bad-message"),
            ({"members": ["no-such-member", "neither-this"]}, "unknown-member"),
            ({"members": ["x" * 12] * 101}, "bad-message"),
            ({"members": []}, "cannot-pair"),
        ):
            assert pair(teacher, made, **change).json()["code"] == code, change
        both = ids(shown(teacher, made))
        twice = pair(teacher, made, members=[both["Anna"], both["Anna"]])
        assert twice.json()["code"] == "cannot-pair", "Anna does not play Anna"


def test_results_follow_from_the_games_and_make_the_standings(server: Server) -> None:
    with teaching(server) as (teacher, made), pupils(server, made["code"], "Anna", "Bo") as (anna, _):
        board = pair(teacher, made, method="round-robin").json()["boards"][0]

        async def resign() -> None:
            player = await SocketPlayer.sit(server.port, board["table"], cookie=anna.cookies["cupboard"])
            live = shown(teacher, made)["boards"][0]
            assert live["here"] == [player.update["seat"]] and live["status"] == "playing"
            assert len(live["asked"]) == 1
            await player.say(type="resign")
            await player.close()

        asyncio.run(resign())
        info = shown(teacher, made)
        assert info["members"][0] | {"id": ""} == {
            "id": "",
            "buchholz": 0, "name": "Bo", "rank": 1, "points": 1.0, "played": 1, "won": 1,
        }  # fmt: skip
        assert info["boards"][0]["score"] in ("first", "second") and "by_hand" not in info["boards"][0]
        again = pair(teacher, made, method="round-robin").json()["boards"][0]
        assert (again["first"], again["second"]) == (board["second"], board["first"]), "they change seats"


def test_the_teacher_ends_a_game_and_may_correct_a_result(server: Server) -> None:
    with teaching(server) as (teacher, made), pupils(server, made["code"], "Anna", "Bo") as (anna, _):
        board = pair(teacher, made).json()["boards"][0]
        names = {one["id"]: one["name"] for one in shown(teacher, made)["members"]}
        info = give(teacher, made, board, "second").json()
        assert info["members"][0]["name"] == names[board["second"]]
        assert (info["boards"][0]["score"], info["boards"][0]["by_hand"]) == ("second", True)
        outcome = anna.get(f"/api/tables/{board['table']}").json()["outcome"]
        assert (outcome["winners"], outcome["reason"]) == ([1], "decided")
        info = give(teacher, made, board, "draw").json()
        assert [one["points"] for one in info["members"]] == [0.5, 0.5]
        assert anna.get(f"/api/tables/{board['table']}").json()["outcome"] == outcome, "the log is not rewritten"
        for wrong in ({"round": 1, "board": 2}, {"round": 9, "board": 1}, {"round": -1, "board": 0}):
            assert give(teacher, made, wrong, "first").json()["code"] in ("unknown-board", "not-found")
        assert give(teacher, made, board, "bye").json()["code"] == "bad-message"


@pytest.mark.parametrize("how", ["end", "close"])
def test_a_game_that_the_admin_stops_has_no_result_and_may_be_played_again(server: Server, how: str) -> None:
    with teaching(server) as (teacher, made), pupils(server, made["code"], "Anna", "Bo", "Cai", "Dee") as (anna, *_):
        stopped, other = pair(teacher, made).json()["boards"]
        with holding(server) as owner:
            assert owner.post(f"/api/admin/tables/{stopped['table']}/{how}", json={}).status_code == 200
        give(teacher, made, other, "first")
        info = shown(teacher, made)
        assert info["rounds"][0].get("running", 0) == 0, "it is not shown as running"
        assert ("score" in info["boards"][0], info["boards"][0]["status"]) == (False, "over")
        assert sum(one.get("played", 0) for one in info["members"]) == 2
        assert "table" not in anna.get(f"/api/classes/{made['id']}/me").json(), "nobody is sent to a closed table"
        sheet = rows(teacher.get(f"/api/classes/{made['id']}/results.csv"))
        assert sheet[1][6] == "no result" and sheet[1][9]
        both = [name for name, member in ids(info).items() if member in (stopped["first"], stopped["second"])]
        again = pair(teacher, made, among=both)
        assert again.status_code == 201, "and nothing waits for it"
        assert (again.json()["boards"][0]["first"], again.json()["boards"][0]["second"]) == (
            stopped["first"], stopped["second"],
        ), "seated as if for the first time"  # fmt: skip
        entered = give(teacher, made, stopped, "draw")
        assert entered.status_code == 200
        (board, _) = teacher.get(f"/api/classes/{made['id']}/rounds/1").json()
        assert (board["score"], board["by_hand"]) == ("draw", True), "the teacher may say how it stood"


def test_a_game_that_is_declared_a_draw_is_one(server: Server) -> None:
    with teaching(server) as (teacher, made), pupils(server, made["code"], "Anna", "Bo"):
        board = pair(teacher, made).json()["boards"][0]
        with holding(server) as owner:
            assert owner.post(f"/api/admin/tables/{board['table']}/end", json={"draw": True}).status_code == 200
        assert shown(teacher, made)["boards"][0]["score"] == "draw"


def test_whoever_is_left_over_plays_a_bot_if_the_teacher_likes(server: Server) -> None:
    with (
        teaching(server) as (teacher, made),
        pupils(server, made["code"], "Anna", "Bo", "Cai") as clients,
    ):
        boards = pair(teacher, made, bot="sprout").json()["boards"]
        (odd,) = [board for board in boards if "second" not in board]
        assert (odd["level"], odd["status"]) == ("sprout", "playing")
        views = [client.get(f"/api/classes/{made['id']}/me").json() for client in clients]
        assert all(view["table"] for view in views)
        before = {one["name"]: one["byes"] for one in shown(teacher, made)["members"] if "byes" in one}
        give(teacher, made, odd, "second")
        for board in boards:
            give(teacher, made, board, "draw")
        after = shown(teacher, made)
        assert not before and [one.get("byes", 0) for one in after["members"]].count(1) == 1
        (second,) = [b for b in pair(teacher, made, bot="sprout").json()["boards"] if "second" not in b]
        assert second["first"] != odd["first"], "the next time it is somebody else"


def test_a_swiss_tournament_of_five_rounds_repeats_no_pair(server: Server) -> None:
    names = ["Anna", "Bo", "Cai", "Dee", "Eve", "Fay", "Gus", "Hal", "Ida"]
    with teaching(server) as (teacher, made), pupils(server, made["code"], *names):
        couples: list[frozenset[str]] = []
        for number in range(4):
            info = pair(teacher, made).json()
            boards = [board for board in info["boards"] if board["round"] == number + 1]
            assert len(boards) == 5
            couples += [frozenset((board["first"], board.get("second", ""))) for board in boards]
            for board in boards:
                if "table" in board:
                    give(teacher, made, board, ("first", "draw", "second")[(board["board"] + number) % 3])
        assert len(set(couples)) == len(couples) == 20
        members = shown(teacher, made)["members"]
        assert sum(one.get("points", 0) for one in members) == 20
        assert [one["rank"] for one in members] == sorted(one["rank"] for one in members)
        path = f"/api/classes/{made['id']}/tournaments"
        assert teacher.post(f"{path}/1").json()["tournament"] == 2
        assert teacher.post(f"{path}/1").json()["code"] == "stale", "pressed twice"
        assert not any(one.get("points") for one in shown(teacher, made)["members"])
        assert len(rows(teacher.get(f"/api/classes/{made['id']}/results.csv"))) == 21, "the first one is kept"
        old = rows(teacher.get(f"/api/classes/{made['id']}/standings.csv?tournament=1"))
        assert sum(float(row[2]) for row in old[1:]) == 20


TEACHERS = [
    ("GET", ""),
    ("PUT", ""),
    ("DELETE", ""),
    ("POST", "/code"),
    ("PUT", "/members/MEMBER"),
    ("DELETE", "/members/MEMBER"),
    ("POST", "/members/MEMBER/way-back"),
    ("POST", "/members/MEMBER/merge"),
    ("POST", "/rounds"),
    ("GET", "/rounds/1"),
    ("PUT", "/rounds/1/boards/1"),
    ("POST", "/tournaments/1"),
    ("GET", "/results.csv"),
    ("GET", "/standings.csv"),
]
BODY = {
    "name": "x",
    "into": "x" * 12,
    "game": GAME,
    "method": "swiss",
    "members": [],
    "after": 0,
    "score": "first",
}


def test_only_the_teacher_sees_and_acts(server: Server, http: httpx.Client) -> None:
    schema = http.get("/api/schema/openapi.json").json()["paths"]
    known = {(verb.upper(), path) for path, verbs in schema.items() for verb in verbs if "/classes/{class_id}" in path}
    assert len(known) == len(TEACHERS) + 1, "all but /me are in the list"
    with (
        teaching(server) as (teacher, made),
        teaching(server, "Another") as (other, _),
        pupils(server, made["code"], "Anna", "Bo") as (anna, _bo),
    ):
        pair(teacher, made)
        before = shown(teacher, made)
        for who in (http, anna, other):
            for verb, path in TEACHERS:
                place = f"/api/classes/{made['id']}{path}".replace("MEMBER", before["members"][0]["id"])
                body = None if verb in ("GET", "DELETE") else BODY
                refused = who.request(verb, place, json=body)
                assert (refused.status_code, refused.json()["code"]) == (403, "not-the-teacher"), (verb, path)
        for who in (http, other):
            assert who.get(f"/api/classes/{made['id']}/me").json()["code"] == "not-a-member"
        after = shown(teacher, made)
        assert after | {"now": 0} == before | {"now": 0}
        assert "members" not in anna.get(f"/api/classes/{made['id']}/me").json()
        foreign = other.get("/api/classes").json()["teaching"][0]["id"]
        place = f"/api/classes/{foreign}/members/{after['members'][0]['id']}"
        assert other.delete(place).json()["code"] == "unknown-member", "not even through a class of one's own"
        for nowhere in ("nosuchone", "%00", "x" * 300):
            assert teacher.get(f"/api/classes/{nowhere}").json()["code"] == "unknown-class"


def test_a_pupil_who_has_lost_the_cookie_comes_back(server: Server) -> None:
    with (
        teaching(server) as (teacher, made),
        pupils(server, made["code"], "Anna", "Bo") as (anna, _),
        browser(server.url) as tablet,
        browser(server.url) as thief,
    ):
        table = pair(teacher, made).json()["boards"][0]["table"]
        tablet.put("/api/me", json={"name": "somebody"})
        member = ids(shown(teacher, made))["Anna"]
        way = teacher.post(f"/api/classes/{made['id']}/members/{member}/way-back").json()
        assert len(way["code"]) == 8
        assert tablet.get(f"/api/join/{way['code']}").json() | {"id": "", "teacher": ""} == {
            "id": "", "name": "Class 5b", "teacher": "", "member": "Anna", "back": True,
        }  # fmt: skip
        assert tablet.post("/api/join", json={"code": way["code"].lower()}).json()["name"] == "Anna"
        assert tablet.get(f"/api/classes/{made['id']}/me").json()["table"] == table
        assert len(tablet.get(f"/api/tables/{table}").json()["yours"]) == 1, "and Anna plays on"
        assert anna.get(f"/api/classes/{made['id']}/me").status_code == 200, "the other browser stays, too"
        for code in (way["code"], "CCCCCCCC", "33333333"):
            assert thief.post("/api/join", json={"code": code, "name": "x"}).json()["code"] == "bad-code"
        assert "cupboard" not in thief.cookies, "a wrong code makes nobody a guest"


def test_nobody_comes_back_as_somebody_with_an_account(server: Server) -> None:
    with teaching(server) as (teacher, made), pupils(server, made["code"], "Anna", "Bo") as (anna, bo):
        place = f"/api/classes/{made['id']}/members"
        both = ids(shown(teacher, made))
        way = teacher.post(f"{place}/{both['Anna']}/way-back").json()["code"]
        login = {"username": f"anna-{secrets.token_hex(4)}", "password": "correct horse battery"}
        assert anna.post("/api/account", json=login).status_code == 201
        assert bo.post("/api/join", json={"code": way}).json()["code"] == "bad-code", "given before there was one"
        assert teacher.post(f"{place}/{both['Anna']}/way-back").json()["code"] == "cannot-merge"
        for one, other in (("Anna", "Bo"), ("Bo", "Anna"), ("Bo", "Bo")):
            refused = teacher.post(f"{place}/{both[one]}/merge", json={"into": both[other]})
            assert refused.json()["code"] == "cannot-merge"


def test_two_members_turn_out_to_be_one_pupil(server: Server) -> None:
    with (
        teaching(server) as (teacher, made),
        pupils(server, made["code"], "Anna", "Bo", "Cai", "Dee") as (_, bo, *_more),
    ):
        first = pair(teacher, made, among=["Anna", "Bo"]).json()["boards"][0]
        give(teacher, made, first, "first")
        with pupils(server, made["code"], "Anna K") as (again,):
            second = pair(teacher, made, among=["Anna K", "Cai"]).json()["boards"][0]
            both = ids(shown(teacher, made))
            place = f"/api/classes/{made['id']}/members/{both['Anna K']}/merge"
            apart = teacher.post(place, json={"into": both["Cai"]})
            assert apart.json()["code"] == "cannot-merge", "they play each other"
            info = teacher.post(place, json={"into": both["Anna"]}).json()
            assert set(ids(info)) == {"Anna", "Bo", "Cai", "Dee"}
            assert {second["first"], second["second"]} - {both["Cai"]} == {both["Anna K"]}
            assert both["Anna"] in (info["boards"][-1]["first"], info["boards"][-1]["second"])
            view = again.get(f"/api/classes/{made['id']}/me").json()
            assert (view["you"], view["table"]) == ("Anna", second["table"]), "with the cookie of the second one"
            assert {one["id"] for one in again.get("/api/mine").json()["finished"]} == {first["table"]}
            assert len(again.get(f"/api/tables/{second['table']}").json()["yours"]) == 1
            assert not bo.get(f"/api/tables/{second['table']}").json().get("yours")


def test_a_guest_who_signs_in_takes_the_place_in_the_class_along(server: Server) -> None:
    with teaching(server) as (teacher, made), pupils(server, made["code"], "Anna", "Bo") as (anna, _):
        with browser(server.url) as desk:
            login = {"username": f"anna-{secrets.token_hex(4)}", "password": "correct horse battery"}
            desk.post("/api/account", json=login)
            pair(teacher, made)
            assert anna.post("/api/session", json=login).status_code == 201
            assert desk.get(f"/api/classes/{made['id']}/me").json()["table"]
        assert [one["name"] for one in shown(teacher, made)["members"] if one.get("account")] == ["Anna"]


def test_who_is_removed_is_out_and_their_results_stay(server: Server, http: httpx.Client) -> None:
    with teaching(server) as (teacher, made), pupils(server, made["code"], "Anna", "Bo", "Cai") as (anna, *_):
        board = pair(teacher, made, among=["Anna", "Bo"]).json()["boards"][0]
        give(teacher, made, board, "draw")
        both = ids(shown(teacher, made))
        for name in ("Anna", "Cai"):
            info = teacher.delete(f"/api/classes/{made['id']}/members/{both[name]}").json()
        assert {one["name"]: one.get("gone", False) for one in info["members"]} == {"Anna": True, "Bo": False}
        assert anna.get(f"/api/classes/{made['id']}/me").json()["code"] == "not-a-member"
        assert pair(teacher, made, members=[both["Anna"], both["Bo"]]).json()["code"] == "unknown-member"
        old = made["code"]
        new = teacher.post(f"/api/classes/{made['id']}/code").json()["code"]
        assert new != old
        assert anna.post("/api/join", json={"code": old, "name": "Anna"}).json()["code"] == "bad-code"
        assert anna.post("/api/join", json={"code": new, "name": "Anna"}).status_code == 201, "who is let in again"
        assert ids(shown(teacher, made))["Anna"] == both["Anna"], "is who they were"


def test_who_is_banned_is_not_paired(server: Server) -> None:
    with teaching(server) as (teacher, made), pupils(server, made["code"], "Anna", "Bo", "Cai", "Dee"):
        before = shown(teacher, made)
        with holding(server) as owner:
            board = pair(teacher, made, among=["Dee", "Cai"]).json()["boards"][0]
            give(teacher, made, board, "first")
            (table,) = owner.get("/api/admin/tables", params={"find": board["table"]}).json()
            dee = next(seat["person"] for seat in table["seats"] if seat["name"] == "Dee")
            assert owner.post(f"/api/admin/people/{dee}/ban").status_code == 200
            assert [one["name"] for one in shown(teacher, made)["members"] if one.get("gone")] == ["Dee"]
            everybody = [one["id"] for one in before["members"]]
            boards = pair(teacher, made, members=everybody).json()["boards"]
            paired = {one.get(seat) for one in boards for seat in ("first", "second")} - {None}
            assert paired == set(everybody) - {ids(before)["Dee"]}
            assert owner.delete(f"/api/admin/people/{dee}/ban").status_code == 200
            assert not [one for one in shown(teacher, made)["members"] if one.get("gone")]


def test_the_code_of_a_banned_teacher_lets_nobody_in(tmp_path: Path) -> None:
    with serving(tmp_path) as server, teaching(server) as (teacher, made):
        username = teacher.get("/api/me").json()["username"]
    login = {"username": "anna", "password": "correct horse battery", "code": made["code"]}
    by_code = PeopleSettings(sign_up="code", class_code="acorn")
    with serving(tmp_path, people=by_code) as server, holding(server) as owner, browser(server.url) as http:
        me = person_called(owner, username)["id"]
        assert owner.post(f"/api/admin/people/{me}/ban").status_code == 200
        assert http.get(f"/api/join/{made['code']}").json()["code"] == "bad-code"
        assert http.post("/api/join", json={"code": made["code"], "name": "Anna"}).json()["code"] == "bad-code"
        assert http.post("/api/account", json=login).json()["code"] == "bad-class-code"
        assert owner.delete(f"/api/admin/people/{me}/ban").status_code == 200
        assert http.get(f"/api/join/{made['code']}").status_code == 200
        assert http.post("/api/account", json=login).status_code == 201


def test_a_teacher_s_name_that_is_no_longer_allowed_is_not_shown(tmp_path: Path) -> None:
    with serving(tmp_path) as server, teaching(server) as (_, made), pupils(server, made["code"], "Anna") as (anna,):
        cookie = anna.cookies["cupboard"]
    words = tmp_path / "words.txt"
    words.write_text("meier\n", encoding="utf-8")
    checked = PeopleSettings(names="checked", name_list=words)
    with serving(tmp_path, people=checked) as server, browser(server.url, cookies={"cupboard": cookie}) as anna:
        assert anna.get(f"/api/join/{made['code']}").json()["teacher"] == "Guest"
        assert anna.get(f"/api/classes/{made['id']}/me").json()["teacher"] == "Guest"
        assert [one["teacher"] for one in anna.get("/api/classes").json()["member"]] == ["Guest"]


NASTY = ['=HYPERLINK("http://evil","x")', "+1", "-1+1", "@SUM(A1)", "＝1", 'Zoë "Z", Ünal', "Ann;Bo"]


def test_a_sheet_cannot_run_what_somebody_is_called(server: Server) -> None:
    with teaching(server, "=1+1/Zoë") as (teacher, made), pupils(server, made["code"], *NASTY):
        for board in pair(teacher, made).json()["boards"]:
            if "table" in board:
                give(teacher, made, board, "draw")
        answer = teacher.get(f"/api/classes/{made['id']}/results.csv?zone=Europe/Berlin")
        assert answer.headers["content-type"] == "text/csv; charset=utf-8"
        plain = 'attachment; filename="_1_1_Zo_ results.csv"'
        # Neither name has a slash, escaped or not: a sheet is saved where its reader wants it.
        assert answer.headers["content-disposition"] == f"{plain}; filename*=UTF-8''%3D1%2B1_Zo%C3%AB%20results.csv"
        head, *sheet = rows(answer)
        assert head == [
            "Tournament",
            "Round",
            "Board",
            "Game",
            "First",
            "Second",
            "Result",
            "Moves",
            "Started",
            "Ended",
        ]
        cells = {cell for row in sheet for cell in row}
        assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@", "＝"))]
        for name in NASTY:
            assert (name if name[0] in "ZA" else "'" + name) in cells
        german = rows(teacher.get(f"/api/classes/{made['id']}/standings.csv?language=de"), ";")
        assert german[0][:3] == ["Rang", "Name", "Punkte"]
        assert sorted(row[2] for row in german[1:]) == ["0,5"] * 6 + ["1"]
        results = rows(teacher.get(f"/api/classes/{made['id']}/results.csv?language=de"), ";")
        assert results[0][4:6] == ["Beginnt", "Zieht als Zweiter"], "not a place in the standings"
        for odd in ("language=xx", "zone=Mars/Base", "zone=../etc/passwd", "zone=Europe", "zone=%00", "tournament=77"):
            for path in ("results", "standings"):
                assert teacher.get(f"/api/classes/{made['id']}/{path}.csv?{odd}").status_code == 200, odd


def test_a_class_of_sixty_behind_one_address_is_paired_again_and_again(server: Server) -> None:
    with teaching(server) as (teacher, made), pupils(server, made["code"], *(f"P{n:02}" for n in range(59))):
        with browser(server.url) as last:
            # The guests of one address are limited, too; one of these has been a guest before.
            last.cookies.set("cupboard", teacher.cookies["cupboard"])
            assert last.post("/api/join", json={"code": made["code"], "name": "P59"}).status_code == 201
            Household.move()
            with browser(server.url) as other:
                full = other.post("/api/join", json={"code": made["code"], "name": "P60"})
                assert (full.status_code, full.json()["code"]) == (409, "class-full")
        for _ in range(3):
            answer = pair(teacher, made, anyway=True)
            assert answer.status_code == 201, answer.text
            assert len({board["table"] for board in answer.json()["boards"]}) >= 30
        assert len(shown(teacher, made)["boards"]) == 90


def wrong_codes(http: httpx.Client, count: int) -> list[int]:
    """How so many guesses in a row were answered."""
    return [http.get(f"/api/join/C{n:05}").status_code for n in range(count)]


def test_wrong_codes_of_one_pupil_do_not_keep_out_the_school(server: Server) -> None:
    with teaching(server) as (_, made), browser(server.url) as vandal, browser(server.url) as late:
        most, _ = HOME["codes"]
        assert vandal.put("/api/me", json={"name": "Vic"}).status_code == 200
        wrong = wrong_codes(vandal, most + 20)
        assert wrong[:most] == [404] * most and wrong[-1] == 429
        refused = vandal.get(f"/api/join/{made['code']}")
        assert refused.json()["words"][0] == "many.codes", "else a guess would still be told"
        assert vandal.post("/api/join", json={"code": made["code"], "name": "Vic"}).status_code == 429
        vandal.cookies.clear()
        assert wrong_codes(vandal, 150) == [404] * 150
        assert late.get(f"/api/join/{made['code']}").status_code == 200, "without a session, at the same address"
        assert late.post("/api/join", json={"code": made["code"], "name": "Late"}).status_code == 201


def test_guessing_codes_is_slowed_and_right_codes_are_not_counted(server: Server, http: httpx.Client) -> None:
    with teaching(server) as (_, made), browser(server.url) as known:
        assert known.put("/api/me", json={"name": "Kim"}).status_code == 200
        most, _ = HOME["address-codes"]
        assert {http.get(f"/api/join/{made['code']}").status_code for _ in range(most + 20)} == {200}
        wrong = wrong_codes(http, most + 20)
        assert wrong.count(404) in range(most, most + 5) and wrong[-1] == 429
        assert http.get(f"/api/join/{made['code']}").status_code == 429, "else a guess would still be told"
        assert known.get(f"/api/join/{made['code']}").status_code == 200, (
            "those with a session have a share of their own"
        )


def test_a_class_outlives_a_restart_and_its_games_outlive_the_class(tmp_path: Any) -> None:
    with (
        serving(tmp_path) as server,
        teaching(server) as (teacher, made),
        pupils(server, made["code"], "Anna", "Bo") as (anna, _),
    ):
        board = pair(teacher, made).json()["boards"][0]
        server.kill()
        server.start()
        # The rules are loaded anew, which a look at the class does not wait for.
        wait_for(lambda: shown(teacher, made)["boards"][0].get("asked"), 60)
        give(teacher, made, board, "first")
        assert teacher.delete(f"/api/classes/{made['id']}").status_code == 204
        assert teacher.get(f"/api/classes/{made['id']}").json()["code"] == "unknown-class"
        assert teacher.get("/api/classes").json() == {"teaching": [], "member": []}
        assert anna.get(f"/api/tables/{board['table']}").json()["status"] == "over"


@pytest.mark.parametrize(
    "body", ["[]", "{}", '{"name": 1}', '{"name": ""}', '{"name": "' + "x" * 41 + '"}', "[" * 5000]
)
def test_nonsense_makes_no_class(server: Server, body: str) -> None:
    with teaching(server) as (teacher, _):
        refused = teacher.post("/api/classes", content=body, headers={"content-type": "application/json"})
        assert (refused.status_code, refused.json()["code"]) == (400, "bad-message")
        assert len(teacher.get("/api/classes").json()["teaching"]) == 1


def test_results_stay_when_games_and_people_are_deleted(tmp_path: Any) -> None:
    """The database itself lets go: whoever deletes games or guests need not know of classes."""
    with (
        serving(tmp_path) as server,
        teaching(server) as (teacher, made),
        pupils(server, made["code"], "Anna", "Bo", "Cai") as (anna, *_),
    ):
        board = next(one for one in pair(teacher, made).json()["boards"] if "table" in one)
        give(teacher, made, board, "draw")
        before = [(one["name"], one.get("points", 0)) for one in shown(teacher, made)["members"]]
        me = anna.cookies["cupboard"]
        with rows_of(tmp_path) as db:
            db.execute("PRAGMA foreign_keys=ON")
            (person,) = db.execute(
                "SELECT person FROM session WHERE digest = ?", (sha256(me.encode()).hexdigest(),)
            ).fetchone()
            for table in ("event", "seat"):
                db.execute(f"DELETE FROM {table}")
            db.execute("DELETE FROM game")
            db.execute("DELETE FROM session WHERE person = ?", (person,))
            db.execute("DELETE FROM person WHERE id = ?", (person,))
        info = shown(teacher, made)
        assert [(one["name"], one.get("points", 0)) for one in info["members"]] == before
        assert [one["name"] for one in info["members"] if one.get("gone")] == ["Anna"]
        assert len(rows(teacher.get(f"/api/classes/{made['id']}/results.csv"))) == 3
        with rows_of(tmp_path) as db:
            db.execute("PRAGMA foreign_keys=ON")
            db.execute("DELETE FROM session")
            db.execute("DELETE FROM person")
            counts = [
                db.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
                for table in ("class", "class_member", "class_round", "class_pairing")
            ]
            assert counts == [0, 0, 0, 0], "a class goes with its teacher"
