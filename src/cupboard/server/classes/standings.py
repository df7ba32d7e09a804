"""The standings of a tournament: points, games won, drawn and lost, and Buchholz. Pure functions of what was played."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from cupboard.server.classes.pairing import Played, Player


class Standing(NamedTuple):
    """How one player stands."""

    player: Player
    rank: int
    """From 1; those who are level share one."""
    halves: int
    """The points, counted in halves."""
    played: int
    """Games against somebody that are over; sitting out is none."""
    won: int
    drawn: int
    lost: int
    byes: int
    """How often the player has sat out or played a bot."""
    buchholz: int
    """The half points of all opponents together."""


def standings(players: Sequence[Player], played: Iterable[Played]) -> list[Standing]:
    """The players by points, then by Buchholz, then by games won; those who are level in the order given.

    Whoever sits out adds their own points to their Buchholz, as if they had met somebody exactly as good."""
    games: dict[Player, list[tuple[Player | None, int, bool]]] = {player: [] for player in players}
    for game in played:
        if game.score is None:
            continue
        sat_out = game.score in ("bye", "pause")
        games.setdefault(game.first, []).append((game.second, game.halves[0], sat_out))
        if game.second is not None:
            games.setdefault(game.second, []).append((game.first, game.halves[1], sat_out))
    halves = {player: sum(half for _, half, _ in row) for player, row in games.items()}
    rows = []
    for player in players:
        own = games[player]
        real = [half for _, half, sat_out in own if not sat_out]
        rows.append(
            Standing(
                player,
                0,
                halves[player],
                len(real),
                real.count(2),
                real.count(1),
                real.count(0),
                sum(other is None for other, _, _ in own),
                sum(halves[player if other is None else other] for other, _, _ in own),
            )
        )
    rows.sort(key=_order)
    ranked: list[Standing] = []
    for n, row in enumerate(rows):
        is_level = n > 0 and _order(rows[n - 1]) == _order(row)
        ranked.append(row._replace(rank=ranked[-1].rank if is_level else n + 1))
    return ranked


def _order(row: Standing) -> tuple[int, int, int]:
    return -row.halves, -row.buchholz, -row.won
