"""A client at a table: the seats it holds, the updates it has been sent, and its connection."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Protocol

from cupboard.core.game import Seat
from cupboard.server.table.scenes import ENCODER
from cupboard.server.table.updates import Parts
from cupboard.server.wire.server_messages import ServerMessage

if TYPE_CHECKING:
    from cupboard.server.people.people import Person
    from cupboard.server.table.room import Room


SESSION_ENDED = 4003
"""The close code of a socket whose session has ended."""
TABLE_CLOSED = 4004
"""The close code of a table that the house has closed; coming back at once shows no more than was sent."""
_NUMBERS = count()


class Writer(Protocol):
    """The part of a connection that a client uses."""

    is_full: bool

    def write(self, data: bytes) -> None:
        """Send a message, given as JSON in UTF-8."""

    def close(self, code: int, reason: str) -> None:
        """End the connection and say why."""


class Client:
    """A socket that has said hello. A slow one skips updates and gets the events with a later one."""

    __slots__ = (
        "_ack", "_behind", "_connection", "_look", "_seats_changed",
        "number", "parts", "person", "seats", "session", "version",
    )  # fmt: skip

    def __init__(
        self,
        connection: Writer,
        seats: frozenset[Seat],
        version: int,
        session: str = "",
        person: Person | None = None,
    ) -> None:
        self._connection = connection
        self.number = next(_NUMBERS)
        """A number that grows from client to client, to tell which is older."""
        self.seats = seats
        self.session = session
        """The digest of the cookie that came with it."""
        self.person = person
        """Whose cookie that was; None when it came without one."""
        self.version = version
        """How many events of the log it was sent."""
        self.parts: Parts | None = None
        """The parts of the scene it was sent last."""
        self._behind = False
        self._seats_changed = False
        self._ack: int | None = None
        self._look: tuple[Seat, int] | None = None

    def end_session(self) -> None:
        """Close the connection because its session has ended; the page connects again without it."""
        self._connection.close(SESSION_ENDED, "the session has ended")

    def look(self, seat: Seat, changed: int) -> None:
        """Show the table from this seat until the position changes."""
        self._look = seat, changed

    def viewer(self, room: Room) -> Seat | None:
        """The seat whose view it is shown: the chosen one, else one that is to act, else its first."""
        if not self.seats:
            return None
        if len(self.seats) == 1:
            return next(iter(self.seats))
        state = room.state
        if self._look is not None and self._look[1] == state.changed and self._look[0] in self.seats:
            return self._look[0]
        return min(self.seats, key=lambda seat: (seat not in state.asked, seat))

    def push(self, room: Room, ack: int | None = None, force: bool = False) -> None:
        """Send what is new since the last update; `force` sends one anyway, for a client that switches seats."""
        if self._connection.is_full:
            self._behind = True
            self._ack = ack if ack is not None else self._ack
            return
        if self.version < room.state.version or ack is not None or force:
            data, self.parts = room.updates.update(
                self.version, self.seats, self.viewer(room), self.parts, room.now(), ack
            )
            self.version = room.state.version
            self._connection.write(data)

    def tell(self, message: ServerMessage) -> None:
        """Send a message that is not an update."""
        self._connection.write(ENCODER.encode(message))

    def close(self, code: int, reason: str) -> None:
        """End the connection and say why."""
        self._connection.close(code, reason)

    def tell_seats(self, message: bytes) -> None:
        """Send the room's message about its seats; a slow client gets it later."""
        self._seats_changed = self._connection.is_full
        if not self._connection.is_full:
            self._connection.write(message)

    def drained(self, room: Room) -> None:
        """Send what was left out while the client was slow."""
        if self._seats_changed:
            self.tell_seats(room.seats_message())
        if self._behind:
            self._behind = False
            ack, self._ack = self._ack, None
            self.push(room, ack, force=True)
