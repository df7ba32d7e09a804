"""cupboard play: a game at the terminal, against bots or with others at the same keyboard."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from random import SystemRandom
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cupboard.cli.parameters import Language, Options, Profile, complete_game

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cupboard.cli.autosave import Autosave
    from cupboard.cli.seating import Seating
    from cupboard.core.game import Game
    from cupboard.core.match import Match
    from cupboard.core.record import Record


def play(
    game: Annotated[
        str | None,
        typer.Argument(metavar="GAME", help="A game, as [b]cupboard games[/b] lists it.", autocompletion=complete_game),
    ] = None,
    seats: Annotated[
        str | None,
        typer.Option(metavar="WHO,WHO", help="For each seat: human, or a bot such as greedy."),
    ] = None,
    names: Annotated[str, typer.Option(metavar="NAME,NAME", help="What the seats are called.")] = "",
    profile: Profile = None,
    option: Options = None,
    seed: Annotated[int | None, typer.Option(metavar="N", help="Makes chance and bots repeat themselves.")] = None,
    save: Annotated[
        str | None, typer.Option(metavar="FILE", help="Keep the game here after every move (.json: as JSON).")
    ] = None,
    resume: Annotated[str | None, typer.Option(metavar="FILE", help="Go on with a kept game.")] = None,
    language: Language = None,
) -> None:
    """Play a game here: against bots, or with others at the same keyboard.

    Without --save the game is kept in your own data folder.

    While playing, `help` lists what else can be written: moves, hint, undo …
    """
    from cupboard.cli.language import speak

    speak(language)
    if resume is not None:
        resume_game(resume, game, seats, names, profile, option or (), save, seed)
    elif game is None:
        raise typer.BadParameter("Which game? `cupboard games` lists them.", param_hint="GAME")
    else:
        begin_game(game, seats, names, profile, option or (), save, seed)


def begin_game(
    name: str,
    seats: str | None = None,
    names: str = "",
    profile: str | None = None,
    options: Iterable[str] = (),
    save: str | None = None,
    seed: int | None = None,
) -> None:
    """Play a new game of the kind `name`, saved after every move."""
    from cupboard.cli.autosave import Autosave, new_file
    from cupboard.cli.compile_progress import load_kernel
    from cupboard.cli.parameters import read_options
    from cupboard.cli.seating import Seating, read_kinds, read_names, usual_kinds
    from cupboard.core.match import Match
    from cupboard.core.registry import find, load_with

    kinds = read_kinds(seats) if seats is not None else usual_kinds(find(name)())
    game = load_with(name, len(kinds), read_options(profile, options))
    seating = Seating(kinds, read_names(names, len(kinds)))
    autosave = Autosave(new_file(save), _tags(kinds)) if save is not None else _usual_autosave(game, seating)
    load_kernel(game)
    _sit_down(Match(game, seating.recorded), seating, autosave, seed)


def resume_game(
    file: str,
    name: str | None = None,
    seats: str | None = None,
    names: str = "",
    profile: str | None = None,
    options: Iterable[str] = (),
    save: str | None = None,
    seed: int | None = None,
) -> None:
    """Continue the saved game in `file`. Raises BadOption if it is over or the options do not fit it."""
    from cupboard.cli.autosave import Autosave, new_file
    from cupboard.cli.compile_progress import load_kernel
    from cupboard.cli.files import read_record
    from cupboard.cli.language import told
    from cupboard.cli.terminal import say
    from cupboard.core.errors import BadOption
    from cupboard.core.registry import find
    from cupboard.core.words import phrase, quoted

    record = read_record(file)
    game = record.game
    if name is not None and find(name) is not type(game):
        raise BadOption(phrase("terminal.otherGame", name=quoted(file), game=game.title, other=find(name).title))
    if profile is not None or tuple(options):
        raise BadOption(phrase("terminal.keptRules"))
    seating = _seating_of(record, seats, names)
    load_kernel(game)
    match = record.replay()
    if match.position.is_over:
        raise BadOption(phrase("terminal.isOver", file=file))
    match.names = seating.recorded
    tags = {tag: value for tag, value in record.tags.items() if len(tag) > 1} | {"Players": ",".join(seating.kinds)}
    autosave = Autosave(new_file(save) if save is not None else Path(file), tags, record.moves, is_saved=save is None)
    say(told(phrase("terminal.resumed", game=game.title, count=len(match.log))))
    _sit_down(match, seating, autosave, seed)


def _seating_of(record: Record, seats: str | None, names: str) -> Seating:
    from cupboard.cli.seating import Seating, read_kinds, read_names, usual_kinds
    from cupboard.core.errors import BadSeats
    from cupboard.core.game import letter
    from cupboard.core.words import phrase, quoted

    count = record.game.seats
    given = seats if seats is not None else record.tags.get("Players")
    kinds = read_kinds(given) if given is not None else usual_kinds(record.game)
    if len(kinds) != count:
        raise BadSeats(phrase("terminal.otherSeats", count=count, text=quoted(given or ""), have=len(kinds)))
    known = [record.tags.get(letter(seat), "") for seat in range(count)]
    before = tuple("" if name in ("human", kind) else name for name, kind in zip(known, kinds, strict=True))
    return Seating(kinds, read_names(names, count) if names else before)


def _tags(kinds: tuple[str, ...]) -> dict[str, str]:
    return {"Date": date.today().isoformat(), "Players": ",".join(kinds)}


def _usual_autosave(game: Game[Any], seating: Seating) -> Autosave | None:
    from cupboard.cli.autosave import Autosave, usual_file
    from cupboard.cli.files import FileTrouble
    from cupboard.cli.terminal import say

    if not seating.humans:
        return None
    try:
        return Autosave(usual_file(game.name), _tags(seating.kinds))
    except FileTrouble as error:
        say(str(error))
        return None


def _sit_down(match: Match, seating: Seating, autosave: Autosave | None, seed: int | None) -> None:
    from cupboard.cli.terminal_game import TerminalGame

    TerminalGame(match, seating, autosave, SystemRandom().getrandbits(32) if seed is None else seed).play()
