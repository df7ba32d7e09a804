"""How moves and positions of Cup King are written, read, listed and refused."""

from __future__ import annotations

import json
import pickle
from itertools import pairwise
from random import Random

import pytest

from cupboard.core.errors import BadNotation, BadPosition, BadTurn, IllegalMove
from cupboard.core.game import CHANCE
from cupboard.core.move import Lot
from cupboard.core.registry import load
from cupboard.core.testing_games import walk
from cupboard.core.words import phrase
from cupboard.games.cup_king.flick import Aim
from cupboard.games.cup_king.long_lists import Builds, Deals
from cupboard.games.cup_king.moves import (
    Build,
    Deal,
    Discard,
    Flick,
    HiddenBuild,
    HiddenDeal,
    Keep,
    Play,
    Refill,
    Reveal,
    Settle,
    Shoot,
    read_move,
)  # fmt: skip
from cupboard.games.cup_king.poses import Pose
from cupboard.games.cup_king.rules import CupKing, CupKingPosition

BIG = "RYGBP/RYGB/RYG/BP/P"
LINE = f"{BIG};{BIG} R5R5Y1;R7R3B2 -;- - >- A 1:0,0 7"
ASKED = f"{BIG};{BIG} R1;Y2 R5;- - >R B 1:0,0 0"
FLICKED = f"{BIG};{BIG} R1;Y2 R5;- - >R settle-B:b1 1:0,0 0"
LOST = "a3,a4,a5,b1,b2,b3,b4,c1,c2,c3,d1,d2,e1"
SHIFTED = Pose(140, -214, 0, 0, -3, 93)


# Moves.


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("R5", Play(CHANCE, ("R5",))),
        (">R7+R3", Play(CHANCE, ("R7", "R3"), ">")),
        ("<B1+R4", Play(CHANCE, ("B1", "R4"), "<")),
        ("-c2", Shoot(CHANCE, "c2")),
        ("keep-left", Keep(CHANCE, "left")),
        ("draw", Refill(CHANCE, draws=True)),
        ("forget", Refill(CHANCE, draws=False)),
        (f"build-B:{BIG}", Build(1, tuple(BIG.split("/")))),
        ("build-B:?", HiddenBuild(1)),
        ("deal-A:R5,G2", Deal(0, ("R5", "G2"))),
        ("deal-A:?2", HiddenDeal(0, 2)),
        ("reveal:RY/G;BP/R", Reveal((("RY", "G"), ("BP", "R")))),
        ("lot-F", Lot(5)),
        ("settle-A:a1,b1", Settle(0, ("a1", "b1"))),
        ("settle-A:-", Settle(0, ())),
        ("-c2:gentle", Flick(CHANCE, "c2", Aim(20))),
        ("-c2:hard", Flick(CHANCE, "c2", Aim(100))),
        ("-c2:75", Flick(CHANCE, "c2", Aim(75))),
        ("-c2:75,40,-10,15,behind", Flick(CHANCE, "c2", Aim(75, 40, -10, 15, True))),
        ("-c2:60,50,0,0,behind", Flick(CHANCE, "c2", Aim(is_behind=True))),
        ("settle-A:a1(140,-214,0,0,-3,93),a2", Settle(0, ("a1", "a2"), (("a1", SHIFTED),))),
        ("settle-A:a1|,a2(140,-214,0,0,-3,93)|,a3", Settle(0, ("a1", "a2", "a3"), (("a2", SHIFTED),), ("a1", "a2"))),
        ("settle-A:a1;fell=b1,c1;A=d1;C=a3;late", Settle(0, ("a1",), (), (), ("b1", "c1"), ("d1",), ("a3",), "late")),
        ("settle-A:-;fell=a1;table", Settle(0, (), fallen=("a1",), how="table")),
        ("discard-C:-", Discard(2, ())),
        ("discard-C:R1,R1", Discard(2, ("R1", "R1"))),
    ],
)
def test_every_kind_of_move_is_written_and_read(text: str, move: object) -> None:
    assert read_move(text) == move and str(move) == text


