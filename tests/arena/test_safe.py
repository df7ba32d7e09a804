"""Guards: whatever a player does, a table gets a legal move in time, or a sentence."""

from __future__ import annotations

import pickle
import threading
from time import monotonic, sleep
from typing import Any

import pytest

from cupboard.core.errors import BadTurn
from cupboard.core.game import Move, View
from cupboard.core.registry import load
from cupboard.core.testing_games import follow
from cupboard.games.jumping_cups.rules import Jump
from cupboard.players.safe import Guard, PlayerFault, SafePlayer, modest_move
from cupboard.players.thinking import Limits, Report, Thinker, Thought

GAME = load("jumping-cups", starter="red")


def view(moves: str = "") -> View[Any]:
    position = follow(GAME.start(), *moves.split())
    return position.seen_by(position.to_act[0])


class Sleepy:
    def __init__(self) -> None:
        self.wake = threading.Event()
        self.asked = 0

    def choose(self, view: View[Any]) -> Move:
        self.asked += 1
        self.wake.wait(20)
        move: Move = view.moves()[0]
        return move


class Broken:
    def choose(self, view: View[Any]) -> Move:
        raise ZeroDivisionError("in a search")


class Quitter:
    def choose(self, view: View[Any]) -> Move:
        raise SystemExit(3)


class Cheat:
    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def choose(self, view: View[Any]) -> Move:
        move: Move = self.answer
        return move


def test_a_late_player_is_given_up_and_a_legal_move_made_soon() -> None:
    sleepy = Sleepy()
    began = monotonic()
    safe = SafePlayer(sleepy, seconds=0.1)
    assert safe.choose(view()) in view().moves()
    assert monotonic() - began < 3
    assert [fault.kind for fault in safe.faults] == ["late"]
    sleepy.wake.set()


def test_a_player_that_is_still_busy_is_not_asked_twice_at_once() -> None:
    sleepy = Sleepy()
    guard = Guard(sleepy, 0.05)
    for _ in range(3):
        with pytest.raises(PlayerFault):
            guard.choose(view())
    assert sleepy.asked == 1
    sleepy.wake.set()
    sleep(0.05)
    guard.seconds = 5
    assert guard.choose(view()) in view().moves()
    assert sleepy.asked == 2


@pytest.mark.parametrize("player", [Broken(), Quitter()])
def test_a_crash_in_a_search_is_a_fault_and_not_an_exception(player: Any) -> None:
    faults: list[PlayerFault] = []
    safe = SafePlayer(player, seconds=5, on_fault=faults.append)
    assert safe.choose(view()) in view().moves()
    assert [fault.kind for fault in faults] == ["crash"]


@pytest.mark.parametrize("answer", [None, "5-6", Jump((5, 9)), Jump((99, 100)), object()])
@pytest.mark.parametrize("seconds", [None, 5.0])
def test_nonsense_and_illegal_moves_are_refused(answer: object, seconds: float | None) -> None:
    with pytest.raises(PlayerFault, match="no legal move") as caught:
        Guard(Cheat(answer), seconds).choose(view())
    assert caught.value.kind == "illegal"


def test_a_view_that_fits_no_world_still_gets_a_legal_move(monkeypatch: pytest.MonkeyPatch) -> None:
    from cupboard.players.greedy import Greedy

    def no_world(*_: object) -> None:
        raise ValueError("no deal fits")

    game = load("jumping-cups", starter="red")
    monkeypatch.setattr(game, "imagine", no_world)
    seen = game.start().seen_by(0)
    safe = SafePlayer(Greedy(game, 0), seconds=5)
    assert safe.choose(seen) in seen.moves()
    assert "no deal fits" in str(safe.faults[0])


def test_the_fallback_does_not_lose_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three of Red's five cups would leave the track; even without greedy's help none of them is moved."""
    game = load("jumping-cups", starter="red")
    seen = game.read("R/././././Y/Y/Y/Y/Y/R/R/R/R A 10").seen_by(0)
    assert sum(bool(move.warning) for move in seen.moves()) >= 2
    monkeypatch.setattr(game, "imagine", lambda *_: 1 / 0)
    assert not any(modest_move(seen, seed).warning for seed in range(20))


def test_who_is_not_to_act_is_refused_and_not_made_to_move() -> None:
    with pytest.raises(BadTurn):
        SafePlayer(Sleepy(), seconds=0.1).choose(GAME.start().seen_by(1))


def test_a_late_thinker_is_told_to_stop() -> None:
    heard = threading.Event()

    class Endless(Thinker):
        limits = Limits()

        def choose(self, view: View[Any]) -> Move:
            raise AssertionError("it can be told its limits")

        def think(
            self,
            view: View[Any],
            limits: Limits | None = None,
            stop: threading.Event | None = None,
            report: Report | None = None,
            all_moves: bool = False,
        ) -> Thought:
            assert stop is not None
            stop.wait(20)
            heard.set()
            return Thought(view.moves()[0], 0.5, 1, 1, ())

    with pytest.raises(PlayerFault):
        Guard(Endless(), 0.05, Limits(nodes=1)).choose(view())
    assert heard.wait(5)


def test_a_fault_travels_between_processes() -> None:
    again = pickle.loads(pickle.dumps(PlayerFault("gone", "It has stopped.")))
    assert (again.kind, str(again)) == ("gone", "It has stopped.")
