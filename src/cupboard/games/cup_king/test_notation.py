"""How moves and positions of Cup King are written, read, listed and refused."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from cupboard.core.errors import BadNotation, BadPosition, BadTurn, IllegalMove
from cupboard.core.game import CHANCE
from cupboard.core.move import Lot
from cupboard.core.registry import load
from cupboard.core.testing_games import walk
from cupboard.games.cup_king.long_lists import Builds, Deals
from cupboard.games.cup_king.moves import (
    Build,
    Deal,
    Discard,
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
from cupboard.games.cup_king.rules import CupKing, CupKingPosition

BIG = "RYGBP/RYGB/RYG/BP/P"
LINE = f"{BIG};{BIG} R5R5Y1;R7R3B2 -;- - >- A 1:0,0 7"


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


@pytest.mark.parametrize("options", [{}, {"removal": "careful", "auto_draw": False, "experienced_ones": True}])
@pytest.mark.parametrize("seats", [2, 5])
def test_every_position_reads_back(seats: int, options: dict[str, object]) -> None:
    for position in walk(load("cup-king", seats, **options).start(), Random(seats)):
        assert position.game.read(str(position)) == position


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
    ("shot", f"{BIG};{BIG} R1;R2 R5;- - >R settle-B 1:0,0 0"),
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
