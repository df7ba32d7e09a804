"""A server at a Unix socket: proxies reach it, nobody else does, and nothing of anybody's is replaced."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import stat
from pathlib import Path

import pytest
from tests.server.helpers import lay
from tests.server.program import Program, at_socket, running
from websockets.asyncio.client import unix_connect

from cupboard.server.errors import Busy
from cupboard.server.unix_socket import listening_at

TABLE = {"game": "jumping-cups", "seats": [{"kind": "me"}, {"kind": "me"}]}


def test_a_proxy_at_the_socket_is_believed_and_its_visitors_count_apart(tmp_path: Path) -> None:
    place = tmp_path / "cupboard.sock"
    with running(tmp_path, "--socket", place) as program, at_socket(place) as proxy:
        assert any(str(place) in line for line in program.said)
        for n in range(60):
            proxy.cookies.clear()
            said = {"x-forwarded-for": f"203.0.113.{n}", "host": "localhost"}
            assert proxy.post("/api/tables", json=TABLE, headers=said).status_code == 201
        answers = []
        for n in range(150):
            proxy.cookies.clear()
            said = {"x-forwarded-for": f"6.6.6.{n}, 203.0.113.200"}
            answers.append(proxy.post("/api/tables", json=TABLE, headers=said).status_code)
        assert answers[-1] == 429
        assert proxy.get("/api/network").json() == {}
        proxy.headers["x-forwarded-for"] = "203.0.113.250"
        made = lay(proxy, "jumping-cups", "me", "me")["table"]["id"]

        async def run() -> None:
            address = f"ws://localhost/api/tables/{made}/socket"
            said = {"x-forwarded-for": "203.0.113.250"}
            async with unix_connect(str(place), address, additional_headers=said, compression=None) as player:
                await player.send('{"type": "hello", "tokens": [], "version": 0}')
                assert '"type"' in str(await asyncio.wait_for(player.recv(), 30))

        asyncio.run(run())
    assert program.process.returncode == 0 and program.advice == []


def test_the_socket_is_for_its_user_and_group_and_gone_in_the_end(tmp_path: Path) -> None:
    place = tmp_path / "cupboard.sock"
    with running(tmp_path, "--socket", place):
        assert stat.filemode(place.stat().st_mode) == "srw-rw----"
    assert not place.exists()


def test_a_killed_servers_socket_is_replaced_and_a_living_ones_is_not(tmp_path: Path) -> None:
    place = tmp_path / "cupboard.sock"
    with running(tmp_path / "one", "--socket", place) as one:
        one.end(signal.SIGKILL)
    assert place.is_socket(), "nobody could remove it"
    with running(tmp_path / "one", "--socket", place):
        second = Program(tmp_path / "two", "--socket", place)
        second.wait()
        assert second.end() == 1
        assert second.advice == [f"Another server listens at {place}. Name another path with --socket, or end it."]
        with at_socket(place) as proxy:
            assert proxy.get("/api/health").status_code == 200
    assert not place.exists()


def test_a_file_that_is_no_socket_stays_as_it_is(tmp_path: Path) -> None:
    place = tmp_path / "precious.txt"
    place.write_text("kept")
    link = tmp_path / "link.sock"
    link.symlink_to(place)
    for path in (place, link, tmp_path):
        with pytest.raises(Busy, match="is there, and is no socket"), listening_at(path):
            pass
    assert place.read_text() == "kept" and link.is_symlink()


@pytest.mark.parametrize(
    ("name", "sentence"),
    [("missing/cupboard.sock", "No such file or directory"), ("x" * 200, "too long")],
)
def test_a_place_that_cannot_be_is_a_sentence(tmp_path: Path, name: str, sentence: str) -> None:
    with pytest.raises(Busy, match=sentence), listening_at(tmp_path / name):
        pass


def test_somebody_elses_socket_is_not_removed_in_the_end(tmp_path: Path) -> None:
    place = tmp_path / "cupboard.sock"
    with listening_at(place):
        place.unlink()
        with socket.socket(socket.AF_UNIX) as other:
            other.bind(str(place))
    assert place.is_socket()


def test_the_permissions_of_other_files_are_as_before(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        with listening_at(tmp_path / "cupboard.sock"):
            assert os.umask(0o022) == 0o022
        with pytest.raises(Busy), listening_at(tmp_path):
            pass
        assert os.umask(0o022) == 0o022
    finally:
        os.umask(before)
