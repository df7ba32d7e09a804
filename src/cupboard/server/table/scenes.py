"""Scenes and moves on their way to a client: what a view shows, and legal moves as JSON."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import msgspec

from cupboard.core.game import Move, Seat, View
from cupboard.core.scene import Scene
from cupboard.server.wire.server_messages import Choice

ENCODER = msgspec.json.Encoder()


def scene_of(view: View[Any], last: tuple[Seat, Move] | None) -> Scene:
    """What the view shows, with the last move marked as far as the viewer may know it."""
    scene = view.scene()
    return scene if last is None else scene.after(last[1].seen_by(view.seat).spots())


@lru_cache(1 << 13)
def choice(move: Move) -> Choice:
    """A legal move for the wire."""
    return Choice(str(move), move.spots(), move.warning)


@lru_cache(1 << 13)
def encoded_choice(move: Move) -> msgspec.Raw:
    """A legal move for the wire, as JSON."""
    return msgspec.Raw(ENCODER.encode(choice(move)))
