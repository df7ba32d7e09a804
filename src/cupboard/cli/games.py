"""cupboard games: the list of games."""

from __future__ import annotations


def games() -> None:
    """List the games: how many play, how long it takes, and what it is about."""
    from cupboard.cli.terminal import print_table
    from cupboard.core.registry import find, names

    rows = []
    for name in names():
        game = find(name)
        rows.append((name, _players(game.SEATS), f"{game.minutes}", str(game.blurb)))
    print_table(("game", "players", "minutes", "what it is about"), rows, right=(2,))


def _players(seats: tuple[int, ...]) -> str:
    counts = sorted(seats)
    if len(counts) > 2 and counts == list(range(counts[0], counts[-1] + 1)):
        return f"{counts[0]}–{counts[-1]}"
    return ", ".join(map(str, counts))
