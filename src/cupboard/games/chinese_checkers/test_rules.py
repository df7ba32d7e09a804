"""Chinese Checkers by the book: every rule and every ruling, by its number.

CC-9 (the booklets are silent about four players) is answered by CA-1 and tested there.
"""

from __future__ import annotations

from itertools import islice
from math import hypot
from pathlib import Path
from random import Random

import pytest

from cupboard.core.errors import BadNotation, BadOption, BadPosition, BadSeats, GameOver, IllegalMove
from cupboard.core.record import Record
from cupboard.core.registry import load
from cupboard.core.testing import check_game
from cupboard.core.testing_games import follow, result, walk
from cupboard.games.chinese_checkers.board import HOMES, NAMES, STEPS, TRIANGLE_OF, WIDTHS, place, target
from cupboard.games.chinese_checkers.evaluate import evaluate
from cupboard.games.chinese_checkers.rules import ChineseCheckers, StarPosition, Walk

FI = ChineseCheckers(2)
SE = ChineseCheckers(2, profile="tactic-se")
STRICT = ChineseCheckers(2, finish_rule="strict")
LENIENT = ChineseCheckers(2, lenient_transit=True)
NORTH, SOUTH = ("a1 b1 b2 c1 c2 c3 d1 d2 d3 d4", "q1 p1 p2 o1 o2 o3 n1 n2 n3 n4")


def at(*holes: str, turn: str = "A", game: ChineseCheckers = FI) -> StarPosition:
    """The position with these holes for each seat; the pieces not mentioned stand aside, out of the way.

    With two that is in the northeastern and the northwestern triangle, with more at home; the tip is filled first.
    """
    board: dict[str, str] = {}
    for seat, words in enumerate(holes):
        board |= dict.fromkeys(words.split(), "ABCDEF"[seat])
    for seat in range(game.seats):
        corner = (1, 5)[seat] if game.seats == 2 else HOMES[game.seats][seat]
        aside = [hole for hole in range(121) if TRIANGLE_OF[hole] == corner]
        aside.sort(key=lambda hole: hypot(*place(hole)), reverse=True)
        missing = 10 - list(board.values()).count("ABCDEF"[seat])
        board |= dict.fromkeys([NAMES[h] for h in aside if NAMES[h] not in board][:missing], "ABCDEF"[seat])
    marks = iter(board.get(name, ".") for name in NAMES)
    rows = "/".join("".join(next(marks) for _ in range(width)) for width in WIDTHS)
    turns = "ABCDEF".index(turn[0])
    return game.read(f"{rows} {turn} {turns} {turns}")


def ends(position: StarPosition, start: str) -> set[str]:
    return {move.path[-1] for move in position.moves() if move.path[0] == start}


def without(holes: str, *gone: str) -> str:
    return " ".join(hole for hole in holes.split() if hole not in gone)


# Board and setup.


def test_cc_1_a_star_of_121_holes() -> None:
    assert len(NAMES) == 121
    assert TRIANGLE_OF.count(None) == 61
    assert [TRIANGLE_OF.count(t) for t in range(6)] == [10] * 6


@pytest.mark.parametrize("seats", [2, 3, 4, 6])
def test_cc_2_and_cc_3_ten_pieces_of_each_colour_fill_its_triangle(seats: int) -> None:
    start = ChineseCheckers(seats).start()
    for seat in range(seats):
        mine = [hole for hole, name in enumerate(NAMES) if start.owner(name) == seat]
        assert len(mine) == 10 and {TRIANGLE_OF[hole] for hole in mine} == {HOMES[seats][seat]}
    assert len({tint.name for tint in ChineseCheckers.TINTS}) == 6


def test_cc_4_two_start_opposite_each_other() -> None:
    start = FI.start()
    assert [start.owner(name) for name in NORTH.split()] == [0] * 10
    assert [start.owner(name) for name in SOUTH.split()] == [1] * 10


def test_cc_5_three_leave_every_second_triangle_empty() -> None:
    assert HOMES[3] == (0, 2, 4)
    start = ChineseCheckers(3).start()
    assert (start.owner("m13"), start.owner("m1"), start.owner("q1")) == (1, 2, None)


def test_cc_6_five_are_refused_with_the_reason() -> None:
    with pytest.raises(BadSeats, match="Five cannot play: one of them would have a great advantage"):
        load("chinese-checkers", 5)
    with pytest.raises(BadSeats, match="for 2, 3, 4 or 6 players, not 7"):
        load("chinese-checkers", 7)


def test_cc_7_six_leave_no_triangle_empty() -> None:
    start = ChineseCheckers(6).start()
    empty = [where for name, where in zip(NAMES, TRIANGLE_OF, strict=True) if start.owner(name) is None]
    assert empty == [None] * 61


def test_cc_8_the_target_is_opposite_the_start() -> None:
    assert [target(6, seat) for seat in range(6)] == [3, 4, 5, 0, 1, 2]
    assert [target(2, seat) for seat in range(2)] == [3, 0]
    names = {cell.spot: str(cell.name) for cell in FI.start().scene().cells}
    assert names["q1"].endswith("southern triangle, target of Red")


