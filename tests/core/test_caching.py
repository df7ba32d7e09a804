"""Compiled code is kept where that is possible, used while it is of today's sources, and never in the way."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from cupboard.core import caching

CORE = Path(caching.__file__).parent
NOBODY = 54321
"""A user that the machine has no name and no home for, as in a container."""
PROGRAM = """
from numba.core import event
class Count(event.Listener):
    parts = 0
    def on_start(self, event): self.parts += 1
    def on_end(self, event): pass
count = Count()
with event.install_listener("numba:compile", count):
    from cupboard.games.toy import kernel
    print(kernel.twice(20), "compiled" if count.parts else "read")
"""
KERNEL = """
from numba import int64
from cupboard.core.kernel import fast
from cupboard.games.toy.part import step
@fast(int64(int64))
def twice(n):
    return step(n) + step(n)
"""
PART = """
from cupboard.core.kernel import inner
@inner
def step(n):
    return n + {by}
"""
WORD = "Compiled code cannot be kept, so every start will compile again"


class Installed:
    """A copy of the package with a small game, which belongs to somebody else than who runs it, if it can be so."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.package = home / "site" / "cupboard"
        self.toy = self.package / "games" / "toy"
        shutil.copytree(CORE, self.package / "core", ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(CORE.parent / "__init__.py", self.package)
        self.toy.mkdir(parents=True)
        (self.toy / "kernel.py").write_text(KERNEL)
        self.edit(1)

    def edit(self, by: int) -> None:
        (self.toy / "part.py").write_text(PART.format(by=by))

    def run(self, *before: str, **variables: str) -> str:
        """What the program says."""
        done = self.start(*before, **variables)
        assert done.returncode == 0 and done.stderr == "", done.stderr
        return done.stdout.strip()

    def start(self, *before: str, **variables: str) -> subprocess.CompletedProcess[str]:
        environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(self.home / "site"), **variables}
        command = [*before, sys.executable, "-B", "-c", PROGRAM]
        return subprocess.run(
            command, env=environment, cwd=self.home, capture_output=True, text=True, timeout=120, umask=0o002
        )

    def folder(self, name: str, owner: int | None = None) -> Path:
        made = self.home / name
        made.mkdir()
        if owner is not None:
            os.chown(made, owner, owner)
        return made


@pytest.fixture
def installed() -> Iterator[Installed]:
    with tempfile.TemporaryDirectory() as home:
        Path(home).chmod(0o755)  # pytest's own folders are closed to other users
        yield Installed(Path(home).resolve())


@pytest.fixture
def stranger() -> tuple[str, ...]:
    """What makes the program run as a user who may read everything and write nothing."""
    setpriv = shutil.which("setpriv")
    if os.name == "nt" or os.geteuid() != 0 or setpriv is None:
        pytest.skip("only root can run a program as somebody else, with setpriv")
    return setpriv, f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"


def test_an_edit_of_an_imported_file_is_noticed_and_other_edits_are_none_of_its_business(installed: Installed) -> None:
    home = str(installed.folder("home"))
    assert [installed.run(HOME=home) for _ in range(2)] == ["42 compiled", "42 read"]
    installed.edit(2)
    assert installed.run(HOME=home) == "44 compiled"
    (installed.toy / "rules.py").write_text("# nothing that is compiled")
    os.utime(installed.toy / "part.py")
    assert installed.run(HOME=home) == "44 read"
    row = installed.package / "core" / "row.py"
    row.write_text(row.read_text() + "# a file that the kernel imports by another\n")
    assert installed.run(HOME=home) == "44 compiled"


def test_a_copy_of_the_sources_takes_the_compiled_code_along(installed: Installed) -> None:
    installed.run()
    shutil.copytree(installed.home / "site", installed.home / "copy")
    shutil.rmtree(installed.home / "site")
    (installed.home / "copy").rename(installed.home / "site2")
    installed.home.joinpath("site").symlink_to("site2")
    assert installed.run() == "42 read"


def test_who_may_write_nowhere_compiles_each_time_and_is_told_once(
    installed: Installed, stranger: tuple[str, ...]
) -> None:
    for _ in range(2):
        done = installed.start(*stranger)  # no HOME either
        assert (done.returncode, done.stdout) == (0, "42 compiled\n")
        assert done.stderr.startswith(WORD) and len(done.stderr.splitlines()) == 1


def test_who_may_not_write_where_it_is_installed_keeps_it_at_home_or_in_the_data_folder(
    installed: Installed, stranger: tuple[str, ...]
) -> None:
    spare, home = installed.folder("data", NOBODY), installed.folder("home", NOBODY)
    for where in ({"CUPBOARD_SPARE_CACHE": str(spare / "compiled")}, {"HOME": str(home)}):
        assert [installed.run(*stranger, **where) for _ in range(2)] == ["42 compiled", "42 read"]
    assert list(spare.rglob("*.nbc")) and list(home.rglob("*.nbc"))
    assert not list(installed.package.rglob("*.nbc"))


@pytest.mark.parametrize("where", ["beside", "given"])
def test_a_full_cache_that_cannot_be_written_to_is_used(
    installed: Installed, stranger: tuple[str, ...], where: str
) -> None:
    """As in a container whose image was warmed when it was built."""
    variables = {"NUMBA_CACHE_DIR": str(installed.folder("cache"))} if where == "given" else {}
    assert installed.run(**variables) == "42 compiled"
    assert installed.run(*stranger, **variables) == "42 read"
    installed.edit(2)
    done = installed.start(*stranger, **variables)
    assert done.stdout == "44 compiled\n" and done.stderr.startswith(WORD)


def test_code_that_others_could_have_put_there_is_not_run(installed: Installed, stranger: tuple[str, ...]) -> None:
    """The data folder may be one that everybody writes to."""
    spare = installed.folder("data", NOBODY)
    spare.chmod(0o777)
    for _ in range(2):
        done = installed.start(*stranger, CUPBOARD_SPARE_CACHE=str(spare))
        assert done.stdout == "42 compiled\n" and done.stderr.startswith(WORD)
    assert not list(spare.iterdir())


@pytest.mark.parametrize("ending", ["nbi", "nbc"])
def test_a_damaged_cache_is_compiled_anew(installed: Installed, ending: str) -> None:
    installed.run()
    (file,) = installed.package.rglob(f"*.{ending}")
    file.write_bytes(file.read_bytes()[:20])
    assert [installed.run() for _ in range(2)] == ["42 compiled", "42 read"]


def test_without_a_compiler_functions_are_plain_python(installed: Installed) -> None:
    assert installed.run(NUMBA_DISABLE_JIT="1") == "42 read"
