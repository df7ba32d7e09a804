"""Lessons over HTTP: the steps of a game, what a learner does, and what comes of it."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from cupboard.core.filling import Filling
from cupboard.core.scene import Scene
from cupboard.core.words import Words
from cupboard.server.wire.base import Notation, Plain, ShortText
from cupboard.server.wire.server_messages import Choice

LessonVerdict = Literal["look", "on", "done", "wrong"]
"""look: nothing was tried; on: right so far; done: the step is done; wrong: not what it asks for."""


class LessonInfo(Plain, frozen=True):
    """A step of a game's lessons."""

    id: str
    words: Words
    """What to do, as a sentence."""
    rules: tuple[str, ...] = ()
    """The numbers of the rules it shows."""
    points: bool = False
    """Whether the step asks for pointing at a place, without a move."""


class LessonTry(Plain, frozen=True):
    """The body of POST /api/games/{name}/lessons/{step}: what the learner has done so far, and does now."""

    moves: Annotated[tuple[Notation, ...], Meta(max_length=40)] = ()
    """The moves of the learner that were right so far."""
    move: Annotated[str, Meta(max_length=200)] = ""
    """The move to try; empty: only look."""
    spot: ShortText = ""
    """The place that the learner points at, where that is no move: is it right, or why is it none?"""


class LessonState(Plain, frozen=True):
    """The answer to a try: what is to be seen now, and whether it was right."""

    verdict: LessonVerdict
    scene: Scene
    seat: int
    """The learner's seat."""
    moves: tuple[Choice, ...] = ()
    """The legal moves; none when the step is done or asks for pointing only."""
    filling: Filling | None = None
    hinted: tuple[str, ...] = ()
    """The places that the step points out."""
    path: tuple[str, ...] = ()
    """The cells that the moved piece passed, for the animation."""
    said: Words | None = None
    """The answer to what the learner did, as a sentence."""
