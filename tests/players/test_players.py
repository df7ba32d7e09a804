"""The bots: legal, repeatable, and greedy better than random."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from cupboard.core.errors import UnknownPlayer
from cupboard.core.game import CHANCE, Game
from cupboard.core.match import Match
from cupboard.core.registry import load, names
from cupboard.players import BASELINES, Player, make_player


def play(game: Game[Any], players: list[Player], seed: int) -> Match:
    match, rng = Match(game), Random(seed)
    while not match.position.is_over:
        seat = match.position.to_act[0]
        if seat == CHANCE:
            match.settle(rng)
        else:
            match.play(players[seat].choose(match.position.seen_by(seat)), seat)
    return match


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("player", tuple(BASELINES))
def test_the_same_seed_plays_the_same_game(name: str, player: str) -> None:
    game = load(name)
    one, other = (play(game, [make_player(player, game, 7 + s) for s in range(game.seats)], 1) for _ in range(2))
    assert one.log == other.log


@pytest.mark.parametrize("name", names())
def test_greedy_beats_random(name: str) -> None:
    """Seats change after every game; a coin would win 20 of 24 once in a thousand times."""
    game = load(name, 2)
    score = 0.0
    for n in range(24):
        bots: list[Player] = [make_player("greedy", game, n), make_player("random", game, n)]
        outcome = play(game, bots if n % 2 == 0 else bots[::-1], n).position.outcome()
        assert outcome is not None
        score += outcome.score(n % 2)
    assert score >= 20, f"greedy took only {score} of 24"


def test_an_unknown_player_is_refused_with_a_suggestion() -> None:
    with pytest.raises(UnknownPlayer, match="Did you mean greedy"):
        make_player("gredy", load("jumping-cups"), 0)
