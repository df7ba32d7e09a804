"""Retention: guests who stay away are forgotten, their games deleted in time, and nobody at a table is disturbed."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa
from sqlalchemy import Connection
from tests.server.inside import house, seated
from tests.server.postgres import Postgres, rows_of

from cupboard.server.administration.people_rows import NOBODY
from cupboard.server.administration.retention import Retention
from cupboard.server.classes.classes import Classes
from cupboard.server.errors import Stale
from cupboard.server.people import people as people_module
from cupboard.server.people.people import People, Person
from cupboard.server.people.sessions import digest_of
from cupboard.server.settings import PeopleSettings, ServerSettings
from cupboard.server.steady_clock import now
from cupboard.server.store.schema import CLASS, EVENT, GAME, MEMBER, METADATA, PERSON, RESULT, SEAT, SESSION
from cupboard.server.store.store import LogEntry, Store
from cupboard.server.table.deciding import decide
from cupboard.server.table.room import Room
from cupboard.server.table.tables import Tables
from cupboard.server.wire.classes import NewRound
from cupboard.server.wire.tables import NewTable, SeatPlan

DAY = 24 * 3600 * 1000
MONTH = PeopleSettings(guest_days=30, account_days=10, keep_guests_games=7)


class World:
    """The tables, people and store of a server, and a clock that is set by hand."""

    def __init__(self, tables: Tables, people: People, store: Store, folder: Path) -> None:
        self.tables, self.people, self.store = tables, people, store
        self.ahead = 0
        people.sessions._settings = MONTH
        people.sessions._clock = self.now
        settings = ServerSettings(data=folder, people=MONTH)
        self.retention = Retention(store, tables, settings, self.now)

    def now(self) -> int:
        return now() + self.ahead

    async def table(self, person: Person, *, seats: int = 2) -> Room:
        return await self.tables.lay(NewTable("jumping-cups", (SeatPlan("me"),) * seats), person)

    async def count(self, table: sa.Table, *which: sa.ColumnElement[bool]) -> int:
        def work(conn: Connection) -> int:
            return int(conn.execute(sa.select(sa.func.count()).select_from(table).where(*which)).scalar_one())

        return await self.store.read(work)

    async def pass_days(self, days: int) -> None:
        self.ahead += days * DAY
        await self.people.sessions.sweep()
        await self.retention.sweep()


def run(folder: Path, work: Callable[[World], Awaitable[None]], monkeypatch: pytest.MonkeyPatch) -> None:
    async def all_of_it() -> None:
        async with house(folder) as (tables, people, store):
            world = World(tables, people, store, folder)
            monkeypatch.setattr(people_module, "now", world.now)
            await work(world)

    asyncio.run(all_of_it())


def test_a_guest_who_stays_away_is_forgotten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def work(world: World) -> None:
        gone, _ = await world.people.welcome("Gone")
        back, cookie = await world.people.welcome("Back")
        room = await world.table(gone)
        world.ahead += 29 * DAY
        assert await world.people.of(cookie) == back
        await world.pass_days(0)
        assert await world.count(PERSON) == 2, "not yet"
        await world.pass_days(2)
        assert await world.count(PERSON, PERSON.c.id == gone.id) == 0
        assert await world.count(PERSON, PERSON.c.id == back.id) == 1
        assert await world.people.of(cookie) == back
        assert await world.count(GAME, GAME.c.id == room.plan.id) == 0, "their game was older than seven days"
        assert "retention games=0 guests=1" in caplog.messages, caplog.messages

    run(tmp_path, work, monkeypatch)


@pytest.mark.parametrize("gone", [None, 1])
def test_a_guest_who_signs_out_is_kept_for_their_class(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, gone: int | None
) -> None:
    """At a computer that several use, "I am not Anna" signs Anna out, who comes back another day."""

    async def work(world: World) -> None:
        teacher, _ = await world.people.welcome("Meier")
        await world.people.register(teacher, "meier", "correct horse battery")
        anna, cookie = await world.people.welcome("Anna")
        passer_by, other = await world.people.welcome("Passer-by")
        room = {"id": "5b", "name": "5b", "teacher": teacher.id, "code": "CCCCCC", "tournament": 1, "made": 0}
        place = {"id": "m", "class": "5b", "person": anna.id, "name": "Anna", "joined": world.now(), "gone": gone}

        def fill(conn: Connection) -> None:
            conn.execute(sa.insert(CLASS).values(room))
            conn.execute(sa.insert(MEMBER).values(place))

        await world.store.write(fill)
        world.ahead += 20 * DAY
        assert await world.people.of(cookie) == anna and await world.people.of(other) == passer_by
        await world.people.sign_out(anna, cookie)
        await world.people.sign_out(passer_by, other)
        assert await world.people.of(cookie) is None
        world.ahead += 70 * 60 * 1000
        await world.pass_days(0)
        assert await world.count(PERSON, PERSON.c.id == passer_by.id) == 0
        assert await world.count(PERSON, PERSON.c.id == anna.id) == (gone is None)
        await world.pass_days(MONTH.guest_days - 1)
        assert await world.people.of(cookie) is None
        assert await world.count(PERSON, PERSON.c.id == anna.id) == (gone is None), "30 days from the last visit on"
        await world.pass_days(2)
        assert await world.count(PERSON, PERSON.c.id == anna.id) == 0
        assert await world.count(MEMBER, MEMBER.c.name == "Anna") == 0

    run(tmp_path, work, monkeypatch)


def test_the_games_of_a_forgotten_guest_with_somebody_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(world: World) -> None:
        guest, _ = await world.people.welcome("Gone")
        member, _ = await world.people.welcome("Ida")
        await world.people.register(member, "ida", "correct horse battery")
        room = await world.tables.lay(NewTable("jumping-cups", (SeatPlan("me"), SeatPlan("open"))), guest)
        await room.take(1, member, "")
        await world.pass_days(31)
        assert await world.count(PERSON, PERSON.c.id == guest.id) == 0
        assert [chair.name for chair in room.plan.chairs] == ["Guest", "Ida"], "in the memory as well"
        assert room.state.entries[0].text == "Guest"
        assert await world.count(GAME, GAME.c.maker == NOBODY) == 1
        world.tables.drop(room.plan.id)
        again = await world.tables.room(room.plan.id)
        assert [entry.kind for entry in again.state.entries] == [entry.kind for entry in room.state.entries]
        assert await world.count(PERSON, PERSON.c.id == member.id) == 1, "accounts stay"

    run(tmp_path, work, monkeypatch)


def test_games_of_guests_alone_are_deleted_wholly_and_others_are_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(world: World) -> None:
        guest, _ = await world.people.welcome("Gusta")
        member, _ = await world.people.welcome("Ida")
        await world.people.register(member, "ida", "correct horse battery")
        old = [await world.table(guest) for _ in range(25)]
        kept = await world.table(member)
        await world.pass_days(6)
        assert await world.count(GAME) == 26
        await world.pass_days(2)
        assert await world.count(GAME) == 1 and kept.plan.id in world.tables.rooms
        ids = [room.plan.id for room in old]
        for table in (EVENT, SEAT, RESULT):
            assert await world.count(table, table.c.game.in_(ids)) == 0, table.name
        assert not set(ids) & set(world.tables.rooms)
        with rows_of(tmp_path) as db:
            assert not list(db.execute("PRAGMA foreign_key_check"))  # PostgreSQL would not have let it happen

    run(tmp_path, work, monkeypatch)


def test_a_class_keeps_the_results_of_games_that_are_deleted_before_anybody_looked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(world: World) -> None:
        teacher, _ = await world.people.welcome("Ms Meier")
        teacher, _ = await world.people.register(teacher, "meier", "correct horse battery")
        classes = Classes(world.store, world.people, world.tables)
        room = await classes.make(teacher, "5b")
        code = (await classes.rounds.read(room)).row.code
        for name in ("Anna", "Bo", "Cai", "Dee"):
            guest, _ = await world.people.welcome(name)
            await classes.members.join(code, name, guest)
        present = tuple(member.id for member in (await classes.rounds.read(room)).present)
        await classes.rounds.pair(room, teacher, NewRound("jumping-cups", "swiss", present, 0))
        won, _ = (await classes.rounds.read(room)).boards
        assert won.game is not None
        await decide(await world.tables.room(won.game), 1)
        await world.pass_days(8)
        assert await world.count(GAME) == 0
        boards = (await classes.rounds.read(room)).boards
        assert [(board.score, board.game) for board in boards] == [("second", None), (None, None)]
        assert boards[0].ended is not None and boards[1].is_void, "the game that nobody ended may be played again"

    run(tmp_path, work, monkeypatch)


def test_a_game_that_goes_on_or_has_somebody_at_it_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(world: World) -> None:
        guest, _ = await world.people.welcome("Gusta")
        looked_at, moved, quiet = [await world.table(guest) for _ in range(3)]
        client = seated(looked_at, 0)
        last = sa.update(EVENT).where(EVENT.c.game == moved.plan.id).values(at=world.now() + 5 * DAY)
        await world.store.write(lambda conn: conn.execute(last) and None)
        await world.pass_days(8)
        assert await world.count(GAME, GAME.c.id == looked_at.plan.id) == 1, "somebody looks at it"
        assert await world.count(GAME, GAME.c.id == moved.plan.id) == 1, "something happened three days ago"
        assert await world.count(GAME, GAME.c.id == quiet.plan.id) == 0
        await world.pass_days(30)
        assert await world.count(PERSON, PERSON.c.id == guest.id) == 1, "somebody plays by the link of their seat"
        looked_at.leave(client)
        await world.pass_days(1)
        assert await world.count(GAME) == 0 and await world.count(PERSON, PERSON.c.id == guest.id) == 0

    run(tmp_path, work, monkeypatch)


def test_nothing_is_deleted_where_the_settings_keep_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(world: World) -> None:
        keeping = msgspec.structs.replace(MONTH, keep_guests_games=0)
        world.retention._settings = ServerSettings(data=tmp_path, people=keeping)
        guest, _ = await world.people.welcome("Gusta")
        await world.table(guest)
        await world.pass_days(10_000)
        assert await world.count(GAME) == 1

    run(tmp_path, work, monkeypatch)


@pytest.mark.parametrize(("account", "days"), [(False, MONTH.guest_days), (True, MONTH.account_days)])
def test_sessions_last_as_long_as_the_settings_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, account: bool, days: int
) -> None:
    async def work(world: World) -> None:
        person, cookie = await world.people.welcome("Ida")
        if account:
            person, cookie = await world.people.register(person, "ida", "correct horse battery")
        assert world.people.sessions.seconds_of(person) == days * 24 * 3600
        world.ahead += days * DAY - 1000
        assert await world.people.of(cookie) == person
        world.ahead += days * DAY + 1000
        assert await world.people.of(cookie) is None

    run(tmp_path, work, monkeypatch)


def test_settings_with_fewer_days_shorten_what_was_begun_under_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(world: World) -> None:
        world.people.sessions._settings = PeopleSettings()
        _, old = await world.people.welcome("Old")
        world.ahead += 40 * DAY
        _, new = await world.people.welcome("New")
        world.people.sessions._settings = MONTH
        await world.people.sessions.shorten()
        await world.people.sessions.sweep()
        assert await world.count(SESSION, SESSION.c.digest == digest_of(old)) == 0
        assert await world.count(SESSION, SESSION.c.digest == digest_of(new)) == 1

    run(tmp_path, work, monkeypatch)


def test_every_table_that_names_a_person_or_a_game_is_known_to_who_deletes(tmp_path: Path) -> None:
    """A table that is added to the database must be cleared as well: then this list grows."""
    naming: dict[str, Any] = {
        name: sorted(
            table.name
            for table in METADATA.sorted_tables
            if any(key.column.table.name == name for key in table.foreign_keys)
        )
        for name in ("person", "game")
    }
    assert naming == {
        "person": ["class", "class_member", "game", "result", "seat", "session"],
        # Pairings forget their game by themselves, and leases go with it.
        "game": ["class_pairing", "event", "lease", "motion", "result", "seat"],
    }


def test_servers_that_sweep_one_database_together_delete_everything_once(
    tmp_path: Path, postgres: Postgres, caplog: pytest.LogCaptureFixture
) -> None:
    url = postgres.new_database()

    async def all_of_it() -> None:
        async with house(tmp_path, url) as first, house(tmp_path, url) as second:
            worlds = [World(*parts, tmp_path) for parts in (first, second)]
            guests = [(await world.people.welcome("Gone"))[0] for world in worlds for _ in range(4)]
            rooms = [await worlds[n % 2].table(guest) for n, guest in enumerate(guests * 3)]
            for world in worlds:
                world.ahead = 31 * DAY
            lively = rooms[0]
            entry = LogEntry(lively.state.version, "chat", 0, "still here", worlds[0].now())

            async def sweep(world: World) -> None:
                await world.people.sessions.sweep()
                await world.retention.sweep()

            saying = asyncio.create_task(worlds[0].store.append(lively.plan.id, [entry]))
            await asyncio.gather(*map(sweep, worlds), asyncio.wait({saying}))
            for world in worlds:
                await sweep(world)
            # The table went before somebody spoke there, or stays for it.
            was_said = saying.exception() is None
            assert await worlds[0].count(GAME) == was_said
            assert await worlds[0].count(EVENT, EVENT.c.n == entry.n, EVENT.c.kind == "chat") == was_said
            assert was_said or isinstance(saying.exception(), Stale)
            assert await worlds[0].count(PERSON, PERSON.c.id != NOBODY) == 0

    asyncio.run(all_of_it())
    assert "retention-failed" not in caplog.text
