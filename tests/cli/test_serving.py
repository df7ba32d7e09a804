"""`cupboard` and `cupboard serve`: what they are told reaches the server, and what cannot be is a sentence."""

from __future__ import annotations

import os
import socket
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from queue import Queue
from typing import Any

import pytest

from cupboard.server import run as running
from cupboard.server.home_network import qr_code
from cupboard.server.settings import ServerSettings
from cupboard.server.store.sqlite import SqliteStore

from .conftest import Run

WORDS = [(), ("serve",)]


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[tuple[ServerSettings, int]]:
    """The settings and ports of servers that would have been started."""
    seen: list[tuple[ServerSettings, int]] = []

    def serve(settings: ServerSettings, sock: socket.socket, *_: Callable[[], Any]) -> None:
        seen.append((settings, sock.getsockname()[1]))

    monkeypatch.setattr(running, "serve", serve)
    monkeypatch.setenv("CUPBOARD_SPARE_CACHE", "")  # which serving sets
    return seen


@pytest.mark.parametrize("verb", WORDS)
def test_durable_and_https_reach_the_server(
    run: Run, told: list[tuple[ServerSettings, int]], tmp_path: Path, verb: tuple[str, ...]
) -> None:
    assert run(*verb, "--no-browser", "--data", tmp_path).exit_code == 0
    assert run(*verb, "--no-browser", "--data", tmp_path, "--durable", "--https").exit_code == 0
    (usual, _), (careful, _) = told
    assert os.environ["CUPBOARD_SPARE_CACHE"] == str(tmp_path / "compiled"), "for who has no other place to keep it"
    assert (usual.durable, usual.https) == (False, False)
    assert (careful.durable, careful.https) == (True, True)


@pytest.mark.parametrize("verb", WORDS)
def test_a_settings_file_reaches_the_server_and_options_go_before_it(
    run: Run, told: list[tuple[ServerSettings, int]], tmp_path: Path, verb: tuple[str, ...]
) -> None:
    file = tmp_path / "cupboard.toml"
    file.write_text("data = 'there'\nhttps = true\nhosts = ['games.example']\nchat = 'off'\n")
    assert run(*verb, "--no-browser", "--settings", file, "--data", tmp_path / "here").exit_code == 0
    ((found, _),) = told
    assert (found.data, found.https, found.chat) == (tmp_path / "here", True, "off")
    assert found.hosts == ("127.0.0.1", "games.example")


@pytest.mark.parametrize("verb", WORDS)
@pytest.mark.parametrize(
    ("words", "proxies"),
    [
        (["--behind-proxy"], ("loopback", "unix")),
        (["--behind-proxy", "--durable"], ("loopback", "unix")),
        (["--behind-proxy", "10.0.0.1, 2001:db8::/32"], ("10.0.0.1", "2001:db8::/32")),
        (["--behind-proxy=10.0.0.1", "--durable"], ("10.0.0.1",)),
        (["--behind-proxy="], ()),
        ([], ("192.168.0.1",)),
    ],
)
def test_proxies_are_named_or_are_those_on_this_computer(
    run: Run,
    told: list[tuple[ServerSettings, int]],
    tmp_path: Path,
    verb: tuple[str, ...],
    words: list[str],
    proxies: tuple[str, ...],
) -> None:
    file = tmp_path / "cupboard.toml"
    file.write_text("behind-proxy = ['192.168.0.1']")
    result = run(*verb, "--no-browser", "--settings", file, "--data", tmp_path, *words)
    assert result.exit_code == 0, result.stderr
    ((found, _),) = told
    assert found.behind_proxy == proxies and found.durable == ("--durable" in words)


def test_with_https_a_proxy_on_this_computer_is_believed_if_none_is_named(tmp_path: Path) -> None:
    for https, named, believed in (
        (True, (), ("loopback",)),
        (True, ("10.0.0.1",), ("10.0.0.1",)),
        (False, (), ()),
    ):
        assert ServerSettings(data=tmp_path, https=https, behind_proxy=named).believed_proxies == believed


def test_a_proxy_that_is_no_address_is_a_sentence(program: Run, tmp_path: Path) -> None:
    result = program("serve", "--no-browser", "--data", tmp_path, "--behind-proxy", "proxy.example")
    assert result.returncode == 1 and "laid" not in result.stdout
    assert result.stderr.startswith("behind-proxy: 'proxy.example' is neither an address")
    assert len(result.stderr.splitlines()) == 1


def test_a_socket_and_a_port_at_once_are_a_sentence(
    run: Run, told: list[tuple[ServerSettings, int]], tmp_path: Path
) -> None:
    result = run("serve", "--no-browser", "--data", tmp_path, "--socket", tmp_path / "s", "--port", "8123")
    assert result.exit_code == 1 and not told
    assert result.stderr == f"A server listens at the socket {tmp_path / 's'} or at port 8123, not at both.\n"


@pytest.mark.parametrize("verb", WORDS)
def test_the_address_that_people_use_is_shown_with_its_code(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, verb: tuple[str, ...]
) -> None:
    visited: Queue[str] = Queue()
    monkeypatch.setattr("webbrowser.open", visited.put)
    monkeypatch.setenv("CUPBOARD_SPARE_CACHE", "")  # which serving sets
    monkeypatch.setattr(running, "serve", lambda settings, sock, started, *_: started())
    url = "https://games.example/cupboard"
    result = run(*verb, "--data", tmp_path, "--url", url, "--host", "0.0.0.0", "--no-browser")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert f"The table is laid at {url}/" in lines and qr_code(f"{url}/") in result.stdout
    assert any(line.startswith("The server listens at http://127.0.0.1:") for line in lines)
    assert "home network" not in result.stdout
    assert run(*verb, "--data", tmp_path, "--url", url, "--browser").exit_code == 0
    assert visited.get(timeout=10) == f"{url}/" and visited.empty()


