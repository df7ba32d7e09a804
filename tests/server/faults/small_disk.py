"""A small disk that can really be full: a file system in memory, mounted for a test. Only root may do that.

Where nobody may, as in some containers, trials are without this fault and say so: no other limit makes SQLite and
PostgreSQL say what they say when a disk is full."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_BLOCK = b"\0" * 65_536
_BALLAST = "ballast"


class NoSmallDisk(Exception):
    """This user, or this container, may not mount anything."""


class SmallDisk:
    """A mounted file system of a few megabytes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._ballast = folder / _BALLAST

    def fill(self) -> None:
        """Take every byte that is left: whoever writes more is told ENOSPC."""
        with self._ballast.open("ab", buffering=0) as file:
            for size in (len(_BLOCK), 4096, 512):
                with suppress(OSError):
                    while file.write(_BLOCK[:size]):
                        pass

    def free(self) -> None:
        """Give the space back."""
        self._ballast.unlink(missing_ok=True)


@contextmanager
def small_disk(folder: Path, megabytes: int) -> Iterator[SmallDisk]:
    """A disk of this size, mounted at the folder; NoSmallDisk where mounting is not allowed."""
    folder.mkdir(parents=True, exist_ok=True)
    if os.geteuid() != 0:
        raise NoSmallDisk("Only root may mount a small disk: none will be full.")
    options = f"size={megabytes}m,mode=755"
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", options, "cupboard-test", str(folder)], capture_output=True, text=True
    )
    if mounted.returncode:
        raise NoSmallDisk(f"No small disk can be mounted, so none will be full: {mounted.stderr.strip()}")
    try:
        yield SmallDisk(folder)
    finally:
        # Lazily: a process that ends at this moment may still have a file open.
        subprocess.run(["umount", "--lazy", str(folder)], check=True)