def test_cards_may_be_typed_in_any_order_and_case() -> None:
    assert str(read_move(" r3+r7 ")) == "R7+R3"
    assert str(read_move("b1+y3+b6+r4+b1")) == "B6+B1+B1+R4+Y3"
    assert str(read_move("deal-a:g2,r5")) == "deal-A:R5,G2"


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("-b1", "-b1"),
        ("-b1:firm", "-b1"),
        ("-b1:60", "-b1"),
        ("-b1:60,50,0,0,front", "-b1"),
        ("-b1:front", "-b1"),
        ("-B1:Gentle", "-b1:gentle"),
        ("- b1 gentle", "-b1:gentle"),
        ("-b1 hard", "-b1:hard"),
        ("-b1:20,50", "-b1:gentle"),
        ("-b1:gentle,behind", "-b1:20,50,0,0,behind"),
        (" -b1 : 75 , 40 ", "-b1:75,40,0,0,front"),
        ("-b1:+75,40,-10,15,BEHIND", "-b1:75,40,-10,15,behind"),
        ("B: -b1:1", "-b1:1"),
    ],
)
def test_ck_12_a_flick_may_be_typed_loosely_and_has_one_spelling(typed: str, written: str) -> None:
    """Without an aim it is firm, straight at the middle and from the front."""
    position = CupKing(2).read(ASKED)
    move = position.parse(typed)
    assert isinstance(move, Flick) and str(move) == written and position.parse(written) == move
    assert position.play(move).shot == move


def test_the_aim_that_a_screen_sends_is_the_notation_of_a_flick() -> None:
    position = CupKing(2).read(ASKED)
    aiming = position.seen_by(1).aiming()
    assert aiming is not None and aiming.names == ("a1", "b1", "c1") and aiming.spots == ("B:a1", "B:b1", "B:c1")
    for numbers in ((1, 0, -80, -60), (100, 100, 80, 60), (60, 50, 0, 0)):
        for is_behind in (False, True):
            move = position.parse(aiming.text("b1", *numbers, is_behind))
            assert move == Flick(1, "b1", Aim(*numbers, is_behind))
    scales = (aiming.strength, aiming.height, aiming.aside, aiming.turn)
    assert [(scale.least, scale.most) for scale in scales] == [(1, 100), (0, 100), (-80, 80), (-60, 60)]
    assert position.seen_by(0).aiming() is None is position.seen_by(None).aiming()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("-b1:0", "Strength goes from 1 to 100, and 0 is beyond that"),
        ("-b1:101", "Strength goes from 1 to 100, and 101 is beyond that"),
        ("-b1:-5", "Strength goes from 1 to 100, and -5 is beyond that"),
        ("-b1:60,101", "Height goes from 0 to 100"),
        ("-b1:60,50,81", "To the right goes from -80 to 80"),
        ("-b1:60,50,0,-61,behind", "Turned right goes from -60 to 60"),
        *[
            (f"-b1:{aim}", "A flick is written -c2")
            for aim in ("nan", "inf", "1e9", "1000000000", "60.5", "", ",", "soft", "60,50,0,0,above", "1,2,3,4,5", "٧")
        ],
    ],
)
def test_a_flick_off_the_scales_is_refused_with_the_scale(text: str, words: str) -> None:
    with pytest.raises(BadNotation, match=words):
        CupKing(2).read(ASKED).parse(text)


@pytest.mark.parametrize(
    ("aim", "words"),
    [
        (Aim(0), "Strength goes from 1 to 100"),
        (Aim(101), "Strength goes from 1 to 100"),
        (Aim(float("nan")), "A flick is written"),  # type: ignore[arg-type]
        (Aim(10**9), "A flick is written"),
        (Aim(60.5), "A flick is written"),  # type: ignore[arg-type]
        (Aim(True), "A flick is written"),
        (Aim(60, -1), "Height goes from 0 to 100"),
        (Aim(60, 50, -81), "To the right goes from -80 to 80"),
        (Aim(60, 50, 0, 61), "Turned right goes from -60 to 60"),
        (Aim(60, 50, 0, 0, 1), "A flick is written"),  # type: ignore[arg-type]
    ],
    ids=str,
)
def test_a_flick_that_nobody_could_write_is_refused_before_anything_is_simulated(aim: Aim, words: str) -> None:
    position = CupKing(2).read(ASKED)
    move = Flick(1, "b1", aim)
    assert move not in position.moves()
    with pytest.raises(IllegalMove, match=words):
        position.play(move)


