"""How strong the searches of Chinese Checkers are: the matches under "Strength" in results.md.

python bench/strength_chinese_checkers.py MATCH [--seats N] [--games N] [--nodes N]

greedy       one alphabeta against greedy in all other seats: greedy --seats 2 --games 100 --nodes 20000
openspiel    alphabeta against OpenSpiel's MCTSBot: openspiel --games 40 --nodes 5000
oracle       alphabeta with and without the race oracle, same games: oracle --games 40 --nodes 20000
alone        how many moves an army alone needs to cross: alone --nodes 400000
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np

from cupboard.core.game import CHANCE, Game, Position
from cupboard.core.registry import load
from cupboard.players import Player, make_player
from cupboard.players.alphabeta import AlphaBeta
from cupboard.players.thinking import Limits

Maker = Callable[[int], Player]


def play(game: Game[Any], players: list[Player], seed: int) -> tuple[Position[Any], list[int]]:
    """Play one game. Returns its last position and the number of moves of each seat."""
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
    """One player against all others in all seats: its share of the points, half of the 95 % interval, moves per win."""
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
    return *interval(shares), float(np.mean(lengths or [0]))


def interval(shares: list[float]) -> tuple[float, float]:
    """The mean and half of the 95 % interval by Agresti and Coull, which also works at 0 % and 100 %."""
    mean, games = float(np.mean(shares)), len(shares)
    centre = (mean * games + 2) / (games + 4)
    return mean, 1.96 * math.sqrt(centre * (1 - centre) / (games + 4))


def greedy(arguments: argparse.Namespace) -> None:
    """One alphabeta player against greedy players in all other seats."""
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
    mean, half = interval(shares)
    print(
        f"chinese-checkers openspiel-2, alphabeta {arguments.nodes} nodes against MCTSBot at equal CPU time:", end=" "
    )
    print(f"{100 * mean:.1f} ± {100 * half:.1f} % of {arguments.games} games")


def oracle(arguments: argparse.Namespace) -> None:
    """Chinese Checkers under OpenSpiel's rules against a search of depth 3: once with the race oracle, once without."""
    game = load("chinese-checkers", 2, profile="openspiel-2")
    shares: dict[bool, list[float]] = {True: [], False: []}
    for n in range(arguments.games):
        for has_oracle, told in shares.items():
            seat, position, rng = n % 2, game.start(), Random(n // 2)
            mine = AlphaBeta(game, n, Limits(nodes=arguments.nodes), table_bits=16, oracle=has_oracle)
            theirs = AlphaBeta(game, n, Limits(depth=3), table_bits=16, oracle=False)
            for _ in range(4):
                position = position.play(rng.choice(position.moves()))
            while not position.is_over:
                acting = position.to_act[0]
                position = position.play((mine if acting == seat else theirs).choose(position.seen_by(acting)))
            outcome = position.outcome()
            assert outcome is not None
            told.append(outcome.score(seat))
    for has_oracle, told in shares.items():
        mean, half = interval(told)
        print(f"chinese-checkers openspiel-2, alphabeta {arguments.nodes} nodes against depth 3,", end=" ")
        print(
            f"{'with' if has_oracle else 'without'} oracle: {100 * mean:.1f} ± {100 * half:.1f} % of {len(told)} games"
        )
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
