"""cupboard bench: the speed of the games on one core, and a comparison with OpenSpiel."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Annotated, Any

import typer

from cupboard.cli.parameters import complete_game

_M = 1_000_000
FRIENDLY_GOAL = 50_000
RATIO_GOALS = {2: 3.0, 6: 2.0}


def bench(
    game: Annotated[
        str | None, typer.Argument(metavar="GAME", help="Only this game.", autocompletion=complete_game)
    ] = None,
    compare: Annotated[
        bool,
        typer.Option("--compare", metavar=" ", help="OpenSpiel beside ours, in the game of both; needs pyspiel."),
    ] = False,
    seconds: Annotated[float, typer.Option(metavar="S", min=0.1, max=600, help="CPU seconds for each number.")] = 1.0,
) -> None:
    """Measure speed: CPU time of one core, the best of several short runs.

    kernel: uniformly random games in compiled code.

    friendly: the same through moves() and play(), as Python programs use it.
    """
    if compare:
        _compare(game, seconds)
        return
    from cupboard.cli.terminal import print_table
    from cupboard.core.registry import find, names

    wanted = [find(game).name] if game is not None else list(names())
    rows = []
    for name in wanted:
        for seats in _seats(name):
            rows.append(_measure(name, seats, seconds))
    header = ("game", "seats", "kernel moves/s", "playouts/s", "goal", "", "friendly moves/s", "goal", "")
    print_table(header, rows, right=(1, 2, 3, 4, 6, 7))


def _seats(name: str) -> list[int]:
    from cupboard.core.registry import load

    game = load(name)
    return list(game.knowledge.speed_goals) or [game.seats]


def _measure(name: str, seats: int, seconds: float) -> tuple[str, ...]:
    from cupboard.cli.compile_progress import compile_progress
    from cupboard.cli.parameters import open_game
    from cupboard.cli.terminal import spinner

    game: Any = open_game(name, seats)
    with compile_progress("measuring"):
        from cupboard.cli.speed import friendly_speed, kernel_speed
    with spinner(f"Measuring {game.title} with {seats} …"):
        fast = kernel_speed(game, seconds)
        friendly = friendly_speed(game, seconds)
    goal = game.knowledge.speed_goals.get(seats)
    return (
        name,
        str(seats),
        f"{fast.moves / _M:.2f} M",
        f"{fast.playouts:,.0f}",
        f"{goal / _M:.1f} M" if goal else "",
        _verdict(fast.moves, goal),
        f"{friendly / 1000:.0f} k",
        f"{FRIENDLY_GOAL / 1000:.0f} k",
        _verdict(friendly, FRIENDLY_GOAL),
    )


def _compare(game: str | None, seconds: float) -> None:
    from cupboard.adapters.openspiel_speed import GAME, PROFILE, rollouts
    from cupboard.cli.compile_progress import compile_progress
    from cupboard.cli.parameters import open_game
    from cupboard.cli.terminal import print_table, spinner
    from cupboard.core.errors import BadOption
    from cupboard.core.registry import find

    if game is not None and find(game).name != GAME:
        raise BadOption(f"Only {find(GAME).title} is in OpenSpiel too: leave the game out.")
    if find_spec("pyspiel") is None:
        raise BadOption("There is nothing to compare with: pyspiel is missing (pip install 'cupboard-games[peers]').")
    with compile_progress("measuring"):
        from cupboard.cli.speed import compare_with

    rows = []
    for seats, goal in RATIO_GOALS.items():
        ours = open_game(GAME, seats, PROFILE)
        with spinner(f"Playing beside OpenSpiel with {seats} …"):
            duel = compare_with(ours, rollouts(seats), seconds)
        rows.append(
            (
                GAME,
                str(seats),
                f"{duel.ours:,.0f}",
                f"{duel.theirs:,.0f}",
                f"{duel.ratio:.1f}×",
                f"{goal:.0f}×",
                _verdict(duel.ratio, goal),
            )
        )
    header = ("game", "seats", "our playouts/s", "OpenSpiel's", "ratio", "goal", "")
    print_table(header, rows, right=(1, 2, 3, 4, 5))


def _verdict(value: float, goal: float | None) -> str:
    return "" if goal is None else "reached" if value >= goal else "short"
