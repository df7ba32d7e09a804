"""cupboard restore: puts a copy in the place of the database."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cupboard.cli.database import DatabaseUrl, DataFolder, SettingsFile


def restore(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A copy that `cupboard backup` made.")],
    data: DataFolder = None,
    settings: SettingsFile = None,
    database: DatabaseUrl = None,
    replace: Annotated[
        bool, typer.Option("--replace", metavar=" ", help="PostgreSQL: delete what the database holds.")
    ] = False,
) -> None:
    """Put a copy in the place of the database. Stop the server first.

    The copy is checked first and stays where it is; the database from before is kept beside the new one. Links to
    seats and sessions are those of the copy, but an admin link of the copy is void. A database of PostgreSQL must be
    empty, or what it holds is deleted with --replace; until the copy is there as a whole nothing is changed.
    """
    from cupboard.cli.database import database_of, end_as_with_ctrl_c, postgres_of
    from cupboard.cli.progress import progress_bar
    from cupboard.cli.terminal import say
    from cupboard.server.store.restoring import restore_database

    end_as_with_ctrl_c()
    copy, url = Path(file).expanduser(), postgres_of(database, data, settings)
    with progress_bar("Restoring") as told:
        if url:
            from cupboard.server.postgres_address import shown
            from cupboard.server.store.postgres_copies import restore_to_postgres

            place: object = shown(url)
            found, kept, had_admin_link = restore_to_postgres(copy, url, told, replace=replace)
        else:
            place = path = database_of(data, settings).resolve()
            found, kept, had_admin_link = restore_database(copy, path, told)
    say(f"Restored {place}: {found}.")
    if kept is not None:
        say(f"The database from before is {kept}. When all is well, delete it: it holds passwords, too.")
    if had_admin_link:
        say("The admin link of the copy is void, as it may be an old one: `cupboard admin link` makes a new one.")
    if found.is_older and not url:
        say("It is from an older Cupboard: the next start brings it up to date.")
