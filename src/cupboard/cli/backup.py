"""cupboard backup: copies the database, also while a server runs."""

from __future__ import annotations

import re
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cupboard.cli.database import DatabaseUrl, DataFolder, SettingsFile

if TYPE_CHECKING:
    from cupboard.server.store.inspection import Inspection

_DATED = re.compile(r"cupboard-(\d{4}-\d\d-\d\dT\d{4})(?:-(\d+))?\.db")


def backup(
    file: Annotated[
        str,
        typer.Argument(metavar="FILE", help="The copy; in a folder it is named by the time; - is the standard output."),
    ],
    data: DataFolder = None,
    settings: SettingsFile = None,
    database: DatabaseUrl = None,
    replace: Annotated[bool, typer.Option("--replace", metavar=" ", help="Replace the file if it is there.")] = False,
    keep: Annotated[
        int | None,
        typer.Option("--keep", metavar="N", min=1, help="In a folder: remove older copies, so that N are left."),
    ] = None,
) -> None:
    """Copy the database to a file: all games, people and sessions, also while the server runs.

    The copy is checked, and is there as a whole or not at all. Only its owner can read it: it holds what passwords
    are checked with. `cupboard restore` puts it back. A copy of a database of PostgreSQL is such a file, too.
    """
    from cupboard.cli.database import end_as_with_ctrl_c
    from cupboard.cli.files import STDIN
    from cupboard.cli.terminal import say

    end_as_with_ctrl_c()
    source = _source(database, data, settings)
    if file == STDIN:
        if keep is not None or replace:
            raise typer.BadParameter("--keep and --replace are for files, not for the standard output.")
        _print_copy(source)
        return
    given = Path(file).expanduser()
    is_folder = _is_folder(given)
    if keep is not None and not is_folder:
        raise typer.BadParameter("--keep is for copies in a folder.")
    target = _dated_file(given) if is_folder else given
    _check_target(target, source, replace)
    found = _copy(source, target.resolve())
    say(f"{target}: {found}.")
    if keep is not None:
        for old in _dated_copies(given)[:-keep]:
            old.unlink()
            say(f"Removed {old}.")


def _source(database: str | None, data: Path | None, settings: Path | None) -> Path | str:
    """What is copied: a file, or a database of PostgreSQL by its address."""
    from cupboard.cli.database import database_of, postgres_of

    return postgres_of(database, data, settings) or database_of(data, settings)


def _is_folder(path: Path) -> bool:
    from cupboard.cli.files import FileTrouble

    try:
        return path.is_dir()
    except (OSError, ValueError) as error:
        raise FileTrouble(f"{str(path)[:200]!r} cannot be written: {error}.") from None


def _dated_file(folder: Path) -> Path:
    from cupboard.server.store.copying import unused_name

    return unused_name(folder / f"cupboard-{datetime.now():%Y-%m-%dT%H%M}.db")


def _dated_copies(folder: Path) -> list[Path]:
    """The copies in a folder that were named by the time, the oldest first."""
    found = ((_DATED.fullmatch(path.name), path) for path in folder.iterdir())
    return [path for _, path in sorted(((m[1], int(m[2] or 1)), path) for m, path in found if m)]


def _check_target(target: Path, source: Path | str, replace: bool) -> None:
    """FileTrouble when the copy may not get this name."""
    from cupboard.cli.files import FileTrouble
    from cupboard.server.store.copying import is_part_of

    try:
        if isinstance(source, Path) and is_part_of(target, source):
            raise FileTrouble(f"'{target}' is the database itself, or a part of it: a copy needs another place.")
        if not target.resolve().parent.is_dir():
            raise FileTrouble(f"There is no folder '{target.parent}' to keep '{target.name}' in.")
        if target.exists() and not target.is_file():
            raise FileTrouble(f"'{target}' is not a file.")
        if target.exists() and not replace:
            raise FileTrouble(f"'{target}' is there already: take another name, or replace it: --replace")
    except OSError as error:
        words = (error.strerror or str(error)).lower()
        raise FileTrouble(f"'{str(target)[:200]}' cannot be written: {words}.") from None


def _copy(source: Path | str, target: Path) -> Inspection:
    from cupboard.cli.progress import progress_bar
    from cupboard.server.store.copying import copy_database

    with progress_bar("Copying") as told:
        if isinstance(source, Path):
            return copy_database(source, target, told)
        from cupboard.server.store.postgres_copies import copy_from_postgres

        return copy_from_postgres(source, target, told)


def _print_copy(source: Path | str) -> None:
    import shutil
    import sys
    import tempfile

    from cupboard.cli.files import FileTrouble

    if sys.stdout.isatty():
        raise FileTrouble("A database is nothing to read on a terminal: name a file, or lead the output into a pipe.")
    with tempfile.TemporaryDirectory(prefix="cupboard-") as folder:
        copy = Path(folder) / "cupboard.db"
        _copy(source, copy)
        with copy.open("rb") as stream:
            shutil.copyfileobj(stream, sys.stdout.buffer, 1 << 20)
        sys.stdout.buffer.flush()
