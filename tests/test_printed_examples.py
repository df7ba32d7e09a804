"""The printed rulebooks: every example and every picture of a position in them is a step of the lessons.

The books themselves are not here. BOOKS lists what was found in a reading of them: the line of each example in the
first language, which lessons.json names too, with the lines where it stands in the others.
"""

from __future__ import annotations

import pytest

from cupboard.core.lessons import lessons_of
from cupboard.core.registry import find, names

# Book 000 is Jumping Cups in five languages, 003 the same booklet with what stands in its drawings; 001 is Chinese
# Checkers in two, 002 Double Dutch in three, 004 Cup King in two.
BOOKS: dict[str, dict[str, tuple[str, ...]]] = {
    "jumping-cups": {
        # A cup alone.
        "000:43": ("000:148", "000:254", "000:360", "000:461", "003:29", "003:191", "003:357", "003:514", "003:674"),
        # The third of a stack.
        "000:49": ("000:154", "000:260", "000:366", "000:467", "003:34", "003:196", "003:361", "003:519", "003:679"),
        # Onto another stack.
        "000:57": ("000:162", "000:268", "000:374", "000:475", "003:40", "003:202", "003:366", "003:525", "003:685"),
        # Two squares left, and two to go.
        "000:65": ("000:170", "000:277", "000:382", "000:483", "003:49", "003:211", "003:374", "003:534", "003:693"),
        # One square left, and two to go.
        "000:69": ("000:174", "000:282", "000:386", "000:487", "003:56", "003:217", "003:380", "003:540", "003:699"),
        # Moving on to a square without a cup of one's own.
        "000:77": ("000:182", "000:290", "000:394", "000:495", "003:132", "003:291", "003:456", "003:615"),
        # Moving on off the track.
        "000:83": ("000:188", "000:296", "000:399", "000:501", "003:142", "003:301", "003:470", "003:628"),
        # All five filled.
        "000:94": ("000:200", "000:307", "000:408", "000:512", "003:99", "003:259", "003:439", "003:580", "003:740"),
        # The last free cup is covered.
        "000:104": ("000:210", "000:317", "000:418", "000:522", "003:121", "003:281", "003:445", "003:604", "003:763"),
    },
    "chinese-checkers": {
        "001:24": ("001:62",),  # picture 1: two players
        "001:25": ("001:63",),  # picture 2: three players
        "001:31": (),  # picture 3: a step
        "001:71": (),  # picture 4: a jump
        "001:33": ("001:73",),  # all the way across in one turn
        "001:39": (),  # somebody else's piece in the target does not matter
        "001:81": (),  # changing places with somebody else's piece in the target
    },
    "double-dutch": {
        "002:43": ("002:123", "002:188"),  # figure 1: flat and round side
        "002:73": ("002:141", "002:208"),  # figure 2A: a slide of three spaces
        "002:78": ("002:147", "002:210"),  # figure 2B: the new stone
    },
    "cup-king": {
        "004:30": ("004:166",),  # a pyramid of fifteen
        "004:51": ("004:190",),  # the attack with a red 5
        "004:53": ("004:192",),  # answered with 7 and 3
        "004:55": ("004:194",),  # more than 10 is asked for
        "004:73": ("004:210",),  # A: out of place
        "004:77": ("004:214",),  # B: a little out of place
        "004:81": ("004:218",),  # C: too far away
        "004:85": ("004:222",),  # D: two parts
        "004:108": ("004:245",),  # a 1 brings an extra card
        "004:114": ("004:251",),  # two 1s bring two
    },
}


def test_every_game_with_a_rulebook_is_listed() -> None:
    assert set(BOOKS) == set(names())


@pytest.mark.parametrize("game", BOOKS)
def test_every_printed_example_is_a_step(game: str) -> None:
    lessons = lessons_of(find(game))
    shown = {step.example for step in lessons.steps} - {""}
    assert set(BOOKS[game]) == shown == set(lessons.examples)


def test_no_printed_example_is_listed_twice() -> None:
    lines = [line for book in BOOKS.values() for first, others in book.items() for line in (first, *others)]
    assert len(set(lines)) == len(lines)
