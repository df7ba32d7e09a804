"""Looking into a database file without changing it: is it sound and one of ours, which revision, how much is in it?"""

from __future__ import annotations

import os
import sqlite3
import stat
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path

import msgspec

from cupboard.core.errors import CupboardError
from cupboard.server.errors import Busy, DamagedDatabase
from cupboard.server.store.revisions import check_revision, newest_revision, revision_of
from cupboard.server.store.schema import COPYING, METADATA

_SECONDS_TO_WAIT = 10
_STEPS_BETWEEN_LOOKS = 100_000
_MOST_NAMED = 5
"""So many damaged things of a kind are named; of more there is only the number."""
_FIRST_TABLES = ("person", "session", "game", "seat", "event", "secret")
"""The tables that every revision has."""


class Inspection(msgspec.Struct, frozen=True):
    """What is in a database file, and what is wrong with it."""

    bytes: int
    revision: str
    people: int
    games: int
    entries: int
    faults: tuple[str, ...]
    """What is wrong, each as a sentence; empty for a sound file."""

    @property
    def is_older(self) -> bool:
        """Whether the next start of a server brings it up to date."""
        return self.revision != newest_revision()

    def __str__(self) -> str:
        games = f"{self.games:,} game{'s' * (self.games != 1)}"
        people = f"{self.people:,} {'person' if self.people == 1 else 'people'}"
        entries = f"{self.entries:,} log entr{'y' if self.entries == 1 else 'ies'}"
        return f"{games}, {entries}, {people}, {self.bytes / 1e6:,.1f} MB, revision {self.revision}"

    def refuse_damage(self, file: object) -> None:
        """DamagedDatabase with the first fault, if there is one."""
        if self.faults:
            raise damaged(file, self.faults[0].rstrip("."))


def code_of(error: sqlite3.Error) -> int:
    """The primary code of an error; -1 for errors of Python's module, which have none.

    SQLite puts details into the higher bits: SQLITE_BUSY_SNAPSHOT is a SQLITE_BUSY."""
    code: int = getattr(error, "sqlite_errorcode", -1)
    return code if code < 0 else code & 0xFF


def refuse_part(database: object, tables: Collection[str]) -> None:
    """Busy when a database has the table that only a copy has that was stopped."""
    if COPYING.name in tables:
        raise Busy(
            f"{database} is only a part of a copy that was stopped. Finish it with the `cupboard db copy` that began "
            "it."
        )


def damaged(file: object, why: object) -> DamagedDatabase:
    """The error for a file that is damaged."""
    return DamagedDatabase(
        f"{file} is damaged ({why}). Put a copy of it back with `cupboard restore` if you have one; "
        f"`sqlite3 {file} .recover` writes out what can still be read. With --data you can begin anew in another "
        "folder."
    )


def unreadable(file: object, error: sqlite3.Error) -> CupboardError:
    """The error for a file that cannot be read, and why."""
    match code_of(error):
        case sqlite3.SQLITE_CORRUPT:
            return damaged(file, error)
        case sqlite3.SQLITE_NOTADB:
            return Busy(f"{file} is not a Cupboard database: {error}.")
    return Busy(f"{file} cannot be opened: {error}.")


@contextmanager
def open_to_read(file: Path) -> Iterator[sqlite3.Connection]:
    """A connection that changes nothing, also while servers write to the file. A CupboardError if it cannot be read."""
    _check_readable(file)
    # Not mode=ro: such a connection would leave SQLite's files beside the database behind.
    with closing(sqlite3.connect(f"{_uri(file)}?mode=rw", uri=True, timeout=_SECONDS_TO_WAIT)) as db:
        db.isolation_level = None
        db.text_factory = lambda text: text.decode("utf-8", "replace")
        try:
            db.execute("PRAGMA query_only=ON")
            db.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        except sqlite3.Error as error:
            raise unreadable(file, error) from error
        yield db


def _uri(file: Path) -> str:
    return file.absolute().as_uri()


def _check_readable(file: Path) -> None:
    # Nothing is opened to find out: closing it again would take SQLite's locks from a server in this process.
    try:
        found = file.stat()
        allowed = os.access(file, os.R_OK)
    except FileNotFoundError:
        raise Busy(f"There is no database {file}.") from None
    except PermissionError:
        allowed = False
    except (OSError, ValueError) as error:
        raise Busy(f"{str(file)[:200]} cannot be read: {error}.") from None
    if not allowed:
        raise Busy(f"{file} cannot be read by this user. Run the command as the user that the server runs as.")
    if not stat.S_ISREG(found.st_mode):
        raise Busy(f"{file} is not a file, so it is no database.")


