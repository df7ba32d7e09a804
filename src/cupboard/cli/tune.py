"""cupboard tune: fits the weights of an evaluation to self-play and measures whether they are better."""

from __future__ import annotations

from typing import Annotated

import typer

from cupboard.cli.parameters import GameName, Options, Profile


def tune(
    game: GameName,
    profile: Profile = None,
    option: Options = None,
    games: Annotated[int, typer.Option(min=2, max=100_000, help="Games of self-play, and again of the match.")] = 200,
    nodes: Annotated[int, typer.Option(min=10, max=10_000_000, help="How much a move may look at.")] = 2000,
    seed: Annotated[int, typer.Option(help="The same seed plays the same games.")] = 1,
) -> None:
    """Fit the weights of GAME's evaluation to games of two and play the new ones against the old."""
    from rich.progress import Progress, TaskID

    from cupboard.arena.ratings import elo_interval
    from cupboard.cli.compile_progress import compile_progress
    from cupboard.cli.parameters import open_game

    chosen = open_game(game, 2, profile, option or ())
    with compile_progress("searching"):
        from cupboard.players.tune import tune as run
    with Progress(transient=True) as bar:
        words = {"play": "positions", "choose": "choice", "climb": "steps", "duel": "match"}
        tasks: dict[str, TaskID] = {}

        def tell(name: str, done: int, total: int) -> None:
            if name not in tasks:
                tasks[name] = bar.add_task(words[name])
            bar.update(tasks[name], completed=done, total=total)

        found = run(chosen, games, nodes, seed, tell)
    print(f"{found.positions} positions; {games} games of {nodes} nodes a move")
    for name, old, new in zip(found.names, found.old, found.new, strict=True):
        print(f"{name:>16} {old:6} -> {new:6}")
    print(f"WEIGHTS = {found.new}")
    elo = elo_interval([found.scores[n : n + 2] for n in range(0, games, 2)])
    score = f"{100 * sum(found.scores) / games:.1f} % of {games} games"
    print(f"new against old: {score}, {elo.value:+.0f} Elo, 95 % within {elo.low:+.0f} … {elo.high:+.0f}")
