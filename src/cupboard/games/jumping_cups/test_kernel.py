"""The kernel against the slow reference."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cupboard.core import playouts as core
from cupboard.core.testing_games import walk
from cupboard.games.jumping_cups import kernel
from cupboard.games.jumping_cups.reference import SlowCups, perft
from cupboard.games.jumping_cups.rules import Jump, JumpingCups

GAME = JumpingCups(starter="red")


@given(st.integers(0, 2**32))
def test_the_kernel_plays_like_the_reference(seed: int) -> None:
    rng = Random(seed)
    position, slow = GAME.start(), SlowCups()
    while not position.is_over:
        assert [move.path[0] for move in position.moves() if isinstance(move, Jump)] == slow.moves()
        code = rng.choice(slow.moves())
        position = position.play(position.parse(str(code)))
        slow.play(code)
        assert [position.stack(k) for k in range(1, 15)] == slow.squares[1:]
    outcome = position.outcome()
    assert outcome is not None
    assert ("RY"[outcome.winners[0]], outcome.reason) == (slow.winner, slow.reason)


@given(st.integers(0, 2**32))
def test_what_follows_from_the_stacks_does_follow(seed: int) -> None:
    """The masks kept by `play` are the ones `refresh` would count."""
    for position in walk(GAME.start(), Random(seed)):
        row = position.row.copy()
        kernel.refresh(row)
        assert (row == position.row).all()


@pytest.mark.parametrize("depth", [1, 2, 3, 4, 5, 6])
def test_perft_of_the_reference_is_the_kernels(depth: int) -> None:
    start = GAME.start().row.copy()
    assert perft(SlowCups(), depth) == core.perft(GAME.kernel, start, depth)


@pytest.mark.parametrize(
    ("line", "counts"),
    [
        ("./RY/./RY/././RY/R/Y/Y/./././R B 20", [5, 5, 12, 12, 28, 29, 61, 56]),
        ("././RRY/./././RY/././R/./YYR/./Y B 24", [3, 5, 9, 15, 21, 29, 33, 34]),
        ("././././Y/RR/RY/././RYY/Y/R/./. A 40", [2, 8, 22, 80, 240, 785, 2471]),
    ],
)
def test_perft_agrees_where_overshoots_end_games(line: str, counts: list[int]) -> None:
    """From the start, no game ends by JA-11 within thirteen moves; from here, many do."""
    position = GAME.read(line)
    slow = SlowCups(["", *position.stacks()], "RY"[position.to_act[0]])
    for depth, count in enumerate(counts, start=1):
        assert perft(slow, depth) == core.perft(GAME.kernel, position.row.copy(), depth) == count


def test_divide_adds_up_to_perft() -> None:
    start = GAME.start().row.copy()
    assert sum(count for _, count in core.divide(GAME.kernel, start, 5)) == 1722


def test_equal_positions_have_equal_keys_and_other_turns_other_keys() -> None:
    one, other = (GAME.read(f"R/R/R/R/R/././././Y/Y/Y/Y/Y {turn} 0") for turn in "AB")
    key = GAME.kernel.key
    assert key(one.row.copy()) == key(GAME.start().row.copy())
    assert key(one.row.copy()) != key(other.row.copy())


def test_playouts_end_and_repeat_with_their_seed() -> None:
    start = GAME.start().row.copy()
    tally = core.playouts(GAME.kernel, start, 200, seed=1)
    assert tally == core.playouts(GAME.kernel, start, 200, seed=1)
    assert tally != core.playouts(GAME.kernel, start, 200, seed=2)
    assert tally.finished == 200 and tally.chance_moves == 0
