"""Before all tests: what every machine and every shell must be told for them to mean the same, and two at a time.

- What they import is compiled once, also where Python is told to keep no bytecode: tests start hundreds of programs,
  and each would read numba's thousand modules anew. The rules are compiled before the workers start, not by each.
- Ctrl-C works: a job in the background of a shell ignores it, and so would every program that tests start and stop.
- A worker for each core, unless a single file was asked for: it is done before a second worker has started.
  `-n 0` has none, `-n 4` four; without pytest-xdist there are none either.
- A test that is marked `quiet` measures time: the other workers wait until it is done.
- An example of Hypothesis may take as long as it takes: how quick something is, is for tests that say so.
"""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import pytest
from hypothesis import settings

settings.register_profile("cupboard", deadline=None)
settings.load_profile("cupboard")

sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

MOST_WORKERS = 2
"""More would let tests with a server and a browser of their own time out on each other."""
SHARING = ("tests/arena/", "tests/server/", "tests/web/")
"""Folders with files whose tests share something that takes seconds to make: a server, a tournament."""
COMPILE = """
import sys
from importlib import import_module
from pkgutil import walk_packages
for module in walk_packages(import_module(sys.argv[1]).__path__, sys.argv[1] + "."):
    if ".test_" not in module.name:
        import_module(module.name)
"""
LOCKS = pytest.StashKey[list[IO[str]]]()


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """Choose how many workers there are, where nobody has, and what they are given."""
    if not config.pluginmanager.hasplugin("xdist") or hasattr(config, "workerinput"):
        return
    options = config.option
    if options.numprocesses is None and not options.usepdb and not options.collectonly:
        is_small = len(config.args) == 1 and not Path(config.args[0]).is_dir()
        options.numprocesses = 0 if is_small else min(MOST_WORKERS, os.cpu_count() or 1)
    if options.numprocesses and options.dist == "no":
        options.dist = "loadscope"  # which asks pytest_xdist_make_scheduler


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_setupnodes(config: pytest.Config) -> None:
    """Compile the rules and the players, each in a process of its own: the workers then find them compiled.

    What cannot be imported is told by the tests that import it.
    """
    commands = [[sys.executable, "-c", COMPILE, f"cupboard.{part}"] for part in ("games", "players")]
    for job in [subprocess.Popen(command, stderr=subprocess.DEVNULL) for command in commands]:
        job.wait()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Some files go to one worker as a whole, all other tests one by one to whichever worker is free."""
    from xdist.scheduler import LoadScopeScheduling

    class Scheduler(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return nodeid.partition("::")[0] if nodeid.startswith(SHARING) else nodeid

    return Scheduler(config, log)


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Keep bytes out of the names of tests: frames have random masks, and workers must agree on the names."""
    return argname if isinstance(val, bytes) else None


def pytest_configure(config: pytest.Config) -> None:
    """Let a worker find the locks by which it gives way to others."""
    if run := getattr(config, "workerinput", {}).get("testrunuid"):
        folder = Path(tempfile.gettempdir())
        config.stash[LOCKS] = [(folder / f"cupboard-{run}.{name}").open("w") for name in ("door", "room")]


def pytest_unconfigure(config: pytest.Config) -> None:
    """Remove the locks."""
    for lock in config.stash.get(LOCKS, []):
        lock.close()
        Path(lock.name).unlink(missing_ok=True)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[Any]:
    """Run the test beside those of other workers, or alone if it is quiet."""
    with _among_workers(item):
        return (yield)


@contextmanager
def _among_workers(item: pytest.Item) -> Iterator[None]:
    if LOCKS not in item.config.stash:
        yield
        return
    door, room = item.config.stash[LOCKS]
    fcntl.flock(door, fcntl.LOCK_EX)  # who waits for the room to be empty keeps others from going in
    fcntl.flock(room, fcntl.LOCK_EX if item.get_closest_marker("quiet") else fcntl.LOCK_SH)
    fcntl.flock(door, fcntl.LOCK_UN)
    try:
        yield
    finally:
        fcntl.flock(room, fcntl.LOCK_UN)
