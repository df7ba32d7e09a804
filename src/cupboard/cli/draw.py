"""cupboard draw: a position as an SVG or PNG picture."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from cupboard.cli.parameters import Options, Profile, Seats, complete_game

if TYPE_CHECKING:
    from cupboard.core.scene import Scene

_SUFFIXES = (".svg", ".png")


def draw(
    what: Annotated[
        str,
        typer.Argument(metavar="FILE|POSITION", help="A record (- is the standard input), or a position in one line."),
    ],
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE", help="A .svg or .png file; without it SVG is printed."),
    ] = None,
    game: Annotated[
        str | None, typer.Option(metavar="GAME", help="Whose position it is.", autocompletion=complete_game)
    ] = None,
    seats: Seats = None,
    profile: Profile = None,
    option: Options = None,
    at: Annotated[
        int | None, typer.Option(metavar="N", min=0, help="After N moves of the record; all of them if not said.")
    ] = None,
    seat: Annotated[str | None, typer.Option(metavar="S", help="What this seat sees: a letter or a colour.")] = None,
    truth: Annotated[bool, typer.Option("--truth", metavar=" ", help="Everything, secrets too.")] = False,
    theme: Annotated[str, typer.Option(metavar="light|dark", help="The colours of the room.")] = "light",
) -> None:
    """Draw a position as SVG or PNG, as a spectator sees it.

    [dim]cupboard draw evening.game -o end.png[/dim]

    [dim]cupboard draw "POSITION" --game jumping-cups -o start.svg[/dim]
    """
    from cupboard.cli.files import is_file, write_whole
    from cupboard.core.errors import BadOption
    from cupboard.core.svg import THEMES, png, svg

    if theme not in THEMES:
        raise BadOption(f"There is no theme {theme[:20]!r}: it is {' or '.join(THEMES)}.")
    if output is not None and output.suffix.lower() not in _SUFFIXES:
        raise BadOption(f"A picture is a {' or '.join(_SUFFIXES)} file, and '{output}' is neither.")
    if truth and seat is not None:
        raise BadOption("--seat shows what one seat sees, --truth everything: choose one.")
    if is_file(what):
        scene = _of_record(what, game, at, seat, truth)
    elif game is not None:
        scene = _of_position(what, game, seats, profile, option or [], seat, truth)
    else:
        raise BadOption(f"There is no file {what[:60]!r}. To draw a position, say whose it is: --game GAME.")
    colours: Literal["light", "dark"] = "dark" if theme == "dark" else "light"
    if output is None:
        print(svg(scene, colours))
        return
    write_whole(output, png(scene, colours) if output.suffix.lower() == ".png" else svg(scene, colours) + "\n")
    print(output)


def _of_record(file: str, game: str | None, at: int | None, seat: str | None, truth: bool) -> Scene:
    from cupboard.cli.compile_progress import load_kernel
    from cupboard.cli.files import read_record
    from cupboard.cli.parameters import read_seat
    from cupboard.cli.replay import check_count
    from cupboard.cli.terminal_board import scene_of, with_names
    from cupboard.core.errors import BadOption
    from cupboard.core.registry import find

    record = read_record(file)
    if game is not None and find(game) is not type(record.game):
        raise BadOption(f"{file!r} holds a game of {record.game.title}, not of {find(game).title}.")
    viewer = None if seat is None else read_seat(record.game, seat)
    load_kernel(record.game)
    match = record.replay()
    if at is not None:
        check_count(match, at)
    return with_names(scene_of(match, viewer, at, truth), match.names)


def _of_position(
    text: str, name: str, seats: int | None, profile: str | None, options: list[str], seat: str | None, truth: bool
) -> Scene:
    from cupboard.cli.parameters import open_game, read_seat

    game = open_game(name, seats, profile, options)
    position = game.read(text)
    state: Any = position if truth else position.seen_by(None if seat is None else read_seat(game, seat))
    scene: Scene = state.scene()
    return scene
