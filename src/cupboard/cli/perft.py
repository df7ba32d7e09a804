"""cupboard perft: counts sequences of moves, the usual way to compare two implementations of the same rules."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from cupboard.cli.parameters import GameName, Options, Profile, Seats

if TYPE_CHECKING:
    from cupboard.core.game import Position

T = TypeVar("T")


def perft(
    game: GameName,
    depth: Annotated[
        int, typer.Argument(metavar="DEPTH", min=1, max=99, help="How many moves deep.", show_default=False)
    ],
    seats: Seats = None,
    profile: Profile = None,
    option: Options = None,
    divide: Annotated[
        bool, typer.Option("--divide", metavar=" ", help="One line for each first move, then the total.")
    ] = False,
    position: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Count from this position instead of the start.")
    ] = None,
) -> None:
    """Count the sequences of moves: one line `DEPTH COUNT` for each depth up to DEPTH.

    Where nature acts its first move stands for all.
    """
    from cupboard.cli.compile_progress import compile_progress
    from cupboard.cli.parameters import open_game

    chosen = open_game(game, seats, profile, option or ())
    with compile_progress("counting"):
        from cupboard.core import playouts
    start = chosen.start() if position is None else chosen.read(position)
    row = start.row.copy()
    if divide:
        _divide(start, depth)
        return
    for n in range(1, depth + 1):
        count = _stoppable(lambda n=n: playouts.perft(chosen.kernel, row, n))  # type: ignore[misc]
        print(n, count, flush=True)


def _divide(start: Position[Any], depth: int) -> None:
    from cupboard.core import playouts
    from cupboard.core.game import CHANCE

    kernel = start.game.kernel
    counts = iter(playouts.divide(kernel, start.row.copy(), depth))
    position = start
    while position.to_act == (CHANCE,):
        position = position.play(position.moves()[0])
    total = 0
    while (found := _stoppable(lambda: next(counts, None))) is not None:
        code, count = found
        total += count
        print(_name(position, code), count, flush=True)
    print(depth, total)


def _name(position: Position[Any], code: int) -> str:
    """The notation of a kernel's move code; the code itself where a move takes several codes (a whole pyramid)."""
    moves = position.moves()
    if len(moves) > 100_000:
        return str(code)
    return str(position._decode(code))


def _stoppable(count: Callable[[], T]) -> T:
    """Run `count` in another thread, so that Ctrl-C ends the process: compiled code does not react to it."""
    answer: list[T] = []
    trouble: list[BaseException] = []

    def run() -> None:
        try:
            answer.append(count())
        except BaseException as error:
            trouble.append(error)

    worker = threading.Thread(target=run, daemon=True)
    worker.start()
    try:
        while worker.is_alive():
            worker.join(0.1)
    except KeyboardInterrupt:
        sys.stdout.flush()
        # A thread in compiled code cannot be stopped.
        os._exit(130)
    if trouble:
        raise trouble[0]
    return answer[0]
