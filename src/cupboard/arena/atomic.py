"""Files that are replaced as a whole, so that a crash never leaves half of one behind."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["write_atomically"]


def write_atomically(path: Path, data: str | bytes) -> None:
    """Replace a file's content: it always holds the whole old or the whole new content. Text is written as UTF-8."""
    new = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        new.write_bytes(data.encode() if isinstance(data, str) else data)
        new.replace(path)
    finally:
        new.unlink(missing_ok=True)
