"""Getting the games ready while the server runs already: what is kept is loaded, the rest is compiled beside it.

The first time on a machine two processes compile, at a low priority, and the server loads what they have kept, in a
thread. A game that somebody chooses comes first. Where nothing can be kept, the server compiles by itself.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import math
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from time import monotonic
from typing import Any

import msgspec

from cupboard.core.game import Game
from cupboard.core.registry import find, names
from cupboard.core.words import Words, phrase
from cupboard.players.levels import LEVELS, seated_at
from cupboard.server.child_process import ChildFailed, ChildProcess
from cupboard.server.errors import GettingReady
from cupboard.server.readiness.parts import Part, all_parts, before, levels_with, part_of, parts_of, size_of
from cupboard.server.settings import ServerSettings
from cupboard.server.watching.notes import Note
from cupboard.server.wire.games import GameReadiness

_LONGEST_WAIT = 120.0
"""Seconds after which a bot tries to move although it does not seem to be ready."""
_MOST_SECONDS_TO_COMPILE = 300.0
_MOST_ANSWER_BYTES = 4096
_MODULE = "cupboard.server.readiness.compiling"
_NICE = 5
"""The processes give way to the server, but not so far that people wait for ever on a busy machine."""
_USUAL_PACE = 1 / 700
"""Seconds to compile one node of a syntax tree (`size_of`) on a machine of today, until this one's pace is known."""
_LOG = logging.getLogger(__name__)


