"""Matches: the log is the truth."""

from __future__ import annotations

from random import Random

import pytest

import cupboard
from cupboard.core.errors import BadTurn, IllegalMove
from cupboard.core.match import LoggedMove, Match
from cupboard.games.jumping_cups.rules import Jump, Lot


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
