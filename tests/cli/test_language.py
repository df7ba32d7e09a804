"""The language of the terminal: what the environment asks for, what --language asks for, and what stays English."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from cupboard.cli import terminal
from cupboard.cli.language import of_environment, speak, speak_english
from cupboard.core.words import languages, phrase, say

from .conftest import RECORDS, Run

RED_FIRST = ("--option", "starter=red")
VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")


@pytest.fixture(autouse=True)
def german(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal in Germany."""
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "de_DE.UTF-8")


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "de"),
        ({"LANG": "de_AT@euro"}, "de"),
        ({"LANG": "tlh_QO"}, "en"),
        ({"LANG": "en_GB.UTF-8", "LC_MESSAGES": "de_DE"}, "de"),
        ({"LANG": "de_DE", "LC_MESSAGES": "de_DE", "LC_ALL": "en_US"}, "en"),
        ({"LANG": "en_US.UTF-8", "LANGUAGE": "tlh:de:en"}, "de"),
        ({"LANG": "C", "LANGUAGE": "de"}, "en"),
    ],
)
def test_the_locale_chooses_the_language(environment: Mapping[str, str], language: str) -> None:
    assert of_environment(environment) == language


@pytest.mark.parametrize("language", languages())
def test_each_language_is_spoken_where_its_locale_is_set(
    run: Run, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    for locale in (f"{language}_XX.UTF-8", f"{language}_BE", language):
        assert of_environment({"LANG": locale}) == language
    monkeypatch.setenv("LANG", f"{language}_XX.UTF-8")
    for how in ((), ("--language", language)):
        out = run("play", "jumping-cups", *RED_FIRST, *how, lines=("quit",)).stdout
        assert say(phrase("terminal.bye"), language) in out


@pytest.mark.parametrize("language", languages())
def test_yes_and_no_may_be_said_in_the_language_and_in_english(
    monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest, language: str
) -> None:
    request.addfinalizer(speak_english)
    words = {answer: say(phrase(f"terminal.{answer}"), language).split(", ") for answer in ("yes", "no")}
    assert not {*words["yes"], "y", "yes"} & {*words["no"], "n", "no"}
    asked: list[str] = []
    typed: list[str] = []

    def answered(question: str) -> str:
        asked.append(question)
        return typed.pop(0)

    monkeypatch.setattr(terminal, "ask", answered)
    speak(language)
    for answer in (*words["yes"], "y", "YES"):
        typed[:] = ["what?", answer]
        assert terminal.confirm("Sure?")
    for answer in (*words["no"], "n", "NO"):
        typed[:] = [answer]
        assert not terminal.confirm("Sure?", default=True)
    typed[:] = [""]
    assert not terminal.confirm("Sure?")
    assert asked[0] == f"Sure? [{words['yes'][-1]}/{words['no'][-1].upper()}] "


def test_a_language_that_is_not_there_is_refused_with_those_that_are(run: Run) -> None:
    refused = run("play", "jumping-cups", "--language", "tlh")
    assert refused.exit_code == 1
    assert refused.stderr.startswith("There is no language 'tlh' here: there are en, de")
    assert run("rules", "jumping-cups", "--language", "de_AT").exit_code == 0


def test_a_game_is_played_in_german(run: Run) -> None:
    out = run("play", "jumping-cups", *RED_FIRST, lines=("help", "7-8", "", "5", "undo", "quit")).stdout
    assert "5 erlaubte Züge: 1-2" in out and "Dein Zug (Rot): " in out and "● Rot · du" in out
    assert "undo   deinen letzten Zug zurücknehmen" in out
    assert "Schreibe einen Zug oder `help`." in out and "Rot (du) nimmt 5-6 zurück." in out
    assert not [word for word in ("Red", "Yellow", "legal", "move", "Your") if f"{word} " in out.replace("`moves", "")]


def test_the_option_beats_the_environment(run: Run) -> None:
    assert "Your move (Red): " in run("play", "jumping-cups", *RED_FIRST, "--language", "en").stdout
    assert run("games", "--language", "en").stdout.startswith("game ")


def test_games_rules_replays_and_refusals_are_german(run: Run) -> None:
    assert run("games").stdout.startswith("Spiel ")
    assert "## Die Regeln" in run("rules", "jumping-cups").stdout
    assert "Rot gewinnt." in run("replay", RECORDS / "blocked.game").stdout
    assert "ist für 2 Spieler, nicht für 1." in run("play", "jumping-cups", "--seats", "human").stderr


def test_a_level_is_called_by_its_name(run: Run) -> None:
    out = run("play", "jumping-cups", *RED_FIRST, "--seats", "human,sprout", lines=("quit",)).stdout
    assert "Gelb · Keim" in out and "sprout" not in out


def test_the_help_stays_english(run: Run) -> None:
    assert "List the games" in run("games", "--help").stdout
