"""Double Dutch by the book: every printed example and every ruling, by its number.

Nothing of DD-2 but the number of stones, and nothing of DA-17's balance, can be tested: wood and luck are not code.
"""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from pathlib import Path
from random import Random

import numpy as np
import pytest

from cupboard.core.errors import BadNotation, BadOption, BadPosition, BadSeats, GameOver, IllegalMove
from cupboard.core.game import letter
from cupboard.core.match import Match
from cupboard.core.record import Record
from cupboard.core.row import OVER, POINT, SEATS, TURN, by_entry
from cupboard.core.testing_games import follow, walk
from cupboard.games.double_dutch import kernel
from cupboard.games.double_dutch.board import BOARDS, PLACES, load_board
from cupboard.games.double_dutch.evaluate import evaluate
from cupboard.games.double_dutch.rules import DoubleDutch, Place, Slide, StonePosition

TWO = DoubleDutch(2)
THREE = DoubleDutch(3)


def at(stones: str, turn: str = "A", game: DoubleDutch = TWO) -> StonePosition:
    """Stones as words: `Ae4` may move, `ae4` is turned over."""
    where = {word[1:]: word[0] for word in stones.split()}
    rows = "/".join("".join(where.get(game.board.name[bit], ".") for bit in row) for row in game.board.rows)
    return game.read(f"{rows} {turn}")


def stones(position: StonePosition) -> str:
    """The stones with their cells, in reading order: "Aa1 bc3"."""
    return " ".join(f"{position.stone(cell)}{cell}" for cell in position.board.bit if position.stone(cell) != ".")


def moves(position: StonePosition) -> set[str]:
    return {str(move) for move in position.moves()}


def recorded(name: str) -> Match:
    return Record.read((Path(__file__).parent / "records" / f"{name}.game").read_text(encoding="utf-8")).replay()


def moment(match: Match, n: int | None = None) -> StonePosition:
    """Where a match stood after `n` moves, by default at its end."""
    position = match.position if n is None else match.position_at(n)
    assert isinstance(position, StonePosition)
    return position


def seats_in_order(match: Match) -> str:
    return "".join(letter(entry.seat) for entry in match.log)


# Material and board.


@pytest.mark.parametrize("board", BOARDS)
def test_dd_1_every_board_has_49_spaces(board: str) -> None:
    assert len(DoubleDutch(2, board=board).start().moves()) == 49


def test_dd_1_the_pinwheel_has_27_lines() -> None:
    """15 of seven spaces, 6 of five, 6 of two."""
    board = load_board("pinwheel49")
    assert [len(row) for row in board.rows] == [2, 5, 7, 7, 7, 7, 7, 5, 2]
    ends = [(bit, d) for d in range(3) for bit in board.name if not board.rays[d + 3][bit]]
    assert Counter(1 + len(board.rays[d][bit]) for bit, d in ends) == {7: 15, 5: 6, 2: 6}


def test_dd_1_the_pinwheel_looks_the_same_from_all_six_sides() -> None:
    """So no seat of three has a better side."""
    board = load_board("pinwheel49")
    middle = board.place[board.bit["e4"]]
    spots = {_turned(place, middle, 0) for place in board.place.values()}
    assert len(spots) == 49
    assert {_turned(place, middle, 1) for place in board.place.values()} == spots
    mirrored = {(round(-x, 3) + 0, y) for x, y in spots}
    assert mirrored != spots


def _turned(place: tuple[float, float], middle: tuple[float, float], sixths: int) -> tuple[float, float]:
    turn = np.exp(1j * np.pi / 3 * sixths)
    spot = complex(place[0] - middle[0], place[1] - middle[1]) * turn
    return round(float(spot.real), 3) + 0, round(float(spot.imag), 3) + 0


def test_dd_2_and_dd_3_26_stones_for_two_and_20_for_three() -> None:
    assert [TWO.start().stock(seat) for seat in range(2)] == [26, 26]
    assert [THREE.start().stock(seat) for seat in range(3)] == [20, 20, 20]


def test_dd_3_the_board_starts_empty() -> None:
    assert stones(TWO.start()) == stones(THREE.start()) == ""


def test_dd_4_flat_stones_move_and_turned_ones_never_again() -> None:
    position = at("Ae4 ac1 Bi2")
    assert {move.start for move in position.moves() if isinstance(move, Slide)} == {"e4"}
    with pytest.raises(IllegalMove, match="The stone on c1 has been turned over: it never moves again"):
        position.parse("c1-c7")


