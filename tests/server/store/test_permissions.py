"""The data folder holds the hashes of passwords and the secret of all seat tokens: it is its owner's alone."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.server.helpers import browser, lay, serving

from cupboard.server.store.sqlite import SqliteStore

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows keeps the folder of a user private by itself")


def mode(path: Path) -> str:
    return f"{stat.S_IMODE(path.stat().st_mode):o}"


@contextmanager
def umask(value: int) -> Iterator[None]:
    before = os.umask(value)
    try:
        yield
    finally:
        os.umask(before)


@pytest.mark.parametrize("value", [0o000, 0o022, 0o077])
def test_only_their_owner_can_read_the_folder_and_the_files(tmp_path: Path, value: int) -> None:
    data = tmp_path / "deep" / "data"
    with umask(value), serving(data) as server, browser(server.url) as http:
        lay(http, "jumping-cups", "me", "me")
        assert mode(data) == "700"
        names = ("cupboard.db", "cupboard.db-wal", "cupboard.db-shm", f"running-{server.process.pid}.json")
        assert {path.name: mode(path) for path in data.iterdir()} == dict.fromkeys(names, "600")


def test_what_was_open_is_closed_with_a_word(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    data = tmp_path / "data"
    SqliteStore(data / "cupboard.db").close()
    (data / "games").mkdir()
    assert not caplog.messages
    data.chmod(0o755)
    (data / "cupboard.db").chmod(0o644)
    SqliteStore(data / "cupboard.db").close()
    assert (mode(data), mode(data / "cupboard.db")) == ("700", "600")
    assert caplog.messages == [
        f"{path} was open to others on this machine; now it is yours alone." for path in (data, data / "cupboard.db")
    ]
    caplog.clear()
    SqliteStore(data / "cupboard.db").close()
    assert not caplog.messages


def test_a_folder_that_holds_other_things_too_is_not_ours_to_close(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Somebody may say --data /tmp: the file is closed, of the folder only a word is said."""
    data = tmp_path / "shared"
    data.mkdir()
    data.chmod(0o777)
    (data / "letter.txt").write_text("not ours")
    SqliteStore(data / "cupboard.db").close()
    assert (mode(data), mode(data / "cupboard.db")) == ("777", "600")
    assert len(caplog.messages) == 1 and f"chmod go= {data}" in caplog.messages[0]


@pytest.mark.skipif(os.name == "nt" or os.geteuid() != 0, reason="only root can give a folder to somebody else")
def test_a_folder_of_somebody_else_is_left_as_it_is(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    data = tmp_path / "data"
    SqliteStore(data / "cupboard.db").close()
    data.chmod(0o755)
    os.chown(data, 65534, 65534)
    SqliteStore(data / "cupboard.db").close()
    assert mode(data) == "755" and len(caplog.messages) == 1
