"""One test per number of README.md, and the notation."""

from __future__ import annotations

import pytest

from cupboard.core.errors import BadNotation, BadPosition, IllegalMove
from cupboard.games.noughts.rules import CELLS, GridPosition, Noughts

GAME = Noughts()


def after(*cells: str) -> GridPosition:
    position = GAME.start()
    for cell in cells:
        position = position.play(position.parse(cell))
    return position


def test_nc_1_there_are_nine_empty_cells() -> None:
    assert str(GAME.start()) == ".../.../... A"
    assert [str(move) for move in GAME.start().moves()] == list(CELLS)
    assert str(after("a1", "c1", "b3")) == "x.o/.../.x. B"


def test_nc_2_the_seats_mark_empty_cells_in_turn() -> None:
    assert after().to_act == (0,) and after("b2").to_act == (1,)
    with pytest.raises(IllegalMove, match="b2 is marked already"):
        after("b2", "b2")


@pytest.mark.parametrize(
    "line", ["a1 b1 c1", "a2 b2 c2", "a3 b3 c3", "a1 a2 a3", "b1 b2 b3", "c1 c2 c3", "a1 b2 c3", "c1 b2 a3"]
)
def test_nc_3_three_in_a_row_win(line: str) -> None:
    mine = line.split()
    others = [cell for cell in ("a1", "b1", "c2", "b3", "a3", "c1") if cell not in mine]
    outcome = after(mine[0], others[0], mine[1], others[1], mine[2]).outcome()
    assert outcome is not None and outcome.winners == (0,) and outcome.reason == "line"
    assert str(outcome.sentence) == "Red has three in a row."


def test_nc_4_a_full_grid_is_shared() -> None:
    position = after("a1", "b1", "c1", "b2", "a2", "c2", "b3", "a3", "c3")
    outcome = position.outcome()
    assert str(position) == "xox/xoo/oxx =AB"
    assert outcome is not None and outcome.scores == (0.5, 0.5) and outcome.reason == "full"


@pytest.mark.parametrize("text", ["", "d1", "a4", "aa", "1", "a1b"])
def test_what_is_no_cell_is_refused(text: str) -> None:
    with pytest.raises(BadNotation, match="is no cell"):
        GAME.read_move(text)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("x.o/.../...", "three rows"),
        ("xx./.../... A", "take turns"),
        ("o../.../... B", "take turns"),
        ("xxx/ooo/... A", "take turns"),
        ("xxx/oo./o.. A", "take turns"),
        ("x../.../... A", "one writes B"),
        ("xxx/oo./... B", "one writes =A"),
    ],
)
def test_a_position_that_cannot_be_is_refused(text: str, why: str) -> None:
    with pytest.raises(BadPosition, match=why):
        GAME.read(text)
