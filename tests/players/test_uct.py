"""Plain Monte Carlo tree search: legal, repeatable, and no more than random play and averages."""

from __future__ import annotations

import pytest

from cupboard.core.registry import load
from cupboard.core.testing_games import after
from cupboard.players import make_player
from cupboard.players.needs import CannotPlay
from cupboard.players.thinking import Limits, Proven, Thinker
from cupboard.players.uct import Uct

OPEN_GAMES = [("jumping-cups", 2), ("double-dutch", 2), ("double-dutch", 3), ("chinese-checkers", 2)]


@pytest.mark.parametrize(("name", "seats"), OPEN_GAMES)
def test_the_same_seed_and_nodes_make_the_same_thought(name: str, seats: int) -> None:
    position = after(load(name, seats), 8, 1)
    view = position.seen_by(position.to_act[0])
    one, other = (Uct(position.game, 3).think(view, Limits(nodes=300)) for _ in range(2))
    assert [(v.move, v.visits, v.score) for v in one.per_move] == [(v.move, v.visits, v.score) for v in other.per_move]
    assert {value.move for value in one.per_move} == set(position.moves())
    assert one.nodes == sum(value.visits for value in one.per_move) == 300


def test_it_can_be_seated_and_knows_no_depth() -> None:
    player = make_player("uct", load("double-dutch"), 1)
    assert isinstance(player, Thinker) and not player.knows_depth


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
