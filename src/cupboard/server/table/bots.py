"""Bots at the table: which there are, and where they think: the quick ones in threads, the others in processes."""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from time import perf_counter
from typing import Any, TypeVar

import msgspec

from cupboard.core.errors import CupboardError, UnknownPlayer
from cupboard.core.game import Game, Move, Seat, View
from cupboard.core.ladder import Worlds
from cupboard.core.registry import find, names
from cupboard.core.words import either, phrase, quoted
from cupboard.players import BASELINES, PLAYERS
from cupboard.players.describing import describe
from cupboard.players.levels import LEVELS, elo_of_levels, levels_of, limits_of, rungs_of, seated_at
from cupboard.players.needs import can_play
from cupboard.players.safe import PlayerFault, SafePlayer, modest_move
from cupboard.server.jobs.kinds import BOT, JobFailed, Jobs
from cupboard.server.readiness.readiness import Readiness
from cupboard.server.settings import LogSettings
from cupboard.server.table.thinking import ThinkAnswer, ThinkRequest, make_bot, make_stand_in, request_of
from cupboard.server.watching.notes import Note
from cupboard.server.watching.watcher import Watcher
from cupboard.server.wire.games import LevelInfo, RungInfo

_LOG = logging.getLogger(__name__)
T = TypeVar("T")

DEFAULT = "sapling"
"""The level of a bot for which nobody has chosen one: a friendly one."""
STAND_IN = "maple"
"""The level of the bot that plays on for somebody who has left."""
_MOST_KEPT = 32
"""So many bots keep what they have thought, up to 48 MB each, for their next move; others begin afresh."""
_MOST_LEFT = 32
"""Processes are told of so many tables whose bots they need no longer keep, with the next request."""
_THREADS = max(2, os.cpu_count() or 1)
_QUICK_NODES = 10_000
"""A search of so many nodes takes about 10 ms (bench/results.md), less than another process would cost on a busy day.
Above them are the two or three strongest levels of a game."""
_SECONDS_MORE = 3.0
"""A process has so much more time than its bot, for a modest move and on a busy machine; then it is ended."""
_READER = msgspec.msgpack.Decoder(ThinkAnswer)


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


def is_quick(level: str, game: Game[Any]) -> bool:
    """Whether a bot of this level moves within a few milliseconds, so that it thinks in a thread of the server."""
    if level not in LEVELS:
        return level in BASELINES
    player = seated_at(game, level)
    limits = limits_of(player)
    # A search in imagined worlds spends much longer on a node than the others.
    return limits is None or (not isinstance(player, Worlds) and (limits.nodes or _QUICK_NODES + 1) <= _QUICK_NODES)


