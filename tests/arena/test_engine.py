"""The engine protocol: an exchange, and whatever else may be sent."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random
from threading import Event
from time import monotonic, sleep
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cupboard.arena import engine as engine_module
from cupboard.arena import thinkers
from cupboard.arena.engine import COMMANDS, Engine
from cupboard.arena.json_engine import JsonEngine
from cupboard.arena.thinkers import find_thinker
from cupboard.core.game import View
from cupboard.core.match import Match
from cupboard.core.registry import load, names
from cupboard.players.thinking import Limits, Report, Thinker, Thought

RED = load("jumping-cups", starter="red")
DOCS = Path(__file__).parents[2] / "docs" / "engine.md"


def talk(*lines: str, game: Any = RED, player: str = "") -> list[str]:
    said: list[str] = []
    Engine(game, said.append, player).run(lines)
    return said


def errors(said: list[str]) -> list[str]:
    return [line.removeprefix("info string error ") for line in said if line.startswith("info string error ")]


def test_it_introduces_itself_with_its_options() -> None:
    said = talk("uci", "isready")
    assert said[0].startswith("id name Cupboard") and said[-2:] == ["uciok", "readyok"]
    assert "option name starter type combo default red var random var red var yellow" in said


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("go", ["go nodes 200", "go depth 1", "go movetime 60"])
def test_every_game_is_thought_about(name: str, go: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinkers, "DEPTHLESS_SECONDS", 0.5)
    game, rng = load(name), Random(5)
    match = Match(game)
    while len(match.log) < 12 or len(match.position.to_act) != 1:
        match.settle(rng)
        seat = match.position.to_act[-1]
        match.play(rng.choice(match.position.moves(seat)), seat)
        if match.settle(rng).is_over:
            match.undo()  # a short game: the last move is thought about
            break
    moves = " ".join(f"{'*' if e.seat < 0 else 'ABCDEF'[e.seat]}:{e.move}" for e in match.log)
    said = talk(f"position start moves {moves}", go, game=game)
    assert not errors(said)
    assert said[-2].startswith("info depth ") and " score " in said[-2] and " pv " in said[-2]
    best = said[-1].removeprefix("bestmove ")
    assert match.position.parse(best) in match.position.moves()


@pytest.mark.parametrize(("go", "instead"), [("go depth 3", "for a second"), ("go depth 3 nodes 50", "other limits")])
def test_playouts_say_that_they_have_no_depth(go: str, instead: str) -> None:
    began = monotonic()
    said = talk("position start moves 5-6", go, player="mcts")
    assert said[0].startswith("info string depth means nothing") and instead in said[0]
    assert said[-1].startswith("bestmove ") and monotonic() - began < 60
    assert not [line for line in talk("position start", "go depth 2") if line.startswith("info string")]


def test_the_same_nodes_and_seed_give_the_same_answer() -> None:
    lines = ("setoption name Seed value 7", "position start moves 5-6", "go nodes 4000")
    masked = [[re.sub(r" time \d+", "", line) for line in talk(*lines)] for _ in range(2)]
    assert masked[0] == masked[1] and masked[0][-1].startswith("bestmove ")


def test_each_game_move_and_option_that_is_wrong_gets_one_sentence_and_changes_nothing() -> None:
    said = talk(
        "position start moves 5-6",
        "position start moves 5-7",
        "position text nonsense",
        "position",
        "position view",
        "position view C x",
        "position start past 3",
        "position text x past y",
        "setoption",
        "setoption name Colour value red",
        "setoption name starter value green",
        "setoption name Seats value 9",
        "isready",
        "setoption name Seats value x",
        "setoption name Player value nobody",
        "go depth",
        "go depth 0",
        "go depth -3",
        "go fast",
        "go seat A",
        "go seat Z",
        "wtf",
        "go depth 1",
    )
    found = errors(said)
    assert len(found) == 20, found
    assert all(re.match(r"[a-z-]+: .{10,}", line) for line in found)
    assert said.count("readyok") == 1, "who waits for readyok must get it"
    # Seat B is still to move after 5-6.
    assert RED.start().play(RED.start().parse("5-6")).parse(said[-1].removeprefix("bestmove "))


def test_there_is_nothing_to_think_about_for_nature_or_after_the_end() -> None:
    over = "R/././././Y/Y/Y/Y/./R/R/R/R =A:overshot 30"
    assert errors(talk("go depth 1", game=load("jumping-cups")))[0].startswith("not-your-turn")
    assert errors(talk(f"position text {over}", "go depth 1"))[-1].startswith("game-over")


def test_options_are_taken_up_together() -> None:
    said = talk("setoption name starter value yellow", "isready", "position start", "go depth 1")
    assert said[-1].startswith("bestmove 1"), "Yellow moves from the far end"


def test_an_endless_search_is_heard_to_stop() -> None:
    said: list[str] = []
    engine = Engine(RED, said.append)
    engine.handle("isready")
    engine.handle("go infinite")
    sleep(0.3)
    assert not any(line.startswith("bestmove") for line in said)
    engine.handle("isready")
    assert said[-1] == "readyok" or "readyok" in said
    began = monotonic()
    engine.handle("stop")
    assert said[-1].startswith("bestmove ") and monotonic() - began < 2
    assert not engine.handle("quit")


def test_an_endless_search_ends_with_the_input_or_the_next_command() -> None:
    said = talk("go infinite", "position start moves 5-6", "go infinite")
    assert [line.split()[0] for line in said if not line.startswith("info")] == ["bestmove", "bestmove"]


def test_quit_ends_a_search_at_once() -> None:
    said: list[str] = []
    engine = Engine(RED, said.append)
    engine.handle("isready")
    engine.handle("go movetime 60000")
    began = monotonic()
    assert not engine.handle("quit")
    assert monotonic() - began < 3


class Failing(Thinker):
    limits = Limits()

    def think(
        self,
        view: View[Any],
        limits: Limits | None = None,
        stop: Event | None = None,
        report: Report | None = None,
        all_moves: bool = False,
    ) -> Thought:
        raise MemoryError("no room")


class Oversleeping(Failing):
    def think(self, view: View[Any], *rest: Any, **more: Any) -> Thought:
        sleep(4)
        move = view.moves()[0]
        return Thought(move, 0.5, 1, 1, (move,))


@pytest.mark.parametrize(("thinker", "why"), [(Failing(), "no room"), (Oversleeping(), "within")])
def test_a_search_that_fails_is_told_and_a_legal_move_made(
    thinker: Thinker, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_module, "find_thinker", lambda *rest: thinker)
    monkeypatch.setattr(engine_module, "warm_up_thinker", lambda *rest: None)
    said = talk("position start", "go movetime 50")
    assert why in errors(said)[0]
    assert RED.start().parse(said[-1].removeprefix("bestmove "))


_WORDS = st.sampled_from(
    [*COMMANDS, "start", "text", "view", "moves", "A", "5-6", "depth", "1", "name", "value", "past"]
)


@settings(deadline=None, max_examples=60)
@given(st.lists(st.one_of(st.text(max_size=30), st.lists(_WORDS, max_size=6).map(" ".join)), max_size=6))
def test_whatever_is_sent_the_answer_is_a_line_of_the_protocol(lines: list[str]) -> None:
    known = r"(id|option|uciok|readyok|bestmove|info depth|info string error [a-z-]+:)( |$)"
    lines = [line for line in lines if not line.startswith("go ") or "depth 1" in line]
    for line in talk(*lines, player="greedy"):
        assert re.match(known, line) and "\n" not in line


def test_the_exchange_in_the_documentation_is_real() -> None:
    """Numbers and chosen moves may change with the search; everything else is as printed."""
    text = DOCS.read_text(encoding="utf-8")
    exchange = next(block for block in re.findall(r"```\n(.*?)```", text, re.DOTALL) if "> uci" in block)
    sent = [line[2:] for line in exchange.splitlines() if line.startswith("> ")]
    printed = [line[2:] for line in exchange.splitlines() if line.startswith("< ")]
    assert len(sent) > 5

    def shape(line: str) -> str:
        if line.startswith("info depth"):
            return "info depth"
        return re.sub(r"^(bestmove|id name Cupboard) \S+", r"\1", re.sub(r"( var .*| default alphabeta)$", "", line))

    def without_repeats(lines: list[str]) -> list[str]:
        shapes = [shape(line) for line in lines if line != "…"]
        return [one for n, one in enumerate(shapes) if n == 0 or shapes[n - 1] != one]

    assert without_repeats(talk(*sent, game=load("jumping-cups"))) == without_repeats(printed)


def ask(*requests: object, game: Any = RED, player: str = "") -> list[Any]:
    said: list[str] = []
    JsonEngine(game, player).run([r if isinstance(r, str) else json.dumps(r) for r in requests], said.append)
    return [json.loads(line) for line in said]


def test_a_json_request_is_answered_for_every_move() -> None:
    (answer,) = ask({"id": "x", "moves": ["5-6"], "nodes": 3000, "most": 0})
    assert answer["id"] == "x" and answer["seat"] == "B"
    assert {value["move"] for value in answer["moves"]} == {"10-9", "11-10", "12-11", "13-12", "14-13"}
    best = answer["moves"][0]
    assert best["move"] == answer["move"] and best["value"] == answer["score"]
    assert answer["pv"][0] == answer["move"] and sum(value["visits"] for value in answer["moves"]) > 1000


def test_json_requests_that_make_no_sense_get_a_code_and_a_sentence() -> None:
    bad: list[object] = [
        "nonsense", "[]", "[" * 100_000, '{"id": 7, "nodes": "many"}', {"id": 7, "nodes": -1}, {"id": 7, "best": 1},
        {"id": 7, "position": "x"}, {"id": 7, "moves": ["5-9"]}, {"id": 7, "player": "nobody"}, {"id": 7, "seat": "B"},
        {"id": 7, "past": [1]}, {"id": 7, "moves": ["5-6 moves"]},
    ]  # fmt: skip
    answers = ask(*bad)
    assert len(answers) == len(bad)
    for answer in answers:
        assert answer["error"]["code"] and len(answer["error"]["message"]) > 10
    assert all(answer["id"] == 7 for answer in answers[3:])


def test_a_bot_that_cannot_explain_itself_still_answers() -> None:
    (answer,) = ask({"id": 1, "depth": 1}, player="greedy")
    assert answer["move"] == answer["moves"][0]["move"]
    assert find_thinker(RED, "random")
