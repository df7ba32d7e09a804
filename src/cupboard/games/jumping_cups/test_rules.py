"""Jumping Cups by the book: every printed example and every ruling, by its number."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from cupboard.core.errors import BadNotation, BadOption, BadPosition, BadSeats, GameOver, IllegalMove
from cupboard.core.game import CHANCE
from cupboard.core.record import Record
from cupboard.core.registry import load
from cupboard.core.scene import YELLOW
from cupboard.core.scene_text import draw
from cupboard.core.svg import svg
from cupboard.core.testing_games import follow, result, walk
from cupboard.core.words import say
from cupboard.games.jumping_cups.evaluate import evaluate
from cupboard.games.jumping_cups.rules import OFF, CupPosition, Jump, JumpingCups

GAME = JumpingCups(starter="red")


def at(stacks: str, turn: str = "A") -> CupPosition:
    """The position with these stacks, square:cups, lowest cup first (the other squares are empty), or a whole line."""
    if "/" in stacks:
        return GAME.read(f"{stacks} {turn} 0")
    cups = dict(word.split(":") for word in stacks.split())
    return GAME.read(f"{'/'.join(cups.get(str(square), '.') for square in range(1, 15))} {turn} 0")


def after(stacks: str, move: str, turn: str = "A") -> CupPosition:
    return follow(at(stacks, turn), move)


def path(position: CupPosition, text: str) -> tuple[int, ...]:
    move = position.parse(text)
    assert isinstance(move, Jump)
    return move.path


# Board and setup.


def test_jc_1_and_jc_2_fourteen_squares_and_five_cups_each() -> None:
    stacks = [GAME.start().stack(square) for square in range(1, 15)]
    assert "".join(stacks) == "RRRRRYYYYY"


def test_jc_3_and_jc_4_each_starts_where_the_other_finishes() -> None:
    start = GAME.start()
    assert [start.stack(square) for square in range(1, 6)] == ["R"] * 5
    assert [start.stack(square) for square in range(6, 10)] == [""] * 4
    assert [start.stack(square) for square in range(10, 15)] == ["Y"] * 5
    names = {cell.spot: str(cell.name) for cell in start.scene().cells}
    assert names["14"].endswith("finish square 5 of Red") and names["1"].endswith("finish square 5 of Yellow")


def test_jc_5_the_bend_of_the_track_is_only_looks() -> None:
    """The scene lays the squares in a line; no rule asks where a square lies."""
    assert [cell.label for cell in GAME.start().scene().cells] == [str(k) for k in range(1, 15)]


# The turn.


def test_jc_6_players_alternate_and_nobody_passes() -> None:
    position = GAME.start()
    for expected in (0, 1, 0, 1):
        assert position.to_act == (expected,)
        position = position.play(position.moves()[0])
    with pytest.raises(BadNotation):
        position.parse("pass")


def test_jc_7_one_cup_moves_never_a_stack() -> None:
    position = after("1:R 2:R 4:RRR 10:Y 11:Y 12:Y 13:Y 14:Y", "4")
    assert position.stack(4) == "RR" and position.stack(7) == "R"


def test_jc_8_only_own_cups_move() -> None:
    with pytest.raises(IllegalMove, match="The cup on 10 is not Red's"):
        GAME.start().parse("10")


def test_jc_9_only_free_cups_move() -> None:
    position = at("1:R 2:R 3:R 4:R 7:RY 10:Y 11:Y 12:Y 13:Y")
    with pytest.raises(IllegalMove, match="The cup on 7 is covered"):
        position.parse("7-9")
    with pytest.raises(IllegalMove, match="There is no cup on 8"):
        position.parse("8")


def test_jc_10_example_1_a_cup_alone_moves_one() -> None:
    """Printed example 1; test vector 1."""
    assert str(GAME.start().parse("5")) == "5-6"
    assert path(at("1:R 3:R 5:R 7:R 8:R 10:Y 11:Y 12:Y 13:Y 14:Y"), "3") == (3, 4)


def test_jc_10_example_2_the_third_cup_of_a_stack_moves_three() -> None:
    """Printed example 2; test vector 2: Yellow on level 3 of square 9 lands on 6."""
    assert path(at("1:R 2:R 3:R 9:RRY 10:Y 11:Y 12:Y 13:Y", "B"), "9") == (9, 6)


def test_jc_10_any_other_distance_is_refused_with_the_right_one() -> None:
    with pytest.raises(IllegalMove, match=r"moves 1, for the 1 cup there: write 5-6"):
        GAME.start().parse("5-7")


def test_jc_11_a_cup_lands_on_top_of_whatever_is_there() -> None:
    """Printed example: second level, two squares on, onto an occupied square."""
    position = after("1:R 2:R 3:R 5:RR 7:YY 10:Y 11:Y 12:Y", "5-7")
    assert position.stack(7) == "YYR" and position.stack(5) == "R"


def test_jc_12_exactly_to_the_last_square_is_fine() -> None:
    """Printed example; test vector 3: level 2 on 12 goes to 14."""
    position = after("1:R 2:R 3:R 4:R 9:Y 10:Y 11:Y 12:YR 13:Y", "12-14")
    assert not position.is_over and position.stack(14) == "R"


def test_jc_12_beyond_the_last_square_loses_at_once() -> None:
    """Printed example; test vector 4: level 2 on 13 is one too many."""
    position = after("1:R 2:R 3:R 4:R 9:Y 10:Y 11:Y 12:Y 13:YR", "13-off")
    assert result(position) == ((1,), "overshot")


# Moving on.


def test_jc_13_and_jc_14_example_1_a_second_own_cup_moves_on() -> None:
    """Printed example 1; test vector 5: on level 3 of square 10, so three further."""
    position = after("1:R 2:R 3:R 9:R 10:RY 11:Y 12:Y 13:Y 14:Y", "9")
    assert position.stack(13) == "YR" and position.stack(10) == "RY" and not position.is_over


def test_jc_15_example_2_moving_on_beyond_the_track_loses() -> None:
    """Printed example 2; test vector 6."""
    position = at("1:R 2:R 3:R 8:Y 9:Y 11:R 12:RY 13:Y 14:Y")
    move = position.parse("11")
    assert move == Jump((11, 12, 0)) and str(move) == "11-12-off"
    assert result(position.play(move)) == ((1,), "overshot")


def test_jc_15_moving_on_repeats_until_the_cup_may_stay() -> None:
    position = at("1:R 2:R 7:Y 8:Y 9:R 10:R 12:R 13:YY 14:Y")
    assert path(position, "9") == (9, 10, 12, 14)
    assert position.parse("9-14") == Jump((9, 10, 12, 14))


def test_jc_13_a_foreign_cup_on_a_finish_square_does_not_send_on() -> None:
    assert path(at("1:R 2:R 3:R 4:R 8:Y 9:R 10:Y 11:Y 12:Y 13:Y"), "9") == (9, 10)


# The end.


def test_jc_16_five_filled_squares_win() -> None:
    """The example that is printed in the rulebook."""
    assert result(after("6:Y 7:Y 8:Y 9:R 11:YR 12:R 13:R 14:YR", "9-10")) == ((0,), "filled")


def test_jc_17_blocking_the_last_free_cup_wins() -> None:
    """Printed example; test vector 7: three red cups are covered, one is home, Yellow lands on the last free one."""
    position = at("6:RY 7:RY 8:R 9:Y 11:RY 13:RY", "B")
    assert result(position.play(position.parse("9-8"))) == ((1,), "blocked")


def test_jc_18_no_game_is_drawn_or_longer_than_ninety_moves() -> None:
    for seed in range(200):
        *_, position = walk(GAME.start(), Random(seed))
        assert position.ply <= 90
        outcome = position.outcome()
        assert outcome is not None and not outcome.is_draw


# Rulings.


def test_ja_1_overshooting_is_legal_and_warned_of() -> None:
    position = at("1:R 2:R 3:R 4:R 9:Y 10:Y 11:Y 12:Y 13:YR")
    move = position.parse("13")
    assert move in position.moves() and isinstance(move, Jump) and move.overshoots
    assert "you would lose at once" in str(move.warning)
    assert position.parse("1").warning is None


def test_ja_1_overshooting_is_said_in_a_sentence() -> None:
    position = at("1:R 2:R 3:R 4:R 9:Y 10:Y 11:Y 12:Y 13:YR")
    name = position.game.seat_name
    assert say(position.parse("13-off").words(name).filled(who="Ida")) == "Ida jumps from 13 off the track."
    chain = Jump((11, 12, OFF)).words(name).filled(who="Ida")
    assert say(chain) == "Ida jumps from 11 to 12, and then off the track."
    assert say(chain, "de") == "Ida springt von 11 nach 12 und dann von der Strecke."


def test_ja_2_a_chain_off_the_track_is_the_movers_loss() -> None:
    position = after("1:R 2:R 3:R 8:Y 9:Y 11:R 12:RY 13:Y 14:Y", "11-off")
    assert result(position)[0] == (1,)


def test_ja_3_a_cup_on_a_finish_square_may_move_again() -> None:
    assert path(at("1:R 2:R 3:R 4:R 9:Y 10:R 11:Y 12:Y 13:Y 14:Y"), "10") == (10, 11)


def test_ja_4_a_covered_cup_counts_for_the_win() -> None:
    """Test vector 8: a yellow cup stands on the red one of square 12."""
    assert result(after("6:Y 7:Y 8:Y 9:R 10:Y 11:R 12:RY 13:R 14:R", "9-10")) == ((0,), "filled")


def test_ja_5_an_opponents_move_never_fills_my_finish() -> None:
    """Uncovering changes nothing, since covered cups count already: Red stays one short."""
    position = after("6:Y 7:Y 8:R 10:Y 11:R 12:RY 13:R 14:RY", "12", "B")
    assert not position.is_over


def test_ja_6_a_square_touched_in_mid_chain_does_not_count() -> None:
    """Red passes over 10, where its own cup stays: three squares are filled, not four."""
    position = after("1:R 9:R 10:R 11:R 2:R 5:Y 6:Y 7:Y 8:Y 13:Y", "9")
    assert [position.stack(square) for square in (10, 11, 12)] == ["R", "R", "R"]
    assert position.scene().players[0].counts["jumping-cups.home"] == "3/5"


def test_ja_7_a_move_that_fills_and_blocks_is_a_fill() -> None:
    """Red's last cup lands on its last open finish square, and that on Yellow's only free cup."""
    assert result(after("9:R 10:YYYYY 11:R 12:R 13:R 14:R", "9-10")) == ((0,), "filled")


def test_ja_8_whoever_is_to_move_without_a_free_cup_has_lost() -> None:
    """Both have blocked each other: it is the turn that decides."""
    with pytest.raises(BadPosition, match="Yellow has no free cup, so the game is over"):
        at("6:YYYYYR 7:R 8:R 9:R 2:R", "B")


def test_ja_9_own_cups_stack_freely_outside_the_own_finish() -> None:
    position = after("1:R 2:R 3:R 4:R 5:R 10:Y 11:Y 12:Y 13:Y 14:Y", "1-2")
    assert position.stack(2) == "RR" and not position.is_over


def test_ja_10_the_lot_decides_who_starts_unless_agreed() -> None:
    game = load("jumping-cups")
    assert game.start().to_act == (CHANCE,)
    drawn = {str(game.start().chance(Random(seed))) for seed in range(20)}
    assert drawn == {"lot-A", "lot-B"}
    assert game.start().play(game.start().parse("lot-B")).to_act == (1,)
    assert load("jumping-cups", starter="yellow").start().to_act == (1,)


def test_ja_11_vector_10_a_cup_that_could_only_leave_the_track_is_no_move() -> None:
    """The printed block example: Yellow covers the last cup that could move; the red one on 14 is free, and no help."""
    position = GAME.read("./RY/./RY/././RY/R/Y/Y/./././R B 20")
    after = position.play(position.parse("9-8"))
    assert result(after) == ((1,), "only-overshoots")
    assert after.to_act == () and len(after.moves()) == 0 and after.stack(14) == "R"
    assert str(after) == "./RY/./RY/././RY/RY/./Y/./././R =B:only-overshoots 21"
    assert str(after.scene().status) == "Yellow wins. Red could only have moved a cup off the track."


def test_ja_11_the_same_block_without_a_free_cup_is_called_blocked() -> None:
    position = GAME.read("./RY/./RY/././RY/R/Y/././././RY B 20")
    assert result(position.play(position.parse("9-8"))) == ((1,), "blocked")


def test_ja_11_holds_for_yellow_as_well() -> None:
    """The example mirrored: Yellow's free cup on 1 could only leave the track, and Red has moved last."""
    position = GAME.read("Y/././././R/Y/YR/././YR/./YR/R A 20")
    assert result(position.play(position.parse("6-7"))) == ((0,), "only-overshoots")