@pytest.mark.parametrize("seats", [2, 3, 4, 6])
def test_fourteen_first_moves_each(seats: int) -> None:
    assert len(ChineseCheckers(seats).start().moves()) == 14


# The turn.


def test_cc_10_turns_go_clockwise() -> None:
    position = ChineseCheckers(6).start()
    for turn in range(12):
        assert position.to_act == (turn % 6,)
        position = position.play(position.moves()[0])


def test_cc_11_a_step_or_jumps_but_not_both() -> None:
    """From i4 one can step to i5, or jump over i5's neighbour; never step first."""
    position = at("i4 i6", "")
    assert {"i3", "i5"} <= ends(position, "i4") and "i7" not in ends(position, "i4")
    with pytest.raises(IllegalMove, match="A step is a move by itself"):
        position.parse("i4-i5-i7")
    with pytest.raises(IllegalMove, match="A step is a move by itself"):
        at("i4 i5", "").parse("i4-i6-i7")


def test_cc_12_a_step_goes_to_an_empty_neighbour() -> None:
    position = at("i5 i6", "h5")
    assert {"i4", "h6", "j5", "j6"} <= ends(position, "i5")
    with pytest.raises(IllegalMove, match="i6 is taken"):
        position.parse("i5-i6")
    with pytest.raises(IllegalMove, match="h5 is taken"):
        position.parse("i5-h5")
    with pytest.raises(IllegalMove, match="Neither a step nor a chain of jumps leads from i5 to q1"):
        at("i5", without(SOUTH, "q1") + " a1").parse("i5-q1")


def test_cc_13_a_jump_crosses_one_piece_of_any_colour_in_any_direction() -> None:
    around = {"i4": "i3", "i6": "i7", "h5": "g5", "h6": "g7", "j5": "k5", "j6": "k7"}
    for over, end in around.items():
        assert end in ends(at(f"i5 {over}", ""), "i5"), "over an own piece"
        assert end in ends(at("i5", over), "i5"), "over a foreign piece"
        assert end not in ends(at("i5", ""), "i5"), "over nothing"
        assert end not in ends(at("i5", f"{over} {end}"), "i5"), "into a taken hole"


def test_cc_14_after_each_jump_one_may_stop_or_jump_on() -> None:
    position = at("i1 i2", "i4 h6")
    assert {"i3", "i5", "g7"} <= ends(position, "i1")
    assert str(position.parse("i1-g7")) == "i1-i3-i5-g7"
    assert follow(position, "i1-i3-i5").owner("i5") == 0


def test_cc_15_pieces_are_never_removed() -> None:
    for position in islice(walk(ChineseCheckers(6).start(), Random(3)), 300):
        owners = [position.owner(name) for name in NAMES]
        assert [owners.count(seat) for seat in range(6)] == [10] * 6


def test_cc_16_any_hole_may_be_used() -> None:
    """In a triangle that is nobody's, and in one that is somebody else's start and target."""
    assert "m10" in ends(at("m9", ""), "m9")
    six = ChineseCheckers(6)
    others = "e11 e12 e13 f10 f11 f12 g10 g11 h10 i9"
    assert "e10" in ends(at("e9", others, game=six), "e9")


def test_cc_17_a_piece_in_its_target_moves_only_inside_it() -> None:
    position = at("n2", without(SOUTH, "n2", "n3", "o1", "o2", "o3") + " i1 i2 i3 i4 i5")
    assert ends(position, "n2") == {"n3", "o1", "o2"}
    with pytest.raises(IllegalMove, match="The piece on n2 has reached its target and may not leave it"):
        position.parse("n2-m6")


# The end.


def test_cc_18_fi_the_target_is_full_and_the_rest_is_foreign() -> None:
    """Test vector: nine own pieces and a foreign one, at the end of the own turn, have finished."""
    position = at(without(SOUTH, "q1", "n3") + " m8 i1", "q1")
    done = follow(position, "m8-n3")
    assert done.finished == (0,) and not done.is_over
    assert result(done.play(done.moves()[0])) == ((0,), "finished")


def test_cc_18_fi_a_hole_left_open_is_not_finished() -> None:
    position = at(without(SOUTH, "q1", "n3", "n4") + " m8 i1 i2", "q1")
    assert follow(position, "m8-n3").finished == ()


def test_cc_18_se_all_ten_own_pieces_must_be_in() -> None:
    holes = without(SOUTH, "q1", "n3") + " m8 i1"
    assert follow(at(holes, "q1", game=SE), "m8-n3").finished == ()
    all_in = follow(at(without(SOUTH, "n3") + " m8", "i1 i2 i3 i4 i5 i6 i7 i8 i9 h1", game=SE), "m8-n3")
    assert all_in.finished == (0,)


