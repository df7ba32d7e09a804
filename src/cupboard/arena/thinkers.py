"""Thinkers by name: every bot as a `Thinker` that values moves, the best one for a game, and searches in time."""

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
from cupboard.players.thinking import Limits, MoveValue, Report, Thinker, Thought

__all__ = ["TimedSearch", "check_thinker", "find_thinker", "thinkers_of", "value_of", "warm_up_thinker"]

WARM_SECONDS = 300.0
"""The time limit of a first search, which may have to be compiled."""
GRACE_SECONDS = 1.0
DEPTH_SECONDS = 60.0
"""The time limit of a search that is limited by depth alone."""
DEPTHLESS_SECONDS = 1.0
"""The time limit of a search by playouts, which have no depth, where only a depth was given."""

_FAVOURITES = ("alphabeta", "ismcts", "mcts", "greedy")


class _Silent(Thinker):
    """Makes a Thinker of a bot that only chooses moves: its thought has a move but no value, depth or line."""

    def __init__(self, player: Player) -> None:
        self._player = player
        self.limits = Limits(seconds=1.0)  # it cannot be told, but it is not waited for much longer

    def think(
        self,
        view: View[Any],
        limits: Limits | None = None,
        stop: Event | None = None,
        report: Report | None = None,
        all_moves: bool = False,
    ) -> Thought:
        move = self._player.choose(view)
        return Thought(move, 1 / view.game.seats, 0, 0, (move,))


def find_thinker(game: Game[Any], name: str = "", seed: int = 0) -> Thinker:
    """The bot of this name as a Thinker; without a name, the best bot for the game."""
    player = make_player(name or thinkers_of(game)[0], game, seed)
    return player if isinstance(player, Thinker) else _Silent(player)


def thinkers_of(game: Game[Any]) -> list[str]:
    """The names that `find_thinker` takes for this game, the best first. Nothing is compiled to find out."""
    names = dict.fromkeys((*_FAVOURITES, *reversed(PLAYERS)))
    return [name for name in names if name in LEVELS or can_play(name, game)]


def check_thinker(game: Game[Any], name: str) -> None:
    """Raise the bot's own error if it does not exist or does not play this game."""
    if name not in thinkers_of(game):
        find_thinker(game, name)


def warm_up_thinker(game: Game[Any], name: str = "") -> None:
    """Make the smallest possible search, so that nothing is compiled within the time limit of a move."""
    match = Match(game)
    match.settle(Random(0))
    if not match.position.is_over:
        view = match.position.seen_by(match.position.to_act[0])
        Guard(TimedSearch(find_thinker(game, name), Limits(nodes=1)), WARM_SECONDS).choose(view)


class TimedSearch:
    """One search with a time limit: `answer` returns in time even if the thinker is late or crashes.

    `thought` is the best answer so far. The search is a player itself, so that a Guard can watch it.
    """

    def __init__(
        self,
        thinker: Thinker,
        limits: Limits,
        stop: Event | None = None,
        report: Report | None = None,
        all_moves: bool = False,
    ) -> None:
        """With `all_moves`, a search that prunes is asked for the exact value of every move, if it can give them."""
        self._thinker = thinker
        self._all_moves = all_moves
        by_depth = limits.seconds is None and limits.nodes is None and limits.depth is not None
        longest = DEPTH_SECONDS if thinker.knows_depth else DEPTHLESS_SECONDS
        self._limits = replace(limits, seconds=longest) if by_depth else limits
        self._report = report
        self.stop = Event() if stop is None else stop
        self.thought: Thought | None = None
        self._given_up = False

    def choose(self, view: View[Any]) -> Move:
        """Search, and return the best move. Called by the Guard, in its thread."""
        thought = self._thinker.think(view, self._limits, self.stop, self._heard, self._all_moves)
        if not self._given_up:
            self.thought = thought
        return thought.move

    def answer(self, view: View[Any]) -> tuple[Thought, PlayerFault | None]:
        """The thought, and None. If the thinker fails: its best thought so far or a modest move, and the fault."""
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
    """The value that a thought gives one move; None if the search has not looked at it."""
    if move == thought.move:
        return MoveValue(move, thought.score, 0, thought.pv, thought.proven)
    return next((value for value in thought.per_move if value.move == move), None)
