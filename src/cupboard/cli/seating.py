"""Who sits where: people and bots, and what they are called."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cupboard.core.errors import BadSeats

if TYPE_CHECKING:
    from cupboard.core.game import Game, Seat
    from cupboard.players import Player

HUMAN = "human"


@dataclass(frozen=True)
class Seating:
    """`human` or a bot's name for each seat, and a name for those that have one."""

    kinds: tuple[str, ...]
    names: tuple[str, ...]

    @property
    def humans(self) -> tuple[Seat, ...]:
        """The seats of people."""
        return tuple(seat for seat, kind in enumerate(self.kinds) if kind == HUMAN)

    @property
    def called(self) -> tuple[str, ...]:
        """What stands beside each seat's colour."""
        alone = len(self.humans) == 1
        return tuple(
            name or ("you" if kind == HUMAN and alone else "" if kind == HUMAN else kind)
            for kind, name in zip(self.kinds, self.names, strict=True)
        )

    @property
    def recorded(self) -> tuple[str, ...]:
        """What a record calls each seat."""
        return tuple(name or kind for kind, name in zip(self.kinds, self.names, strict=True))

    def who(self, game: Game[Any], seat: Seat) -> str:
        """A seat in a sentence: `Red (Anna)`."""
        if seat < 0:
            return "Chance"
        called = self.called[seat]
        return f"{game.seat_name(seat)} ({called})" if called else str(game.seat_name(seat))

    def bots(self, game: Game[Any], seed: int) -> dict[Seat, Player]:
        """The bots, each in its seat."""
        from cupboard.players import make_player

        return {seat: make_player(kind, game, seed + seat) for seat, kind in enumerate(self.kinds) if kind != HUMAN}


def read_kinds(text: str) -> tuple[str, ...]:
    """`human,greedy` as the kinds of the seats; UnknownPlayer for who cannot sit there."""
    from cupboard.core.errors import UnknownPlayer
    from cupboard.core.options import one_of
    from cupboard.players import PLAYERS

    kinds = tuple(word.strip().lower() for word in text.split(","))
    for kind in kinds:
        if kind not in (HUMAN, *PLAYERS):
            raise UnknownPlayer(
                f"{kind[:40]!r} cannot sit at the table: write {one_of((HUMAN, *PLAYERS))} for each seat."
            )
    return kinds


def usual_bot(game: Game[Any]) -> str:
    """Whom one plays when one does not choose, and who gives hints: quick and not too strong."""
    from cupboard.players.levels import LEVELS
    from cupboard.players.needs import can_play

    return "greedy" if can_play("greedy", game) else LEVELS[-1]


def usual_kinds(game: Game[Any]) -> tuple[str, ...]:
    """One person, and bots on the other seats."""
    return (HUMAN, *(usual_bot(game) for _ in range(game.seats - 1)))


def read_names(text: str, seats: int) -> tuple[str, ...]:
    """`Anna,Bo` as one name for each seat; those left out have none."""
    names = [" ".join(name.split()) for name in text.split(",")] if text.strip() else []
    if len(names) > seats:
        raise BadSeats(f"There are {len(names)} names for {seats} seats.")
    return (*names, *("" for _ in range(seats - len(names))))
