"""Fillings as they cross the wire: what to put where, instead of a list of moves."""

from __future__ import annotations

from collections import Counter

from cupboard.core.filling import Filling
from cupboard.server.wire.messages import Arrange


def arrange(filling: Filling) -> Arrange:
    """A filling for the wire."""
    tints = {tint.name: tint.letter for tint in filling.suggestion}
    return Arrange(
        spots=filling.spots,
        supply=dict(Counter(tint.name for tint in filling.suggestion)),
        letters=tints,
        pattern=filling.pattern,
        suggestion=tuple(tint.name for tint in filling.suggestion),
        how=filling.how,
        done=filling.done,
        kind=filling.kind,
    )
