"""Bots at the table: thinking in threads, beside the tables of people, and always answering in time."""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

from cupboard.core.errors import UnknownPlayer
from cupboard.core.game import Game, Move, View
from cupboard.core.options import one_of
from cupboard.players import PLAYERS, make_player
from cupboard.players.safe import SafePlayer
from cupboard.players.thinking import Limits
from cupboard.server.wire import LevelInfo

_LOG = logging.getLogger(__name__)


@cache
def levels(game: Game[Any]) -> tuple[LevelInfo, ...]:
    """The bots that can play this game, weakest first."""
    return tuple(LevelInfo(name, name.capitalize()) for name in PLAYERS if _can_play(name, game))


def check_level(game: Game[Any], level: str) -> str:
    """The level, or the friendliest when none is named; UnknownPlayer says which there are."""
    there = [info.level for info in levels(game)]
    if not level:
        return "greedy" if "greedy" in there else there[0]
    if level not in there:
        raise UnknownPlayer(f"No bot of the level {level[:40]!r} plays {game.title}: there is {one_of(there)}.")
    return level


def _can_play(name: str, game: Game[Any]) -> bool:
    try:
        make_player(name, game, 0)
    except Exception as error:  # a bot that cannot be made for this game must not take the list with it
        _LOG.debug("%s does not play %s: %s", name, game.name, error)
        return False
    return True


class Bots:
    """A few threads that think for everybody."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._threads = ThreadPoolExecutor(max(2, os.cpu_count() or 2), "bot")

    def close(self) -> None:
        """Let go; a bot in the middle of a thought finishes in vain."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    def make(self, level: str, game: Game[Any]) -> SafePlayer:
        """A bot for one seat of one table."""
        seed = secrets.randbits(32)
        limits = Limits(seconds=self._seconds * 0.8)
        return SafePlayer(make_player(level, game, seed), seconds=self._seconds, limits=limits, seed=seed)

    async def choose(self, bot: SafePlayer, view: View[Any]) -> Move:
        """The bot's move; everybody else goes on meanwhile."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, bot.choose, view)

    async def hint(self, view: View[Any]) -> Move:
        """What the best bot there is would do."""
        level = levels(view.game)[-1].level
        return await self.choose(self.make(level, view.game), view)
