"""Same seed, same nodes: the same move. What each search answers is committed in signatures.txt.

A commit that changes play writes the new lines with `python tests/players/test_signatures.py` and says so.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from cupboard.core.match import Match
from cupboard.core.registry import load
from cupboard.players import make_player
from cupboard.players.thinking import Limits, Thinker

SIGNATURES = Path(__file__).with_name("signatures.txt")
HEADING = "# player game seats: move nodes depth, in two positions; 3,000 nodes (ismcts 300). See test_signatures.py."
OPEN = [("jumping-cups", 2), ("double-dutch", 2), ("double-dutch", 3)]
OPEN += [("chinese-checkers", seats) for seats in (2, 3, 6)]
CARDS = [("cup-king", seats) for seats in (2, 4)]
LATER = {"cup-king": 8}
"""After how many moves the second position comes, where a game by lot does not last for sixteen."""
SEARCHES = [(player, *game) for player in ("alphabeta", "mcts") for game in OPEN]
SEARCHES += [("uct", "double-dutch", 2), *(("ismcts", *game) for game in CARDS)]


def position_after(name: str, seats: int, moves: int) -> Match:
    """A match after some random moves of its seats, with somebody to act."""
    match, rng = Match(load(name, seats)), Random(5)
    match.settle(rng)
    while match.position.ply < moves and not match.position.is_over:
        seat = match.position.to_act[0]
        match.play(rng.choice(match.position.moves(seat)), seat)
        match.settle(rng)
    return match


def signature(player: str, name: str, seats: int) -> str:
    said = []
    for moves in (4, LATER.get(name, 16)):
        position = position_after(name, seats, moves + seats).position
        thinker = make_player(player, position.game, 1)
        assert isinstance(thinker, Thinker)
        thought = thinker.think(position.seen_by(position.to_act[0]), Limits(nodes=300 if player == "ismcts" else 3000))
        said.append(f"{thought.move} {thought.nodes} {thought.depth}")
    return f"{player} {name} {seats}: {'; '.join(said)}"


@pytest.mark.parametrize(("player", "name", "seats"), SEARCHES)
def test_the_same_seed_and_nodes_give_the_committed_signature(player: str, name: str, seats: int) -> None:
    assert signature(player, name, seats) in SIGNATURES.read_text().splitlines()


if __name__ == "__main__":
    SIGNATURES.write_text("\n".join([HEADING, *(signature(*search) for search in SEARCHES)]) + "\n")
