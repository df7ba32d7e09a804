"""One client's end of a table: what it holds, what it has been sent, and how to send it more."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Protocol

from cupboard.core.game import Seat
from cupboard.server.scenes import ENCODER
from cupboard.server.viewing import Parts
from cupboard.server.wire import ServerMessage

if TYPE_CHECKING:
    from cupboard.server.room import Room


SESSION_ENDED = 4003
"""The close code of a socket whose session has ended."""
_NUMBERS = count()


class Writer(Protocol):
    """What a client needs of its connection."""

    is_full: bool

    def write(self, data: bytes) -> None:
        """Send a message."""

    def close(self, code: int, reason: str) -> None:
        """End the connection and say why."""


class Client:
    """A socket that has said hello. A slow one skips updates and gets the events with a later one."""

    __slots__ = (
        "_ack", "_behind", "_line", "_look", "_seats_changed", "number", "parts", "seats", "session", "version",
    )  # fmt: skip

    def __init__(self, line: Writer, seats: frozenset[Seat], version: int, session: str = "") -> None:
        self._line = line
        self.number = next(_NUMBERS)
        """Newer clients have higher numbers."""
        self.seats = seats
        self.session = session
        """The digest of the cookie that came with it."""
        self.version = version
        """How many events it has."""
        self.parts: Parts | None = None
        """The parts of the scene it was sent last."""
        self._behind = False
        self._seats_changed = False
        self._ack: int | None = None
        self._look: tuple[Seat, int] | None = None

    def show_out(self) -> None:
        """Its session has ended: hang up. Whoever comes back is asked anew who they are."""
        self._line.close(SESSION_ENDED, "the session has ended")

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

    def push(self, room: Room, ack: int | None = None, force: bool = False) -> None:
        """Bring the client up to date; `force` sends an update without news too, for a client that switches seats."""
        if self._line.is_full:
            self._behind = True
            self._ack = ack if ack is not None else self._ack
            return
        if self.version < room.fold.version or ack is not None or force:
            data, self.parts = room.eyes.update(self.version, self.seats, self.eye(room), self.parts, room.now(), ack)
            self.version = room.fold.version
            self._line.write(data)

    def tell(self, message: ServerMessage) -> None:
        """Send something else."""
        self._line.write(ENCODER.encode(message))

    def close(self, code: int, reason: str) -> None:
        """End the connection and say why."""
        self._line.close(code, reason)

    def tell_seats(self, message: bytes) -> None:
        """Somebody sat down, came or went; the message is the room's."""
        self._seats_changed = self._line.is_full
        if not self._line.is_full:
            self._line.write(message)

    def drained(self, room: Room) -> None:
        """The client has read what it was sent: now for what it missed."""
        if self._seats_changed:
            self.tell_seats(room.seats_message())
        if self._behind:
            self._behind = False
            ack, self._ack = self._ack, None
            self.push(room, ack, force=True)
