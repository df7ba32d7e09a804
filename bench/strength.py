"""How strong the searches are: the matches behind the lines under "Strength" in results.md.

python bench/strength.py greedy --seats 2 --games 100 --nodes 20000      one alphabeta against greedy in all other seats
python bench/strength.py openspiel --games 20 --seconds 0.1              Chinese Checkers against OpenSpiel's MCTSBot
python bench/strength.py ladder --game jumping-cups --games 60           each level against the one below it
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable
from itertools import pairwise
from random import Random
from typing import Any

import numpy as np

from cupboard.core.game import CHANCE, Game, Position
from cupboard.core.registry import load
from cupboard.players import Player, make_level, make_player
from cupboard.players.alphabeta import AlphaBeta
from cupboard.players.levels import LEVELS
from cupboard.players.thinking import Limits

Maker = Callable[[int], Player]


def play(game: Game[Any], players: list[Player], seed: int) -> tuple[Position[Any], list[int]]:
    """One game; its last position and how many moves each seat made."""
    rng, position, made = Random(seed), game.start(), [0] * game.seats
    while not position.is_over:
        seat = position.to_act[0]
        if seat == CHANCE:
            position = position.play(position.chance(rng))
            continue
        position = position.play(players[seat].choose(position.seen_by(seat)))
        made[seat] += 1
    return position, made


def match(game: Game[Any], one: Maker, others: Maker, games: int) -> tuple[float, float, float]:
    """One against all others, seats rotated: its share of the points, half of the 95 % interval, own moves per win."""
    shares, lengths = [], []
    for n in range(games):
        seat = n % game.seats
        players = [one(n) if s == seat else others(1000 * n + s) for s in range(game.seats)]
        position, made = play(game, players, n)
        outcome = position.outcome()
        assert outcome is not None
        shares.append(outcome.score(seat))
        if shares[-1] == 1:
            lengths.append(made[seat])
    mean = float(np.mean(shares))
    # Agresti and Coull: sensible at 0 % and 100 %, too.
    centre = (mean * games + 2) / (games + 4)
    return mean, 1.96 * math.sqrt(centre * (1 - centre) / (games + 4)), float(np.mean(lengths or [0]))


def greedy(arguments: argparse.Namespace) -> None:
    """One alphabeta among greedy players."""
    game = load("chinese-checkers", arguments.seats)
    limits = Limits(nodes=arguments.nodes)
    share, half, moves = match(
        game,
        lambda s: AlphaBeta(game, s, limits, table_bits=16),
        lambda s: make_player("greedy", game, s),
        arguments.games,
    )
    print(f"chinese-checkers {arguments.seats} seats, alphabeta {arguments.nodes} nodes against greedy:", end=" ")
    print(f"{100 * share:.1f} ± {100 * half:.1f} % of {arguments.games} games, {moves:.1f} own moves per win")


class Mirror:
    """A game of ours beside the same game in OpenSpiel, whose chains of jumps are several actions."""

    PASS = 726
    DIRECTION = (3, 5, 4, 2, 0, 1)

    def __init__(self) -> None:
        import pyspiel

        self.game = pyspiel.load_game("chinese_checkers(players=2)")
        self.state = self.game.new_initial_state()
        self._k = load("chinese-checkers", 2, profile="openspiel-2").kernel_module

    def follow(self, position: Position[Any], code: int) -> None:
        """Make our move over there."""
        seat, out = position.to_act[0], np.empty(121, np.int64)
        holes = out[: self._k.path(position._row, code, out)].tolist()
        for here, there in pairwise(holes):
            reach = self._k.NEAR if there in self._k.NEAR[here] else self._k.FAR
            self.state.apply_action(here * 6 + self.DIRECTION[reach[here].tolist().index(there)])
        self.rest(seat)

    def rest(self, seat: int) -> None:
        """End the turn of `seat` where a chain could go on, and pass for whoever is blocked."""
        while not self.state.is_terminal() and (
            self.state.current_player() == seat or self.state.legal_actions() == [self.PASS]
        ):
            self.state.apply_action(self.PASS)

    def ask(self, bot: Any, position: Position[Any]) -> int:
        """The bot's move as our code."""
        seat, start, end = position.to_act[0], -1, -1
        taken = (position._row[self._k.HOLES : self._k.HOLES + 121] >> 12).tolist()
        free = {
            hole * 6 + self.DIRECTION[d]
            for hole in range(121)
            for d in range(6)
            if self._k.NEAR[hole, d] < 121 and not taken[self._k.NEAR[hole, d]]
        }
        while not self.state.is_terminal() and self.state.current_player() == seat:
            action = bot.step(self.state)
            if action != self.PASS:
                here, direction = action // 6, self.DIRECTION.index(action % 6)
                start = here if start < 0 else start
                reach = self._k.NEAR if action in free else self._k.FAR
                end = int(reach[here, direction])
            self.state.apply_action(action)
        return start * 121 + end


