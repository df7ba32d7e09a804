"""The seats of a game at the terminal: which are people, which are bots, and their names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cupboard.cli.language import told
from cupboard.core.errors import BadSeats
from cupboard.core.words import catalogue, either, phrase, quoted

if TYPE_CHECKING:
    from cupboard.core.game import Game, Seat
    from cupboard.players import Player

HUMAN = "human"


@dataclass(frozen=True)
class Seating:
    """For each seat: its kind, which is `human` or the name of a bot, and the player's name, which may be empty."""

    kinds: tuple[str, ...]
    names: tuple[str, ...]

    @property
    def humans(self) -> tuple[Seat, ...]:
        """The seats that people play."""
        return tuple(seat for seat, kind in enumerate(self.kinds) if kind == HUMAN)

    @property
    def called(self) -> tuple[str, ...]:
        """The label beside each seat's colour: a name, a bot, `you` if only one person plays, or nothing."""
        alone = len(self.humans) == 1
        return tuple(
            name or (_bot(kind) if kind != HUMAN else told(phrase("terminal.you")) if alone else "")
            for kind, name in zip(self.kinds, self.names, strict=True)
        )

    @property
    def recorded(self) -> tuple[str, ...]:
        """The name of each seat in a record: the player's name, or else its kind."""
        return tuple(name or kind for kind, name in zip(self.kinds, self.names, strict=True))

    def who(self, game: Game[Any], seat: Seat) -> str:
        """A seat as sentences name it, like `Red (Anna)`; `Chance` for seat -1."""
        if seat < 0:
            return told(phrase("terminal.chance"))
        called = self.called[seat]
        colour = told(game.seat_name(seat))
        return f"{colour} ({called})" if called else colour

    def bots(self, game: Game[Any], seed: int) -> dict[Seat, Player]:
        """A new bot for each seat that is not a person's."""
        from cupboard.players import make_player

        return {seat: make_player(kind, game, seed + seat) for seat, kind in enumerate(self.kinds) if kind != HUMAN}


def _bot(kind: str) -> str:
    """What people read for a bot: the name of its level in their language, or what it is.

    A bot that only programmers ask for is called by the word for it."""
    from cupboard.players import LEVELS

    if kind in LEVELS:
        return told(phrase(f"level.{kind}"))
    return told(phrase(f"bot.{kind}")) if f"bot.{kind}" in catalogue("en") else kind


def read_kinds(text: str) -> tuple[str, ...]:
    """The kinds of the seats from a text like `human,greedy`. Raises UnknownPlayer for any other word."""
    from cupboard.core.errors import UnknownPlayer
    from cupboard.players import PLAYERS

    kinds = tuple(word.strip().lower() for word in text.split(","))
    for kind in kinds:
        if kind not in (HUMAN, *PLAYERS):
            raise UnknownPlayer(phrase("terminal.noPlayer", name=quoted(kind[:40]), names=either(HUMAN, *PLAYERS)))
    return kinds


def usual_bot(game: Game[Any]) -> str:
    """The name of the bot that plays where none was chosen, and that gives hints: quick and not too strong."""
    from cupboard.players.levels import LEVELS
    from cupboard.players.needs import can_play

    return "greedy" if can_play("greedy", game) else LEVELS[-1]


def usual_kinds(game: Game[Any]) -> tuple[str, ...]:
    """The kinds of the seats if nothing was said: one person, and bots in the other seats."""
    return (HUMAN, *(usual_bot(game) for _ in range(game.seats - 1)))


def read_names(text: str, seats: int) -> tuple[str, ...]:
    """A name for each seat from a text like `Anna,Bo`; seats without one get an empty name."""
    names = [" ".join(name.split()) for name in text.split(",")] if text.strip() else []
    if len(names) > seats:
        raise BadSeats(phrase("terminal.manyNames", have=len(names), count=seats))
    return (*names, *("" for _ in range(seats - len(names))))
