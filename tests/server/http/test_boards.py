"""Boards that nobody sits at: every game can be played on one, and nothing is kept that a stranger could fill."""

from __future__ import annotations

from random import Random
from typing import Any

import httpx
import pytest

from cupboard.core.game import letter
from cupboard.core.registry import load, names

JUMPING = "/api/games/jumping-cups/board"


@pytest.mark.parametrize("game", names())
def test_a_game_is_played_by_sending_all_its_moves_each_time(http: httpx.Client, game: str) -> None:
    rng = Random(game)
    moves: list[str] = []
    for _ in range(12):
        state = http.post(f"/api/games/{game}/board", json={"moves": moves}).json()
        if nature := state.get("nature"):
            moves.append(nature)
        elif filling := state.get("filling"):
            tints = {tint["name"]: tint["letter"] for tint in state["scene"]["tints"]}
            build = filling["pattern"].format(*(tints[name] for name in filling["suggestion"]))
            moves.append(f"{letter(state['seat'])}:{build}")
        else:
            assert state["seat"] in state["asked"]
            moves.append(f"{letter(state['seat'])}:{rng.choice(state['moves'])['text']}")
    after = http.post(f"/api/games/{game}/board", json={"moves": moves}).json()
    again = http.post(f"/api/games/{game}/board", json={"position": after["position"]}).json()
    assert again["position"] == after["position"] and again.get("moves") == after.get("moves")
    assert after["last"]["text"] in moves[-1] and after["last"]["words"]


def test_a_board_says_why_pointing_is_no_move_and_how_a_game_ended(http: httpx.Client) -> None:
    start = {"options": {"starter": "red"}}
    state = http.post(JUMPING, json={**start, "spots": ["7"]}).json()
    assert state["why"][0] == "jumping-cups.no.cup" and len(state["moves"]) == 5
    block = http.post(JUMPING, json={"position": "./RY/./RY/././RY/R/Y/Y/./././R B 0", "moves": ["B:9-8"]}).json()
    assert block["outcome"]["winners"] == [1] and "asked" not in block and block["last"]["path"] == ["9", "8"]


def test_a_board_is_seen_from_the_seat_that_is_asked_or_another(http: httpx.Client) -> None:
    cards = load("cup-king").start()
    cards = cards.play(cards.chance(Random(1)))
    board = {"position": str(cards)}
    scenes = [http.post("/api/games/cup-king/board", json={**board, "seat": seat}).json()["scene"] for seat in (0, 1)]
    hands = [{part["id"] for part in scene["parts"] if part.get("role") == "hand"} for scene in scenes]
    assert hands[0] != hands[1]


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"moves": ["*:lot-A", "A:1-9"]}, 400, "illegal-move"),
        ({"moves": ["B:10-9"], "options": {"starter": "red"}}, 400, "not-your-turn"),
        ({"moves": ["what"]}, 400, "bad-notation"),
        ({"moves": ["A:5-6"] * 1001}, 400, "bad-message"),
        ({"moves": ["5" * 201]}, 400, "bad-message"),
        ({"position": "nonsense"}, 400, "bad-position"),
        ({"position": "R" * 4001}, 400, "bad-message"),
        ({"seats": 3}, 400, "bad-seats"),
        ({"seats": 10**30}, 400, "bad-message"),
        ({"options": {"starter": "green"}}, 400, "bad-option"),
        ({"options": {"starter": 10**30}}, 400, "bad-option"),
        ({"options": {str(n): n for n in range(41)}}, 400, "bad-message"),
        ({"seat": 5}, 400, "bad-message"),
        ({"spots": ["7"] * 21}, 400, "bad-message"),
    ],
)
def test_what_makes_no_sense_is_refused_with_a_sentence(
    http: httpx.Client, body: dict[str, Any], status: int, code: str
) -> None:
    answer = http.post(JUMPING, json=body)
    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.text
    assert answer.json()["sentence"]
