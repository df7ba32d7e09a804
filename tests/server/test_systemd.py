"""Under systemd: a socket that it opened is used, it is told how the server is, and no browser is opened."""

from __future__ import annotations

import asyncio
import configparser
import os
import re
import select
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from tests.server.helpers import wait_for
from tests.server.program import Program, at_socket, running

from cupboard.server.systemd import Notifier, inherited_socket, is_service

DOCS = Path(__file__).parents[2] / "docs" / "hosting.md"


class Listener:
    """systemd's end of NOTIFY_SOCKET."""

    def __init__(self, address: str) -> None:
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(address)
        self.told: list[str] = []

    def hear(self) -> list[str]:
        """The lines it was told until now."""
        while select.select([self.socket], [], [], 0)[0]:
            self.told += self.socket.recv(4096).decode().splitlines()
        return self.told

    def until(self, line: str, seconds: float = 30) -> None:
        end = time.monotonic() + seconds
        while line not in self.hear():
            assert time.monotonic() < end, self.told
            time.sleep(0.02)


@contextmanager
def listener(address: str) -> Iterator[Listener]:
    found = Listener(address)
    with found.socket:
        yield found


@pytest.mark.parametrize("is_abstract", [False, True])
def test_systemd_is_told_what_becomes_of_the_server(tmp_path: Path, is_abstract: bool) -> None:
    name = f"cupboard-test-{os.getpid()}" if is_abstract else str(tmp_path / "notify")
    place = f"@{name}" if is_abstract else name
    with listener(f"\0{name}" if is_abstract else name) as systemd:
        program = Program(tmp_path, "--port", _free(), NOTIFY_SOCKET=place, WATCHDOG_USEC="100000")
        systemd.until("READY=1")
        assert httpx.get(f"{program.url}/api/health").status_code == 200
        seen = systemd.hear().count("WATCHDOG=1")
        wait_for(lambda: systemd.hear().count("WATCHDOG=1") >= seen + 4)
        assert not any(line.startswith("STOPPING") for line in systemd.told)
        assert program.end() == 0
        systemd.until("STOPPING=1", 1)
    assert systemd.told.count("READY=1") == 1
    assert [line for line in systemd.told if line.startswith("STATUS=")]
    assert program.advice == []


