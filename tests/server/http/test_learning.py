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
            body: dict[str, Any] = {"spots": [text]} if step.goal.kind == "point" else {"moves": done, "move": text}
            state = http.post(address, json=body).json()
            done = (*done, text)
        assert state["verdict"] == "done" and state["said"][0] == step.done and not state.get("moves")


@pytest.mark.parametrize("game", TAUGHT)
def test_every_step_can_be_shown_to_the_end(http: httpx.Client, game: str) -> None:
    for step in lessons_of(find(game)).steps:
        done: list[str] = []
        verdict = "on"
        while verdict == "on":
            body = {"moves": done, "show": True}
            state = http.post(f"/api/games/{game}/lessons/{step.id}", json=body).json()
            verdict = state["verdict"]
            done.append(state["did"])
        assert verdict == "done", step.id


def test_answers_to_a_move_are_shown_one_after_the_other(http: httpx.Client) -> None:
    state = http.post("/api/games/cup-king/lessons/attack", json={"move": ">R5"}).json()
    mine, dealt = state["frames"]
    assert state["did"] == ">R5" and mine["seat"] == 0 and dealt["seat"] == -1
    assert mine["scene"] != state["scene"] and "scene" not in dealt
    assert mine["words"] and dealt["words"]


def test_a_move_that_the_rules_refuse_has_the_words_of_the_step_or_of_the_rules(http: httpx.Client) -> None:
    slide = "/api/games/double-dutch/lessons/slide"
    short, off, foreign = (
        http.post(slide, json={"spots": spots}).json() for spots in (["e4", "e5"], ["e4", "b2"], ["a1"])
    )
    assert short["said"][0].endswith("slide.wrong.1") and not short.get("refused")
    assert off["refused"] and foreign["refused"] and off["said"] != foreign["said"]


@pytest.mark.parametrize("game", TAUGHT)
def test_a_tutor_has_words_for_each_moment(http: httpx.Client, game: str) -> None:
    told = http.get(f"/api/games/{game}/tutor").json()
    assert [word["id"] for word in told] == [word.id for word in lessons_of(find(game)).tutor]
    assert told[0]["kind"] == "start" and all(word["words"] for word in told)
    assert all(word.get("like") or word["kind"] != "move" for word in told)


def test_a_wrong_move_and_a_wrong_place_are_answered_and_change_nothing(http: httpx.Client) -> None:
    look, wrong, foreign = (http.post(HEIGHT, json=body).json() for body in ({}, {"move": "10"}, {"spots": ["1"]}))
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
        (HEIGHT, {"spots": ["9"] * 21}, 400, "bad-message"),
        (HEIGHT, {"spots": [9]}, 400, "bad-message"),
        (HEIGHT, {"show": "yes"}, 400, "bad-message"),
        (HEIGHT, [], 400, "bad-message"),
    ],
)
def test_what_makes_no_sense_is_refused_with_a_sentence(
    http: httpx.Client, address: str, body: dict[str, Any], status: int, code: str
) -> None:
    answer = http.post(address, json=body)
    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.text
    assert answer.json()["sentence"]
