"""cupboard arena: a tournament between players, with ratings and a report."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cupboard.cli.parameters import GameName, Options, Profile, Seats

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cupboard.arena.entrants import Entrant
    from cupboard.arena.game_runner import GameResult
    from cupboard.arena.schedule import Schedule
    from cupboard.arena.sprt import Sprt
    from cupboard.arena.worker_pool import WorkerPool


def arena(
    name: GameName,
    player: Annotated[
        list[str] | None,
        typer.Option(
            "--player",
            metavar="P",
            help="Who plays; repeat it. A bot or level, [b]alphabeta:nodes=5000[/b], "
            "[b]cmd:./program[/b], or with a short name [b]mine=cmd:./program[/b].",
        ),
    ] = None,
    ladder: Annotated[
        bool, typer.Option("--ladder", help="The levels of the game, each against its neighbours; no --player then.")
    ] = False,
    seats: Seats = None,
    profile: Profile = None,
    option: Options = None,
    games: Annotated[
        int, typer.Option(min=1, help="How many games; rounded up to whole rotations of the seats.")
    ] = 100,
    seed: Annotated[int, typer.Option(help="Another seed, other deals.")] = 0,
    time: Annotated[
        float | None, typer.Option(min=0.001, help="Seconds for a move, for players that can be told.")
    ] = None,
    nodes: Annotated[int | None, typer.Option(min=1, help="Nodes for a move; makes results repeatable.")] = None,
    depth: Annotated[int | None, typer.Option(min=1, help="Depth of the search for a move.")] = None,
    sprt: Annotated[
        str | None,
        typer.Option(metavar="ELO0,ELO1", help="Stop as soon as it is clear whether the first player is better."),
    ] = None,
    opening: Annotated[
        int, typer.Option(min=0, max=100, help="Random moves to begin with, the same for each rotation of the seats.")
    ] = 0,
    longest: Annotated[int, typer.Option(min=1, help="Moves after which a game is called even.")] = 2000,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where games and report go; the same command goes on there.")
    ] = None,
    workers: Annotated[
        int | None, typer.Option(min=0, help="Processes; 0 plays in this one. One for each core if not said.")
    ] = None,
    dask: Annotated[str | None, typer.Option(metavar="tcp://…", help="The scheduler of a Dask cluster.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
) -> None:
    """Let players play each other and rate them.

    Every deal, and every opening, is played once from each seat. Every finished game is kept, and the same command
    continues where it was stopped. Ratings come with 95 % intervals, a plot and a page.
    """
    import json

    from cupboard.arena.entrants import read_entrants
    from cupboard.arena.journal import Journal
    from cupboard.arena.report import HEADER, TournamentReport, write_report
    from cupboard.arena.schedule import Schedule
    from cupboard.arena.sprt import Sprt
    from cupboard.cli.parameters import open_game
    from cupboard.cli.terminal import print_table, screen
    from cupboard.players.levels import levels_of
    from cupboard.players.thinking import Limits

    test = None if sprt is None else Sprt.read(sprt)
    game = open_game(name, seats, profile, option or ())
    if ladder and player:
        raise typer.BadParameter("the ladder brings its own players.", param_hint="--player")
    entrants = read_entrants(levels_of(game) if ladder else player or ())
    if test is not None and len(entrants) != 2:
        raise typer.BadParameter("a test is between two players.", param_hint="--sprt")
    schedule = Schedule(game, entrants, games, seed, Limits(time, nodes, depth), longest, ladder, opening)
    _check(entrants, schedule)
    folder = out or Path("arena") / f"{game.name}-{schedule.fingerprint}"
    with Journal.open(folder, schedule.heading()) as journal:
        try:
            _play(schedule, journal.done, journal.add, test, _worker_pool(workers, dask))
        except KeyboardInterrupt:
            _say_what_is_kept(len(journal.done), schedule.sets * schedule.rotations, folder)
            raise
        finally:
            report = TournamentReport.of(schedule, journal.done.values(), test)
            if report.games:
                write_report(report, folder)
    if as_json:
        print(json.dumps(report.to_json(), ensure_ascii=False))
        return
    print_table(HEADER, report.rows(_room_for_names()), right=range(1, len(HEADER)))
    for sentence in report.sentences():
        print(sentence)
    screen(stderr=True).print(f"Games and report are in {folder}.", soft_wrap=True)


def _say_what_is_kept(done: int, total: int, folder: Path) -> None:
    from cupboard.cli.terminal import screen

    kept = f"Stopped. {done} of {total} games are kept in {folder}, with the report on them"
    words = kept if done else "Stopped before the first game was over"
    screen(stderr=True).print(f"{words}; the same command goes on from there.", soft_wrap=True, highlight=False)


def _room_for_names() -> int | None:
    """The longest name with which the table fits the terminal; None if the output is not a terminal."""
    from cupboard.arena.report import WIDTH_OF_NUMBERS
    from cupboard.cli.terminal import screen

    console = screen()
    return max(12, console.width - WIDTH_OF_NUMBERS) if console.is_terminal else None


def _check(entrants: Sequence[Entrant], schedule: Schedule) -> None:
    """Raise an error for a misspelt name or a program that does not answer, before it forfeits every game."""
    from cupboard.arena.external_engine import ExternalEngine

    for entrant in entrants:
        player = entrant.make(schedule.game, 0, schedule.limits)
        if isinstance(player, ExternalEngine):
            player.close()


def _worker_pool(workers: int | None, dask: str | None) -> AbstractContextManager[WorkerPool]:
    import os

    from cupboard.arena.worker_pool import dask_pool, in_process_pool, process_pool

    if dask is not None:
        return dask_pool(dask)
    if workers == 0:
        return in_process_pool()
    return process_pool(workers or os.cpu_count() or 1)


def _play(
    schedule: Schedule,
    done: dict[str, GameResult],
    keep: Callable[[GameResult], object],
    test: Sprt | None,
    opening_pool: AbstractContextManager[WorkerPool],
) -> None:
    from cupboard.arena.ratings import RunningScore
    from cupboard.arena.sprt import Verdict
    from cupboard.arena.tournament import run_tournament

    total = schedule.sets * schedule.rotations
    label = schedule.labels[0]

    def enough() -> bool:
        if test is None:
            return False
        return test.judge(label, done.values(), schedule.game.seats, schedule.rotations)[0] is not Verdict.OPEN

    if enough() or len(done) >= total:
        return
    score = RunningScore(label, done.values())
    with opening_pool as pool, _progress(total, len(done)) as step:

        def kept(played: GameResult) -> None:
            keep(played)
            score.add(played)
            step(str(score))

        run_tournament(schedule, pool, done, kept, enough)


@contextmanager
def _progress(total: int, done: int) -> Iterator[Callable[[str], None]]:
    """A progress bar on stderr, if that is a terminal; yields the function that counts one more game."""
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    from cupboard.cli.terminal import screen

    console = screen(stderr=True)
    columns: list[Any] = [BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn()]
    with Progress(
        *columns, TextColumn("{task.description}", markup=False), console=console, disable=not console.is_terminal
    ) as bar:
        task = bar.add_task("", total=total, completed=done)
        yield lambda words: bar.update(task, advance=1, description=words)
