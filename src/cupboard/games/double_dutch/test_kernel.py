"""The kernel against the slow reference: the same moves at every turn, the same stones, the same results."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator

import numpy as np
import pytest

from cupboard.core.kernel import LIVE, OVER, PLY, POINT, SEATS, TURN, Kernel, Row
from cupboard.core.playouts import perft, playouts
from cupboard.core.row import by_entry
from cupboard.games.double_dutch import kernel
from cupboard.games.double_dutch.board import CELL_COUNT, PLACES
from cupboard.games.double_dutch.reference import BOARDS, COMPASS, Reference, RefMove

KERNEL = Kernel.of(kernel)
BOOK_STOCK = {2: 26, 3: 20}
UNLIMITED = CELL_COUNT


def start(seats: int, board: str = "pinwheel49", stock: int | None = None) -> Row:
    row = np.zeros(KERNEL.size, np.int64)
    stones = BOOK_STOCK[seats] if stock is None else stock
    options = {SEATS: seats, kernel.BOARD: list(BOARDS).index(board), kernel.STOCK: stones}
    KERNEL.setup(row, np.array(by_entry(options), np.int64))
    return row


def name_of_bit(board: int) -> dict[int, str]:
    """Names counted off the drawing, independently of the reference's coordinates."""
    named = {}
    for (column, line), bit in PLACES[board].items():
        number = sum(1 for c, r in PLACES[board] if r == line and c <= column)
        named[bit] = f"{'abcdefghi'[line]}{number}"
    return named


NAMES = [name_of_bit(board) for board in range(len(BOARDS))]


def spoken(row: Row, code: int) -> RefMove:
    name = NAMES[row[kernel.BOARD]][code & 63]
    return (name,) if code < 64 else (name, list(COMPASS)[(code >> 6) - 1])


def stones(row: Row) -> dict[str, tuple[int, bool]]:
    return {
        name: (seat, flat)
        for seat in range(3)
        for flat, base in ((True, kernel.FLAT), (False, kernel.TURNED))
        for bit, name in NAMES[row[kernel.BOARD]].items()
        if row[base + seat] >> bit & 1
    }


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("stock", [None, UNLIMITED, 9])
def test_random_games_agree_with_the_reference(board: str, seats: int, stock: int | None) -> None:
    rng = random.Random(f"{board} {seats} {stock}")
    for _ in range(8):
        row, judge = start(seats, board, stock), Reference(seats, board, stock)
        while row[TURN] != OVER:
            assert row[TURN] == judge.turn
            offered = KERNEL.codes(row)
            said = [spoken(row, code) for code in offered]
            assert len(set(offered)) == len(offered)
            assert sorted(said) == sorted(judge.moves())
            choice = rng.randrange(len(offered))
            KERNEL.play(row, offered[choice])
            judge.play(said[choice])
            seen = stones(row)
            assert seen == {judge.name_of[cell]: stone for cell, stone in judge.stones.items()}
            assert row[PLY] == len(seen)
            assert {n for bit, n in NAMES[row[kernel.BOARD]].items() if not row[kernel.EMPTY] >> bit & 1} == set(seen)
            assert row[kernel.STOCK : kernel.STOCK + seats].tolist() == judge.stock
        assert judge.turn is None
        assert row[LIVE] == KERNEL.size
        result = np.zeros(seats, np.int64)
        assert KERNEL.scores(row, result) == kernel.LAST_MOVE
        assert [score / POINT for score in result.tolist()] == judge.points()


@pytest.mark.parametrize(("seats", "depth"), [(2, 4), (3, 3)])
@pytest.mark.parametrize("board", BOARDS)
def test_perft_agrees_with_the_reference(board: str, seats: int, depth: int) -> None:
    assert perft(KERNEL, start(seats, board), depth) == Reference(seats, board).perft(depth)


@pytest.mark.long
@pytest.mark.parametrize(("seats", "depth"), [(2, 6), (3, 5)])
def test_deep_perft_agrees_with_the_reference(seats: int, depth: int) -> None:
    assert perft(KERNEL, start(seats), depth) == Reference(seats).perft(depth)


def test_every_board_draws_the_cells_of_the_reference() -> None:
    for board, cells in enumerate(BOARDS.values()):
        assert sorted(NAMES[board].values()) == sorted(Reference(2, list(BOARDS)[board]).named)
        assert len(cells) == len(set(PLACES[board].values())) == CELL_COUNT


def test_bits_leave_the_sign_alone() -> None:
    assert all(max(places.values()) < 63 for places in PLACES)


def walk(row: Row, depth: int) -> Iterator[Row]:
    """The position and all that follow it within `depth` moves."""
    yield row
    if depth > 0 and row[TURN] != OVER:
        for code in KERNEL.codes(row):
            child = row.copy()
            KERNEL.play(child, code)
            yield from walk(child, depth - 1)


def midgame(seats: int, plies: int, seed: int) -> Row:
    rng = random.Random(seed)
    row = start(seats)
    while row[PLY] < plies:
        KERNEL.play(row, rng.choice(KERNEL.codes(row)))
    return row


@pytest.mark.parametrize("seats", [2, 3])
def test_the_key_tells_positions_apart_and_forgets_their_past(seats: int) -> None:
    keys: dict[tuple[object, ...], set[int]] = defaultdict(set)
    visits = 0
    for row in walk(midgame(seats, plies=28, seed=4), depth=4):
        flat = row[kernel.FLAT : kernel.TURNED]
        winner = row[kernel.WINNER]
        stock = row[kernel.STOCK : kernel.STOCK + seats]
        keys[row[TURN], row[kernel.EMPTY], *flat, winner, *np.minimum(stock, 49 - row[PLY])].add(KERNEL.key(row))
        visits += 1
    assert all(len(same) == 1 for same in keys.values())
    assert len(set().union(*keys.values())) == len(keys) < visits


def test_the_key_ignores_whose_stones_are_turned_over() -> None:
    row = midgame(2, plies=30, seed=1)
    turned = row[kernel.TURNED : kernel.TURNED + 2].copy()
    swapped = row.copy()
    swapped[kernel.TURNED : kernel.TURNED + 2] = turned[::-1]
    assert turned[0] != turned[1]
    assert KERNEL.key(row) == KERNEL.key(swapped)


def test_the_key_ignores_stock_beyond_the_room_left() -> None:
    row = midgame(2, plies=30, seed=1)
    keys = []
    for stock in (18, 19, 30):
        row[kernel.STOCK] = stock
        keys.append(KERNEL.key(row))
    assert keys[0] != keys[1] == keys[2]


def test_no_position_has_more_moves_than_the_kernel_promises() -> None:
    """Also for stones strewn as no game would leave them."""
    rng = random.Random(5)
    most = 0
    for _ in range(2000):
        row = start(2)
        row[PLY] = 2
        share = rng.random()
        for bit in NAMES[0]:
            if rng.random() < share:
                row[kernel.EMPTY] ^= 1 << bit
                row[kernel.FLAT] |= 1 << bit
        most = max(most, len(KERNEL.codes(row)))
    assert 30 < most <= KERNEL.max_moves


def test_playouts_finish_every_game() -> None:
    tally = playouts(KERNEL, start(3), games=50, seed=1)
    assert tally.finished == 50
    assert 50 * 20 < tally.moves < 50 * 49
