"""Lessons over HTTP. Nothing is kept here: the client sends what the learner has done so far with every try."""

from __future__ import annotations

from typing import Any

from litestar import Request, get, post
from litestar.params import FromPath, JSONBody
from msgspec.structs import replace

from cupboard.core.errors import CupboardError
from cupboard.core.game import Game
from cupboard.core.lessons import Attempt, LessonStep, lessons_of
from cupboard.core.registry import find
from cupboard.core.scene import Mark
from cupboard.core.words import Words, phrase
from cupboard.server.errors import BadMessage, NotFound
from cupboard.server.http.services import WithServices
from cupboard.server.http.visitor import address_of
from cupboard.server.table.scenes import choice, scene_of
from cupboard.server.wire.lessons import LessonInfo, LessonState, LessonTry, LessonVerdict


@get("/api/games/{name:str}/lessons", sync_to_thread=True, summary="The lessons of a game")
def list_lessons(name: FromPath[str]) -> list[LessonInfo]:
    """The steps that teach a game, in order; none for a game without lessons."""
    return [
        LessonInfo(step.id, phrase(step.words), step.rules, step.goal.kind == "point")
        for step in lessons_of(find(name)).steps
    ]


@post("/api/games/{name:str}/lessons/{step:str}", status_code=200, sync_to_thread=True, summary="Try a step")
def try_lesson(
    services: WithServices,
    request: Request[Any, Any, Any],
    name: FromPath[str],
    step: FromPath[str],
    data: JSONBody[LessonTry],
) -> LessonState:
    """What comes of a learner's move, or of pointing at a place; without either, where the step begins."""
    services.limits.spend("lessons", address_of(request.scope))
    kind = find(name)
    found = next((one for one in lessons_of(kind).steps if one.id == step), None)
    if found is None:
        raise NotFound(phrase("no.lesson"))
    return _tried(kind, found, data)


def _tried(kind: type[Game[Any]], step: LessonStep, data: LessonTry) -> LessonState:
    attempt = Attempt(kind, step)
    for text in data.moves:
        if attempt.play(text) != "on":
            raise BadMessage(phrase("no.lessonMove", move=text))
    if data.spot:
        return _pointed(attempt, data.spot)
    if not data.move:
        return _state(attempt)
    move = attempt.position.parse(data.move, step.seat)
    verdict = attempt.play(data.move)
    if verdict == "wrong":
        return _state(attempt, "wrong", phrase(attempt.wrong(data.move) or "lesson.again"))
    said = phrase(step.done) if verdict == "done" else None
    state = _state(attempt, verdict, said)
    return replace(state, path=tuple(move.route()))


def _pointed(attempt: Attempt, spot: str) -> LessonState:
    """The answer to pointing at a place where that is no move."""
    step = attempt.step
    if attempt.points(spot):
        return _state(attempt, "done", phrase(step.done))
    if key := step.wrong.get(spot):
        return _state(attempt, "wrong", phrase(key))
    if step.goal.kind == "point":
        return _state(attempt, "wrong", phrase("lesson.elsewhere"))
    error: CupboardError = attempt.position.seen_by(step.seat).why_not((spot,), step.seat)
    return _state(attempt, "wrong", error.words)


def _state(attempt: Attempt, verdict: LessonVerdict = "look", said: Words | None = None) -> LessonState:
    step = attempt.step
    view = attempt.position.seen_by(step.seat)
    scene = scene_of(view, None)
    marks = tuple(Mark(mark.kind, mark.spot) for mark in step.marks if mark.kind != "hint")
    is_open = verdict != "done" and step.goal.kind != "point"
    filling = view.filling() if is_open else None
    return LessonState(
        verdict=verdict,
        scene=replace(scene, marks=(*scene.marks, *marks)) if verdict != "done" else scene,
        seat=step.seat,
        moves=tuple(map(choice, view.moves())) if is_open and filling is None else (),
        filling=filling,
        hinted=tuple(mark.spot for mark in step.marks if mark.kind == "hint") if verdict != "done" else (),
        said=said,
    )


HANDLERS = [list_lessons, try_lesson]
