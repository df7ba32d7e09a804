"""OpenSpiel's random playouts, to measure ours beside: the one game that is in both."""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["GAME", "PROFILE", "rollouts"]

GAME, PROFILE = "chinese-checkers", "openspiel-2"
"""Our name of the game, and the rules by which OpenSpiel plays it."""


def rollouts(seats: int) -> Callable[[int, int], None]:
    """A function of n and a seed that plays n random games from the start, in OpenSpiel's own C++."""
    import pyspiel

    theirs = pyspiel.load_game("chinese_checkers", {"players": seats})
    state = theirs.new_initial_state()

    def roll_out(n: int, seed: int) -> None:
        # The rollouts are not callable from Python, but a search of one simulation does nothing else.
        evaluator = pyspiel.RandomRolloutEvaluator(n, seed)
        pyspiel.MCTSBot(theirs, evaluator, 1.0, 1, 100, False, seed, False).mcts_search(state)

    return roll_out