def test_cc_18_se_a_foreign_piece_in_the_target_is_swapped_out() -> None:
    """Test vector: the swap is there under the Swedish rule and not under the Finnish one."""
    holes = ("p1", "q1")
    swapped = follow(at(*holes, game=SE), "p1xq1")
    assert (swapped.owner("q1"), swapped.owner("p1")) == (0, 1)
    with pytest.raises(IllegalMove, match="q1 is taken"):
        at(*holes).parse("p1xq1")


def test_cc_19_finishing_in_the_same_round_is_a_draw() -> None:
    a, b = without(SOUTH, "n3") + " m8", without(NORTH, "d2") + " e7"
    position = follow(at(a, b), "m8-n3", "e7-d2")
    assert result(position) == ((0, 1), "joint-finish")
    outcome = position.outcome()
    assert outcome is not None and outcome.is_draw and outcome.scores == (0.5, 0.5)


# Rulings.


def test_ca_1_four_play_in_two_opposite_pairs() -> None:
    """CC-9: the booklets do not mention four."""
    assert HOMES[4] == (0, 1, 3, 4)
    assert {target(4, seat) for seat in range(4)} == set(HOMES[4])


def test_ca_2_seats_follow_each_other_clockwise_by_triangle() -> None:
    for homes in HOMES.values():
        assert list(homes) == sorted(homes)


def test_ca_3_seat_a_starts() -> None:
    assert all(ChineseCheckers(seats).start().to_act == (0,) for seats in (2, 3, 4, 6))


def test_ca_4_there_are_no_long_jumps() -> None:
    """A piece two holes away is not jumped over, even where the landing would be as far behind it."""
    position = at("i1 i3", "")
    assert "i5" not in ends(position, "i1")
    with pytest.raises(IllegalMove, match="they are not two holes apart"):
        position.parse("i1-i5-i9")


def test_ca_5_a_chain_neither_ends_where_it_began_nor_uses_a_hole_twice() -> None:
    """Three pieces around which one can jump in a triangle, back to the start."""
    position = at("i3", "i4 h5 h4")
    assert {"i5", "g5"} <= ends(position, "i3") and "i3" not in ends(position, "i3")
    for text in ("i3-i5-g5-i3", "i3-i5-i3-i5"):
        with pytest.raises(IllegalMove, match="uses no hole twice"):
            position.parse(text)


def test_ca_5_any_way_to_the_same_end_is_the_same_move() -> None:
    """The shorter way is shown, the longer one may be written."""
    position = at("i3", "i4 h5 h4")
    short, long = position.parse("i3-g5"), position.parse("i3-i5-g5")
    assert str(short) == "i3-g5" and str(long) == "i3-i5-g5"
    assert long in position.moves() and position.play(short) == position.play(long)


def test_ca_5_a_hole_in_the_middle_of_a_chain_is_not_used_twice_either() -> None:
    """From i1 to i3, then once round three pieces and over i3 again: neither typed nor handed over as a move."""
    position = at("i1 i2", "i4 h5 h4")
    assert str(position.parse("i1-i3-i5")) == "i1-i3-i5"
    looped = Walk(("i1", "i3", "i5", "g5", "i3", "i5"))
    assert looped not in position.moves()
    with pytest.raises(IllegalMove, match="uses no hole twice"):
        position.parse(str(looped))
    with pytest.raises(IllegalMove, match="uses no hole twice"):
        position.play(looped)


def test_ca_6_a_piece_does_not_leave_its_target_to_come_back() -> None:
    """Test vector: one hop out and one hop back yield no move; only `lenient_transit` allows it."""
    holes = ("n2 m7 m8", without(SOUTH, "n2", "n3", "n4") + " i1 i2 i3")
    assert "n4" not in ends(at(*holes), "n2")
    assert "n4" in ends(at(*holes, game=LENIENT), "n2")
    assert "l7" not in ends(at(*holes, game=LENIENT), "n2")
    assert str(at(*holes, game=LENIENT).parse("n2-n4")) == "n2-l7-n4"
    with pytest.raises(IllegalMove, match="On n2 the piece is in its target"):
        at(*holes).parse("n2-l7-n4")


def test_ca_7_a_piece_does_not_pass_through_its_target() -> None:
    holes = ("l7 m8 m9", without(SOUTH, "n4") + " i1")
    assert "n4" in ends(at(*holes), "l7") and "l9" not in ends(at(*holes), "l7")
    assert str(at(*holes, game=LENIENT).parse("l7-l9")) == "l7-n4-l9"
    with pytest.raises(IllegalMove, match="On n4 the piece is in its target"):
        at(*holes).parse("l7-n4-l9")


def test_ca_7_only_the_own_target_locks() -> None:
    """Red leaves Blue's target, Blue does not."""
    assert "e6" in ends(at("d1", ""), "d1")
    assert ends(at("", "d1", turn="B"), "d1") == {"c1", "d2"}


def test_ca_8_whoever_can_move_must() -> None:
    for text in ("pass", "-", "skip"):
        with pytest.raises(BadNotation):
            FI.start().parse(text)
    with pytest.raises(BadNotation):
        FI.start().parse("d1")


