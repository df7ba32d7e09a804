"""The journal of a tournament: a folder that lists the finished games, so that it can be stopped and resumed.

    heading.json      which tournament it is
    games.jsonl       one line for each finished game, flushed to the disk before the game counts
    games/ID.game     the record of the game, for `cupboard replay`

A line that a crash cut off is dropped at the next start, and a game that is added twice counts once.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

from cupboard.arena.atomic import write_atomically
from cupboard.arena.game_runner import GameResult
from cupboard.core.errors import CupboardError

__all__ = ["BadJournal", "Journal"]


class BadJournal(CupboardError):
    """The folder belongs to another tournament, cannot be used, or is locked by another process."""

    code = "bad-journal"


class Journal:
    """An open journal, locked against other processes: `with Journal.open(folder, heading) as journal`."""

    def __init__(self, folder: Path, heading: dict[str, object]) -> None:
        self.folder = folder
        self.done: dict[str, GameResult] = {}
        """The results of the finished games by id, the oldest first."""
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
        """The journal of the tournament with this heading: a new one, or the one already in the folder."""
        journal = cls(folder, heading)
        try:
            yield journal
        finally:
            journal.close()

    def add(self, played: GameResult) -> bool:
        """Write a finished game to the disk. Returns False if it was there already."""
        if played.id in self.done:
            return False
        # The record first: a line in the journal means that the file is there.
        write_atomically(self.folder / "games" / f"{played.id}.game", played.record)
        line = json.dumps(played.to_json(), ensure_ascii=False, separators=(",", ":")) + "\n"
        os.write(self._file, line.encode())
        try:
            os.fsync(self._file)
        finally:  # the line is there, even if Ctrl-C comes while the disk is busy
            self.done[played.id] = played
        return True

    def close(self) -> None:
        """Close the files and release the lock."""
        for handle in (self._file, self._lock):
            if handle >= 0:
                os.close(handle)
        self._file = self._lock = -1

    def _take_lock(self) -> None:
        self._lock = os.open(self.folder / ".lock", os.O_RDWR | os.O_CREAT, 0o644)
        try:
            import fcntl
        except ImportError:  # pragma: no cover  # a system without file locks
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
                played = GameResult.from_json(json.loads(line))
            except (ValueError, TypeError, KeyError) as error:
                raise BadJournal(f"Line {number} of {path} is not a finished game.") from error
            self.done.setdefault(played.id, played)
