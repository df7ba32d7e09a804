"""Sessions: which cookie is whose, until when. They slide while they are used, expire, and end on every server at once.

A browser has the cookie, the database only its digest. A session that ends (somebody signs out, signs in, registers or
changes the password) is marked in the database, where every server on it looks for such marks: see `newly_ended`.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import OrderedDict
from collections.abc import Callable
from hashlib import sha256

import msgspec
import sqlalchemy as sa
from sqlalchemy import Connection

from cupboard.core.words import phrase
from cupboard.server.errors import Banned
from cupboard.server.settings import PeopleSettings
from cupboard.server.store.schema import MEMBER, PERSON, SESSION
from cupboard.server.store.store import Store
from cupboard.server.watching.notes import Note

_LOG = logging.getLogger(__name__)
_DAY = 24 * 3600 * 1000
_MOST_REMEMBERED = 10_000
_REMEMBERED_FOR = 5 * 60 * 1000
"""For how many milliseconds a cookie is believed without asking the database again."""
_MARKED_FOR = 10 * 60 * 1000
"""For how many milliseconds the mark of an ended session stays for the other servers to see."""
_RENEWED = "renewed:"
"""What the digests begin with that no cookie has: they tell the other servers that a person has changed."""


class Person(msgspec.Struct, frozen=True, gc=False):
    """A guest or, with a username, an account."""

    id: str
    name: str
    username: str = ""


class Session(msgspec.Struct, frozen=True, gc=False):
    """One browser's session; the digest stands for its cookie."""

    digest: str
    person: Person
    expires: int