BLOCKED_B = without(NORTH, "a1") + " q1"
"""Nine pieces locked in the target and one in the tip of its home: blocked if A stands on a1, p1, p2, o1 and o3."""


def test_ca_9_who_cannot_move_is_passed_over() -> None:
    position = follow(at("a1 p1 p2 o1 o3 i1 i2 i3 i4 i5", BLOCKED_B, game=STRICT), "i1-h1")
    assert position.to_act == (0,) and (position.turns, position.ply) == (2, 1)
    assert str(position.scene().players[1].note) == "cannot move and is passed over"


def test_ca_9_who_could_only_jump_out_of_the_target_cannot_move() -> None:
    """From d2 there is a jump over e7, out of Blue's target and not back: not even lenient transit allows that."""
    for options in ({}, {"lenient_transit": True}):
        game = ChineseCheckers(2, finish_rule="strict", **options)
        position = follow(at("a1 p1 p2 o1 o3 e7 i2 i3 i4 i5", BLOCKED_B, game=game), "i2-i1")
        assert position.owner("f7") is None and position.owner("e7") == 0
        assert position.to_act == (0,) and not position.can_move(1)


def test_ca_9_who_can_only_swap_is_not_passed_over() -> None:
    position = follow(at("a1 p1 p2 o1 o3 i1 i2 i3 i4 i5", BLOCKED_B, game=SE), "i1-h2")
    assert position.to_act == (1,)
    assert {str(move) for move in position.moves()} == {"b1xa1", "b2xa1"}


def test_ca_9_the_finish_is_tested_after_a_forced_pass_too() -> None:
    """Blue cannot move, but its target is full: it has won without lifting a hand."""
    position = follow(at("a1 p1 p2 o1 o3 i1 i2 i3 i4 i5", BLOCKED_B), "i1-h1")
    assert result(position) == ((1,), "finished")


def test_ca_9_when_nobody_can_move_it_is_a_draw() -> None:
    a = without(SOUTH, "q1", "n3") + " m8 a1"
    assert result(follow(at(a, BLOCKED_B, game=STRICT), "m8-n3")) == ((0, 1), "all-blocked")


def test_ca_10_a_target_full_of_foreign_pieces_is_not_finished() -> None:
    """Test vector: at the start each target is full, but holds no own piece."""
    assert follow(FI.start(), "d1-e5").finished == ()


def test_ca_11_one_own_piece_is_enough_unless_agreed_otherwise() -> None:
    a, b = "m8", without(SOUTH, "n3") + " i9"
    assert follow(at(a, b), "m8-n3").finished == (0,)
    assert follow(at(a, b, game=ChineseCheckers(2, fi_min_own=2)), "m8-n3").finished == ()
    four, six = "q1 p1 p2 m8", "o1 o2 o3 n1 n2 n4 i1 i2 i3 i4"
    assert follow(at(four, six, game=ChineseCheckers(2, fi_min_own=4)), "m8-n3").finished == (0,)
    assert follow(at(four, six, game=ChineseCheckers(2, fi_min_own=5)), "m8-n3").finished == ()


def test_ca_12_the_finish_is_tested_at_the_end_of_the_own_turn() -> None:
    """Blue plugs Red's last hole: that delays Red's win by one turn of its own."""
    position = at(without(SOUTH, "n3") + " i1", "m8", turn="B")
    plugged = follow(position, "m8-n3")
    assert plugged.finished == () and not plugged.is_over
    assert follow(plugged, "i1-j1").finished == (0,)


def test_ca_12_a_finish_is_latched() -> None:
    """Blue leaves the hole it had plugged; Red has finished all the same."""
    full = follow(at(without(SOUTH, "q1", "n3") + " i1 i2", "n3 q1"), "i1-j1")
    assert full.finished == (0,)
    left = follow(full, "n3-m7")
    assert left.owner("n3") is None and result(left) == ((0,), "finished")


def test_ca_13_the_round_is_played_to_its_end() -> None:
    three = ChineseCheckers(3)
    position = follow(at(without(SOUTH, "n3") + " m8", game=three), "m8-n3")
    assert position.to_act == (1,) and position.finished == (0,)
    assert "last round" in str(position.scene().status)
    position = position.play(position.moves()[0])
    assert position.to_act == (2,)
    assert result(position.play(position.moves()[0])) == ((0,), "finished")


def test_ca_13_the_last_seats_finish_ends_the_game_at_once() -> None:
    position = follow(at("i1", without(NORTH, "d2") + " e7", turn="B"), "e7-d2")
    assert result(position) == ((1,), "finished")


def test_ca_13_without_whole_rounds_the_first_finish_ends_it() -> None:
    game = ChineseCheckers(2, whole_rounds=False)
    position = follow(at(without(SOUTH, "n3") + " m8", without(NORTH, "d2") + " e7", game=game), "m8-n3")
    assert result(position) == ((0,), "finished")


