"""The bench's scale of strengths: what it reads off the committed ladders makes the same ladders again."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from cupboard.core.registry import find, load, names
from cupboard.players.levels import ladder_of, levels_of
from cupboard.players.needs import can_play

sys.path.insert(0, str(Path(__file__).parents[2]))

from bench.ladder import kind_of, play
from bench.strengths import best_of, player_at, read_ladder

TABLES = [(name, seats) for name in names() for seats in find(name).SEATS if can_play("alphabeta", load(name, seats))]


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_the_committed_rungs_lie_on_the_scale(name: str, seats: int) -> None:
    players = tuple(ladder_of(load(name, seats)).values())
    strengths, most = read_ladder(players)
    assert (*(player_at(strength, most) for strength in strengths), best_of(most)) == players
    assert strengths == sorted(strengths) and len(strengths) + 1 == len(levels_of(load(name, seats)))


def test_the_kinds_of_player_follow_each_other() -> None:
    assert [kind_of(strength) for strength in (0.5, 1.5, 2.5, 2.8, 3.5)] == [0, 1, 2, 3, 4]
    faulty, sound, counts, no_whim, search = (player_at(strength) for strength in (0.5, 1.5, 2.5, 2.8, 3.5))
    assert [faulty.doubt > 0, sound.doubt > 0, counts.counts, no_whim.whim == 0] == [True, False, True, True]  # type: ignore[union-attr]
    assert search == type(best_of(300_000))(5477)


def test_a_game_between_two_strengths_is_played_to_its_end() -> None:
    played = play("jumping-cups", ("0.000", "best"), seed=3, opening=2, most=200)
    assert played.labels == ("0.000", "best") and sum(played.scores) == 1
