"""A damaged database is noticed at the start; a damaged table has a code of its own and disturbs no other."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.server.helpers import Server, SocketPlayer, browser, lay, said, serving, wait_for

from cupboard.core.errors import CupboardError
from cupboard.server.errors import DamagedDatabase
from cupboard.server.store import sqlite_file
from cupboard.server.store.sqlite import SqliteStore

FAULTS = {
    "an illegal move": "UPDATE event SET text = '9-9' WHERE game = :id AND kind = 'move'",
    "a move that is no text": "UPDATE event SET text = x'fffe' WHERE game = :id AND kind = 'move'",
    "bytes that are no UTF-8": "UPDATE event SET text = CAST(x'ff' AS TEXT) WHERE game = :id AND kind = 'move'",
    "a kind that is none": "UPDATE event SET kind = 'dance' WHERE game = :id AND kind = 'start'",
    "a seat that is none": "UPDATE event SET seat = 7 WHERE game = :id AND kind = 'move'",
    "a move of nobody": "UPDATE event SET seat = NULL WHERE game = :id AND kind = 'move'",
    "a time that is none": "UPDATE event SET at = 'noon' WHERE game = :id AND kind = 'move'",
    "an entry missing": "DELETE FROM event WHERE game = :id AND n = 1",
    "a game that is none": "UPDATE game SET name = 'chess' WHERE id = :id",
    "options that are no JSON": "UPDATE game SET options = '{' WHERE id = :id",
    "an option that is none": "UPDATE game SET options = '{\"colour\": 1}' WHERE id = :id",
    "a clock that is none": "UPDATE game SET clock = '[]' WHERE id = :id",
    "a seat missing": "DELETE FROM seat WHERE game = :id AND seat = 1",
    "a chair that is none": "UPDATE seat SET chair = 'red' WHERE game = :id AND seat = 1",
}


def damage(data: Path, statement: str, table: str) -> None:
    with closing(sqlite3.connect(data / "cupboard.db")) as db, db:
        assert db.execute(statement, {"id": table}).rowcount > 0


def tables(http: httpx.Client, number: int) -> list[dict[str, Any]]:
    """Listed tables, each with a clock and a move made."""
    made = [
        lay(http, "jumping-cups", "me", "me", options={"starter": "red"}, clock={"start": 600, "gain": 0}, listed=True)
        for _ in range(number)
    ]

    async def move() -> None:
        for one in made:
            player = await SocketPlayer.sit(http.base_url.port or 0, one["table"]["id"], one["keys"][0]["token"])
            await player.move("5-6")
            await player.close()

    asyncio.run(move())
    return made


def test_a_damaged_table_has_a_code_of_its_own_and_all_others_are_well(tmp_path: Path) -> None:
    with serving(tmp_path) as server, browser(server.url) as http:
        made = tables(http, len(FAULTS) + 1)
        ids = [one["table"]["id"] for one in made]
        server.stop()
        for table, statement in zip(ids, FAULTS.values(), strict=False):
            damage(tmp_path, statement, table)
        # Damaged clocks are looked at first: they must not keep the others' flags from falling.
        damage(tmp_path, "UPDATE game SET due = n FROM (SELECT 1 AS n) WHERE id != :id", ids[-1])
        damage(tmp_path, "UPDATE event SET at = at - 600000 WHERE game = :id", ids[-1])
        damage(tmp_path, "UPDATE game SET due = 2 WHERE id = :id", ids[-1])
        server.start()
        for table, fault in zip(ids, FAULTS, strict=False):
            for path in ("", "/events", "/scenes?since=0", "/record"):
                answer = http.get(f"/api/tables/{table}{path}")
                if answer.status_code != 404:
                    assert answer.json()["code"] == "damaged-table", (fault, path, answer.text)
            assert "damaged" in said(http.get(f"/api/tables/{table}").json()["words"])
        last = ids[-1]
        wait_for(lambda: last in [one["id"] for one in http.get("/api/mine").json()["finished"]])
        assert http.get("/api/tables").status_code == 200
        assert http.get(f"/api/tables/{last}").json()["outcome"]["reason"] == "time"


def test_an_outcome_that_is_none_leaves_the_lists_alone(tmp_path: Path) -> None:
    with serving(tmp_path) as server, browser(server.url) as http:
        first, second = (one["table"]["id"] for one in tables(http, 2))
        server.stop()
        damage(tmp_path, "UPDATE game SET outcome = '{', status = 'over' WHERE id = :id", first)
        server.start()
        mine = http.get("/api/mine").json()
        assert [one["id"] for one in mine["running"] + mine["finished"]] == [second]


def test_an_outcome_as_earlier_versions_wrote_it_is_listed(tmp_path: Path) -> None:
    old = '{"winners":[1],"reason":"resigned","sentence":"Red resigned."}'
    with serving(tmp_path) as server, browser(server.url) as http:
        table = tables(http, 1)[0]["table"]["id"]
        server.stop()
        damage(tmp_path, f"UPDATE game SET outcome = '{old}', status = 'over' WHERE id = :id", table)
        server.start()
        outcome = http.get("/api/mine").json()["finished"][0]["outcome"]
    assert (outcome["winners"], outcome["seats"], said(outcome["sentence"])) == ([1], 2, "Red resigned.")


def test_a_table_that_is_damaged_while_people_sit_there_says_so_and_disturbs_no_other(server: Server) -> None:
    with browser(server.url) as http:
        bad, good = tables(http, 2)

    async def watch() -> None:
        at_bad = await SocketPlayer.sit(server.port, bad["table"]["id"], bad["keys"][1]["token"])
        at_good = await SocketPlayer.sit(server.port, good["table"]["id"], good["keys"][1]["token"])
        for one in (bad, good):
            text = "9-9" if one is bad else "hello"
            kind = "move" if one is bad else "chat"
            row = f"INSERT INTO event SELECT game, n + 1, 1, '{kind}', '{text}', at FROM event"
            damage(server.data, f"{row} WHERE game = :id ORDER BY n DESC LIMIT 1", one["table"]["id"])
        told = await at_bad.receive()
        assert (told["type"], told["code"]) == ("refused", "damaged-table")
        for words in ({"type": "chat", "text": "Hello?"}, {"type": "hint"}, {"type": "move", "text": "10-9"}):
            answer = await at_bad.say(version=at_bad.version, **words)
            assert answer["code"] == "damaged-table", answer
        while at_good.events[-1]["text"] != "hello":
            await at_good.receive()
        assert (await at_good.move("10-9"))["type"] == "update"
        for player in (at_bad, at_good):
            await player.close()

    asyncio.run(watch())


def spoil(file: Path, start: int, size: int) -> None:
    """As a dying disk would."""
    with file.open("r+b") as stream:
        stream.seek(start)
        stream.write(b"\xa5" * size)


def filled(file: Path) -> None:
    """A database with a few hundred pages."""
    SqliteStore(file).close()
    with closing(sqlite3.connect(file)) as db, db:
        row = "INSERT INTO person (id, name, made) VALUES (?, ?, 0)"
        db.executemany(row, [(f"p{n}", "x" * 1000) for n in range(500)])
        db.execute("PRAGMA journal_mode=DELETE")


@pytest.mark.parametrize(("start", "size"), [(100, 100), (4096, 4096), (20 * 4096, 100 * 4096)])
def test_a_damaged_file_is_noticed_at_the_start_and_left_as_it_is(tmp_path: Path, start: int, size: int) -> None:
    file = tmp_path / "cupboard.db"
    filled(file)
    spoil(file, start, size)
    before = file.read_bytes()
    with pytest.raises(DamagedDatabase, match="is damaged"):
        SqliteStore(file)
    assert file.read_bytes() == before


def test_a_file_that_was_cut_off_is_noticed(tmp_path: Path) -> None:
    file = tmp_path / "cupboard.db"
    filled(file)
    file.write_bytes(file.read_bytes()[: 30 * 4096])
    with pytest.raises(DamagedDatabase, match="is damaged"):
        SqliteStore(file)


@pytest.mark.parametrize("statement", ["DELETE FROM secret", "UPDATE secret SET key = 'no'", "DROP TABLE seat"])
def test_a_database_that_lacks_something_is_damaged(tmp_path: Path, statement: str) -> None:
    file = tmp_path / "cupboard.db"
    SqliteStore(file).close()
    with closing(sqlite3.connect(file)) as db, db:
        db.execute(statement)
    with pytest.raises(DamagedDatabase, match="is damaged"):
        SqliteStore(file)


def test_a_large_file_is_checked_for_a_moment_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "cupboard.db"
    filled(file)
    monkeypatch.setattr(sqlite_file, "_SECONDS_TO_CHECK", 0.0)
    monkeypatch.setattr(sqlite_file, "_STEPS_BETWEEN_LOOKS", 10)
    began = time.monotonic()
    sqlite_file._check_pages(file)
    assert time.monotonic() - began < 0.5


def test_damage_that_is_found_later_is_a_sentence_too(tmp_path: Path) -> None:
    async def run() -> None:
        filled(tmp_path / "cupboard.db")
        store = SqliteStore(tmp_path / "cupboard.db")
        spoil(tmp_path / "cupboard.db", 20 * 4096, 100 * 4096)
        with pytest.raises(CupboardError) as refusal:
            await store.read(lambda conn: conn.exec_driver_sql("SELECT id, name FROM person ORDER BY made").all())
        assert refusal.value.code == "damaged-database" and "nothing was changed" in str(refusal.value)
        store.close()

    asyncio.run(run())
