"""`cupboard serve --workers N`: several processes on one socket."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path

import httpx
from tests.server.helpers import wait_for
from tests.server.postgres import Postgres
from tests.server.program import PROGRAM, Program, at_socket, running


def children(program: Program) -> list[int]:
    """The processes that serve."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            words = (folder / "cmdline").read_bytes()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if parent == program.process.pid and b"cupboard.server.worker" in words:
            found.append(int(folder.name))
    return sorted(found)


def test_several_processes_answer_and_one_that_dies_is_started_again(postgres: Postgres, tmp_path: Path) -> None:
    with running(tmp_path, "--workers", 2, "--database", postgres.new_database(), "--no-browser") as program:
        first = children(program)
        assert len(first) == 2
        assert httpx.get(f"{program.url}/readyz").status_code == 200
        shown = subprocess.run(
            [*PROGRAM, "admin", "now", "--settings", tmp_path / "test.toml", "--json"], capture_output=True, check=True
        )
        assert len(json.loads(shown.stdout)) == 2, "the shell asks each of them"
        os.kill(first[0], signal.SIGKILL)
        assert httpx.get(f"{program.url}/api/health").status_code == 200
        wait_for(lambda: len(set(children(program)) - {first[0]}) == 2, 30)
        assert first[1] in children(program)
        wait_for(lambda: "worker-ended" in "".join(program.log))

        # SIGHUP restarts them one after the other, and all the while somebody answers.
        before = children(program)
        program.process.send_signal(signal.SIGHUP)
        answered = 0
        with httpx.Client(base_url=program.url, headers={"connection": "close"}) as http:
            while set(children(program)) & set(before) or len(children(program)) < 2:
                assert http.get("/api/health").status_code == 200
                answered += 1
        assert answered
        wait_for(lambda: httpx.get(f"{program.url}/readyz").status_code == 200)
    assert program.process.returncode == 0
    assert not children(program)


def test_several_processes_share_a_unix_socket(postgres: Postgres, tmp_path: Path) -> None:
    path = tmp_path / "s"
    with (
        running(tmp_path, "--workers", 2, "--database", postgres.new_database(), "--socket", path) as program,
        at_socket(path) as http,
    ):
        assert http.get("/api/health").status_code == 200
        assert len(children(program)) == 2
        program.process.kill()  # they notice that nobody looks after them any more
        workers = children(program)
        wait_for(lambda: not any(Path(f"/proc/{pid}").exists() for pid in workers), 30)


def test_with_a_file_as_the_database_there_is_one_process(tmp_path: Path) -> None:
    program = Program(tmp_path, "--workers", 2, "--no-browser")
    program.wait()
    assert program.end() != 0
    assert "Several processes need PostgreSQL" in " ".join(" ".join(program.log).split())


def test_a_database_that_cannot_be_reached_is_said_once(tmp_path: Path) -> None:
    program = Program(tmp_path, "--workers", 3, "--database", "postgresql://nobody@127.0.0.1:9/none", "--no-browser")
    program.wait()
    assert program.end() != 0
    assert " ".join(program.log).count("cannot be opened") == 1, program.log
