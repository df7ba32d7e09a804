"""Who belongs to a class: joining by its code, names, coming back without the cookie, and leaving."""

from __future__ import annotations

import secrets

import msgspec
import sqlalchemy as sa
from sqlalchemy import Connection

from cupboard.core.words import phrase
from cupboard.server.classes.codes import is_way_back, read_code, way_back_code
from cupboard.server.classes.storage import (
    ClassRow,
    MemberRow,
    class_of_code,
    find_class,
    read_members,
    teacher_name,
)
from cupboard.server.errors import (
    BadCode,
    BadName,
    Banned,
    CannotMerge,
    ClassFull,
    MemberBanned,
    MemberGone,
    NameTaken,
    UnknownMember,
)
from cupboard.server.people.people import People, Person
from cupboard.server.people.sessions import digest_of
from cupboard.server.steady_clock import now
from cupboard.server.store.schema import MEMBER, PAIRING, PERSON
from cupboard.server.store.store import Store
from cupboard.server.wire.classes import Joined, JoinInfo, WayBack

MOST_MEMBERS = 60
_WAY_BACK_LASTS = 60 * 60 * 1000


class Members:
    """Lets people into classes and back, and changes what a class knows of them."""

    def __init__(self, store: Store, people: People) -> None:
        self._store = store
        self._people = people

    async def look(self, typed: str, person: Person | None) -> JoinInfo:
        """Where a code leads; BadCode when it leads nowhere."""
        info = await self._store.read(_look, read_code(typed), None if person is None else person.id)
        return msgspec.structs.replace(info, teacher=self._people.names.shown(info.teacher))

    async def check(self, code: str, name: str, person: Person | None) -> None:
        """Refuse what `join` would refuse: so nobody becomes a guest by a wrong code or for a name that is taken."""
        await self._store.read(_check, read_code(code), self._member_name(name), None if person is None else person.id)

    async def join(self, code: str, name: str, person: Person) -> Joined:
        """Make a person a member of the class with this code, under a name that nobody else there has.

        Whoever is a member already stays who they are."""
        wanted = self._member_name(name)
        return await self._store.write(_join, read_code(code), wanted, person.id, now())

    async def come_back(self, typed: str, old: Person | None, cookie: str) -> tuple[Person, str, Joined]:
        """Use up a way back: the bearer of the cookie is the guest to whom it leads, and gets a new cookie.

        BadCode when it leads nowhere, MemberGone or Banned when whom it leads to may not come back."""
        code, at = read_code(typed), now()
        return await self._people.come_back(lambda conn: _use_way_back(conn, code, at), old, cookie)

    async def rename(self, class_id: str, member: str, name: str) -> None:
        """Call a member something else, in this class and at its tables from now on."""
        await self._store.write(_rename, class_id, member, self._member_name(name))

    async def remove(self, class_id: str, member: str) -> None:
        """Remove a member, whose games still count. Somebody who was never paired is forgotten."""
        await self._store.write(_remove, class_id, member, now())

    async def way_back(self, class_id: str, member: str) -> WayBack:
        """A code by which a guest comes back with another browser, once and within an hour.

        CannotMerge for somebody with an account, MemberGone or MemberBanned for whoever may not come back."""
        code, until = way_back_code(), now() + _WAY_BACK_LASTS
        await self._store.write(_give_way_back, class_id, member, digest_of(code), until)
        return WayBack(code, until)

    async def merge(self, class_id: str, absorbed: str, kept: str) -> frozenset[str]:
        """Make two members, both guests, one pupil; returns the people behind them."""
        return frozenset(await self._people.merge_guests(lambda conn: _mergeable(conn, class_id, absorbed, kept)))

    def _member_name(self, name: str) -> str:
        """A name as classes take it: one that people may have here, and not empty."""
        checked = self._people.names.check(name)
        if not checked:
            raise BadName(phrase("no.name"))
        return checked


def _look(conn: Connection, code: str, person: str | None) -> JoinInfo:
    if is_way_back(code):
        member, row = _behind(conn, code, now())
        return JoinInfo(row.id, row.name, teacher_name(conn, row), member.name, True)
    row = class_of_code(conn, code)
    own = _place_of(conn, row.id, person)
    return JoinInfo(row.id, row.name, teacher_name(conn, row), own.name if own and own.gone is None else "")


def _check(conn: Connection, code: str, name: str, person: str | None) -> tuple[ClassRow, MemberRow | None]:
    """The class to join, and the place in it that the person has or had."""
    row = class_of_code(conn, code)
    own = _place_of(conn, row.id, person)
    if own is None or own.gone is not None:
        members = [member for member in read_members(conn, row.id) if member.gone is None]
        if len(members) >= MOST_MEMBERS:
            raise ClassFull(phrase("no.classSeats", count=MOST_MEMBERS))
        _check_free(members, name)
    return row, own


def _join(conn: Connection, code: str, name: str, person: str, at: int) -> Joined:
    row, own = _check(conn, code, name, person)
    if own is not None and own.gone is None:
        return Joined(row.id, own.name)
    if own is not None:
        change = sa.update(MEMBER).where(MEMBER.c.id == own.id)
        conn.execute(change.values(name=name, gone=None, back=None, back_until=None))
    else:
        new = {"id": secrets.token_urlsafe(9), "class": row.id, "person": person, "name": name, "joined": at}
        conn.execute(sa.insert(MEMBER).values(new))
    return Joined(row.id, name)


