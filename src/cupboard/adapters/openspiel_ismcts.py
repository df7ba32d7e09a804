"""OpenSpiel's information-set Monte Carlo tree search as a player of Cup King, to measure ours against.

    OpenSpielIsmcts(load("cup-king", 2), seed=1, seconds=0.1).choose(view)

OpenSpiel has two such searches. The C++ one crashes on games written in Python, because it clones their states without
their Python code. So this is the Python one, `open_spiel.python.algorithms.ismcts`, with its random-rollout evaluator.
It has no time limit; the number of simulations is set from the speed of the last move.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms import ismcts, mcts

from cupboard.adapters.openspiel_cup_king import DECK, CupKingGame, CupKingState
from cupboard.core.game import Game, Move, View
from cupboard.games.cup_king import kernel
from cupboard.games.cup_king import layout as k
from cupboard.players.sensible import Sensible


class OpenSpielIsmcts:
    """OpenSpiel's search as a player of Cup King. Our rule bot builds its pyramid, better than the search would."""

    def __init__(self, game: Game[Any], seed: int, seconds: float, simulations: int | None = None) -> None:
        assert game.seats < k.MAX_SEATS, "the adapter keeps the deck where the sixth hand would be"
        self._seconds = seconds
        self._builder = Sensible(game, seed)
        self._open = CupKingGame(game.seats, rules=int(game._kernel_options()[k.RULES]))
        self._rng = np.random.RandomState(seed % (1 << 31))
        self._bot = ismcts.ISMCTSBot(
            game=self._open,
            evaluator=mcts.RandomRolloutEvaluator(1, self._rng),
            uct_c=1.4,
            max_simulations=simulations or 10,
            random_state=self._rng,
            final_policy_type=ismcts.ISMCTSFinalPolicyType.MAX_VISIT_COUNT,
            use_observation_string=True,
        )
        self._bot.set_resampler(self._resample)
        self._fixed = simulations is not None

    def choose(self, view: View[Any]) -> Move:
        """The move that the search visited most often."""
        assert view.seat is not None
        if view.row[k.PHASE] == k.BUILDING:
            return self._builder.choose(view)
        row = view.row.copy()
        kernel.redeal(row, view.seat, np.uint64(self._rng.randint(1, 1 << 31)))
        row[DECK : DECK + k.SUITS] = k.TWO_OF_EACH
        began = time.perf_counter()
        action = int(self._bot.step(CupKingState(self._open, row)))
        if not self._fixed and len(view.moves()) > 1:
            pace = (time.perf_counter() - began) / self._bot._max_simulations
            self._bot._max_simulations = max(2, min(100_000, round(self._seconds / pace)))
        move: Move = view._decode(action)
        return move

    def _resample(self, state: CupKingState, player: int) -> CupKingState:
        return state.resample_from_infostate(player, pyspiel.UniformProbabilitySampler(0.0, 1.0))
