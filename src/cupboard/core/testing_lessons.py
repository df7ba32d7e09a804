"""check_lessons: every lesson of a game is played through its rules. check_game does it for all games."""

from __future__ import annotations

import copy
import json
import re
from importlib.resources import files
from typing import Any

from cupboard.core.errors import BadNotation, CupboardError
from cupboard.core.game import Game
from cupboard.core.lessons import MOST_TRIED, Attempt, Lessons, LessonStep, TutorWord, lessons_of
from cupboard.core.words import catalogue, languages


def check_lessons(kind: type[Game[Any]]) -> None:
    """Every step can be done, everything it says has words, and every printed example is a step."""
    lessons = lessons_of(kind)
    page = (files(kind._package()) / "README.md").read_text(encoding="utf-8") if lessons.steps else ""
    ids = [step.id for step in lessons.steps] + [word.id for word in lessons.tutor]
    assert len(set(ids)) == len(ids), f"two lessons of {kind.name} have one id: {ids}"
    for step in lessons.steps:
        try:
            check_step(kind, step)
        except (AssertionError, CupboardError) as error:
            raise AssertionError(f"the lesson {step.id!r} of {kind.name}: {error}") from error
    entries: list[LessonStep | TutorWord] = [*lessons.steps, *lessons.tutor]
    for entry in entries:
        for number in entry.rules:
            assert re.search(rf"(?:\*\*|\| ?){re.escape(number)}\b", page), f"{entry.id} cites {number}: no such rule"
        if isinstance(entry, TutorWord):
            _check_moment(entry)
    _check_words(kind, lessons)
    missing = set(lessons.examples) - {step.example for step in lessons.steps}
    assert not missing, f"no lesson of {kind.name} shows the printed examples {sorted(missing)}"


def check_step(kind: type[Game[Any]], step: LessonStep) -> None:
    """The step's position can be read, its goal reached, its wrong moves are wrong, and its marks can be seen."""
    attempt = Attempt(kind, step)
    position, goal = attempt.position, step.goal
    shown = position.seen_by(step.seat).scene().spots()
    seen = {mark.spot for mark in step.marks} | set(goal.spots) | ({goal.spot} if goal.spot else set())
    assert seen <= shown, f"the scene shows no {sorted(seen - shown)}"
    if goal.kind == "point":
        assert goal.spots, "nothing to point at"
    else:
        assert step.seat in position.to_act, f"seat {step.seat} is not to act in {position}"
        assert len(goal.moves) > 0 or goal.kind != "move", "no move is the goal"
        for text in goal.moves:
            assert str(position.parse(text, step.seat)) == text, f"{text} is not how the move is written"
        _check_reached(attempt)
    for text in step.wrong:
        _check_wrong(attempt, text, shown)


def _check_reached(attempt: Attempt) -> None:
    """The goal can be reached, and with it all the answers are used."""
    goal = attempt.step.goal
    if goal.kind == "outcome":
        assert attempt.solution(), f"{goal.seats} do not win within {MOST_TRIED} tries"
        return
    if goal.kind != "move":  # the first way is enough: there may be millions
        moves = attempt.position.moves(attempt.step.seat)
        assert any(copy.copy(attempt).play(str(move)) == "done" for move in moves), "no move reaches the goal"
        return
    for text in goal.moves:
        trial = copy.copy(attempt)
        assert trial.play(text) == "done", f"{text} does not reach the goal"
        assert not trial._answers, f"after {text} the answer {trial._answers} is no move"


def _check_wrong(attempt: Attempt, text: str, shown: set[str]) -> None:
    """A wrong move is refused or misses the goal; a wrong spot is shown and not the one asked for."""
    if text in shown:
        assert not attempt.points(text), f"pointing at {text} is right"
        assert attempt.step.goal.spot != text, f"{text} is the piece to move"
        return
    try:
        verdict = copy.copy(attempt).play(text)
    except BadNotation as error:
        raise AssertionError(f"{text!r} is neither a spot nor a move") from error
    except CupboardError:
        return
    assert verdict != "done", f"{text} reaches the goal, so it is not wrong"


def _check_moment(word: TutorWord) -> None:
    """The moment of a tutor's word says what it needs, and its key exists."""
    when = word.when
    if when.kind == "move":
        re.compile(when.like)
        assert when.like, f"{word.id}: which move?"
    if when.kind == "said":
        assert when.key in catalogue("en"), f"{word.id}: nothing is said by the key {when.key!r}"


def _check_words(kind: type[Game[Any]], lessons: Lessons) -> None:
    """Every key is in the game's own catalogue of each language it has, and nothing is left to fill in."""
    keys = lessons.message_keys()
    for language in languages():
        file = files(kind._package()) / "strings" / f"{language}.json"
        if not file.is_file():
            continue
        own = {f"{kind.name}.{key}": text for key, text in json.loads(file.read_text(encoding="utf-8")).items()}
        missing = sorted(keys - set(own))
        assert not missing, f"{language} has no words for {missing}"
        for key in keys:
            assert isinstance(own[key], str) and "{" not in own[key], f"{key} in {language} is to be filled in"
