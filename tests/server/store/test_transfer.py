"""`cupboard db copy` between SQLite and PostgreSQL: everything arrives, and what is not finished is not served."""

from __future__ import annotations

import asyncio
import itertools
import os
import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest
import sqlalchemy as sa
from sqlalchemy import Connection
from tests.server.postgres import Postgres
from tests.server.program import PROGRAM

from cupboard.server.errors import Busy, DamagedDatabase
from cupboard.server.settings import ServerSettings
from cupboard.server.store.inspection import inspect
from cupboard.server.store.open_store import open_store
from cupboard.server.store.places import reading_from, telling, writing_to
from cupboard.server.store.schema import CLASS as CLASS_
from cupboard.server.store.schema import EVENT, GAME, MEMBER, MOTION, PERSON, RESULT, SEAT, SESSION
from cupboard.server.store.transfer import TABLES, Tally, tally_of, transfer

EVENTS = 4500
"""More than two batches."""


def fill(conn: Connection) -> None:
    """Rows of many kinds: NULLs, bytes, numbers with and without a point, long and strange texts."""
    people = [{"id": f"p{n}", "name": f"Ännchen {n} ☕\t'\"", "made": n} for n in range(50)]
    conn.execute(sa.insert(PERSON), people)
    conn.execute(sa.update(PERSON).where(PERSON.c.id == "p3").values(username="ann", banned=2**40))
    conn.execute(sa.insert(SESSION).values(digest="d" * 64, person="p3", made=1, expires=2**41, ended=5))
    game = {"root": "g", "name": "jumping-cups", "seats": 2, "options": '{"laps": 2}', "maker": "p1", "made": 7}
    games = [{"id": name, "listed": name == "g1", "status": "over"} | game for name in ("g1", "G2", "ü3")]
    conn.execute(sa.insert(GAME), games)
    seat = {"game": "g1", "kind": "person", "level": "", "invited": False}
    conn.execute(sa.insert(SEAT), [seat | {"seat": n, "chair": n, "person": "p1", "name": "a\0b"} for n in (0, 1)])
    event = {"game": "g1", "kind": "move", "at": 2**41}
    rows = [event | {"n": n, "seat": n % 2 if n else None, "text": f"e{n}"} for n in range(EVENTS)]
    conn.execute(sa.insert(EVENT), rows)
    conn.execute(sa.insert(MOTION), [{"game": "g1", "n": n, "data": os.urandom(300)} for n in range(150)])
    result = {"name": "jumping-cups", "seats": 2, "against": "[]", "level": "", "left_out": "", "at": 1}
    conn.execute(sa.insert(RESULT).values(game="g1", seat=0, person="p1", share=1 / 3, **result))
    conn.execute(sa.insert(CLASS_).values(id="c", name="3b", teacher="p3", code="abc", tournament=1, made=1))
    conn.execute(sa.insert(MEMBER).values({"id": "m", "class": "c", "person": None, "name": "…", "joined": 1}))


def settings_of(place: str) -> ServerSettings:
    is_file = "://" not in place
    return ServerSettings(data=Path(place).parent if is_file else Path(), database="" if is_file else place)


def write(place: str, *works: Callable[[Connection], object]) -> None:
    store = open_store(settings_of(place))
    try:
        for work in works:
            asyncio.run(store.write(work))
    finally:
        store.close()


def copy(source: str, target: str, told: Callable[[int, int], object] = lambda done, of: None) -> None:
    with telling(source, target), reading_from(source) as read, writing_to(target) as begin:
        transfer(read, begin, told)


def tallies(place: str) -> dict[str, Tally]:
    with reading_from(place) as conn:
        return {table.name: tally_of(conn, table) for table in TABLES}


def same(one: str, other: str) -> bool:
    found, expected = tallies(one), tallies(other)
    return all(found[name].is_like(expected[name]) for name in expected)


