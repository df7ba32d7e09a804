"""What each kind of player needs of a game. It is asked before one is made: only those that can play are offered."""

from __future__ import annotations

from typing import Any

from cupboard.core.errors import CupboardError
from cupboard.core.game import Game

__all__ = ["CannotPlay", "can_play", "check_needs", "why_not"]


class CannotPlay(CupboardError):
    """The player cannot play this game or this position; the sentence says why."""

    code = "no-search"


def why_not(player: str, game: Game[Any]) -> str:
    """Why the player of this name (`players.PLAYERS` without the levels) cannot play the game; "" if it can."""
    knows, title = game.knowledge, game.title
    has_luck = game.has_secrets or game.has_chance
    match player:
        case "random":
            return ""
        case "greedy":
            return "" if knows.evaluation else f"Greedy cannot play {title}: the game has no evaluation."
        case "sensible":
            return "" if knows.marks else f"There are no rules of thumb for {title}: let another bot play."
        case "alphabeta" if has_luck:
            return f"Alpha-beta cannot play {title}: it is for games without secrets and dice."
        case "alphabeta":
            can = knows.evaluation is not None and knows.lookahead is not None
            return "" if can else f"Alpha-beta cannot play {title}: it needs an evaluation and a lookahead."
        case "mcts" | "uct" if game.has_secrets:
            return f"{title} has secrets: {player} needs to see everything, ismcts does not."
        case "mcts" | "uct" if game.has_chance:
            return f"{title} has dice or the like: {player} cannot look ahead there."
        case "uct":
            return ""
        case "mcts":
            return "" if knows.evaluation else f"Mcts cannot play {title}: the game has no evaluation."
        case "ismcts":
            can = knows.evaluation is not None and knows.marks is not None
            return "" if can else f"Ismcts cannot play {title}: it needs an evaluation and rules of thumb."
    raise AssertionError(f"nobody has said what {player} needs")


def can_play(player: str, game: Game[Any]) -> bool:
    """Whether the player of this name can play the game; nothing is compiled to find out."""
    return not why_not(player, game)


def check_needs(player: str, game: Game[Any]) -> None:
    """Raise CannotPlay, with the reason, if the player of this name cannot play the game."""
    if sentence := why_not(player, game):
        raise CannotPlay(sentence)
