"""cupboard check: looks for damage in the database or in a copy, and plays every game through."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cupboard.cli.database import DatabaseUrl, DataFolder, SettingsFile

if TYPE_CHECKING:
    from cupboard.server.store.inspection import Inspection


def check(
    file: Annotated[
        str | None, typer.Argument(metavar="FILE", help="A copy; the server's database if not said.")
    ] = None,
    data: DataFolder = None,
    settings: SettingsFile = None,
    database: DatabaseUrl = None,
    games: Annotated[
        int | None,
        typer.Option("--games", metavar="N", min=0, help="Play only the newest N games through; all if not said."),
    ] = None,
) -> None:
    """Check the database or a copy: its pages and rows, and that every game is one by the rules.

    Nothing is changed, and a server may go on running. Ctrl-C ends it. The exit code is 1 when something is wrong.
    """
    from cupboard.cli.database import database_of, end_as_with_ctrl_c, postgres_of

    end_as_with_ctrl_c()
    if file is not None:
        _check(Path(file).expanduser(), file, games)
    elif url := postgres_of(database, data, settings):
        _check_postgres(url, games)
    else:
        path = database_of(data, settings)
        _check(path, path, games)


def _check_postgres(url: str, games: int | None) -> None:
    """Check what the database holds at this moment, in a copy of it."""
    import tempfile

    from cupboard.cli.progress import progress_bar
    from cupboard.server.postgres_address import shown
    from cupboard.server.store.postgres_copies import copy_from_postgres

    with tempfile.TemporaryDirectory(prefix="cupboard-") as folder:
        copy = Path(folder) / "cupboard.db"
        with progress_bar("Reading") as told:
            copy_from_postgres(url, copy, told)
        _check(copy, shown(url), games)


def _check(path: Path, name: object, games: int | None) -> None:
    from cupboard.cli.terminal import say, spinner
    from cupboard.server.store.inspection import inspect

    with spinner("Checking the pages …"):
        found = inspect(path)
    say(f"{name}: {found}.")
    for fault in found.faults:
        say(fault)
    wrong = len(found.faults)
    if wrong == 0:
        wrong = _check_games(path, found, games)
    if wrong:
        raise typer.Exit(1)
    say("Nothing is wrong.")


def _check_games(path: Path, found: Inspection, newest: int | None) -> int:
    """Play the games through and name those that make no sense; returns their number."""
    import tempfile

    from cupboard.cli.terminal import say
    from cupboard.server.store.copying import copy_database
    from cupboard.server.store.sqlite_file import bring_up_to_date

    if not found.is_older:
        wrong = _play_through(path, newest)
    else:
        with tempfile.TemporaryDirectory(prefix="cupboard-") as folder:
            copy = Path(folder) / "cupboard.db"
            copy_database(path, copy)
            bring_up_to_date(copy)
            wrong = _play_through(copy, newest)
    played = found.games if newest is None else min(newest, found.games)
    say(f"{played:,} of {found.games:,} games played through, {wrong:,} damaged.")
    return wrong


def _play_through(path: Path, newest: int | None) -> int:
    from contextlib import suppress

    from cupboard.cli.compile_progress import load_kernel
    from cupboard.cli.progress import progress_bar
    from cupboard.cli.terminal import say
    from cupboard.core.errors import CupboardError
    from cupboard.core.registry import load
    from cupboard.server.store.inspection import open_to_read
    from cupboard.server.table.checking import check_games, names_of_games

    if newest == 0:
        return 0
    wrong = 0
    with open_to_read(path) as db:
        for name in names_of_games(db):
            with suppress(CupboardError):  # a game that is not here is told for each of its tables
                load_kernel(load(name))
        with progress_bar("Playing the games through") as told:
            for damaged in check_games(db, newest, told):
                wrong += 1
                say(str(damaged))
    return wrong
