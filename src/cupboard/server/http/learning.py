"""Lessons over HTTP. Nothing is kept here: the client sends what the learner has done so far with every try."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from functools import lru_cache
from typing import Any

from litestar import Request, get, post
from litestar.params import FromPath, JSONBody
from msgspec.structs import replace

from cupboard.core.errors import CupboardError
from cupboard.core.game import CHANCE, Game
from cupboard.core.lessons import Attempt, LessonStep, lessons_of
from cupboard.core.registry import find
from cupboard.core.scene import Mark, Spot
from cupboard.core.words import Words, phrase
from cupboard.server.errors import BadMessage, NotFound
from cupboard.server.http.readiness import needs_rules
from cupboard.server.http.services import WithServices
from cupboard.server.http.visitor import Visitor
from cupboard.server.table.scenes import choice, scene_of
from cupboard.server.wire.lessons import (
    LessonFrame,
    LessonInfo,
    LessonState,
    LessonTry,
    LessonVerdict,
    TutorInfo,
)


@get("/api/games/{name:str}/lessons", sync_to_thread=True, summary="The lessons of a game")
def list_lessons(name: FromPath[str]) -> list[LessonInfo]:
    """The steps that teach a game, in order; none for a game without lessons."""
    return [
        LessonInfo(step.id, phrase(step.words), step.rules, step.goal.kind == "point")
        for step in lessons_of(find(name)).steps
    ]


@get("/api/games/{name:str}/tutor", sync_to_thread=True, summary="What a tutor says in a first game")
def list_tutor(name: FromPath[str]) -> list[TutorInfo]:
    """What is said once, and when; nothing for a game without a tutor."""
    return [
        TutorInfo(word.id, word.when.kind, phrase(word.words), word.when.like, word.when.by, word.when.key, word.rules)
        for word in lessons_of(find(name)).tutor
    ]


@post(
    "/api/games/{name:str}/lessons/{step:str}",
    guards=[needs_rules],
    status_code=200,
    summary="Try a step",
)
async def try_lesson(
    services: WithServices,
    request: Request[Any, Any, Any],
    name: FromPath[str],
    step: FromPath[str],
    data: JSONBody[LessonTry],
) -> LessonState:
    """What comes of a learner's move, or of pointing at a place; without either, where the step begins."""
    await Visitor(services, request).spend("lessons")
    kind = find(name)
    found = next((one for one in lessons_of(kind).steps if one.id == step), None)
    if found is None:
        raise NotFound(phrase("no.lesson"))
    return await asyncio.to_thread(_tried, kind, found, data)


def _tried(kind: type[Game[Any]], step: LessonStep, data: LessonTry) -> LessonState:
    attempt = Attempt(kind, step)
    for text in data.moves:
        if attempt.play(text) != "on":
            raise BadMessage(phrase("no.lessonMove", move=text))
    found = _solution(kind, step.id, data.moves) if data.show else ""
    if step.goal.kind == "point" and (data.show or data.spots):
        return _pointed(attempt, (found,) if found else data.spots)
    if text := found or data.move:
        return _moved(attempt, text)
    return _inquired(attempt, data.spots) if data.spots else _state(attempt)


@lru_cache(256)
def _solution(kind: type[Game[Any]], step: str, moves: tuple[str, ...]) -> str:
    """What to do next in a step after some right moves. A way to win is looked for once, not for each learner."""
    attempt = Attempt(kind, next(one for one in lessons_of(kind).steps if one.id == step))
    for text in moves:
        attempt.play(text)
    return attempt.solution()


def _moved(attempt: Attempt, text: str) -> LessonState:
    """The answer to a move of the learner."""
    step = attempt.step
    verdict = attempt.play(text)
    if verdict == "wrong":
        return _state(attempt, "wrong", phrase(attempt.wrong(text) or "lesson.again"))
    state = _state(attempt, verdict, phrase(step.done) if verdict == "done" else None)
    return replace(state, did=str(attempt.made[0][0]), frames=_frames(attempt))


def _frames(attempt: Attempt) -> tuple[LessonFrame, ...]:
    frames = []
    before, seat = CHANCE, attempt.step.seat
    for n, (move, position) in enumerate(attempt.made):
        mover = seat if n == 0 else before
        seen = move.seen_by(seat)
        scene = scene_of(position.seen_by(seat), (mover, move)) if position is not attempt.position else None
        frames.append(LessonFrame(mover, scene, tuple(seen.route()), seen.words(attempt.game.seat_name)))
        before = next(iter(position.to_act), CHANCE)
    return tuple(frames)


def _pointed(attempt: Attempt, spots: tuple[str, ...]) -> LessonState:
    """The answer to pointing where that is what the step asks for."""
    spot = spots[-1]
    if attempt.points(spot):
        return replace(_state(attempt, "done", phrase(attempt.step.done)), did=spot)
    return _state(attempt, "wrong", phrase(attempt.step.wrong.get(spot) or "lesson.elsewhere"))


def _inquired(attempt: Attempt, spots: tuple[str, ...]) -> LessonState:
    """The answer to pointing in vain where a move is asked for: the step's words for it, else those of the rules."""
    # A move that the rules refuse is named in a lesson by its places.
    if key := attempt.step.wrong.get("-".join(spots)):
        return _state(attempt, "wrong", phrase(key))
    error: CupboardError = attempt.position.seen_by(attempt.step.seat).why_not(spots, attempt.step.seat)
    return replace(_state(attempt, "wrong", error.words), refused=True)


def _state(attempt: Attempt, verdict: LessonVerdict = "look", said: Words | None = None) -> LessonState:
    step, is_done = attempt.step, verdict == "done"
    view = attempt.position.seen_by(step.seat)
    last = attempt.made[-1][0] if attempt.made else None
    scene = scene_of(view, None if last is None else (step.seat, last))
    marks = tuple(Mark(mark.kind, mark.spot) for mark in step.marks if mark.kind != "hint")
    hinted = tuple(mark.spot for mark in step.marks if mark.kind == "hint") if not attempt.made else ()
    is_open = not is_done and step.goal.kind != "point"
    filling = view.filling() if is_open else None
    return LessonState(
        verdict=verdict,
        scene=replace(scene, marks=(*scene.marks, *marks)) if not is_done else scene,
        seat=step.seat,
        moves=tuple(map(choice, view.moves())) if is_open and filling is None else (),
        filling=filling,
        hinted=hinted,
        way=_hinted_way(attempt, hinted),
        said=said,
    )


def _hinted_way(attempt: Attempt, hinted: tuple[Spot, ...]) -> tuple[Spot, ...]:
    """The way of the move that the step asks for, if it points out where the piece stands and where it goes."""
    for text in attempt.step.goal.moves:
        with suppress(CupboardError):
            move = attempt.position.parse(text, attempt.step.seat)
            if len(move.spots()) == 2 and set(move.spots()) <= set(hinted):
                return tuple(move.route())
    return ()


HANDLERS = [list_lessons, list_tutor, try_lesson]
