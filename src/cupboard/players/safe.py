"""Guards: a bot that is late, crashes or plays nonsense never hangs a table.

    move = Guard(player, seconds=2).choose(view)        # a legal move in time, or PlayerFault says what went wrong
    move = SafePlayer(player, seconds=2).choose(view)   # always a legal move, and the fault in `faults`

The arena uses the first and lets the bot forfeit; a table of people uses the second and plays on.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from random import Random
from threading import Event, Thread
from time import monotonic
from typing import Any, Literal

from cupboard.core.errors import BadTurn, CupboardError
from cupboard.core.game import Move, View
from cupboard.core.player import Player
from cupboard.players.greedy import Greedy
from cupboard.players.needs import can_play
from cupboard.players.thinking import Limits, Thinker

__all__ = ["Guard", "PlayerFault", "SafePlayer", "modest_move"]

_LOG = logging.getLogger(__name__)

Kind = Literal["late", "crash", "illegal", "gone"]


class PlayerFault(CupboardError):
    """A player gave no legal move in time; `kind` is late, crash, illegal or gone."""

    code = "player-fault"

    def __init__(self, kind: Kind, sentence: str) -> None:
        super().__init__(sentence)
        self.kind: Kind = kind

    def __reduce__(self) -> tuple[Any, ...]:
        return PlayerFault, (self.kind, str(self))


class Guard:
    """Asks a player in a thread and waits `seconds` for a legal move (None: as long as it takes).

    A thread cannot be killed: a late search is asked to stop, and while it still runs every further question is
    answered with a fault instead of a second search on the same player.
    """

    def __init__(self, player: Player, seconds: float | None = None, limits: Limits | None = None) -> None:
        self.player = player
        self.seconds = seconds
        self.limits = limits
        """What to spend on a move, for players that search; None leaves it to them."""
        self._busy: Thread | None = None

    def choose(self, view: View[Any], stop: Event | None = None) -> Move:
        """The player's move, checked; PlayerFault when there is none in time. Setting `stop` ends a search early."""
        if not view.moves():
            raise BadTurn("This seat has nothing to decide now.")
        move = self._ask(view, stop or Event())
        if not isinstance(move, Move) or not _is_legal(view, move):
            raise PlayerFault("illegal", f"The player answered {_show(move)}, which is no legal move here.")
        return move

    def _ask(self, view: View[Any], stop: Event) -> object:
        if self.seconds is None:
            try:
                return self._think(view, stop)
            except PlayerFault:
                raise
            except Exception as error:
                raise _crash(error) from error
        until = monotonic() + self.seconds
        if self._busy is not None:
            self._busy.join(self.seconds)
            if self._busy.is_alive():
                raise PlayerFault("late", "The player is still busy with an earlier move.")
        answers: deque[object] = deque(maxlen=1)
        thread = Thread(target=self._work, args=(view, stop, answers), daemon=True, name="player")
        thread.start()
        self._busy = thread
        thread.join(max(0.0, until - monotonic()))
        if not answers:
            stop.set()
            raise PlayerFault("late", f"The player did not move within {self.seconds:g} seconds.")
        thread.join(self.seconds)
        self._busy = None
        answer = answers[0]
        if isinstance(answer, PlayerFault):
            raise answer
        if isinstance(answer, BaseException):
            raise _crash(answer) from answer
        return answer

    def _work(self, view: View[Any], stop: Event, answers: deque[object]) -> None:
        try:
            answers.append(self._think(view, stop))
        except BaseException as error:  # whatever happens in there, somebody is waiting for an answer
            answers.append(error)

    def _think(self, view: View[Any], stop: Event) -> object:
        if isinstance(self.player, Thinker) and self.limits is not None:
            return self.player.think(view, self.limits, stop).move
        return self.player.choose(view)


class SafePlayer:
    """A player that always moves: its own move when it is legal and in time, else a modest one."""

    def __init__(
        self,
        player: Player,
        seconds: float = 10.0,
        limits: Limits | None = None,
        seed: int = 0,
        on_fault: Callable[[PlayerFault], None] | None = None,
    ) -> None:
        """A fault is told to `on_fault`, or without it logged."""
        self._guard = Guard(player, seconds, limits)
        self._seed = seed
        self._on_fault = on_fault
        self.faults: deque[PlayerFault] = deque(maxlen=100)
        """The latest hundred faults, the newest last."""

    def choose(self, view: View[Any], stop: Event | None = None) -> Move:
        """A legal move within the time and about one second more. Setting `stop` ends a search early."""
        try:
            return self._guard.choose(view, stop)
        except PlayerFault as fault:
            self.faults.append(fault)
            if self._on_fault is not None:
                self._on_fault(fault)
            else:
                _LOG.warning("%s: %s", view.game.name, fault)
            self._seed += 1
            return modest_move(view, self._seed)


def modest_move(view: View[Any], seed: int = 0) -> Move:
    """The greedy player's move, if it finds one within a second; else one by lot, without a warning if possible."""
    if can_play("greedy", view.game):
        with suppress(PlayerFault):
            return Guard(Greedy(view.game, seed), 1.0).choose(view)
    rng = Random(seed)
    moves: Sequence[Move] = view.moves()
    sample = [rng.choice(moves) for _ in range(20)]
    return next((move for move in sample if not move.warning), sample[0])


def _is_legal(view: View[Any], move: Move) -> bool:
    try:
        return move in view.moves()
    except Exception:  # a move of another game, or one with absurd fields
        return False


def _crash(error: BaseException) -> PlayerFault:
    return PlayerFault("crash", f"The player failed: {type(error).__name__}: {str(error)[:200]}")


def _show(answer: object) -> str:
    text = str(answer) if isinstance(answer, Move) else repr(answer)
    return repr(text[:60]) if isinstance(answer, Move) else text[:60]
