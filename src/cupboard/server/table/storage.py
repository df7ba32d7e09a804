"""How a table is stored beside its log: functions for `Store.read` and `Store.write`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import sqlalchemy as sa
from sqlalchemy import Connection

from cupboard.core.words import phrase, quoted
from cupboard.server.errors import UnknownTable
from cupboard.server.store.schema import EVENT, GAME, MOTION, SEAT
from cupboard.server.store.store import LogEntry
from cupboard.server.table.clocks import budget
from cupboard.server.table.plan import Chair, Draft, Plan, shared_game
from cupboard.server.wire.games import OptionValue
from cupboard.server.wire.tables import Clock


def write_plan(conn: Connection, plan: Plan, drafts: Sequence[Draft]) -> None:
    """Write a new table and the first entries of its log."""
    started = any(draft.kind == "start" for draft in drafts)
    conn.execute(
        sa.insert(GAME).values(
            id=plan.id,
            root=plan.root,
            name=plan.game.name,
            seats=plan.game.seats,
            options=msgspec.json.encode(dict(plan.game.options)).decode(),
            clock=msgspec.json.encode(plan.clock).decode() if plan.clock else None,
            listed=plan.listed,
            maker=plan.maker,
            made=plan.made,
            status="playing" if started else "waiting",
            due=first_due(plan.clock, plan.made) if started else None,
        )
    )
    conn.execute(sa.insert(SEAT), [{"game": plan.id, **msgspec.structs.asdict(chair)} for chair in plan.chairs])
    rows = [draft.entry(n, plan.made) for n, draft in enumerate(drafts)]
    if rows:
        conn.execute(sa.insert(EVENT), [{"game": plan.id, **msgspec.structs.asdict(entry)} for entry in rows])


def first_due(clock: Clock | None, at: int) -> int | None:
    """A time before which no clock of a game that starts at `at` runs out; None without clocks."""
    return at + budget(clock) if clock else None


def read_plan(conn: Connection, table: str) -> tuple[Plan, list[LogEntry]]:
    """A table and its log; UnknownTable when there is none."""
    row = conn.execute(sa.select(GAME).where(GAME.c.id == table)).first()
    if row is None:
        raise UnknownTable(phrase("no.table", table=quoted(table[:20])))
    return plan_of(row, read_chairs(conn, table)), read_entries(conn, table)


def plan_of(row: Any, chairs: tuple[Chair, ...]) -> Plan:
    """The plan that a row and its chairs describe; any kind of error when they make no sense."""
    if [chair.seat for chair in chairs] != list(range(row.seats)):
        raise ValueError(f"{row.seats} seats, and chairs for {[chair.seat for chair in chairs]}")
    options = msgspec.json.decode(row.options, type=dict[str, OptionValue])
    return Plan(
        row.id,
        row.root,
        shared_game(row.name, row.seats, options),
        msgspec.json.decode(row.clock, type=Clock) if row.clock else None,
        bool(row.listed),
        row.maker,
        row.made,
        chairs,
    )


def read_chairs(conn: Connection, table: str) -> tuple[Chair, ...]:
    """The seats of a table."""
    rows = conn.execute(sa.select(SEAT).where(SEAT.c.game == table).order_by(SEAT.c.seat))
    return msgspec.convert(rows.mappings().all(), tuple[Chair, ...])


def read_entries(conn: Connection, table: str, since: int = 0) -> list[LogEntry]:
    """The entries of a table's log from number `since` on."""
    query = sa.select(EVENT).where(EVENT.c.game == table, EVENT.c.n >= since).order_by(EVENT.c.n)
    return msgspec.convert(conn.execute(query).mappings().all(), list[LogEntry])


def write_motion(conn: Connection, table: str, n: int, data: bytes) -> None:
    """Write the motion that leads to entry `n` of a table's log."""
    conn.execute(sa.insert(MOTION).values(game=table, n=n, data=data))


def read_motion(conn: Connection, table: str, n: int) -> bytes | None:
    """The motion that leads to entry `n` of a table's log; None when there is none."""
    return conn.execute(sa.select(MOTION.c.data).where(MOTION.c.game == table, MOTION.c.n == n)).scalar()


def set_playing(conn: Connection, table: str, due: int | None) -> None:
    """Mark a game as begun, and note when a clock may run out. `Store.append` marks it as over."""
    conn.execute(sa.update(GAME).where(GAME.c.id == table).values(status="playing", due=due))


def write_chair(conn: Connection, table: str, chair: Chair) -> None:
    """Write who sits in a seat now."""
    conn.execute(
        sa.update(SEAT)
        .where(SEAT.c.game == table, SEAT.c.seat == chair.seat)
        .values(kind=chair.kind, person=chair.person, name=chair.name, level=chair.level, invited=chair.invited)
    )


def write_leaver(conn: Connection, table: str, seat: int, person: str | None) -> None:
    """Write who sat in a seat that a bot takes over: what was said there stays theirs."""
    conn.execute(sa.update(SEAT).where(SEAT.c.game == table, SEAT.c.seat == seat).values(leaver=person))


def read_texts(conn: Connection, table: str) -> list[LogEntry]:
    """The entries of a table's log that hold names and chat: the only ones that may be written anew."""
    query = sa.select(EVENT).where(EVENT.c.game == table, EVENT.c.kind.in_(("sit", "chat")))
    return msgspec.convert(conn.execute(query).mappings().all(), list[LogEntry])