def test_ja_11_moving_on_off_the_track_is_no_move_either() -> None:
    """Red's free cup on 13 would land on 14 beside its own and have to move on, beyond the end."""
    position = at("1:RY 2:RY 6:Y 8:R 9:Y 13:R 14:RY", "B")
    assert result(position.play(position.parse("9-8"))) == ((1,), "only-overshoots")


def test_ja_11_one_move_that_stays_on_the_track_keeps_the_game_going() -> None:
    """Then leaving the track is a move like any other, and a losing one (JA-1)."""
    position = after("./RY/./RY/./R/RY/./Y/Y/./././R", "9-8", "B")
    assert [str(move) for move in position.moves()] == ["6-7", "14-off"]
    assert result(position.play(position.parse("14"))) == ((1,), "overshot")


def test_ja_11_a_seat_that_could_only_leave_the_track_is_never_asked() -> None:
    for seed in range(300):
        rng, position = Random(seed), GAME.start()
        while not position.is_over:
            moves = position.moves()
            staying = [move for move in moves if isinstance(move, Jump) and not move.overshoots]
            assert staying, position
            position = position.play(rng.choice(staying))
        assert result(position)[1] != "overshot"


def test_jc_12_a_cup_that_left_the_track_is_gone_from_line_scene_picture_and_replay() -> None:
    position = after("1:R 2:R 3:R 4:R 9:Y 10:Y 11:Y 12:Y 13:YR", "13-off")
    assert str(position) == "R/R/R/R/././././Y/Y/Y/Y/Y/. =B:overshot 1"
    assert GAME.read(str(position)) == position and GAME.from_json(position.to_json()) == position
    assert [piece.tint for piece in position.scene().pieces if piece.spot == "13"] == [YELLOW.name]
    assert len(position.scene().pieces) == 9
    before = at("1:R 2:R 3:R 4:R 9:Y 10:Y 11:Y 12:Y 13:YR")
    assert svg(before.scene()).count("url(#side-red)") - svg(position.scene()).count("url(#side-red)") == 1
    assert draw(before.scene()).count("●R") - draw(position.scene()).count("●R") == 1
    chain = after("1:R 2:R 3:R 8:Y 9:Y 11:R 12:RY 13:Y 14:Y", "11-off")
    assert (chain.stack(11), chain.stack(12)) == ("", "RY")  # moving on, it leaves nothing behind on the way
    record = Record.read((Path(__file__).parent / "records" / "overshot.game").read_text(encoding="utf-8"))
    assert str(record.replay().position) == "R/R/R/R/././Y/././Y/./YY/./Y =B:overshot 11"