def test_dd_5_light_places_first_then_the_others_flat_side_down() -> None:
    position = follow(THREE.start(), "e4", "a1", "i2")
    assert stones(position) == "Ba1 Ae4 Ci2"
    assert str(TWO.seat_name(0)) == "Light"


def test_dd_6_then_light_moves_and_turns_go_round() -> None:
    position = THREE.start()
    for expected in (0, 1, 2, 0, 1, 2, 0):
        assert position.to_act == (expected,)
        position = position.play(position.moves()[0])


# Moving and placing.


def test_dd_7_a_move_takes_a_stone_on_and_adds_one() -> None:
    before = at("Ae4 Ba1")
    position = follow(before, "e4-e7")
    assert stones(position) == "Ba1 Ae5 ae7"
    assert (before.stock(0), position.stock(0), position.stock(1)) == (25, 24, 25)


def test_figure_2_three_spaces_to_the_edge_and_a_new_stone_on_the_first() -> None:
    """Printed example 2A and 2B; test vector 1 (DD-8, DD-10, DD-11)."""
    position = at("Ae4 Ba1")
    move = position.parse("e4-e7")
    assert move == Slide("e4", "e7", turned=True) and str(move) == "e4-e7*"
    assert stones(position.play(move)) == "Ba1 Ae5 ae7"


def test_dd_8_straight_on_in_six_directions_to_the_end_of_the_row() -> None:
    assert moves(at("Ae4 Ba1")) == {"e4-e7*", "e4-h4*", "e4-h1*", "e4-e1*", "e4-b2*", "e4-b5*"}
    with pytest.raises(IllegalMove, match="c4 is not straight ahead of e4"):
        at("Ae4 Ba1").parse("e4-c4")


def test_dd_8_or_up_to_an_occupied_space() -> None:
    """Test vector 2: a stone on the third space."""
    position = at("Ae4 Be7")
    assert {"e4-e6"} == {move for move in moves(position) if move.startswith("e4-e6")}
    assert stones(follow(position, "e4-e6")) == "Ae5 Ae6 Be7"


def test_dd_8_nothing_is_jumped() -> None:
    with pytest.raises(IllegalMove, match="until a stone stops it: write c1-c3"):
        at("Ac1 Bc4").parse("c1-c7")


def test_dd_9_one_space_is_not_a_move() -> None:
    """Test vector 3: a stone on the second space."""
    position = at("Ae4 Be6")
    with pytest.raises(IllegalMove, match="has only one free space that way, and a move goes over at least two"):
        position.parse("e4-e5")
    assert not {move for move in moves(position) if move in ("e4-e5", "e4-e6", "e4-e7*")}


def test_dd_9_no_space_is_not_a_move() -> None:
    with pytest.raises(IllegalMove, match="has no free space that way"):
        at("Ae4 Be5").parse("e4-e7")


def test_dd_10_two_spaces_stay_flat_and_more_are_turned_over() -> None:
    assert follow(at("Ae4 Be7"), "e4-e6").stone("e6") == "A"
    assert follow(at("Ae3 Be7"), "e3-e6").stone("e6") == "a"


@pytest.mark.parametrize(("stop", "left"), [("Bf7", "f2"), ("Bf5", "f2"), ("Bf4", "f2")])
def test_dd_11_the_new_stone_lies_flat_right_after_the_start(stop: str, left: str) -> None:
    position = at(f"Af1 {stop}")
    move = next(move for move in position.moves() if str(move).startswith("f1-f"))
    later = position.play(move)
    assert later.stone("f1") == "." and later.stone(left) == "A"


def test_dd_12_who_cannot_move_sits_out_and_may_come_back() -> None:
    """The golden game in which Light sits out twice, comes back twice and wins."""
    match = recorded("coming-back")
    assert seats_in_order(match) == "AB" * 11 + "BABBA"
    out, back = moment(match, 21), moment(match, 23)
    assert not out.can_move(0) and out.to_act == (1,)
    assert [str(player.note) for player in out.scene().players] == ["sits out", "None"]
    assert back.can_move(0) and back.to_act == (0,)
    assert [player.note for player in back.scene().players] == [None, None]


def test_dd_13_the_last_mover_wins_when_nobody_can_move() -> None:
    match = recorded("two-players")
    position = moment(match)
    assert not any(position.can_move(seat) for seat in range(2))
    outcome = position.outcome()
    assert outcome is not None
    assert outcome.winners == (match.log[-1].seat,) == (1,)
    assert (outcome.reason, outcome.scores) == ("last-move", (0.0, 1.0))
    assert str(position.scene().status) == "Dark wins. Dark made the last move, and nobody can move now."


