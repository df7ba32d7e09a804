"""Lessons: how a game is learnt step by step, as data in the game's folder (lessons.json).

A step is a position, a sentence and one thing to do. The page and the terminal show the same steps; `Attempt` says
what a try comes to. After the lessons a tutor comments a first game: each comment once, when its moment comes.
core/testing_lessons.py holds every file to the rules of its game.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Any, Literal

import msgspec
from msgspec import Struct

from cupboard.core.errors import CupboardError
from cupboard.core.game import Game
from cupboard.core.move import Move, Seat, Spot
from cupboard.core.position import Position

GoalKind = Literal["move", "piece", "any", "outcome", "point"]
"""move: one of `moves`; piece: any move that begins at `spot`; any: any move; outcome: the seats `seats` win, which may
take several moves; point: pointing at one of `spots`, without a move."""
LessonMarkKind = Literal["hint", "from", "to", "path", "danger"]
MomentKind = Literal["start", "move", "said"]
"""start: the person's first turn; move: a move whose notation fits `like`; said: words with the key `key`, in the
status, the warning of a possible move, the sentence of a move or the reason of the end."""
Mover = Literal["me", "other", "any"]
Verdict = Literal["done", "on", "wrong"]
"""done: the goal is reached; on: right so far; wrong: legal, but not what the step asks for."""
MOST_TRIED = 3000
"""How many moves are tried in the search for a way to the goal of a step."""


class Goal(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What the learner is to do."""

    kind: GoalKind
    moves: tuple[str, ...] = ()
    spot: Spot = ""
    spots: tuple[Spot, ...] = ()
    seats: tuple[Seat, ...] = ()


class LessonMark(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A cell that the step points out."""

    kind: LessonMarkKind
    spot: Spot


class LessonStep(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A position, a sentence, and one thing to do."""

    id: str
    words: str
    """The key of the sentence that says what to do."""
    goal: Goal
    done: str
    """The key of the sentence that praises and says what was learnt."""
    seats: int | None = None
    options: dict[str, bool | int | str] = {}
    position: str = ""
    """The line that `Game.read` takes; empty: the start of a game."""
    moves: tuple[str, ...] = ()
    """Moves from there to where the step begins."""
    seat: Seat = 0
    """The learner's seat."""
    rules: tuple[str, ...] = ()
    """The numbers of the rules it shows."""
    example: str = ""
    """The printed example of the rulebook that it shows, as file:line."""
    marks: tuple[LessonMark, ...] = ()
    answers: tuple[str, ...] = ()
    """What the others and nature do after the learner's moves, in order, until the learner is to act again."""
    wrong: dict[str, str] = {}
    """What to say to a move that is not the goal, or to pointing at a spot: the key of a sentence for each."""


class Moment(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """When a tutor speaks."""

    kind: MomentKind
    like: str = ""
    """A regular expression, which the whole notation of the move fits."""
    by: Mover = "any"
    key: str = ""


class TutorWord(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What a tutor says once, in a first game, when its moment comes."""

    id: str
    when: Moment
    words: str
    rules: tuple[str, ...] = ()


class Lessons(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """All that teaches a game."""

    steps: tuple[LessonStep, ...] = ()
    examples: tuple[str, ...] = ()
    """The printed examples of the game's rulebook, each of which is a step's."""
    tutor: tuple[TutorWord, ...] = ()

    def message_keys(self) -> set[str]:
        """The keys of all sentences that the steps and the tutor say."""
        said = {key for step in self.steps for key in (step.words, step.done, *step.wrong.values())}
        return said | {word.words for word in self.tutor}


@cache
def lessons_of(kind: type[Game[Any]]) -> Lessons:
    """The lessons of a game; none if its folder has no lessons.json."""
    file = files(kind._package()) / "lessons.json"
    return msgspec.json.decode(file.read_bytes(), type=Lessons) if file.is_file() else Lessons()


class Attempt:
    """A learner's try at a step: it begins at the step's position, and a wrong move leaves it where it was."""

    def __init__(self, kind: type[Game[Any]], step: LessonStep) -> None:
        self.step = step
        self.game = kind(step.seats, **step.options)
        self.position = self._beginning()
        self.made: tuple[tuple[Move, Position[Any]], ...] = ()
        """What the last right move brought: that move and what answered it, each with the position after it."""
        self._answers = list(step.answers)

    def _beginning(self) -> Position[Any]:
        position: Position[Any] = self.game.read(self.step.position) if self.step.position else self.game.start()
        for text in self.step.moves:
            position = position.play(position.parse(text))
        return position

    def points(self, spot: Spot) -> bool:
        """Whether pointing at the spot is what the step asks for."""
        return self.step.goal.kind == "point" and spot in self.step.goal.spots

    def play(self, text: str) -> Verdict:
        """Play a move of the learner and what answers it; a CupboardError says why it is none."""
        move = self.position.parse(text, self.step.seat)
        made, answers = self._answered(move)
        after = made[-1][1]
        verdict = self._verdict(move, after)
        if verdict != "wrong":
            self.position, self.made, self._answers = after, made, answers
        return verdict

    def solution(self) -> str:
        """A move that leads to the goal, or a spot to point at; empty if no move does that is found in time."""
        goal = self.step.goal
        if goal.kind == "point":
            return goal.spots[0]
        if goal.kind == "move":
            return goal.moves[0]
        return next(self._leading([MOST_TRIED]), "")

    def _leading(self, left: list[int]) -> Iterator[str]:
        """The moves that reach the goal, at once or with more moves of the learner; those pointed out come first."""
        pointed = {mark.spot for mark in self.step.marks if mark.kind == "hint"}
        moves = self.position.moves(self.step.seat)
        # There may be millions of ways to fill places, so they are put in another order only where one is meant.
        ordered = sorted(moves, key=lambda move: move.spots()[0] not in pointed) if pointed else moves
        for move in ordered:
            left[0] -= 1
            if left[0] < 0:
                return
            trial = copy.copy(self)
            verdict = trial.play(str(move))
            goes_on = verdict == "on" and trial._answers != self._answers
            if verdict == "done" or (goes_on and any(trial._leading(left))):
                yield str(move)

    def wrong(self, text: str) -> str:
        """The key of what to say to this wrong move, or an empty string."""
        wrong = self.step.wrong
        try:
            move = self.position.parse(text, self.step.seat)
        except CupboardError:
            return wrong.get(text, "")
        return wrong.get(str(move)) or wrong.get(move.spots()[0], "")

    def _answered(self, move: Move) -> tuple[tuple[tuple[Move, Position[Any]], ...], list[str]]:
        """The learner's move and the answers to it, and the answers that are left."""
        position = self.position.play(move, self.step.seat)
        made, answers = [(move, position)], list(self._answers)
        while answers and position.to_act and self.step.seat not in position.to_act:
            try:
                answer = position.parse(answers[0])
                position = position.play(answer)
            except CupboardError:  # written for another move of the learner
                break
            made.append((answer, position))
            answers.pop(0)
        return tuple(made), answers

    def _verdict(self, move: Move, after: Position[Any]) -> Verdict:
        goal = self.step.goal
        match goal.kind:
            case "move":
                return "done" if str(move) in goal.moves else "wrong"
            case "piece":
                return "done" if move.spots()[0] == goal.spot else "wrong"
            case "any":
                return "done"
            case "outcome":
                if outcome := after.outcome():
                    return "done" if set(goal.seats) == set(outcome.winners) else "wrong"
                return "on" if self.step.seat in after.to_act else "wrong"
            case "point":
                return "wrong"
