"""Other people's programs as players: a process behind a pipe that speaks the engine protocol of docs/engine.md.

A program that crashes, hangs or sends nonsense gives a PlayerFault in time; it is then killed with all it started.
A healthy one is kept for the next game of this process, since starting a program can take longer than a game.
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
"""For `uciok`: a program need only load."""
READY_SECONDS = 300.0
"""For the first `readyok`: then it may compile what it needs."""
GRACE_SECONDS = 1.0
"""A move may come this much later than asked for: pipes and schedulers take their time."""
PATIENCE_SECONDS = 60.0
"""For a move when no time was set."""
_MAX_LINE = 65_536
_MAX_QUEUE = 1_000


class ExternalEngine:
    """One running program. Use `lease` and `release`; `close` ends it for good."""

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
                start_new_session=True,  # so that whatever it starts can be ended with it
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
        """An idle program of this process prepared for a new game, or a new one."""
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
        """Keep it for the next game, if it is still well."""
        if self._process.poll() is None:
            self._idle.setdefault((self._command, self._game), []).append(self)
        else:
            self.close()

    @classmethod
    def close_idle(cls) -> None:
        """End every program that waits for another game."""
        for engines in cls._idle.values():
            for engine in engines:
                engine.close()
        cls._idle.clear()

    def new_game(self, seed: int, limits: Limits) -> None:
        """Forget the last game."""
        self.limits = limits
        self._set("Seed", str(seed % 2**31))
        self._send("ucinewgame")
        self._ready()

    def choose(self, view: View[Any]) -> Move:
        """Its move, read and checked; PlayerFault (and the end of the program) when it fails."""
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
        """End the program and whatever it started; harmless twice."""
        assert self._process.stdin is not None
        with contextlib.suppress(OSError, ValueError):
            self._send_raw("quit")
        with contextlib.suppress(OSError):
            self._process.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(0.3)
        with contextlib.suppress(OSError):
            # The leader may be gone while a child of it still holds the pipe.
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._drain()
        streams = ((self._reader, self._process.stdout), (self._listener, self._process.stderr))
        for thread, stream in streams:
            thread.join(2.0)
            if not thread.is_alive():  # else something it has let loose holds the pipe: closing it would wait for that
                assert stream is not None
                stream.close()

    # The talk.

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
        """Set an option the program has offered; others would only make it complain."""
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
        """The next line that is wanted; everything else is chatter."""
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
        """That the program has stopped, with its exit code and the last it said."""
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
        """Runs in a thread: lines from the program to the queue, None at the end. A flood waits in the pipe."""
        stream = self._process.stdout
        assert stream is not None
        with contextlib.suppress(OSError, ValueError):
            while data := stream.readline(_MAX_LINE):
                self._lines.put(data.decode(errors="replace").strip())
        self._lines.put(None)

    def _listen(self) -> None:
        """Runs in a thread: reads what the program complains about, so that it never waits, and keeps the last line."""
        stream = self._process.stderr
        assert stream is not None
        with contextlib.suppress(OSError, ValueError):
            while data := stream.readline(_MAX_LINE):
                if line := data.decode(errors="replace").strip():
                    self._words.append(line)

    def _drain(self) -> None:
        """Let a reader that waits for room come to its end."""
        while self._reader.is_alive():
            try:
                self._lines.get(timeout=0.2)
            except queue.Empty:
                break


def view_line(view: View[Any]) -> str:
    """`position view B …`: a position that looks exactly like `view` to its seat.

    What the seat cannot know is made up on the spot, so there is no secret in it to peek at.
    """
    from random import Random

    assert view.seat is not None
    # Seeded by the view: the made-up part must carry nothing from outside, and be the same when played again.
    imagined = view.game.imagine(view, Random(str(view)))
    past = imagined.to_json()["past"]
    assert isinstance(past, list)
    tail = f" past {' '.join(map(str, past))}" if past else ""
    return f"position view {letter(view.seat)} {imagined}{tail}"


def go_line(limits: Limits) -> str:
    """`go movetime 500 nodes 1000 depth 4`, with what is limited."""
    words = ["go"]
    if limits.seconds is not None:
        words += ["movetime", str(max(1, round(limits.seconds * 1000)))]
    if limits.nodes is not None:
        words += ["nodes", str(limits.nodes)]
    if limits.depth is not None:
        words += ["depth", str(limits.depth)]
    return " ".join(words)
