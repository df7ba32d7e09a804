"""The bots: legal, repeatable, and greedy better than random."""

from __future__ import annotations

import pytest

from cupboard.core.errors import UnknownPlayer
from cupboard.core.registry import load, names
from cupboard.core.testing_games import play_out
from cupboard.players import BASELINES, Player, make_player


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("player", tuple(BASELINES))
def test_the_same_seed_plays_the_same_game(name: str, player: str) -> None:
    game = load(name)
    one, other = (play_out(game, [make_player(player, game, 7 + s) for s in range(game.seats)], 1) for _ in range(2))
    assert one.log == other.log


@pytest.mark.parametrize("name", names())
def test_greedy_beats_random(name: str) -> None:
    """Seats change after every game; a coin would win 20 of 24 once in a thousand times."""
    game = load(name, 2)
    score = 0.0
    for n in range(24):
        bots: list[Player] = [make_player("greedy", game, n), make_player("random", game, n)]
        outcome = play_out(game, bots if n % 2 == 0 else bots[::-1], n).position.outcome()
        assert outcome is not None
        score += outcome.score(n % 2)
    assert score >= 20, f"greedy took only {score} of 24"


def test_an_unknown_player_is_refused_with_a_suggestion() -> None:
    with pytest.raises(UnknownPlayer, match="Did you mean greedy"):
        make_player("gredy", load("jumping-cups"), 0)
