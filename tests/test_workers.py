"""What conftest.py at the root promises of the way tests are run, tried out on a few small ones."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from itertools import combinations
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
INTERRUPTED = """
import signal, subprocess, sys
import pytest

def test_ctrl_c_interrupts():
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)

def test_ctrl_c_ends_a_program():
    program = "import time; print('on', flush=True); time.sleep(60)"
    child = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE)
    child.stdout.readline()
    child.send_signal(signal.SIGINT)
    assert child.wait(30) != 0
"""
MEASURING = """
import json, os, time
import pytest

@pytest.fixture(autouse=True)
def times(request):
    began = time.monotonic()
    yield
    told = [bool(request.node.get_closest_marker("quiet")), os.environ["PYTEST_XDIST_WORKER"], began, time.monotonic()]
    with open("times", "a") as file:
        file.write(json.dumps(told) + "\\n")

@pytest.mark.parametrize("n", range(6))
def test_one_of_many(n):
    time.sleep(0.3)

@pytest.mark.quiet
@pytest.mark.parametrize("n", range(2))
def test_one_that_measures_time(n):
    time.sleep(0.3)
"""


def run(folder: Path, tests: str, *command: str) -> str:
    """What pytest says about these tests in a folder of their own, under our conftest.py."""
    shutil.copy(ROOT / "conftest.py", folder)
    (folder / "pytest.ini").write_text("[pytest]\nmarkers = quiet\n")
    (folder / "test_it.py").write_text(tests)
    done = subprocess.run([*command, *PYTEST], cwd=folder, capture_output=True, text=True, timeout=120)
    return done.stdout + done.stderr


PYTEST = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "."]


@pytest.mark.parametrize("workers", ["0", "2"])
def test_a_signal_that_the_shell_ignores_reaches_tests_and_their_programs(
    workers: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A shell without job control starts what it puts into the background with SIGINT ignored."""
    monkeypatch.setenv("PYTEST_ADDOPTS", f"-n {workers}")
    assert "2 passed" in run(tmp_path, INTERRUPTED, "sh", "-c", 'trap "" INT; "$@"', "sh")


def test_a_quiet_test_has_the_machine_to_itself_and_others_run_two_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTEST_ADDOPTS", "-n 2")
    assert "8 passed" in run(tmp_path, MEASURING)
    told = [json.loads(line) for line in (tmp_path / "times").read_text().splitlines()]
    together = [(one, other) for one, other in combinations(told, 2) if one[2] < other[3] and other[2] < one[3]]
    assert together and {worker for _, worker, _, _ in told} == {"gw0", "gw1"}
    assert not [pair for pair in together if pair[0][0] or pair[1][0]], "a quiet test ran beside another"
