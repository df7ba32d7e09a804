"""Backups under load and on full disks, restoring, checking, and the copies that are made before an upgrade."""

from __future__ import annotations

import asyncio
import os
import random
import resource
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest
from tests.server.administration.holder import new_token
from tests.server.helpers import Household, Server, SocketPlayer, browser, lay, serving, wait_for
from tests.server.store.older import make_older

from cupboard.server.administration.link import AdminLink
from cupboard.server.errors import Busy
from cupboard.server.store import sqlite_file
from cupboard.server.store.copying import copy_database
from cupboard.server.store.inspection import inspect
from cupboard.server.store.restoring import restore_database
from cupboard.server.store.revisions import known_revisions, newest_revision
from cupboard.server.store.sqlite import SqliteStore
from cupboard.server.store.sqlite_file import open_database

PROGRAM = [sys.executable, "-c", "from cupboard.cli import main; main()"]
needs_root = pytest.mark.skipif(os.name == "nt" or os.geteuid() != 0, reason="only root can do this")


def cupboard(*args: object, **more: Any) -> subprocess.CompletedProcess[str]:
    """Run the command, and see that it ends with sentences and no traceback."""
    words = [*PROGRAM, *map(str, args)]
    done = subprocess.run(words, capture_output=True, encoding="utf-8", timeout=120, **more)
    assert "Traceback" not in done.stderr, done.stderr
    return done


def made(done: subprocess.CompletedProcess[str]) -> str:
    """What a command that succeeded has printed."""
    assert done.returncode == 0, done.stderr
    return done.stdout


