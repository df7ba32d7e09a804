"""External engines as players: a subprocess that speaks the engine protocol of docs/engine.md over pipes.

A program that crashes, hangs or sends nonsense raises a PlayerFault in time; it is then killed with all processes it
started. A healthy one is kept for the next game, since starting a program can take longer than a game.
"""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import subprocess
from collections import deque
from collections.abc import Callable, Sequence
from threading import Thread
from time import monotonic
from typing import Any, Self

from cupboard.core.errors import CupboardError
from cupboard.core.game import Game, Move, View, letter
from cupboard.players.safe import PlayerFault
from cupboard.players.thinking import Limits

__all__ = ["ExternalEngine", "go_line", "view_line"]

START_SECONDS = 30.0
"""The time limit for `uciok`: by then a program need only have been loaded."""
READY_SECONDS = 300.0
"""The time limit for the first `readyok`, in which a program may compile what it needs."""
GRACE_SECONDS = 1.0
"""How late a move may be: pipes and the operating system's scheduler take time, too."""
PATIENCE_SECONDS = 60.0
"""The time limit for a move where none was set."""
_MAX_LINE = 65_536
_MAX_QUEUE = 1_000


class ExternalEngine:
    """One running program, as a player. `lease` takes one from the idle ones, `release` returns it, `close` ends it."""

    _idle: dict[tuple[tuple[str, ...], Game[Any]], list[ExternalEngine]] = {}  # noqa: RUF012  # shared on purpose

    def __init__(self, command: Sequence[str], game: Game[Any], seed: int = 0, limits: Limits = Limits()) -> None:  # noqa: B008
        self._command = tuple(command)
        self._game = game
        self.name = command[0]
        self.limits = limits
        self._lines: queue.Queue[str | None] = queue.Queue(_MAX_QUEUE)
        self._words: deque[str] = deque(maxlen=1)  # the last line of its stderr
        self._options: set[str] = set()
        try:
            self._process = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,  # a process group of its own, so that all it starts can be killed with it
            )
        except OSError as error:
            raise PlayerFault("gone", f"{self.name} cannot be started: {error.strerror or error}.") from error
        self._reader = Thread(target=self._read, daemon=True, name="engine-reader")
        self._reader.start()
        self._listener = Thread(target=self._listen, daemon=True, name="engine-stderr")
        self._listener.start()
        try:
            self._greet()
            self.new_game(seed, limits)
        except PlayerFault:
            self.close()
            raise

    @classmethod
    def lease(cls, command: Sequence[str], game: Game[Any], seed: int, limits: Limits) -> Self:
        """A program ready for a new game: an idle one that was started with this command and game, else a new one."""
        idle = cls._idle.get((tuple(command), game), [])
        while idle:
            engine = idle.pop()
            try:
                engine.new_game(seed, limits)
            except PlayerFault:
                engine.close()
                continue
            assert isinstance(engine, cls)
            return engine
        return cls(command, game, seed, limits)

    def release(self) -> None:
        """Add it to the idle programs if it is still running, else close it."""
        if self._process.poll() is None:
            self._idle.setdefault((self._command, self._game), []).append(self)
        else:
            self.close()

    @classmethod
    def close_idle(cls) -> None:
        """End every idle program."""
        for engines in cls._idle.values():
            for engine in engines:
                engine.close()
        cls._idle.clear()

    def new_game(self, seed: int, limits: Limits) -> None:
        """Prepare the program for a new game with this seed and these limits."""
        self.limits = limits
        self._set("Seed", str(seed % 2**31))
        self._send("ucinewgame")
        self._ready()

    def choose(self, view: View[Any]) -> Move:
        """The program's move, read and checked. If it fails it is closed, and PlayerFault raised."""
        seconds = self.limits.seconds
        deadline = monotonic() + (PATIENCE_SECONDS if seconds is None else seconds + GRACE_SECONDS)
        try:
            self._send(view_line(view))
            self._send(go_line(self.limits))
            line = self._await(lambda line: line.split()[:1] == ["bestmove"], deadline, "a move")
            words = line.split()
            if len(words) < 2:
                raise PlayerFault("illegal", f"{self.name} answered without a move: {line[:60]!r}.")
            try:
                move: Move = view.parse(words[1], view.seat)
                return move
            except CupboardError as error:
                raise PlayerFault("illegal", f"{self.name} answered {words[1][:40]!r}: {error}") from error
        except PlayerFault:
            self.close()
            raise

    def close(self) -> None:
        """End the program and all processes it started. A second call does nothing."""
        assert self._process.stdin is not None
        with contextlib.suppress(OSError, ValueError):
            self._send_raw("quit")
        with contextlib.suppress(OSError):
            self._process.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(0.3)
        with contextlib.suppress(OSError):
            # The program may be gone while a child of it still holds the pipe.
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._drain()
        streams = ((self._reader, self._process.stdout), (self._listener, self._process.stderr))
        for thread, stream in streams:
            thread.join(2.0)
            if not thread.is_alive():  # else a process it left behind holds the pipe, and closing would wait for that
                assert stream is not None
                stream.close()

    # The protocol.

    def _greet(self) -> None:
        deadline = monotonic() + START_SECONDS
        self._send("uci")
        line = ""
        while line != "uciok":
            line = self._await(lambda line: line == "uciok" or line.startswith("option name "), deadline, "uciok")
            if line.startswith("option name "):
                self._options.add(line.removeprefix("option name ").partition(" type ")[0].strip())
        self._set("Seats", str(self._game.seats))
        for name, value in self._game.options.items():
            self._set(name, str(value).lower() if isinstance(value, bool) else str(value))
        self._ready(READY_SECONDS)

    def _set(self, name: str, value: str) -> None:
        """Set an option if the program has offered it; it would answer others with an error."""
        if name in self._options:
            self._send(f"setoption name {name} value {value}")

    def _ready(self, seconds: float = PATIENCE_SECONDS) -> None:
        self._send("isready")
        self._await(lambda line: line == "readyok", monotonic() + seconds, "readyok")

    def _send(self, line: str) -> None:
        try:
            self._send_raw(line)
        except (OSError, ValueError) as error:
            raise PlayerFault("gone", self._epitaph("")) from error

    def _send_raw(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line.encode() + b"\n")
        self._process.stdin.flush()

    def _await(self, wanted: Callable[[str], bool], deadline: float, what: str) -> str:
        """The next line for which `wanted` is true; other lines are dropped. PlayerFault at the deadline."""
        while True:
            left = deadline - monotonic()
            if left <= 0:
                raise PlayerFault("late", f"{self.name} did not send {what} in time.")
            try:
                line = self._lines.get(timeout=left)
            except queue.Empty:
                continue
            if line is None:
                raise PlayerFault("gone", self._epitaph(f" before it sent {what}"))
            if wanted(line):
                return line

    def _epitaph(self, when: str) -> str:
        """A sentence on how the program ended: its exit code and the last line of its stderr."""
        code = None
        with contextlib.suppress(subprocess.TimeoutExpired):
            code = self._process.wait(1.0)
        self._listener.join(0.5)
        if code is None:
            how = " (it only closed its output)"
        elif code < 0:
            how = f" (killed by signal {-code})"
        else:
            how = f" (exit code {code})"
        words = f" Its last words: {' '.join(self._words[-1].split())[:200]}" if self._words else ""
        return f"{self.name} has stopped{when}{how}.{words}"

    def _read(self) -> None:
        """Runs in a thread: put the program's lines into the queue, None at the end. A full queue blocks the pipe."""
        stream = self._process.stdout
        assert stream is not None
        with contextlib.suppress(OSError, ValueError):
            while data := stream.readline(_MAX_LINE):
                self._lines.put(data.decode(errors="replace").strip())
        self._lines.put(None)

    def _listen(self) -> None:
        """Runs in a thread: read the program's stderr, so that it never blocks, and keep the last line."""
        stream = self._process.stderr
        assert stream is not None
        with contextlib.suppress(OSError, ValueError):
            while data := stream.readline(_MAX_LINE):
                if line := data.decode(errors="replace").strip():
                    self._words.append(line)

    def _drain(self) -> None:
        """Empty the queue until the reader thread, which may wait for room in it, has ended."""
        while self._reader.is_alive():
            try:
                self._lines.get(timeout=0.2)
            except queue.Empty:
                break


def view_line(view: View[Any]) -> str:
    """The protocol line `position view B …`: a position that looks exactly like `view` to its seat.

    What the seat cannot know is drawn at random, so the line holds no secret.
    """
    from random import Random

    assert view.seat is not None
    # Seeded by the view: the random part must reveal nothing, and be the same when the game is played again.
    imagined = view.game.imagine(view, Random(str(view)))
    past = imagined.to_json()["past"]
    assert isinstance(past, list)
    tail = f" past {' '.join(map(str, past))}" if past else ""
    return f"position view {letter(view.seat)} {imagined}{tail}"


def go_line(limits: Limits) -> str:
    """The protocol line `go movetime 500 nodes 1000 depth 4`, with the limits that are set."""
    words = ["go"]
    if limits.seconds is not None:
        words += ["movetime", str(max(1, round(limits.seconds * 1000)))]
    if limits.nodes is not None:
        words += ["nodes", str(limits.nodes)]
    if limits.depth is not None:
        words += ["depth", str(limits.depth)]
    return " ".join(words)