def test_ja_12_positions_never_repeat() -> None:
    """Every move brings a cup nearer to the end, so nothing needs to be counted."""
    positions = list(walk(GAME.start(), Random(5)))
    assert len(set(positions)) == len(positions) > 20


# Around the rules.


def test_vector_9_five_first_moves_each() -> None:
    assert [str(move) for move in GAME.start().moves()] == ["1-2", "2-3", "3-4", "4-5", "5-6"]
    assert [str(move) for move in at("1:R 2:R 3:R 4:R 5:R 10:Y 11:Y 12:Y 13:Y 14:Y", "B").moves()] == [
        "10-9", "11-10", "12-11", "13-12", "14-13",
    ]  # fmt: skip


@pytest.mark.parametrize("text", ["", "x", "0", "15", "5-", "5--6", "off", "5-6-off-7", "٥", "99999999999"])
def test_what_is_no_move_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(BadNotation, match="like 5-6 or 13-off"):
        GAME.start().parse(text)


def test_after_the_end_nobody_moves() -> None:
    position = after("1:R 2:R 3:R 4:R 9:Y 10:Y 11:Y 12:Y 13:YR", "13-off")
    with pytest.raises(GameOver):
        position.parse("1")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "three words"),
        ("R/R/R/R/R/././././Y/Y/Y/Y/Y A", "three words"),
        ("R/R/R/R/R/././././Y/Y/Y/Y A 0", "14 words"),
        ("R/R/R/R/R/././././Y/Y/Y/Y/Z A 0", "14 words"),
        ("R/R/R/R/R/./././R/Y/Y/Y/Y/Y A 0", "five cups of Red"),
        ("R/R/R/R/././././././Y/Y/Y/Y A 0", "five cups of Red"),
        ("R/R/R/./././././RR/Y/Y/Y/Y/Y C 0", "not who acts"),
        ("R/R/R/R/R/././././Y/Y/Y/Y/Y A -1", "not a number of moves"),
        ("R/R/R/R/R/././././Y/Y/Y/Y/Y * 3", "lot is drawn before the first move"),
        ("R/R/R/R/./R/./././Y/Y/Y/Y/Y * 0", "lot is drawn before the first move"),
        ("R/R/R/R/R/././././Y/Y/Y/Y/Y =A:luck 3", "not a way to win"),
        ("R/R/R/././././././RRY/Y/Y/Y/Y A 3", "two cups of its own colour"),
        ("YY/R/R/R/././././R/RY/Y/Y/./. A 3", "two cups of its own colour"),
        ("Y/Y/Y/Y/Y/./././R/R/R/R/R/. A 9", "Yellow has filled the finish"),
        ("./Y/Y/Y/Y/Y/././././R/R/R/R A 9", "five cups of Red"),
        ("./Y/Y/Y/Y/Y/./././R/R/R/R/R B 9", "Red has filled the finish"),
        ("RY/././././././././Y/RY/RY/RY/R A 9", "Red could only leave the track"),
    ],
)
def test_what_is_no_position_is_refused(text: str, why: str) -> None:
    with pytest.raises(BadPosition, match=why):
        load("jumping-cups").read(text)


