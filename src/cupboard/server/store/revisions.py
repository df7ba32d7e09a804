"""The revisions of the database's shape: which this program knows, and which a file has."""

from __future__ import annotations

import sqlite3
from functools import cache
from pathlib import Path

from alembic.config import Config
from alembic.script import ScriptDirectory

from cupboard.server.errors import NewerDatabase


def alembic_config() -> Config:
    """Alembic's configuration, with the migrations of this program."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config


@cache
def known_revisions() -> tuple[str, ...]:
    """The revisions this program knows, the newest first."""
    scripts = ScriptDirectory.from_config(alembic_config())
    return tuple(script.revision for script in scripts.walk_revisions())


def newest_revision() -> str:
    """The revision that this program works with."""
    return known_revisions()[0]


def revision_of(db: sqlite3.Connection) -> str | None:
    """The revision of an open database; None for a file that is no Cupboard database, or a new one."""
    try:
        found = db.execute("SELECT version_num FROM alembic_version").fetchone()
    except sqlite3.OperationalError as error:
        if "no such" in str(error):  # table or column; any other error is about the file
            return None
        raise
    return None if found is None else str(found[0])


def check_revision(file: object, revision: str | None) -> None:
    """NewerDatabase when this program does not know the revision."""
    if revision is not None and revision not in known_revisions():
        raise NewerDatabase(
            f"{file} was written by a newer Cupboard. Update this one, or use another folder with --data."
        )
