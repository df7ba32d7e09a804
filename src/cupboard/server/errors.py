"""What the server refuses, as CupboardErrors: a code for the wire, a sentence for the person, a status for HTTP."""

from __future__ import annotations

from cupboard.core.errors import CupboardError, UnknownGame, UnknownPlayer
from cupboard.core.words import Words


class TableError(CupboardError):
    """Something at a table cannot be done."""

    code = "error"
    status = 409


class BadMessage(TableError):
    """A message is not one that docs/wire.md describes."""

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


class Banned(TableError):
    """Whoever runs the server does not let this person in."""

    code, status = "banned", 403


class NotAdmin(TableError):
    """The request lacks the token of the admin link, or has another one."""

    code, status = "not-admin", 403


class UnknownPerson(TableError):
    """No person has this id."""

    code, status = "unknown-person", 404


class NoAccount(TableError):
    """The person is a guest and has no password."""

    code = "no-account"


class NoSuchSession(TableError):
    """The person has no such session."""

    code, status = "unknown-session", 404


class AdminLinkMade(TableError):
    """There is an admin link, which nobody can be shown a second time."""

    code = "admin-link-made"


class TableClosed(TableError):
    """Whoever runs the server has closed the table: it can be looked at, and nothing more."""

    code = "table-closed"


class BadOrigin(TableError):
    """The request comes from a page of another site."""

    code, status = "bad-origin", 403


class NotTheHost(TableError):
    """Only a visitor at the server's own computer may do that."""

    code, status = "not-the-host", 403


class NoNetwork(TableError):
    """This computer has no home network that could be let in."""

    code = "no-network"


class UnknownHost(TableError):
    """The request is for a name that is not this server's."""

    code, status = "unknown-host", 421


class SeatOccupied(TableError):
    """The seat that somebody wants to take is taken."""

    code = "seat-taken"


class Stale(TableError):
    """The move or answer was chosen in an older position."""

    code = "stale"


class LeaseLost(Stale):
    """Another server works for this table now."""

    code = "lease-lost"


class TooLate(TableError):
    """The seat's time had run out before the move came."""

    code = "too-late"


class NotStarted(TableError):
    """The game has not begun: seats are still free."""

    code = "not-started"


class NotOver(TableError):
    """What was asked for is told only when the game is over, because it holds secrets."""

    code = "not-over"


class NoOffer(TableError):
    """There is no such offer to answer."""

    code = "no-offer"


class NoTakeback(TableError):
    """The seat has made no move to take back, or nature has moved since."""

    code = "no-takeback"


class NoDraw(TableError):
    """The game cannot be drawn."""

    code = "no-draw"


class BadClock(TableError):
    """The settings of the clock make no sense."""

    code, status = "bad-clock", 400


class BadName(TableError):
    """Nothing of the name can be seen, or nobody may be called that here."""

    code, status = "bad-name", 400


class BadLogin(TableError):
    """The username is unknown, or its password is another one."""

    code, status = "bad-login", 403


class NameTaken(TableError):
    """Somebody else has this username."""

    code = "name-taken"


class UnknownClass(TableError):
    """No class has this id."""

    code, status = "unknown-class", 404


class UnknownMember(TableError):
    """The class has no such member."""

    code, status = "unknown-member", 404


class UnknownBoard(TableError):
    """The class has no such round, or the round no such board."""

    code, status = "unknown-board", 404


class BadCode(TableError):
    """No class has this code, and it leads nobody back."""

    code, status = "bad-code", 404


class NeedsAccount(TableError):
    """Only somebody with an account can do that."""

    code, status = "needs-account", 403


class NotTheTeacher(TableError):
    """Only the teacher of the class can see and do that."""

    code, status = "not-the-teacher", 403


class NotAMember(TableError):
    """Only members of the class can see that."""

    code, status = "not-a-member", 403


class ClassFull(TableError):
    """The class has as many members, or the teacher as many classes, as there may be."""

    code = "class-full"


class CannotPair(TableError):
    """The next round cannot be paired like that: too few are there, or games of the last one still run."""

    code = "cannot-pair"


class CannotMerge(TableError):
    """The two members are not one person, or one of them has an account."""

    code = "cannot-merge"


class MemberGone(TableError):
    """The member was removed from the class, or forgotten by the server."""

    code = "member-gone"


class MemberBanned(TableError):
    """Whoever runs the server does not let this member of the class in."""

    code = "member-banned"


class NoSignUp(TableError):
    """Nobody may make an account here."""

    code, status = "no-sign-up", 403


class BadClassCode(TableError):
    """Whoever makes an account must know the class code, and this is not it."""

    code, status = "bad-class-code", 403


class NoChat(TableError):
    """Nothing may be said at the tables here, or only phrases."""

    code, status = "no-chat", 403


class TryLater(TableError):
    """It can be done, but not now; the answer says in its header Retry-After when to come again."""

    def __init__(self, sentence: Words, seconds: int) -> None:
        super().__init__(sentence)
        self.seconds = seconds
        """About how long it will take."""


class TooMany(TryLater):
    """A rate limit or connection limit is used up."""

    code, status = "too-many", 429


class Gone(TableError):
    """The client has closed the connection while its request was worked on; it never reads this."""

    code, status = "gone", 499


class TooLarge(TableError):
    """The request's body is larger than the server reads."""

    code, status = "too-large", 413


class TooSlow(TableError):
    """The request's body took too long."""

    code, status = "too-slow", 408


class NoLength(TableError):
    """The request does not say how long its body is."""

    code, status = "no-length", 411


class HintPending(TableError):
    """The seat has a hint under way in this position."""

    code = "hint-pending"


class NoHints(TableError):
    """Several people play, and not all have agreed that hints may be given."""

    code = "no-hints"


class NoRoom(TableError):
    """The disk is full."""

    code, status = "no-room", 507


class Busy(TableError):
    """The database is locked by somebody else, or another service has too much to do."""

    code, status = "busy", 503


class DatabaseLost(Busy):
    """The server cannot reach its database, and goes on trying."""

    code = "database-lost"


class GettingReady(TryLater):
    """The game is being compiled, the first time on a machine."""

    code, status = "getting-ready", 503


class BadSettings(TableError):
    """The settings of the server make no sense."""

    code, status = "bad-settings", 500


class NewerDatabase(TableError):
    """The database was written by a newer program."""

    code, status = "newer-database", 500


class DamagedDatabase(TableError):
    """The database is damaged."""

    code, status = "damaged-database", 500


class DamagedTable(TableError):
    """What is stored of one table makes no sense."""

    code, status = "damaged-table", 500


def status_of(error: CupboardError) -> int:
    """The HTTP status of an error; whatever a game refuses is a bad request."""
    if isinstance(error, TableError):
        return error.status
    return 404 if isinstance(error, UnknownGame | UnknownPlayer) else 400
