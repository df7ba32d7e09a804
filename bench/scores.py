"""Scores of a match as the bench prints them: the share of the points and the Elo difference, with 95 % intervals."""

from __future__ import annotations

from collections.abc import Sequence

from cupboard.arena.ratings import elo_interval, score_interval

__all__ = ["share_and_elo", "share_of_points"]


def share_of_points(sets: Sequence[Sequence[float]]) -> str:
    """The mean score of a player, like `85.0 % (70.9 to 92.9)`; scores of games that share their luck are one set."""
    share = score_interval(sets)
    return f"{100 * share.value:.1f} % ({100 * share.low:.1f} to {100 * share.high:.1f})"


def share_and_elo(sets: Sequence[Sequence[float]], seats: int) -> str:
    """The mean score of a player, and how far above each of its opponents it is in Elo."""
    elo = elo_interval(sets, seats)
    return f"{share_of_points(sets)}, {elo.value:+.0f} Elo ({elo.low:+.0f} to {elo.high:+.0f})"