def test_what_is_no_address_is_a_sentence_and_nothing_starts(
    run: Run, told: list[tuple[ServerSettings, int]], tmp_path: Path
) -> None:
    result = run("serve", "--url", "games.example", "--data", tmp_path / "data")
    assert result.exit_code == 1 and not told and not (tmp_path / "data").exists()
    assert result.stderr.startswith("url: it begins with neither") and len(result.stderr.splitlines()) == 1


def test_a_misspelt_setting_is_a_sentence_and_nothing_starts(
    run: Run, told: list[tuple[ServerSettings, int]], tmp_path: Path
) -> None:
    file = tmp_path / "cupboard.toml"
    file.write_text("duralbe = true")
    result = run("serve", "--settings", file)
    assert result.exit_code == 1 and not told
    assert result.stderr == f"{file} has the unknown key duralbe: did you mean durable?\n"


@pytest.mark.parametrize("text", ["data = '~nosuchuser/x'", 'data = "a\\u0000b"', 'people.name-list = "a\\u0000b"'])
@pytest.mark.parametrize("verb", [("serve", "--no-browser"), ("check",), ("admin", "now")])
def test_a_path_that_leads_nowhere_is_a_sentence_and_nothing_starts(
    run: Run, told: list[tuple[ServerSettings, int]], tmp_path: Path, text: str, verb: tuple[str, ...]
) -> None:
    file = tmp_path / "cupboard.toml"
    file.write_text(text)
    result = run(*verb, "--settings", file)
    assert result.exit_code == 1 and not told
    assert result.stderr.startswith(f"{file}: {text.split()[0]}: ") and len(result.stderr.splitlines()) == 1


def test_the_log_and_the_figures_are_settings_too(
    run: Run, told: list[tuple[ServerSettings, int]], tmp_path: Path
) -> None:
    file = tmp_path / "cupboard.toml"
    file.write_text("data = 'there'\nmetrics = '127.0.0.1:9101'\nlog.slow-move = 3.0")
    assert run("serve", "--no-browser", "--settings", file, "--log-format", "json").exit_code == 0
    assert run("--no-browser", "--settings", file, "--metrics", "127.0.0.1:9102").exit_code == 0
    (first, _), (second, _) = told
    assert (first.metrics, first.log.format, first.log.slow_move) == ("127.0.0.1:9101", "json", 3.0)
    assert (second.metrics, second.log.format) == ("127.0.0.1:9102", "plain")
    assert run("serve", "--log-format", "xml").stderr == "log.format: 'xml' is none of json, plain.\n"


WRONG_ADDRESSES = [
    "9100",
    "127.0.0.1",
    ":9100",
    "127.0.0.1:0",
    "127.0.0.1:99999",
    "::1:9100",
    "[::1:9100",
    "a:b",
    "a:९",
]


@pytest.mark.parametrize("address", WRONG_ADDRESSES)
def test_an_address_for_figures_that_is_none_is_a_sentence(run: Run, tmp_path: Path, address: str) -> None:
    result = run("serve", "--no-browser", "--data", tmp_path, "--metrics", address)
    assert result.exit_code == 1
    assert result.stderr == f"metrics: {address!r} is no address and port, such as 127.0.0.1:9100.\n"
    assert not (tmp_path / "cupboard.db").exists(), "nothing was made"


@pytest.mark.parametrize("host", ["127.0.0.1", "no.such.host.example"])
def test_figures_that_cannot_be_served_are_a_sentence(run: Run, tmp_path: Path, taken_port: int, host: str) -> None:
    result = run("serve", "--no-browser", "--data", tmp_path, "--metrics", f"{host}:{taken_port}")
    assert result.exit_code == 1 and len(result.stderr.splitlines()) == 1
    assert result.stderr.startswith(f"The figures cannot be served at {host}:{taken_port}: ")
    assert result.stderr.endswith("Name another address with --metrics.\n")


@pytest.fixture
def taken_port() -> Iterator[int]:
    """A port on which somebody else listens."""
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        yield busy.getsockname()[1]


@pytest.mark.parametrize("verb", WORDS)
def test_a_port_that_was_named_and_is_taken_is_refused(
    run: Run, told: list[tuple[ServerSettings, int]], taken_port: int, verb: tuple[str, ...]
) -> None:
    result = run(*verb, "--no-browser", "--port", taken_port)
    assert result.exit_code == 1 and not told
    assert (
        result.stderr.startswith(f"Port {taken_port} on 127.0.0.1 is taken.") and len(result.stderr.splitlines()) == 1
    )


def test_without_a_port_the_next_free_one_is_found(
    run: Run, told: list[tuple[ServerSettings, int]], taken_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cupboard.cli.serve.PORT", taken_port)
    assert run("serve", "--no-browser").exit_code == 0
    assert taken_port < told[0][1] <= taken_port + 100


def test_a_damaged_database_is_a_sentence_before_anything_is_built(program: Run, tmp_path: Path) -> None:
    file = tmp_path / "data" / "cupboard.db"
    SqliteStore(file).close()
    with closing(sqlite3.connect(file)) as db, db:
        db.execute("PRAGMA journal_mode=DELETE")
    with file.open("r+b") as stream:
        stream.seek(4096)
        stream.write(b"\xa5" * 3 * 4096)
    result = program("serve", "--no-browser", "--data", file.parent)
    assert result.returncode == 1 and "laid" not in result.stdout
    assert f"{file} is damaged" in result.stderr and len(result.stderr.splitlines()) == 1
