"""What the verbs share that work on a database: which one is meant, and an end that leaves nothing half done."""

from __future__ import annotations

import signal
import threading
from pathlib import Path
from typing import Annotated

import typer

DataFolder = Annotated[
    Path | None,
    typer.Option("--data", metavar="FOLDER", file_okay=False, help="Where games are kept; yours if not said."),
]
SettingsFile = Annotated[
    Path | None,
    typer.Option("--settings", metavar="FILE", dir_okay=False, help="The file of settings that the server has."),
]
DatabaseUrl = Annotated[
    str | None,
    typer.Option("--database", metavar="URL", help="A database of PostgreSQL instead: postgresql://user@host/name."),
]


def postgres_of(database: str | None, data: Path | None, settings: Path | None) -> str:
    """The address of the server's database of PostgreSQL, as given or as the settings file has it; empty for a file."""
    if database is None and settings is None:
        return ""
    from cupboard.server.settings_file import read_settings

    return read_settings(settings, data=data, database=database).database


def database_of(data: Path | None, settings: Path | None) -> Path:
    """The database that a server with these options has, whether it is there or not; FileTrouble in a folder that
    this user may not enter."""
    from cupboard.cli.files import FileTrouble
    from cupboard.server.settings_file import read_settings

    database = read_settings(settings, data=data).database_file.absolute()
    try:
        database.stat()
    except PermissionError:
        raise FileTrouble(
            f"{database.parent} may not be read by this user. Run the command as the user that the server runs as."
        ) from None
    except (OSError, ValueError):
        pass  # which is told by whoever needs it
    return database


def end_as_with_ctrl_c() -> None:
    """Let a system that ends the program do so as Ctrl-C does: nothing unfinished is left behind."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, signal.default_int_handler)
