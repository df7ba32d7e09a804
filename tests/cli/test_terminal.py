"""At a terminal: colours, completion, the screen between two people, stepping through a record."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import termios
import time
from collections.abc import Iterator

import pytest

from .conftest import PROGRAM, RECORDS


class Terminal:
    """A program with a terminal of its own, so that it believes a person sits there."""

    def __init__(self, *args: str, **variables: str) -> None:
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
        env = os.environ | {"TERM": "xterm-256color"} | variables
        self.process = subprocess.Popen(
            [*PROGRAM, *args], stdin=slave, stdout=slave, stderr=slave, env=env, start_new_session=True
        )
        os.close(slave)
        self.seen = ""

    def wait_for(self, words: str, seconds: float = 60) -> str:
        """All that was printed since the last call, up to and with `words`."""
        deadline = time.monotonic() + seconds
        while words not in plain(self.seen):
            assert time.monotonic() < deadline, f"no {words!r} in {plain(self.seen)!r}"
            if select.select([self.master], [], [], 0.1)[0]:
                try:
                    data = os.read(self.master, 65536).decode(errors="replace")
                except OSError:
                    data = ""
                # prompt_toolkit asks where the cursor is.
                if "\x1b[6n" in data:
                    os.write(self.master, b"\x1b[1;1R")
                self.seen += data
        text, self.seen = self.seen, ""
        return text

    def type(self, keys: str) -> None:
        time.sleep(0.2)  # prompt_toolkit drops what is typed before it listens
        os.write(self.master, keys.encode())

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self.master)


def plain(text: str) -> str:
    return re.sub(r"\x1b(\[[0-9;?]*[A-Za-z]|\][^\x07]*\x07|[=>])", "", text)


@pytest.fixture
def terminals() -> Iterator[list[Terminal]]:
    opened: list[Terminal] = []
    yield opened
    for terminal in opened:
        terminal.close()


def test_tab_completes_a_move(terminals: list[Terminal]) -> None:
    terminal = Terminal("play", "jumping-cups", "--seats", "human,human", "--option", "starter=red")
    terminals.append(terminal)
    terminal.wait_for("your move:")
    terminal.type("5\t\r")
    terminal.wait_for("Red jumps from 5 to 6.")
    terminal.wait_for("your move:")
    terminal.type("quit\r")
    terminal.wait_for("Go on with")
    assert terminal.process.wait(20) == 0


def test_colours_at_a_terminal_unless_they_are_not_wanted(terminals: list[Terminal]) -> None:
    for variables, coloured in (({}, True), ({"NO_COLOR": "1"}, False)):
        terminal = Terminal("replay", str(RECORDS / "blocked.game"), "--all", **variables)
        terminals.append(terminal)
        text = terminal.wait_for("has no free cup left to move.")
        assert bool(re.search(r"\x1b\[[0-9;]*[34]8;", text)) is coloured


def test_the_screen_is_wiped_before_another_person_looks(terminals: list[Terminal]) -> None:
    terminal = Terminal("play", "cup-king", "--seats", "human,human", "--names", "Anna,Bo", "--seed", "5")
    terminals.append(terminal)
    before = terminal.wait_for("press Enter when only you can see the screen.")
    assert "Pass the keyboard to Player A (Anna)" in plain(before) and "hand of" not in before
    terminal.type("\r")
    assert "hand of A" in plain(terminal.wait_for("your move:"))
    terminal.type("\r")
    between = terminal.wait_for("Pass the keyboard to Player B (Bo)")
    assert "\x1b[2J\x1b[3J" in between, "Anna's hand could still be scrolled back to"


def test_a_record_is_stepped_through_with_keys(terminals: list[Terminal]) -> None:
    terminal = Terminal("replay", str(RECORDS / "blocked.game"))
    terminals.append(terminal)
    terminal.wait_for("0 of 22   Enter or → on")
    for key, at in (("\r", "1 of 22"), ("\x1b[C", "2 of 22"), ("p", "1 of 22"), ("G", "22 of 22"), ("n", "22 of 22")):
        terminal.type(key)
        terminal.wait_for(f"\n{at}   Enter or → on")
    terminal.type("q")
    assert terminal.process.wait(20) == 0


def test_the_shelf_offers_the_games(terminals: list[Terminal]) -> None:
    terminal = Terminal("shelf")
    terminals.append(terminal)
    text = terminal.wait_for("Enter to leave:")
    assert "Jumping Cups" in plain(text)
    terminal.type("chess\r")
    terminal.wait_for("There is no game called 'chess'.")
    terminal.wait_for("Enter to leave:")
    terminal.type("jumping-cups\r")
    terminal.wait_for("Enter alone means human,greedy:")
    terminal.type("\r")
    terminal.wait_for("Your move (Red):")
    terminal.type("\x03")
    assert terminal.process.wait(20) == 130
