"""Bots at the table: thinking in threads, beside the tables of people, and always answering in time."""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from cupboard.core.errors import UnknownPlayer
from cupboard.core.game import Game, Move, Seat, View
from cupboard.core.words import either, phrase
from cupboard.players import PLAYERS, Player, make_player
from cupboard.players.levels import LEVELS, levels_of
from cupboard.players.needs import can_play
from cupboard.players.safe import SafePlayer
from cupboard.players.thinking import Limits
from cupboard.players.uniform import Uniform
from cupboard.server.wire import LevelInfo

_LOG = logging.getLogger(__name__)


DEFAULT = "sapling"
"""Whom one plays when one does not choose: a friendly one."""
STAND_IN = "maple"
"""Who plays on for somebody who has left."""
_MOST_KEPT = 32
"""So many bots keep what they have thought, up to 48 MB each, for their next move; others begin afresh."""


def levels(games: Sequence[Game[Any]]) -> tuple[LevelInfo, ...]:
    """The bots to choose from, weakest first, for one game with each number of seats."""
    seats = {name: tuple(game.seats for game in games if name in levels_of(game)) for name in LEVELS}
    words = {name: (phrase(f"level.{name}"), phrase(f"level.{name}.words")) for name in LEVELS}
    return tuple(LevelInfo(name, *words[name], at) for name, at in seats.items() if at)


def check_level(game: Game[Any], level: str) -> str:
    """The level, or a friendly one when none is named; UnknownPlayer says which there are.

    The players behind the levels (random, greedy, alphabeta …) may be named too.
    """
    if not level:
        return DEFAULT
    if level not in LEVELS and not (level in PLAYERS and can_play(level, game)):
        raise UnknownPlayer(
            phrase("no.level", level=repr(level[:40]), game=game.title, levels=either(*levels_of(game)))
        )
    return level


def warm_up(game: Game[Any]) -> None:
    """Load, or build the first time on a machine, what the bots of a game need."""
    for level in (LEVELS[0], LEVELS[-1]):
        make_player(level, game, 0)


class Bots:
    """A few threads that think for everybody."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._threads = ThreadPoolExecutor(max(2, os.cpu_count() or 2), "bot")
        self._seated: OrderedDict[tuple[str, Seat], SafePlayer] = OrderedDict()

    def close(self) -> None:
        """Let go; a bot in the middle of a thought finishes in vain."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        self._seated.clear()

    def at(self, table: str, seat: Seat, level: str, game: Game[Any]) -> SafePlayer:
        """The bot in a seat: the same as for its last move, unless many others have moved since."""
        bot = self._seated.pop((table, seat), None) or self.make(level, game)
        self._seated[table, seat] = bot
        if len(self._seated) > _MOST_KEPT:
            self._seated.popitem(last=False)
        return bot

    def leave(self, table: str) -> None:
        """A game is over or its table has gone from memory: its bots are wanted no more."""
        for place in [place for place in self._seated if place[0] == table]:
            del self._seated[place]

    def make(self, level: str, game: Game[Any]) -> SafePlayer:
        """A bot for one seat of one table."""
        seed = secrets.randbits(32)
        # A level knows itself how long it thinks: that is what makes it the level it is.
        limits = None if level in LEVELS else Limits(seconds=self._seconds * 0.8)
        return SafePlayer(self._player(level, game, seed), seconds=self._seconds, limits=limits, seed=seed)

    def _player(self, level: str, game: Game[Any], seed: int) -> Player:
        try:
            return make_player(level, game, seed)
        except Exception:
            # Its level was offered, so this is a fault of the bot or of the game's knowledge; nobody shall wait for it.
            _LOG.exception("%s cannot be made for %s: the random player sits in", level, game.name)
            return Uniform(game, seed)

    async def choose(self, bot: SafePlayer, view: View[Any]) -> Move:
        """The bot's move; everybody else goes on meanwhile."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, bot.choose, view)
