"""Thinkers by name: any bot as something that can be asked what it thinks, and the best one for each game."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from threading import Event
from typing import Any

from cupboard.core.game import Game, Move, View
from cupboard.core.match import Match
from cupboard.players import PLAYERS, Player, make_player
from cupboard.players.levels import LEVELS
from cupboard.players.needs import can_play
from cupboard.players.safe import Guard, PlayerFault, modest_move
from cupboard.players.thinking import Limits, MoveValue, Report, Thinker, Thought, knows_depth

__all__ = ["Asked", "check_thinker", "find_thinker", "thinkers_of", "value_of", "warm_up"]

WARM_SECONDS = 300.0
"""A first search may have to be compiled."""
GRACE_SECONDS = 1.0
DEPTH_SECONDS = 60.0
"""A search limited by depth alone ends after this time at the latest."""
DEPTHLESS_SECONDS = 1.0
"""What a search of playouts, which have no depth, takes instead."""

_FAVOURITES = ("alphabeta", "ismcts", "mcts", "greedy")


_ANY = Limits()


class _Silent:
    """A bot that cannot explain itself: its thought is its move and nothing else."""

    def __init__(self, player: Player) -> None:
        self._player = player

    def choose(self, view: View[Any]) -> Move:
        return self._player.choose(view)

    def think(
        self,
        view: View[Any],
        limits: Limits = _ANY,
        stop: Event | None = None,
        report: Report | None = None,
        all_moves: bool = False,
    ) -> Thought:
        move = self._player.choose(view)
        return Thought(move, 1 / view.game.seats, 0, 0, (move,))


def find_thinker(game: Game[Any], name: str = "", seed: int = 0) -> Thinker:
    """The bot of this name as a thinker; without a name the best there is for the game."""
    player = make_player(name or thinkers_of(game)[0], game, seed)
    return player if isinstance(player, Thinker) else _Silent(player)


def thinkers_of(game: Game[Any]) -> list[str]:
    """The names that `find_thinker` takes for this game, the best first. Nothing is compiled to find out."""
    names = dict.fromkeys((*_FAVOURITES, *reversed(PLAYERS)))
    return [name for name in names if name in LEVELS or can_play(name, game)]


def check_thinker(game: Game[Any], name: str) -> None:
    """Refuse a bot that does not exist or does not play this game, with the sentence that it gives itself."""
    if name not in thinkers_of(game):
        find_thinker(game, name)


def warm_up(game: Game[Any], name: str = "") -> None:
    """Make one smallest search, so that nothing is compiled on somebody's clock."""
    match = Match(game)
    match.settle(Random(0))
    if not match.position.is_over:
        view = match.position.seen_by(match.position.to_act[0])
        Guard(Asked(find_thinker(game, name), Limits(nodes=1)), WARM_SECONDS).choose(view)


class Asked:
    """One question to a thinker, as a player a Guard can watch; `thought` is the answer, so far or complete."""

    def __init__(
        self,
        thinker: Thinker,
        limits: Limits,
        stop: Event | None = None,
        report: Report | None = None,
        all_moves: bool = False,
    ) -> None:
        """With `all_moves` a search that cuts off is asked for exact values of every move, if it can give them."""
        self._thinker = thinker
        self._all_moves = all_moves
        by_depth = limits.seconds is None and limits.nodes is None and limits.depth is not None
        longest = DEPTH_SECONDS if knows_depth(thinker) else DEPTHLESS_SECONDS
        self._limits = replace(limits, seconds=longest) if by_depth else limits
        self._report = report
        self.stop = Event() if stop is None else stop
        self.thought: Thought | None = None
        self._given_up = False

    def choose(self, view: View[Any]) -> Move:
        """The move of the thought."""
        thought = self._thinker.think(view, self._limits, self.stop, self._heard, self._all_moves)
        if not self._given_up:
            self.thought = thought
        return thought.move

    def answer(self, view: View[Any]) -> tuple[Thought, PlayerFault | None]:
        """The thought in time; when the thinker fails, the best one so far or a modest move, and why."""
        seconds = self._limits.seconds
        try:
            Guard(self, None if seconds is None else seconds + GRACE_SECONDS).choose(view)
            assert self.thought is not None
            return self.thought, None
        except PlayerFault as fault:
            self._given_up = True
            self.stop.set()
            if fault.kind == "late" and self.thought is not None and self.thought.move in view.moves():
                return self.thought, fault
            move = modest_move(view)
            return Thought(move, 1 / view.game.seats, 0, 0, (move,)), fault

    def _heard(self, thought: Thought) -> None:
        if not self._given_up:
            self.thought = thought
            if self._report is not None:
                self._report(thought)


def value_of(move: Move, thought: Thought) -> MoveValue | None:
    """What a thought says about one move; None when it has not looked at it."""
    if move == thought.move:
        return MoveValue(move, thought.score, 0, thought.pv, thought.proven)
    return next((value for value in thought.per_move if value.move == move), None)
