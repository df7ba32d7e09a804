"""What a position answers when one asks it plainly."""

from __future__ import annotations

from copy import copy, deepcopy

import pytest

import cupboard
from cupboard.core.errors import BadTurn
from cupboard.core.game import CHANCE


def test_moves_without_a_seat_are_those_of_whoever_acts() -> None:
    position = cupboard.load("double-dutch", 3).start()
    (seat,) = position.to_act
    assert list(position.moves()) == list(position.moves(seat)) != []
    assert list(position.moves((seat + 1) % 3)) == []


def test_where_several_act_each_has_moves_of_its_own() -> None:
    position = cupboard.load("cup-king", 3).start()
    while position.to_act == (CHANCE,):
        position = position.play(position.moves(CHANCE)[0], CHANCE)
    assert position.to_act == (0, 1, 2)
    assert [str(position.moves(seat)[0])[:7] for seat in range(3)] == ["build-A", "build-B", "build-C"]
    assert str(position.moves()[0]).startswith("build-A")


def test_a_finished_game_asks_nobody_and_has_an_outcome() -> None:
    position = cupboard.load("jumping-cups", starter="red").start()
    assert position.outcome() is None and position.ply == 0
    made = 0
    while not position.is_over:
        position = position.play(position.moves()[0])
        made += 1
    assert (position.to_act, list(position.moves()), position.ply) == ((), [], made)
    outcome = position.outcome()
    assert outcome is not None and sum(outcome.scores) == 1


def test_a_position_is_a_value() -> None:
    game = cupboard.load("jumping-cups", starter="red")
    start = game.start()
    moved = start.play(start.moves()[0])
    assert start == game.start() != moved and hash(start) == hash(game.start())
    assert start != game and moved.seen_by(0) == moved.seen_by(0) != moved
    assert copy(start) is start and deepcopy(start) is start
    with pytest.raises(BadTurn, match="Red"):
        start.play(start.moves()[0], 1)


def test_jumping_cups_alone_cannot_be_drawn() -> None:
    """JC-18 knows no draw; everywhere else people may agree on one."""
    assert {name for name in cupboard.names() if not cupboard.load(name).can_be_drawn} == {"jumping-cups"}