@pytest.mark.parametrize(
    "text",
    [
        "Y/Y/Y/Y/Y/././././R/R/R/R/R =A:filled 9",  # both finished
        "Y/Y/Y/Y/Y/./././R/R/R/R/R/. =A:filled 9",  # the other one did
        "R/R/R/R/R/././././Y/Y/Y/Y/Y =A:filled 9",
        "R/R/R/R/R/././././Y/Y/Y/Y/Y =A:blocked 9",
        "./RY/./RY/././RY/RY/./Y/./././R =B:blocked 9",  # a cup is free, so it is called only-overshoots
        "./RY/./RY/././RY/RY/./././././RY =B:only-overshoots 9",  # and this is called blocked
        "./RY/./RY/./R/RY/./Y/Y/./././R =B:only-overshoots 9",
        "R/R/R/R/R/././././Y/Y/Y/Y/Y =B:overshot 9",  # no cup is missing
        "R/R/R/R/././././././Y/Y/Y/Y/Y =A:overshot 9",  # the winner's is
        "./RY/./RY/././RY/RY/./Y/./././R =B:only-overshoots 0",  # nobody has moved
    ],
)
def test_an_end_that_does_not_follow_from_the_stacks_is_refused(text: str) -> None:
    with pytest.raises(BadPosition):
        GAME.read(text)


