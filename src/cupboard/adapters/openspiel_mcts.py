"""OpenSpiel's Monte Carlo tree search as a player of Chinese Checkers, to measure ours against.

    OpenSpielMcts(load("chinese-checkers", 2, profile="openspiel-2"), seed=1, seconds=0.1).choose(view)

It is the C++ MCTSBot with its random-rollout evaluator on OpenSpiel's own game. That game cannot be set up at any
position, so the player follows our game from its first move on: the other seat's move is what has changed on the board
since the last turn. The bot has no time limit; the number of simulations is set from the speed of the last turn.
"""

from __future__ import annotations

import time
from itertools import pairwise
from random import Random
from typing import Any

import numpy as np
import pyspiel

from cupboard.core.errors import CupboardError
from cupboard.core.game import Game, Move, View
from cupboard.core.row import PLY, TURN, Row
from cupboard.games.chinese_checkers import kernel
from cupboard.games.chinese_checkers import layout as k
from cupboard.games.chinese_checkers.star import FAR, NEAR

PASS = 726
DIRECTION = (3, 5, 4, 2, 0, 1)
"""OpenSpiel's number of each of our six directions."""
_UCT = 2.0
_MEGABYTES = 1000


class LostTrack(CupboardError):
    """The view does not follow from the last one by a single move, so the mirrored game is lost."""

    code = "lost-track"


class UnknownToOpenSpiel(CupboardError):
    """OpenSpiel has no game with these rules."""

    code = "not-theirs"


class Mirror:
    """One game in two forms: a row of our kernel, and a state of OpenSpiel, where a chain of jumps is many actions."""

    def __init__(self, game: Game[Any]) -> None:
        self.game = pyspiel.load_game("chinese_checkers(players=2)")
        self.state = self.game.new_initial_state()
        self.row: Row = game.start().row.copy()

    def follow(self, code: int) -> None:
        """Make one of our moves, given by its code, in both games."""
        seat, out = int(self.row[TURN]), np.empty(121, np.int64)
        holes = out[: kernel.path(self.row, code, out)].tolist()
        for here, there in pairwise(holes):
            reach = NEAR if there in NEAR[here] else FAR
            self.state.apply_action(here * 6 + DIRECTION[reach[here].tolist().index(there)])
        self._made(seat, code)

    def catch_up(self, row: Row) -> None:
        """Make the move that leads to `row`, if there is one. Raises LostTrack if it takes more than one."""
        if row[PLY] == self.row[PLY]:
            return
        then, now = (set(np.flatnonzero(r[k.HOLES : k.HOLES + 121] >> 12).tolist()) for r in (self.row, row))
        if row[PLY] != self.row[PLY] + 1 or len(then - now) != 1:
            raise LostTrack("OpenSpiel's bot must see a game from its first move to its last.")
        self.follow((then - now).pop() * 121 + (now - then).pop())

    def ask(self, bot: Any) -> int:
        """Let the bot make its move in both games, and return our code of that move."""
        seat, start, end = int(self.row[TURN]), -1, -1
        taken = [*(self.row[k.HOLES : k.HOLES + 121] >> 12 != 0).tolist(), True]
        while not self.state.is_terminal() and self.state.current_player() == seat:
            action = bot.step(self.state)
            if action != PASS:
                here, direction = action // 6, DIRECTION.index(action % 6)
                near = int(NEAR[here, direction])
                start, end = here if start < 0 else start, int(FAR[here, direction]) if taken[near] else near
            self.state.apply_action(action)
        self._made(seat, start * 121 + end)
        return start * 121 + end

    def _made(self, seat: int, code: int) -> None:
        """Finish a move of `seat`: end its chain of jumps, pass for blocked seats, and make the move in our row."""
        while not self.state.is_terminal() and (
            self.state.current_player() == seat or self.state.legal_actions() == [PASS]
        ):
            self.state.apply_action(PASS)
        kernel.play(self.row, code)


class OpenSpielMcts:
    """OpenSpiel's search as a player of one game with two seats and `profile=openspiel-2`."""

    def __init__(self, game: Game[Any], seed: int, seconds: float, simulations: int | None = None) -> None:
        if game.name != "chinese-checkers" or game.seats != 2 or game.options["profile"] != "openspiel-2":
            raise UnknownToOpenSpiel(
                "OpenSpiel's bot plays chinese-checkers with two seats and profile=openspiel-2 only."
            )
        self._mirror = Mirror(game)
        self.seconds = seconds
        self._fixed = simulations is not None
        self._rng = Random(seed)
        self.simulations = simulations or 8

    def choose(self, view: View[Any]) -> Move:
        """The bot's move. The next one gets as many simulations as would have fitted into the time limit."""
        self._mirror.catch_up(view.row)
        began = time.thread_time()
        lot = self._rng.getrandbits(31)
        rollouts = pyspiel.RandomRolloutEvaluator(1, lot)
        bot = pyspiel.MCTSBot(self._mirror.game, rollouts, _UCT, self.simulations, _MEGABYTES, False, lot, False)
        code = self._mirror.ask(bot)
        if not self._fixed:
            pace = max(time.thread_time() - began, 1e-4) / self.simulations
            self.simulations = max(2, min(4 * self.simulations, round(self.seconds / pace)))
        move: Move = view._decode(code)
        return move
