"""Arguments that several verbs share, with the words --help says about them."""

from __future__ import annotations

from typing import Annotated

import typer


def _games(incomplete: str) -> list[str]:
    from cupboard.core.registry import names

    return [name for name in names() if name.startswith(incomplete)]


GameName = Annotated[
    str,
    typer.Argument(
        metavar="GAME", help="A game, as [b]cupboard games[/b] lists it.", autocompletion=_games, show_default=False
    ),
]
Seats = Annotated[
    int | None, typer.Option("--seats", metavar="N", help="How many play; the game's usual number if not said.")
]
Profile = Annotated[str | None, typer.Option("--profile", metavar="P", help="A named set of rules, such as tactic-se.")]
Options = Annotated[
    list[str] | None,
    typer.Option("--option", metavar="NAME=VALUE", help="One rule chosen; may be repeated. See the game's rules."),
]
