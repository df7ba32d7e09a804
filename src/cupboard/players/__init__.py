"""Players that are programs. Each gets a View, never a Position, and returns a move."""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches
from importlib import import_module
from typing import Any

from cupboard.core.errors import UnknownPlayer
from cupboard.core.game import Game
from cupboard.core.player import Player
from cupboard.core.words import listed, phrase, quoted, sentences
from cupboard.players.greedy import Greedy
from cupboard.players.levels import LEVELS, make_level
from cupboard.players.uniform import Uniform

__all__ = ["BASELINES", "LEVELS", "PLAYERS", "SEARCHES", "Player", "make_level", "make_player"]


BASELINES: dict[str, Callable[[Game[Any], int], Player]] = {"random": Uniform, "greedy": Greedy}
SEARCHES = {
    "sensible": "cupboard.players.sensible:Sensible",
    "alphabeta": "cupboard.players.alphabeta:AlphaBeta",
    "mcts": "cupboard.players.mcts:Mcts",
    "uct": "cupboard.players.uct:Uct",
    "ismcts": "cupboard.players.ismcts:Ismcts",
}
"""Where each search stands, `module:class`; it is imported only when asked for, because it brings compiled code."""
PLAYERS = (*BASELINES, *SEARCHES, *LEVELS)
"""The names of all bots; the levels come last, the weakest of them first."""


def make_player(name: str, game: Game[Any], seed: int) -> Player:
    """The bot of this name; limited by nodes, it plays alike whenever it is made with this seed."""
    if name in SEARCHES:
        module, _, maker = SEARCHES[name].partition(":")
        player: Player = getattr(import_module(module), maker)(game, seed)
        return player
    if name in LEVELS:
        return make_level(game, name, seed)
    if name not in BASELINES:
        close = get_close_matches(name, PLAYERS, 1)
        hint = phrase("unknown.close", name=close[0]) if close else phrase("unknown.known", names=listed(*PLAYERS))
        raise UnknownPlayer(sentences(phrase("unknown.player", name=quoted(name[:40])), hint))
    return BASELINES[name](game, seed)
