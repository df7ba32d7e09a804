"""One client's end of a table: what it holds, what it has been sent, and how to send it more."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from cupboard.core.game import Seat
from cupboard.server.people import now
from cupboard.server.viewing import ENCODER
from cupboard.server.wire import ServerMessage

if TYPE_CHECKING:
    from cupboard.server.room import Room

Send = Callable[[bytes], Awaitable[None]]


class Client:
    """A socket that has said hello. A slow one skips updates and gets the events with a later one."""

    __slots__ = ("_ack", "_behind", "_look", "_send", "_sending", "board", "seats", "version")

    def __init__(self, send: Send, seats: frozenset[Seat], version: int) -> None:
        self._send = send
        self.seats = seats
        self.version = version
        """How many events it has."""
        self.board: bytes | None = None
        self._sending = False
        self._behind = False
        self._ack: int | None = None
        self._look: tuple[Seat, int] | None = None

    def look(self, seat: Seat, changed: int) -> None:
        """See the table from this seat until the position changes."""
        self._look = seat, changed

    def eye(self, room: Room) -> Seat | None:
        """Whose eyes it sees with: the chosen seat, the seat that is asked, or its first."""
        if not self.seats:
            return None
        if len(self.seats) == 1:
            return next(iter(self.seats))
        fold = room.fold
        if self._look is not None and self._look[1] == fold.changed and self._look[0] in self.seats:
            return self._look[0]
        return min(self.seats, key=lambda seat: (seat not in fold.asked, seat))

    async def push(self, room: Room, ack: int | None = None, force: bool = False) -> None:
        """Bring the client up to date; `force` sends the same again, for who looks from another side."""
        if self._sending:
            self._behind = True
            self._ack = ack if ack is not None else self._ack
            return
        if self.version >= room.fold.version and ack is None and not force:
            return
        self._sending = True
        try:
            while True:
                self._behind = False
                data, self.board = room.eyes.update(self.version, self.seats, self.eye(room), self.board, now(), ack)
                self.version = room.fold.version
                await self._send(data)
                if not self._behind:
                    return
                ack, self._ack = self._ack, None
        except OSError:
            pass  # it has gone; its reader will notice
        finally:
            self._sending = False

    async def tell(self, message: ServerMessage) -> None:
        """Send something else."""
        with suppress(OSError):
            await self._send(ENCODER.encode(message))
