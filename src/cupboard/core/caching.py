# mypy: allow-untyped-calls
"""Compiled code between processes: where it is kept, and when it is too old.

numba's own cache wants a folder it can write to or raises an error, and it looks at one file: after an edit of a file
that this one imports, it would go on with the old rules. Ours asks several folders and is content with none, and its
stamp covers a file together with all files of the package that it imports, directly or indirectly. So compiled
functions may call compiled functions of other files.
"""

from __future__ import annotations

import hashlib
import logging
import os
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import platformdirs
from numba import config
from numba.core import caching

_LOG = logging.getLogger(__name__)
_SPARE = "CUPBOARD_SPARE_CACHE"
"""The environment variable that names a further folder, so that processes we start look there, too."""
_PACKAGE = Path(__file__).parents[1]
_IMPORT = re.compile(
    rb"^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import[ \t]+(\([^)]*\)|[^\n]*)|import[ \t]+([\w.]+))", re.MULTILINE
)
_WORD = re.compile(rb"\w+")


def keep_also_in(folder: Path) -> None:
    """Keep compiled code in this folder if neither the package's nor the user's cache folder can be written to."""
    os.environ[_SPARE] = str(folder)


class Shelves(caching._Cache):
    """Reads a function's machine code from the first place that has it, writes it to the first that takes it."""

    def __init__(self, function: Callable[..., Any], file: Path) -> None:
        self._shelves = [shelf(function) for shelf in _shelves(file)]

    @property
    def cache_path(self) -> str | None:
        """The first folder, which numba shows in its statistics."""
        return str(self._shelves[0].cache_path) if self._shelves else None

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The machine code for this signature, or None."""
        for shelf in self._shelves:
            try:
                found = shelf.load_overload(sig, target_context)
            except Exception as error:  # a file that is cut off, unreadable or of another program: compile instead
                _LOG.debug("%s holds no machine code that can be read: %s", shelf.cache_path, error)
                continue
            if found is not None:
                return found
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
    for folder in (_user_cache(), os.environ.get(_SPARE)):
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


@cache
def stamp(file: Path) -> bytes:
    """A hash of the file and of all files of the package that it imports, directly or indirectly."""
    digest = hashlib.sha256()
    for path in sorted(_closure(file)):
        digest.update(path.name.encode() + b"\0" + _read(path)[0] + b"\0")
    return digest.digest()


def _closure(file: Path) -> set[Path]:
    """The file and all files of the package that it imports, directly or indirectly."""
    found: set[Path] = set()
    wanted = [file]
    while wanted:
        path = wanted.pop()
        if path not in found:
            found.add(path)
            wanted += _read(path)[1]
    return found


@cache
def _read(file: Path) -> tuple[bytes, tuple[Path, ...]]:
    """A hash of the file's content, and the files of the package that its import statements name.

    A file of data beside it, `odds.txt` beside `odds.py`, belongs to its content."""
    text = file.read_bytes()
    named: set[str] = set()
    for source, names, module in _IMPORT.findall(text):
        named.add((source or module).decode())
        named |= {f"{source.decode()}.{name.decode()}" for name in _WORD.findall(names)}
    data = file.with_suffix(".txt")
    if data.is_file():  # what a module reads when it is imported may be compiled in
        text += data.read_bytes()
    return hashlib.sha256(text).digest(), tuple(filter(None, map(_file_of, sorted(named))))


def _file_of(module: str) -> Path | None:
    """The file of a module of this package, or None if there is no such module."""
    package, *parts = module.split(".")
    if package != _PACKAGE.name:
        return None
    path = _PACKAGE.joinpath(*parts)
    return next((file for file in (path.with_suffix(".py"), path / "__init__.py") if file.is_file()), None)
