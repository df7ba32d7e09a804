"""The kernel against the slow reference: in every position of every game."""

from __future__ import annotations

import pytest

from cupboard.core import playouts
from cupboard.games.noughts.reference import SlowGrid, perft
from cupboard.games.noughts.rules import CELLS, MARKS, GridPosition, Noughts

GAME = Noughts()


def test_the_kernel_plays_like_the_reference_everywhere() -> None:
    seen: set[str] = set()
    waiting: list[tuple[GridPosition, SlowGrid]] = [(GAME.start(), SlowGrid())]
    while waiting:
        position, slow = waiting.pop()
        if slow.marks in seen:
            continue
        seen.add(slow.marks)
        assert position.marks() == slow.marks
        assert [CELLS.index(move.cell) for move in position.moves()] == slow.moves()
        outcome = position.outcome()
        assert (outcome is not None) == (not slow.moves())
        if outcome is not None:
            winners = (MARKS.index(slow.winner),) if slow.winner else (0, 1)
            assert outcome.winners == winners and outcome.reason == ("line" if slow.winner else "full")
        waiting += [(position.play(position.parse(CELLS[cell])), slow.play(cell)) for cell in slow.moves()]
    assert len(seen) == 5478


@pytest.mark.parametrize("depth", range(1, 7))
def test_perft_of_the_reference_is_the_kernels(depth: int) -> None:
    assert perft(SlowGrid(), depth) == playouts.perft(GAME.kernel, GAME.start().row.copy(), depth)


def test_equal_positions_have_equal_keys_and_others_have_not() -> None:
    ways = [("a1", "b2", "c3"), ("c3", "b2", "a1"), ("a1", "c3", "b2")]
    keys = []
    for way in ways:
        position = GAME.start()
        for cell in way:
            position = position.play(position.parse(cell))
        keys.append(GAME.kernel.key(position.row.copy()))
    assert keys[0] == keys[1] != keys[2]
