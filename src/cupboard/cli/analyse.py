"""cupboard analyse: finds the mistakes of a played game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cupboard.arena.analyse import JudgedMove
    from cupboard.core.record import Record


def analyse(
    file: Annotated[str, typer.Argument(metavar="RECORD", help="A played game; - is the standard input.")],
    time: Annotated[
        float | None, typer.Option(min=0.001, help="Seconds for each move; half a second if not said.")
    ] = None,
    nodes: Annotated[int | None, typer.Option(min=1, help="Nodes for each move; makes it repeatable.")] = None,
    depth: Annotated[int | None, typer.Option(min=1, help="Depth for each move.")] = None,
    player: Annotated[str, typer.Option(metavar="P", help="Who judges; the best for the game if not said.")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print every move's judgement as JSON.")] = False,
    as_record: Annotated[
        bool, typer.Option("--record", help="Print the record with the mistakes as comments.")
    ] = False,
) -> None:
    """Mark the mistakes of a played game: the better move, and how much of the point it cost.

    `?!` gives away 5 % of the point or more, `?` 12 %, `??` 25 %. Each move is judged by what its player could know.
    """
    import json

    from cupboard.arena.analyse import analyse as judge
    from cupboard.arena.analyse import annotate, summaries
    from cupboard.arena.thinkers import find_thinker, warm_up_thinker
    from cupboard.cli.compile_progress import compile_progress
    from cupboard.cli.files import read_record
    from cupboard.core.game import letter
    from cupboard.players.thinking import Limits

    record = read_record(file)
    record.replay()  # a broken record is refused before the wait
    find_thinker(record.game, player)
    limits = Limits(time, nodes, depth)
    with compile_progress(record.game.title):
        warm_up_thinker(record.game, player)
    judged = _with_progress(
        record, lambda seen: judge(record, Limits(0.5) if limits.is_endless else limits, player, seen)
    )
    if as_json:
        seats = [
            {"seat": letter(s.seat), "decisions": s.moves, "cost_per_move": s.cost, "marks": s.marks}
            for s in summaries(record.game, judged)
        ]
        print(json.dumps({"moves": [one.to_json() for one in judged], "seats": seats}, ensure_ascii=False))
    elif as_record:
        print(annotate(record, judged), end="")
    else:
        _print_mistakes(record, judged)


def _print_mistakes(record: Record, judged: Sequence[JudgedMove]) -> None:
    from cupboard.arena.analyse import summaries
    from cupboard.cli.terminal import print_table, say
    from cupboard.core.game import letter

    game = record.game
    marked = [one for one in judged if one.mark]
    numbers = {one.n: number for number, one in enumerate(judged, start=1)}
    for one in marked:
        say(f"{numbers[one.n]:>4}. {letter(one.seat)}:{one.move} {one.mark}  {one.sentence()}")
    if not marked:
        say("No mistakes found.")
    say("")
    rows = []
    for summary in summaries(game, judged):
        name = record.tags.get(letter(summary.seat), "") or game.seat_name(summary.seat)
        marks = (str(summary.marks[mark]) for mark in ("?!", "?", "??"))
        rows.append((f"{letter(summary.seat)} {name}", str(summary.moves), f"{summary.cost:.1%}", *marks))
    print_table(("player", "decisions", "cost/move", "?!", "?", "??"), rows, right=range(1, 6))


def _with_progress(
    record: Record, work: Callable[[Callable[[JudgedMove], None]], list[JudgedMove]]
) -> list[JudgedMove]:
    """Call `work` with a progress bar on stderr, if that is a terminal, and return its result."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    from cupboard.cli.terminal import screen
    from cupboard.core.game import CHANCE

    console = screen(stderr=True)
    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal, transient=True) as bar:
        task = bar.add_task("", total=sum(move.seat != CHANCE for move in record.moves))
        return work(lambda judged: bar.update(task, advance=1))
