"""Positions set up by hand, records and trees opened, pictures and pages of positions, and who may frame a page."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any

import httpx
import pytest
from tests.server.helpers import lay, said

from cupboard.core.registry import find, load, names

JUMPING = "/api/games/jumping-cups/arrangement"
TEXT = '[Game "jumping-cups"]\n[Option "starter=red"]\n[A "Anna"]\n\n1. A:5-6 B:10-9 {why not?}\n= *\n'


def placed(http: httpx.Client, game: str, **more: Any) -> list[dict[str, str]]:
    """The pieces of a position as somebody has set them up, the lower ones of a stack first."""
    scene = http.post(f"/api/games/{game}/board", json=more).json()["scene"]
    pieces = [piece for part in scene["parts"] for piece in part.get("pieces", ())]
    pieces.sort(key=lambda piece: piece.get("level", 0))
    return [{"spot": piece["spot"], "kind": piece["kind"], "tint": piece["tint"]} for piece in pieces]


@pytest.mark.parametrize("game", [name for name in names() if find(name).LOOSE])
def test_what_stands_on_the_board_can_be_set_up_again(http: httpx.Client, game: str) -> None:
    moves: list[str] = []
    for _ in range(9):
        state = http.post(f"/api/games/{game}/board", json={"moves": moves}).json()
        moves.append(state.get("nature") or f"{'ABC'[state['seat']]}:{state['moves'][-1]['text']}")
    state = http.post(f"/api/games/{game}/board", json={"moves": moves}).json()
    body = {"pieces": placed(http, game, moves=moves), "turn": state["seat"]}
    position = http.post(f"/api/games/{game}/arrangement", json=body).json()["position"]
    again = http.post(f"/api/games/{game}/board", json={"position": position}).json()
    assert again["moves"] == state["moves"] and placed(http, game, position=position) == body["pieces"]


def cup(spot: int, tint: str = "red") -> dict[str, str]:
    return {"spot": str(spot), "kind": "cup", "tint": tint}


@pytest.mark.parametrize(
    ("pieces", "turn", "code", "words"),
    [
        ([], 0, "bad-position", "five cups of Red"),
        ([cup(1)] * 5 + [cup(10, "yellow")] * 4, 0, "bad-position", "five cups of Yellow"),
        ([cup(14)] * 5 + [cup(6, "yellow")] * 5, 0, "bad-position", "two cups of its own colour"),
        ([cup(n) for n in range(10, 15)] + [cup(6, "yellow")] * 5, 1, "bad-position", "filled the finish"),
        ([{"spot": "1", "kind": "peg", "tint": "red"}], 0, "bad-position", "by hand"),
        ([{"spot": "1", "kind": "cup", "tint": "green"}], 0, "bad-position", "by hand"),
        ([{"spot": "off", "kind": "cup", "tint": "red"}], 0, "bad-position", "by hand"),
        ([cup(1)], 3, "unknown-seat", "no seat"),
        ([cup(1)], 9, "bad-message", ""),
        ([cup(1)] * 201, 0, "bad-message", ""),
        ([{"spot": "1", "kind": "dragon", "tint": "red"}], 0, "bad-message", ""),
    ],
)
def test_what_cannot_stand_is_refused_with_a_sentence(
    http: httpx.Client, pieces: list[dict[str, str]], turn: int, code: str, words: str
) -> None:
    answer = http.post(JUMPING, json={"pieces": pieces, "turn": turn})
    assert answer.status_code == 400 and answer.json()["code"] == code, answer.text
    assert words in answer.json()["sentence"]
    assert code == "bad-message" or words in said(answer.json()["words"]), "it can be said in other languages"


def test_a_game_whose_positions_hold_more_than_pieces_says_so(http: httpx.Client) -> None:
    answer = http.post("/api/games/cup-king/arrangement", json={"pieces": [], "turn": 0}).json()
    assert answer["code"] == "bad-position" and "Cup King cannot be set up by hand" in answer["sentence"]
    assert not next(game for game in http.get("/api/games").json() if game["name"] == "cup-king").get("loose")


# Records and trees.


def opened(http: httpx.Client, text: str) -> dict[str, Any]:
    answer: dict[str, Any] = http.post("/api/records", json={"text": text}).json()
    return answer


def test_a_record_is_opened_as_text_and_as_json(http: httpx.Client) -> None:
    found = opened(http, TEXT)
    assert (
        found["game"] == "jumping-cups" and found["options"] == {"starter": "red"} and found["names"] == {"A": "Anna"}
    )
    assert [(one["text"], one.get("parent"), one.get("comment")) for one in found["moves"]] == [
        ("A:5-6", None, None),
        ("B:10-9", 0, "why not?"),
    ]
    from cupboard.core.record import Record

    assert opened(http, json.dumps(Record.read(TEXT).to_json())) == found


def test_a_tree_keeps_its_branches(http: httpx.Client) -> None:
    moves = [["A:5-6", -1], ["B:10-9", 0, "usual"], ["B:11-10", 0], ["A:6-7", 1]]
    tree = {"tree": 1, "game": "jumping-cups", "seats": 2, "options": {"starter": "red"}, "moves": moves}
    found = opened(http, json.dumps(tree))
    assert [move.get("parent", -1) for move in found["moves"]] == [-1, 0, 0, 1]
    assert found["moves"][1]["comment"] == "usual"
    line = str(load("jumping-cups", starter="red").start())
    assert opened(http, json.dumps({**tree, "position": line}))["position"] == line


def tree(*moves: Any, **more: Any) -> str:
    return json.dumps({"tree": 1, "game": "jumping-cups", "options": {"starter": "red"}, "moves": moves, **more})


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("hello", "bad-record", "Line 1: 'hello' is neither a move"),
        (TEXT.replace("A:5-6", "A:5-7"), "bad-record", "Move 1 in line 5, A:5-7: The cup on 5 moves 1"),
        (TEXT.replace("= *", "= A filled"), "bad-record", "its moves lead to"),
        (TEXT.replace("jumping-cups", "chess"), "bad-record", "no game called"),
        ("A:5-6", "bad-record", "begins with the tag"),
        ("{", "bad-record", "no JSON of a record"),
        ("{}", "bad-record", "A record has game"),
        ("{" + '"a":{' * 20_000, "bad-record", ""),
        ('{"tree":1}', "bad-record", "no JSON of a record"),
        (tree(["A:5-6", 0]), "bad-record", "Move 1 of the tree follows"),
        (tree(["A:5-6", -1], ["B:10-9", 5]), "bad-record", "Move 2 of the tree follows"),
        (tree(["A:5-6", -2]), "bad-record", "Move 1 of the tree follows"),
        (tree(["A:5-9", -1]), "bad-record", "Move 1, A:5-9: The cup on 5"),
        (tree(*[["A:5-6", -1]] * 3001), "bad-record", "at most 3,000 moves"),
        (tree(["A:5-6", 10**30]), "bad-record", ""),
        (tree(position="nonsense"), "bad-position", ""),
        (tree(options={"starter": "green"}), "bad-option", ""),
        ("x" * 60_001, "bad-message", ""),
        ("", "bad-message", ""),
    ],
)
def test_what_is_no_record_is_refused_with_the_line_or_the_move(
    http: httpx.Client, text: str, code: str, words: str
) -> None:
    answer = http.post("/api/records", json={"text": text})
    assert answer.status_code in (400, 413) and answer.json()["code"] in (code, "too-large"), answer.text
    assert words in answer.json()["sentence"]


# Links.


def tags(page: httpx.Response) -> dict[str, str]:
    return {
        name: unescape(text) for name, text in re.findall(r'<meta property="(og:\w+)" content="([^"]*)"', page.text)
    }


def test_a_link_to_a_position_shows_a_picture_of_it(http: httpx.Client) -> None:
    query = {"seats": "2", "options": '{"starter":"red"}', "moves": "A:5-6 B:10-9"}
    page = http.get("/explore/jumping-cups", params=query)
    found = tags(page)
    assert found["og:title"] == "Jumping Cups: A position to explore" and found["og:description"] == "Red to move."
    picture = http.get(found["og:image"])
    assert picture.status_code == 200 and picture.content.startswith(b"\x89PNG")
    start = http.get("/api/games/jumping-cups/position.png", params={"options": '{"starter":"red"}'})
    assert start.content != picture.content
    german = tags(http.get("/explore/jumping-cups", headers={"accept-language": "de"}))
    assert german["og:title"] == "Jumping Cups: eine Stellung zum Ausprobieren"


@pytest.mark.parametrize(
    "query",
    [
        {"position": "nonsense"},
        {"moves": "A:1-9"},
        {"seats": "many"},
        {"options": "{"},
        {"options": "[" * 2000},
        {"moves": "A:5-6 " * 1001},
        {"position": "<script>"},
    ],
)
def test_an_address_that_says_nonsense_is_a_page_without_a_picture(http: httpx.Client, query: dict[str, str]) -> None:
    page = http.get("/explore/jumping-cups", params=query)
    assert page.status_code == 200 and not tags(page) and "<script>" not in page.text.replace("<script type", "")
    assert http.get("/api/games/jumping-cups/position.png", params=query).status_code == 400
    assert http.get("/explore/nothing").status_code == 200 and http.get("/explore").status_code == 200


def test_pictures_of_positions_are_limited(http: httpx.Client) -> None:
    http.put("/api/me", json={"name": "Ida"})  # visitors without a session share more
    codes = [http.get("/api/games/jumping-cups/position.png", params={"moves": "x"}).status_code for _ in range(40)]
    assert codes[0] == 400 and codes[-1] == 429


def test_a_link_to_a_moment_of_a_table_shows_that_moment(http: httpx.Client) -> None:
    table = lay(http, "jumping-cups", "me", "me", options={"starter": "red"})["table"]
    now = tags(http.get(f"/t/{table['id']}"))
    then = tags(http.get(f"/t/{table['id']}?at=1"))
    assert f"version={table['version']}" in now["og:image"] and "version=1&" in then["og:image"]
    assert then["og:url"].endswith("?at=1") and then["og:description"] == "A moment of this game."
    assert http.get(then["og:image"]).status_code == 200
    for nonsense in ("x", "-1", "9" * 30, "²"):
        assert tags(http.get(f"/t/{table['id']}", params={"at": nonsense}))["og:image"] == now["og:image"]


# Frames.


def ancestors(answer: httpx.Response) -> str:
    return str(re.findall(r"frame-ancestors ([^;]+)", answer.headers["content-security-policy"])[-1])


def test_only_pages_for_other_sites_may_be_framed(http: httpx.Client) -> None:
    table = lay(http, "jumping-cups", "me", "me")["table"]["id"]
    for path in (f"/embed/t/{table}", "/embed/explore/jumping-cups?moves=x"):
        answer = http.get(path)
        assert answer.status_code == 200 and ancestors(answer) == "*" and "set-cookie" not in answer.headers
        assert "script-src 'self'" in answer.headers["content-security-policy"]
    for path in (
        "/", f"/t/{table}", "/explore/jumping-cups", "/learn", f"/api/tables/{table}", "/docs", "/embed", "/nothing",
        f"/t/embed/{table}", "/api/games?x=/embed/", "/play/embed", "/%2e/embed/../", f"/embed/../t/{table}",
    ):  # fmt: skip
        answer = http.get(path)
        assert ancestors(answer) == "'none'", path