def test_ca_14_a_swap_is_a_step_and_only_by_agreement_a_jump() -> None:
    holes = ("l6 m7", "n3")
    with pytest.raises(IllegalMove, match="pieces are swapped by a step, not by a jump"):
        at(*holes, game=SE).parse("l6xn3")
    by_jump = ChineseCheckers(2, profile="tactic-se", swap_by_jump=True)
    assert str(at(*holes, game=by_jump).parse("l6-n3")) == "l6xn3"
    with pytest.raises(BadOption, match="swap_by_jump goes with finish_rule=se"):
        ChineseCheckers(2, swap_by_jump=True)


def test_ca_15_the_displaced_piece_gets_the_hole_the_other_left() -> None:
    swapped = follow(at("m7", "n2", game=SE), "m7xn2")
    assert (swapped.owner("n2"), swapped.owner("m7")) == (0, 1)
    by_jump = ChineseCheckers(2, profile="tactic-se", swap_by_jump=True)
    position = at("j6 k6 m7", "n3", game=by_jump)
    assert str(position.parse("j6-n3")) == "j6-l6xn3"
    after = follow(position, "j6-n3")
    assert (after.owner("n3"), after.owner("j6"), after.owner("l6")) == (0, 1, None)


def test_ca_16_swaps_are_made_in_the_own_target_with_an_opponent() -> None:
    """From outside and from inside the target, never elsewhere, never with an own piece."""
    assert "n2" in ends(at("m7", "n2", game=SE), "m7")
    assert "q1" in ends(at("p1", "q1", game=SE), "p1")
    with pytest.raises(IllegalMove, match="only in your own target"):
        at("i5", "i6", game=SE).parse("i5xi6")
    with pytest.raises(IllegalMove, match="q1 is taken"):
        at("p1 q1", "i1", game=SE).parse("p1xq1")
    with pytest.raises(IllegalMove, match="nobody on n2 to swap with: write m7-n2"):
        at("m7", without(SOUTH, "n2") + " i1", game=SE).parse("m7xn2")


def test_ca_16_a_swap_ends_the_turn() -> None:
    """Even by a jump: nothing is reached by jumping on from where a piece has been swapped."""
    by_jump = ChineseCheckers(2, profile="tactic-se", swap_by_jump=True)
    position = at("l6 m7", "n3 o2", game=by_jump)
    assert "n3" in ends(position, "l6")
    assert position.to_act == (0,) and follow(position, "l6xn3").to_act == (1,)
    assert "p2" not in ends(position, "l6")


def test_ca_17_a_swap_by_a_step_leaves_the_targets_of_others_alone() -> None:
    """Holes next to a triangle are in that triangle or in the middle, so nobody is put into another's target."""
    for here, there in STEPS:
        inside = TRIANGLE_OF[here]
        assert inside is None or TRIANGLE_OF[there] in (None, inside)


def test_ca_18_the_swedish_finish_needs_ten() -> None:
    nine = follow(at(without(SOUTH, "n3", "q1") + " m8 i1", "q1", game=SE), "m8-n3")
    assert nine.home(0) == 9 and nine.finished == ()


def test_ca_19_the_third_occurrence_is_a_draw() -> None:
    position = follow(FI.start(), *("d1-e5 n1-m5 e5-d1 m5-n1 " * 2).split())
    assert result(position) == ((0, 1), "repetition")
    assert not follow(FI.start(), *("d1-e5 n1-m5 e5-d1 m5-n1 " * 2).split()[:-1]).is_over


def test_ca_19_a_position_read_from_text_begins_its_own_past() -> None:
    to_and_fro = ("d1-e5", "n1-m5", "e5-d1", "m5-n1")
    position = FI.read(str(follow(FI.start(), *to_and_fro)))
    position = follow(position, *to_and_fro)
    assert not position.is_over
    assert follow(position, *to_and_fro).is_over


def test_ca_19_the_past_survives_json() -> None:
    position = follow(FI.start(), *("d1-e5 n1-m5 e5-d1 m5-n1 " * 2).split()[:-1])
    assert follow(FI.from_json(position.to_json()), "m5-n1").is_over


def test_ca_19_a_number_of_rounds_is_the_limit() -> None:
    game = ChineseCheckers(3, round_cap=2)
    position = game.start()
    for _ in range(6):
        assert not position.is_over
        position = position.play(position.moves()[0])
    assert result(position) == ((0, 1, 2), "limit")


def test_ca_19_a_number_of_turns_is_the_limit() -> None:
    position = ChineseCheckers(2, profile="openspiel-2", turn_cap=3).start()
    assert result(follow(position, "d1-e5", "n1-m5", "e5-d1")) == ((0, 1), "limit")


