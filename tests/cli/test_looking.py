"""Verbs that show and count: games, rules, perft, replay, draw, and the help."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from importlib.resources import files
from pathlib import Path
from xml.etree import ElementTree

import pytest

from cupboard.core.record import Record
from cupboard.core.registry import names

from .conftest import RECORDS, Run

BLOCKED = RECORDS / "blocked.game"
START = "R/R/R/R/R/././././Y/Y/Y/Y/Y A 0"


def test_games_lists_every_game_on_one_line_each(run: Run) -> None:
    lines = run("games").stdout.splitlines()
    assert [line.split()[0] for line in lines[1:]] == list(names())
    assert all(line.endswith(".") for line in lines[1:]), "a blurb was cut"


def test_rules_in_a_pipe_are_the_page_as_written(run: Run) -> None:
    page = (files("cupboard.games.jumping_cups") / "README.md").read_text(encoding="utf-8")
    assert run("rules", "jumping-cups").stdout == page


def test_bare_cupboard_lays_the_table_also_without_a_terminal(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "from cupboard.cli import main; main()", "--no-browser", "--data", str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert any("http://127.0.0.1:" in line for line in process.stdout)
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0


def test_the_help_lists_the_verbs(run: Run) -> None:
    result = run("--help")
    assert result.exit_code == 0
    assert "play" in result.stdout and "perft" in result.stdout


def test_the_version(run: Run) -> None:
    assert run("--version").stdout.startswith("cupboard 0.")


# perft.


def test_perft_prints_depth_and_count_and_nothing_else(run: Run) -> None:
    result = run("perft", "jumping-cups", 6)
    assert result.stdout == "1 5\n2 25\n3 105\n4 441\n5 1722\n6 6720\n"


def test_divide_names_the_moves_and_ends_with_the_total(run: Run) -> None:
    lines = run("perft", "jumping-cups", 3, "--divide").stdout.splitlines()
    assert lines == ["1-2 20", "2-3 20", "3-4 20", "4-5 20", "5-6 25", "3 105"]


def test_perft_takes_seats_options_and_positions(run: Run) -> None:
    assert run("perft", "double-dutch", 3, "--seats", 3).stdout.splitlines()[-1] == "3 110544"
    assert run("perft", "jumping-cups", 1, "--option", "starter=yellow").stdout == "1 5\n"
    covered = "R/R/R/R/././RY/././Y/Y/Y/Y/. A 4"
    assert run("perft", "jumping-cups", 1, "--position", covered).stdout == "1 4\n"


# replay.


def test_replay_in_a_pipe_prints_every_move_and_the_end(run: Run) -> None:
    out = run("replay", BLOCKED).stdout
    assert out.startswith("Jumping Cups, Anna – Bo, 2026-11-15\n")
    assert " 1. Chance lot-A\n" in out and "22. Red 1-2\n" in out
    assert out.endswith("Red wins. Yellow has no free cup left to move.\n")


def test_replay_at_shows_one_position_with_the_last_move_in_brackets(run: Run) -> None:
    out = run("replay", BLOCKED, "--at", 2).stdout
    assert "[6]" in out and out.endswith("Yellow to move.\n")
    assert "Chance" not in out


def test_replay_at_zero_is_the_start(run: Run) -> None:
    assert run("replay", BLOCKED, "--at", 0).stdout.endswith("The lot decides who starts.\n")


def test_replay_beyond_the_end_says_how_long_it_is(run: Run) -> None:
    result = run("replay", BLOCKED, "--at", 23)
    assert result.exit_code == 1
    assert result.stderr == "The record has 22 moves, so there is nothing after 23.\n"


def test_text_and_json_become_each_other_without_loss(run: Run, tmp_path: Path) -> None:
    twin = tmp_path / "twin.json"
    twin.write_text(run("replay", BLOCKED, "--json").stdout, encoding="utf-8")
    assert json.loads(twin.read_text(encoding="utf-8"))["result"] == "A blocked"
    assert run("replay", twin, "--text").stdout == BLOCKED.read_text(encoding="utf-8")


def test_a_record_may_come_from_the_standard_input(run: Run) -> None:
    text = BLOCKED.read_text(encoding="utf-8")
    assert run("replay", "-", "--text", lines=tuple(text.splitlines())).stdout == text


def test_comments_are_shown(run: Run, tmp_path: Path) -> None:
    commented = tmp_path / "c.game"
    commented.write_text(BLOCKED.read_text(encoding="utf-8").replace("A:5-6", "A:5-6 {calm}"), encoding="utf-8")
    assert "Red 5-6  {calm}\n" in run("replay", commented).stdout


def test_an_unfinished_game_hides_what_a_spectator_may_not_see(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "king.game"
    run("play", "cup-king", "--seed", 5, "--save", file, lines=("", "quit"))
    dealt = next(move.text for move in Record.read(file.read_text(encoding="utf-8")).moves if move.text[:4] == "deal")
    assert dealt not in run("replay", file).stdout
    assert dealt in run("replay", file, "--seat", "A").stdout
    assert dealt in run("replay", file, "--truth").stdout


# draw.


def test_draw_writes_a_picture_of_the_last_position(run: Run, tmp_path: Path) -> None:
    svg, png = tmp_path / "end.svg", tmp_path / "end.png"
    assert run("draw", BLOCKED, "-o", svg).stdout == f"{svg}\n"
    root = ElementTree.fromstring(svg.read_text(encoding="utf-8"))
    assert root.attrib["aria-label"] == "Jumping Cups: Red wins. Yellow has no free cup left to move."
    assert "Anna" in svg.read_text(encoding="utf-8")
    assert run("draw", BLOCKED, "-o", png, "--theme", "dark", "--at", 4).exit_code == 0
    assert png.read_bytes().startswith(b"\x89PNG\r\n\x1a\n")
    assert sorted(path.name for path in tmp_path.glob("*.*")) == ["end.png", "end.svg"], "something was left behind"


def test_draw_without_a_file_prints_the_svg(run: Run) -> None:
    result = run("draw", START, "--game", "jumping-cups")
    assert ElementTree.fromstring(result.stdout).attrib["aria-label"] == "Jumping Cups: Red to move."


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (("nothing.game",), "There is no file 'nothing.game'. To draw a position, say whose it is: --game GAME."),
        ((BLOCKED, "-o", "end.gif"), "A picture is a .svg or .png file, and 'end.gif' is neither."),
        ((BLOCKED, "--theme", "pink"), "There is no theme 'pink': it is light or dark."),
        ((BLOCKED, "--seat", "C"), "There is no seat 'C': it is A (Red) or B (Yellow)."),
        ((BLOCKED, "--game", "double-dutch"), f"{str(BLOCKED)!r} holds a game of Jumping Cups, not of Double Dutch."),
        (("x" * 5000, "--game", "jumping-cups"), "A position is written with three words"),
    ],
)
def test_what_cannot_be_drawn_is_explained(run: Run, args: tuple[object, ...], sentence: str) -> None:
    result = run("draw", *args)
    assert result.exit_code == 1 and result.stdout == ""
    assert result.stderr.startswith(sentence)
