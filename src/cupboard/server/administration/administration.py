"""What an administrator may ask and do: the same in the running server and in a shell beside it.

Everything is written to the database, and servers follow what is written there: appended entries reach their clients,
ended sessions close their sockets, and people who have changed are read anew. The server that is asked follows at once,
others on the same database as soon as they look (`Tables.look_around`).
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable
from functools import partial
from typing import Literal

import msgspec
import sqlalchemy as sa
from sqlalchemy import Connection

from cupboard import __version__
from cupboard.core.errors import GameOver
from cupboard.core.words import phrase
from cupboard.server.administration import people_rows, table_rows
from cupboard.server.administration.live import live_table, live_view
from cupboard.server.errors import NoAccount, NoSuchSession, Stale, TableClosed, UnknownSeat
from cupboard.server.people.names import clean
from cupboard.server.people.people import People
from cupboard.server.steady_clock import now
from cupboard.server.store.schema import PERSON
from cupboard.server.store.store import LogEntry, Store
from cupboard.server.table.client import TABLE_CLOSED
from cupboard.server.table.plan import shared_game
from cupboard.server.table.scenes import ENCODER
from cupboard.server.table.state import CLOSED, DECIDED, STOPPED, outcome_by_people
from cupboard.server.table.tables import Tables
from cupboard.server.watching.notes import Note
from cupboard.server.wire.administration import (
    AdminCounts,
    AdminExport,
    AdminNow,
    AdminPerson,
    AdminPersonInfo,
    AdminTable,
)
from cupboard.server.wire.games import OptionValue

By = Literal["shell", "link"]
"""Who has done something: somebody in a shell of the server's computer, or whoever has the admin link."""
_LOG = logging.getLogger(__name__)
_TRIES = 20
_SEATS_AT_ONCE = 25
"""So many seats are forgotten in one transaction: others wait no longer than for that."""
_PASSWORD_SIGNS = "23456789abcdefghijkmnpqrstuvwxyz"


