"""The greedy player: tries every move once and makes the one after which it stands best."""

from __future__ import annotations

from random import Random
from typing import Any

from cupboard.core.game import Game, Move, View
from cupboard.players.needs import check_needs

_MANY = 4000
_SAMPLE = 64
_WORLDS = 4


class Greedy:
    """Looks one move ahead with the game's own evaluation; ties are broken by lot."""

    def __init__(self, game: Game[Any], seed: int) -> None:
        self._rng = Random(seed)
        self._game = game
        check_needs("greedy", game)

    def choose(self, view: View[Any]) -> Move:
        """The move after which the evaluation is highest, on average over a few imagined truths."""
        assert view.seat is not None and self._game.knowledge.evaluation is not None
        evaluate = self._game.knowledge.evaluation().evaluate
        moves = view.moves()
        # Where moves are far too many to try, a handful by lot will do.
        tried = list(moves) if len(moves) <= _MANY else [self._rng.choice(moves) for _ in range(_SAMPLE)]
        worlds = [self._game.imagine(view, self._rng) for _ in range(_WORLDS)]
        if not self._game.has_secrets:
            worlds = worlds[:1]
        best: Move = tried[0]
        most = -float("inf")
        for move in tried:
            value = sum(int(evaluate(world.play(move, view.seat).row.copy(), view.seat)) for world in worlds)
            noisy = value + self._rng.random() * 0.5
            if noisy > most:
                best, most = move, noisy
        return best
