"""Moves at a table: what must hold before a client's or a bot's move reaches the log, and why a move is none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cupboard.core.errors import CupboardError, GameOver
from cupboard.core.game import Move, Seat, Spot
from cupboard.core.words import phrase
from cupboard.server.errors import NotStarted, Stale, TooLate
from cupboard.server.table.flags import call_flags
from cupboard.server.table.plan import Draft, settle

if TYPE_CHECKING:
    from cupboard.server.table.client import Client
    from cupboard.server.table.room import Room


async def move(room: Room, client: Client, seat: Seat | None, text: str, version: int) -> None:
    """Make a client's move, if its seat is to act and its time has not run out."""
    async with room.lock:
        seat = room.whose(client, seat)
        if seat in await call_flags(room):
            raise TooLate(phrase("no.late"))
        _check_playing(room)
        if version < room.state.since.get(seat, 0):  # it was chosen in another position
            raise Stale(phrase("no.stale"))
        await play(room, seat, text, client)


async def play(room: Room, seat: Seat, move: Move | str, by: Client | None = None, holder: str = "") -> None:
    """Make the move of a seat that may make it, and nature's after it. The caller holds the lock.

    This is where the legality of a move is checked, once, on its way to the log."""
    step = room.state.position.step(move, seat)
    drafts = [Draft.of(step)]
    settle(step.after, drafts)
    await room.append(drafts, by=by, holder=holder)


def why_not(room: Room, client: Client, seat: Seat | None, spots: tuple[Spot, ...]) -> CupboardError:
    """Why a seat of the client cannot move by pointing at `spots`, as far as that seat may know."""
    mover = room.whose(client, seat)
    _check_playing(room)
    return room.state.position.seen_by(mover).why_not(spots, mover)


def _check_playing(room: Room) -> None:
    """Raise GameOver or NotStarted when nobody can move here."""
    if room.state.outcome is not None:
        raise GameOver(phrase("turn.over"))
    if not room.state.started:
        raise NotStarted(phrase("no.seatFree"))