class Administration:
    """Shows and changes what is going on. `by` tells the log who did it; of everybody else it has ids only."""

    def __init__(self, store: Store, people: People, tables: Tables | None = None) -> None:
        """Without `tables` it works beside the servers, which follow by themselves."""
        self._store = store
        self._people = people
        self._tables = tables
        self._since = now() if tables is not None else 0

    # What there is.

    async def now(self) -> AdminNow:
        """What is going on; without tables of its own only what the database knows."""
        at = now()
        status = await self._store.read(table_rows.count_tables)
        accounts, guests, banned = await self._store.read(people_rows.count_people)
        if self._tables is None:
            shown, people = tuple(await self._store.read(table_rows.find_tables, "")), []
            sockets = strangers = in_memory = thinking = 0
        else:
            live = live_view(self._tables)
            people = await self._store.read(people_rows.read_people, live.people.keys(), at)
            people = [msgspec.structs.replace(person, tables=live.people[person.id]) for person in people]
            shown, sockets, strangers = live.tables, live.sockets, live.strangers
            in_memory, thinking = live.in_memory, live.thinking
        counts = AdminCounts(
            sockets=sockets,
            strangers=strangers,
            in_memory=in_memory,
            thinking=thinking,
            waiting=status.get("waiting", 0),
            playing=status.get("playing", 0),
            over=status.get("over", 0),
            accounts=accounts,
            guests=guests,
            banned=banned,
        )
        return AdminNow(__version__, at, self._since, counts, shown, tuple(people))

    async def find_tables(self, text: str) -> list[AdminTable]:
        """The newest tables that a text says something of; without a text those that are not over."""
        return self._livelier(await self._store.read(table_rows.find_tables, text))

    async def find_people(self, text: str) -> list[AdminPerson]:
        """The newest people whose name or username contains the text, or whose id it is."""
        return await self._store.read(people_rows.find_people, text, now())

    async def person(self, person: str) -> AdminPersonInfo:
        """A person with their sessions, newest tables and classes; UnknownPerson when there is none."""
        found = await self._store.read(people_rows.read_person, person, now())
        sessions = await self._store.read(people_rows.read_sessions, found.id, now())
        tables = await self._store.read(table_rows.tables_of, found.id)
        classes = await self._store.read(people_rows.read_classes, found.id)
        return AdminPersonInfo(found, sessions, tuple(self._livelier(tables)), classes)

    async def export(self, person: str, by: By) -> AdminExport:
        """All that is stored of a person but secrets."""
        found = await self._store.read(people_rows.read_export, person, now())
        _note("admin-exported", by, person=found.id)
        return found

    def _livelier(self, tables: list[AdminTable]) -> list[AdminTable]:
        """The tables, those in memory as they are there."""
        rooms = {} if self._tables is None else self._tables.rooms
        return [live_table(rooms[table.id]) if table.id in rooms else table for table in tables]

    # Tables.

    async def end_game(self, table: str, by: By, winner: int | None = None, draw: bool = False) -> None:
        """End a game without a result, as a draw, or for a seat; GameOver when it is over."""
        await self._end(table, winner, DECIDED if draw or winner is not None else STOPPED)
        _note("admin-game-ended", by, table=table)

    async def close_table(self, table: str, by: By) -> None:
        """Close a table: its game ends without a result if it is not over, its sockets close, nobody lists it.

        It can still be looked at. TableClosed when it is closed already."""
        await self._end(table, None, CLOSED)
        _note("admin-table-closed", by, table=table)

    async def _end(self, table: str, seat: int | None, why: str) -> None:
        """Write the end of a game; no result is kept of it, since it says nothing of anybody's strength."""
        for _ in range(_TRIES):
            tail = await self._store.read(table_rows.read_tail, table)
            if tail.status == "over" and why != CLOSED:
                raise GameOver(phrase("turn.over"))
            if tail.status == "over" and await self._store.read(table_rows.has_closed, table, CLOSED):
                raise TableClosed(phrase("no.closedTable"))
            if seat is not None and seat >= tail.seats:
                raise UnknownSeat(phrase("no.seat", count=tail.seats))
            entry = LogEntry(tail.version, "end", seat, why, max(now(), tail.at))
            outcome = None if tail.status == "over" else _outcome(tail, seat, why)
            try:
                also = partial(table_rows.unlist, table=table) if why == CLOSED else None
                await self._store.append(table, [entry], outcome, also)
            except Stale:
                continue  # somebody moved or spoke at that moment
            await self._follow()
            self._show_out(table, why)
            return
        raise Stale(phrase("no.hurry"))

    def _show_out(self, table: str, why: str) -> None:
        """Close the sockets of a table that could not read its log, and was not told so that it is closed."""
        room = None if self._tables is None else self._tables.rooms.get(table)
        if room is not None and room.is_damaged and why == CLOSED:
            for client in list(room.clients):
                client.close(TABLE_CLOSED, "the table is closed")

    # People.

    async def ban(self, person: str, by: By) -> None:
        """Let a person in no more: their sessions and sockets end, and their cookies and password are refused."""
        found, at = await self._store.read(people_rows.read_person, person, now()), now()

        def work(conn: Connection) -> None:
            conn.execute(PERSON.update().where(PERSON.c.id == found.id, PERSON.c.banned.is_(None)).values(banned=at))
            since = conn.execute(sa.select(PERSON.c.banned).where(PERSON.c.id == found.id)).scalar_one()
            self._people.sessions.end(conn, people_rows.which_sessions(found.id, ""), since)
            self._people.sessions.renew(conn, found.id)

        await self._change(found.id, work)
        _note("admin-banned", by, person=found.id)

    async def unban(self, person: str, by: By) -> None:
        """Let a person in again; the sessions that the ban ended, and nothing else since, are theirs again."""
        found = await self._store.read(people_rows.read_person, person, now())

        def work(conn: Connection) -> None:
            conn.execute(PERSON.update().where(PERSON.c.id == found.id).values(banned=None))
            self._people.sessions.begin_again(conn, found.id, found.banned)
            self._people.sessions.renew(conn, found.id)

        await self._change(found.id, work)
        _note("admin-unbanned", by, person=found.id)

    async def rename(self, person: str, name: str, by: By) -> AdminPerson:
        """Give a person another name, also at the tables where they play; BadName when nothing of it can be seen."""
        found, name = await self._store.read(people_rows.read_person, person, now()), clean(name)

        def work(conn: Connection) -> None:
            people_rows.rename_rows(conn, found.id, name)
            self._people.sessions.renew(conn, found.id)

        await self._change(found.id, work)
        _note("admin-renamed", by, person=found.id)
        return msgspec.structs.replace(found, name=name)

    async def reset_password(self, person: str, by: By) -> str:
        """Give an account a password made by chance, which is returned, and end all its sessions."""
        found = await self._store.read(people_rows.read_person, person, now())
        if not found.username:
            raise NoAccount(phrase("no.guestPassword"))
        password = "-".join("".join(secrets.choice(_PASSWORD_SIGNS) for _ in range(4)) for _ in range(4))
        await self._people.set_password(found.id, password)
        await self._follow()
        _note("admin-password-reset", by, person=found.id)
        return password

    async def end_sessions(self, person: str, by: By, session: str = "") -> int:
        """End all sessions of a person, or one; returns how many they were. NoSuchSession when the one is not there."""
        found = await self._store.read(people_rows.read_person, person, now())
        which = people_rows.which_sessions(found.id, session)
        count = await self._store.write(self._people.sessions.end, which)
        if session and not count:
            raise NoSuchSession(phrase("no.session"))
        self._people.sessions.forget(found.id)
        await self._follow()
        _note("admin-sessions-ended", by, person=found.id, count=count)
        return count

    async def delete(self, person: str, by: By) -> None:
        """Forget a person: the account, the sessions and the results are deleted; seats become those of a guest.

        Their moves stay, so that the games can be looked at, but what they said does not. Nothing of it can be undone.
        All but the seats goes at once: from then on no password, cookie or way back leads to them. Seats that a stop in
        the middle leaves are cleared up by the next sweep (`Retention`), as is the row without a name."""
        found = await self._store.read(people_rows.read_person, person, now())

        def begin(conn: Connection) -> None:
            people_rows.forget_account(conn, found.id)
            people_rows.forget_rest(conn, found.id)
            self._people.sessions.end(conn, people_rows.which_sessions(found.id, ""))

        await self._change(found.id, begin)
        await forget(self._store, found.id)
        await self._change(found.id, lambda conn: self._people.sessions.renew(conn, found.id))
        _note("admin-deleted", by, person=found.id)

    async def _change(self, person: str, work: Callable[[Connection], None]) -> None:
        await self._store.write(work)
        self._people.sessions.forget(person)
        await self._follow()

    async def _follow(self) -> None:
        if self._tables is not None:
            await self._tables.follow()


async def forget(store: Store, person: str) -> None:
    """Make a person's seats those of an unknown guest, a few at a time, then delete their results and classes."""
    while await store.write(people_rows.forget_seats, person, _SEATS_AT_ONCE):
        pass
    # Also of somebody of whom it was deleted before: a game of theirs may have ended since.
    await store.write(people_rows.forget_rest, person)


def _outcome(tail: table_rows.Tail, seat: int | None, why: str) -> str:
    """The outcome as JSON of a game that the house ends; it can be told even of a game whose log is damaged."""
    game = shared_game(tail.name, tail.seats, msgspec.json.decode(tail.options, type=dict[str, OptionValue]))
    return ENCODER.encode(outcome_by_people(game, -1 if seat is None else seat, why)).decode()


def _note(event: str, by: By, **fields: object) -> None:
    # A warning, so that it is in the log however little is wanted there.
    _LOG.warning(Note(event, by=by, **fields))
