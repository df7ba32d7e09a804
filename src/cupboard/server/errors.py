"""What the server refuses, as CupboardErrors: a code for the wire, a sentence for the person, a status for HTTP."""

from __future__ import annotations

from cupboard.core.errors import CupboardError, UnknownGame, UnknownPlayer


class TableError(CupboardError):
    """Something at a table cannot be done."""

    code = "error"
    status = 409


class BadMessage(TableError):
    """Not a message of the wire."""

    code, status = "bad-message", 400


class NotFound(TableError):
    """There is nothing under this address."""

    code, status = "not-found", 404


class UnknownTable(TableError):
    """No table has this id."""

    code, status = "unknown-table", 404


class UnknownSeat(TableError):
    """The table has no such seat."""

    code, status = "unknown-seat", 404


class NotYourSeat(TableError):
    """The client holds neither cookie nor token of the seat."""

    code, status = "not-your-seat", 403


class BadInvite(TableError):
    """The invite is not for this seat."""

    code, status = "bad-invite", 403


class BadOrigin(TableError):
    """Another site's page asks."""

    code, status = "bad-origin", 403


class UnknownHost(TableError):
    """The request is for a name that is not this server's."""

    code, status = "unknown-host", 421


class SeatOccupied(TableError):
    """Somebody sits there."""

    code = "seat-taken"


class Stale(TableError):
    """The client had not seen the latest position."""

    code = "stale"


class TooLate(TableError):
    """The seat's time had run out before the move came."""

    code = "too-late"


class NotStarted(TableError):
    """Seats are still free."""

    code = "not-started"


class NotOver(TableError):
    """Secrets are kept until the game is over."""

    code = "not-over"


class NoOffer(TableError):
    """Nobody offered this."""

    code = "no-offer"


class NoTakeback(TableError):
    """There is nothing to take back, or luck has spoken since."""

    code = "no-takeback"


class NoDraw(TableError):
    """The game cannot be drawn."""

    code = "no-draw"


class BadClock(TableError):
    """No clock runs like that."""

    code, status = "bad-clock", 400


class BadName(TableError):
    """There is nothing to see of the name."""

    code, status = "bad-name", 400


class BadLogin(TableError):
    """No such username with this password."""

    code, status = "bad-login", 403


class NameTaken(TableError):
    """Somebody else has this username."""

    code = "name-taken"


class TooMany(TableError):
    """Too much at once from one place."""

    code, status = "too-many", 429


class Gone(TableError):
    """Whoever asked has hung up; nobody reads this."""

    code, status = "gone", 499


class TooLarge(TableError):
    """More bytes than the server reads."""

    code, status = "too-large", 413


class TooSlow(TableError):
    """The request's body took too long."""

    code, status = "too-slow", 408


class NoLength(TableError):
    """The request does not say how long its body is."""

    code, status = "no-length", 411


class HintPending(TableError):
    """The seat's last hint is still being thought about."""

    code = "hint-pending"


class NoRoom(TableError):
    """The disk is full."""

    code, status = "no-room", 507


class Busy(TableError):
    """The database does not answer."""

    code, status = "busy", 503


class NewerDatabase(TableError):
    """The database was written by a newer program."""

    code, status = "newer-database", 500


class DamagedDatabase(TableError):
    """What the database's file holds does not fit together."""

    code, status = "damaged-database", 500


class DamagedTable(TableError):
    """The rows of one table make no game."""

    code, status = "damaged-table", 500


def status_of(error: CupboardError) -> int:
    """The HTTP status of an error; whatever a game refuses is a bad request."""
    if isinstance(error, TableError):
        return error.status
    return 404 if isinstance(error, UnknownGame | UnknownPlayer) else 400