def _check_free(members: list[MemberRow], name: str, but: str = "") -> None:
    """NameTaken when another member is called so: a teacher must be able to tell them apart."""
    if any(member.name.casefold() == name.casefold() for member in members if member.id != but):
        raise NameTaken(phrase("no.memberName", name=name))


def _place_of(conn: Connection, class_id: str, person: str | None) -> MemberRow | None:
    if person is None:
        return None
    return next((member for member in read_members(conn, class_id) if member.person == person), None)


def _find(conn: Connection, class_id: str, member: str) -> MemberRow:
    found = next((one for one in read_members(conn, class_id) if one.id == member), None)
    if found is None:
        raise UnknownMember(phrase("no.member"))
    return found


def _rename(conn: Connection, class_id: str, member: str, name: str) -> None:
    _find(conn, class_id, member)
    others = [one for one in read_members(conn, class_id) if one.gone is None]
    _check_free(others, name, but=member)
    conn.execute(sa.update(MEMBER).where(MEMBER.c.id == member).values(name=name))


def _remove(conn: Connection, class_id: str, member: str, at: int) -> None:
    _find(conn, class_id, member)
    paired = sa.select(PAIRING.c.board).where(sa.or_(PAIRING.c.first == member, PAIRING.c.second == member))
    if conn.execute(paired.limit(1)).first() is None:
        conn.execute(sa.delete(MEMBER).where(MEMBER.c.id == member))
    else:
        conn.execute(sa.update(MEMBER).where(MEMBER.c.id == member).values(gone=at))


# Coming back.


def _give_way_back(conn: Connection, class_id: str, member: str, digest: str, until: int) -> None:
    found = _find(conn, class_id, member)
    _check_may_come(conn, found)
    if found.account:
        raise CannotMerge(phrase("no.wayBack", name=found.name))
    conn.execute(sa.update(MEMBER).where(MEMBER.c.id == member).values(back=digest, back_until=until))


def _check_may_come(conn: Connection, member: MemberRow) -> str:
    """The person behind a member, for the teacher; MemberGone or MemberBanned when they are to stay out."""
    if member.person is None or member.gone is not None:
        raise MemberGone(phrase("no.memberGone", name=member.name))
    if _is_banned(conn, member.person):
        raise MemberBanned(phrase("no.memberBanned", name=member.name))
    return member.person


def _is_banned(conn: Connection, person: str) -> bool:
    return conn.execute(sa.select(PERSON.c.banned).where(PERSON.c.id == person)).scalar() is not None


def _behind(conn: Connection, code: str, at: int) -> tuple[MemberRow, ClassRow]:
    """The member and the class that a way back leads to. Never to an account: that has a password.

    Whoever is gone or banned is told so, and nothing else: the code is right, but may be in somebody else's hands."""
    query = sa.select(MEMBER.c.id, MEMBER.c["class"]).where(MEMBER.c.back == digest_of(code), MEMBER.c.back_until > at)
    row = conn.execute(query).first()
    member = None if row is None else _find(conn, row[1], row[0])
    if row is None or member is None or member.account:
        raise BadCode(phrase("no.code"))
    if member.person is None or member.gone is not None:
        raise MemberGone(phrase("no.backGone"))
    if _is_banned(conn, member.person):
        raise Banned(phrase("no.banned"))
    return member, find_class(conn, row[1])


def _use_way_back(conn: Connection, code: str, at: int) -> tuple[Person, Joined]:
    """The guest to whom a way back leads, and where; the code is used up."""
    member, row = _behind(conn, code, at)
    conn.execute(sa.update(MEMBER).where(MEMBER.c.id == member.id).values(back=None, back_until=None))
    person = conn.execute(sa.select(PERSON).where(PERSON.c.id == member.person)).one()
    return Person(person.id, person.name), Joined(row.id, member.name)


def _mergeable(conn: Connection, class_id: str, absorbed: str, kept: str) -> tuple[str, str]:
    """The people behind two members who may be one; CannotMerge when they have accounts, or played at the same time.

    MemberGone or MemberBanned when one of them is to stay out: they would come back as the other."""
    one, other = _find(conn, class_id, absorbed), _find(conn, class_id, kept)
    if one.account or other.account or one.id == other.id:
        raise CannotMerge(phrase("no.mergeAccount"))
    people = _check_may_come(conn, one), _check_may_come(conn, other)
    if _rounds_of(conn, people[0]) & _rounds_of(conn, people[1]):
        raise CannotMerge(phrase("no.mergeRound", name=one.name, other=other.name))
    return people


def _rounds_of(conn: Connection, person: str) -> set[tuple[str, int, int]]:
    """The rounds that a person was paired for, in all classes."""
    is_theirs = sa.or_(PAIRING.c.first == MEMBER.c.id, PAIRING.c.second == MEMBER.c.id)
    query = (
        sa.select(PAIRING.c["class"], PAIRING.c.tournament, PAIRING.c.round)
        .join(MEMBER, is_theirs)
        .where(MEMBER.c.person == person)
    )
    return {(class_id, tournament, number) for class_id, tournament, number in conn.execute(query)}
