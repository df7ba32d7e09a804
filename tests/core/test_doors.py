"""Public doors: what does not belong to a game is refused with a sentence, before compiled code touches it."""

from __future__ import annotations

from itertools import islice, permutations
from random import Random
from typing import Any

import numpy as np
import pytest

from cupboard.core.errors import BadPosition, BadTurn, CupboardError, IllegalMove, NoSuchSeat
from cupboard.core.game import Position
from cupboard.core.match import Match
from cupboard.core.move import Lot
from cupboard.core.playouts import divide, perft, playouts
from cupboard.core.registry import load, names
from cupboard.core.testing_games import after, walk
from cupboard.games.cup_king.flick import Aim
from cupboard.games.cup_king.moves import Deal, Flick, Play, Settle, Shoot
from cupboard.games.cup_king.poses import Pose
from cupboard.games.jumping_cups.rules import Jump
from cupboard.players import make_player

PAIRS = list(permutations(names(), 2))


def in_play(name: str, moves: int = 12) -> Position[Any]:
    """A position some moves into a game, a seat to act."""
    return after(load(name), moves, 3)


@pytest.mark.parametrize(("name", "other"), PAIRS)
@pytest.mark.parametrize("moves", [0, 20])
def test_a_row_of_another_game_is_refused(name: str, other: str, moves: int) -> None:
    """It crashed the process."""
    kernel, row = load(name).kernel, in_play(other, moves).row
    roomy = np.concatenate([row, np.zeros(500, np.int64)])
    for wrong in (row, roomy):
        for door in (lambda: playouts(kernel, wrong, 1, 1), lambda: perft(kernel, wrong, 2)):  # noqa: B023
            with pytest.raises(BadPosition, match="row"):
                door()
        with pytest.raises(BadPosition, match="row"):
            list(divide(kernel, wrong, 2))
        with pytest.raises(BadPosition, match="row"):
            load(name).position_class(load(name), wrong)


def test_every_game_has_rows_of_a_size_of_its_own() -> None:
    """This is how a kernel knows its rows."""
    sizes = [load(name).kernel.size for name in names()]
    assert len(set(sizes)) == len(sizes)


@pytest.mark.parametrize("name", names())
def test_a_row_may_be_read_only_or_spread_out(name: str) -> None:
    position = in_play(name, 2)
    kernel, row = position.game.kernel, position.row
    assert not row.flags.writeable
    spread = np.repeat(row, 2)[::2]
    assert not spread.flags.c_contiguous
    first = playouts(kernel, row.copy(), 3, 1, cap=50)
    assert playouts(kernel, row, 3, 1, cap=50) == playouts(kernel, spread, 3, 1, cap=50) == first
    assert sum(n for _, n in divide(kernel, row, 2)) == perft(kernel, row, 2)
    again = type(position)(position.game, row)
    assert again == position and again.play(again.moves()[0], again.to_act[0]).ply == position.ply + 1


@pytest.mark.parametrize("name", names())
def test_a_past_that_cannot_be_is_refused(name: str) -> None:
    """Only Chinese Checkers remembers, and no more than there were moves."""
    game = load(name)
    with pytest.raises(BadPosition):
        game.from_json({"position": str(game.start()), "past": [1, 2, 3]})


@pytest.mark.parametrize(("name", "other"), PAIRS)
def test_a_move_of_another_game_is_refused(name: str, other: str) -> None:
    position, stranger = in_play(name), in_play(other).moves()[0]
    with pytest.raises(IllegalMove, match=f"{type(stranger).__name__} is no move of "):
        position.play(stranger, position.to_act[0])
    assert stranger not in position.moves()


@pytest.mark.parametrize("name", names())
def test_a_text_is_no_move_until_it_is_parsed(name: str) -> None:
    position = in_play(name)
    text = str(position.moves()[0])
    with pytest.raises(IllegalMove, match="let parse read it first"):
        position.play(text, position.to_act[0])
    assert Match(load("jumping-cups", starter="red")).play("5 - 6").ply == 1, "a match takes either"


@pytest.mark.parametrize("move", [Jump(()), Jump((99,)), Jump((5, 99)), Jump((0, 1)), Jump((-3,))])
def test_a_jump_nobody_could_write_is_refused(move: Jump) -> None:
    with pytest.raises(IllegalMove, match=r"is no move: write|moves 1"):
        load("jumping-cups", starter="red").start().play(move)


@pytest.mark.parametrize(
    "move",
    [
        Play(0, ()),
        Play(0, ("Z9",)),
        Shoot(0, "z9"),
        Flick(0, "z9"),
        Flick(0, "c2", Aim(strength=101)),
        Lot(7),
        Settle(0, ("z9",)),
        Settle(0, (), (("z9", Pose()),)),
        Deal(0, ("Q1",)),
    ],
)
def test_a_move_of_cup_king_nobody_could_write_is_refused(move: Any) -> None:
    for position in islice(walk(load("cup-king").start(), Random(1)), 12):
        with pytest.raises(CupboardError):
            position.play(move, position.to_act[0])


@pytest.mark.parametrize("player", ["random", "greedy", "alphabeta", "mcts", "sprout"])
def test_a_player_refuses_a_view_of_another_game(player: str) -> None:
    bot = make_player(player, load("jumping-cups"), 1)
    for view in (in_play("double-dutch").seen_by(0), load("jumping-cups", starter="red").start().seen_by(0)):
        with pytest.raises(BadPosition, match="This is a view of"):
            bot.choose(view)


@pytest.mark.parametrize("player", ["sensible", "ismcts", "greedy"])
def test_a_player_of_cup_king_refuses_a_view_of_another_game(player: str) -> None:
    bot = make_player(player, load("cup-king"), 1)
    with pytest.raises(BadPosition, match="This is a view of"):
        bot.choose(in_play("double-dutch").seen_by(0))


@pytest.mark.parametrize("name", names())
def test_a_seat_there_is_not_is_an_error_not_silence(name: str) -> None:
    position = in_play(name)
    for ask in (position.seen_by, position.moves, position.seen_by(0).moves):
        with pytest.raises(NoSuchSeat, match=r"There is no seat J \(9\)"):
            ask(9)
    assert len(position.moves(1 - position.to_act[0])) == 0, "a seat whose turn it is not has no moves"


@pytest.mark.parametrize("name", names())
def test_chance_acts_only_at_its_own_turn(name: str) -> None:
    with pytest.raises(BadTurn, match="It is not nature's turn"):
        in_play(name).chance(Random(1))


def test_chance_draws_from_numpy_as_well() -> None:
    rng = np.random.default_rng(5)
    drawn = {str(load("jumping-cups").start().chance(rng)) for _ in range(40)}
    assert drawn == {"lot-A", "lot-B"}
    position = Match(load("cup-king")).settle(rng)
    assert position.to_act == (0, 1) and position.game.imagine(position.seen_by(0), rng).seen_by(0) == position.seen_by(
        0
    )
    for wrong in (None, 5, np.random, np.random.RandomState(1)):
        with pytest.raises(CupboardError, match=r"random\.Random or a numpy Generator"):
            load("jumping-cups").start().chance(wrong)  # type: ignore[arg-type]


def test_where_several_act_at_once_somebody_must_be_named() -> None:
    match = Match(load("cup-king", 3))
    position = match.settle(Random(1))
    build = position.moves(2)[0]
    with pytest.raises(BadTurn, match="Player A, Player B and Player C act at the same time: say whose move it is"):
        position.play(build)
    with pytest.raises(BadTurn):
        match.play(build)
    with pytest.raises(BadTurn):
        match.play(str(build))
    assert match.play(build, 2).to_act == (0, 1)
