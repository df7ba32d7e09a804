"""Lessons: a step is judged by the rules, and a file that says something untrue is found out."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from cupboard.core import testing_lessons
from cupboard.core.errors import IllegalMove
from cupboard.core.game import Game
from cupboard.core.lessons import Attempt, Goal, LessonMark, Lessons, LessonStep, Moment, TutorWord, lessons_of
from cupboard.core.registry import find, names
from cupboard.core.testing_lessons import check_lessons, check_step
from cupboard.games.cup_king.rules import CupKingPosition

CUPS: type[Game[Any]] = find("jumping-cups")
STEPS = {step.id: step for step in lessons_of(CUPS).steps}


@pytest.mark.parametrize("name", names())
def test_every_lesson_can_be_played_and_says_what_it_means(name: str) -> None:
    check_lessons(find(name))


@pytest.mark.parametrize("name", [name for name in names() if lessons_of(find(name)).steps])
def test_lessons_show_the_printed_examples_and_begin_with_a_move(name: str) -> None:
    lessons = lessons_of(find(name))
    assert lessons.examples, "every rulebook prints an example"
    assert lessons.steps[0].goal.kind in ("move", "piece", "any"), "the first thing to do is a move"


def test_a_goal_is_reached_by_its_move_and_by_no_other() -> None:
    attempt = Attempt(CUPS, STEPS["height"])
    before = str(attempt.position)
    assert attempt.play("10") == "wrong" and str(attempt.position) == before
    assert attempt.wrong("10").endswith("height.wrong.1") and attempt.wrong("12") == ""
    with pytest.raises(IllegalMove):
        attempt.play("1-2")
    assert attempt.play("9") == "done" and str(attempt.position) != before


def test_a_game_that_is_to_be_won_is_not_done_by_another_move() -> None:
    attempt = Attempt(CUPS, STEPS["block"])
    assert attempt.play("10-9") == "wrong"
    assert attempt.play("9-8") == "done"


def test_answers_follow_the_learners_moves_until_the_learner_acts_again() -> None:
    step = LessonStep(
        "two", "w", Goal("outcome", seats=(0,)), "d", position="./././././Y/Y/R/./YY/YR/R/R/R A 20", answers=("6-5",)
    )
    attempt = Attempt(CUPS, step)
    assert attempt.play("8-9") == "on"
    assert str(attempt.position).startswith("././././Y/./"), "Yellow has answered"
    assert attempt.play("9-10") == "done"
    check_step(CUPS, step)


def test_pointing_is_right_at_the_spots_that_are_asked_for() -> None:
    attempt = Attempt(CUPS, STEPS["covered"])
    assert attempt.points("7") and not attempt.points("1")


def test_a_step_with_millions_of_ways_accepts_any_of_them() -> None:
    kings: type[Game[Any]] = find("cup-king")
    step = next(step for step in lessons_of(kings).steps if step.id == "build")
    check_step(kings, step)
    attempt = Attempt(kings, step)
    assert attempt.play("build:RRRYY/YGGG/BBB/PP/P") == "done"
    assert isinstance(attempt.position, CupKingPosition) and attempt.position.buckets(0) == 15


def test_what_nature_does_after_a_flick_is_written_in_the_lesson() -> None:
    kings: type[Game[Any]] = find("cup-king")
    step = next(step for step in lessons_of(kings).steps if step.id == "flick")
    for text in ("-b3:gentle", "-b3:hard", "-b3:75,40,-10,15,behind"):
        attempt = Attempt(kings, step)
        assert attempt.play(text) == "done"
        assert isinstance(attempt.position, CupKingPosition)
        assert set(attempt.position.colours(0)) == {"a1", "a2", "a3", "a4", "a5", "b1", "b2", "b4"}


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ({"position": "nonsense"}, "height"),
        ({"goal": Goal("move", moves=("9-5",))}, "moves 3"),
        ({"goal": Goal("move", moves=("9",))}, "not how the move is written"),
        ({"goal": Goal("move")}, "no move is the goal"),
        ({"goal": Goal("piece", spot="1")}, "no move reaches"),
        ({"goal": Goal("outcome", seats=(1,))}, "do not win"),
        ({"goal": Goal("point")}, "nothing to point at"),
        ({"seat": 0}, "not to act"),
        ({"marks": (LessonMark("hint", "z9"),)}, "shows no"),
        ({"answers": ("14-13",)}, "is no move"),
        ({"wrong": {"9-6": "jumping-cups.lesson.height"}}, "is not wrong"),
        ({"wrong": {"what": "jumping-cups.lesson.height"}}, "neither a spot nor a move"),
        ({"rules": ("JC-99",)}, "JC-99"),
        ({"words": "jumping-cups.lesson.nothing"}, "no words"),
        ({"words": "jumping-cups.toMove"}, "filled in"),
    ],
)
def test_a_lesson_that_is_wrong_is_found_out(
    monkeypatch: pytest.MonkeyPatch, change: dict[str, Any], found: str
) -> None:
    broken = Lessons((replace(STEPS["height"], **change),))
    monkeypatch.setattr(testing_lessons, "lessons_of", lambda kind: broken)
    with pytest.raises(AssertionError, match=found):
        check_lessons(CUPS)


def test_an_example_that_no_step_shows_is_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    lessons = replace(lessons_of(CUPS), examples=(*lessons_of(CUPS).examples, "000:999"))
    monkeypatch.setattr(testing_lessons, "lessons_of", lambda kind: lessons)
    with pytest.raises(AssertionError, match="000:999"):
        check_lessons(CUPS)


def test_a_tutor_that_waits_for_words_nobody_says_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    word = TutorWord("t", Moment("said", key="jumping-cups.never"), "jumping-cups.lesson.height")
    monkeypatch.setattr(testing_lessons, "lessons_of", lambda kind: Lessons(tutor=(word,)))
    with pytest.raises(AssertionError, match="never"):
        check_lessons(CUPS)
