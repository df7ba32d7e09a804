"""Why pointing at something is no move: the answer of the rules, as far as the seat that asks may know."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

import cupboard
from cupboard.core.errors import CupboardError
from cupboard.core.game import Position

BIG = "RYGBP/RYGB/RYG/BP/P"
CUP_KING = {
    "asked": ("cup-king", 2, f"{BIG};{BIG} R5R5Y1B2;R7R3B2 -;G1 - >G A 1:0,0 7", {}),
    "starts": ("cup-king", 3, f"{BIG};{BIG};{BIG} R5R5Y1;R7;B2 -;-;- - >- A 1:0,0,0 7", {}),
    "extras": ("cup-king", 2, f"{BIG};{BIG} R5Y1Y2;R7R3B2 -;Y8 - >Y A 1:0,0 7", {"experienced_ones": True}),
}


def start(name: str) -> Position[object]:  # type: ignore[type-var]
    if name in CUP_KING:
        game, seats, line, options = CUP_KING[name]
        return cupboard.load(game, seats, **options).read(line)
    return cupboard.load(name, **({"starter": "red"} if name == "jumping-cups" else {})).start()


@pytest.mark.parametrize(
    ("name", "spots", "code", "sentence"),
    [
        ("jumping-cups", ["7"], "illegal-move", "There is no cup on 7"),
        ("jumping-cups", ["5", "8"], "illegal-move", "5-6"),
        ("jumping-cups", ["5", "off"], "illegal-move", "5-6"),
        ("jumping-cups", ["5", "6"], "illegal-move", "Nothing forbids that."),
        ("jumping-cups", ["nowhere"], "illegal-move", "That cannot be done here."),
        ("chinese-checkers", ["d1"], "illegal-move", "That cannot be done here."),
        ("chinese-checkers", ["i5", "i6"], "illegal-move", "There is no piece"),
        ("chinese-checkers", ["a1", "a1"], "illegal-move", "twice"),
        ("double-dutch", ["a1", "a2"], "illegal-move", ""),
        ("double-dutch", ["d4"], "illegal-move", "Nothing forbids that."),
        ("asked", ["A:R5"], "illegal-move", "The asked colour is green"),
        ("asked", ["A:a1"], "illegal-move", "You must lose a green bucket: a3, b3, c3."),
        ("asked", ["B:a3"], "illegal-move", "That bucket is not yours"),
        ("asked", ["A:a3"], "illegal-move", "Nothing forbids that."),
        ("asked", ["A:R5", "A:R5'", "confirm"], "illegal-move", "The asked colour is green"),
        ("asked", ["B:open:1"], "illegal-move", "That cannot be done here."),
        ("asked", ["pile"], "illegal-move", "There is no card to draw now."),
        ("asked", ["confirm"], "illegal-move", "That cannot be done here."),
        ("asked", ["forget"], "illegal-move", "There is no card to draw now."),
        ("asked", ["keep-left"], "illegal-move", "No pyramid is broken now."),
        ("starts", ["A:a1"], "illegal-move", "You start the round"),
        ("starts", ["A:R5", "A:Y1", "clockwise"], "illegal-move", "All cards must be of one colour, here red."),
        ("starts", ["A:R5'", "A:R5", "anticlockwise"], "illegal-move", "Nothing forbids that."),
        ("starts", ["clockwise"], "illegal-move", "That cannot be done here."),
        ("extras", ["A:R5", "A:Y2"], "illegal-move", "you play no such 1"),
        ("extras", ["A:R5", "A:Y1", "A:Y2", "confirm"], "illegal-move", "You need more than 8 in yellow"),
    ],
)
def test_the_answer_is_what_the_rules_say(name: str, spots: Sequence[str], code: str, sentence: str) -> None:
    answer = start(name).seen_by(0).why_not(spots, 0)
    assert answer.code == code and sentence in str(answer) and answer.words is not None, str(answer)


def test_whose_turn_it_is_comes_first() -> None:
    position = start("jumping-cups")
    for spots in (["10"], ["nowhere"]):
        answer = position.seen_by(1).why_not(spots, 1)
        assert answer.code == "not-your-turn" and str(answer) == "It is not Yellow's turn: Red must act first."
    ended = cupboard.load("jumping-cups").read("./././././././././R/R/R/R/RYYYYY =A:filled 9")
    assert ended.seen_by(0).why_not(["5"], 0).code == "game-over"


def test_an_answer_tells_nothing_of_another_hand() -> None:
    """Whether somebody holds a card cannot be found out by pointing at it."""
    game = cupboard.load("cup-king", 2)
    hands = ("R7R3B2", "G8P4P4")
    asked = [[f"B:{card}"] for card in ("R7", "G8", "P4'")] + [["A:R7"], ["A:R5", "B:R7", "confirm"], ["B:open:1"]]

    def answers(hand: str) -> list[tuple[str, str]]:
        view = game.read(f"{BIG};{BIG} R5R5Y1;{hand} -;G1 - >G A 1:0,0 7").seen_by(0)
        told: list[CupboardError] = [view.why_not(spots, 0) for spots in asked]
        return [(answer.code, str(answer)) for answer in told]

    assert answers(hands[0]) == answers(hands[1])
    position = game.read(f"{BIG};{BIG} R5R5Y1;{hands[0]} -;G1 - >G A 1:0,0 7")
    assert {str(position.seen_by(0).why_not([spot], 0)) for spot in ("B:R7", "B:G8")} == {"That cannot be done here."}
