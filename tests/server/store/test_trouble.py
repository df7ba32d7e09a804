"""Full disks, newer databases, taken ports: a sentence, a code, and the game untouched."""

from __future__ import annotations

import asyncio
import socket
import sqlite3
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
import sqlalchemy as sa

from cupboard.core.errors import CupboardError
from cupboard.server.errors import Busy, DamagedDatabase, NewerDatabase, NoRoom, Stale
from cupboard.server.home_network import lan_address, qr_code
from cupboard.server.http.services import Services
from cupboard.server.run import listen
from cupboard.server.settings import ServerSettings
from cupboard.server.store.schema import GAME, PERSON
from cupboard.server.store.sqlite import SqliteStore
from cupboard.server.store.sqlite_file import open_database, sentence_of
from cupboard.server.store.store import LogEntry
from cupboard.server.table import moves
from cupboard.server.table.client import Client
from cupboard.server.table.plan import Draft
from cupboard.server.table.storage import read_entries
from cupboard.server.wire.tables import NewTable, SeatPlan

CUPS = NewTable("jumping-cups", (SeatPlan("me"), SeatPlan("me")), {"starter": "red"})


class Deaf:
    """Somebody who is sent things and says nothing."""

    def __init__(self) -> None:
        self.is_full = False
        self.sent: list[bytes] = []

    def write(self, data: bytes) -> None:
        self.sent.append(data)

    def close(self, code: int, reason: str) -> None:
        raise AssertionError(f"shown out: {code} {reason}")


@pytest.mark.parametrize("durable", [False, True])
def test_a_full_disk_refuses_the_move_and_keeps_the_game(tmp_path: Path, durable: bool) -> None:
    async def run() -> None:
        services = Services(ServerSettings(data=tmp_path, durable=durable))
        anna, _ = await services.people.welcome("Anna")
        room = await services.tables.lay(CUPS, anna)
        client = Client(Deaf(), frozenset({0, 1}), 0)
        room.join(client)
        await moves.move(room, client, 0, "5-6", room.state.version)
        before = room.state.version

        async def allow(pages: int) -> None:
            """SQLite says the same when its file may not grow as when the disk is full."""
            pragma = f"PRAGMA max_page_count = {pages}"
            assert isinstance(services.store.store, SqliteStore)
            services.store.store._quick.execute(pragma)
            await services.store.write(lambda conn: conn.exec_driver_sql(pragma).all())

        await allow(1)
        with pytest.raises(NoRoom) as refusal:
            # One row may still find a place on its page; a very long one does not.
            async with room.lock:
                await room.append([Draft("chat", 0, "x" * 100_000)])
        assert refusal.value.code == "no-room" and room.state.version == before
        await allow(10**9)
        await moves.move(room, client, 1, "10-9", room.state.version)
        kept = await services.store.read(read_entries, room.plan.id)
        assert [entry.text for entry in kept if entry.kind == "move"] == ["5-6", "10-9"]
        await services.close()

    asyncio.run(run())


def test_errors_of_the_database_do_not_quote_what_was_to_be_written(tmp_path: Path) -> None:
    async def run() -> None:
        store = SqliteStore(tmp_path / "cupboard.db")
        insert = sa.insert(PERSON).values(id="1", name="Annegret", made=0)
        with pytest.raises(sa.exc.IntegrityError) as refused:
            await store.write(lambda conn: [conn.execute(insert) for _ in range(2)] and None)
        assert "UNIQUE" in str(refused.value) and "Annegret" not in str(refused.value)
        store.close()

    asyncio.run(run())


def test_a_newer_database_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "cupboard.db"
    SqliteStore(file).close()
    with sqlite3.connect(file) as db:
        db.execute("UPDATE alembic_version SET version_num = '9999'")
    db.close()
    with pytest.raises(NewerDatabase, match="newer Cupboard"):
        SqliteStore(file)


