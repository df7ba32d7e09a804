"""The rulebook: what belongs to a game's numbered rules beside their text, as data in the game's folder (rules.json).

For each number a board on which the rule can be seen and tried, and the keys of the sentences that it explains: what is
refused, what is warned of, how a game ends. The text stands in README.md (core/rule_pages.py).
core/testing_rulebook.py holds every file to the rules of its game.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec
from msgspec import Struct

from cupboard.core.game import Game
from cupboard.core.lessons import LessonMark
from cupboard.core.move import Move, Seat, Spot
from cupboard.core.position import Position
from cupboard.core.words import Value, Words


class RuleBoard(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A moment of the game in which a rule can be seen and tried."""

    seats: int | None = None
    options: dict[str, bool | int | str] = {}
    position: str = ""
    """The line that `Game.read` takes; empty: the start of a game."""
    moves: tuple[str, ...] = ()
    """Moves from there to what is shown."""
    seat: Seat | None = None
    """From which seat it is seen; None: from the seat that is to act, or the first."""
    marks: tuple[LessonMark, ...] = ()
    """Places that matter: `hint` for what may be tried."""

    def hinted(self) -> tuple[Spot, ...]:
        """The places that may be tried."""
        return tuple(mark.spot for mark in self.marks if mark.kind == "hint")

    def shown(self, kind: type[Game[Any]]) -> tuple[Position[Any], tuple[Seat, Move] | None]:
        """The position that is shown, and the last of the moves that led to it."""
        game = kind(self.seats, **self.options)
        position: Position[Any] = game.read(self.position) if self.position else game.start()
        last = None
        for text in self.moves:
            step = position.step(text)
            position, last = step.after, (step.seat, step.move)
        return position, last

    def looks_from(self, position: Position[Any]) -> Seat:
        """The seat from which the position is seen."""
        if self.seat is not None:
            return self.seat
        return next((seat for seat in position.to_act if seat >= 0), 0)


class RuleEntry(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What belongs to one number: a board, or why there is nothing to see, and the sentences that it explains."""

    board: RuleBoard | None = None
    unseen: str = ""
    """Why no board shows the rule; for those who write the file."""
    says: tuple[str, ...] = ()
    """Keys of the catalogues."""


class Rulebook(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What belongs to the rules of a game, by their numbers in reading order."""

    rules: dict[str, RuleEntry] = {}
    unexplained: dict[str, str] = {}
    """Refusals and endings that no rule explains, each with the reason: notation, say."""

    def numbers_by_key(self) -> dict[str, str]:
        """For each key of a sentence the number of the rule that explains it."""
        return {key: number for number, entry in self.rules.items() for key in entry.says}


@cache
def rulebook_of(kind: type[Game[Any]]) -> Rulebook:
    """The rulebook of a game; an empty one if its folder has no rules.json."""
    file = files(kind._package()) / "rules.json"
    return msgspec.json.decode(file.read_bytes(), type=Rulebook) if file.is_file() else Rulebook()


def numbers_in(words: Value, numbers: Mapping[str, str]) -> list[str]:
    """The numbers of the rules that explain a sentence or the sentences in it, each once."""
    if not isinstance(words, Words):
        return []
    inner = words.values.values() if isinstance(words.values, dict) else words.values
    found = [numbers[words.key]] if words.key in numbers else []
    return list(dict.fromkeys([*found, *(number for value in inner for number in numbers_in(value, numbers))]))
