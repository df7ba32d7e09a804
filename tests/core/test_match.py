"""Matches: the log is the truth."""

from __future__ import annotations

from random import Random

import pytest

import cupboard
from cupboard.core.errors import BadTurn, IllegalMove
from cupboard.core.match import LoggedMove, Match
from cupboard.core.move import Lot
from cupboard.core.row import Row
from cupboard.games.jumping_cups.rules import CupPosition, Jump


def begun() -> Match:
    match = Match(cupboard.load("jumping-cups"))
    match.play("lot-A")
    return match


def test_a_refused_move_changes_nothing() -> None:
    match = begun()
    before = match.position
    for wrong in ("5-9", "12-11"):
        with pytest.raises(IllegalMove):
            match.play(wrong)
    with pytest.raises(BadTurn):
        match.play("10-9", 1)
    assert match.position is before and match.log == [LoggedMove(0, -1, Lot(0))]


def test_undo_takes_back_the_last_move_of_a_seat() -> None:
    match = begun()
    start = match.position
    match.play("5-6")
    assert match.undo() == Jump((5, 6)) and match.position == start
    with pytest.raises(IllegalMove, match="no move to take back"):
        match.undo()


def test_positions_can_be_looked_up_by_number() -> None:
    match = begun()
    match.play("5-6")
    assert [match.position_at(n).ply for n in range(3)] == [0, 0, 1]


def test_nature_settles_until_a_seat_acts() -> None:
    match = Match(cupboard.load("jumping-cups"))
    assert match.settle(Random(0)).to_act in ((0,), (1,))
    assert len(match.log) == 1


def test_a_step_is_found_legal_once_and_then_taken_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    match = begun()
    checks = []
    known = CupPosition._after

    def counted(self: CupPosition, move: Jump | Lot, seat: int | None) -> Row:
        checks.append(move)
        return known(self, move, seat)

    monkeypatch.setattr(CupPosition, "_after", counted)
    monkeypatch.setattr(CupPosition, "_is_legal", lambda *_: pytest.fail("checked twice"))
    step = match.position.step("5-6", 0)
    assert match.add(step) is step.after is match.position
    assert match.log[-1] == LoggedMove(1, 0, Jump((5, 6))) and checks == [Jump((5, 6))]


@pytest.mark.parametrize("move", ["5-9", "lot-A", Jump((5, 9)), Lot(0)])
def test_there_is_no_step_without_a_legal_move(move: str | Jump | Lot) -> None:
    position = begun().position
    with pytest.raises(IllegalMove) as by_step:
        position.step(move, 0)
    with pytest.raises(IllegalMove) as by_play:
        position.play(position.parse(move, 0) if isinstance(move, str) else move, 0)
    assert str(by_step.value) == str(by_play.value)


def test_a_step_belongs_to_one_position() -> None:
    match = begun()
    step = match.position.step("5-6")
    match.play("4-5")
    with pytest.raises(ValueError, match="another position"):
        match.add(step)
    assert len(match.log) == 2


def test_a_match_can_go_back_and_on() -> None:
    match = begun()
    match.play("5-6")
    there = match.position
    match.play(match.position.moves()[0])
    assert match.position_at(2) is match.position_at(2)
    match.cut(2)
    assert match.position == there and len(match.log) == 2
    assert match.position_at(2) == there and match.position_at(1).ply == 0
    assert match.position_at(-1) == there and match.position_at(-3).ply == 0
    for n in (-4, 3):
        with pytest.raises(IndexError):
            match.position_at(n)
