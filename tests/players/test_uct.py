"""Plain Monte Carlo tree search: legal, repeatable, and no more than random play and averages."""

from __future__ import annotations

import pytest

from cupboard.core.registry import load
from cupboard.core.testing_games import after
from cupboard.players.needs import CannotPlay
from cupboard.players.thinking import Limits, Proven
from cupboard.players.uct import Uct

OPEN_GAMES = [("jumping-cups", 2), ("double-dutch", 2), ("double-dutch", 3), ("chinese-checkers", 2)]


def test_more_playouts_find_a_win_on_the_spot_and_prove_nothing() -> None:
    tried = 0
    for seed in range(150):
        position = after(load("double-dutch", 2), 36, seed)
        if position.is_over or len(position.moves()) < 2:
            continue
        seat = position.to_act[0]
        ends = {move: position.play(move).outcome() for move in position.moves()}
        if any(outcome and outcome.score(seat) == 1 for outcome in ends.values()):
            thought = Uct(position.game, 1).think(position.seen_by(seat), Limits(nodes=4000))
            outcome = ends[thought.move]
            assert thought.score > 0.9 and thought.proven is Proven.OPEN
            assert outcome is None or outcome.score(seat) == 1
            tried += 1
    assert tried >= 3


def test_without_room_it_still_answers() -> None:
    position = after(load("double-dutch", 2), 6, 1)
    bot = Uct(position.game, 1, room=50)
    assert bot.think(position.seen_by(position.to_act[0]), Limits(nodes=2000)).move in position.moves()


def test_secrets_and_other_seats_are_refused() -> None:
    with pytest.raises(CannotPlay, match="ismcts"):
        Uct(load("cup-king"), 1)
    position = after(load("double-dutch", 2), 4, 1)
    with pytest.raises(CannotPlay, match="not to act"):
        Uct(position.game, 1).think(position.seen_by(1 - position.to_act[0]))
