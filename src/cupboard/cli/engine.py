"""cupboard engine: a bot as an engine for other programs, over stdin and stdout."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Annotated

import typer

from cupboard.cli.parameters import GameName, Options, Profile, Seats


def engine(
    name: GameName,
    seats: Seats = None,
    profile: Profile = None,
    option: Options = None,
    player: Annotated[str, typer.Option(metavar="P", help="Which bot thinks; the best for the game if not said.")] = "",
    seed: Annotated[int, typer.Option(min=0, help="The same seed and nodes give the same move.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON request on a line, one answer on a line.")] = False,
) -> None:
    """Think for another program: a protocol in the shape of UCI, or JSON lines. See docs/engine.md."""
    if as_json:
        from cupboard.arena.json_engine import JsonEngine
        from cupboard.cli.parameters import open_game

        JsonEngine(open_game(name, seats, profile, option or ()), player, seed).run(_lines(), _say)
        return
    from cupboard.arena.engine import Engine
    from cupboard.cli.parameters import read_options
    from cupboard.core.registry import load_with

    # Nothing is compiled yet: `uci` wants its answer at once.
    Engine(load_with(name, seats, read_options(profile, option or ())), _say, player, seed).run(_lines())


def _lines() -> Iterator[str]:
    """The lines of the standard input as they come; bytes that are not UTF-8 become replacement characters."""
    for line in sys.stdin.buffer:
        yield line.decode(errors="replace").rstrip("\r\n")


def _say(line: str) -> None:
    print(line, flush=True)