def inspect(file: Path, *, thorough: bool = True, part: bool = False) -> Inspection:
    """Look through a database file; a CupboardError when it is none, a newer one, or a part of one.

    `thorough` checks indexes, too; with `part` it may be a part of a copy that was stopped."""
    with open_to_read(file) as db:
        db.set_progress_handler(lambda: 0, _STEPS_BETWEEN_LOOKS)  # lets Ctrl-C through
        try:
            db.execute("BEGIN")
            revision = revision_of(db)
            if revision is None:
                raise Busy(f"{file} is not a Cupboard database.")
            check_revision(file, revision)
            if not part:
                refuse_part(file, [row[0] for row in db.execute("SELECT name FROM sqlite_schema")])
            faults = tuple(_faults(db, revision, thorough))
            people, games, entries = (_count(db, table) for table in ("person", "game", "event"))
        except sqlite3.Error as error:
            if code_of(error) == sqlite3.SQLITE_INTERRUPT:  # Ctrl-C came while SQLite was at work
                raise KeyboardInterrupt from None
            raise unreadable(file, error) from error
    return Inspection(file.stat().st_size, revision, people, games, entries, faults)


def _count(db: sqlite3.Connection, table: str) -> int:
    try:
        return int(db.execute(f"SELECT count(*) FROM {table}").fetchone()[0])
    except sqlite3.Error as error:
        if code_of(error) == sqlite3.SQLITE_INTERRUPT:
            raise
        return 0  # which is among the faults


def _faults(db: sqlite3.Connection, revision: str, thorough: bool) -> Iterator[str]:
    found = [row[0] for row in db.execute(f"PRAGMA {'integrity_check' if thorough else 'quick_check'}({_MOST_NAMED})")]
    if found != ["ok"]:
        yield from (f"Its pages do not fit together: {line.splitlines()[-1]}." for line in found)
    lacking = list(_lacking(db, revision))
    yield from lacking
    if lacking:
        return
    if not _has_secret(db):
        yield "The secret of the seat tokens is lost."
    if thorough:
        yield from _orphans(db)


def _lacking(db: sqlite3.Connection, revision: str) -> Iterator[str]:
    """The tables and columns that are not there. Of an older revision only the first tables are known."""
    there = {row[0] for row in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    is_ours = revision == newest_revision()
    for table in METADATA.sorted_tables:
        if table.name not in there:
            if is_ours or table.name in _FIRST_TABLES:
                yield f"The table {table.name} is missing."
        elif is_ours:
            columns = {row[1] for row in db.execute(f"PRAGMA table_info({table.name})")}
            if missing := sorted(set(table.c.keys()) - columns):
                yield f"The table {table.name} lacks {', '.join(missing)}."


def _has_secret(db: sqlite3.Connection) -> bool:
    rows = db.execute("SELECT key FROM secret").fetchall()
    try:
        return len(rows) == 1 and bool(bytes.fromhex(rows[0][0]))
    except (ValueError, TypeError):
        return False


def _orphans(db: sqlite3.Connection) -> Iterator[str]:
    """Rows that point at rows that are not there."""
    for table in METADATA.sorted_tables:
        if not db.execute("SELECT 1 FROM sqlite_schema WHERE name = ?", (table.name,)).fetchone():
            continue
        keys: dict[int, list[tuple[str, str, str]]] = {}
        for key, _, parent, column, to, *_ in sorted(db.execute(f"PRAGMA foreign_key_list({table.name})")):
            keys.setdefault(key, []).append((parent, column, to))
        number = Counter(row[3] for row in db.execute(f"PRAGMA foreign_key_check({table.name})"))
        for key, rows in number.items():
            parent = keys[key][0][0]
            columns = {column: to for _, column, to in keys[key]}
            names = ("; " if len(columns) > 1 else ", ").join(_lost(db, table.name, parent, columns))
            yield f"{rows:,} row{'s' * (rows != 1)} of {table.name} without their {parent}: {names}."


def _lost(db: sqlite3.Connection, table: str, parent: str, columns: Mapping[str, str]) -> Iterator[str]:
    """What identifies the rows of `parent` that rows of `table` point at and that are not there; of several columns
    each with its name in `parent`."""
    own = ", ".join(columns)
    told = " AND ".join(f"{table}.{column} IS NOT NULL" for column in columns)
    same = " AND ".join(f"{parent}.{to} = {table}.{column}" for column, to in columns.items())
    there = f"SELECT 1 FROM {parent} WHERE {same}"
    rows = db.execute(
        f"SELECT DISTINCT {own} FROM {table} WHERE {told} AND NOT EXISTS ({there}) LIMIT ?", (_MOST_NAMED,)
    )
    for row in rows:
        if len(row) == 1:
            yield str(row[0])
        else:
            yield ", ".join(f"{to} {value}" for to, value in zip(columns.values(), row, strict=True))
