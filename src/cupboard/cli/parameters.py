"""Arguments and options that several verbs share: their declarations for Typer, and what their text means."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from cupboard.core.game import Game, Seat


def complete_game(incomplete: str) -> list[str]:
    """The names of games that begin with `incomplete`, for completion in a shell."""
    from cupboard.core.registry import names

    return [name for name in names() if name.startswith(incomplete)]


GameName = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        help="A game, as [b]cupboard games[/b] lists it.",
        autocompletion=complete_game,
        show_default=False,
    ),
]
Language = Annotated[
    str | None,
    typer.Option("--language", metavar="L", help="The language, such as de; your terminal's if not said."),
]
Seats = Annotated[
    int | None, typer.Option("--seats", metavar="N", help="How many play; the game's usual number if not said.")
]
Profile = Annotated[str | None, typer.Option("--profile", metavar="P", help="A named set of rules, such as tactic-se.")]
Options = Annotated[
    list[str] | None,
    typer.Option("--option", metavar="NAME=VALUE", help="One rule chosen; may be repeated. See the game's rules."),
]


def open_game(
    name: str, seats: int | None = None, profile: str | None = None, options: Iterable[str] = ()
) -> Game[Any]:
    """The game with its options, and its kernel loaded, which prints progress if it must be compiled."""
    from cupboard.cli.compile_progress import load_kernel
    from cupboard.core.registry import load_with

    game = load_with(name, seats, read_options(profile, options))
    load_kernel(game)
    return game


def read_options(profile: str | None, options: Iterable[str]) -> dict[str, str]:
    """The options from words like `name=value`, and the profile as one of them. The game checks the values."""
    given = {}
    for word in options:
        option, equals, value = word.partition("=")
        if not equals or not option.strip():
            raise typer.BadParameter(f"{word!r} is not written name=value.", param_hint="--option")
        given[option.strip().replace("-", "_")] = value.strip()
    return given | ({"profile": profile} if profile is not None else {})


def read_seat(game: Game[Any], text: str) -> Seat:
    """The seat that a letter (A) or a colour (red) names. Raises BadOption if there is none."""
    from cupboard.core.errors import BadOption
    from cupboard.core.game import letter
    from cupboard.core.words import either, phrase, quoted

    for seat in range(game.seats):
        if text.strip().lower() in (letter(seat).lower(), str(game.seat_name(seat)).lower()):
            return seat
    words = either(
        *(phrase("terminal.seat", letter=letter(seat), who=game.seat_name(seat)) for seat in range(game.seats))
    )
    raise BadOption(phrase("terminal.noSeat", text=quoted(text[:20]), seats=words))