class Sessions:
    """Finds, begins and ends sessions. `clock` tells milliseconds since 1970."""

    def __init__(self, store: Store, clock: Callable[[], int], settings: PeopleSettings | None = None) -> None:
        self._store = store
        self._clock = clock
        self._settings = PeopleSettings() if settings is None else settings
        self.banned: frozenset[str] = frozenset()
        """Who was banned when this server last looked, by id."""
        self.tell: Callable[[], None] = lambda: None
        """Tells the other servers that sessions have ended or people have changed."""
        self._known: OrderedDict[str, tuple[Session, int]] = OrderedDict()
        self._seen_ended: frozenset[str] = frozenset()

    async def of(self, cookie: str) -> Session | None:
        """The session of a cookie, prolonged by being used; None for one that has ended or expired.

        Banned when its person is."""
        if not cookie or len(cookie) > 64:
            return None
        return await self._find(digest_of(cookie))

    async def still(self, session: Session | None) -> Session | None:
        """The session, prolonged, or None when it has ended or expired meanwhile."""
        return None if session is None else await self._find(session.digest)

    async def _find(self, digest: str) -> Session | None:
        now = self._clock()
        session, asked = self._known.get(digest, (None, 0))
        if session is None or not 0 <= now - asked < _REMEMBERED_FOR:
            session = await self._store.read(_find, digest)
            if session is not None:
                self.remember(session)
        if session is None or session.expires <= now:
            self._known.pop(digest, None)
            return None
        if session.expires < now + self._lasts(session.person) - _DAY:
            session = await self._prolong(session)
        return session

    async def _prolong(self, session: Session) -> Session:
        now = self._clock()
        longer = msgspec.structs.replace(session, expires=now + self._lasts(session.person))
        change = sa.update(SESSION).where(SESSION.c.digest == longer.digest).values(expires=longer.expires, used=now)
        await self._store.write(lambda conn: conn.execute(change) and None)
        if longer.digest in self._known:  # unless it has ended meanwhile
            self.remember(longer)
        return longer

    # For transactions of `People`; whoever calls them tells `remember` and `forget` when all is written.

    def new(self, person: Person) -> tuple[Session, str]:
        """A session that is yet to be written, and its cookie."""
        cookie = secrets.token_urlsafe(24)
        return Session(digest_of(cookie), person, self._clock() + self._lasts(person)), cookie

    def seconds_of(self, person: Person) -> int:
        """How many seconds a browser is to keep the cookie."""
        return self._lasts(person) // 1000

    def _lasts(self, person: Person) -> int:
        return (self._settings.account_days if person.username else self._settings.guest_days) * _DAY

    def begin(self, conn: Connection, session: Session) -> None:
        """Write a new session."""
        now = self._clock()
        conn.execute(
            sa.insert(SESSION).values(
                digest=session.digest, person=session.person.id, made=now, used=now, expires=session.expires
            )
        )

    def end(self, conn: Connection, which: sa.ColumnElement[bool], at: int | None = None) -> int:
        """Mark sessions as ended for good; returns how many they were. Those that a ban had ended stay so when it ends.

        With `at` the open ones end at that time, by which `begin_again` finds them."""
        if at is not None:
            change = sa.update(SESSION).where(which, SESSION.c.ended.is_(None)).values(ended=at)
        else:
            now = self._clock()
            banned = sa.select(PERSON.c.banned).where(PERSON.c.id == SESSION.c.person).scalar_subquery()
            can_go_on = sa.or_(SESSION.c.ended.is_(None), SESSION.c.ended == banned)
            ended = sa.case((SESSION.c.ended == now, now + 1), else_=now)  # never the time of the ban
            change = sa.update(SESSION).where(which, can_go_on).values(ended=ended)
        return conn.execute(change.where(~SESSION.c.digest.startswith(_RENEWED))).rowcount

    def begin_again(self, conn: Connection, person: str, ended: int) -> None:
        """Undo the end of a person's sessions at a time."""
        which = sa.and_(SESSION.c.person == person, SESSION.c.ended == ended, ~SESSION.c.digest.startswith(_RENEWED))
        conn.execute(sa.update(SESSION).where(which).values(ended=None))

    def renew(self, conn: Connection, person: str) -> None:
        """Tell every server to read anew what it knows of a person: name, seats, words, and whether they are banned."""
        now, digest = self._clock(), _RENEWED + secrets.token_urlsafe(9)
        conn.execute(sa.insert(SESSION).values(digest=digest, person=person, made=now, expires=now + _DAY, ended=now))

    def remember(self, session: Session) -> None:
        """Keep the session in memory, so that its cookie is known without asking the database."""
        self._known[session.digest] = session, self._clock()
        self._known.move_to_end(session.digest)
        if len(self._known) > _MOST_REMEMBERED:
            self._known.popitem(last=False)

    def forget(self, person: str) -> None:
        """Drop the person's sessions from memory, and tell the other servers: the next look asks the database."""
        self._forget_all({person})
        self.tell()

    def _forget_all(self, people: set[str]) -> None:
        for digest in [digest for digest, (known, _) in self._known.items() if known.person.id in people]:
            del self._known[digest]

    # Beside.

    async def newly_ended(self) -> dict[str, str]:
        """The sessions that have ended since this was last asked, on whichever server: digest and person."""
        ended, self.banned = await self._store.read(_ended)
        for digest in ended:
            self._known.pop(digest, None)
        new = {digest: person for digest, person in ended.items() if digest not in self._seen_ended}
        self._seen_ended = frozenset(ended)
        self._forget_all({person for digest, person in new.items() if is_renewal(digest)})
        return new

    async def sweep(self) -> None:
        """Delete what has expired, and what ended long enough ago that every server has seen it.

        Those of banned people stay, so that whoever comes with such a cookie is told why it is refused; and those of
        guests who belong to a class, which says until when they are kept: a way back may lead to them."""
        now = self._clock()
        banned = sa.select(PERSON.c.id).where(PERSON.c.banned.is_not(None))
        pupils = (
            sa.select(PERSON.c.id)
            .join(MEMBER, MEMBER.c.person == PERSON.c.id)
            .where(PERSON.c.username.is_(None), MEMBER.c.gone.is_(None))
        )
        done = sa.and_(
            SESSION.c.ended <= now - _MARKED_FOR,
            sa.or_(SESSION.c.person.not_in(banned.union(pupils)), SESSION.c.digest.startswith(_RENEWED)),
        )
        old = sa.or_(SESSION.c.expires <= now, done)
        await self._store.write(lambda conn: conn.execute(sa.delete(SESSION).where(old)) and None)

    async def shorten(self) -> None:
        """Let sessions that were begun under settings with more days end as early as the settings now say."""
        guests = sa.select(PERSON.c.id).where(PERSON.c.username.is_(None))

        def work(conn: Connection) -> None:
            for whose, days in (
                (SESSION.c.person.in_(guests), self._settings.guest_days),
                (SESSION.c.person.not_in(guests), self._settings.account_days),
            ):
                latest = SESSION.c.used + days * _DAY
                conn.execute(sa.update(SESSION).where(whose, SESSION.c.expires > latest).values(expires=latest))

        await self._store.write(work)

    async def sweep_now_and_then(self) -> None:
        """Sweep every ten minutes for as long as the server runs."""
        is_shortened = False
        while True:
            try:
                if not is_shortened:
                    await self.shorten()
                    is_shortened = True
                await self.sweep()
            except Exception:
                _LOG.exception(Note("sweep-failed"))
            await asyncio.sleep(_MARKED_FOR / 1000)


def digest_of(cookie: str) -> str:
    """The digest of a cookie, which is all that the database keeps of it."""
    return sha256(cookie.encode("utf-8", "replace")).hexdigest()


def is_renewal(digest: str) -> bool:
    """Whether it stands for no cookie, but says that a person is to be read anew (`Sessions.renew`)."""
    return digest.startswith(_RENEWED)


def _find(conn: Connection, digest: str) -> Session | None:
    query = (
        sa.select(PERSON.c.id, PERSON.c.name, PERSON.c.username, PERSON.c.banned, SESSION.c.expires)
        .join(SESSION, SESSION.c.person == PERSON.c.id)
        .where(SESSION.c.digest == digest, sa.or_(SESSION.c.ended.is_(None), PERSON.c.banned.is_not(None)))
    )
    row = conn.execute(query).first()
    if row is not None and row.banned is not None:
        raise Banned(phrase("no.banned"))
    return Session(digest, Person(row.id, row.name, row.username or ""), row.expires) if row else None


def _ended(conn: Connection) -> tuple[dict[str, str], frozenset[str]]:
    """The sessions that have ended, and who is banned."""
    query = sa.select(SESSION.c.digest, SESSION.c.person).where(SESSION.c.ended.is_not(None))
    banned = sa.select(PERSON.c.id).where(PERSON.c.banned.is_not(None))
    return {row.digest: row.person for row in conn.execute(query)}, frozenset(conn.execute(banned).scalars())