def test_some_other_file_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "cupboard.db"
    file.write_bytes(b"my diary " * 1000)
    with pytest.raises(CupboardError, match="is not a Cupboard database"):
        SqliteStore(file)
    assert file.read_bytes() == b"my diary " * 1000


def test_waiting_for_another_process_does_not_stop_the_loop(tmp_path: Path) -> None:
    async def run() -> None:
        services = Services(ServerSettings(data=tmp_path))
        anna, _ = await services.people.welcome("Anna")
        room = await services.tables.lay(CUPS, anna)
        client = Client(Deaf(), frozenset({0, 1}), 0)
        room.join(client)
        other = sqlite3.connect(services.settings.database_file, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        move = asyncio.create_task(moves.move(room, client, 0, "5-6", room.state.version))
        for _ in range(20):
            await asyncio.sleep(0.01)  # would not get here if the loop waited for the lock
        assert not move.done()
        other.execute("COMMIT")
        await move
        other.close()
        assert room.state.entries[-1].text == "5-6"
        await services.close()

    asyncio.run(run())


def test_who_reads_slowly_skips_updates_and_misses_nothing(tmp_path: Path) -> None:
    async def run() -> None:
        services = Services(ServerSettings(data=tmp_path))
        anna, _ = await services.people.welcome("Anna")
        room = await services.tables.lay(CUPS, anna)
        deaf = Deaf()
        slow, quick = Client(deaf, frozenset({0}), 0), Client(Deaf(), frozenset({1}), 0)
        room.join(slow)
        room.join(quick)
        slow.push(room, force=True)
        deaf.is_full, before = True, len(deaf.sent)
        first = room.state.version
        await moves.move(room, slow, 0, "5-6", first)
        slow.push(room, 7)
        await moves.move(room, quick, 1, "10-9", room.state.version)
        room.leave(quick)
        assert len(deaf.sent) == before
        deaf.is_full = False
        slow.drained(room)
        slow.drained(room)
        seats, update = (msgspec.json.decode(data) for data in deaf.sent[before:])
        assert seats["type"] == "seats" and not seats["seats"][1].get("here")
        assert [event["n"] for event in update["events"]] == [first, first + 1] and update["ack"] == 7
        await services.close()

    asyncio.run(run())


def test_writes_that_share_a_transaction_fail_alone(tmp_path: Path) -> None:
    async def run() -> None:
        services = Services(ServerSettings(data=tmp_path, durable=True))
        anna, _ = await services.people.welcome("Anna")
        room = await services.tables.lay(CUPS, anna)
        first = room.state.version
        entries = [LogEntry(n, "chat", 0, str(n), 0) for n in (first, 0, first + 1)]
        results = await asyncio.gather(
            *(services.store.append(room.plan.id, [entry]) for entry in entries), return_exceptions=True
        )
        assert [type(result) for result in results] == [type(None), Stale, type(None)]
        kept = await services.store.read(read_entries, room.plan.id, first)
        assert [entry.n for entry in kept] == [first, first + 1]
        await services.close()

    asyncio.run(run())


@pytest.mark.parametrize("durable", [False, True])
def test_the_last_move_and_the_end_are_written_together_or_not_at_all(tmp_path: Path, durable: bool) -> None:
    async def run() -> None:
        services = Services(ServerSettings(data=tmp_path, durable=durable))
        anna, _ = await services.people.welcome("Anna")
        room = await services.tables.lay(CUPS, anna)
        table, first = room.plan.id, room.state.version

        async def known() -> tuple[str, str | None, int]:
            query = sa.select(GAME.c.status, GAME.c.outcome).where(GAME.c.id == table)
            status, outcome = await services.store.read(lambda conn: conn.execute(query).one())
            return status, outcome, len(await services.store.read(read_entries, table, first))

        with pytest.raises(Stale):  # the second entry is already there
            await services.store.append(table, [LogEntry(first, "chat", 0, "", 0), LogEntry(0, "end", 0, "", 0)], "{}")
        assert await known() == ("playing", None, 0)
        await services.store.append(table, [LogEntry(first, "chat", 0, "", 0)])
        assert await known() == ("playing", None, 1)
        await services.store.append(table, [LogEntry(first + 1, "end", 0, "", 0)], '{"winners":[1]}')
        assert await known() == ("over", '{"winners":[1]}', 2)
        await services.close()

    asyncio.run(run())


@pytest.mark.parametrize(("durable", "level"), [(False, 1), (True, 2)])
def test_every_connection_waits_for_the_disk_as_it_was_told(tmp_path: Path, durable: bool, level: int) -> None:
    async def run() -> None:
        store = SqliteStore(tmp_path / "cupboard.db", durable)

        def told(conn: sa.Connection) -> int:
            return int(conn.exec_driver_sql("PRAGMA synchronous").scalar_one())

        assert await store.read(told) == await store.write(told) == level
        assert store._quick.execute("PRAGMA synchronous").fetchone()[0] == level
        store.close()

    asyncio.run(run())


def test_a_port_that_was_asked_for_is_taken_or_refused_and_otherwise_the_next_free_one_is_found() -> None:
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        port = busy.getsockname()[1]
        with listen("127.0.0.1", port) as sock:
            assert port < sock.getsockname()[1] <= port + 100
        with pytest.raises(Busy, match=f"Port {port} on 127.0.0.1 is taken"):
            listen("127.0.0.1", port, strict=True)
    with listen("127.0.0.1", port, strict=True) as sock:
        assert sock.getsockname()[1] == port
    with pytest.raises(Busy, match="Cannot listen"):
        listen("192.0.2.1", 8000)


def test_the_home_network_gets_an_address_to_scan() -> None:
    address = lan_address()
    assert address.count(".") == 3
    code = qr_code(f"http://{address}:8000/")
    assert len(code.splitlines()) > 10 and any(block in code for block in "▀▄█")


def broken(code: int) -> sqlite3.Error:
    error = sqlite3.OperationalError("a sentence that says nothing")
    error.sqlite_errorcode = code
    return error


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (sqlite3.SQLITE_FULL, NoRoom),
        (sqlite3.SQLITE_READONLY_DBMOVED, NoRoom),
        (sqlite3.SQLITE_IOERR_FSYNC, NoRoom),
        (sqlite3.SQLITE_BUSY, Busy),
        (sqlite3.SQLITE_BUSY_SNAPSHOT, Busy),
        (sqlite3.SQLITE_LOCKED_SHAREDCACHE, Busy),
        (sqlite3.SQLITE_CORRUPT_INDEX, DamagedDatabase),
        (sqlite3.SQLITE_NOTADB, DamagedDatabase),
        (sqlite3.SQLITE_ERROR, type(None)),
    ],
)
def test_errors_are_told_apart_by_their_codes(code: int, kind: type) -> None:
    assert type(sentence_of(broken(code))) is kind


def test_errors_without_a_code_have_no_sentence() -> None:
    for error in (sqlite3.ProgrammingError("closed"), ValueError("SQLITE_BUSY"), None):
        assert sentence_of(error) is None


def test_readers_wait_for_nobody_whatever_their_thread_is_called(tmp_path: Path) -> None:
    database = open_database(tmp_path / "cupboard.db", durable=False)
    with closing(sqlite3.connect(tmp_path / "cupboard.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with database.readers.connect() as conn:
            assert conn.execute(sa.select(GAME)).all() == []
        other.execute("ROLLBACK")
        with database.writers.connect() as conn, conn.begin():
            other.execute("PRAGMA busy_timeout = 0")
            with pytest.raises(sqlite3.OperationalError) as locked:
                other.execute("BEGIN IMMEDIATE")
            assert locked.value.sqlite_errorcode == sqlite3.SQLITE_BUSY
    database.readers.dispose()