@pytest.mark.parametrize(
    ("options", "move", "words"),
    [
        ({}, "-a2", "You must lose a red bucket: a1, b1, c1"),
        ({}, "-a2:hard", "You must lose a red bucket: a1, b1, c1"),
        ({"two_fingers": "B"}, "-b1:firm", "You take buckets out with two fingers: write -b1"),
        ({"two_fingers": "B"}, "-b1:75", "You take buckets out with two fingers: write -b1"),
        ({"removal": "careful"}, "-b1:hard", "You take buckets out with two fingers: write -b1"),
    ],
)
def test_ck_12_a_refused_flick_says_why(options: dict[str, object], move: str, words: str) -> None:
    with pytest.raises(IllegalMove, match=words):
        load("cup-king", 2, **options).read(ASKED).parse(move, 1)


def test_a_bucket_that_is_gone_or_somebody_else_s_is_refused() -> None:
    position = CupKing(2).read(ASKED.replace(f";{BIG}", ";RYGBP/RYGB/RYG/BP/."))
    with pytest.raises(IllegalMove, match="There is no bucket on e1"):
        position.parse("-e1:gentle")
    assert "That bucket is not yours" in str(position.why_not(["A:a1", "gentle"], 1))
    with pytest.raises(IllegalMove, match="not for Player A to act"):
        position.play(Flick(0, "a1"))
    with pytest.raises(BadTurn, match="not Player A's turn"):
        position.parse("-a1", 0)
    with pytest.raises(IllegalMove, match="tapped out with one finger: choose how hard"):
        position.play(Shoot(1, "a1"))


def test_pointing_at_a_bucket_and_how_hard_is_a_flick() -> None:
    position = CupKing(2).read(ASKED)
    assert position.parse("-b1:gentle").spots() == ("B:b1", "gentle")
    assert {move.spots() for move in position.moves() if isinstance(move, Flick)} == {
        (f"B:{bucket}", kind) for bucket in ("a1", "b1", "c1") for kind in ("gentle", "firm", "hard")
    }
    assert position.why_not(["B:b1", "gentle"], 1).words == phrase("move.can")
    assert "You must lose a red bucket" in str(position.why_not(["B:a2", "gentle"], 1))


@pytest.mark.parametrize(
    "text",
    [
        "settle-B:a1,a2,a3,b1,b2",  # keeps the flicked one
        "settle-B:a1,a3,a4,b2",  # a2 does not carry b2
        "settle-B:a1,a3,a4",  # C: a loner beside a larger part
        "settle-B:a1|,a2,a3",  # C: a loner behind a break
        "settle-B:a1,a2,a3|,a5",  # a break beside nothing
        "settle-B:a1,a2,a3|,a4,b3",  # a break under a bucket
        "settle-B:a1,a2,a3,a4,a5|",
        "settle-B:a1,a1,a2",
        "settle-B:a1(1,0,0,0,0,0),a1(2,0,0,0,0,0),a2",
        f"settle-B:a1,a2;fell={LOST},e1",
        f"settle-B:a1,a2;fell={LOST};A=e1",
        f"settle-B:a1,a2;fell={LOST},a1",
        "settle-B:a1,a2;fell=b1",
        "settle-A:a1,a2",
    ],
)
def test_ck_14_a_pyramid_that_cannot_rest_like_this_is_refused(text: str) -> None:
    with pytest.raises(IllegalMove, match="only buckets with both supports can stay, and every lost one is named once"):
        CupKing(2).read(FLICKED).parse(text)


