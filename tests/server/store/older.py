"""Databases of earlier revisions, made by the migrations themselves, with what a newer one holds."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import sqlalchemy as sa
from alembic import command

from cupboard.server.store.copying import files_beside
from cupboard.server.store.revisions import alembic_config


def make_older(file: Path, revision: str) -> None:
    """Replace a database that nobody has open by one of an earlier revision, with all rows that fit."""
    new = file.with_name("older.db")
    engine = sa.create_engine(f"sqlite:///{new}")
    config = alembic_config()
    with engine.begin() as conn:
        config.attributes["connection"] = conn
        command.upgrade(config, revision)
    engine.dispose()
    with closing(sqlite3.connect(new)) as db:
        db.execute("ATTACH ? AS newer", (str(file),))
        db.execute("DELETE FROM secret")
        tables = [row[0] for row in db.execute("SELECT name FROM main.sqlite_schema WHERE type = 'table'")]
        for table in set(tables) - {"alembic_version"}:
            here, there = (
                {row[1] for row in db.execute(f"PRAGMA {part}.table_info({table})")} for part in ("main", "newer")
            )
            columns = ", ".join(sorted(here & there))
            db.execute(f"INSERT INTO main.{table} ({columns}) SELECT {columns} FROM newer.{table}")
        db.commit()
    for old in files_beside(file):
        old.unlink(missing_ok=True)
    new.chmod(0o600)
    new.replace(file)
