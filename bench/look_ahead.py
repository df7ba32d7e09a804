"""How many moves each level looks ahead in the middle of a game: the number `ahead` beside a rung (core/ladder.py).

    python bench/look_ahead.py chinese-checkers --seats 2

Twelve positions of three games between bots of the middle level, who play a tenth of their moves at random, are shown
to each level that searches; what is printed is the median depth of its search. The nodes decide, not the clock.
"""

from __future__ import annotations

import argparse
from random import Random
from statistics import median
from typing import Any

from cupboard.core.game import Game, Position
from cupboard.core.match import Match
from cupboard.core.registry import load
from cupboard.players.levels import ladder_of, make_level, make_seated
from cupboard.players.thinking import Thinker

_PARTS = (0.15, 0.3, 0.45, 0.6)
"""Which positions of a game are looked at, as parts of its length."""
_SOLVED = 60
"""A search that has seen the end of the game is not counted."""


def positions(game: Game[Any], seed: int) -> list[Position[Any]]:
    """Positions from the middle of a game."""
    names, rng, match = list(ladder_of(game)), Random(seed), Match(game)
    bots = [make_level(game, names[len(names) // 2], 10 * seed + seat) for seat in range(game.seats)]
    seen: list[Position[Any]] = []
    match.settle(rng)
    while not match.position.is_over and len(seen) < 60 * game.seats:
        position = match.position
        seat = position.to_act[0]
        seen.append(position)
        move = rng.choice(position.moves(seat)) if rng.random() < 0.1 else bots[seat].choose(position.seen_by(seat))
        match.play(move, seat)
        match.settle(rng)
    return [seen[int(len(seen) * part)] for part in _PARTS]


def main() -> None:
    """Print the depth of each level of a ladder."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--seats", type=int, default=2)
    arguments = parser.parse_args()
    game = load(arguments.game, arguments.seats)
    shown = [position for seed in range(3) for position in positions(game, seed)]
    for level, seated in ladder_of(game).items():
        thinker = make_seated(seated, game, 1)
        if isinstance(thinker, Thinker) and thinker.knows_depth:
            thoughts = [thinker.think(position.seen_by(position.to_act[0])) for position in shown]
            print(f"{level:10} {median(t.depth for t in thoughts if t.depth < _SOLVED):4g}")


if __name__ == "__main__":
    main()