@pytest.mark.parametrize("pose", [Pose(20_001), Pose(0, -20_001), Pose(0, 0, 0, 20_001)], ids=str)
def test_a_pose_beyond_its_limits_is_refused(pose: Pose) -> None:
    position = CupKing(2).read(FLICKED)
    with pytest.raises(IllegalMove, match="six whole numbers from -20000 to 20000"):
        position.play(Settle(1, ("a1", "a2"), (("a1", pose),)))
    assert position.play(Settle(1, ("a1", "a2"), (("a1", Pose(20_000, -20_000)),))).pose(1, 0) == Pose(20_000, -20_000)


@pytest.mark.parametrize(
    "move",
    [
        Settle(1, ("a2", "a1")),
        Settle(1, ("a1", "a1", "a2")),
        Settle(1, ("a1", "a2"), (("a2", SHIFTED), ("a1", SHIFTED))),
        Settle(1, ("a1", "a2"), (("a3", SHIFTED),)),
        Settle(1, ("a1", "a2"), (("a1", tuple(SHIFTED)),)),  # type: ignore[arg-type]
        Settle(1, ("a1", "a2"), fallen=tuple(reversed(LOST.split(",")))),
        Settle(1, ("a1", "a2"), (("a1", Pose(True)),)),
        Settle(1, ("a1", "a2"), how="luck"),
    ],
    ids=repr,
)
def test_a_settle_has_one_spelling(move: Settle) -> None:
    with pytest.raises(IllegalMove):
        CupKing(2).read(FLICKED).play(move)


@pytest.mark.parametrize(
    "text",
    [
        "",
        ";",
        "a1;luck",
        "a1;engine;late",
        "a1;fell=",
        "a1;fell=b1;fell=c1",
        "a1(1,2,3)",
        "a1(nan,0,0,0,0,0)",
        "e2",
    ],
)
def test_what_is_no_settle_is_no_move(text: str) -> None:
    with pytest.raises(BadNotation, match="is no move"):
        read_move(f"settle-B:{text}")


@pytest.mark.parametrize("text", ["", "x", "R9", "R0", "R5+", "+R5", "R5 9", "-f1", "-a6", "keep-top", "build:", "R٥"])
def test_what_is_no_move_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(BadNotation, match=r"like R5 or R7\+R3"):
        CupKing(2).read(LINE).parse(text)


def test_a_bucket_no_pyramid_has_is_no_move() -> None:
    with pytest.raises(BadNotation, match="every higher row one less"):
        read_move("-e2")


def test_a_second_copy_lies_on_a_spot_of_its_own() -> None:
    assert Play(0, ("R5", "R5"), ">").spots() == ("A:R5", "A:R5'", "clockwise")
    shown = CupKing(2).read(LINE).seen_by(0).scene().spots()
    assert {"A:R5", "A:R5'", "A:Y1", "confirm"} <= shown and "B:R7" not in shown


@pytest.mark.parametrize(
    ("move", "words"),
    [
        ("R7", "You do not hold R7"),
        ("Y1+Y1", "You hold Y1 only once"),
        ("-a1", "you must play"),
        ("keep-left", "No pyramid is broken"),
        ("draw", "There is no card to draw"),
        ("lot-A", "Nature does not act now"),
        (f"build:{BIG}", "The pyramids stand already"),
        ("deal-A:?2", "only what the others see"),
        (f"build-B:{BIG}", "not for Player B"),
    ],
)
def test_a_refusal_says_what_is_wrong(move: str, words: str) -> None:
    with pytest.raises(IllegalMove, match=words):
        CupKing(2).read(LINE).parse(move)


@pytest.mark.parametrize(
    ("what", "words"),
    [
        ("deal", "Player A gets 10 cards"),
        ("reveal", "all pyramids are shown"),
        ("lot", "the lot decides"),
        ("build", "Everybody builds first"),
    ],
)
def test_before_play_a_refusal_says_what_comes_first(what: str, words: str) -> None:
    ten = "R1R2R3R4R5R6R7R8Y1Y2;G1G2G3G4G5G6G7G8B1B2"
    hands = "-;-" if what == "deal" else ten
    pyramids = f"{BIG};{BIG}" if what in ("reveal", "lot") else "-;-"
    position = CupKing(2).read(f"{pyramids} {hands} -;- - >- {what} 1:0,0 0")
    with pytest.raises(IllegalMove, match=words):
        position.parse("R1", position.to_act[0])