def refused(done: subprocess.CompletedProcess[str]) -> str:
    """The one sentence of a command that was refused."""
    assert done.returncode == 1, (done.returncode, done.stdout)
    assert len(done.stderr.splitlines()) == 1, done.stderr
    return done.stderr.strip()


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data folder with a few people, and no server."""
    folder = tmp_path / "data"
    fill(folder / "cupboard.db", 20)
    return folder


def fill(file: Path, people: int) -> None:
    """Add people of a kilobyte each."""
    SqliteStore(file).close()
    with closing(sqlite3.connect(file)) as db, db:
        before = db.execute("SELECT count(*) FROM person").fetchone()[0]
        row = "INSERT INTO person (id, name, made) VALUES (?, ?, 0)"
        db.executemany(row, [(f"p{before + n}", "x" * 1000) for n in range(people)])


def people_in(file: Path) -> int:
    with closing(sqlite3.connect(file)) as db:
        return int(db.execute("SELECT count(*) FROM person").fetchone()[0])


def times_open(file: Path) -> int:
    """How many times this process has the file open."""
    found, there = 0, file.stat()
    for descriptor in Path("/proc/self/fd").iterdir():
        with suppress(FileNotFoundError):
            found += os.path.samestat(descriptor.stat(), there)
    return found


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


Acknowledged = list[tuple[str, int, str]]
"""Tables, entries and moves, as the server has acknowledged them."""


async def play(server: Server, table: dict[str, Any], rng: random.Random, acknowledged: Acknowledged) -> None:
    """Play both seats of a game that does not end soon, until this is cancelled."""
    name = table["table"]["id"]
    Household.move()  # or they were too many messages from one address
    seats = [await SocketPlayer.sit(server.port, name, key["token"]) for key in table["keys"]]
    try:
        while True:
            mover = next(player for player in seats if player.update["seat"] in player.update["asked"])
            text = rng.choice(mover.update["moves"])["text"]
            await asyncio.sleep(rng.random() * 0.05)
            answer = await mover.move(text)
            assert answer["type"] == "update", answer
            acknowledged.append((name, next(e["n"] for e in reversed(mover.events) if e.get("text") == text), text))
            for other in seats:
                while other.version < mover.version:
                    await other.receive()
    finally:
        for player in seats:
            await player.close()


def moves_in(file: Path) -> set[tuple[str, int, str]]:
    with closing(sqlite3.connect(file)) as db:
        return set(db.execute("SELECT game, n, text FROM event WHERE kind = 'move'"))


@pytest.mark.parametrize("durable", [False, True])
def test_backups_under_load_are_sound_and_hold_what_was_acknowledged(tmp_path: Path, durable: bool) -> None:
    copies = tmp_path / "copies"
    copies.mkdir()

    async def run(server: Server) -> None:
        with browser(server.url) as http:
            tables = [lay(http, "chinese-checkers", "me", "me") for _ in range(6)]
            bots = lay(http, "double-dutch", "me", "bot:random", "bot:random")
        watching = await SocketPlayer.sit(server.port, bots["table"]["id"], bots["keys"][0]["token"])
        acknowledged: Acknowledged = []
        playing = [
            asyncio.create_task(play(server, table, random.Random(seed), acknowledged))
            for seed, table in enumerate(tables)
        ]
        while len(acknowledged) < 30:
            await asyncio.sleep(0.05)
        for number in range(5):
            before = list(acknowledged)
            target = copies / f"{number}.db"
            made(await asyncio.to_thread(cupboard, "backup", target, "--data", server.data))
            assert len(acknowledged) > len(before), [task.exception() for task in playing if task.done()]
            assert set(before) <= moves_in(target)
            assert not inspect(target).faults
        for task in playing:
            assert task.cancel(), task.exception()
        await asyncio.wait(playing)
        await watching.close()

    with serving(tmp_path / "data", durable=durable) as server:
        asyncio.run(run(server))
    assert names(copies) == {f"{number}.db" for number in range(5)}, "each stands by itself"
    assert made(cupboard("check", copies / "4.db")).endswith("Nothing is wrong.\n")


def test_a_copy_ends_however_often_others_write(data: Path, tmp_path: Path) -> None:
    """Without one transaction around it, the copy begins anew after each write: it would never end here."""
    fill(data / "cupboard.db", 10_000)
    seen: list[int] = []
    with closing(sqlite3.connect(data / "cupboard.db", isolation_level=None)) as other:

        def write(done: int, of: int) -> None:
            seen.append(done)
            assert len(seen) < 100, "it began anew"
            other.execute("INSERT INTO person (id, name, made) VALUES (?, 'late', 0)", (f"late{len(seen)}",))

        found = copy_database(data / "cupboard.db", tmp_path / "copy.db", write)
    assert seen == sorted(seen) and len(seen) > 2
    assert found.people == 10_020 and people_in(tmp_path / "copy.db") == 10_020


@pytest.mark.skipif(os.name == "nt", reason="Windows has other permissions")
@pytest.mark.parametrize("umask", [0o000, 0o077])
def test_a_copy_is_its_owners_alone_and_not_for_a_moment_open(data: Path, tmp_path: Path, umask: int) -> None:
    made(cupboard("backup", tmp_path / "copy.db", "--data", data, umask=umask))
    assert stat.S_IMODE((tmp_path / "copy.db").stat().st_mode) == 0o600
    modes: list[int] = []

    def look(done: int, of: int) -> None:
        (folder,) = tmp_path.glob(".cupboard-*")
        modes.extend(stat.S_IMODE(path.stat().st_mode) for path in (folder, *folder.iterdir()))

    before = os.umask(umask)
    try:
        copy_database(data / "cupboard.db", tmp_path / "again.db", look)
    finally:
        os.umask(before)
    assert modes and not any(mode & 0o077 for mode in modes)


def disguises(data: Path, tmp_path: Path) -> Iterator[tuple[str, Path]]:
    database = data / "cupboard.db"
    yield "itself", database
    yield "a relative path", Path(os.path.relpath(database))
    yield "a way around", data / ".." / data.name / "cupboard.db"
    for name, path in (("a link", database), ("a link to the log", data / "cupboard.db-wal")):
        (tmp_path / name).symlink_to(path)
        yield name, tmp_path / name
    (tmp_path / "folder").symlink_to(data)
    yield "a linked folder", tmp_path / "folder" / "cupboard.db"
    os.link(database, tmp_path / "hard link")
    yield "a hard link", tmp_path / "hard link"
    for end in ("-wal", "-shm", "-journal"):
        yield f"its {end}", data / f"cupboard.db{end}"


def test_a_backup_onto_the_database_is_refused_in_every_disguise(data: Path, tmp_path: Path) -> None:
    before = (data / "cupboard.db").read_bytes()
    for disguise, target in disguises(data, tmp_path):
        sentence = refused(cupboard("backup", target, "--replace", "--data", data))
        assert "is the database itself, or a part of it" in sentence, disguise
    with closing(sqlite3.connect(data / "cupboard.db")) as held:  # now its log is there
        held.execute("UPDATE person SET name = 'Ida' WHERE id = 'p0'")
        held.commit()
        os.link(data / "cupboard.db-wal", tmp_path / "hard log")
        assert "a part of it" in refused(cupboard("backup", tmp_path / "hard log", "--replace", "--data", data))
        held.execute("UPDATE person SET name = ? WHERE id = 'p0'", ("x" * 1000,))
        held.commit()
    (tmp_path / "hard log").unlink()
    assert people_in(data / "cupboard.db") == 20 and names(data) == {"cupboard.db"}
    assert len(before) == (data / "cupboard.db").stat().st_size


def test_what_cannot_be_a_copy_is_refused_and_what_is_there_is_kept(data: Path, tmp_path: Path) -> None:
    there = tmp_path / "there.db"
    there.write_text("dear diary")
    assert "is there already" in refused(cupboard("backup", there, "--data", data))
    assert there.read_text() == "dear diary"
    assert "no folder" in refused(cupboard("backup", tmp_path / "none" / "copy.db", "--data", data))
    assert "is not a file" in refused(cupboard("backup", "/dev/null", "--replace", "--data", data))
    assert "There is no folder" in refused(cupboard("backup", there / "copy.db", "--data", data))
    assert "cannot be written" in refused(cupboard("backup", "n" * 5000, "--data", data))
    assert "cannot be written" in refused(cupboard("backup", tmp_path / ("n" * 255), "--data", data))
    assert "There is no database" in refused(cupboard("backup", tmp_path / "copy.db", "--data", tmp_path))
    assert names(tmp_path) == {"data", "there.db"} and names(data) == {"cupboard.db"}
    made(cupboard("backup", there, "--replace", "--data", data))
    assert people_in(there) == 20


def test_a_folder_gets_copies_named_by_the_time_and_keeps_the_newest(data: Path, tmp_path: Path) -> None:
    folder = tmp_path / "copies"
    folder.mkdir()
    for old in ("cupboard-2026-01-01T0000.db", "cupboard-2025-12-31T2359-2.db", "cupboard-2025-12-31T2359.db"):
        (folder / old).write_text("old")
    for other in ("cupboard-summer.db", "letter.txt"):
        (folder / other).write_text("not ours")
    for _ in range(2):
        made(cupboard("backup", folder, "--keep", 3, "--data", data))
    kept = names(folder) - {"cupboard-summer.db", "letter.txt"}
    assert len(kept) == 3 and "cupboard-2026-01-01T0000.db" in kept
    assert all(people_in(folder / name) == 20 for name in kept - {"cupboard-2026-01-01T0000.db"})
    assert len(names(folder)) == 5
    assert cupboard("backup", tmp_path / "one.db", "--keep", 3, "--data", data).returncode == 2


def test_a_copy_goes_through_a_pipe(data: Path, tmp_path: Path) -> None:
    piped = subprocess.run([*PROGRAM, "backup", "-", "--data", data], capture_output=True, timeout=120, check=True)
    (tmp_path / "piped.db").write_bytes(piped.stdout)
    assert not inspect(tmp_path / "piped.db").faults and people_in(tmp_path / "piped.db") == 20


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such limit")
@pytest.mark.parametrize("room", [0, 40_000, 1_000_000])
def test_a_file_that_may_not_grow_leaves_no_half_copy(data: Path, tmp_path: Path, room: int) -> None:
    fill(data / "cupboard.db", 2000)
    old = tmp_path / "copy.db"
    old.write_text("the copy of yesterday")
    sentence = refused(
        cupboard("backup", old, "--replace", "--data", data, preexec_fn=lambda: limit_files(room)),
    )
    # SQLite needs 32 kB beside the database to read it.
    assert (f"{old} cannot be written: " if room else "cannot be opened: ") in sentence
    assert old.read_text() == "the copy of yesterday" and names(tmp_path) == {"data", "copy.db"}
    assert people_in(data / "cupboard.db") == 2020


def limit_files(room: int) -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of one megabyte."""
    folder = tmp_path / "disk"
    folder.mkdir()
    if (
        shutil.which("mount") is None
        or subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=1M", "tmpfs", str(folder)], capture_output=True
        ).returncode
    ):
        pytest.skip("only root may mount a disk")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def test_a_full_disk_leaves_no_half_copy(data: Path, small_disk: Path) -> None:
    fill(data / "cupboard.db", 2000)
    sentence = refused(cupboard("backup", small_disk / "copy.db", "--data", data))
    assert sentence == f"{small_disk}/copy.db cannot be written: the disk is full."
    assert names(small_disk) == set()


