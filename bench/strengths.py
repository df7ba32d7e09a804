"""The bench's scale: one number for how strong an alpha-beta player is, so that `ladder.py` can move levels along it.

From 0 to 1 a person who looks further and errs less, from 1 to 2 one without faults, from 2 to 3 one who also counts
out the end, above 3 the search itself, which remembers what it has seen. To be in doubt one must know how good the
other moves are, too, and that costs depth: in some games 1.5 is stronger than 0.9. Some whim at first, or the same game
would be played again and again.

The games' `levels.py` have the settings that such numbers stand for, not the numbers.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from cupboard.core.ladder import FullSearch, Seated, Skill

LEAST, MOST, BEST = 100, 300_000, 400_000
"""How many positions the weakest of each kind looks at, the best of each kind, and the best of all."""
WHIM, NO_MORE_WHIMS = 0.04, 2.7


def player_at(strength: float, most: int = MOST) -> Skill | FullSearch:
    """Somebody of this strength; the best of each kind looks at `most` positions."""
    kind = max(0, math.ceil(strength) - 1)
    faults = max(0.0, 1 - strength)
    nodes = round(LEAST * (most / LEAST) ** (strength - kind))
    if kind > 2:
        return FullSearch(nodes)
    return Skill(
        nodes,
        doubt=round(1.5 * faults**2, 7),
        overlook=round(0.5 * faults**2, 7),
        blind=round(0.4 * faults**2, 7),
        whim=WHIM if strength < NO_MORE_WHIMS else 0.0,
        hunch=round(0.9 * faults, 7),
        counts=kind == 2,
    )


def strength_of(player: Skill | FullSearch, most: int = MOST) -> float:
    """The strength that `player_at` makes this player of, to three digits."""
    if isinstance(player, Skill) and player.doubt:
        return round(1 - math.sqrt(player.doubt / 1.5), 3)
    kind = 3 if isinstance(player, FullSearch) else 2 if player.counts else 1
    return round(kind + math.log(player.nodes / LEAST) / math.log(most / LEAST), 3)


def read_ladder(players: Iterable[Seated]) -> tuple[list[float], int]:
    """The strengths of a ladder but for its last rung, which is the best there is, and the `most` that it goes with."""
    *below, best = players
    assert isinstance(best, FullSearch)
    most = min(best.nodes, MOST)
    return [strength_of(one, most) for one in below if isinstance(one, Skill | FullSearch)], most


def best_of(most: int) -> FullSearch:
    """The last rung of a ladder whose kinds look at `most` positions."""
    return FullSearch(BEST if most == MOST else most)