@pytest.mark.parametrize("rule", ["fi", "se", "strict"])
def test_ca_19_a_finish_with_the_very_last_turn_is_a_win_and_no_draw(rule: str) -> None:
    last_in = (without(SOUTH, "n3") + " m8", "i1 i2 i3 i4 i5 i6 i7 i8 i9 h1")
    for cap in ({"turn_cap": 1}, {"turn_cap": 1, "whole_rounds": False}):
        position = at(*last_in, game=ChineseCheckers(2, finish_rule=rule, **cap))
        assert result(follow(position, "m8-n3")) == ((0,), "finished")
        assert result(follow(position, "m8-m9")) == ((0, 1), "limit")
    rounds = ChineseCheckers(2, finish_rule=rule, round_cap=1)
    position = at("i1", without(NORTH, "d2") + " e7", turn="B", game=rounds)
    assert result(follow(position, "e7-d2")) == ((1,), "finished")
    assert result(follow(position, "e7-e8")) == ((0, 1), "limit")


def test_ca_20_there_is_no_second_place() -> None:
    three = ChineseCheckers(3)
    position = follow(at(without(SOUTH, "n3") + " m8", game=three), "m8-n3")
    while not position.is_over:
        position = position.play(position.moves()[0])
    outcome = position.outcome()
    assert outcome is not None and outcome.scores == (1.0, 0.0, 0.0)
    with pytest.raises(GameOver):
        position.parse("d1-e5")


WALL = "p1 p2 o1 o3"
"""Four pieces that close off the southern tip: it can be neither stepped nor jumped into."""


def test_ca_21_a_hole_that_foreign_pieces_wall_off_need_not_be_filled() -> None:
    """Test vector: Red fills the five other holes of its target, and the tip behind the wall stays empty."""
    position = at("n1 n2 n4 m8", f"{WALL} o2")
    done = follow(position, "m8-n3")
    assert done.owner("q1") is None and done.finished == (0,)
    assert result(done.play(done.moves()[0])) == ((0,), "finished")


@pytest.mark.parametrize("hole", WALL.split())
def test_ca_21_a_gap_in_the_wall_leaves_the_tip_open(hole: str) -> None:
    """An own piece in the place of one of the wall: from there the tip could be reached by a step or a jump."""
    position = at(f"n1 n2 n4 m8 {hole}", f"{without(WALL, hole)} o2")
    assert follow(position, "m8-n3").finished == ()


def test_ca_21_own_pieces_make_no_wall() -> None:
    position = at(f"{WALL} o2 n1 n2 n4 m8", "")
    assert follow(position, "m8-n3").finished == ()


def test_ca_21_three_holes_behind_seven_pieces_are_closed_off() -> None:
    """Seven in two rows leave no way to the three inmost holes; one own piece is there already."""
    rows = "n1 n2 n3 n4 o1 o2 o3"
    assert follow(at("p1 i1", rows), "i1-h1").finished == (0,)
    open_hole = follow(at("p1 i1", without(rows, "n3")), "i1-h1")
    assert open_hole.finished == ()


def test_ca_21_who_is_shut_out_of_the_whole_target_has_finished_without_a_piece_in_it() -> None:
    """Nine pieces and the tip behind them: no hole is open, so having left home is enough, but only with leave_home."""
    shut = ("i1", without(SOUTH, "q1") + " h9")
    assert follow(at(*shut), "i1-h1").finished == (0,)
    assert follow(at("i1", SOUTH), "i1-h1").finished == (), "the test vector of CA-10: ten foreign pieces"
    for literal in ({"leave_home": False}, {"fi_min_own": 2}):
        assert follow(at(*shut, game=ChineseCheckers(2, **literal)), "i1-h1").finished == ()


def test_ca_21_is_the_finnish_ending_only() -> None:
    for game in (SE, STRICT):
        assert follow(at("n1 n2 n4 m8", f"{WALL} o2", game=game), "m8-n3").finished == ()


def test_ca_22_nobody_finishes_with_a_piece_at_home() -> None:
    """Test vector: as for CA-21, with a piece of Red in the northern triangle. The literal text does not mind."""
    for holes in (("n1 n2 n4 m8 c2", f"{WALL} o2"), ("n1 n2 n4 m8 c2", f"{WALL} o2 q1")):
        waiting = follow(at(*holes), "m8-n3")
        assert waiting.finished == () and not waiting.is_over
        assert follow(at(*holes, game=ChineseCheckers(2, leave_home=False)), "m8-n3").finished == (0,)


def test_ca_22_leaving_home_last_finishes() -> None:
    position = at(f"{without(SOUTH, 'q1')} d2", "q1")
    assert follow(position, "d2-e6").finished == (0,)
    assert follow(position, "d2-d1").finished == ()


def test_ca_22_a_piece_walled_in_at_home_does_not_count() -> None:
    """Blue has come home around Red's last piece, which can never leave the northern tip again."""
    holes = (f"{without(SOUTH, 'q1', 'n3')} m8 a1", "b1 b2 c1 c3 q1")
    assert follow(at(*holes), "m8-n3").finished == (0,)
    freed = (holes[0], "b1 b2 c1 q1")
    assert follow(at(*freed), "m8-n3").finished == ()


def test_ca_22_a_piece_slipped_into_a_triangle_that_nobody_has_left_ends_no_game_of_six() -> None:
    """Red has one piece in the southern triangle, whose owner has moved a single one, and nine at home."""
    holes = ("n2", "", "", without(SOUTH, "n2") + " m9")
    assert follow(at(*holes, game=ChineseCheckers(6)), "d4-e9").finished == ()
    assert follow(at(*holes, game=ChineseCheckers(6, leave_home=False)), "d4-e9").finished == (0,)


