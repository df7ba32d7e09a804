"""cupboard db: what concerns the database itself; `copy` takes everything from one to another, of whichever kind."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from cupboard.cli.terminal import say

app = typer.Typer(help="The database itself: copy it between a file and PostgreSQL.", no_args_is_help=True)
_PLACE = "a file, the folder that it is in, or postgresql://user@host/name"


@app.callback()
def bare() -> None:
    """The database itself: copy it between a file and PostgreSQL."""


@app.command()
def copy(
    source: Annotated[str, typer.Argument(metavar="FROM", help=f"What is copied: {_PLACE}.")],
    target: Annotated[str, typer.Argument(metavar="TO", help=f"Where to: {_PLACE}; empty, or not there yet.")],
) -> None:
    """Copy everything from one database to another: from a file to PostgreSQL, or back, or to one of the same kind.

    The copy is what the database was at one moment, and is checked row by row at the end. It can be stopped with
    Ctrl-C: the same command goes on where it stopped. No server starts on a copy that is not finished.
    """
    from cupboard.cli.database import end_as_with_ctrl_c
    from cupboard.cli.files import FileTrouble
    from cupboard.cli.progress import progress_bar
    from cupboard.server.postgres_address import is_address
    from cupboard.server.store.copying import is_part_of
    from cupboard.server.store.places import check_place, file_of, name_of, reading_from, telling, writing_to
    from cupboard.server.store.transfer import transfer

    end_as_with_ctrl_c()
    check_place(source)
    check_place(target)
    are_files = not is_address(source) and not is_address(target)
    if source == target or (are_files and is_part_of(file_of(target), file_of(source))):
        raise FileTrouble(f"{name_of(target)} is the database itself: a copy needs another place.")
    try:
        with (
            progress_bar("Copying") as told,
            telling(source, target),
            reading_from(source) as read,
            writing_to(target) as begin,
        ):
            rows = transfer(read, begin, told)
    except KeyboardInterrupt:
        print("Stopped. The same command goes on from here; until then no server starts on the copy.", file=sys.stderr)
        raise
    say(f"Copied {name_of(source)} to {name_of(target)}: {sum(rows.values()):,} rows, which are equal.")
