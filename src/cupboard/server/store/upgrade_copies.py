"""The copies of the database that are made before it is brought up to date; the newest three are kept."""

from __future__ import annotations

import logging
from datetime import datetime
from pathlib import Path

from cupboard.server.errors import NoRoom
from cupboard.server.store.copying import copy_database, unused_name
from cupboard.server.store.revisions import newest_revision

_LOG = logging.getLogger(__name__)
_KEPT = 3


def keep_copy_before_upgrade(database: Path) -> Path:
    """Copy the database beside itself, and remove the oldest such copies. NoRoom when there can be no copy."""
    copy = unused_name(database.with_name(f"{database.name}.before-{newest_revision()}-{datetime.now():%Y-%m-%dT%H%M}"))
    try:
        copy_database(database, copy)
    except NoRoom as error:
        raise NoRoom(
            f"{database} is from an older Cupboard, and there can be no copy of it before it is brought up to date: "
            f"{error} It was left as it was: make room for {database.stat().st_size / 1e6:,.0f} MB and start again."
        ) from error
    _LOG.warning("%s is brought up to date. What it was before is in %s.", database, copy)
    _remove_oldest(database)
    return copy


def _remove_oldest(database: Path) -> None:
    copies = sorted(database.parent.glob(f"{database.name}.before-*"), key=lambda path: path.stat().st_mtime_ns)
    for old in copies[:-_KEPT]:
        try:
            old.unlink()
        except OSError as error:
            _LOG.warning("The old copy %s cannot be removed: %s.", old, error.strerror)
