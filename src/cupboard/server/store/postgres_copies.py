"""Copies of a database of PostgreSQL as files of SQLite, and putting such a file back into PostgreSQL."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

import sqlalchemy as sa

from cupboard.server.postgres_address import shown
from cupboard.server.store.copying import Progress, put_in_place, unfinished
from cupboard.server.store.inspection import Inspection, inspect
from cupboard.server.store.places import reading_from, replacing_postgres, telling, writing_to_file
from cupboard.server.store.restoring import Restored
from cupboard.server.store.schema import ADMIN_LINK
from cupboard.server.store.transfer import transfer


def copy_from_postgres(url: str, target: Path, told: Progress = lambda done, of: None) -> Inspection:
    """Copy a database to a file, in place of what is there, and return what was found in the copy.

    It is the database of the moment the copying began, also while servers write to it."""
    with unfinished(target) as new:
        with telling(url, str(target)), reading_from(url) as source, writing_to_file(new) as begin:
            transfer(source, begin, told)
        found = inspect(new, thorough=False)
        found.refuse_damage(shown(url))
        put_in_place(new, target)
    return found


def restore_to_postgres(
    copy: Path, url: str, told: Progress = lambda done, of: None, *, replace: bool = False
) -> Restored:
    """Put a copy in the place of what the database holds, without its admin link, in one transaction.

    A CupboardError says why nothing was changed: the copy is damaged or newer, a server runs on the database, or it
    holds something that is not to be replaced."""
    found = inspect(copy)
    found.refuse_damage(copy)
    with (
        telling(str(copy), url),
        reading_from(str(copy)) as source,
        replacing_postgres(url, replace=replace) as conn,
    ):
        transfer(source, lambda: nullcontext(conn), told)
        had_admin_link = conn.execute(sa.delete(ADMIN_LINK)).rowcount > 0
    return Restored(found, None, had_admin_link)
