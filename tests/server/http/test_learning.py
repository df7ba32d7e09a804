"""Lessons over HTTP: every step can be done, and nothing is kept that a stranger could fill."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from tests.cli.test_learn import TAUGHT, answers

from cupboard.core.lessons import lessons_of
from cupboard.core.registry import find

HEIGHT = "/api/games/jumping-cups/lessons/height"


@pytest.mark.parametrize("game", TAUGHT)
def test_every_step_is_done_by_doing_what_it_asks_for(http: httpx.Client, game: str) -> None:
    steps = lessons_of(find(game)).steps
    listed = http.get(f"/api/games/{game}/lessons").json()
    assert [one["id"] for one in listed] == [step.id for step in steps]
    for step in steps:
        address = f"/api/games/{game}/lessons/{step.id}"
        done: tuple[str, ...] = ()
        begun = http.post(address, json={}).json()
        assert begun["verdict"] == "look" and begun["scene"]["parts"] and begun["seat"] == step.seat
        for text in answers(game, step):
            body: dict[str, Any] = {"spot": text} if step.goal.kind == "point" else {"moves": done, "move": text}
            state = http.post(address, json=body).json()
            done = (*done, text)
        assert state["verdict"] == "done" and state["said"][0] == step.done and not state.get("moves")


def test_a_wrong_move_and_a_wrong_place_are_answered_and_change_nothing(http: httpx.Client) -> None:
    look, wrong, foreign = (http.post(HEIGHT, json=body).json() for body in ({}, {"move": "10"}, {"spot": "1"}))
    assert wrong["verdict"] == "wrong" and wrong["said"][0].endswith("height.wrong.1")
    assert foreign["verdict"] == "wrong" and foreign["said"][0].startswith("jumping-cups.")
    assert wrong["scene"] == look["scene"] and look["hinted"] == ["9"]


@pytest.mark.parametrize(
    ("address", "body", "status", "code"),
    [
        ("/api/games/jumping-cups/lessons/nothing", {}, 404, "not-found"),
        ("/api/games/nothing/lessons/height", {}, 404, "unknown-game"),
        (HEIGHT, {"move": "1-2"}, 400, "illegal-move"),
        (HEIGHT, {"move": "what"}, 400, "bad-notation"),
        (HEIGHT, {"moves": ["9"], "move": "9"}, 400, "bad-message"),
        (HEIGHT, {"moves": ["9"] * 41}, 400, "bad-message"),
        (HEIGHT, {"move": "9" * 201}, 400, "bad-message"),
    ],
)
def test_what_makes_no_sense_is_refused_with_a_sentence(
    http: httpx.Client, address: str, body: dict[str, Any], status: int, code: str
) -> None:
    answer = http.post(address, json=body)
    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.text
    assert answer.json()["sentence"]
