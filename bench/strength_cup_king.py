"""How strong Cup King's search is: duplicate deals, one seat against the others, every deal from every seat.

    python bench/strength_cup_king.py --seats 2 --deals 2000 --nodes 200
    python bench/strength_cup_king.py --seats 4 --deals 2000 --nodes 200 --against sensible
    python bench/strength_cup_king.py --seats 2 --deals 200 --seconds 0.01 --against openspiel-ismcts

Prints our share of the points with a 95 % interval (deals are the sample, so luck that all seats share cancels),
and the CPU time of one move.
"""

from __future__ import annotations

import argparse
import time
from random import Random
from typing import Any

import numpy as np

from cupboard.core.game import CHANCE, Game
from cupboard.core.match import Match
from cupboard.core.registry import load
from cupboard.players import Player, make_player
from cupboard.players.ismcts import Ismcts, Settings
from cupboard.players.sensible import Sensible
from cupboard.players.thinking import Limits


class Clock:
    """CPU time spent by a player."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.moves = 0


def play(game: Game[Any], players: list[Player], clocks: list[Clock], deal: int) -> tuple[float, ...]:
    """One match; nature's luck depends on the deal alone."""
    match, rng = Match(game), Random(deal)
    while not match.position.is_over:
        seat = match.position.to_act[0]
        if seat == CHANCE:
            match.play(match.position.chance(rng), CHANCE)
            continue
        view = match.position.seen_by(seat)
        began = time.process_time()
        move = players[seat].choose(view)
        clocks[seat].seconds += time.process_time() - began
        clocks[seat].moves += 1
        match.play(move, seat)
    outcome = match.position.outcome()
    assert outcome is not None
    return outcome.scores


def main() -> None:
    """As the first lines say."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--deals", type=int, default=200)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--nodes", type=int)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--against", default="sensible")
    for name in ("explore", "heat", "prior_heat", "trust"):
        parser.add_argument(f"--{name}", type=float, default=getattr(Settings(), name))
    for name in ("length", "width", "plans"):
        parser.add_argument(f"--{name}", type=int, default=getattr(Settings(), name))
    given = parser.parse_args()
    game = load("cup-king", given.seats)
    limits = Limits(nodes=given.nodes, seconds=given.seconds)
    settings = Settings(
        given.explore, given.heat, given.prior_heat, given.length, given.trust, given.width, given.plans
    )
    points = []
    ours, others = Clock(), Clock()
    for deal in range(given.first, given.first + given.deals):
        total = 0.0
        for mine in range(given.seats):
            players: list[Player] = []
            for seat in range(given.seats):
                seed = deal * 8 + seat
                if seat == mine:
                    players.append(Ismcts(game, seed, limits, settings))
                elif given.against == "openspiel-ismcts":
                    from cupboard.adapters.openspiel_bots import IsmctsBot

                    players.append(IsmctsBot(game, seed, given.seconds or 0.01))
                elif given.against.startswith("ismcts:"):
                    players.append(Ismcts(game, seed, Limits(nodes=int(given.against[7:]))))
                elif given.against == "tuned":
                    players.append(Sensible(game, seed, plain=False))
                else:
                    players.append(make_player(given.against, game, seed))
            clocks = [ours if seat == mine else others for seat in range(given.seats)]
            total += play(game, players, clocks, deal)[mine]
        points.append(total / given.seats)
        if len(points) % 100 == 0 or len(points) == given.deals:
            error = 1.96 * np.std(points, ddof=1) / np.sqrt(len(points)) if len(points) > 1 else 1.0
            print(
                f"{len(points)} deals: {100 * np.mean(points):.1f} % ± {100 * error:.1f}, "
                f"{1000 * ours.seconds / ours.moves:.2f} ms a move, theirs "
                f"{1000 * others.seconds / others.moves:.2f} ms",
                flush=True,
            )


if __name__ == "__main__":
    main()
