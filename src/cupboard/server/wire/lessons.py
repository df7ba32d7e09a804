"""Lessons over HTTP: the steps of a game, what a learner does, and what comes of it."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from cupboard.core.filling import Filling
from cupboard.core.lessons import MomentKind, Mover
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
    spots: Annotated[tuple[ShortText, ...], Meta(max_length=20)] = ()
    """The places that the learner points at, where that is no move: is it right, or why is it none?"""
    show: bool = False
    """Do what is asked for in the learner's place: the next right move, or pointing at the right place."""


class LessonFrame(Plain, frozen=True):
    """What was to be seen after a move of the learner, or after an answer to it."""

    seat: int
    """Who moved; -1 is nature."""
    scene: Scene | None = None
    """Left out of the last frame: it is the scene of the state."""
    path: tuple[str, ...] = ()
    """The cells that the moved piece passed, for the animation."""
    words: Words | None = None
    """What happened, as a sentence; {who} is left open for the name of the seat."""


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
    did: str = ""
    """The move that was right, in notation, or the place that was; also when it was shown."""
    frames: tuple[LessonFrame, ...] = ()
    """What the right move and the answers to it brought, in order."""
    way: tuple[str, ...] = ()
    """Where it points out a move: the cells that the piece passes, from where it stands to where it comes to rest."""
    said: Words | None = None
    """The answer to what the learner did, as a sentence."""
    refused: bool = False
    """Whether it is the rules that said no, and not the step."""


class TutorInfo(Plain, frozen=True):
    """What a tutor says in a first game, once, when its moment comes."""

    id: str
    kind: MomentKind
    """start: the person's first turn; move: a move that fits `like`; said: words with the key `key`."""
    words: Words
    like: str = ""
    """A regular expression, which the whole notation of the move fits."""
    by: Mover = "any"
    key: str = ""
    """In the status, the warning of a possible move, the sentence of a move or the reason of the end."""
    rules: tuple[str, ...] = ()
