"""OpenSpiel's Monte-Carlo search sits at our Chinese Checkers table."""

from __future__ import annotations

from random import Random

import pytest

pyspiel = pytest.importorskip("pyspiel")

from cupboard.adapters.openspiel_mcts import LostTrack, OpenSpielMcts, UnknownToOpenSpiel  # noqa: E402
from cupboard.arena.entrants import Entrant  # noqa: E402
from cupboard.core.registry import load  # noqa: E402
from cupboard.games.chinese_checkers import layout as k  # noqa: E402
from cupboard.players.thinking import Limits  # noqa: E402

GAME = load("chinese-checkers", 2, profile="openspiel-2")


@pytest.mark.parametrize("seat", [0, 1])
def test_it_follows_our_game_move_by_move(seat: int) -> None:
    bot, rng, position = OpenSpielMcts(GAME, 1, 0.0, simulations=2), Random(seat), GAME.start()
    while position.ply < 120:
        acting = position.to_act[0]
        if acting == seat:
            position = position.play(bot.choose(position.seen_by(seat)))
            theirs = bot._mirror.state.observation_tensor(0)
            assert len(theirs) > 0 and bot._mirror.state.current_player() == position.to_act[0]
            assert bot._mirror.row[k.HOLES : k.SIZE].tolist() == position.row[k.HOLES : k.SIZE].tolist()
        else:
            position = position.play(rng.choice(position.moves()))


def test_it_makes_another_move_with_another_seed() -> None:
    view = GAME.start().seen_by(0)
    assert len({str(OpenSpielMcts(GAME, seed, 0.0, simulations=4).choose(view)) for seed in range(8)}) > 1


def test_who_has_missed_a_move_is_told_so() -> None:
    bot, position = OpenSpielMcts(GAME, 1, 0.0, simulations=2), GAME.start()
    for _ in range(2):
        position = position.play(position.moves()[0])
    with pytest.raises(LostTrack, match="from its first move"):
        bot.choose(position.seen_by(0))


def test_it_plays_by_its_own_rules_only() -> None:
    with pytest.raises(UnknownToOpenSpiel, match="profile=openspiel-2"):
        OpenSpielMcts(load("chinese-checkers"), 1, 0.1)


def test_the_arena_seats_it_by_name() -> None:
    player = Entrant.read("openspiel-mcts:nodes=3").make(GAME, 1, Limits())
    assert isinstance(player, OpenSpielMcts) and player.simulations == 3
    view = GAME.start().seen_by(0)
    assert player.choose(view) in view.moves()
