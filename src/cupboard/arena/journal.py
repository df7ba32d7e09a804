"""The journal of a tournament: a folder that always tells which games are done.

    heading.json      what tournament it is
    games.jsonl       one line for each finished game, appended and flushed to the disk before it counts
    games/ID.game     the game itself, as `cupboard replay` takes it

A line that a crash cut off is dropped at the next start, and a game that comes twice counts once.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

from cupboard.arena.play import Played
from cupboard.core.errors import CupboardError

__all__ = ["BadJournal", "Journal"]


class BadJournal(CupboardError):
    """The folder holds something else, or somebody else writes to it now."""

    code = "bad-journal"


class Journal:
    """An open journal; `with Journal.open(folder, heading) as journal`."""

    def __init__(self, folder: Path, heading: dict[str, object]) -> None:
        self.folder = folder
        self.done: dict[str, Played] = {}
        """The finished games by id, oldest first."""
        self._lock = -1
        self._file = -1
        try:
            (folder / "games").mkdir(parents=True, exist_ok=True)
            self._take_lock()
            self._check(heading)
            self._file = os.open(folder / "games.jsonl", os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
            self._load()
        except OSError as error:
            self.close()
            raise BadJournal(f"The folder {folder} cannot be used: {error.strerror or error}.") from error
        except BaseException:
            self.close()
            raise

    @classmethod
    @contextmanager
    def open(cls, folder: Path, heading: dict[str, object]) -> Iterator[Self]:
        """The journal of this tournament, begun or continued."""
        journal = cls(folder, heading)
        try:
            yield journal
        finally:
            journal.close()

    def add(self, played: Played) -> bool:
        """Keep a finished game; False when it was there already."""
        if played.id in self.done:
            return False
        # The record first: a line in the journal promises the file.
        write_atomically(self.folder / "games" / f"{played.id}.game", played.record)
        line = json.dumps(played.to_json(), ensure_ascii=False, separators=(",", ":")) + "\n"
        os.write(self._file, line.encode())
        try:
            os.fsync(self._file)
        finally:  # the line is there, even if Ctrl-C comes while the disk is busy
            self.done[played.id] = played
        return True

    def close(self) -> None:
        """Let go of the folder."""
        for handle in (self._file, self._lock):
            if handle >= 0:
                os.close(handle)
        self._file = self._lock = -1

    def _take_lock(self) -> None:
        self._lock = os.open(self.folder / ".lock", os.O_RDWR | os.O_CREAT, 0o644)
        try:
            import fcntl
        except ImportError:  # pragma: no cover  # a system without such locks trusts its user
            return
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise BadJournal(f"Another arena is writing to {self.folder} right now.") from error

    def _check(self, heading: dict[str, object]) -> None:
        path = self.folder / "heading.json"
        if not path.exists():
            write_atomically(path, json.dumps(heading, indent=2, ensure_ascii=False) + "\n")
            return
        try:
            found = json.loads(path.read_text(encoding="utf-8"))
        except ValueError as error:
            raise BadJournal(f"{path} is not the heading of a tournament.") from error
        if found != heading:
            differs = sorted(
                name for name in heading if not isinstance(found, dict) or found.get(name) != heading[name]
            )
            raise BadJournal(
                f"{self.folder} holds another tournament: {', '.join(differs) or 'something'} differs. "
                "Choose another folder with --out."
            )

    def _load(self) -> None:
        path = self.folder / "games.jsonl"
        data = path.read_bytes()
        whole = data.rfind(b"\n") + 1
        if whole < len(data):
            os.ftruncate(self._file, whole)
        for number, line in enumerate(data[:whole].splitlines(), start=1):
            try:
                played = Played.from_json(json.loads(line))
            except (ValueError, TypeError, KeyError) as error:
                raise BadJournal(f"Line {number} of {path} is not a finished game.") from error
            self.done.setdefault(played.id, played)


def write_atomically(path: Path, text: str | bytes) -> None:
    """The whole text or nothing: written beside it, then put in its place."""
    part = path.with_name(path.name + ".part")
    if isinstance(text, str):
        part.write_text(text, encoding="utf-8")
    else:
        part.write_bytes(text)
    part.replace(path)