@pytest.fixture(params=["file", "postgres"])
def source(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    yield from _place(request, tmp_path / "source")


@pytest.fixture(params=["file", "postgres"])
def target(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    yield from _place(request, tmp_path / "target")


def _place(request: pytest.FixtureRequest, folder: Path) -> Iterator[str]:
    if request.param == "file":
        folder.mkdir()
        yield str(folder / "cupboard.db")
    else:
        postgres: Postgres = request.getfixturevalue("postgres")
        yield postgres.new_database()


def test_everything_arrives_and_a_server_takes_it(source: str, target: str) -> None:
    write(source, fill)
    copy(source, target)
    assert same(source, target)
    assert tallies(target)["event"].rows == EVENTS
    stores = [open_store(settings_of(place)) for place in (source, target)]
    assert stores[0].secret == stores[1].secret
    for store in stores:
        store.close()


class Stop(Exception):
    """Somebody stops the copy."""


def stopped(source: str, target: str, after: int) -> list[int]:
    """Stop a copy after so many rows; returns how far it said that it was."""
    told: list[int] = []

    def tell(done: int, of: int) -> None:
        told.append(done)
        if done >= after:
            raise Stop

    with pytest.raises(Stop):
        copy(source, target, tell)
    return told


@pytest.mark.parametrize("source", ["file"], indirect=True)
def test_a_copy_that_was_stopped_goes_on_and_is_not_served_before(source: str, target: str) -> None:
    write(source, fill)
    stopped(source, target, 2500)
    with pytest.raises(Busy, match="only a part of a copy"):
        open_store(settings_of(target))
    with pytest.raises(Busy, match="only a part of a copy"):
        copy(target, source)
    told: list[int] = []
    copy(source, target, lambda done, of: told.append(done))
    assert told[0] >= 2000  # it did not begin anew
    assert same(source, target)


@pytest.mark.parametrize("source", ["file"], indirect=True)
def test_a_copy_begins_anew_when_the_source_has_changed_meanwhile(source: str, target: str) -> None:
    write(source, fill)
    stopped(source, target, 2500)
    write(source, lambda conn: conn.execute(sa.update(EVENT).where(EVENT.c.n == 3).values(text="…")))
    told: list[int] = []
    copy(source, target, lambda done, of: told.append(done))
    assert told[0] == 0
    assert same(source, target)


@pytest.mark.parametrize("target", ["file"], indirect=True)
def test_a_copy_is_of_one_moment(source: str, target: str) -> None:
    write(source, fill)
    store = open_store(settings_of(source))
    numbers = itertools.count()

    def tell(done: int, of: int) -> None:
        number = next(numbers)

        def more(conn: Connection) -> None:
            conn.execute(sa.insert(PERSON).values(id=f"x{number}", name="X", made=1))
            conn.execute(sa.update(EVENT).where(EVENT.c.n == EVENTS - 1).values(text=f"later {number}"))

        asyncio.run(store.write(more))

    try:
        copy(source, target, tell)
    finally:
        store.close()
    found = tallies(target)
    assert found["person"].rows == 50
    with reading_from(target) as conn:
        assert conn.execute(sa.select(EVENT.c.text).where(EVENT.c.n == EVENTS - 1)).scalar_one() == f"e{EVENTS - 1}"


@pytest.mark.parametrize("source", ["file"], indirect=True)
def test_a_target_that_holds_something_is_left_as_it_is(source: str, target: str) -> None:
    write(source, fill)
    write(target, lambda conn: conn.execute(sa.insert(PERSON).values(id="me", name="Me", made=1)))
    before = tallies(target)
    with pytest.raises(Busy, match="holds games or people already"):
        copy(source, target)
    assert all(tally.is_like(before[name]) for name, tally in tallies(target).items())


def test_another_programs_database_is_no_target(postgres: Postgres, tmp_path: Path) -> None:
    source, url = str(tmp_path / "cupboard.db"), postgres.new_database()
    write(source, fill)
    with psycopg.connect(url) as conn:
        conn.execute("CREATE TABLE invoice (n int)")
    with pytest.raises(Busy, match="not a Cupboard database"):
        copy(source, url)
    (tmp_path / "notes.txt").write_text("my notes")
    with pytest.raises(Busy, match="not a Cupboard database"):
        copy(source, str(tmp_path / "notes.txt"))
    assert (tmp_path / "notes.txt").read_text() == "my notes"


@pytest.mark.parametrize("source", ["file"], indirect=True)
def test_a_target_that_a_server_runs_on_is_refused(source: str, target: str) -> None:
    write(source, fill)
    store = open_store(settings_of(target))
    try:
        done = subprocess.run([*PROGRAM, "db", "copy", source, target], capture_output=True, text=True, timeout=120)
    finally:
        store.close()
    assert done.returncode == 1
    assert re.search(r"is in use|is open", done.stderr)
    copy(source, target)


@pytest.mark.parametrize("source", ["file"], indirect=True)
@pytest.mark.parametrize("target", ["postgres"], indirect=True)
def test_what_somebody_writes_to_the_target_is_found_out_about(source: str, target: str) -> None:
    write(source, fill)

    def tell(done: int, of: int) -> None:
        if done > EVENTS // 2:
            with psycopg.connect(target, autocommit=True) as conn:
                conn.execute("UPDATE event SET text = 'mine' WHERE n = 5")

    with pytest.raises(Busy, match="not what was sent: event"):
        copy(source, target, tell)
    copy(source, target)
    assert same(source, target)


@pytest.mark.parametrize("target", ["postgres"], indirect=True)
def test_rows_that_contradict_each_other_are_said_to(tmp_path: Path, target: str) -> None:
    import sqlite3

    source = str(tmp_path / "cupboard.db")
    write(source, fill)
    db = sqlite3.connect(source)
    db.execute("UPDATE event SET game = 'gone' WHERE n = 5")
    db.commit()
    db.close()
    with pytest.raises(DamagedDatabase, match="contradict each other"):
        copy(source, target)


def test_ctrl_c_stops_the_command_and_the_next_one_finishes(postgres: Postgres, tmp_path: Path) -> None:
    source, url = str(tmp_path / "cupboard.db"), postgres.new_database()
    write(source, fill)
    stop = (
        "import cupboard.server.store.transfer as t, os, signal\n"
        "mark = t._mark\n"
        "def marked(conn, table, tally):\n"
        "    mark(conn, table, tally)\n"
        "    if table.name == 'event': os.kill(os.getpid(), signal.SIGINT)\n"
        "t._mark = marked\n"
    )
    words = [*PROGRAM[:-1], stop + PROGRAM[-1], "db", "copy", source, url]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120)
    assert done.returncode == 130, done.stderr
    assert "The same command goes on" in done.stderr
    assert "Traceback" not in done.stderr
    done = subprocess.run([*PROGRAM, "db", "copy", source, url], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert "rows, which are equal" in done.stdout.replace("\n", " ")
    assert same(source, url)
    assert inspect(Path(source)).entries == EVENTS
