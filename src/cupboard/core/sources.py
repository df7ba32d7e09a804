"""The package's own source files: which of them a file imports, a stamp of them, and how much there is to compile.

Nothing here needs the compiler, so it can be asked before that is loaded.
"""

from __future__ import annotations

import ast
import hashlib
import os
import re
from functools import cache
from pathlib import Path

SPARE_CACHE = "CUPBOARD_SPARE_CACHE"
"""The environment variable that names a further folder for compiled code, so that our processes look there, too."""
_PACKAGE = Path(__file__).parents[1]
_IMPORT = re.compile(
    rb"^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import[ \t]+(\([^)]*\)|[^\n]*)|import[ \t]+([\w.]+))", re.MULTILINE
)
_WORD = re.compile(rb"\w+")
_COMPILED = ("fast", "inner")
"""The decorators of core.kernel."""


def keep_also_in(folder: Path) -> None:
    """Keep compiled code in this folder if neither the package's nor the user's cache folder can be written to."""
    os.environ[SPARE_CACHE] = str(folder)


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


@cache
def compiled_size(module: str) -> int:
    """How much a module brings to compile, itself or by what it imports: the number of nodes of the syntax trees."""
    file = _file_of(module)
    return 0 if file is None else sum(map(_compiled_nodes, _closure(file)))


@cache
def _compiled_nodes(file: Path) -> int:
    text = file.read_bytes()
    if not any(f"@{name}".encode() in text for name in _COMPILED):
        return 0
    functions = [node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]
    return sum(len(list(ast.walk(one))) for one in functions if any(map(_is_compiling, one.decorator_list)))


def _is_compiling(decorator: ast.expr) -> bool:
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    return isinstance(called, ast.Name) and called.id in _COMPILED
