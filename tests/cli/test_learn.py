"""cupboard learn: the lessons in a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest
from tests.cli.conftest import Run

from cupboard.core.lessons import Attempt, LessonStep, lessons_of
from cupboard.core.registry import find, names

TAUGHT = [name for name in names() if lessons_of(find(name)).steps]


def answers(game: str, step: LessonStep) -> Iterator[str]:
    """What a learner types who does all that the step asks for."""
    goal = step.goal
    if goal.kind == "point":
        yield goal.spots[0]
        return
    attempt = Attempt(find(game), step)
    while True:
        position, found = attempt.position, ""
        tries: Iterable[str] = goal.moves or map(str, position.moves(step.seat))  # of pyramids there are millions
        for text in tries:
            attempt.position = position
            if (verdict := attempt.play(text)) != "wrong":
                found = text
                break
        assert found, f"{step.id}: no move leads on"
        yield found
        if verdict == "done":
            return


@pytest.mark.parametrize("game", TAUGHT)
def test_whoever_does_what_is_asked_comes_to_the_end(run: Run, game: str) -> None:
    steps = lessons_of(find(game)).steps
    typed = tuple(line for step in steps for line in answers(game, step))
    done = run("learn", game, lines=typed)
    assert done.exit_code == 0, done.output
    assert f"Step {len(steps)} of {len(steps)}" in done.stdout and f"cupboard play {game}" in done.stdout


def test_a_wrong_move_is_answered_and_the_step_stays(run: Run) -> None:
    said = run("learn", "jumping-cups", lines=("skip", "10", "12", "1-2", "nonsense", "9", "quit")).stdout
    asides = (
        "look at the stack on 9",
        "not what is asked for",
        "not Yellow's",
        "'nonsense' is no move",
        "Rules: JC-10",
    )
    found = [said.index(words) for words in asides]
    assert found == sorted(found) and said.index("Step 3 of") > found[-1]


def test_it_goes_on_where_one_stopped(run: Run) -> None:
    assert "goes on with step 3" in run("learn", "jumping-cups", lines=("skip", "skip", "quit")).stdout
    again = run("learn", "jumping-cups", lines=("back", "quit")).stdout
    assert again.index("Step 3 of") < again.index("Step 2 of") and "Step 1 of" not in again


def test_it_speaks_the_language_of_the_terminal(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LC_ALL", raising=False)
    monkeypatch.delenv("LC_MESSAGES", raising=False)
    monkeypatch.setenv("LANG", "de_DE.UTF-8")
    monkeypatch.delenv("LANGUAGE", raising=False)
    assert "Schritt 1 von" in run("learn", "jumping-cups", lines=("quit",)).stdout
    assert "Step 1 of" in run("learn", "jumping-cups", "--language", "en", lines=("quit",)).stdout
    monkeypatch.setenv("LC_ALL", "C")
    assert "Step 1 of" in run("learn", "jumping-cups", lines=("quit",)).stdout


def test_help_says_how_moves_are_written_and_what_is_none_is_said_in_german(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("LC_ALL", raising=False)
    monkeypatch.setenv("LANG", "de_DE.UTF-8")
    said = run("learn", "jumping-cups", lines=("hinaus", "?", "quit")).stdout
    assert "„hinaus“ ist kein Zug: Schreibe das Feld des Bechers" in said and "is no move" not in said
    assert said.index("Ein Zug nennt das Feld des Bechers") > said.index("ist kein Zug")


def test_a_game_that_there_is_not_is_said(run: Run) -> None:
    done = run("learn", "nothing")
    assert done.exit_code == 1 and done.stderr.strip().endswith((".", "?"))


def test_the_end_of_the_input_is_no_traceback(run: Run) -> None:
    assert run("learn", "jumping-cups").exit_code == 1
