"""Autosave: the record of a game at the terminal is written to a file after every move."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from cupboard.cli.files import FileTrouble, record_text, write_whole
from cupboard.core.words import phrase, quoted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cupboard.core.match import Match
    from cupboard.core.record import Record, RecordedMove


@dataclass
class Autosave:
    """Saves a match to `path`, with the tags and comments that its record had before."""

    path: Path
    tags: Mapping[str, str] = field(default_factory=dict)
    earlier: tuple[RecordedMove, ...] = ()
    is_saved: bool = False
    """Whether the file holds the match as it is now."""

    def save(self, match: Match) -> None:
        """Write the match. Raises FileTrouble on failure. No new file is made before a seat has moved."""
        self.is_saved = False
        if self.path.exists() or any(entry.seat >= 0 for entry in match.log):
            write_whole(self.path, record_text(self.record(match), self.path.suffix.lower() == ".json"))
            self.is_saved = True

    def record(self, match: Match) -> Record:
        """The match as a Record, in which moves of the earlier record keep their comments."""
        from cupboard.core.record import Record

        record = Record.of(match, **self.tags)
        moves = list(record.moves)
        for n, (old, new) in enumerate(zip(self.earlier, record.moves, strict=False)):
            if (old.seat, old.text) != (new.seat, new.text):
                break
            moves[n] = replace(new, comment=old.comment)
        return replace(record, moves=tuple(moves))


def new_file(name: str) -> Path:
    """The path of a new file that the user named. Raises FileTrouble if it exists or its folder does not."""
    path = Path(name).expanduser()
    if path.exists():
        raise FileTrouble(phrase("terminal.file.there", name=quoted(name), file=name))
    if not path.parent.is_dir():
        raise FileTrouble(phrase("terminal.file.noFolder", folder=quoted(str(path.parent)), name=quoted(path.name)))
    return path


def usual_file(game: str) -> Path:
    """The path for a game saved without a name: a new file in the user's data folder, named by game and time."""
    from platformdirs import user_data_path

    try:
        folder = user_data_path("cupboard", appauthor=False) / "games"
    except RuntimeError:
        folder = Path("~")
    if not folder.is_absolute():  # some versions of platformdirs leave the "~" of a user without a home as it is
        raise FileTrouble(phrase("terminal.file.noHome"))
    try:
        folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)  # the server keeps its secrets there
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise FileTrouble(
            phrase("terminal.file.notKept", folder=quoted(str(folder)), why=error.strerror or str(error))
        ) from None
    stem = f"{game}-{datetime.now():%Y%m%d-%H%M%S}"
    path = folder / f"{stem}.game"
    again = 1
    while path.exists():
        again += 1
        path = folder / f"{stem}-{again}.game"
    return path
