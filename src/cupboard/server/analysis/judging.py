"""What the process that judges moves does, for `judge.py`: it loads the game and searches."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import msgspec

from cupboard.arena.analyse import judge
from cupboard.arena.thinkers import find_thinker, warm_up_thinker
from cupboard.core.game import Game
from cupboard.core.registry import load
from cupboard.players.thinking import Limits, Thinker
from cupboard.server.analysis.messages import Judgement, JudgeRequest

_READER = msgspec.json.Decoder(JudgeRequest)
_LONGEST_LINE = 8


def answer(request: bytes) -> bytes:
    """The answer to a request as JSON. What goes wrong is said in it."""
    try:
        judged = _judge(_READER.decode(request))
    except Exception as error:
        judged = Judgement(error=f"{type(error).__name__}: {error}"[:500])
    return msgspec.json.encode(judged)


def _judge(asked: JudgeRequest) -> Judgement:
    game, thinker = _ready(asked.game, asked.seats, tuple(asked.options.items()))
    position = game.from_json(asked.position)
    view = position.seen_by(asked.seat)
    limits = Limits(seconds=asked.seconds)
    if not asked.move:
        thought = thinker.think(view, limits)
        line = tuple(map(str, thought.pv[:_LONGEST_LINE]))
        return Judgement(str(thought.move), thought.score, thought.proven, line=line)
    one = judge(view, position.parse(asked.move, asked.seat), limits, thinker)
    line = tuple(map(str, one.pv[:_LONGEST_LINE]))
    return Judgement(str(one.best), one.best_score, one.proven, one.score, line, one.forced)


@lru_cache(32)
def _ready(name: str, seats: int, options: tuple[tuple[str, Any], ...]) -> tuple[Game[Any], Thinker]:
    """The game and who judges it, warmed up, so that no search spends its time on compiling."""
    game = load(name, seats, **dict(options))
    warm_up_thinker(game)
    return game, find_thinker(game)
