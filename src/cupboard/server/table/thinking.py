"""Thinking about a move: what a process does that is asked by `bots.py` or `hints.py`, and the words between them.

A process keeps the latest bots with what they have thought; a request names the place of its bot, which is empty for
one that is not to be kept.
"""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Callable
from functools import lru_cache
from time import perf_counter
from typing import Any

import msgspec
import numpy as np

from cupboard.core.game import Game, Move, Seat, View
from cupboard.core.registry import load
from cupboard.players import make_player
from cupboard.players.levels import LEVELS
from cupboard.players.safe import PlayerFault, SafePlayer, modest_move
from cupboard.players.thinking import Limits


class ThinkRequest(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a seat knows of a position, and who is to move for it."""

    game: str
    seats: int
    options: dict[str, Any]
    row: bytes
    """The row of the view."""
    seat: Seat | None
    level: str
    seconds: float
    """How long the bot may think, if it is no level, and after how long somebody else moves for it."""
    place: str = ""
    """Where the bot is kept for its next move."""
    most_kept: int = 1
    """How many bots the process may keep."""
    left: tuple[str, ...] = ()
    """The places whose bots are no longer needed begin with these words."""
    only_load: bool = False
    """Whether the process is only to load the game and the bot."""


class ThinkAnswer(msgspec.Struct, frozen=True, omit_defaults=True):
    """The move in notation, and what was wrong with the bot."""

    move: str = ""
    seconds: float = 0.0
    """How long it took."""
    faults: tuple[tuple[str, str], ...] = ()
    """The kind of each fault of the bot, and what happened."""
    error: str = ""
    """Why there is no such bot; somebody modest has moved."""


def request_of(view: View[Any], level: str, seconds: float, **more: Any) -> ThinkRequest:
    """The request for a move of the seat that looks."""
    game = view.game
    row = view.row.tobytes()
    return ThinkRequest(game.name, game.seats, dict(game.options), row, view.seat, level, seconds, **more)


def make_bot(
    level: str, game: Game[Any], seconds: float, on_fault: Callable[[PlayerFault], None] | None = None
) -> SafePlayer:
    """A bot of this level, which always moves; it may be whatever `make_player` makes, and that may fail."""
    seed = secrets.randbits(32)
    # A level knows itself how long it thinks: that is what makes it the level it is.
    limits = None if level in LEVELS else Limits(seconds=seconds * 0.8)
    return SafePlayer(make_player(level, game, seed), seconds, limits, seed, on_fault)


def make_stand_in(seconds: float) -> SafePlayer:
    """The bot that moves where none can be made."""
    return SafePlayer(_ModestPlayer(), seconds, seed=secrets.randbits(32))


class _ModestPlayer:
    """The player that stands in for a bot that cannot be made."""

    def choose(self, view: View[Any]) -> Move:
        """A sensible move, found quickly."""
        return modest_move(view, secrets.randbits(32))


# In a process.

_READER = msgspec.msgpack.Decoder(ThinkRequest)
_kept: OrderedDict[tuple[str, ...], SafePlayer] = OrderedDict()


def answer(request: bytes) -> bytes:
    """The answer to a request."""
    return msgspec.msgpack.encode(_think(_READER.decode(request)))


def _think(asked: ThinkRequest) -> ThinkAnswer:
    began = perf_counter()
    game = _game(asked.game, asked.seats, tuple(asked.options.items()))
    for key in [key for key in _kept if key[0].startswith(asked.left)] if asked.left else ():
        del _kept[key]
    key = (asked.place, asked.game, asked.level)
    bot, error = _kept.pop(key, None), ""
    if bot is None:
        try:
            bot = make_bot(asked.level, game, asked.seconds, _ignore)
        except Exception as reason:
            bot, error = make_stand_in(asked.seconds), f"{type(reason).__name__}: {reason}"[:500]
    answered = ThinkAnswer(error=error)
    if not asked.only_load:
        view = game.view_class(game, np.frombuffer(asked.row, np.int64), asked.seat)
        bot.faults.clear()
        move = bot.choose(view)
        faults = tuple((fault.kind, str(fault)) for fault in bot.faults)
        answered = ThinkAnswer(str(move), perf_counter() - began, faults, error)
    if asked.place or asked.only_load:
        _kept[key] = bot
        while len(_kept) > max(1, asked.most_kept):
            _kept.popitem(last=False)
    return answered


def _ignore(fault: PlayerFault) -> None:
    """The faults are in the answer."""


@lru_cache(32)
def _game(name: str, seats: int, options: tuple[tuple[str, Any], ...]) -> Game[Any]:
    return load(name, seats, **dict(options))
