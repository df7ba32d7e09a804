"""Which bots play a game is known without compiling anything."""

from __future__ import annotations

import pytest

from cupboard.arena.thinkers import find_thinker, thinkers_of
from cupboard.core.errors import CupboardError
from cupboard.core.registry import load, names
from cupboard.players import PLAYERS


@pytest.mark.parametrize("name", names())
def test_exactly_the_bots_that_can_be_made_are_offered(name: str) -> None:
    game = load(name)
    made = []
    for player in PLAYERS:
        try:
            find_thinker(game, player)
        except CupboardError:
            continue
        made.append(player)
    assert sorted(thinkers_of(game)) == sorted(made)