def test_out_of_turn_is_told_apart_from_illegal() -> None:
    position = CupKing(2).read(LINE)
    with pytest.raises(BadTurn, match="not Player B's turn"):
        position.parse("R7", 1)
    with pytest.raises(IllegalMove, match="It is not for Player B to act"):
        position.play(Play(1, ("R7",)))


@pytest.mark.parametrize(
    ("move", "words"),
    [
        (Play(0, ("R1", "R5")), r"These cards are written R5\+R1"),
        (Play(0, ("B1", "Y2", "B1")), r"These cards are written B1\+B1\+Y2"),
        (Play(0, ("B1", "B1", "Y2", "R1")), r"These cards are written B1\+B1\+R1\+Y2"),
        (Play(0, ("R5",), ">"), "Between two the direction has no effect"),
    ],
)
def test_a_move_has_one_spelling(move: Play, words: str) -> None:
    position = CupKing(2, experienced_ones=True).read(f"{BIG};{BIG} R1R5Y2B1B1;R7 -;- - >- A 1:0,0 0")
    with pytest.raises(IllegalMove, match=words):
        position.play(move)


def test_nobody_builds_for_somebody_else() -> None:
    position = CupKing(2).start()
    while position.to_act == (CHANCE,):
        position = position.play(position.chance(Random(1)))
    move = position.parse(f"build:{BIG}", 1)
    with pytest.raises(IllegalMove):
        position.play(move, 0)
    with pytest.raises(BadTurn, match="Player A and Player B act at the same time: say whose move it is"):
        position.play(move)
    assert position.play(move, 1).to_act == (0,)


def test_while_all_build_a_text_is_read_for_the_seat_that_is_named() -> None:
    position = CupKing(2).start()
    while position.to_act == (CHANCE,):
        position = position.play(position.chance(Random(1)))
    with pytest.raises(BadTurn, match="say whose move it is"):
        position.parse(f"build:{BIG}")
    assert position.parse(f"build:{BIG}", 1) == position.parse(f"B:build:{BIG}") == Build(1, tuple(BIG.split("/")))
    assert position.seen_by(1).parse(f"build:{BIG}") == position.parse(f"build:{BIG}", 1)
    with pytest.raises(IllegalMove):
        position.parse(f"B:build-A:{BIG}")


# Lists too long to write out.


def test_every_pyramid_has_its_place_in_the_list() -> None:
    builds = Builds(0, 4)
    assert len(builds) == 113_400
    some = [builds[i] for i in range(0, len(builds), 997)]
    assert len(set(some)) == len(some) and all(move in builds for move in some)
    assert str(builds[0]) == "build-A:RRYY/GGB/BP/P" and str(builds[-1]) == "build-A:PPBB/GGY/YR/R"
    orders = [["RYGBP".index(c) for c in "".join(move.rows)] for move in builds[:400] if isinstance(move, Build)]
    assert all(one < next_one for one, next_one in pairwise(orders)), "in the order of the colours, none twice"
    assert Build(1, ("RRYY", "GGB", "BP", "P")) not in builds
    assert Build(0, ("RRYY", "GGB", "BP", "B")) not in builds
    with pytest.raises(IndexError):
        builds[113_400]


def test_every_deal_has_its_place_in_the_list() -> None:
    """Of R1 twice, R2 twice and Y1 once, two cards make five different deals: 11 12 22 1y 2y."""
    deals = Deals(0, 2, [0b1010, 1, 0, 0, 0], [0] * 5)
    assert [str(move) for move in deals] == [
        "deal-A:R1,R1", "deal-A:R1,R2", "deal-A:R1,Y1", "deal-A:R2,R2", "deal-A:R2,Y1",
    ]  # fmt: skip
    assert len(deals) == 5 and all(move in deals for move in deals)
    for wrong in (Deal(0, ("Y1", "Y1")), Deal(1, ("R1", "R2")), Deal(0, ("R1",)), Deal(0, ("Y1", "R1"))):
        assert wrong not in deals


