"""cupboard learn: teaches a game step by step, from the lessons that the page shows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cupboard.cli.parameters import GameName, Language

if TYPE_CHECKING:
    from cupboard.core.game import Game
    from cupboard.core.lessons import Attempt, LessonStep
    from cupboard.core.words import Text


def learn(game: GameName, language: Language = None) -> None:
    """Learn a game by playing: short steps, each with one thing to do. It goes on where you stopped."""
    from cupboard.cli.compile_progress import load_kernel
    from cupboard.cli.language import speak, told
    from cupboard.core.errors import BadOption
    from cupboard.core.lessons import lessons_of
    from cupboard.core.registry import find
    from cupboard.core.words import phrase

    speak(language)
    kind = find(game)
    steps = lessons_of(kind).steps
    if not steps:
        raise BadOption(told(phrase("terminal.learn.none", game=kind.title, name=kind.name)))
    load_kernel(kind())
    Course(kind, steps).run()


class Course:
    """One run through the steps of a game at a terminal."""

    def __init__(self, kind: type[Game[Any]], steps: tuple[LessonStep, ...]) -> None:
        self._kind, self._steps = kind, steps

    def run(self) -> None:
        """Go through the steps from where the person stopped, until they end or the person quits."""
        at = _kept(self._kind.name)
        at = at if 0 < at < len(self._steps) else 0
        self._say("terminal.learn.intro", game=self._kind.title)
        while at < len(self._steps):
            after = self._step(at)
            _keep(self._kind.name, at if after is None else after % len(self._steps))
            if after is None:
                self._say("terminal.learn.later", game=self._kind.name, n=at + 1)
                return
            at = after
        self._say("terminal.learn.done", game=self._kind.name)

    def _step(self, at: int) -> int | None:
        """Let the person do one step. Returns the number of the next one, or None when the person stops."""
        from cupboard.cli.terminal import ask
        from cupboard.core.lessons import Attempt
        from cupboard.core.words import catalogue

        step = self._steps[at]
        attempt = Attempt(self._kind, step)
        print()
        self._say("terminal.learn.step", style="bold", n=at + 1, count=len(self._steps))
        self._show(attempt)
        self._say(step.words)
        if step.goal.kind == "point":
            self._say("terminal.learn.point")
        while True:
            match (text := ask("> ")).lower():
                case "":
                    continue
                case "quit" | "q":
                    return None
                case "skip":
                    return at + 1
                case "back":
                    return max(0, at - 1)
                case "help" | "?":
                    self._say("terminal.learn.intro", game=self._kind.title)
                    if f"{self._kind.name}.legend" in catalogue("en"):
                        self._say(f"{self._kind.name}.legend")
                    continue
            if self._try(attempt, text):
                self._say(step.done, style="green")
                if step.rules:
                    self._say("terminal.learn.rules", style="dim", rules=", ".join(step.rules))
                return at + 1

    def _try(self, attempt: Attempt, text: str) -> bool:
        """Take what the person typed. Returns whether the step is done; if not, says why."""
        from cupboard.cli.language import reason
        from cupboard.core.errors import CupboardError

        if attempt.step.goal.kind == "point":
            if attempt.points(text):
                return True
            self._say(attempt.step.wrong.get(text) or "terminal.learn.elsewhere")
            return False
        try:
            verdict = attempt.play(text)
        except CupboardError as error:
            self._print(reason(error))
            return False
        if verdict == "wrong":
            self._say(attempt.wrong(text) or "terminal.learn.again")
            return False
        self._show(attempt)
        return verdict == "done"

    def _show(self, attempt: Attempt) -> None:
        from cupboard.cli.terminal import show
        from cupboard.cli.terminal_board import draw_parts

        scene = attempt.position.seen_by(attempt.step.seat).scene()
        for line in draw_parts(scene):
            show(line)

    def _say(self, key: str, style: str = "", **values: Any) -> None:
        from cupboard.core.words import phrase

        self._print(phrase(key, **values), style)

    def _print(self, text: Text, style: str = "") -> None:
        from cupboard.cli.language import told
        from cupboard.cli.terminal import say

        say(told(text), style=style)


def _file() -> Path:
    from cupboard.server.settings import data_folder

    return data_folder() / "learned.json"


def _kept(game: str) -> int:
    """The step where the person stopped; 0 at the first time, and when the file cannot be read."""
    try:
        kept = json.loads(_file().read_text(encoding="utf-8"))
        return int(kept.get(game, 0))
    except (OSError, ValueError, TypeError, AttributeError):
        return 0


def _keep(game: str, at: int) -> None:
    """Remember the step for the next time. Without a place to write, nothing is remembered."""
    from contextlib import suppress

    from cupboard.arena.atomic import write_atomically
    from cupboard.core.errors import CupboardError

    with suppress(OSError, CupboardError):
        file = _file()
        try:
            kept = json.loads(file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            kept = {}
        file.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(file, json.dumps((kept if isinstance(kept, dict) else {}) | {game: at}))
