"""How strong the players of Cup King are: one seat against the others, every deal played from every seat.

    python bench/strength_cup_king.py --seats 2 --deals 2000 --nodes 200
    python bench/strength_cup_king.py --seats 4 --deals 2000 --nodes 200 --against sensible
    python bench/strength_cup_king.py --seats 2 --deals 200 --seconds 0.01 --against openspiel-ismcts
    python bench/strength_cup_king.py --seats 5 --deals 60 --player maple --against birch
    python bench/strength_cup_king.py --seats 3 --deals 60 --ladder
    python bench/strength_cup_king.py --deals 400 --removal careful --player tuned --against tuned-spread

Prints the share of the points with a 95 % interval (over deals, so that the luck of a deal cancels), the difference in
Elo that explains it (Plackett–Luce: 400 Elo are ten times the strength), and the CPU time of one move. With --ladder
every level plays against copies of the level below it.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

from cupboard.core.game import Game, Move, View
from cupboard.core.registry import load
from cupboard.core.testing_games import play_out
from cupboard.games.cup_king.layout import RULES
from cupboard.players import Player, make_player
from cupboard.players.ismcts import Ismcts, IsmctsSettings
from cupboard.players.levels import levels_of
from cupboard.players.sensible import Sensible
from cupboard.players.thinking import Limits

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.scores import share_and_elo

Maker = Callable[[int], Player]
"""A function that makes a player from a seed."""


class Clock:
    """The CPU time that a player has spent, and its moves; printed as milliseconds per move."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.moves = 0

    def __str__(self) -> str:
        return f"{1000 * self.seconds / max(1, self.moves):.2f} ms"


class Timed:
    """A player whose CPU time is added to a clock."""

    def __init__(self, player: Player, clock: Clock) -> None:
        self._player, self._clock = player, clock

    def choose(self, view: View[Any]) -> Move:
        """The move of the player."""
        began = time.process_time()
        move = self._player.choose(view)
        self._clock.seconds += time.process_time() - began
        self._clock.moves += 1
        return move


class OtherBuilder:
    """A player that builds as the page suggests, with spread colours, or at random, and plays like another one."""

    def __init__(self, player: Player, seed: int, is_spread: bool) -> None:
        self._player, self._rng, self._is_spread = player, Random(seed), is_spread

    def choose(self, view: View[Any]) -> Move:
        """The other player's move, but for the pyramid."""
        if (filling := view.filling()) is None:
            return self._player.choose(view)
        letters = [name[0].upper() for name in filling.suggestion]
        if not self._is_spread:
            self._rng.shuffle(letters)
        built: Move = view.parse(filling.text(letters), view.seat)
        return built


class BlindToOdds:
    """A player that judges as if buckets were taken out with care, and flicks what it would take out."""

    def __init__(self, game: Game[Any], seed: int, kind: str) -> None:
        self._game = load("cup-king", game.seats, removal="careful")
        self._player, self._kind = Sensible(self._game, seed, plain=False), kind

    def choose(self, view: View[Any]) -> Move:
        """The move of the tuned rules for careful removal, with every flick of one class."""
        row = view.row.copy()
        row[RULES] = self._game.start().row[RULES]
        move = self._player.choose(self._game.view_class(self._game, row, view.seat))
        text = f"{move}:{self._kind}" if str(move).startswith("-") else str(move)
        flicked: Move = view.parse(text, view.seat)
        return flicked


def duel(game: Game[Any], one: Maker, other: Maker, deals: range, name: str) -> None:
    """Play one player against copies of another and print the result after every hundred deals."""
    sets: list[list[float]] = []
    ours, theirs = Clock(), Clock()
    for deal in deals:
        scores = []
        for mine in range(game.seats):
            players = [
                Timed((one if seat == mine else other)(deal * 8 + seat), ours if seat == mine else theirs)
                for seat in range(game.seats)
            ]
            outcome = play_out(game, players, deal).position.outcome()
            assert outcome is not None
            scores.append(outcome.score(mine))
        sets.append(scores)
        if len(sets) % 100 == 0 or len(sets) == len(deals):
            result = share_and_elo(sets, game.seats)
            print(f"{name}, {len(sets)} deals: {result}, {ours} a move, theirs {theirs}", flush=True)


def maker(name: str, game: Game[Any], limits: Limits, settings: IsmctsSettings) -> Maker:
    """The function that makes the player of this name."""
    if name == "openspiel-ismcts":
        from cupboard.adapters.openspiel_ismcts import OpenSpielIsmcts

        return lambda seed: OpenSpielIsmcts(game, seed, limits.seconds or 0.01)
    if name == "tuned":
        return lambda seed: Sensible(game, seed, plain=False)
    if name in ("tuned-spread", "tuned-random"):
        return lambda seed: OtherBuilder(Sensible(game, seed, plain=False), seed, name == "tuned-spread")
    if name.startswith("tuned-blind-"):
        return lambda seed: BlindToOdds(game, seed, name.removeprefix("tuned-blind-"))
    if name == "ismcts":
        return lambda seed: Ismcts(game, seed, limits, settings)
    return lambda seed: make_player(name, game, seed)


def main() -> None:
    """Read the command line and print the strength of each pair of players."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--deals", type=int, default=200)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--nodes", type=int)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--player", default="ismcts")
    parser.add_argument("--against", default="sensible")
    parser.add_argument("--removal", choices=("flick", "careful"), default="flick")
    parser.add_argument("--ladder", action="store_true")
    parser.add_argument("--least", default="", help="the lowest level of the ladder to measure")
    for name, value in vars(IsmctsSettings()).items():
        parser.add_argument(f"--{name}", type=type(value), default=value)
    given = parser.parse_args()
    game = load("cup-king", given.seats, removal=given.removal)
    limits = Limits(nodes=given.nodes, seconds=given.seconds)
    settings = IsmctsSettings(**{name: getattr(given, name) for name in vars(IsmctsSettings())})
    pairs = [(given.against, given.player)]
    if given.ladder:
        levels = levels_of(game)
        pairs = list(pairwise(levels[levels.index(given.least) if given.least else 0 :]))
    for low, high in pairs:
        one, other = maker(high, game, limits, settings), maker(low, game, limits, settings)
        duel(game, one, other, range(given.first, given.first + given.deals), f"{high} over {low}, {given.seats} seats")


if __name__ == "__main__":
    main()
