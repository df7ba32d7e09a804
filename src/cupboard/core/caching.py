# mypy: allow-untyped-calls
"""Compiled code between processes: where it is kept, and when it is too old.

numba's own cache wants a folder it can write to or raises an error, and it looks at one file: after an edit of a file
that this one imports, it would go on with the old rules. Ours asks several folders and is content with none, and its
stamp (`sources.py`) covers a file together with all files of the package that it imports, directly or indirectly. So
compiled functions may call compiled functions of other files.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import Any

import platformdirs
from numba import config
from numba.core import caching

from cupboard.core.sources import SPARE_CACHE, stamp

_LOG = logging.getLogger(__name__)
_only_kept: ContextVar[bool] = ContextVar("only_kept", default=False)


class NotKept(Exception):
    """No folder has the machine code of a function, in a block that may not compile."""


@contextmanager
def only_kept_code() -> Iterator[None]:
    """Let the block load compiled code and never compile: it ends with NotKept at the first function to be compiled.

    A module whose import ends so can be imported again later."""
    token = _only_kept.set(True)
    try:
        yield
    finally:
        _only_kept.reset(token)


class Shelves(caching._Cache):
    """Reads a function's machine code from the first place that has it, writes it to the first that takes it."""

    def __init__(self, function: Callable[..., Any], file: Path) -> None:
        self._shelves = [shelf(function) for shelf in _shelves(file)]

    @property
    def cache_path(self) -> str | None:
        """The first folder, which numba shows in its statistics."""
        return str(self._shelves[0].cache_path) if self._shelves else None

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The machine code for this signature; None if it is to be compiled. Raises NotKept if it must not be."""
        for shelf in self._shelves:
            try:
                found = shelf.load_overload(sig, target_context)
            except Exception as error:  # a file that is cut off, unreadable or of another program: compile instead
                _LOG.debug("%s holds no machine code that can be read: %s", shelf.cache_path, error)
                continue
            if found is not None:
                return found
        if _only_kept.get():
            raise NotKept
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep the machine code in the first folder that takes it; if none does, log a warning, once."""
        for shelf in self._shelves:
            try:
                _put(shelf, sig, data)
                return
            except OSError as error:
                _LOG.debug("Compiled code cannot be kept in %s: %s", shelf.cache_path, error)
        _say_once()

    def enable(self) -> None:
        """Do nothing: caching is always on."""

    def disable(self) -> None:
        """Read and write no cached code any more."""
        self._shelves = []

    def flush(self) -> None:
        """Delete the cached code of this function in every folder."""
        for shelf in self._shelves:
            shelf.flush()


class _Locator(caching.InTreeCacheLocator):
    """Tells numba in which folder the code of a file is kept, and what stamp it must bear."""

    home: Path
    mode: int

    def __init__(self, function: Callable[..., Any], file: str) -> None:
        super().__init__(function, file)
        self._cache_path = str(self.home)

    @classmethod
    def from_function(cls, function: Callable[..., Any], file: str) -> _Locator:
        return cls(function, file)

    def ensure_cache_path(self) -> None:
        for folder in (self.home.parent, self.home):
            folder.mkdir(self.mode, parents=True, exist_ok=True)

    def get_source_stamp(self) -> bytes:
        return stamp(Path(self._py_file))


@cache
def _shelves(file: Path) -> tuple[type[Any], ...]:
    """One cache class of numba for each folder in which the functions of this file may be kept."""
    return tuple(_shelf(folder, mode) for folder, mode in _places(file))


def _shelf(folder: Path, permissions: int) -> type[Any]:
    class Locator(_Locator):
        home = folder
        mode = permissions

    class Files(caching.CompileResultCacheImpl):
        pass

    Files._locator_classes = [Locator]

    class Shelf(caching.FunctionCache):
        _impl_class = Files

    return Shelf


def _put(shelf: Any, sig: Any, data: Any) -> None:
    try:
        shelf.save_overload(sig, data)
    except OSError:
        raise
    except Exception:  # its index cannot be read: begin a new one
        shelf.flush()
        shelf.save_overload(sig, data)


@cache
def _say_once() -> None:
    _LOG.warning(
        "Compiled code cannot be kept, so every start will compile again: there is no folder to write to. "
        "NUMBA_CACHE_DIR names one."
    )


def _places(file: Path) -> Iterator[tuple[Path, int]]:
    """The folders in which the code of a file may be kept, best first, with the permissions to create each with."""
    name = caching._CacheLocator.get_suitable_cache_subpath(str(file))
    given = getattr(config, "CACHE_DIR", "")  # NUMBA_CACHE_DIR: whoever names an empty folder wants a fresh start
    yield Path(given) / name if given else file.parent / "__pycache__", 0o777
    for folder in (_user_cache(), os.environ.get(SPARE_CACHE)):
        if folder and Path(folder).is_absolute() and _is_safe(Path(folder)):
            yield Path(folder) / name, 0o700


def _user_cache() -> Path | None:
    try:
        return platformdirs.user_cache_path("cupboard", appauthor=False) / "compiled"
    except RuntimeError:
        return None  # a user without a home


def _is_safe(folder: Path) -> bool:
    """Whether no other user can write to the folder, whose code this process would run."""
    try:
        known = folder.stat()
    except OSError:
        return True  # it is yet to be made, or cannot be looked into
    return os.name == "nt" or (known.st_uid in (0, os.geteuid()) and not known.st_mode & 0o022)
