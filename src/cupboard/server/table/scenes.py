"""Scenes and legal moves, made ready for clients."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import msgspec

from cupboard.core.game import Move, Seat, Spot, View
from cupboard.core.scene import Scene
from cupboard.server.wire.server_messages import Choice

ENCODER = msgspec.json.Encoder()


def scene_of(view: View[Any], last: tuple[Seat, Move] | None) -> Scene:
    """The scene of a view, with the last move marked as far as the viewer may know it."""
    scene = view.scene()
    return scene if last is None else scene.after(last[1].seen_by(view.seat).spots())


@lru_cache(1 << 13)
def choice(move: Move) -> Choice:
    """The message that offers a legal move to a client."""
    return Choice(str(move), move.spots(), move.warning, _landings_between(move))


def _landings_between(move: Move) -> tuple[Spot, ...]:
    """The cells that a moved piece passes between the two spots of its move, as far as the spots do not say them."""
    spots, route = move.spots(), move.route()
    return route[1:-1] if len(spots) == 2 and len(route) > 2 and (route[0], route[-1]) == spots else ()


@lru_cache(1 << 13)
def encoded_choice(move: Move) -> msgspec.Raw:
    """The message that offers a legal move, as JSON. Positions share many moves, so the latest are kept encoded."""
    return msgspec.Raw(ENCODER.encode(choice(move)))
