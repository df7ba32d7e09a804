"""cupboard worker: does the heavy work of servers that share a database."""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cupboard.cli.database import SettingsFile

if TYPE_CHECKING:
    from cupboard.server.settings import ServerSettings


def worker(
    database: Annotated[
        str | None, typer.Option(metavar="URL", help="The servers' database: postgresql://user@host/name.")
    ] = None,
    processes: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, max=64, help="So many bots think at once; one for each processor."),
    ] = None,
    settings: SettingsFile = None,
    data: Annotated[
        Path | None,
        typer.Option("--data", metavar="FOLDER", file_okay=False, help="Where compiled code may be kept."),
    ] = None,
    log_format: Annotated[
        str | None, typer.Option("--log-format", metavar="plain|json", help="How the log on standard error is written.")
    ] = None,
) -> None:
    """Think for the bots of servers that share a database of PostgreSQL, and analyse and draw for them. Ctrl-C ends it.

    Servers notice a worker by themselves, and do without when there is none.
    """
    from cupboard.cli.terminal import say
    from cupboard.core.sources import keep_also_in
    from cupboard.server.errors import BadSettings
    from cupboard.server.settings_file import read_settings
    from cupboard.server.watching.log import logging_to_stderr

    chosen = read_settings(
        settings,
        data=data,
        database=database,
        jobs=None if processes is None else {"processes": processes},
        log=None if log_format is None else {"format": log_format},
    )
    if not chosen.database:
        raise BadSettings("A worker works for servers on a database of PostgreSQL: say which with --database.")
    keep_also_in(chosen.data.absolute() / "compiled")
    say("Getting the games ready …")
    with logging_to_stderr(chosen.log):
        asyncio.run(_work(chosen))
    say("The worker has ended.")


async def _work(chosen: ServerSettings) -> None:
    from cupboard.cli.terminal import say
    from cupboard.server.jobs.worker import Worker

    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for wish in (signal.SIGINT, signal.SIGTERM):
        try:
            loop.add_signal_handler(wish, stop.set)
        except NotImplementedError:  # Windows: Ctrl-C then ends it at once, and others do what it leaves
            break
    await Worker(chosen, lambda: say("The worker is ready. Ctrl-C ends it.")).work(stop)
