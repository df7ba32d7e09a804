"""How strong the searches of Chinese Checkers are: the matches under "Strength" in results.md.

python bench/strength_chinese_checkers.py MATCH [--seats N] [--games N] [--nodes N]

greedy       one alphabeta against greedy in all other seats: greedy --seats 2 --games 100 --nodes 20000
openspiel    alphabeta against OpenSpiel's MCTSBot: openspiel --games 40 --nodes 5000
oracle       alphabeta with and without the race oracle, same games: oracle --games 40 --nodes 20000
alone        how many moves an army alone needs to cross: alone --nodes 400000
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from cupboard.core.game import Game
from cupboard.core.registry import load
from cupboard.core.testing_games import after, play_out
from cupboard.players import Player, make_player
from cupboard.players.alphabeta import AlphaBeta
from cupboard.players.thinking import Limits

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.scores import share_of_points

Maker = Callable[[int], Player]


def match(game: Game[Any], one: Maker, others: Maker, games: int) -> tuple[list[float], float]:
    """One player against all others, from all seats: its scores, and the mean number of its moves when it won."""
    shares, lengths = [], []
    for n in range(games):
        seat = n % game.seats
        players = [one(n) if s == seat else others(1000 * n + s) for s in range(game.seats)]
        played = play_out(game, players, n)
        outcome = played.position.outcome()
        assert outcome is not None
        shares.append(outcome.score(seat))
        if shares[-1] == 1:
            lengths.append(sum(entry.seat == seat for entry in played.log))
    return shares, float(np.mean(lengths or [0]))


def greedy(arguments: argparse.Namespace) -> None:
    """One alphabeta player against greedy players in all other seats."""
    game = load("chinese-checkers", arguments.seats)
    limits = Limits(nodes=arguments.nodes)
    shares, moves = match(
        game,
        lambda s: AlphaBeta(game, s, limits, table_bits=16),
        lambda s: make_player("greedy", game, s),
        arguments.games,
    )
    print(f"chinese-checkers {arguments.seats} seats, alphabeta {arguments.nodes} nodes against greedy:", end=" ")
    print(f"{share_of_points([[x] for x in shares])} of {len(shares)} games, {moves:.1f} own moves per win")


def openspiel(arguments: argparse.Namespace) -> None:
    """Chinese Checkers under OpenSpiel's rules against its MCTSBot, which gets as much CPU time as our search used."""
    from cupboard.adapters.openspiel_mcts import OpenSpielMcts

    game = load("chinese-checkers", 2, profile="openspiel-2")
    shares: list[float] = []
    for n in range(arguments.games):
        seat, position, spent = n % 2, game.start(), [0.0, 0.0]
        mine, theirs = AlphaBeta(game, n, Limits(nodes=arguments.nodes), table_bits=16), OpenSpielMcts(game, n, 0.02)
        while not position.is_over:
            acting = position.to_act[0]
            began = time.thread_time()
            move = (mine if acting == seat else theirs).choose(position.seen_by(acting))
            spent[acting != seat] += time.thread_time() - began
            theirs.seconds = 2 * spent[0] / max(2, position.ply)
            position = position.play(move)
        outcome = position.outcome()
        assert outcome is not None
        shares.append(outcome.score(seat))
        each = [1000 * 2 * seconds / position.ply for seconds in spent]
        print(f"{shares[-1]:g} after {position.ply // 2} turns, CPU {each[0]:.1f} ms a move, theirs {each[1]:.1f} ms",
              f"({theirs.simulations} simulations)", flush=True)  # fmt: skip
    print(
        f"chinese-checkers openspiel-2, alphabeta {arguments.nodes} nodes against MCTSBot at equal CPU time:", end=" "
    )
    print(f"{share_of_points([[x] for x in shares])} of {len(shares)} games")


def oracle(arguments: argparse.Namespace) -> None:
    """Chinese Checkers under OpenSpiel's rules against a search of depth 3: once with the race oracle, once without."""
    game = load("chinese-checkers", 2, profile="openspiel-2")
    shares: dict[bool, list[float]] = {True: [], False: []}
    for n in range(arguments.games):
        for has_oracle, told in shares.items():
            seat, position = n % 2, after(game, 4, n // 2)
            mine = AlphaBeta(game, n, Limits(nodes=arguments.nodes), table_bits=16, oracle=has_oracle)
            theirs = AlphaBeta(game, n, Limits(depth=3), table_bits=16, oracle=False)
            while not position.is_over:
                acting = position.to_act[0]
                position = position.play((mine if acting == seat else theirs).choose(position.seen_by(acting)))
            outcome = position.outcome()
            assert outcome is not None
            told.append(outcome.score(seat))
    for has_oracle, told in shares.items():
        print(f"chinese-checkers openspiel-2, alphabeta {arguments.nodes} nodes against depth 3,", end=" ")
        share = share_of_points([[x] for x in told])
        print(f"{'with' if has_oracle else 'without'} oracle: {share} of {len(told)} games")
    pairs = list(zip(shares[True], shares[False], strict=True))
    print(f"better with it in {sum(a > b for a, b in pairs)}, without it in {sum(a < b for a, b in pairs)} games")


def alone(arguments: argparse.Namespace) -> None:
    """Count the moves that the search needs to lead one army across an otherwise empty board."""
    from cupboard.core.row import TURN
    from cupboard.games.chinese_checkers import kernel
    from cupboard.games.chinese_checkers import layout as k
    from cupboard.games.chinese_checkers.star import HOME
    from cupboard.games.chinese_checkers.weight_fitting import alone as army

    game = load("chinese-checkers")
    row, made = army(game, int(HOME[2, 0])), 0
    player = AlphaBeta(game, 1, Limits(nodes=arguments.nodes))
    began = time.thread_time()
    while not row[k.FINISHED] & 1:
        position = game.position_class(game, row)
        row = row.copy()
        kernel.play(row, position._encode(player.choose(position.seen_by(0))))
        row[TURN] = 0
        made += 1
    print(f"chinese-checkers alone, alphabeta {arguments.nodes} nodes: {made} moves to cross,", end=" ")
    print(f"{1000 * (time.thread_time() - began) / made:.0f} ms of CPU a move")


def main() -> None:
    """Read the command line and play the match it names."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("match", choices=("greedy", "openspiel", "oracle", "alone"))
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--nodes", type=int, default=20_000)
    arguments = parser.parse_args()
    {"greedy": greedy, "openspiel": openspiel, "oracle": oracle, "alone": alone}[arguments.match](arguments)


if __name__ == "__main__":
    main()
