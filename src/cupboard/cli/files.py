"""Reading and writing files: errors are sentences, and a file is written completely or not at all."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from cupboard.core.errors import CupboardError
from cupboard.core.words import phrase, quoted

if TYPE_CHECKING:
    from cupboard.core.record import Record

STDIN = "-"
_MOST_BYTES = 8_000_000


class FileTrouble(CupboardError):
    """A file cannot be read or written; the sentence says why."""

    code = "file-trouble"


def is_file(name: str) -> bool:
    """Whether there is a file of this name; true for `-`, the standard input."""
    try:
        return name == STDIN or Path(name).exists()
    except (OSError, ValueError):  # too long for a name, or no name at all
        return False


def read_text(name: str) -> str:
    """The text of a file; `-` is the standard input. Raises FileTrouble if it cannot be read or is too long."""
    try:
        if name == STDIN:
            data = sys.stdin.buffer.read(_MOST_BYTES + 1)
        else:
            with Path(name).open("rb") as file:
                data = file.read(_MOST_BYTES + 1)
    except FileNotFoundError:
        raise FileTrouble(phrase("terminal.file.none", name=quoted(name))) from None
    except IsADirectoryError:
        raise FileTrouble(phrase("terminal.file.folder", name=quoted(name))) from None
    except (OSError, ValueError) as error:
        raise FileTrouble(phrase("terminal.file.unread", name=quoted(name[:200]), why=_reason(error))) from None
    if len(data) > _MOST_BYTES:
        raise FileTrouble(phrase("terminal.file.long", name=quoted(name)))
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise FileTrouble(phrase("terminal.file.noText", name=quoted(name))) from None


def read_record(name: str) -> Record:
    """The record in a file, written as text or as JSON. Its moves are not checked yet."""
    import json

    from cupboard.core.errors import BadRecord
    from cupboard.core.record import Record

    text = read_text(name)
    if not text.lstrip().startswith("{"):
        return Record.read(text)
    try:
        data = json.loads(text)
    except RecursionError:
        raise BadRecord(phrase("terminal.file.nested")) from None
    except ValueError as error:
        raise BadRecord(phrase("terminal.file.json", why=str(error))) from None
    return Record.from_json(data)


def record_text(record: Record, as_json: bool) -> str:
    """A record as the text of a file, or as JSON."""
    import json

    return json.dumps(record.to_json(), ensure_ascii=False, indent=2) + "\n" if as_json else str(record)


def write_whole(path: Path, data: str | bytes) -> None:
    """Replace a file's content atomically; a device or a pipe is written to. Raises FileTrouble if it cannot be."""
    from cupboard.arena.atomic import write_atomically

    try:
        target = path.resolve()
        if target.is_dir():
            raise FileTrouble(phrase("terminal.file.folder", name=quoted(str(path))))
        if target.exists() and not target.is_file():  # a device or a pipe: nothing to put in its place
            target.write_bytes(data.encode() if isinstance(data, str) else data)
        else:
            write_atomically(target, data)
    except FileNotFoundError:
        raise FileTrouble(
            phrase("terminal.file.noFolder", folder=quoted(str(path.parent)), name=quoted(path.name))
        ) from None
    except (OSError, ValueError) as error:
        if isinstance(error, FileTrouble):
            raise
        raise FileTrouble(phrase("terminal.file.unwritten", name=quoted(str(path)), why=_reason(error))) from None


def _reason(error: Exception) -> str:
    words = (error.strerror if isinstance(error, OSError) else None) or str(error)
    return words[:1].lower() + words[1:]