def test_ten_cards_of_a_whole_deck_are_counted() -> None:
    """The coefficient of x^10 in (1 + x + x²)^40."""
    coefficients = [1]
    for _ in range(40):
        coefficients = [sum(coefficients[max(0, n - 2) : n + 1]) for n in range(len(coefficients) + 2)]
    deals = CupKing(2).start().moves(CHANCE)
    assert len(deals) == coefficients[10]
    assert deals[len(deals) // 2] in deals


# Positions.


def test_a_position_is_one_line_of_eight_words() -> None:
    assert str(CupKing(2).start()) == "-;- -;- -;- - >- deal 1:0,0 0"
    assert str(CupKing(2).read(LINE)) == LINE.replace("R7R3", "R3R7")


def test_a_view_hides_hands_and_unshown_pyramids_in_its_line() -> None:
    position = CupKing(2).read(LINE)
    assert str(position.seen_by(0)).split()[1] == "R5R5Y1;?3"
    assert str(position.seen_by(None)).split()[1] == "?3;?3"
    ten = "R1R2R3R4R5R6R7R8Y1Y2;G1G2G3G4G5G6G7G8B1B2"
    building = CupKing(2).read(f"{BIG};- {ten} -;- - >- build 1:0,0 1")
    assert str(building.seen_by(1)).split()[0] == "?;-" and str(building.seen_by(0)).split()[0] == f"{BIG};-"


@pytest.mark.parametrize(
    "options",
    [{}, {"removal": "careful", "auto_draw": False, "experienced_ones": True}, {"two_fingers": "B", "hand": "child"}],
    ids=str,
)
@pytest.mark.parametrize("seats", [2, 5])
def test_every_position_reads_back(seats: int, options: dict[str, object]) -> None:
    for position in walk(load("cup-king", seats, **options).start(), Random(seats)):
        assert position.game.read(str(position)) == position


POSED = BIG.replace("P/P", "P(140,-214,0,0,-3,93)/P(0,1,0,0,0,0)")


@pytest.mark.parametrize(
    "line",
    [
        f"{POSED};{BIG} R1;Y2 R5;- - >R B 1:0,0 0",
        f"{BIG};{POSED} R1;Y2 R5;- - >R settle-B:c1 1:0,0 3",
        f"{BIG};{BIG} R1;Y2 R5;- - >R settle-B:c1:gentle 1:0,0 3",
        f"{BIG};{BIG} R1;Y2 R5;- - >R settle-B:c1:75,40,-10,15,behind 1:0,0 3",
        f"{BIG};RYGB(1,2,3,4,5,6)./R.G./.../../. R1;Y2 R5;- - >R keep-B:a2 1:0,0 3",
        f"{BIG};RYGBP/..../.../../. R1;Y2 R5;- - >R keep-B:a1,a2,a3,a4 1:0,0 3",
    ],
)
def test_a_flick_under_way_breaks_and_poses_read_back_exactly(line: str) -> None:
    position = CupKing(2).read(line)
    assert str(position) == line and CupKing(2).read(str(position)) == position
    assert position.game.from_json(json.loads(json.dumps(position.to_json()))) == position
    again = pickle.loads(pickle.dumps(position))
    assert again == position and again.shot == position.shot and again.breaks == position.breaks
    assert [again.pose(seat, n) for seat in (0, 1) for n in range(15)] == [
        position.pose(seat, n) for seat in (0, 1) for n in range(15)
    ]
    for seat in (None, 0, 1):
        view = position.seen_by(seat)
        assert view.shot == position.shot and str(view).split()[0] == line.split()[0], "all of it is in sight"
        assert view.breaks == position.breaks


ONE = "R..../..../.../../."
TEN = "R1R2R3R4R5R6R7R8Y1Y2;G1G2G3G4G5G6G7G8B1B2"
BAD = [
    ("eight words", "x"),
    ("one pyramid for each seat", f"{BIG} R1;R2 -;- - >- A 1:0,0 0"),
    ("5 rows from the base up", f"RYGB/RYG/BP/P;{BIG} R1;R2 -;- - >- A 1:0,0 0"),
    ("at most 3 buckets of a colour", f"RRRRP/YYYG/GGB/BB/P;{BIG} R1;R2 -;- - >- A 1:0,0 0"),
    ("cannot stand like this", f".YGBP/RYGB/RYG/BP/P;{BIG} R1;R2 -;- - >- A 1:0,0 0"),
    ("cannot stand like this", f"RY.BP/R..B/.../../.;{BIG} R1;R2 -;- - >- A 1:0,0 0"),
    ("no cards", f"{BIG};{BIG} R9;R2 -;- - >- A 1:0,0 0"),
    ("only two R1", f"{BIG};{BIG} R1R1;R1 -;- - >- A 1:0,0 0"),
    ("only two R1", f"{BIG};{BIG} R1R1R1R1R1;- -;- - >- A 1:0,0 0"),
    ("more than ten", f"{BIG};{BIG} R1R2R3R4R5R6R7R8Y1Y2Y3;R2 -;- - >- A 1:0,0 0"),
    ("no round", f"{BIG};{BIG} R1;R2 -;- - R A 1:0,0 0"),
    ("always written >", f"{BIG};{BIG} R1;R2 R5;- - <R B 1:0,0 0"),
    ("nothing that happens", f"{BIG};{BIG} R1;R2 -;- - >- sleep 1:0,0 0"),
    ("no seat C", f"{BIG};{BIG} R1;R2 -;- - >- C 1:0,0 0"),
    ("round has a colour", f"{BIG};{BIG} R1;R2 R5;- - >- B 1:0,0 0"),
    ("worth the most", f"{BIG};{BIG} R1;R2 R5;R6 - >R B 1:0,0 0"),
    ("of the round's colour", f"{BIG};{BIG} R1;R2 R5Y1;- - >R B 1:0,0 0"),
    ("no match", f"{BIG};{BIG} R1;R2 -;- - >- A 2:0,0 0"),
    ("cannot have been kept", f"{BIG};{BIG} R1;R2 -;- - >- A 1:3,0 0"),
    ("not a number of moves", f"{BIG};{BIG} R1;R2 -;- - >- A 1:0,0 -1"),
    ("not over yet", f"{BIG};{BIG} R1;R2 -;- - >- over 1:15,15 0"),
    ("do not count", f"{BIG};- R1;R2 -;- - >- over 1:14,0 0"),
    ("so the game is over|game is over", f"{BIG};- R1;- -;- - >- A 1:0,0 0"),
    ("only after some were played", f"{BIG};{BIG} R1;R2 -;- - >- draw-A:1 1:0,0 0"),
    ("Only one card", f"{BIG};{BIG} R1;R2 R5;- - >R draw-A:2 1:0,0 0"),
    ("nobody is asked to draw", f"{BIG};{BIG} R1;R2 R5;- - >R offer-A:1 1:0,0 0"),
    ("which is written settle-A:c2", f"{BIG};{BIG} R1;R2 R5;- - >R settle-B 1:0,0 0"),
    ("Strength goes from 1 to 100", f"{BIG};{BIG} R1;R2 R5;- - >R settle-B:b1:0 1:0,0 0"),
    ("has a bucket e2", f"{BIG};{BIG} R1;R2 R5;- - >R settle-B:e2 1:0,0 0"),
    ("not of the asked colour", f"{BIG};{BIG} R1;R2 R5;- - >R settle-B:a2 1:0,0 0"),
    ("out of a pyramid that stands", f"{BIG};{ONE} R1;R2 R5;- - >R settle-B:b1 1:0,0 0"),
    ("has cards plays some", f"{BIG};{BIG} R1;R2 -;- - >- settle-B:b1 1:0,0 0"),
    ("at the right of buckets of the base", f"{BIG};{BIG} R1;R2 R5;- - >R keep-B:b1 1:0,0 0"),
    ("at the right of buckets of the base", f"{BIG};{BIG} R1;R2 R5;- - >R keep-B:a1,a1 1:0,0 0"),
    ("several parts", f"{BIG};{BIG} R1;R2 R5;- - >R keep-B:a1 1:0,0 0"),
    ("is no pose of a bucket", f"{BIG}(1,2,3);{BIG} R1;R2 -;- - >- A 1:0,0 0"),
    ("is no pose of a bucket", f"{BIG}(20001,0,0,0,0,0);{BIG} R1;R2 -;- - >- A 1:0,0 0"),
    ("is no pose of a bucket", f"{BIG}(0,0,0,0,0,0);{BIG} R1;R2 -;- - >- A 1:0,0 0"),
    ("is no pose of a bucket", f"{BIG}();{BIG} R1;R2 -;- - >- A 1:0,0 0"),
    ("is no pose of a bucket", f"(1,2,3,4,5,6){BIG};{BIG} R1;R2 -;- - >- A 1:0,0 0"),
    ("is no pose of a bucket", f"{BIG}(1,2,3,4,5,6)(1,2,3,4,5,6);{BIG} R1;R2 -;- - >- A 1:0,0 0"),
    ("a bracket is open", f"{BIG}(1,2,3,4,5,6;{BIG} R1;R2 -;- - >- A 1:0,0 0"),
    ("Only a flick shifts buckets", f"{BIG}(1,2,3,4,5,6);- {TEN} -;- - >- build 1:0,0 1"),
    ("several parts", f"{BIG};{BIG} R1;R2 R5;- - >R keep-B 1:0,0 0"),
    ("no cards lie open", f"{BIG};{BIG} R1;R2 R5;- - >R lot 1:0,0 0"),
    ("ten cards or none", "-;- R1;- -;- - >- deal 1:0,0 0"),
    ("everybody has ten", f"{BIG};- R1;R2 -;- - >- build 1:0,0 0"),
    ("not whole", f"{ONE};- R1;R2 -;- - >- build 1:0,0 0"),
    ("nobody has moved", "-;- -;- -;- - >- deal 1:0,0 1"),
    ("nobody has moved", f"{BIG};- {TEN} -;- - >- build 1:0,0 2"),
    ("nobody has moved", f"{BIG};{BIG} {TEN} -;- - >- lot 1:0,0 3"),
]


@pytest.mark.parametrize(("words", "line"), BAD)
def test_what_cannot_come_up_is_refused_with_the_reason(words: str, line: str) -> None:
    with pytest.raises(BadPosition, match=words):
        CupKing(2).read(line)


@pytest.mark.parametrize("options", [{"removal": "careful"}, {"two_fingers": "B"}], ids=str)
def test_ka_27_where_nobody_flicks_nothing_settles_and_nothing_is_shifted(options: dict[str, object]) -> None:
    game = load("cup-king", 2, **options)
    with pytest.raises(BadPosition, match="settle only after a flick"):
        game.read(FLICKED)
    with pytest.raises(BadPosition, match="shifts buckets, and seat B flicks none"):
        game.read(f"{BIG};{POSED} R1;Y2 R5;- - >R B 1:0,0 0")


def test_an_empty_pile_where_cards_are_due_cannot_come_up() -> None:
    deck = [f"{colour}{value}" for colour in "RYGBP" for value in range(1, 9) for _ in "ab"]
    hands, rest = ["".join(deck[:10]), "".join(deck[10:20])], "".join(deck[20:])
    with pytest.raises(BadPosition, match="reshuffled"):
        CupKing(2).read(f"{BIG};{BIG} {';'.join(hands)} -;- {rest} >- A 1:0,0 0")


def test_imagined_hands_differ_but_look_the_same() -> None:
    game = CupKing(3)
    position = game.start()
    while position.to_act == (CHANCE,):
        position = position.play(position.chance(Random(1)))
    view, rng = position.seen_by(1), Random(2)
    worlds = [game.imagine(view, rng) for _ in range(5)]
    assert isinstance(worlds[0], CupKingPosition)
    assert len({world.hand(0) for world in worlds}) == 5
    assert all(world.seen_by(1) == view and world.hand(1) == position.hand(1) for world in worlds)
