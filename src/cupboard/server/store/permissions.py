"""The data folder is its owner's alone: it holds the hashes of passwords and the secret of all seat tokens."""

from __future__ import annotations

import logging
import os
import stat
from pathlib import Path

_LOG = logging.getLogger(__name__)
_ONLY_FOLDER, _ONLY_FILE = 0o700, 0o600
_OTHERS = stat.S_IRWXG | stat.S_IRWXO
_OURS = ("cupboard.db", "cupboard-", ".cupboard-", "games", "compiled", "running-")
"""What the names of everything in a data folder begin with; a folder with other things in it is not ours to close."""


def make_folder(folder: Path) -> None:
    """Make the data folder, if it is not there, for nobody but its owner."""
    folder.mkdir(mode=_ONLY_FOLDER, parents=True, exist_ok=True)


def make_private(file: Path) -> None:
    """Make the database file and its folder if need be, for nobody but their owner; say so where they were open.

    SQLite gives the files beside it (-wal, -shm) the permissions of the first."""
    make_folder(file.parent)
    if os.name == "nt":
        return  # there the folder of a user is the user's alone anyway
    if not file.exists():
        # Whatever the umask says, and at once: not even for a moment is it open.
        os.close(os.open(file, os.O_CREAT | os.O_RDWR, _ONLY_FILE))
    for path in (file.parent, *(file.with_name(file.name + end) for end in ("", "-wal", "-shm"))):
        if path.exists():
            _close(path)


def _close(path: Path) -> None:
    known = path.stat()
    if not known.st_mode & _OTHERS:
        return
    if known.st_uid == os.geteuid() and (path.is_file() or _is_ours(path)):
        path.chmod(stat.S_IMODE(known.st_mode) & ~_OTHERS)
        _LOG.warning("%s was open to others on this machine; now it is yours alone.", path)
    else:
        _LOG.warning("%s is open to others on this machine. It should be its owner's alone: chmod go= %s", path, path)


def _is_ours(folder: Path) -> bool:
    return all(path.name.startswith(_OURS) for path in folder.iterdir())