# Rulings.


@pytest.mark.parametrize("board", BOARDS)
def test_da_1_the_first_space_crossed_is_next_to_the_start(board: str) -> None:
    game = DoubleDutch(2, board=board)
    start = follow(game.start(), "d4", "a1")
    for move in start.moves():
        assert isinstance(move, Slide)
        later = start.play(move)
        (new,) = [
            cell for cell in game.board.bit if later.stone(cell) != start.stone(cell) == "." and cell != move.target
        ]
        assert game.board.distance(game.board.bit["d4"], game.board.bit[new]) == 1


def test_da_2_a_stone_stops_before_an_occupied_space() -> None:
    position = follow(at("Ac1 Bc5"), "c1-c4")
    assert position.stone("c4") == "a" and position.stone("c5") == "B"


def test_da_3_nobody_stops_early_to_make_exactly_two() -> None:
    with pytest.raises(IllegalMove, match="goes on until the edge stops it: write c1-c7"):
        at("Ac1 Bi2").parse("c1-c3")


def test_da_4_the_space_it_lands_on_counts() -> None:
    """c3 is the second space after c1."""
    assert "c1-c3" in moves(at("Ac1 Bc4"))
    assert "c1-c4*" in moves(at("Ac1 Bc5"))


def test_da_5_without_a_stone_in_stock_a_player_sits_out() -> None:
    """The golden game in which Dark has room but no stone, and Light comes back to make the last move."""
    match = recorded("out-of-stones")
    position = moment(match, 33)
    assert position.stock(1) == 0 and not position.can_move(1)
    assert seats_in_order(match).endswith("BBBAA")
    more = DoubleDutch(2, stock="unlimited").read(str(position).replace(" A", " B"))
    assert len(more.moves()) > 0


def test_da_5_an_unlimited_stock_never_runs_out() -> None:
    game = DoubleDutch(2, stock="unlimited")
    assert game.start().stock(0) == 49
    assert [player.counts["double-dutch.stock"] for player in game.start().scene().players] == ["∞", "∞"]


@pytest.mark.parametrize("text", ["pass", "-", ""])
def test_da_6_nobody_passes_who_can_move(text: str) -> None:
    with pytest.raises(BadNotation):
        at("Ae4 Ba1").parse(text)


def test_da_7_sitting_out_is_for_one_turn_only() -> None:
    """Three seats: Green is passed over at its turn and moves at the next."""
    match = recorded("three-coming-back")
    assert seats_in_order(match)[21:] == "ABBABCA"
    assert not moment(match, 24).can_move(2) and moment(match, 25).can_move(2)


@pytest.mark.parametrize("seats", [2, 3])
def test_da_8_the_game_ends_exactly_when_nobody_can_move(seats: int) -> None:
    rng = Random(8)
    for _ in range(10):
        for position in walk(DoubleDutch(seats).start(), rng):
            if not position.is_placing:
                assert position.is_over != any(position.can_move(seat) for seat in range(seats))


@pytest.mark.parametrize("board", range(len(BOARDS)))
def test_da_9_two_first_stones_never_block_each_other_entirely(board: int) -> None:
    for first, second in permutations(PLACES[board].values(), 2):
        row = np.zeros(kernel.SIZE, np.int64)
        kernel.setup(row, np.array(by_entry({SEATS: 2, kernel.BOARD: board, kernel.STOCK: 26})))
        kernel.play(row, first)
        kernel.play(row, second)
        assert row[TURN] == 0


def test_da_9_of_110544_first_placings_of_three_96_leave_light_stuck() -> None:
    """And as many each of the others: 288 in all. The next one moves then."""
    start, one, two, three = (np.zeros(kernel.SIZE, np.int64) for _ in range(4))
    kernel.setup(start, np.array(by_entry({SEATS: 3, kernel.STOCK: 20})))
    turns: Counter[int] = Counter()
    cells = list(PLACES[0].values())
    for a in cells:
        one[:] = start
        kernel.play(one, a)
        for b in cells:
            if b != a:
                two[:] = one
                kernel.play(two, b)
                for c in cells:
                    if c not in (a, b):
                        three[:] = two
                        kernel.play(three, c)
                        turns[int(three[TURN])] += 1
    assert turns == {0: 110544 - 96, 1: 96}


