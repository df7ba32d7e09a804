"""Checking stored games: every log is played through the rules, from the start to its last entry."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from datetime import datetime

import msgspec
import sqlalchemy as sa
from sqlalchemy import Connection
from sqlalchemy.pool import StaticPool

from cupboard.server.errors import UnknownTable
from cupboard.server.store.schema import GAME
from cupboard.server.table.state import TableState
from cupboard.server.table.storage import read_plan


class DamagedGame(msgspec.Struct, frozen=True):
    """A table whose log makes no sense, and why."""

    table: str
    game: str
    made: datetime
    why: str

    def __str__(self) -> str:
        return f"The table {self.table} ({self.game}, {self.made:%Y-%m-%d}) is damaged: {self.why}"


def names_of_games(db: sqlite3.Connection) -> list[str]:
    """The names of the games that are played at the tables of an open database."""
    return [str(row[0]) for row in db.execute("SELECT DISTINCT name FROM game ORDER BY name")]


def check_games(
    db: sqlite3.Connection, newest: int | None = None, told: Callable[[int, int], object] = lambda done, of: None
) -> Iterator[DamagedGame]:
    """Play the logs of an open database through, the newest tables first, and yield those that make no sense.

    `newest` bounds how many are played. Each is read by itself: a server may go on writing meanwhile."""
    engine = sa.create_engine("sqlite://", creator=lambda: db, poolclass=StaticPool)
    tables = db.execute("SELECT id, name, made FROM game ORDER BY made DESC LIMIT ?", (newest or -1,)).fetchall()
    with engine.connect() as conn:
        for done, (table, name, made) in enumerate(tables):
            told(done, len(tables))
            if why := _fault(conn, table):
                yield DamagedGame(table, name, datetime.fromtimestamp(made / 1000), why)
    told(len(tables), len(tables))


def _fault(conn: Connection, table: str) -> str:
    """What is wrong with a table, or an empty text."""
    try:
        conn.exec_driver_sql("BEGIN")  # the plan and the log are of one moment
        try:
            plan, entries = read_plan(conn, table)
            noted = conn.execute(sa.select(GAME.c.status).where(GAME.c.id == table)).scalar_one()
        finally:
            conn.exec_driver_sql("ROLLBACK")
        state = TableState.of(plan.game, entries, plan.clock, plan.bots)
    except UnknownTable:
        return ""  # it was deleted meanwhile
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return "" if state.status == noted else f"its log says {state.status}, its row says {noted}"
