"""cupboard shelf: choose a game from a list at the terminal and play it."""

from __future__ import annotations

from typing import Any

import typer


def shelf(ctx: typer.Context) -> None:
    """Choose a game here at the terminal and play it."""
    from cupboard.cli.terminal import ask, is_interactive, print_table, say

    if not is_interactive():
        print(ctx.get_help())
        return
    from cupboard.cli.play import begin_game
    from cupboard.core.errors import CupboardError
    from cupboard.core.registry import find, names

    say("Welcome to the cupboard. On the shelf there are:", style="bold")
    games = [find(name) for name in names()]
    print_table(
        ("", "game", "players", "minutes", "what it is about"),
        [
            (str(n), str(game.title), " ".join(map(str, sorted(game.SEATS))), str(game.minutes), str(game.blurb))
            for n, game in enumerate(games, start=1)
        ],
        right=(3,),
    )
    words = [str(n) for n in range(1, len(games) + 1)]
    while True:
        try:
            answer = ask(
                "\nWhich one? Its number or name, Enter to leave: ", lambda typed: _begin(typed, [*names(), *words])
            )
            if not answer or answer.lower() in ("q", "quit", "exit"):
                return
            game = games[words.index(answer)] if answer in words else find(answer)
            begin_game(game.name, _who_plays(game))
            return
        except CupboardError as error:
            say(str(error))
        except EOFError:
            return


def _who_plays(game: type[Any]) -> str:
    from cupboard.cli.seating import HUMAN, read_kinds, usual_kinds
    from cupboard.cli.terminal import ask, say
    from cupboard.core.errors import CupboardError
    from cupboard.players import PLAYERS

    usual = ",".join(usual_kinds(game()))
    say(f"Who plays? Write {HUMAN} or a bot ({', '.join(PLAYERS)}) for each seat, with commas between them.")
    while True:
        answer = ask(f"Enter alone means {usual}: ", lambda typed: _next_seat(typed, (HUMAN, *PLAYERS))) or usual
        try:
            game(len(read_kinds(answer)))
            return answer
        except CupboardError as error:
            say(str(error))


def _begin(typed: str, words: list[str]) -> list[str]:
    return [word for word in words if word.startswith(typed.lower())]


def _next_seat(typed: str, words: tuple[str, ...]) -> list[str]:
    before, comma, last = typed.rpartition(",")
    return [f"{before}{comma}{word}" for word in words if word.startswith(last.strip().lower())]
