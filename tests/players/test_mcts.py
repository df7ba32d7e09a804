"""Monte Carlo tree search: legal, repeatable, right where it claims proof, and it remembers."""

from __future__ import annotations

import threading
import time
from typing import Any

import numpy as np
import pytest

from cupboard.core.game import Game
from cupboard.core.registry import load
from cupboard.core.row import OVER, TURN, Row
from cupboard.core.testing_games import after, play_out
from cupboard.players import Player, make_player
from cupboard.players.mcts import Mcts, MctsSettings
from cupboard.players.needs import CannotPlay
from cupboard.players.thinking import Limits, Proven, Thinker

OPEN_GAMES = ("jumping-cups", "double-dutch", "chinese-checkers")


def test_the_search_can_explain_itself() -> None:
    assert isinstance(make_player("mcts", load("jumping-cups"), 1), Thinker)


@pytest.mark.parametrize("name", OPEN_GAMES)
def test_the_same_seed_and_nodes_make_the_same_thought(name: str) -> None:
    game = load(name)
    position = after(game, 6, 1)
    view = position.seen_by(position.to_act[0])
    one, other = (Mcts(game, 3).think(view, Limits(nodes=500)) for _ in range(2))
    assert [(v.move, v.visits, v.score) for v in one.per_move] == [(v.move, v.visits, v.score) for v in other.per_move]
    assert one.nodes == 500 and one.pv == other.pv and one.pv[0] == one.move
    assert sum(value.visits for value in one.per_move) == 500


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


def solved(game: Game[Any], row: Row, known: dict[int, int]) -> int:
    """Who wins Jumping Cups with best play, by trying everything."""
    kernel = game.kernel
    key = int(kernel.key(row))
    if key not in known:
        seat = int(row[TURN])
        if seat == OVER:
            return int(row[game.kernel_module.WINNER])
        out = np.empty(kernel.max_moves, np.int64)
        known[key] = 1 - seat
        for code in out[: kernel.moves(row, out)].tolist():
            after = row.copy()
            kernel.play(after, code)
            if solved(game, after, known) == seat:
                known[key] = seat
                break
    return known[key]


def test_what_is_proven_is_true() -> None:
    """Late Jumping Cups positions, each solved by trying everything."""
    game = load("jumping-cups")
    known: dict[int, int] = {}
    proofs = {Proven.WIN: 0, Proven.LOSS: 0}
    for seed in range(80):
        position = after(game, 37, seed)
        if position.is_over:
            continue
        seat = position.to_act[0]
        thought = Mcts(game, seed).think(position.seen_by(seat), Limits(nodes=3000))
        if thought.proven:
            assert thought.proven is (Proven.WIN if solved(game, position.row.copy(), known) == seat else Proven.LOSS)
            proofs[thought.proven] += 1
        for value in thought.per_move:
            if value.proven:
                truth = solved(game, position.play(value.move).row.copy(), known)
                assert value.proven is (Proven.WIN if truth == seat else Proven.LOSS)
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


def test_a_stop_ends_an_endless_search() -> None:
    game = load("chinese-checkers", 2)
    position = after(game, 6, 1)
    stop = threading.Event()
    threading.Timer(0.2, stop.set).start()
    began = time.monotonic()
    thought = Mcts(game, 1).think(position.seen_by(position.to_act[0]), Limits(), stop)
    assert time.monotonic() - began < 5 and thought.move in position.moves()


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
