"""How strong the asking client's person is, and how their games against bots went."""

from __future__ import annotations

from typing import Literal

from cupboard.core.words import Words
from cupboard.server.wire.base import Plain
from cupboard.server.wire.tables import TableInfo

LeftOut = Literal["", "helped", "short", "unknown"]
"""Why a game does not count: a hint or a move taken back, given up at once, or a bot whose strength nobody knows."""


class StrengthInfo(Plain, frozen=True):
    """A person's strength in one game with one number of seats, in Elo above the weakest level there."""

    game: str
    seats: int
    games: int
    """How many games it comes from; with none it says only where to begin."""
    elo: int
    low: int
    high: int
    """With 95 % the strength lies within `low` and `high`."""
    fits: str
    """The level that plays about as well, so that the person should beat it about half the time."""
    words: Words
    """What is said of it: "You play about like Hazel; Willow is next."""
    next: str = ""
    """The level above `fits`; empty when there is none."""


class StrengthPoint(Plain, frozen=True):
    """What was believed of a person after one game."""

    table: str
    at: int
    seats: int
    elo: int
    low: int
    high: int


class LevelTally(Plain, frozen=True):
    """How often a person has won and lost against a level; the level is empty where the bots differed."""

    level: str
    seats: int
    won: int
    drawn: int
    lost: int


class Progress(Plain, frozen=True):
    """The answer to GET /api/strength/{game}: a person's strength in a game, and how it came about."""

    strengths: tuple[StrengthInfo, ...]
    """One for each number of seats."""
    points: tuple[StrengthPoint, ...]
    """After each of the last games that count, the oldest first; at most 100 for each number of seats."""
    tallies: tuple[LevelTally, ...]
    """All games against bots, whether they count or not."""


class PlayedTable(Plain, frozen=True):
    """A table at which the asking client sat."""

    table: TableInfo
    left_out: LeftOut = ""
    """Why it does not count for the strength."""


class MineOf(Plain, frozen=True):
    """The answer to GET /api/mine/{game}: a page of the client's tables of one game, newest first."""

    tables: tuple[PlayedTable, ...]
    more: int = 0
    """What to send as `before` for the next page; 0 on the last one."""
