"""What people type: blanks, dashes and the letter of a seat are forgiven in every game, wherever a move is typed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cupboard.arena.engine import read_position
from cupboard.core.errors import BadNotation, BadPosition, BadRecord, BadTurn, IllegalMove, NoSuchSeat
from cupboard.core.notation import read_joined, said_seat, tidy
from cupboard.core.record import Record
from cupboard.core.registry import load

CUPS = load("jumping-cups", starter="red")
STONES = load("double-dutch")
STAR = load("chinese-checkers")
KING = load("cup-king", 2, removal="careful")
BIG = "RYGBP/RYGB/RYG/BP/P"
TABLE = f"{BIG};{BIG} R5R3R1;R7 -;- - >- A 1:0,0 4"

DASHES = "-\u2010\u2011\u2012\u2013\u2014\u2015\u2212\uff0d"


@pytest.mark.parametrize("dash", DASHES)
def test_every_dash_is_a_dash(dash: str) -> None:
    assert str(CUPS.start().parse(f"5{dash}6")) == "5-6"
    assert str(CUPS.start().parse(f"5 {dash} 6")) == "5-6"


@pytest.mark.parametrize(
    "text", ["5 - 6", "5 6", " 5-6 ", "5\t-\u00a06", "5 -6", "5\u200b-6", "A:5-6", "a: 5 - 6", "5"]
)
def test_jumping_cups_forgives(text: str) -> None:
    assert str(CUPS.start().parse(text)) == "5-6"


@pytest.mark.parametrize("text", ["e4 e7", "E4 - E7", "e4–e7", "e4 e7 *", "A: e4 e7", "e4-e7*"])
def test_double_dutch_forgives(text: str) -> None:
    position = STONES.start()
    for first in ("e4", "a1"):
        position = position.play(position.parse(first))
    assert str(position.parse(text)) == "e4-e7*"


@pytest.mark.parametrize("text", ["d1 e5", "d1 – e5", "A:d1 e5"])
def test_chinese_checkers_forgives(text: str) -> None:
    assert str(STAR.start().parse(text)) == "d1-e5"


@pytest.mark.parametrize("text", ["p1xq1", "p1 x q1", "p1 × q1", "p1 q1", "P1 X Q1"])
def test_a_swap_may_be_typed_with_blanks(text: str) -> None:
    game = load("chinese-checkers", profile="tactic-se")
    holes = {**dict.fromkeys(["a1", "b1", "b2", "c1", "c2", "c3", "d1", "d2", "d3", "p1"], "A")}
    holes |= dict.fromkeys(["d4", "n1", "n2", "n3", "n4", "o1", "o2", "o3", "p2", "q1"], "B")
    widths = (1, 2, 3, 4, 13, 12, 11, 10, 9, 10, 11, 12, 13, 4, 3, 2, 1)
    rows = (
        "".join(holes.get(f"{row}{n + 1}", ".") for n in range(width))
        for row, width in zip("abcdefghijklmnopq", widths, strict=True)
    )
    position = game.read(f"{'/'.join(rows)} A 40 40")
    assert str(position.parse(text)) == "p1xq1"


@pytest.mark.parametrize("text", ["R5 + R3", "> R5 + R3", "r5 r3", "R3 +R5", "A: R5+R3", ">R5 R3"])
def test_cup_king_forgives(text: str) -> None:
    assert str(KING.read(TABLE).parse(text)) == "R5+R3"


def test_cup_king_forgives_the_words_of_its_other_moves() -> None:
    asked = KING.read(f"{BIG};{BIG} R5R3R1;R7 -;R7 - >R A 1:0,0 4")
    assert str(asked.parse("- c1")) == str(asked.parse("– c1")) == str(asked.parse("A:-c1")) == "-c1"
    broken = KING.read(f"RY.BP/R..B/.../../.;{BIG} R5;R7 -;R7 - >R keep-A 1:0,0 4")
    assert str(broken.parse("keep left")) == str(broken.parse("keep – left")) == "keep-left"


def test_the_letter_of_another_seat_is_refused_with_a_sentence() -> None:
    with pytest.raises(BadTurn, match="B: before a move says that it is Yellow's, but it is Red who moves here"):
        CUPS.start().parse("B:5-6", 0)
    with pytest.raises(BadTurn, match="It is not Yellow's turn: Red must act first"):
        CUPS.start().parse("B:10-9")
    with pytest.raises(BadTurn, match="nature's"):
        CUPS.start().parse("*:5-6", 0)
    with pytest.raises(NoSuchSeat, match=r"There is no seat F \(5\): Jumping Cups has 2 seats here"):
        CUPS.start().parse("F:5-6")
    with pytest.raises(NoSuchSeat):
        CUPS.start().parse("F:5-6", 0)


@pytest.mark.parametrize("text", ["5 5 6 7 8 9", "5 + 6", "five six", "A:", "A:A:5-6", "5 6 off off", "-", " ", "—"])
def test_what_makes_no_sense_with_blanks_makes_none_without(text: str) -> None:
    with pytest.raises((BadNotation, IllegalMove)):
        CUPS.start().parse(text)


def test_two_moves_at_once_are_not_one() -> None:
    with pytest.raises(IllegalMove):
        CUPS.start().parse("5-6 10-9")


def test_nature_s_moves_are_forgiven_as_well() -> None:
    lot = load("jumping-cups").start()
    assert str(lot.parse("lot A")) == str(lot.parse("* : lot – A")) == "lot-A"


# The pieces.


@given(st.text())
def test_tidying_twice_is_tidying_once(text: str) -> None:
    assert tidy(tidy(text)) == tidy(text)


@given(st.text(alphabet="-5 e4R+><:*/,.\u2013\u00a0x"))
def test_a_tidy_text_has_no_blank_beside_a_mark_and_one_dash(text: str) -> None:
    plain = tidy(text)
    assert plain.split() == plain.split(" ") or not plain
    assert "\u2013" not in plain and " -" not in plain and "- " not in plain


def test_a_seat_is_said_by_one_letter_and_a_colon() -> None:
    assert (
        said_seat("A:5-6") == (0, "5-6") and said_seat("f:5-6") == (5, "5-6") and said_seat("*:lot-A") == (-1, "lot-A")
    )
    assert said_seat("5-6") == (None, "5-6") and said_seat("build-A:R") == (None, "build-A:R")
    assert said_seat("G:5-6") == (None, "G:5-6") and said_seat("A:") == (None, "A:")


def test_the_last_joiner_explains_what_is_wrong() -> None:
    with pytest.raises(BadNotation, match="R5-x"):
        read_joined(KING.read_move, "R5 x", ("+", "-"))


# Other places where moves are typed.


def test_records_forgive_what_people_type_and_write_it_plainly() -> None:
    typed = """
        [Game "jumping-cups"]
        [Option "starter=red"]

        1.  A: 5 – 6   {a   quiet start}   B:10 9
        2. a comment is not needed
    """
    record = Record.read(typed.replace("2. a comment is not needed", "2. A:6 - 7 B:9\u22128 = *"))
    assert [move.text for move in record.moves] == ["5-6", "10-9", "6-7", "9-8"]
    assert record.moves[0].comment == "a quiet start"
    assert "1. A:5-6 {a quiet start} B:10-9\n2. A:6-7 B:9-8\n= *\n" in str(record)
    assert Record.read(str(record)) == record
    with pytest.raises(BadRecord, match="Line 6"):
        Record.read(typed)
    with pytest.raises(BadRecord, match=r"Line 3: .* is no move"):
        Record.read('[Game "jumping-cups"]\n\nA:5-6 and then\n')


def test_a_record_of_cup_king_may_be_typed_loosely() -> None:
    record = Record.read('[Game "cup-king"]\n\nA:> R5 + R3 B: - c2 {ouch} A:keep left B:draw\n= A+B last-bucket\n')
    assert [move.text for move in record.moves] == [">R5+R3", "-c2", "keep-left", "draw"]
    assert record.result == "A,B last-bucket"


def test_a_long_line_of_a_record_is_read_in_time() -> None:
    for line in ("A:5" + " " * 400_000 + "x", "A:" + "5 " * 400_000, "{" * 400_000, "A:5-6 " * 100_000, "A:" * 300_000):
        with pytest.raises(BadRecord):
            Record.read(f'[Game "jumping-cups"]\n\n{line}\n').replay()


@pytest.mark.parametrize(
    "moves", ["5-6 10-9", "5–6 10−9", "A:5-6 B:10-9", "5 - 6 10 – 9", "A: 5-6 B: 10-9", "a:5-6 b:10-9"]
)
def test_an_engine_forgives(moves: str) -> None:
    position, _ = read_position(CUPS, f"start moves {moves}")
    assert str(position) == "R/R/R/R/./R/././Y/./Y/Y/Y/Y A 2"


def test_an_engine_knows_where_a_move_ends() -> None:
    line = f"{BIG};{BIG} R5R3R1;R7 -;- - >- A 1:0,0 4"
    position, _ = read_position(KING, f"text {line} moves > R5 + R3 deal-A:G1 -c1")
    assert position.ply == 6
    with pytest.raises((BadPosition, BadNotation, BadTurn, IllegalMove)):
        read_position(CUPS, "start moves 5 - - 6")
