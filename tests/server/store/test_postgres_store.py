"""PostgresStore: what is acknowledged is on the disk, once, and a lost connection is found out about by looking."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
import sqlalchemy as sa
from sqlalchemy import Connection
from tests.server.postgres import Postgres
from tests.server.store.cutting import way_to

from cupboard.core.errors import CupboardError
from cupboard.server.errors import Busy, LeaseLost, NoRoom, Stale
from cupboard.server.store import postgres_connections
from cupboard.server.store.postgres import PostgresStore
from cupboard.server.store.postgres_connections import connect_async
from cupboard.server.store.postgres_errors import sentence_of
from cupboard.server.store.schema import EVENT, GAME, LEASE, PERSON, SERVER
from cupboard.server.store.store import LogEntry


@pytest.fixture
def url(postgres: Postgres) -> str:
    return postgres.new_database()


@pytest.fixture
def run() -> Iterator[Callable[[Coroutine[Any, Any, Any]], Any]]:
    yield lambda work: asyncio.run(asyncio.wait_for(work, 60))


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[PostgresStore]:
    store = PostgresStore(url)
    try:
        await store.write(lay)
        yield store
    finally:
        store.close()


def lay(conn: Connection) -> None:
    if conn.execute(sa.select(GAME.c.id)).first() is None:
        conn.execute(sa.insert(PERSON).values(id="ann", name="Ann", made=0))
        row = {"id": "g", "root": "g", "name": "jumping-cups", "seats": 2, "options": "{}", "listed": True}
        conn.execute(sa.insert(GAME).values(**row, maker="ann", made=0, status="playing"))
        conn.execute(sa.insert(SERVER), [{"id": s, "kind": "server", "machine": s, "made": 0, "seen": 0} for s in "ab"])
        conn.execute(sa.insert(LEASE).values(game="g", server="a"))


def entry(n: int, text: str = "e4-e7") -> LogEntry:
    return LogEntry(n, "move", n % 2, text, 1_780_000_000_000 + n)


def read_log(conn: Connection) -> list[tuple[int, str]]:
    return [(row.n, row.text) for row in conn.execute(sa.select(EVENT).order_by(EVENT.c.n))]


def cut_all(url: str) -> None:
    with psycopg.connect(url, autocommit=True) as conn:
        conn.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )


def test_what_is_acknowledged_is_on_the_disk_whatever_the_database_says(url: str, run: Any) -> None:
    async def found() -> set[str]:
        with psycopg.connect(url, autocommit=True) as conn:
            conn.execute(f"ALTER DATABASE {conn.info.dbname} SET synchronous_commit = off")
        async with opened(url) as store:
            ask = "SHOW synchronous_commit"
            of_moves = await connect_async(url)
            moves = await (await of_moves.execute(ask)).fetchone()
            await of_moves.close()
            assert moves is not None
            return {moves[0], await store.write(lambda conn: conn.exec_driver_sql(ask).scalar_one())}

    assert run(found()) == {"on"}


def test_of_two_servers_with_one_number_one_is_stale(url: str, run: Any) -> None:
    async def race() -> tuple[list[Any], list[tuple[int, str]]]:
        async with opened(url) as one, opened(url) as two:
            both = [store.append("g", [entry(n, name)]) for n in range(40) for name, store in (("1", one), ("2", two))]
            return await asyncio.gather(*both, return_exceptions=True), await one.read(read_log)

    answers, log = run(race())
    assert [n for n, _ in log] == list(range(40))
    assert sum(answer is None for answer in answers) == 40
    assert all(isinstance(answer, Stale) for answer in answers if answer is not None)
    for n, text in log:
        assert answers[2 * n + int(text) - 1] is None


def test_several_entries_are_all_written_or_none(url: str, run: Any) -> None:
    async def append() -> list[tuple[int, str]]:
        async with opened(url) as store:
            await store.append("g", [entry(1)])
            with pytest.raises(Stale):
                await store.append("g", [entry(0), entry(1)])
            return await store.read(read_log)

    assert run(append()) == [(1, "e4-e7")]


@pytest.mark.parametrize("also", [None, lambda conn: None], ids=["a statement", "a transaction"])
def test_only_the_holder_of_the_lease_appends(url: str, run: Any, also: Any) -> None:
    async def append() -> list[tuple[int, str]]:
        async with opened(url) as store:
            await store.append("g", [entry(0), LogEntry(1, "move", None, "", 5)], also=also, holder="a")
            with pytest.raises(LeaseLost):
                await store.append("g", [entry(2)], also=also, holder="b")
            await store.write(lambda conn: conn.execute(sa.update(LEASE).values(server="b")) and None)
            with pytest.raises(LeaseLost):
                await store.append("g", [entry(2)], also=also, holder="a")
            await store.append("g", [entry(2)], also=also, holder="b")
            return await store.read(read_log)

    assert [n for n, _ in run(append())] == [0, 1, 2]


def test_who_appends_waits_for_whoever_takes_the_lease(url: str, run: Any) -> None:
    async def append() -> None:
        async with opened(url) as store:
            with psycopg.connect(url) as taker:
                taker.execute("UPDATE lease SET server = 'b'")
                appending = asyncio.create_task(store.append("g", [entry(0)], holder="a"))
                await asyncio.wait({appending}, timeout=0.3)
                assert not appending.done()
                taker.commit()
                with pytest.raises(LeaseLost):
                    await appending

    run(append())


def test_cut_connections_fail_nobody_who_comes_later(url: str, run: Any) -> None:
    async def work() -> list[tuple[int, str]]:
        async with opened(url) as store:
            await asyncio.gather(*(store.append("g", [entry(n)]) for n in range(8)))
            await asyncio.gather(*(store.read(read_log) for _ in range(8)))
            await asyncio.to_thread(cut_all, url)
            await asyncio.gather(*(store.append("g", [entry(n)]) for n in range(8, 16)))
            await asyncio.to_thread(cut_all, url)
            await store.write(lambda conn: conn.execute(sa.update(PERSON).values(name="Anna")) and None)
            return await store.read(read_log)

    assert [n for n, _ in run(work())] == list(range(16))


def test_a_move_whose_answer_was_lost_is_acknowledged_when_it_is_there(url: str, run: Any) -> None:
    async def work() -> tuple[int, list[tuple[int, str]]]:
        async with way_to(url) as way:
            store = await asyncio.to_thread(PostgresStore, way.url)
            try:
                await store.write(lay)
                await store.append("g", [entry(0)])  # the connection is used already, and may have been lost long ago
                way.lose(b"lost-move")
                await store.append("g", [entry(1, "lost-move")])
                with pytest.raises(Stale):
                    await store.append("g", [entry(1, "another")])
                return way.lost, await store.read(read_log)
            finally:
                store.close()

    lost, log = run(work())
    assert lost == 1
    assert log == [(0, "e4-e7"), (1, "lost-move")]


def test_what_another_server_wrote_in_place_of_a_lost_move_makes_it_stale(url: str, run: Any) -> None:
    async def work() -> None:
        async with way_to(url) as way, opened(url) as other:
            store = await asyncio.to_thread(PostgresStore, way.url)
            try:
                await store.append("g", [entry(0)])
                await other.append("g", [entry(1, "theirs")])
                way.lose(b"ours")
                with pytest.raises(Stale):
                    await store.append("g", [entry(1, "ours")])
            finally:
                store.close()

    run(work())


def test_nothing_waits_longer_than_a_statement_may_take(url: str, run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres_connections, "SECONDS_TO_ANSWER", 0.3)

    async def work() -> None:
        async with opened(url) as store:
            with psycopg.connect(url) as hoarder:
                hoarder.execute("LOCK TABLE event")
                with pytest.raises(Busy):
                    await store.append("g", [entry(0)])
                with pytest.raises(Busy):
                    await store.read(read_log)
            await store.append("g", [entry(0)])

    run(work())


def test_transactions_that_read_and_write_are_as_if_one_after_the_other(url: str, run: Any) -> None:
    def count(conn: Connection) -> None:
        made = conn.execute(sa.select(PERSON.c.made).where(PERSON.c.id == "ann")).scalar_one()
        conn.execute(sa.update(PERSON).where(PERSON.c.id == "ann").values(made=made + 1))

    async def work() -> int:
        async with opened(url) as one, opened(url) as two:
            await asyncio.gather(*(store.write(count) for _ in range(12) for store in (one, two)))
            return await one.read(lambda conn: int(conn.execute(sa.select(PERSON.c.made)).scalar_one()))

    assert run(work()) == 24


def test_what_no_text_of_postgresql_can_hold_is_replaced(url: str, run: Any) -> None:
    async def work() -> list[tuple[int, str]]:
        async with opened(url) as store:
            await store.append("g", [entry(0, "a\0b")])
            with pytest.raises(Stale):
                await store.append("g\0", [entry(0)])  # there is no such table
            await store.write(lambda conn: conn.execute(sa.update(PERSON).values(name="A\0\ud800")) and None)
            return await store.read(read_log)

    assert run(work()) == [(0, "a\ufffdb")]


def test_a_database_that_becomes_read_only_is_busy_and_comes_back(url: str, run: Any) -> None:
    def become(word: str) -> None:
        with psycopg.connect(url, autocommit=True) as conn:
            conn.execute("SET default_transaction_read_only = off")
            conn.execute(f"ALTER DATABASE {conn.info.dbname} SET default_transaction_read_only = {word}")
        cut_all(url)

    async def work() -> None:
        async with opened(url) as store:
            await store.check_writable()
            await asyncio.to_thread(become, "on")
            for refused in (store.append("g", [entry(0)]), store.write(lay), store.check_writable()):
                try:
                    await refused
                except Busy:
                    continue
            with pytest.raises(Busy):
                await store.append("g", [entry(0)])
            assert await store.read(read_log) == []
            await asyncio.to_thread(become, "off")
            await store.append("g", [entry(0)])
            await store.check_writable()

    run(work())


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (psycopg.errors.DiskFull("no space"), NoRoom),
        (psycopg.errors.TooManyConnections("no slots"), Busy),
        (psycopg.errors.AdminShutdown("terminating"), Busy),
        (psycopg.errors.CannotConnectNow("starting up"), Busy),
        (psycopg.errors.QueryCanceled("statement timeout"), Busy),
        (psycopg.errors.ReadOnlySqlTransaction("read-only"), Busy),
        (psycopg.OperationalError("the connection is lost"), Busy),
        (sa.exc.TimeoutError("QueuePool limit"), Busy),
        (ConnectionResetError(), Busy),
    ],
    ids=lambda value: getattr(value, "__name__", type(value).__name__),
)
def test_trouble_of_the_database_has_a_sentence(error: Exception, kind: type[CupboardError]) -> None:
    found = sentence_of(error)
    assert type(found) is kind
    assert str(found).endswith(".")


def test_errors_of_the_program_are_not_the_databases() -> None:
    assert sentence_of(psycopg.errors.SyntaxError("oh")) is None
    assert sentence_of(ValueError("oh")) is None


def test_a_store_is_used_by_one_loop_after_another(url: str, tmp_path: Path, run: Any) -> None:
    store = PostgresStore(url)
    try:
        run(store.write(lay))
        for n in range(3):
            run(store.append("g", [entry(n)]))
        assert len(run(store.read(read_log))) == 3
    finally:
        store.close()