# Against players who stall: every game ends (CA-19).


def greedy(position: StarPosition, rng: Random) -> Walk:
    seat = position.to_act[0]
    return max(
        position.moves(), key=lambda move: int(evaluate(position.play(move).row.copy(), seat)) + rng.random() / 2
    )


def parker(position: StarPosition, rng: Random) -> Walk:
    """Keeps as many pieces at home as it can."""
    home = HOMES[position.game.seats][position.to_act[0]]
    inside = {name for name, where in zip(NAMES, TRIANGLE_OF, strict=True) if where == home}
    return min(
        position.moves(), key=lambda move: (move.path[0] in inside) - (move.path[-1] in inside) + rng.random() / 2
    )


def shuffler(position: StarPosition, rng: Random) -> Walk:
    """Moves one piece to and fro, and as little as it can."""
    return min(position.moves(), key=lambda move: (move.path[-1] not in ("d1", "n1"), len(move.path), str(move)))


def wall(position: StarPosition, rng: Random) -> Walk:
    """Builds up along the middle row and stays there."""

    def far(spot: str) -> int:
        return abs(ord(spot[0]) - ord("i"))

    return min(position.moves(), key=lambda move: far(move.path[-1]) - far(move.path[0]) + rng.random())


@pytest.mark.parametrize("game", [FI, SE, STRICT], ids=["fi", "se", "strict"])
@pytest.mark.parametrize("staller", [parker, shuffler, wall])
def test_ca_19_stalling_does_not_keep_a_game_alive(game: ChineseCheckers, staller: object) -> None:
    for first, second in ((greedy, staller), (staller, staller)):
        rng, position = Random(1), game.start()
        while not position.is_over:
            mover = (first, second)[position.to_act[0]]
            assert callable(mover)
            position = position.play(mover(position, rng))
        assert position.turns <= 500


def test_cc_18_parking_at_home_does_not_stop_the_other() -> None:
    """What the Finnish ending is for: the parked pieces in Red's target only make it full sooner."""
    wins = 0
    for seed in range(4):
        rng, position = Random(seed), FI.start()
        while not position.is_over:
            position = position.play((greedy, parker)[position.to_act[0]](position, rng))
        wins += result(position) == ((0,), "finished")
    assert wins == 4


# Around the rules.


def test_notation_of_steps_chains_and_swaps() -> None:
    assert str(FI.start().parse("d1-e5")) == "d1-e5"
    assert FI.start().parse(" C1-E7 ") == Walk(("c1", "e7"))
    assert Walk(("p1", "q1"), swaps=True) == at("p1", "q1", game=SE).parse("p1-q1")
    assert FI.start().parse("d1-e5").spots() == ("d1", "e5")


@pytest.mark.parametrize("text", ["", "d1", "d1-", "d1e5", "1-2", "d1xe5xf5", "d1-e5x", "d001-e5", "d١-e5"])
def test_what_is_no_move_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(BadNotation, match="like d2-e6 or d2-f7-h5"):
        FI.start().parse(text)


def test_what_is_no_hole_is_refused_with_the_length_of_its_row() -> None:
    with pytest.raises(BadNotation, match="There is no hole d5: row d has 4"):
        FI.start().parse("d4-d5")
    with pytest.raises(BadNotation, match="There is no hole r1: the rows are a to q"):
        FI.start().parse("q1-r1")
    with pytest.raises(BadNotation, match="There is no hole x7: the rows are a to q"):  # x also marks a swap
        FI.start().parse("x7-f8")


def test_why_a_move_is_illegal() -> None:
    position = at("i5 i7", "i6 h1")
    for text, why in {
        "g6-g7": "There is no piece on g6",
        "h1-h2": "The piece on h1 is Blue's, not Red's",
        "i5-i7": "i7 is taken",
        "i5-k5": "There is no piece on j5 to jump over",
        "i5-g5-e5": "There is no piece on h5 to jump over",
        "i5-i7-i9": "i7 is taken",
    }.items():
        with pytest.raises(IllegalMove, match=why):
            position.parse(text)
    for odd in (Walk(("z1", "a1")), Walk(("i5",))):
        with pytest.raises(IllegalMove):
            position.play(odd)


START = str(FI.start())


