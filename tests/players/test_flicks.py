"""Bots and the flick: they see what it is likely to cost before it has come to rest."""

from __future__ import annotations

from random import Random

import pytest

from cupboard.core.registry import load
from cupboard.games.cup_king.evaluate import evaluate
from cupboard.games.cup_king.moves import Flick, Play
from cupboard.players import make_player

WHOLE = "RYGBP/RYGB/RYG/BP/P"


def test_a_flick_under_way_counts_as_it_is_likely_to_end() -> None:
    """Whoever has flicked the top stands better than whoever has flicked a corner of the base, and the other worse."""
    position = load("cup-king").read(f"{WHOLE};{WHOLE} G1;G2 P5;- - >P B 1:0,0 5")
    top, base = (position.play(position.parse(text)).row for text in ("-e1", "-a5"))
    ahead = [evaluate(row.copy(), 1) - evaluate(row.copy(), 0) for row in (top, base)]
    assert ahead[0] > ahead[1]


@pytest.mark.parametrize("player", ["sensible", "cedar", "sequoia"])
def test_whoever_can_answer_cheaply_does_not_flick(player: str) -> None:
    position = load("cup-king").read(f"{WHOLE};{WHOLE} G1G2;R2Y1Y3 R1;- - >R B 1:0,0 5")
    for seed in range(3):
        assert isinstance(make_player(player, position.game, seed).choose(position.seen_by(1)), Play)


@pytest.mark.parametrize("player", ["sensible", "cedar", "sequoia"])
def test_whoever_must_flick_takes_a_bucket_that_carries_little(player: str) -> None:
    position = load("cup-king").read(f"{WHOLE};{WHOLE} G1G2;Y1Y3 P5;- - >P B 1:0,0 5")
    move = make_player(player, position.game, Random(1).getrandbits(8)).choose(position.seen_by(1))
    assert isinstance(move, Flick) and move.bucket == "e1"
