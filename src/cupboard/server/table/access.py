"""Who may sit where: seats are held by a cookie or a seat token, and given away by invites."""

from __future__ import annotations

from cupboard.core.game import Seat
from cupboard.core.words import phrase
from cupboard.server.errors import BadInvite, Banned, NotYourSeat
from cupboard.server.people.people import People, Person, same
from cupboard.server.people.sessions import Session
from cupboard.server.table.plan import Chair, Plan
from cupboard.server.wire.tables import Invite, Key


class SeatAccess:
    """Checks cookies, seat tokens and invites, and makes the latter two. None of them is stored."""

    def __init__(self, people: People) -> None:
        self._people = people

    def held(self, plan: Plan, person: Person | None, tokens: tuple[str, ...]) -> frozenset[Seat]:
        """The seats that a person and the bearer of these tokens hold; NotYourSeat when a token fits no seat.

        Banned for the token of a seat whose person is."""
        mine = {chair.seat for chair in plan.chairs if person is not None and chair.person == person.id}
        for token in tokens:
            fits = [c for c in plan.chairs if same(token, self._people.seat_token(plan.root, c.chair))]
            if not fits or fits[0].kind != "person":
                raise NotYourSeat(phrase("no.link"))
            if fits[0].person in self._people.sessions.banned:
                raise Banned(phrase("no.banned"))
            mine.add(fits[0].seat)
        return frozenset(mine)

    def keys(self, plan: Plan, seats: frozenset[Seat]) -> tuple[Key, ...]:
        """The tokens of these seats."""
        return tuple(Key(seat, self._people.seat_token(plan.root, plan.chairs[seat].chair)) for seat in sorted(seats))

    def invites(self, plan: Plan) -> tuple[Invite, ...]:
        """The invites of the seats still free."""
        free = [chair.seat for chair in plan.chairs if chair.kind == "free"]
        return tuple(Invite(seat, self._people.invite(plan.id, seat)) for seat in free)

    def check_invite(self, plan: Plan, chair: Chair, invite: str | None) -> None:
        """BadInvite when the seat is kept for the bearer of another invite."""
        if chair.kind != "free":
            return  # it is taken, and Room.take says by whom
        if invite is None and chair.invited:
            raise BadInvite(phrase("no.kept"))
        if invite is not None and not same(invite, self._people.invite(plan.id, chair.seat)):
            raise BadInvite(phrase("no.invite"))

    def is_invite(self, plan: Plan, invite: str | None) -> bool:
        """Whether the text is the invite of any seat at the table."""
        return invite is not None and any(same(invite, self._people.invite(plan.id, c.seat)) for c in plan.chairs)

    async def person(self, session: Session | None) -> Person | None:
        """The person of the session; None when it has ended meanwhile, Banned when they are."""
        found = await self._people.sessions.still(session)
        return None if found is None else found.person
