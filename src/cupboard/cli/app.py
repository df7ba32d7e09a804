"""The command `cupboard` and its verbs, and how errors become sentences and exit codes.

0    done                          2    the command was written wrongly (Typer says how)
1    it cannot be done             130  stopped with Ctrl-C      141  nobody reads the output any more
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from cupboard import __version__
from cupboard.cli import (
    admin,
    analyse,
    arena,
    backup,
    bench,
    check,
    db,
    draw,
    engine,
    games,
    learn,
    perft,
    play,
    replay,
    restore,
    rules,
    serve,
    shelf,
    tune,
    worker,
)
from cupboard.cli.language import reason, speak_english, told
from cupboard.core.errors import CupboardError
from cupboard.core.words import phrase

STOPPED = 130
NOBODY_READS = 141


@contextmanager
def friendly_errors() -> Iterator[None]:
    """Turn the errors of the block into a sentence on stderr and an exit code."""
    try:
        yield
        sys.stdout.flush()
    except CupboardError as error:
        _refuse(reason(error))
    except KeyboardInterrupt:
        print(file=sys.stderr)
        raise typer.Exit(STOPPED) from None
    except EOFError:
        _refuse(told(phrase("terminal.inputEnded")))
    except BrokenPipeError:
        # The reader has gone, as with `| head`: leave quietly, and let Python's own last flush find no pipe.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(NOBODY_READS) from None
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        _refuse(f"{where}{error.strerror or error}.")


def _refuse(sentence: str) -> None:
    print(sentence, file=sys.stderr)
    raise typer.Exit(1)


_ITS_OWN = {"-h", "--help", "--version", "--install-completion", "--show-completion"}
"""The options of `cupboard` itself; all others are those of a verb."""


class FriendlyGroup(TyperGroup):
    """The group of verbs; without a verb it serves. It prints errors as sentences, without a traceback."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the command line; what has options and no verb is a `serve`."""
        if not args or (args[0].startswith("-") and args[0] not in _ITS_OWN):
            args = ["serve", *args]
        return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        """Run the verb named on the command line."""
        speak_english()  # until a verb that people play with asks for another language
        with friendly_errors():
            return super().invoke(ctx)


app = typer.Typer(
    name="cupboard",
    cls=FriendlyGroup,
    help="Table games on one shelf: `cupboard games` lists them.",
    epilog="Start with `cupboard`, or `cupboard play jumping-cups`. Every verb has its own --help.",
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(value: bool) -> None:
    if value:
        print(f"cupboard {__version__}")
        raise typer.Exit


@app.callback()
def bare(
    version: Annotated[
        bool, typer.Option("--version", metavar=" ", callback=_show_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Table games on one shelf: `cupboard games` lists them.

    Without a verb: opens the cupboard in a browser, as `cupboard serve` does; its options may be given at once.
    """


app.command("serve", cls=serve.ServeCommand)(serve.serve)
app.command("worker")(worker.worker)
app.command("backup")(backup.backup)
app.command("restore")(restore.restore)
app.command("check")(check.check)
app.command("shelf")(shelf.shelf)
app.command("games")(games.games)
app.command("rules")(rules.rules)
app.command("learn")(learn.learn)
app.command("play")(play.play)
app.command("replay")(replay.replay)
app.command("draw")(draw.draw)
app.command("perft")(perft.perft)
app.command("bench")(bench.bench)
app.command("arena")(arena.arena)
app.command("engine")(engine.engine)
app.command("analyse")(analyse.analyse)
app.command("tune")(tune.tune)
app.add_typer(admin.app, name="admin")
app.add_typer(db.app, name="db")
