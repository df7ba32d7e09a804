"""The kernel agrees with the slow reference, move by move, under every option."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pytest

from cupboard.core.kernel import LIVE, OVER, SEATS, TURN, Kernel, Row
from cupboard.core.playouts import perft
from cupboard.core.row import by_entry
from cupboard.games.chinese_checkers import kernel
from cupboard.games.chinese_checkers import layout as k
from cupboard.games.chinese_checkers.board import AXIAL
from cupboard.games.chinese_checkers.reference import HOLES, HOMES, Reference, Rules, triangle
from cupboard.games.chinese_checkers.star import TRIANGLE

KERNEL = Kernel.of(kernel)
REASONS = {
    "one": k.ONE_FINISHED,
    "several": k.SEVERAL_FINISHED,
    "repeated": k.REPEATED,
    "limit": k.LIMIT_REACHED,
    "blocked": k.ALL_BLOCKED,
}
OPENSPIEL = {
    "finish_rule": "strict",
    "lock": False,
    "whole_rounds": False,
    "repetition": 0,
    "round_cap": 0,
    "turn_cap": 1000,
}


def setup(rules: Rules, room: int = 0) -> Row:
    """The kernel's start under the reference's rules."""
    row = np.zeros(k.SIZE + room, np.int64)
    options = {
        SEATS: rules.seats,
        k.FINISH_RULE: {"fi": k.FI, "se": k.SE, "strict": k.STRICT}[rules.finish_rule],
        k.MIN_OWN: rules.fi_min_own,
        k.LEAVE_HOME: rules.leave_home,
        k.SWAP_BY_JUMP: rules.swap_by_jump,
        k.LENIENT: rules.lenient_transit,
        k.LOCK: rules.lock,
        k.WHOLE_ROUNDS: rules.whole_rounds,
        k.REPETITION: rules.repetition,
        k.ROUND_CAP: rules.round_cap,
        k.TURN_CAP: rules.turn_cap,
    }
    kernel.setup(row, np.array(by_entry(options), np.int64))
    return row


def pairs(row: Row) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """The kernel's moves as pairs of axial coordinates."""
    out = np.zeros(k.MAX_MOVES, np.int64)
    return [(AXIAL[code // 121], AXIAL[code % 121]) for code in out[: kernel.moves(row, out)].tolist()]


def progress(rules: Rules, seat: int, move: tuple[tuple[int, int], tuple[int, int]]) -> float:
    """How much nearer to the far tip of its target the move brings the piece, roughly."""
    tips = {"N": (4, -8), "NE": (8, -4), "SE": (4, 4), "S": (-4, 8), "SW": (-8, 4), "NW": (-4, -4)}
    q, r = tips[list(tips)[(list(tips).index(HOMES[rules.seats][seat]) + 3) % 6]]

    def away(hole: tuple[int, int]) -> float:
        dq, dr = hole[0] - q, hole[1] - r
        return float(dq * dq + dr * dr + dq * dr)

    return away(move[0]) - away(move[1])


def compare(rules: Rules, rng: Random, longest: int) -> str:
    """Play one game on both sides; how it ended, or '' if it was still going on."""
    row, slow = setup(rules, room=longest), Reference(rules)
    eager = rng.random()
    for _ in range(longest):
        if slow.winners is not None:
            break
        assert row[TURN] == slow.turn
        fast_moves = pairs(row)
        assert len(set(fast_moves)) == len(fast_moves)
        assert set(fast_moves) == slow.moves()
        ordered = sorted(fast_moves)
        if rng.random() < eager:
            best = [m for m in ordered if progress(rules, slow.turn, m) > 0] or ordered
            move = max(rng.sample(best, min(4, len(best))), key=lambda m: progress(rules, slow.turn, m))
        else:
            move = rng.choice(ordered)
        kernel.play(row, AXIAL.index(move[0]) * 121 + AXIAL.index(move[1]))
        slow.play(*move)
        owners = {hole: (int(row[k.HOLES + i]) >> 12) - 1 for i, hole in enumerate(HOLES)}
        assert {hole: seat for hole, seat in owners.items() if seat >= 0} == slow.board
    if slow.winners is None:
        return ""
    assert row[TURN] == OVER
    out = np.zeros(6, np.int64)
    assert kernel.scores(row, out) == REASONS[slow.reason]
    assert out[: rules.seats].tolist() == slow.scores()
    return slow.reason


VARIETIES = [
    {},
    {"leave_home": False},
    {"fi_min_own": 8, "leave_home": False},
    {"lenient_transit": True},
    {"lock": False},
    {"repetition": 2, "round_cap": 40},
    {"finish_rule": "se"},
    {"finish_rule": "se", "swap_by_jump": True},
    {"finish_rule": "se", "swap_by_jump": True, "lenient_transit": True},
    {"finish_rule": "strict", "whole_rounds": False},
    {"turn_cap": 70},
    OPENSPIEL,
]


@pytest.mark.parametrize("seats", [2, 3, 4, 6])
@pytest.mark.parametrize("options", VARIETIES, ids=str)
def test_kernel_and_reference_play_the_same_game(seats: int, options: dict[str, object]) -> None:
    rng = Random(f"{seats} {options}")
    for _ in range(2):
        compare(Rules(seats=seats, **options), rng, longest=110)  # type: ignore[arg-type]


def crowded(rules: Rules, rng: Random) -> dict[tuple[int, int], int]:
    """A board on which seat 0's start and target are nearly full: own pieces, foreign ones and a few empty holes."""
    left = dict.fromkeys(range(rules.seats), 10)
    board: dict[tuple[int, int], int] = {}
    corners = [hole for hole in HOLES if triangle(hole) in ("N", "S")]
    middle = [hole for hole in HOLES if triangle(hole) not in ("N", "S")]
    foreign = rng.choice((0.3, 0.6, 0.9))
    for hole in (*sorted(corners, key=lambda hole: abs(hole[1])), *rng.sample(middle, len(middle))):
        inside = triangle(hole) in ("N", "S")
        seat = rng.randrange(1, rules.seats) if inside and rng.random() < foreign else rng.randrange(rules.seats)
        is_deep = abs(hole[1]) >= 7
        if left[seat] and (not inside or rng.random() > (0.5 if is_deep else 0.1)):
            board[hole] = seat
            left[seat] -= 1
    return board


@pytest.mark.parametrize("leave_home", [True, False])
@pytest.mark.parametrize("seats", [2, 4, 6])
def test_kernel_and_reference_agree_on_walls(seats: int, leave_home: bool) -> None:
    """CA-21 and CA-22 in positions that no game would reach: the same finish after any move of seat 0."""
    rng = Random(f"walls {seats} {leave_home}")
    rules = Rules(seats=seats, leave_home=leave_home)
    walled = 0
    for _ in range(2000 if seats == 2 else 400):
        board = crowded(rules, rng)
        if len(board) < 10 * seats:
            continue
        row, slow = setup(rules), Reference(rules, dict(board))
        kernel.arrange(row, np.array([board.get(hole, -1) for hole in HOLES], np.int64))
        moves = sorted(slow.moves())
        if not moves:
            continue
        start, end = rng.choice(moves)
        kernel.play(row, HOLES.index(start) * 121 + HOLES.index(end))
        slow.play(start, end)
        finished = slow.winners if slow.winners is not None else slow.finished
        if slow.winners is None or slow.reason in ("one", "several"):
            assert [seat for seat in range(seats) if row[k.FINISHED] >> seat & 1] == sorted(finished)
        full = all(hole in slow.board for hole in HOLES if triangle(hole) == "S")
        walled += 0 in finished and not full
    assert walled >= 1


@pytest.mark.long
@pytest.mark.parametrize("seats", [2, 3, 4, 6])
@pytest.mark.parametrize("options", VARIETIES, ids=str)
def test_kernel_and_reference_play_the_same_long_games(seats: int, options: dict[str, object]) -> None:
    rng = Random(f"long {seats} {options}")
    for _ in range(20):
        assert compare(Rules(seats=seats, **options), rng, longest=1501)  # type: ignore[arg-type]


PERFT = [
    line.split()
    for line in (Path(__file__).parent / "perft.txt").read_text().splitlines()
    if line and not line.startswith("#")
]


def rules_of(seats: str, options: str) -> Rules:
    profiles: dict[str, dict[str, object]] = {
        "-": {},
        "profile=tactic-se": {"finish_rule": "se"},
        "profile=openspiel-2": OPENSPIEL,
    }
    return Rules(seats=int(seats), **profiles[options])  # type: ignore[arg-type]


@pytest.mark.parametrize("line", [line for line in PERFT if "long" not in line], ids=" ".join)
def test_perft(line: list[str]) -> None:
    seats, options, depth, count = line
    assert perft(KERNEL, setup(rules_of(seats, options)), int(depth)) == int(count)


@pytest.mark.long
@pytest.mark.parametrize("line", PERFT, ids=" ".join)
def test_perft_by_the_reference(line: list[str]) -> None:
    seats, options, depth, count = line[:4]
    if int(count) > 500_000:
        pytest.skip("more than the reference can count in minutes")
    assert Reference(rules_of(seats, options)).perft(int(depth)) == int(count)


@pytest.mark.parametrize("line", [line for line in PERFT if int(line[3]) < 5_000], ids=" ".join)
def test_small_perft_by_the_reference(line: list[str]) -> None:
    assert Reference(rules_of(line[0], line[1])).perft(int(line[2])) == int(line[3])


def test_the_two_boards_number_holes_alike() -> None:
    assert AXIAL == HOLES
    names = ["N", "NE", "SE", "S", "SW", "NW", ""]
    assert [names[t] for t in TRIANGLE[:121]] == [triangle(hole) for hole in HOLES]


def test_equal_positions_have_equal_rows_whatever_the_past() -> None:
    """Only counters and the past may differ after going there and back on two ways."""
    row = setup(Rules())
    for code in (9 * 121 + 17, 111 * 121 + 102, 17 * 121 + 9, 102 * 121 + 111):
        kernel.play(row, code)
    fresh = setup(Rules())
    assert kernel.key(row) == kernel.key(fresh)
    assert row[k.HASH : k.SIZE].tolist() == fresh[k.HASH : k.SIZE].tolist()


def test_key_tells_who_is_to_act() -> None:
    """One step and its mirror image, in both orders of the hands that made them."""
    row = setup(Rules())
    before = kernel.key(row)
    kernel.play(row, 9 * 121 + 17)
    kernel.play(row, 111 * 121 + 102)
    kernel.play(row, 17 * 121 + 9)
    kernel.play(row, 102 * 121 + 103)
    kernel.play(row, 9 * 121 + 17)
    kernel.play(row, 103 * 121 + 102)
    kernel.play(row, 17 * 121 + 9)
    assert row[TURN] == 1
    south_to_move = kernel.key(row)
    kernel.play(row, 102 * 121 + 111)
    assert kernel.key(row) == before != south_to_move


def test_a_row_without_room_keeps_no_past() -> None:
    row = setup(Rules())
    for code in (9 * 121 + 17, 111 * 121 + 102, 17 * 121 + 9, 102 * 121 + 111) * 3:
        kernel.play(row, code)
    assert row[LIVE] == len(row) == k.SIZE
    assert row[TURN] == 0


def test_the_third_occurrence_of_the_start_is_a_draw() -> None:
    """CA-19: the start itself counts as the first."""
    row = setup(Rules(), room=9)
    for n, code in enumerate((9 * 121 + 17, 111 * 121 + 102, 17 * 121 + 9, 102 * 121 + 111) * 2):
        assert row[TURN] == n % 2
        kernel.play(row, code)
    out = np.zeros(2, np.int64)
    assert row[TURN] == OVER
    assert kernel.scores(row, out) == k.REPEATED
    assert out.tolist() == [30, 30]


def test_no_position_seen_comes_near_the_room_for_moves() -> None:
    """The bound is proved by counting holes; here is how far real games stay below it."""
    rng = Random(1)
    out = np.full(k.MAX_MOVES, -1, np.int64)
    most = 0
    for seats in (2, 6):
        row = setup(Rules(seats=seats))
        for _ in range(2000):
            if row[TURN] == OVER:
                break
            n = kernel.moves(row, out)
            most = max(most, n)
            kernel.play(row, int(out[rng.randrange(n)]))
    assert 80 < most < 10 * (6 + k.MOST_ENDS)
