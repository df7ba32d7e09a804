"""cupboard games: the list of games."""

from __future__ import annotations

from cupboard.cli.parameters import Language


def games(language: Language = None) -> None:
    """List the games: how many play, how long it takes, and what it is about."""
    from cupboard.cli.language import speak, told
    from cupboard.cli.terminal import print_table
    from cupboard.core.registry import find, names
    from cupboard.core.words import phrase

    speak(language)
    rows = []
    for name in names():
        game = find(name)
        rows.append((name, _players(game.SEATS), f"{game.minutes}", told(game.blurb)))
    header = (phrase(f"terminal.column.{column}") for column in ("game", "players", "minutes", "about"))
    print_table(tuple(map(told, header)), rows, right=(2,))


def _players(seats: tuple[int, ...]) -> str:
    counts = sorted(seats)
    if len(counts) > 2 and counts == list(range(counts[0], counts[-1] + 1)):
        return f"{counts[0]}–{counts[-1]}"
    return ", ".join(map(str, counts))