def test_the_signs_of_life_come_twice_in_each_period(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []

    async def pause(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 3:
            raise asyncio.CancelledError

    monkeypatch.setattr("cupboard.server.systemd.asyncio.sleep", pause)
    with listener(str(tmp_path / "notify")) as systemd:
        notifier = Notifier({"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "60000000"})
        with pytest.raises(asyncio.CancelledError):
            asyncio.run(notifier.keep_alive())
        assert systemd.hear() == ["WATCHDOG=1"] * 3 and pauses == [30.0] * 3


def test_nobody_is_watched_who_was_not_asked(tmp_path: Path) -> None:
    place = str(tmp_path / "notify")

    async def run(environ: dict[str, str]) -> None:
        notifier = Notifier(environ)
        assert not environ, "it is not for other processes"
        await asyncio.wait_for(notifier.keep_alive(), 1)
        notifier.tell(STATUS="two\nlines")

    with listener(place) as systemd:
        for pid, period in (("1", "100"), ("", "often"), ("", "-5"), ("", "")):
            asyncio.run(run({"NOTIFY_SOCKET": place, "WATCHDOG_PID": pid, "WATCHDOG_USEC": period}))
        assert systemd.hear() == ["STATUS=two lines"] * 4


@pytest.mark.parametrize("address", ["", "relative", "/nowhere/at/all", "@", "vsock:2:3", "/" + "x" * 500])
def test_what_nobody_hears_does_no_harm(address: str) -> None:
    Notifier({"NOTIFY_SOCKET": address}).tell(READY="1")


def test_a_passed_port_is_served(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as passed:
        port = passed.getsockname()[1]
        # What has been asked before the server is there waits for it.
        early = socket.create_connection(("127.0.0.1", port))
        early.sendall(b"GET /api/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        with running(tmp_path, "--port", "1", passed=passed) as program:
            assert program.url == f"http://127.0.0.1:{port}"
            assert early.recv(15) == b"HTTP/1.1 200 OK"
            early.close()
            assert not any("taken" in line for line in program.said)
    assert program.process.returncode == 0 and program.advice == []


def test_a_passed_unix_socket_is_served_and_left_to_systemd(tmp_path: Path) -> None:
    place = tmp_path / "passed.sock"
    with socket.socket(socket.AF_UNIX) as passed:
        passed.bind(str(place))
        passed.listen()
        with running(tmp_path, passed=passed) as program, at_socket(place) as proxy:
            new = {"game": "jumping-cups", "seats": [{"kind": "me"}, {"kind": "me"}]}
            for n in range(40):
                proxy.cookies.clear()
                said = {"x-forwarded-for": f"203.0.113.{n}"}
                assert proxy.post("/api/tables", json=new, headers=said).status_code == 201
    assert place.is_socket() and program.advice == []


@pytest.mark.parametrize("kind", ["datagram", "not listening", "file", "several", "no number"])
def test_what_cannot_be_listened_at_is_a_sentence(tmp_path: Path, kind: str) -> None:
    count = {"several": "3", "no number": "many"}.get(kind, "1")
    with socket.socket(type=socket.SOCK_DGRAM if kind == "datagram" else socket.SOCK_STREAM) as passed:
        passed.bind(("127.0.0.1", 0))
        if kind == "file":
            with (tmp_path / "file").open("w") as file:
                os.dup2(file.fileno(), passed.fileno())
        program = Program(tmp_path, passed=passed, LISTEN_FDS=count)
        program.wait()
        assert program.end() == 1
        (sentence,) = program.advice
        assert ("one ListenStream=" in sentence) and sentence.startswith(("systemd passes", "The socket that systemd"))


def test_a_socket_for_another_process_is_not_taken() -> None:
    for pid in ("1", "", "x"):
        environ = {"LISTEN_PID": pid, "LISTEN_FDS": "1"}
        assert inherited_socket(environ) is None and not is_service(environ)
    mine = {"LISTEN_PID": str(os.getpid()), "LISTEN_FDS": "0"}
    assert is_service(mine) and inherited_socket(mine) is None and not mine


@pytest.mark.parametrize(
    ("variables", "said", "opens"),
    [
        ({"DISPLAY": ":7"}, "", True),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "", True),
        ({}, "", False),
        ({"DISPLAY": ":7", "NOTIFY_SOCKET": "/nowhere"}, "", False),
        ({"NOTIFY_SOCKET": "/nowhere"}, "--browser", True),
        ({"DISPLAY": ":7"}, "--no-browser", False),
    ],
)
def test_a_browser_is_opened_where_somebody_sees_it(
    tmp_path: Path, variables: dict[str, str], said: str, opens: bool
) -> None:
    opened = tmp_path / "opened"
    for name in ("xdg-open", "www-browser"):  # the other is for terminals, and needs no display
        browser = tmp_path / name
        browser.write_text(f"#!/bin/sh\n: > {opened}\n")
        browser.chmod(0o755)
    path = {"PATH": str(tmp_path), "BROWSER": "", "DISPLAY": "", "WAYLAND_DISPLAY": "", "TERM": "xterm"}
    words = ("--port", _free(), *([said] if said else []))
    with running(tmp_path, *words, **(path | variables)) as program:
        assert program.url
        end = time.monotonic() + (10 if opens else 0.5)
        while time.monotonic() < end and not opened.exists():
            time.sleep(0.02)
    assert opened.exists() == opens


def test_the_end_by_a_signal_is_an_end_in_peace(tmp_path: Path) -> None:
    for sign in (signal.SIGTERM, signal.SIGINT):
        with running(tmp_path, "--port", _free()) as program:
            assert program.end(sign) == 0 and program.said[-1] == "The cupboard is closed."


def test_the_units_of_the_docs_are_sound_and_the_service_may_use_its_socket(tmp_path: Path) -> None:
    units = re.findall(r"^```ini\n(.*?)^```$", DOCS.read_text(encoding="utf-8"), re.M | re.S)
    found = [configparser.ConfigParser(strict=False, interpolation=None) for _ in units]
    for parser, text in zip(found, units, strict=True):
        parser.optionxform = str  # type: ignore[assignment,method-assign]
        parser.read_string(text)
    listening, service = found
    # Without it `cupboard admin now`, run as the user of the service, cannot ask the server who is connected.
    assert listening["Socket"]["SocketUser"] == service["Service"]["User"]
    if not shutil.which("systemd-analyze"):
        pytest.skip("systemd-analyze is not installed (apt-get install systemd)")
    program = tmp_path / "cupboard"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    for name, text in zip(("cupboard.socket", "cupboard.service"), units, strict=True):
        (tmp_path / name).write_text(text.replace("/opt/cupboard/bin/cupboard", str(program)))
    files = [str(tmp_path / name) for name in ("cupboard.socket", "cupboard.service")]
    done = subprocess.run(["systemd-analyze", "verify", *files], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr


def _free() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
