"""Copying a database row by row into another one, of whichever kind, and finding out that the two are equal.

Rows go in batches, in the order of their keys. Each batch is committed together with a mark of how far the copy is, so
that one that was stopped goes on there. Digests are of the rows' values and do not depend on the database.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from hashlib import blake2b
from typing import Any

import msgspec
import sqlalchemy as sa
from sqlalchemy import Connection

from cupboard.server.errors import Busy
from cupboard.server.store.schema import COPYING, METADATA, MOTION, OF_SERVERS

Begin = Callable[[], AbstractContextManager[Connection]]
"""Begins a transaction of the target, which ends with the block."""
Progress = Callable[[int, int], object]
"""A function that is told how many rows have been copied, and of how many."""

TABLES = tuple(table for table in METADATA.sorted_tables if table.name not in OF_SERVERS)
"""The tables that are copied, those that others refer to first."""
_ROWS_AT_ONCE = 2000
_LARGE_ROWS_AT_ONCE = 100
_DIGEST_BYTES = 16


class Tally(msgspec.Struct):
    """How many rows there are, up to which key, and their digest, which does not depend on their order."""

    last: tuple[Any, ...] = ()
    rows: int = 0
    digest: int = 0

    def add(self, table: sa.Table, rows: Sequence[sa.Row[Any]]) -> None:
        """Count more rows."""
        for row in rows:
            told = msgspec.json.encode([_plain(value) for value in row])
            number = int.from_bytes(blake2b(told, digest_size=_DIGEST_BYTES).digest())
            self.digest = (self.digest + number) % (1 << 8 * _DIGEST_BYTES)
        self.rows += len(rows)
        if rows:
            self.last = tuple(rows[-1]._mapping[column] for column in table.primary_key)

    def is_like(self, other: Tally) -> bool:
        """Whether the rows are as many and equal."""
        return (self.rows, self.digest) == (other.rows, other.digest)


def transfer(source: Connection, begin: Begin, told: Progress = lambda done, of: None) -> dict[str, int]:
    """Copy all rows, from where an earlier copy stopped, and return how many each table has.

    Busy when what has arrived is not what was sent. The target has the table of marks and, but for what was copied
    already, no rows. `source` is one snapshot."""
    marks = _marks(begin)
    if not _is_still_so(source, marks):
        clear(begin)
        marks = {}
    total = sum(_count(source, table) for table in TABLES)
    done = sum(mark.rows for mark in marks.values())
    sent = {}
    for table in TABLES:
        tally = sent[table.name] = marks.get(table.name, Tally())
        told(done, total)
        for rows in _batches(source, table, tally.last):
            tally.add(table, rows)
            with begin() as conn:
                conn.execute(sa.insert(table), [dict(row._mapping) for row in rows])
                _mark(conn, table, tally)
            done += len(rows)
            told(done, total)
    with begin() as conn:
        wrong = [table.name for table in TABLES if not tally_of(conn, table).is_like(sent[table.name])]
    if wrong:
        clear(begin)
        raise Busy(
            f"What has arrived is not what was sent: {', '.join(wrong)}. Did somebody write to the target? "
            "The next `cupboard db copy` begins anew."
        )
    told(total, total)
    return {name: tally.rows for name, tally in sent.items()}


def clear(begin: Begin) -> None:
    """Delete all rows of the target, and the marks of what was copied."""
    with begin() as conn:
        if conn.dialect.name == "postgresql":
            names = ", ".join(f'"{table.name}"' for table in METADATA.sorted_tables)
            conn.exec_driver_sql(f"TRUNCATE {names}")
        else:
            for table in reversed(METADATA.sorted_tables):
                conn.execute(sa.delete(table))
        conn.execute(sa.delete(COPYING))


def tally_of(conn: Connection, table: sa.Table) -> Tally:
    """Count all rows of a table."""
    tally = Tally()
    for rows in _batches(conn, table, ()):
        tally.add(table, rows)
    return tally


def _batches(conn: Connection, table: sa.Table, after: tuple[Any, ...]) -> Iterator[Sequence[sa.Row[Any]]]:
    """The rows of a table with larger keys, in the order of the keys."""
    key = list(table.primary_key)
    at_once = _LARGE_ROWS_AT_ONCE if table is MOTION else _ROWS_AT_ONCE
    query = sa.select(table).order_by(*key).limit(at_once)
    while rows := conn.execute(query.where(sa.tuple_(*key) > after) if after else query).all():
        yield rows
        after = tuple(rows[-1]._mapping[column] for column in key)
        if len(rows) < at_once:
            return


def _count(conn: Connection, table: sa.Table) -> int:
    return int(conn.execute(sa.select(sa.func.count()).select_from(table)).scalar_one())


def _plain(value: Any) -> Any:
    """A value as every database returns it: PostgreSQL's texts have no NUL."""
    return value.replace("\0", "\ufffd") if isinstance(value, str) else value


def _marks(begin: Begin) -> dict[str, Tally]:
    with begin() as conn:
        rows = conn.execute(sa.select(COPYING)).all()
    return {row.name: Tally(tuple(msgspec.json.decode(row.last)), row.rows, int(row.digest, 16)) for row in rows}


def _mark(conn: Connection, table: sa.Table, tally: Tally) -> None:
    mark = {"last": msgspec.json.encode(tally.last).decode(), "rows": tally.rows, "digest": f"{tally.digest:x}"}
    if conn.execute(sa.update(COPYING).where(COPYING.c.name == table.name).values(mark)).rowcount == 0:
        conn.execute(sa.insert(COPYING).values(name=table.name, **mark))


def _is_still_so(source: Connection, marks: dict[str, Tally]) -> bool:
    """Whether the source still has, up to the marks, the rows that were copied, and no others."""
    for table in TABLES:
        if (mark := marks.get(table.name)) is None:
            continue
        tally = Tally()
        for rows in _batches(source, table, ()):
            tally.add(table, rows[: mark.rows - tally.rows])
            if tally.rows == mark.rows:
                break
        if not tally.is_like(mark) or tally.last != mark.last:
            return False
    return True