def test_restoring_to_a_full_disk_leaves_what_was_there(data: Path, small_disk: Path, tmp_path: Path) -> None:
    there = small_disk / "cupboard.db"
    fill(there, 3)
    fill(data / "cupboard.db", 2000)
    assert "the disk is full" in refused(cupboard("restore", data / "cupboard.db", "--data", small_disk))
    assert people_in(there) == 3 and names(small_disk) == {"cupboard.db"}


@pytest.mark.parametrize("wish", [signal.SIGINT, signal.SIGTERM])
def test_a_backup_that_is_stopped_leaves_nothing(data: Path, tmp_path: Path, wish: signal.Signals) -> None:
    fill(data / "cupboard.db", 60_000)
    folder = tmp_path / "copies"
    folder.mkdir()
    process = subprocess.Popen(
        [*PROGRAM, "backup", str(folder / "copy.db"), "--data", str(data)], stderr=subprocess.PIPE, text=True
    )
    wait_for(lambda: any(folder.glob(".cupboard-*/copy.db")), 30)
    process.send_signal(wish)
    _, err = process.communicate(timeout=30)
    assert (process.returncode, names(folder)) == (130, set()) and "Traceback" not in err


def test_a_damaged_database_is_not_copied(data: Path, tmp_path: Path) -> None:
    fill(data / "cupboard.db", 500)
    spoil(data / "cupboard.db", 20 * 4096, 100 * 4096)
    assert "is damaged" in refused(cupboard("backup", tmp_path / "copy.db", "--data", data))
    assert names(tmp_path) == {"data"}