@pytest.mark.parametrize(
    "text",
    [
        "",
        "A 0 0",
        START.replace("AAAA", "AAA"),
        START.replace("AAAA", "AAA."),
        START.replace("AAAA", "AAAC"),
        START.replace(" A 0 0", " B 0 0"),
        START.replace(" A 0 0", " A 0 1"),
        START.replace(" A 0 0", " A x 0"),
        START.replace(" A 0 0", " A 500 500"),
        START.replace(" A 0 0", " B+B 1 1"),
        START.replace(" A 0 0", " A+B 2 2"),
        START.replace(" A 0 0", " C 2 2"),
        START.replace(" A 0 0", " =A:luck 2 2"),
        START.replace(" A 0 0", " =A,B:finished 2 2"),
        START.replace(" A 0 0", " =A:repetition 2 2"),
        START.replace(" A 0 0", " =A:finished 0 0"),
        START.replace(" A 0 0", " =B:finished 1 1"),
        START.replace(" A 0 0", " =A,B:joint-finish 1 1"),
        START.replace(" A 0 0", " =A,B:limit 2 2"),
        START.replace(" A 0 0", " =A,B:all-blocked 0 0"),
    ],
)
def test_what_is_no_position_is_refused(text: str) -> None:
    with pytest.raises(BadPosition):
        FI.read(text)


def test_an_end_the_options_do_not_have_is_refused() -> None:
    with pytest.raises(BadPosition, match="first to finish wins alone"):
        ChineseCheckers(2, whole_rounds=False).read(START.replace(" A 0 0", " =A,B:joint-finish 4 4"))
    with pytest.raises(BadPosition, match="no position is counted"):
        ChineseCheckers(2, repetition=0).read(START.replace(" A 0 0", " =A,B:repetition 4 4"))


def test_a_position_of_a_seat_that_cannot_move_is_refused() -> None:
    with pytest.raises(BadPosition, match="Blue cannot move and would be passed over"):
        at("a1 p1 p2 o1 o3 i1 i2 i3 i4 i5", BLOCKED_B, turn="B", game=STRICT)


def test_a_latched_finish_is_part_of_the_text() -> None:
    position = follow(at(without(SOUTH, "n3") + " m8"), "m8-n3")
    assert " B+A 1 1" in str(position)
    assert FI.read(str(position)).finished == (0,)
    with pytest.raises(BadPosition, match="Without whole_rounds"):
        ChineseCheckers(2, whole_rounds=False).read(str(position))


def test_options_are_checked() -> None:
    refused: list[tuple[dict[str, object], str]] = [
        ({"profile": "tactic"}, "tactic-fi, tactic-se or openspiel-2"),
        ({"finish_rule": "no"}, "fi, se or strict"),
        ({"fi_min_own": 11}, "from 1 to 10"),
        ({"fi_min_own": 3, "finish_rule": "se"}, "fi_min_own goes with finish_rule=fi"),
        ({"lenient_transit": True, "target_lock": False}, "lenient_transit goes with target_lock"),
        ({"repetition": 1}, "would end every game at once"),
        ({"round_cap": 0}, "might never end"),
    ]
    for options, why in refused:
        with pytest.raises(BadOption, match=why):
            load("chinese-checkers", 2, **options)


@pytest.mark.parametrize("profile", ["tactic-se", "openspiel-2"])
@pytest.mark.parametrize("seats", [3, 4, 6])
def test_the_protocol_holds_for_every_profile_and_number_of_seats(seats: int, profile: str) -> None:
    check_game(load("chinese-checkers", seats, profile=profile, round_cap=30), matches=1)


@pytest.mark.parametrize(
    "options", [{"finish_rule": "se", "swap_by_jump": True, "lenient_transit": True}, {"fi_min_own": 10}]
)
def test_the_protocol_holds_for_the_rarer_options(options: dict[str, object]) -> None:
    check_game(load("chinese-checkers", 2, **options, round_cap=60), matches=1)


def test_the_records_show_every_ending_and_every_number_of_seats() -> None:
    records = [Record.read(path.read_text()) for path in (Path(__file__).parent / "records").glob("*.game")]
    assert {record.result.split()[1] for record in records} == {
        "finished", "joint-finish", "repetition", "limit", "all-blocked",
    }  # fmt: skip
    assert {record.game.seats for record in records} == {2, 3, 4, 6}
    assert {record.game.options["profile"] for record in records} == {"tactic-fi", "tactic-se", "openspiel-2"}
    assert any("x" in move.text for record in records for move in record.moves)


def test_the_shown_way_is_a_shortest_one() -> None:
    """Every way the kernel shows is legal by itself, jump for jump, and its parts are moves too."""
    for position in islice(walk(ChineseCheckers(6).start(), Random(8)), 150):
        for move in position.moves():
            assert move in position.moves()
            if len(move.path) > 2:
                part = Walk(move.path[:-1])
                shown = next(m for m in position.moves() if m.spots() == part.spots())
                assert len(shown.path) == len(part.path)


def test_the_evaluation_prefers_winning_then_getting_nearer() -> None:
    start = FI.start().row.copy()
    ahead = follow(FI.start(), "c1-e7").row.copy()
    assert evaluate(start, 0) == evaluate(start, 1)
    assert evaluate(ahead, 0) > evaluate(start, 0) > evaluate(ahead, 1)
    won = at("i1", without(NORTH, "d2") + " e7", turn="B")
    won = follow(won, "e7-d2")
    assert evaluate(won.row.copy(), 1) > evaluate(ahead, 0) > evaluate(won.row.copy(), 0)