@pytest.mark.parametrize("seats", [2, 3])
def test_da_9_if_nobody_could_ever_move_all_would_share(seats: int) -> None:
    """No board is so small, so all but the first spaces are walled off here."""
    row = np.zeros(kernel.SIZE, np.int64)
    kernel.setup(row, np.array(by_entry({SEATS: seats, kernel.STOCK: 20})))
    cells = list(PLACES[0].values())[:seats]
    row[kernel.EMPTY] = sum(1 << cell for cell in cells)
    for cell in cells:
        assert row[TURN] != OVER
        kernel.play(row, cell)
    shares = np.zeros(seats, np.int64)
    assert row[TURN] == OVER
    assert kernel.scores(row, shares) == kernel.NOBODY_MOVED
    assert shares.tolist() == [POINT // seats] * seats
    word, sentence = TWO.start()._explain(kernel.NOBODY_MOVED, (0, 1))
    assert (word, str(sentence)) == ("nobody-moved", "Nobody can make a first move, so all share the point.")


@pytest.mark.parametrize("seats", [2, 3])
def test_da_10_every_game_has_one_winner_and_at_most_49_stones(seats: int) -> None:
    rng = Random(10)
    for _ in range(30):
        for position in walk(DoubleDutch(seats).start(), rng):
            assert position.ply == len(stones(position).split()) <= 49
        outcome = position.outcome()
        assert outcome is not None and not outcome.is_draw


def test_da_11_a_first_stone_may_lie_on_any_free_space() -> None:
    position = follow(TWO.start(), "e4")
    assert len(position.moves()) == 48 and Place("e5") in position.moves()
    with pytest.raises(IllegalMove, match="There is a stone on e4 already"):
        position.parse("e4")


def test_da_12_turned_stones_stand_in_the_way() -> None:
    assert "c1-c3" in moves(at("Ac1 Ba1 bc4"))
    assert "c1-c3" in moves(at("Ac1 ac4 Bi2"))


def test_da_13_only_own_stones_move() -> None:
    with pytest.raises(IllegalMove, match="The stone on a1 is Dark's, and Light is to move"):
        at("Ae4 Ba1").parse("a1-g1")


def test_da_14_light_begins_with_three_too() -> None:
    assert [str(THREE.seat_name(seat)) for seat in range(3)] == ["Light", "Dark", "Green"]
    assert THREE.start().to_act == (0,)


def test_da_15_of_three_only_the_last_mover_wins() -> None:
    outcome = recorded("three-players").position.outcome()
    assert outcome is not None
    assert outcome.scores == (0.0, 0.0, 1.0)


def test_da_16_one_player_may_move_many_times_in_a_row() -> None:
    assert seats_in_order(recorded("alone")) == "ABABABAB" + 22 * "A"


def test_da_17_no_swap_is_offered_to_the_second_player() -> None:
    position = follow(TWO.start(), "e4")
    assert all(isinstance(move, Place) for move in position.moves())
    with pytest.raises(BadNotation):
        position.parse("swap")


def test_vector_4_a_stone_alone_has_two_to_six_moves() -> None:
    board = load_board("pinwheel49")
    counts = Counter(sum(len(ray[bit]) >= 2 for ray in board.rays) for bit in board.name)
    assert (min(counts), max(counts), counts.total()) == (2, 6, 49)


# Around the rules.


def test_the_star_may_be_left_out_but_not_made_up() -> None:
    position = at("Ae4 Be7")
    assert position.parse("E4-E1") == position.parse(" e4-e1* ") == Slide("e4", "e1", turned=True)
    with pytest.raises(IllegalMove, match="exactly two spaces is not turned over: write e4-e6"):
        position.parse("e4-e6*")
    with pytest.raises(IllegalMove, match=r"moves 3 spaces is turned over: write e4-e1\*"):
        position.play(Slide("e4", "e1", turned=False))


def test_first_stones_and_moves_are_not_mixed_up() -> None:
    with pytest.raises(IllegalMove, match="First every seat places one stone"):
        TWO.start().parse("e4-e7")
    with pytest.raises(IllegalMove, match="Every seat has placed its first stone"):
        at("Ae4 Ba1").parse("e5")
    with pytest.raises(IllegalMove, match="There is no stone on e5"):
        at("Ae4 Ba1").parse("e5-e7")


@pytest.mark.parametrize("move", [Place("z9"), Slide("z9", "e7", turned=True), Slide("e4", "z9", turned=False)])
def test_a_move_off_the_board_is_refused_like_any_other(move: Place | Slide) -> None:
    for position in (TWO.start(), at("Ae4 Ba1")):
        with pytest.raises(IllegalMove, match="'z9' is no space of this board"):
            position.play(move)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "write a space like d4"),
        ("e4-", "write a space like d4"),
        ("e4-e7-e1", "write a space like d4"),
        ("e٤", "write a space like d4"),
        ("a3", "row a has a1 to a2"),
        ("e4-e8", "row e has e1 to e7"),
        ("j1", "its rows are a to i"),
        ("e999999999999", "row e has e1 to e7"),
    ],
)
def test_what_is_no_move_is_refused_with_a_hint(text: str, why: str) -> None:
    with pytest.raises(BadNotation, match=why):
        TWO.start().parse(text)


