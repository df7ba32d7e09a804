"""Bots at the table: which there are, and the threads in which they think beside the tables of people."""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from time import perf_counter
from typing import Any

from cupboard.core.errors import UnknownPlayer
from cupboard.core.game import Game, Move, Seat, View
from cupboard.core.words import either, phrase, quoted
from cupboard.players import PLAYERS, make_player
from cupboard.players.describing import describe
from cupboard.players.levels import LEVELS, elo_of_levels, levels_of, rungs_of
from cupboard.players.needs import can_play
from cupboard.players.safe import PlayerFault, SafePlayer, modest_move
from cupboard.players.thinking import Limits
from cupboard.server.readiness.readiness import Readiness
from cupboard.server.settings import LogSettings
from cupboard.server.watching.notes import Note
from cupboard.server.watching.watcher import Watcher
from cupboard.server.wire.games import LevelInfo, RungInfo

_LOG = logging.getLogger(__name__)


DEFAULT = "sapling"
"""The level of a bot for which nobody has chosen one: a friendly one."""
STAND_IN = "maple"
"""The level of the bot that plays on for somebody who has left."""
_MOST_KEPT = 32
"""So many bots keep what they have thought, up to 48 MB each, for their next move; others begin afresh."""


def levels(games: Sequence[Game[Any]]) -> tuple[LevelInfo, ...]:
    """The bots to choose from, weakest first, for one game with each number of seats."""
    rungs: dict[str, list[RungInfo]] = {name: [] for name in LEVELS}
    for game in games:
        elo = elo_of_levels(game)
        for rung in rungs_of(game):
            rungs[rung.level].append(RungInfo(game.seats, elo[rung.level], describe(rung, game)))
    return tuple(
        LevelInfo(name, phrase(f"level.{name}"), at[0].words, tuple(rung.seats for rung in at), tuple(at))
        for name, at in rungs.items()
        if at
    )


def check_level(game: Game[Any], level: str) -> str:
    """The level, or a friendly one when none is named; UnknownPlayer says which there are.

    The players behind the levels (random, greedy, alphabeta …) may be named too.
    """
    if not level:
        return DEFAULT
    if level not in LEVELS and not (level in PLAYERS and can_play(level, game)):
        raise UnknownPlayer(
            phrase("no.level", level=quoted(level[:40]), game=game.title, levels=either(*levels_of(game)))
        )
    return level


class Bots:
    """The threads in which the bots of all tables think, and what the latest of them have thought."""

    def __init__(self, seconds: float, readiness: Readiness | None = None, watcher: Watcher | None = None) -> None:
        """Without `readiness` nobody is waited for: what is not compiled is compiled where it is needed."""
        self.watcher = watcher or Watcher(LogSettings())
        self._seconds = seconds
        self._readiness = readiness
        self._count = max(2, os.cpu_count() or 2)
        self._threads = ThreadPoolExecutor(self._count, "bot")
        self._asked = 0
        self._seated: OrderedDict[tuple[str, Seat | None], SafePlayer] = OrderedDict()

    def close(self) -> None:
        """End the threads; a bot in the middle of a thought finishes in vain."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        self._seated.clear()

    async def choose(self, table: str, level: str, view: View[Any]) -> Move:
        """A legal move for the seat that looks, whatever its bot does; everybody else goes on meanwhile.

        A seat keeps its bot from move to move, unless many others have moved since. A bot that is not compiled yet
        waits for that: nobody weaker moves in its place (docs/decisions/0015).
        """
        if self._readiness is not None:
            await self._readiness.level(view.game, level)
        place = table, view.seat
        before = self._seated.pop(place, None)
        loop = asyncio.get_running_loop()
        self._asked += 1
        try:
            bot, move = await loop.run_in_executor(self._threads, self._answer, before, level, view)
        finally:
            self._asked -= 1
        self._seated[place] = bot
        if len(self._seated) > _MOST_KEPT:
            self._seated.popitem(last=False)
        return move

    @property
    def waiting(self) -> int:
        """How many bots wait for a thread to think in."""
        return max(0, self._asked - self._count)

    @property
    def thinking(self) -> int:
        """How many bots think."""
        return min(self._asked, self._count)

    def leave(self, table: str) -> None:
        """Forget the bots of a table whose game is over, or that has left the memory."""
        for place in [place for place in self._seated if place[0] == table]:
            del self._seated[place]

    # In a thread.

    def _answer(self, bot: SafePlayer | None, level: str, view: View[Any]) -> tuple[SafePlayer, Move]:
        """The bot, made if need be, and its move. A bot that fails even as a SafePlayer plays any legal move."""
        began = perf_counter()
        bot = bot or self._make(level, view.game)
        try:
            move = bot.choose(view)
            self.watcher.bot_thought(view.game.name, perf_counter() - began)
            return bot, move
        except Exception:
            _LOG.exception(Note("bot-failed", level=level, game=view.game.name))
            return bot, secrets.choice(view.moves())

    def _make(self, level: str, game: Game[Any]) -> SafePlayer:
        """A bot of this level; a modest one when there is none that plays the game."""
        seed = secrets.randbits(32)
        # A level knows itself how long it thinks: that is what makes it the level it is.
        limits = None if level in LEVELS else Limits(seconds=self._seconds * 0.8)

        def faulty(fault: PlayerFault) -> None:
            _LOG.warning(Note("bot-fault", level=level, game=game.name, kind=fault.kind, why=fault))

        try:
            player = make_player(level, game, seed)
            return SafePlayer(player, seconds=self._seconds, limits=limits, seed=seed, on_fault=faulty)
        except Exception:
            _LOG.exception(Note("bot-cannot-be-made", level=level, game=game.name))
            return SafePlayer(_ModestPlayer(), seconds=self._seconds, seed=seed)


class _ModestPlayer:
    """The player that stands in for a bot that cannot be made."""

    def choose(self, view: View[Any]) -> Move:
        """A sensible move, found quickly."""
        return modest_move(view, secrets.randbits(32))