class Readiness:
    """Which parts of the games are loaded, and the processes that compile the others."""

    def __init__(self, settings: ServerSettings) -> None:
        count = max(1, min(settings.compilers, os.cpu_count() or 1))
        self._compilers = [ChildProcess(_MODULE, _MOST_ANSWER_BYTES, _NICE) for _ in range(count)]
        self._free = list(self._compilers)
        self._patience = settings.patience
        self._thread = ThreadPoolExecutor(1, "loader")
        self._plan: tuple[Part, ...] = ()
        self._wished: list[Part] = []
        self._begun: dict[Part, float] = {}
        self._settled: dict[Part, bool] = {}
        """For each part that is done with, whether it is loaded. Where it is not, whoever needs it will be told why."""
        self._waiting: dict[Part, asyncio.Event] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._measured = [0.0, 0.0]
        """The size of all that processes have compiled, and the seconds that they took."""
        self._keeps = True
        self._compiles = False
        self.announce: Callable[[Words], object] = lambda words: None
        """Called with a sentence for the owner of the server when compiling begins, and when all is ready."""

    def start(self) -> None:
        """Get every game ready, whether somebody asks for it or not."""
        self._plan = all_parts(names())
        self._go_on()

    def turn_away(self) -> None:
        """Refuse the requests that wait for rules: the server is about to end."""
        self._patience = 0.0
        for part, event in self._waiting.items():
            if part.is_rules:
                event.set()

    async def close(self) -> None:
        """End the processes; what they have compiled is kept."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._thread.shutdown(wait=False, cancel_futures=True)
        for child in self._compilers:
            await child.close()

    # What can be waited for.

    async def rules(self, name: str) -> None:
        """Wait until the rules of a game are loaded, which comes first now; GettingReady when that takes too long."""
        rules = Part(name, "rules")
        if rules not in self._settled:
            parts = parts_of(name)
            self._wish(parts[:3])  # with what its gentlest bot needs
            if not await self._until_settled(rules, self._patience):
                seconds = self._seconds_until(rules)
                raise GettingReady(phrase("no.rulesYet", game=find(name).title, count=seconds), seconds)

    async def level(self, game: Game[Any], level: str) -> None:
        """Wait until the bot of this level can move. Players that are no level are not waited for."""
        if level in LEVELS and not self.is_ready(game, level):
            await self._until_settled(part_of(game, seated_at(game, level)), _LONGEST_WAIT)

    def is_ready(self, game: Game[Any], level: str) -> bool:
        """Whether the bot of this level can move at once; if not, it comes first now."""
        needed = part_of(game, seated_at(game, level))
        if needed not in self._settled:
            self._wish((*before(needed), needed))
            return False
        return True

    def now(self) -> tuple[GameReadiness, ...]:
        """How far each game is. What is not to be got ready until somebody asks for it counts as ready."""
        waiting = [part for part in self._order() if part not in self._settled]
        return tuple(self._now(name, waiting) for name in names())

    def _now(self, name: str, waiting: Sequence[Part]) -> GameReadiness:
        parts = parts_of(name)
        if parts[0] in waiting:
            return GameReadiness(name, "rules", self._seconds_until(parts[0]))
        if not any(part in waiting for part in parts):
            return GameReadiness(name, "ready")
        return GameReadiness(name, "bots", levels=levels_with(name, self._settled))

    def _seconds_until(self, part: Part) -> int:
        """A guess of the seconds until these rules are loaded, at least one."""
        order = list(self._order())
        ahead = sum(self._seconds_of(other) for other in order[: order.index(part)] if other not in self._settled)
        return max(1, math.ceil(self._seconds_of(part) + ahead / len(self._compilers)))

    def _seconds_of(self, part: Part) -> float:
        """A guess of the seconds that the part takes yet."""
        size, seconds = self._measured
        now = monotonic()
        return max(0.0, size_of(part) * (seconds / size if size else _USUAL_PACE) - (now - self._begun.get(part, now)))

    # How they are got ready.

    def _wish(self, parts: Iterable[Part]) -> None:
        self._wished = list(dict.fromkeys((*parts, *self._wished)))
        self._go_on()

    async def _until_settled(self, part: Part, seconds: float) -> bool:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._waiting.setdefault(part, asyncio.Event()).wait()
        return part in self._settled

    def _order(self) -> Iterator[Part]:
        yield from dict.fromkeys((*self._wished, *self._plan))

    def _go_on(self) -> None:
        """Begin with as many parts as there are processes."""
        while len(self._begun) < len(self._compilers) and (part := self._next()) is not None:
            self._begun[part] = monotonic()
            task = asyncio.get_running_loop().create_task(self._get_ready(part))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def _next(self) -> Part | None:
        """The part to begin with: one for which all is there; else one that needs only rules that are under way."""
        waiting = [part for part in self._order() if part not in self._settled and part not in self._begun]
        for settled in (self._settled, {**self._settled, **{part: True for part in self._begun if part.is_rules}}):
            for part in waiting:
                if all(other in settled for other in before(part)):
                    return part
        return None

    async def _get_ready(self, part: Part) -> None:
        loaded = False
        try:
            loaded = await self._load(part) or await self._compile(part)
        except Exception:
            _LOG.exception(Note("not-ready", game=part.game or "all", part=part.what))
        del self._begun[part]
        self._settled[part] = loaded
        if (event := self._waiting.pop(part, None)) is not None:
            event.set()
        self._go_on()
        if self._compiles and not self._begun and self._plan:
            self._compiles = False
            self.announce(phrase("starting.ready"))

    async def _compile(self, part: Part) -> bool:
        """Have the part compiled and load it; compile it in the server if that does not help."""
        if not self._compiles:
            self._compiles = True
            self.announce(phrase("starting.compiling"))
        if self._keeps:
            child, began = self._free.pop(), monotonic()
            try:
                trouble = (await child.ask(msgspec.json.encode(part), _MOST_SECONDS_TO_COMPILE)).decode()
            except ChildFailed as error:
                trouble = str(error)
            finally:
                self._free.append(child)
            if await self._load(part):
                if size := size_of(part):
                    self._measured = [self._measured[0] + size, self._measured[1] + monotonic() - began]
                return True
            if trouble:
                _LOG.warning(
                    Note("compile-failed", process="compiler", game=part.game or "all", part=part.what, why=trouble)
                )
            else:
                self._keeps = False  # nor will it keep the other parts
        return await self._load(part, may_compile=True)

    async def _load(self, part: Part, may_compile: bool = False) -> bool:
        return await asyncio.get_running_loop().run_in_executor(self._thread, _load, part, may_compile)


def _load(part: Part, may_compile: bool) -> bool:
    """Load a part, in a thread; returns whether that succeeded without compiling, unless it `may_compile`.

    Afterwards all objects there are leave the garbage collector's view: the compiler's modules hold a million of them,
    and walking them all stopped every table for a third of a second.
    """
    from cupboard.core.caching import NotKept, only_kept_code

    if may_compile:
        part.load()
        return True
    gc.disable()
    try:
        with only_kept_code():
            part.load()
        if part.is_rules:
            find(part.game)().start().seen_by(None).scene()
    except NotKept:
        return False
    finally:
        gc.freeze()
        gc.enable()
    return True