def test_after_the_end_nobody_moves() -> None:
    with pytest.raises(GameOver):
        recorded("two-players").position.parse("e4-e7")


_EMPTY = "../...../......./......./......./......./......./...../.."


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "two words"),
        (f"{_EMPTY}/. A", "rows of 2-5-7-7-7-7-7-5-2"),
        (f"{_EMPTY.replace('../.', 'C./.', 1)} A", "'C' is no stone: write one of ABab"),
        (f"{_EMPTY} B", "Light places a first stone now"),
        (f"{_EMPTY} D", "write one of A, B, or =A:last-move"),
        (f"{_EMPTY} =A:last-move", "one seat that has made a move"),
        (f"{_EMPTY} =A:luck", "last-move or nobody-moved"),
        (f"{_EMPTY} =AB:nobody-moved", "only the first stones"),
        ("AB/...../......./......./......./......./......./...../.. =AB:nobody-moved", "Light can move"),
        ("B./...../......./......./......./......./......./...../.. B", "Light places a first stone before"),
        ("AA/...../......./......./......./......./......./...../.. B", "Nobody moves before"),
        ("aB/...../......./......./......./......./......./...../.. A", "Light has a stone that may move"),
        ("BA/aA.../......./......./......./......./......./...../.. =A:last-move", "can move"),
        ("AA/AAAAA/AAAAAAA/AAAAAAA/AAAAAA./......./......./...../.B A", "Light has only 26 stones"),
        ("A./..bB./......./......./......./......./......./...../.. A", "Light cannot move and sits out"),
        # Light's last stone has room, but the stock is spent (DA-5).
        ("aa/aaaaa/aaaaaaa/aaaaaaa/aaaaA../......./......./...../B. A", "Light cannot move and sits out"),
        # Dark has nothing but its first stone.
        ("Ba/aaaaa/aaaaaaa/aaaaaaa/aaaaaA./......./......./...../.. =B:last-move", "one seat that has made a move"),
    ],
)  # fmt: skip
def test_what_is_no_position_is_refused_with_the_reason(text: str, why: str) -> None:
    with pytest.raises(BadPosition, match=why):
        TWO.read(text)


@pytest.mark.parametrize(
    "text",
    [
        "aa/aaaaa/aaaaaaa/aaaaaaa/aaaaA../......./......./...../B. B",
        "Ba/aaaaa/aaaaaaa/aaaaaaa/aaaaaA./......./......./...../.. =A:last-move",
    ],
)
def test_a_spent_stock_is_no_reason_to_refuse_the_rest(text: str) -> None:
    """Beside the refused ones above: the other seat's turn, and the end that Light has won by."""
    assert str(TWO.read(text)) == text


def test_options_are_checked() -> None:
    with pytest.raises(BadOption, match="board is pinwheel49, stagger7x7, rows56, rhombus7 or hex37plus12"):
        DoubleDutch(2, board="chess")
    with pytest.raises(BadOption, match="stock is book or unlimited"):
        DoubleDutch(2, stock=7)
    with pytest.raises(BadSeats, match="for 2 or 3 players, not 4"):
        DoubleDutch(4)


def test_the_scene_shows_which_stones_are_turned_over() -> None:
    scene = at("Ae4 ac1 Bi2").scene()
    assert {(piece.spot, piece.kind) for piece in scene.pieces} == {("e4", "dome"), ("c1", "turned"), ("i2", "dome")}
    assert "(L)" in repr(at("Ae4 ac1 Bi2")) and "●e4" in repr(at("Ae4 ac1 Bi2"))


def test_the_evaluation_prefers_winning_then_more_moves_than_the_others() -> None:
    won = recorded("three-players").position.row.copy()
    assert evaluate(won, 2) > 0 > evaluate(won, 0) == evaluate(won, 1)
    stuck = recorded("coming-back").position_at(21).row.copy()
    assert evaluate(stuck, 1) > 0 > evaluate(stuck, 0)
