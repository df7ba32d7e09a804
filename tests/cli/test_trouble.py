"""Whatever goes wrong, people see a sentence and an exit code, and never a traceback."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import time
from pathlib import Path

import pytest

from .conftest import PROGRAM, RECORDS, Run

BLOCKED = RECORDS / "blocked.game"


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"\x00\xff\xfe\x80", "is not a text file."),
        (b"", "A record begins with the tag [Game "),
        (b"{", "The JSON cannot be read: "),
        (b"[" * 3, "Line 1: "),
        (b'{"a":' * 100_000, "The JSON is nested too deeply for a record."),
        (b'{"game": "go"}', "A record has game, seats, options and moves."),
        (b'[Game "go"]\n', "There is no game called 'go'."),
        (b'[Game "jumping-cups"]\n\n1. A:9-9\n', "Move 1 in line 3, A:9-9: "),
        (b"x" * 8_000_001, "is far too long for a played game."),
    ],
)
@pytest.mark.parametrize("verb", ["replay", "draw"])
def test_a_broken_file_is_explained(run: Run, tmp_path: Path, verb: str, content: bytes, sentence: str) -> None:
    file = tmp_path / "broken.game"
    file.write_bytes(content)
    result = run(verb, file)
    assert (result.exit_code, result.stdout) == (1, "")
    assert sentence in result.stderr and len(result.stderr.splitlines()) == 1


def test_folders_missing_files_and_strange_names_are_explained(run: Run, tmp_path: Path) -> None:
    assert run("replay", tmp_path).stderr == f"{str(tmp_path)!r} is a folder, not a file.\n"
    assert run("replay", "none.game").stderr == "There is no file 'none.game'.\n"
    assert run("replay", "a\0b").exit_code == 1
    assert run("replay", "n" * 5000).exit_code == 1
    assert run("draw", BLOCKED, "-o", tmp_path / "no" / "a.svg").stderr.startswith("There is no folder ")


@pytest.mark.parametrize(
    "args",
    [
        ("perft",),
        ("perft", "jumping-cups", "many"),
        ("perft", "jumping-cups", "0"),
        ("perft", "jumping-cups", "2", "--option", "starter"),
        ("play",),
        ("replay", BLOCKED, "--at", "-1"),
        ("replay", BLOCKED, "--json", "--text"),
        ("bench", "--seconds", "no"),
        ("shuffle",),
    ],
)
def test_a_command_written_wrongly_exits_with_two(run: Run, args: tuple[object, ...]) -> None:
    result = run(*args)
    assert result.exit_code == 2 and result.stderr


def test_sentences_go_to_stderr_and_exit_with_one(program: Run) -> None:
    result = program("rules", "chess")
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr.startswith("There is no game called 'chess'.")


def test_plain_text_in_a_pipe_has_no_colour_even_for_a_wide_board(program: Run) -> None:
    for verb in (("games",), ("replay", BLOCKED)):
        out = program(*verb).stdout
        assert "\x1b" not in out and out


def test_bytes_that_are_no_text_are_a_misspelt_move(program: Run, own_data_folder: Path) -> None:
    process = subprocess.run(
        [*PROGRAM, "play", "jumping-cups"], input=b"\xff\xfe\n", capture_output=True, timeout=120, env=os.environ
    )
    assert process.returncode == 0 and b"Traceback" not in process.stderr
    assert b"is no move" in process.stdout


def test_an_ascii_screen_gets_letters_instead_of_a_traceback(program: Run) -> None:
    result = program("replay", BLOCKED, PYTHONIOENCODING="ascii")
    assert result.returncode == 0 and "?R" in result.stdout


def test_a_reader_that_leaves_early_is_no_trouble() -> None:
    process = subprocess.Popen(
        [*PROGRAM, "perft", "jumping-cups", "12"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=os.environ
    )
    assert process.stdout is not None and process.stderr is not None
    assert process.stdout.readline() == b"1 5\n"
    process.stdout.close()
    assert process.wait(timeout=120) == 141
    assert process.stderr.read() == b""
    process.stderr.close()


def test_ctrl_c_stops_a_long_count_at_once() -> None:
    process = subprocess.Popen(
        [*PROGRAM, "perft", "jumping-cups", "40"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=os.environ
    )
    assert process.stdout is not None
    while process.stdout.readline().split()[0] != b"11":
        pass
    time.sleep(1)  # by now it is deep in compiled code
    process.send_signal(signal.SIGINT)
    began = time.monotonic()
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130 and b"Traceback" not in err
    assert time.monotonic() - began < 10


def test_ctrl_c_in_the_middle_of_a_game_loses_nothing(tmp_path: Path) -> None:
    file = tmp_path / "stopped.game"
    process = subprocess.Popen(
        [*PROGRAM, "play", "jumping-cups", "--seats", "human,human", "--option", "starter=red", "--save", str(file)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ,
    )
    assert process.stdin is not None
    process.stdin.write(b"5\n")
    process.stdin.flush()
    deadline = time.monotonic() + 60
    while not file.exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130 and b"Traceback" not in err
    assert b"Go on with: cupboard play --resume" in out
    assert "A:5-6" in file.read_text(encoding="utf-8")


@pytest.mark.skipif(os.name == "nt" or os.geteuid() != 0, reason="only root can run a program as somebody else")
@pytest.mark.parametrize("user", [65534, 54321])
@pytest.mark.parametrize("home", ["", "/nonexistent"])
def test_another_user_than_the_installer_without_a_home_can_play(program: Run, home: str, user: int) -> None:
    """As a service or a container does: what was compiled is read, nothing can be written."""
    program("perft", "jumping-cups", "1")  # the installer has played
    with tempfile.TemporaryDirectory() as folder:
        os.chown(folder, user, user)
        result = subprocess.run(
            ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", *PROGRAM, "play", "jumping-cups",
             "--seats", "human,human", "--option", "starter=red", "--save", f"{folder}/one.game"],
            input="5-6\n", capture_output=True, encoding="utf-8", timeout=120, cwd=folder,
            env={"PATH": os.environ["PATH"]} | ({"HOME": home} if home else {}),
        )  # fmt: skip
        assert (result.returncode, result.stderr) == (0, "")
        assert "A:5-6" in Path(folder, "one.game").read_text(encoding="utf-8")


@pytest.mark.skipif(os.name == "nt" or os.geteuid() != 0, reason="only root can run a program as somebody else")
@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (("--no-browser",), 1, "There is no home folder to keep games in: say where with --data."),
        (("play", "jumping-cups"), 0, "There is no home folder to keep the game in: use --save FILE."),
    ],
)
def test_who_has_no_home_is_told_how_to_keep_games(
    program: Run, words: tuple[str, ...], code: int, sentence: str
) -> None:
    program("perft", "jumping-cups", "1")  # the installer has played
    result = subprocess.run(
        ["setpriv", "--reuid=54321", "--regid=54321", "--clear-groups", *PROGRAM, *words],
        input="", capture_output=True, encoding="utf-8", timeout=120, cwd="/", env={"PATH": os.environ["PATH"]},
    )  # fmt: skip
    assert result.returncode == code and sentence in result.stdout + result.stderr
    assert "Traceback" not in result.stderr


def test_an_engine_that_must_be_compiled_is_announced_once(program: Run, tmp_path: Path) -> None:
    cache = str(tmp_path / "numba")
    words = "Building the Jumping Cups engine, once on this machine …\n"
    first = program("perft", "jumping-cups", "1", NUMBA_CACHE_DIR=cache)
    again = program("perft", "jumping-cups", "1", NUMBA_CACHE_DIR=cache)
    assert first.stdout == again.stdout == "1 5\n"
    assert words in first.stderr and again.stderr == ""
