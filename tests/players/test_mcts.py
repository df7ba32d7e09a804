"""Monte Carlo tree search: legal, repeatable, right where it claims proof, and it remembers."""

from __future__ import annotations

import pytest
from tests.players.exhaustive import winner, wins

from cupboard.core.registry import load
from cupboard.core.testing_games import after, play_out
from cupboard.players import Player, make_player
from cupboard.players.mcts import Mcts, MctsSettings
from cupboard.players.needs import CannotPlay
from cupboard.players.thinking import Limits, Proven

OPEN_GAMES = ("jumping-cups", "double-dutch", "chinese-checkers")


def test_six_seats_finish_their_moves() -> None:
    game = load("chinese-checkers", 6)
    position = after(game, 20, 2)
    view = position.seen_by(position.to_act[0])
    thought = Mcts(game, 1).think(view, Limits(nodes=300))
    assert thought.move in position.moves() and 0 < thought.score < 1
    following = position
    for move in thought.pv:
        following = following.play(move)


def test_short_playouts_before_the_evaluation() -> None:
    game = load("double-dutch")
    view = after(game, 4, 1).seen_by(after(game, 4, 1).to_act[0])
    still, played = (Mcts(game, 1, settings=MctsSettings(length=n)).think(view, Limits(nodes=300)) for n in (0, 6))
    assert [v.score for v in still.per_move] != [v.score for v in played.per_move]
    assert played.move in view.moves()


def test_what_is_proven_is_true() -> None:
    """Late Jumping Cups positions, each solved by trying everything."""
    game = load("jumping-cups")
    proofs = {Proven.WIN: 0, Proven.LOSS: 0}
    for seed in range(80):
        position = after(game, 37, seed)
        if position.is_over:
            continue
        seat = position.to_act[0]
        thought = Mcts(game, seed).think(position.seen_by(seat), Limits(nodes=3000))
        if thought.proven:
            assert thought.proven is (Proven.WIN if wins(position) else Proven.LOSS)
            proofs[thought.proven] += 1
        for value in thought.per_move:
            if value.proven:
                assert value.proven is (Proven.WIN if winner(position.play(value.move)) == seat else Proven.LOSS)
    assert min(proofs.values()) >= 3, proofs


def test_what_is_known_is_kept_for_the_next_move() -> None:
    game = load("double-dutch")
    position = after(game, 6, 3)
    bot = Mcts(game, 1)
    thought = bot.think(position.seen_by(position.to_act[0]), Limits(nodes=3000))
    for move in thought.pv[:2]:
        position = position.play(move)
    view = position.seen_by(position.to_act[0])
    again, fresh = (player.think(view, Limits(nodes=200)) for player in (bot, Mcts(game, 1)))
    assert fresh.nodes == again.nodes == 200
    assert sum(v.visits for v in again.per_move) > sum(v.visits for v in fresh.per_move) + 50


def test_a_position_never_seen_before_starts_an_empty_tree() -> None:
    game = load("double-dutch")
    bot = Mcts(game, 1)
    for seed in (3, 4):
        position = after(game, 8, seed)
        thought = bot.think(position.seen_by(position.to_act[0]), Limits(nodes=200))
        assert sum(v.visits for v in thought.per_move) == 200


def test_without_room_it_still_answers() -> None:
    game = load("chinese-checkers", 2)
    position = after(game, 6, 1)
    bot = Mcts(game, 1, settings=MctsSettings(room=400))
    assert bot.think(position.seen_by(position.to_act[0]), Limits(nodes=2000)).move in position.moves()


def test_a_game_with_secrets_is_refused() -> None:
    with pytest.raises(CannotPlay, match="ismcts"):
        Mcts(load("cup-king"), 1)


def test_a_seat_that_is_not_asked_is_refused() -> None:
    game = load("double-dutch")
    position = after(game, 4, 1)
    with pytest.raises(CannotPlay, match="not to act"):
        Mcts(game, 1).think(position.seen_by(1 - position.to_act[0]))


@pytest.mark.parametrize("name", ["jumping-cups", "double-dutch"])
def test_it_beats_greedy(name: str) -> None:
    """A coin would win 10 of 12 twice in a hundred times; it wins nearly all."""
    game = load(name, 2)
    points = 0.0
    for n in range(12):
        bots: list[Player] = [Mcts(game, n, Limits(nodes=400)), make_player("greedy", game, n)]
        outcome = play_out(game, bots if n % 2 == 0 else bots[::-1], n).position.outcome()
        assert outcome is not None
        points += outcome.score(n % 2)
    assert points >= 10