class Bots:
    """The threads and processes in which the bots of all tables think, and what the latest of them have thought."""

    def __init__(
        self,
        seconds: float,
        readiness: Readiness | None = None,
        watcher: Watcher | None = None,
        jobs: Jobs | None = None,
    ) -> None:
        """Without `readiness` nobody is waited for: what is not compiled is compiled where it is needed.

        Without `jobs` all bots think in threads."""
        self.watcher = watcher or Watcher(LogSettings())
        self._seconds = seconds
        self._readiness = readiness
        self._jobs = jobs
        self._threads = ThreadPoolExecutor(_THREADS, "bot")
        self._asked = 0
        self._seated: OrderedDict[tuple[str, Seat | None], SafePlayer] = OrderedDict()
        self._left: deque[str] = deque(maxlen=_MOST_LEFT)

    def close(self) -> None:
        """End the threads; a bot in the middle of a thought finishes in vain."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        self._seated.clear()

    async def warm_up(self) -> None:
        """Let a process load all games as soon as they are compiled, so that the first strong bot moves at once."""
        if self._readiness is None or self._jobs is None:
            return
        for name in names():
            kind = find(name)
            game = kind(kind.SEATS[0])
            await self._readiness.level(game, LEVELS[-1])
            asked = request_of(game.start().seen_by(None), LEVELS[-1], self._seconds, only_load=True)
            with suppress(JobFailed):
                await self._jobs.run(BOT, msgspec.msgpack.encode(asked), BOT.seconds_to_load)

    async def choose(self, table: str, level: str, view: View[Any]) -> Move:
        """A legal move for the seat that looks, whatever its bot does; everybody else goes on meanwhile.

        A seat keeps its bot from move to move, unless many others have moved since. A bot that is not compiled yet
        waits for that: nobody weaker moves in its place (docs/decisions/0015).
        """
        if self._readiness is not None:
            await self._readiness.level(view.game, level)
        if self._jobs is None or is_quick(level, view.game):
            return await self._choose_here(table, level, view)
        try:
            return await self._choose_elsewhere(self._jobs, table, level, view)
        except JobFailed as error:
            _LOG.warning(Note("bot-failed", level=level, game=view.game.name, why=error))
        return await self._in_thread(partial(modest_move, view, secrets.randbits(32)))

    @property
    def waiting(self) -> int:
        """How many bots wait for a thread or a process to think in."""
        elsewhere = 0 if self._jobs is None else self._jobs.waiting(BOT)
        return max(0, self._asked - _THREADS) + elsewhere

    @property
    def thinking(self) -> int:
        """How many bots think."""
        elsewhere = 0 if self._jobs is None else self._jobs.running(BOT)
        return min(self._asked, _THREADS) + elsewhere

    def leave(self, table: str) -> None:
        """Forget the bots of a table whose game is over, or that has left the memory."""
        for place in [place for place in self._seated if place[0] == table]:
            del self._seated[place]
        if table not in self._left:
            self._left.append(table)

    # In a process.

    async def _choose_elsewhere(self, jobs: Jobs, table: str, level: str, view: View[Any]) -> Move:
        if table in self._left:  # a move was taken back
            self._left.remove(table)
        place = f"{table} {view.seat}"
        left = tuple(f"{table} " for table in self._left)
        asked = request_of(view, level, self._seconds, place=place, most_kept=most_kept(jobs), left=left)
        found, move = await think(jobs, asked, view)
        self.watcher.bot_thought(view.game.name, found.seconds)
        for kind, why in found.faults:
            _LOG.warning(Note("bot-fault", level=level, game=view.game.name, kind=kind, why=why))
        if found.error:
            _LOG.error(Note("bot-cannot-be-made", level=level, game=view.game.name, why=found.error))
        return move

    # In a thread.

    async def _in_thread(self, work: Callable[[], T]) -> T:
        self._asked += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        finally:
            self._asked -= 1

    async def _choose_here(self, table: str, level: str, view: View[Any]) -> Move:
        place = table, view.seat
        before = self._seated.pop(place, None)
        bot, move = await self._in_thread(partial(self._answer, before, level, view))
        self._seated[place] = bot
        if len(self._seated) > _MOST_KEPT:
            self._seated.popitem(last=False)
        return move

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

        def faulty(fault: PlayerFault) -> None:
            _LOG.warning(Note("bot-fault", level=level, game=game.name, kind=fault.kind, why=fault))

        try:
            return make_bot(level, game, self._seconds, faulty)
        except Exception:
            _LOG.exception(Note("bot-cannot-be-made", level=level, game=game.name))
            return make_stand_in(self._seconds)


def most_kept(jobs: Jobs) -> int:
    """How many bots each process may keep."""
    return max(1, _MOST_KEPT // jobs.count(BOT))


async def think(jobs: Jobs, asked: ThinkRequest, view: View[Any]) -> tuple[ThinkAnswer, Move]:
    """What a process has answered, and the move that it means; JobFailed when that is no legal one."""
    encode = msgspec.msgpack.encode
    before = encode(msgspec.structs.replace(asked, only_load=True))
    data = await jobs.run(BOT, encode(asked), asked.seconds + _SECONDS_MORE, before=before, place=asked.place)
    try:
        found = _READER.decode(data)
        return found, view.parse(found.move)
    except (msgspec.DecodeError, CupboardError) as error:
        raise JobFailed(f"the answer makes no sense ({error})") from error
