"""A teacher ends a game of the class and says who has won."""

from __future__ import annotations

from cupboard.core.errors import GameOver
from cupboard.core.game import Seat
from cupboard.core.words import phrase
from cupboard.server.errors import NotStarted
from cupboard.server.table.flags import call_flags
from cupboard.server.table.plan import Draft
from cupboard.server.table.room import Room
from cupboard.server.table.state import DECIDED


async def decide(room: Room, winner: Seat | None) -> None:
    """End the game for two of this table: lost for a seat, or without one a draw. GameOver when it is over."""
    async with room.lock:
        await call_flags(room)
        if room.state.outcome is not None:
            raise GameOver(phrase("turn.over"))
        if not room.state.started:
            raise NotStarted(phrase("no.begun"))
        await room.append([Draft("end", winner, DECIDED)])