def spoil(file: Path, start: int, size: int) -> None:
    with file.open("r+b") as stream:
        stream.seek(start)
        stream.write(b"\xa5" * size)


def test_after_a_restore_the_same_game_goes_on_with_the_same_tokens_and_cookies(tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    with serving(tmp_path / "data") as server, browser(server.url) as http:
        http.put("/api/me", json={"name": "Anna"})
        table = lay(http, "jumping-cups", "me", "me", options={"starter": "red"})

        async def move(seat: int, text: str) -> list[str]:
            player = await SocketPlayer.sit(server.port, table["table"]["id"], table["keys"][seat]["token"])
            answer = await player.move(text)
            assert answer["type"] == "update", answer
            await player.close()
            return [event["text"] for event in player.events if event["kind"] == "move"]

        asyncio.run(move(0, "5-6"))
        made(cupboard("backup", copy, "--data", server.data))
        asyncio.run(move(1, "10-9"))  # which is lost with the disk
        assert "a server runs on it" in refused(cupboard("restore", copy, "--data", server.data))
        assert asyncio.run(move(0, "6-7")) == ["5-6", "10-9", "6-7"], "it was left alone"
        server.kill()  # its log stays beside the database
        assert (server.data / "cupboard.db-wal").stat().st_size > 0
        spoil(server.data / "cupboard.db-wal", 0, 4096)  # or SQLite would mend the first pages with it
        spoil(server.data / "cupboard.db", 0, 3 * 4096)
        spoiled = (server.data / "cupboard.db").read_bytes()
        words = made(cupboard("restore", copy, "--data", server.data))
        assert "Restored" in words and str(server.data) in words
        (kept,) = server.data.glob("cupboard.db.replaced-????-??-??T????")
        assert kept.read_bytes() == spoiled
        assert not (server.data / "cupboard.db-wal").exists()
        server.start()
        assert http.get("/api/me").json()["name"] == "Anna"
        assert asyncio.run(move(1, "10-9")) == ["5-6", "10-9"]
    assert stat.S_IMODE((server.data / "cupboard.db").stat().st_mode) == 0o600


def delete_people_and_crash(file: Path) -> None:
    """Leave a log beside the database, as a killed server does."""
    code = 'import os, sqlite3, sys; db = sqlite3.connect(sys.argv[1]); db.execute("DELETE FROM person"); db.commit()'
    subprocess.run([sys.executable, "-c", f"{code}; os._exit(0)", str(file)], check=True)
    assert file.with_name(f"{file.name}-wal").stat().st_size > 0


def test_the_log_of_a_killed_server_goes_with_the_database_it_belongs_to(data: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    made(cupboard("backup", copy, "--data", data))
    delete_people_and_crash(data / "cupboard.db")
    made(cupboard("restore", copy, "--data", data))
    assert people_in(data / "cupboard.db") == 20
    (kept,) = data.glob("cupboard.db.replaced-*")
    assert people_in(kept) == 0, "what was acknowledged before is in the database that was kept"
    made(cupboard("restore", kept, "--data", data))
    assert people_in(data / "cupboard.db") == 0


def test_a_log_whose_database_is_lost_does_not_meet_the_restored_one(data: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    made(cupboard("backup", copy, "--data", data))
    delete_people_and_crash(data / "cupboard.db")
    (data / "cupboard.db").unlink()
    made(cupboard("restore", copy, "--data", data))
    assert people_in(data / "cupboard.db") == 20
    assert len(list(data.glob("cupboard.db.replaced-*-wal"))) == 1, "somebody may still look at it"


@pytest.mark.parametrize("somebody", ["an idle server", "a reader"])
def test_nothing_is_restored_while_somebody_has_the_database_open(data: Path, tmp_path: Path, somebody: str) -> None:
    copy = tmp_path / "copy.db"
    copy_database(data / "cupboard.db", copy)
    if somebody == "an idle server":
        with serving(data):
            assert "a server runs on it" in refused(cupboard("restore", copy, "--data", data))
    else:
        with closing(sqlite3.connect(data / "cupboard.db")) as reader:
            reader.execute("SELECT * FROM person").fetchone()
            assert "another program reads it" in refused(cupboard("restore", copy, "--data", data))
    assert not list(data.glob("*.replaced-*"))
    made(cupboard("restore", copy, "--data", data))


def test_what_is_no_sound_copy_of_ours_is_not_restored(data: Path, tmp_path: Path) -> None:
    before = (data / "cupboard.db").read_bytes()
    bad = tmp_path / "bad.db"

    def faults() -> Iterator[tuple[str, Callable[[], object]]]:
        yield "is not a Cupboard database", lambda: bad.write_text("dear diary " * 1000)
        yield "is not a Cupboard database", lambda: bad.write_bytes(b"")
        yield "is not a Cupboard database", lambda: change(bad, "CREATE TABLE diary (day TEXT)")
        yield "written by a newer Cupboard", lambda: change(copied(), "UPDATE alembic_version SET version_num = '9999'")
        yield "secret of the seat tokens is lost", lambda: change(copied(), "DELETE FROM secret")
        yield "The table seat is missing", lambda: change(copied(), "DROP TABLE seat")
        yield "lacks helped", lambda: change(copied(), "ALTER TABLE seat DROP COLUMN helped")
        yield (
            "without their person: nobody",
            lambda: change(copied(), "INSERT INTO session (digest, person, made) VALUES ('d', 'nobody', 0)"),
        )
        yield "is damaged", lambda: spoil(copied(), 4096, 4096)
        yield "There is no database", lambda: bad.unlink()
        yield "is not a file", lambda: bad.mkdir()

    def copied() -> Path:
        copy_database(data / "cupboard.db", bad)
        return bad

    def change(file: Path, statement: str) -> None:
        if "diary" in statement:
            bad.unlink(missing_ok=True)
        with closing(sqlite3.connect(file)) as db, db:
            db.execute(statement)

    for sentence, make in faults():
        make()
        assert sentence in refused(cupboard("restore", bad, "--data", data)), sentence
        assert (data / "cupboard.db").read_bytes() == before and names(data) == {"cupboard.db"}
    for _, disguise in disguises(data, tmp_path):
        assert "the database itself, or a part of it" in refused(cupboard("restore", disguise, "--data", data))


def test_a_database_is_restored_where_there_was_none(data: Path, tmp_path: Path) -> None:
    new = tmp_path / "new" / "machine"
    made(cupboard("restore", data / "cupboard.db", "--data", new))
    assert names(new) == {"cupboard.db"} and people_in(new / "cupboard.db") == 20
    assert stat.S_IMODE(new.stat().st_mode) == 0o700


def test_an_admin_link_of_a_copy_is_void_when_it_is_restored(data: Path, tmp_path: Path) -> None:
    """It may be in the copy because somebody renewed it later, after it had leaked."""
    assert "admin link" not in made(cupboard("restore", backed_up(data, tmp_path / "none.db"), "--data", data))
    leaked = new_token(data)
    copy = backed_up(data, tmp_path / "copy.db")
    new = new_token(data)
    said = made(cupboard("restore", copy, "--data", data))
    assert "The admin link of the copy is void" in said and "`cupboard admin link` makes a new one" in said

    async def fitting() -> list[str]:
        store = SqliteStore(data / "cupboard.db")
        try:
            return [token for token in (leaked, new) if await AdminLink(store).fits(token)]
        finally:
            store.close()

    assert asyncio.run(fitting()) == []
    made(cupboard("admin", "link", "--data", data))
    assert people_in(data / "cupboard.db") == 20


def test_a_copy_from_before_there_were_admin_links_is_restored(data: Path, tmp_path: Path) -> None:
    make_older(data / "cupboard.db", "0007")
    assert "admin link" not in made(cupboard("restore", data / "cupboard.db", "--data", tmp_path / "new"))
    assert people_in(tmp_path / "new" / "cupboard.db") == 20


def backed_up(data: Path, copy: Path) -> Path:
    made(cupboard("backup", copy, "--data", data))
    return copy


@needs_root
def test_what_root_restores_belongs_to_whoever_the_server_runs_as(data: Path, tmp_path: Path) -> None:
    copy_database(data / "cupboard.db", tmp_path / "copy.db")
    for path in (data, data / "cupboard.db"):
        os.chown(path, 54321, 54321)
    made(cupboard("restore", tmp_path / "copy.db", "--data", data))
    assert {path.stat().st_uid for path in data.iterdir()} == {54321}
    (data / "cupboard.db").unlink()
    made(cupboard("restore", tmp_path / "copy.db", "--data", data))
    assert (data / "cupboard.db").stat().st_uid == 54321


@needs_root
@pytest.mark.parametrize("verb", ["backup", "restore", "check"])
def test_the_folder_of_another_user_is_a_sentence(data: Path, tmp_path: Path, verb: str) -> None:
    own = tmp_path / "own"
    own.mkdir()
    copy_database(data / "cupboard.db", own / "copy.db")
    for path in (own, own / "copy.db"):
        os.chown(path, 54321, 54321)
    for folder in tmp_path.parents:
        if folder.stat().st_uid == 0 and not folder.stat().st_mode & stat.S_IXOTH:
            folder.chmod(folder.stat().st_mode | stat.S_IXOTH)
    data.chmod(0o700)
    file = {"backup": ["new.db"], "restore": ["copy.db"], "check": []}[verb]
    words = ["setpriv", "--reuid=54321", "--regid=54321", "--clear-groups", *PROGRAM, verb, *file, "--data", str(data)]
    done = subprocess.run(words, capture_output=True, encoding="utf-8", timeout=120, cwd=own, env={"PATH": "/usr/bin"})
    sentence = refused(done)
    assert sentence == f"{data} may not be read by this user. Run the command as the user that the server runs as."
    assert names(own) == {"copy.db"} and names(data) == {"cupboard.db"}


def test_check_names_the_tables_that_are_damaged_also_while_the_server_runs(tmp_path: Path) -> None:
    with serving(tmp_path / "data") as server, browser(server.url) as http:
        tables = [
            lay(http, "jumping-cups", "me", "me", options={"starter": "red"}),
            lay(http, "double-dutch", "me", "me"),
            lay(http, "jumping-cups", "me", "friend"),
        ]

        async def move() -> None:
            player = await SocketPlayer.sit(server.port, tables[0]["table"]["id"], tables[0]["keys"][0]["token"])
            await player.move("5-6")
            await player.close()

        asyncio.run(move())
        words = made(cupboard("check", "--data", server.data))
        assert words.splitlines()[-2:] == ["3 of 3 games played through, 0 damaged.", "Nothing is wrong."]
        assert "1 of 3 games" in made(cupboard("check", "--games", 1, "--data", server.data))
        with closing(sqlite3.connect(server.data / "cupboard.db")) as db, db:
            db.execute("UPDATE event SET text = '9-9' WHERE kind = 'move'")
            db.execute("UPDATE game SET status = 'over' WHERE id = ?", (tables[2]["table"]["id"],))
        done = cupboard("check", "--data", server.data)
        assert done.returncode == 1 and "2 damaged" in done.stdout and "Nothing is wrong" not in done.stdout
        named = [line for line in done.stdout.splitlines() if line.startswith("The table ")]
        assert [line.split()[2] for line in named] == [tables[2]["table"]["id"], tables[0]["table"]["id"]]
        assert "its log says waiting, its row says over" in named[0] and "IllegalMove" in named[1]
        assert http.get("/api/tables").status_code == 200


def test_check_tells_damaged_pages_and_lost_rows(data: Path) -> None:
    with closing(sqlite3.connect(data / "cupboard.db")) as db, db:
        db.execute("INSERT INTO event VALUES ('lost', 0, 0, 'chat', '', 0)")
        db.execute("INSERT INTO event VALUES ('lost', 1, 0, 'chat', '', 0)")
    done = cupboard("check", "--data", data)
    assert (done.returncode, done.stdout.splitlines()[1:]) == (1, ["2 rows of event without their game: lost."])
    fill(data / "cupboard.db", 500)
    spoil(data / "cupboard.db", 20 * 4096, 100 * 4096)
    done = cupboard("check", data / "cupboard.db")
    assert done.returncode == 1 and ("do not fit together" in done.stdout or "is damaged" in done.stderr)


def test_check_names_a_lost_row_by_all_columns_of_its_key(data: Path) -> None:
    pairing = "INSERT INTO class_pairing (class, tournament, round, board, first, level) VALUES (?, ?, ?, 0, 'm', '')"
    with closing(sqlite3.connect(data / "cupboard.db")) as db, db:
        db.execute("INSERT INTO class (id, name, teacher, code, tournament, made) VALUES ('k', '', 'p0', '', 1, 0)")
        db.execute("INSERT INTO class_member (id, class, name, joined) VALUES ('m', 'k', '', 0)")
        rounds = "INSERT INTO class_round (class, tournament, n, method, name, made) VALUES ('k', 1, ?, '', '', 0)"
        db.executemany(rounds, [(1,), (2,)])
        # Tournament 2 has no rounds, though tournament 1 has rounds of the same numbers; and round 3 is in neither.
        db.executemany(pairing, [("k", 1, 1), ("k", 2, 1), ("k", 2, 2), ("k", 1, 3)])
    done = cupboard("check", "--data", data)
    (told,) = done.stdout.splitlines()[1:]
    start, _, names = told.rstrip(".").partition(": ")
    assert (done.returncode, start) == (1, "3 rows of class_pairing without their class_round")
    assert sorted(names.split("; ")) == [
        "class k, tournament 1, n 3",
        "class k, tournament 2, n 1",
        "class k, tournament 2, n 2",
    ]


def test_a_copy_of_an_earlier_revision_is_checked_and_left_as_it_is(tmp_path: Path) -> None:
    with serving(tmp_path / "data") as server, browser(server.url) as http:
        lay(http, "jumping-cups", "me", "me")
    make_older(server.data / "cupboard.db", "0003")
    before = (server.data / "cupboard.db").read_bytes()
    words = made(cupboard("check", server.data / "cupboard.db"))
    assert "revision 0003" in words and "1 of 1 games played through" in words
    assert (server.data / "cupboard.db").read_bytes() == before
    assert "older Cupboard" in made(cupboard("restore", server.data / "cupboard.db", "--data", tmp_path / "new"))


OLDER = [revision for revision in known_revisions() if revision != newest_revision()]


def copies_in(folder: Path) -> list[Path]:
    return sorted(folder.glob(f"cupboard.db.before-{newest_revision()}-*"))


@pytest.mark.parametrize("revision", OLDER)
def test_before_an_upgrade_a_copy_is_made(tmp_path: Path, caplog: pytest.LogCaptureFixture, revision: str) -> None:
    file = tmp_path / "cupboard.db"
    fill(file, 5)
    make_older(file, revision)
    SqliteStore(file).close()
    (copy,) = copies_in(tmp_path)
    assert caplog.messages == [f"{file} is brought up to date. What it was before is in {copy}."]
    assert (inspect(copy).revision, inspect(file).revision) == (revision, newest_revision())
    assert people_in(copy) == people_in(file) == 5
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    SqliteStore(file).close()
    assert copies_in(tmp_path) == [copy], "only when there is something to bring up to date"
    restore_database(copy, file)
    SqliteStore(file).close()
    assert people_in(file) == 5


def test_a_new_or_an_empty_database_is_not_copied(tmp_path: Path) -> None:
    file = tmp_path / "cupboard.db"
    SqliteStore(file).close()
    make_older(file, "0001")
    SqliteStore(file).close()
    assert names(tmp_path) == {"cupboard.db"}


def test_of_the_copies_before_upgrades_the_newest_three_are_kept(tmp_path: Path) -> None:
    file = tmp_path / "cupboard.db"
    for number in range(1, 5):
        fill(file, 1)
        make_older(file, "0004")
        SqliteStore(file).close()
        assert len(list(tmp_path.glob("cupboard.db.before-*"))) == min(number, 3)
    assert sorted(people_in(copy) for copy in tmp_path.glob("cupboard.db.before-*")) == [2, 3, 4]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such limit")
def test_without_room_for_the_copy_nothing_is_upgraded(tmp_path: Path) -> None:
    file = tmp_path / "cupboard.db"
    fill(file, 2000)
    make_older(file, "0005")
    sentence = refused(cupboard("serve", "--no-browser", "--data", tmp_path, preexec_fn=lambda: limit_files(1_000_000)))
    assert "left as it was" in sentence and "make room for" in sentence
    assert names(tmp_path) == {"cupboard.db"} and inspect(file).revision == "0005" and people_in(file) == 2000


def test_a_database_that_is_replaced_while_it_is_opened_is_not_used(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that starts in the moment of a restore has the old file open, under whose name there is a new one."""
    file = data / "cupboard.db"
    copy_database(file, tmp_path / "new.db")
    with closing(sqlite3.connect(file, isolation_level=None)) as other, ThreadPoolExecutor(1) as starting:
        other.execute("BEGIN IMMEDIATE")
        before, upgrading, upgrade = times_open(file), threading.Event(), sqlite_file._upgrade

        def begin(engine: Any, **more: Any) -> None:
            upgrading.set()
            upgrade(engine, **more)

        monkeypatch.setattr(sqlite_file, "_upgrade", begin)
        start = starting.submit(open_database, file, False)
        assert upgrading.wait(60)
        wait_for(lambda: times_open(file) > before)  # now it waits for its turn to write
        file.rename(data / "old.db")
        (tmp_path / "new.db").rename(file)
        other.execute("ROLLBACK")
        with pytest.raises(Busy, match="was replaced"):
            start.result(20)
