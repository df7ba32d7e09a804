"""Records: what they look like, and what is said about broken ones."""

from __future__ import annotations

import json
from random import Random

import pytest

import cupboard
from cupboard.core.errors import BadRecord
from cupboard.core.match import Match
from cupboard.core.record import Record, RecordedMove

TEXT = """\
[Game "jumping-cups"]
[Seats "2"]
[Option "starter=random"]
[A "Anna \\"the cup\\" \\\\ Bee"]
[Date "2026-11-15"]

*:lot-A
1. A:5-6 {a quiet start} B:10-9
2. A:6-7 B:9-8
= *
"""


def test_a_record_reads_as_it_is_written() -> None:
    record = Record.read(TEXT)
    assert str(record) == TEXT
    assert record.tags["A"] == 'Anna "the cup" \\ Bee'
    assert record.moves[1] == RecordedMove(0, "5-6", "a quiet start")
    assert str(record.replay().position) == "R/R/R/R/././R/Y/././Y/Y/Y/Y A 4"


def test_the_json_twin_loses_nothing() -> None:
    record = Record.read(TEXT)
    assert Record.from_json(json.loads(json.dumps(record.to_json()))) == record


def test_numbers_and_layout_are_free_when_reading() -> None:
    loose = TEXT.replace("1. ", "").replace("B:10-9\n2. A:6-7", "\n  B:10-9   A:6-7")
    assert Record.read(loose) == Record.read(TEXT)


def test_defaults_may_be_left_out() -> None:
    record = Record.read('[Game "jumping-cups"]\n\n*:lot-B')
    assert record.game == cupboard.load("jumping-cups") and record.result == "*"


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (('[Game "jumping-cups"]\n', ""), 'begins with the tag [Game "…"]'),
        (("jumping-cups", "jumping-cats"), "Did you mean jumping-cups"),
        (('Seats "2"', 'Seats "two"'), "is not a number"),
        (('Seats "2"', 'Seats "7"'), "for 2 players, not 7"),
        (("starter=random", "starter=blue"), "random, red or yellow"),
        (("starter=random", "begin=red"), "no option 'begin'"),
        (("B:10-9", "B 10-9"), "Line 8: 'B 10-9' is neither a move"),
        (("= *", "= nobody"), "Line 10: a result is"),
        (("= *", "= *\nA:1-2"), "Line 11: nothing may follow the result"),
        (("*:lot-A\n", "{early}\n*:lot-A\n"), "Line 7: a comment stands behind a move"),
    ],
)
def test_a_broken_record_is_refused_with_the_line(change: tuple[str, str], sentence: str) -> None:
    with pytest.raises(BadRecord) as caught:
        Record.read(TEXT.replace(*change))
    assert sentence in str(caught.value)


def test_an_illegal_move_in_a_record_is_named() -> None:
    with pytest.raises(BadRecord, match=r"Move 4 in line 9, A:6-8: The cup on 6 moves 1"):
        Record.read(TEXT.replace("A:6-7", "A:6-8")).replay()


def test_a_wrong_result_is_found_out() -> None:
    with pytest.raises(BadRecord, match=r"says 'A filled', but its moves lead to '\*'"):
        Record.read(TEXT.replace("= *", "= A filled")).replay()


def test_a_record_of_a_match_knows_the_names() -> None:
    match = Match(cupboard.load("jumping-cups"), ["Anna", "Bo"])
    match.settle(Random(1))
    record = Record.of(match, Date="2026-11-15")
    assert record.tags == {"A": "Anna", "B": "Bo", "Date": "2026-11-15"}
    assert record.replay().names == ("Anna", "Bo")


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        {"game": "jumping-cups"},
        {"game": "jumping-cups", "seats": 2, "options": {}, "moves": [["A"]]},
        {"game": "jumping-cups", "seats": 2, "options": {}, "moves": [["Z", "1-2"]]},
        {"game": "jumping-cups", "seats": 2, "options": {}, "moves": [["A", "1 2"]]},
        {"game": "jumping-cups", "seats": 2, "options": {}, "moves": [["A", "1-2", "a } brace"]]},
        {"game": "jumping-cups", "seats": 2, "options": {}, "moves": [], "tags": {"A": "two\nlines"}},
        {"game": "jumping-cups", "seats": 2, "options": {}, "moves": [], "tags": {"Game": "x"}},
        {"game": "jumping-cups", "seats": 2, "options": {}, "moves": [], "result": "A won\n= *"},
        {"game": "jumping-cups", "seats": 9, "options": {}, "moves": []},
    ],
)
def test_json_that_is_no_record_is_refused(data: object) -> None:
    with pytest.raises(BadRecord):
        Record.from_json(data)