def openspiel(arguments: argparse.Namespace) -> None:
    """Chinese Checkers under OpenSpiel's rules against its MCTSBot with random rollouts."""
    import pyspiel

    game = load("chinese-checkers", 2, profile="openspiel-2")
    points, results = 0.0, []
    for n in range(arguments.games):
        seat, mirror, position = n % 2, Mirror(), game.start()
        mine = AlphaBeta(game, n, Limits(seconds=arguments.seconds))
        simulations = 8
        while not position.is_over:
            acting = position.to_act[0]
            if acting == seat:
                move = mine.choose(position.seen_by(seat))
                mirror.follow(position, position._encode(move))
            else:
                began = time.perf_counter()
                rollouts = pyspiel.RandomRolloutEvaluator(1, n)
                bot = pyspiel.MCTSBot(mirror.game, rollouts, 2.0, simulations, 1000, False, n, False)
                code = mirror.ask(bot, position)
                spent = time.perf_counter() - began
                # As many simulations next time as fit into the time of one of our moves.
                simulations = max(2, min(4 * simulations, round(simulations * arguments.seconds / max(spent, 1e-4))))
                move = position._decode(code)
                mirror.rest(acting)
            position = position.play(move)
        outcome = position.outcome()
        assert outcome is not None
        points += outcome.score(seat)
        results.append(f"{outcome.score(seat):g}/{position.ply // 2}")
        print(*results, flush=True)
    print(f"chinese-checkers openspiel-2, alphabeta against MCTSBot, {arguments.seconds} s each a move:", end=" ")
    print(
        f"{100 * points / arguments.games:.1f} % of {arguments.games} games; the last bot had {simulations} simulations"
    )


def ladder(arguments: argparse.Namespace) -> None:
    """Each level against the one below; the best one by nodes, so that a busy machine does not matter."""
    game = load(arguments.game, arguments.seats)

    def maker(level: str) -> Maker:
        if level == LEVELS[-1]:
            return lambda s: AlphaBeta(game, s, Limits(nodes=arguments.nodes), table_bits=16)
        return lambda s: make_level(game, level, s)

    for below, above in pairwise(LEVELS):
        share, _, _ = match(game, maker(above), maker(below), arguments.games)
        p = min(max(share, 0.5 / arguments.games), 1 - 0.5 / arguments.games)
        half = 1.96 * 400 / math.log(10) / math.sqrt(arguments.games * p * (1 - p))
        print(
            f"{arguments.game} {above:9} {100 * share:5.1f} % {-400 * math.log10(1 / p - 1):+5.0f} ± {half:.0f} Elo",
            flush=True,
        )


def main() -> None:
    """Choose the match."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("match", choices=("greedy", "openspiel", "ladder"))
    parser.add_argument("--game", default="jumping-cups")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--nodes", type=int, default=20_000)
    parser.add_argument("--seconds", type=float, default=0.1)
    arguments = parser.parse_args()
    {"greedy": greedy, "openspiel": openspiel, "ladder": ladder}[arguments.match](arguments)


if __name__ == "__main__":
    main()