def test_where_somebody_starts_by_agreement_no_lot_is_read() -> None:
    with pytest.raises(BadPosition, match="no lot is drawn: Red starts"):
        GAME.read("R/R/R/R/R/././././Y/Y/Y/Y/Y * 0")


@pytest.mark.parametrize("text", ["9-9", "5-5", "9-10-9", "5-6-6"])
def test_a_cup_never_stays_or_goes_back(text: str) -> None:
    """Not even a cup that stands there: every move goes on towards the finish (JC-6, JC-10)."""
    position = at("1:R 2:R 3:R 5:R 9:R 10:Y 11:Y 12:Y 13:Y 14:Y")
    with pytest.raises(IllegalMove, match=r"write (9-10|5-6)\."):
        position.parse(text)
    with pytest.raises(IllegalMove):
        position.play(Jump(tuple(map(int, text.split("-")))))


def test_options_are_checked() -> None:
    with pytest.raises(BadOption, match="random, red or yellow"):
        load("jumping-cups", starter="green")
    with pytest.raises(BadSeats, match="for 2 players, not 3"):
        load("jumping-cups", 3)


def test_the_evaluation_prefers_winning_then_free_cups() -> None:
    won = after("6:Y 7:Y 8:Y 9:R 11:YR 12:R 13:R 14:YR", "9-10")
    assert evaluate(won.row.copy(), 0) > 0 > evaluate(won.row.copy(), 1)
    covered = at("1:R 2:R 3:R 4:R 7:RY 10:Y 11:Y 12:Y 13:Y")
    assert evaluate(covered.row.copy(), 1) > 0
