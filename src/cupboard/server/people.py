"""People: guests with a cookie, accounts with a password, and the tokens of seats."""

from __future__ import annotations

import asyncio
import hmac
import secrets
from collections import OrderedDict
from hashlib import sha256

import msgspec
import sqlalchemy as sa
from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error
from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from cupboard.core.words import phrase
from cupboard.server.errors import BadLogin, NameTaken
from cupboard.server.moment import now
from cupboard.server.names import GUEST
from cupboard.server.rows import PERSON, SEAT, SESSION
from cupboard.server.store import Store

_MOST_REMEMBERED = 10_000


class Person(msgspec.Struct, frozen=True, gc=False):
    """Somebody with a cookie."""

    id: str
    name: str
    username: str = ""


def clean(name: str) -> str:
    """A name without line breaks, controls and blanks at the ends."""
    return " ".join("".join(c if c.isprintable() else " " for c in name).split())[:40]


class People:
    """Who is who."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: OrderedDict[str, Person] = OrderedDict()
        # Smaller than argon2's default: three sign-ins at once must not take a small machine's memory.
        self._hasher = PasswordHasher(time_cost=3, memory_cost=19_456, parallelism=1)
        self._hashing = asyncio.Semaphore(2)

    async def of(self, cookie: str) -> Person | None:
        """Whose cookie it is."""
        if not cookie or len(cookie) > 64:
            return None
        digest = _digest(cookie)
        if (person := self._known.get(digest)) is not None:
            self._known.move_to_end(digest)
            return person
        person = await self._store.read(_find, digest)
        if person is not None:
            self._remember(digest, person)
        return person

    async def welcome(self, name: str) -> tuple[Person, str]:
        """A new guest and the cookie to give them."""
        person = Person(secrets.token_urlsafe(12), clean(name) or GUEST)
        cookie = secrets.token_urlsafe(24)
        digest = _digest(cookie)

        def work(conn: Connection) -> None:
            conn.execute(sa.insert(PERSON).values(id=person.id, name=person.name, made=now()))
            conn.execute(sa.insert(SESSION).values(digest=digest, person=person.id, made=now()))

        await self._store.write(work)
        self._remember(digest, person)
        return person, cookie

    async def rename(self, person: Person, name: str, cookie: str) -> Person:
        """The same person under another name, from now on."""
        renamed = msgspec.structs.replace(person, name=clean(name) or GUEST)

        def work(conn: Connection) -> None:
            conn.execute(sa.update(PERSON).where(PERSON.c.id == person.id).values(name=renamed.name))

        await self._store.write(work)
        self._forget(person)
        self._remember(_digest(cookie), renamed)
        return renamed

    async def register(self, person: Person, username: str, password: str, cookie: str) -> Person:
        """Give a guest an account."""
        if person.username:
            raise NameTaken(phrase("no.secondAccount", username=person.username))
        hashed = await self._hash(password)
        registered = msgspec.structs.replace(person, username=username.lower())

        def work(conn: Connection) -> None:
            conn.execute(
                sa.update(PERSON).where(PERSON.c.id == person.id).values(username=registered.username, password=hashed)
            )

        try:
            await self._store.write(work)
        except IntegrityError:
            raise NameTaken(phrase("no.username", username=username)) from None
        self._forget(person)
        self._remember(_digest(cookie), registered)
        return registered

    async def sign_in(self, guest: Person | None, username: str, password: str) -> tuple[Person, str]:
        """Whose account it is, and a new cookie. What the guest was playing becomes the account's."""
        found = await self._store.read(_account, username.lower())
        if found is None:
            await self._hash(password)  # takes as long as a wrong password
        elif await self._verify(found[1], password):
            person, cookie = found[0], secrets.token_urlsafe(24)
            digest = _digest(cookie)

            def work(conn: Connection) -> None:
                conn.execute(sa.insert(SESSION).values(digest=digest, person=person.id, made=now()))
                if guest is not None and not guest.username:
                    conn.execute(sa.update(SEAT).where(SEAT.c.person == guest.id).values(person=person.id))

            await self._store.write(work)
            self._remember(digest, person)
            return person, cookie
        raise BadLogin(phrase("no.login"))

    async def sign_out(self, cookie: str) -> None:
        """Forget the cookie."""
        digest = _digest(cookie)
        self._known.pop(digest, None)

        def work(conn: Connection) -> None:
            conn.execute(sa.delete(SESSION).where(SESSION.c.digest == digest))

        await self._store.write(work)

    # Tokens need not be kept: they follow from the database's secret.

    def seat_token(self, root: str, chair: int) -> str:
        """The token of a seat, the same in all rematches."""
        return self._token(f"seat:{root}:{chair}")

    def invite(self, game: str, seat: int) -> str:
        """What gives a free seat to whoever brings it."""
        return self._token(f"invite:{game}:{seat}")

    def _token(self, text: str) -> str:
        return hmac.new(self._store.secret, text.encode(), sha256).hexdigest()[:32]

    async def _hash(self, password: str) -> str:
        async with self._hashing:
            return await asyncio.to_thread(self._hasher.hash, password)

    async def _verify(self, hashed: str, password: str) -> bool:
        try:
            async with self._hashing:
                return await asyncio.to_thread(self._hasher.verify, hashed, password)
        except Argon2Error:
            return False

    def _remember(self, digest: str, person: Person) -> None:
        self._known[digest] = person
        if len(self._known) > _MOST_REMEMBERED:
            self._known.popitem(last=False)

    def _forget(self, person: Person) -> None:
        for digest in [digest for digest, known in self._known.items() if known.id == person.id]:
            del self._known[digest]


def same(token: str, other: str) -> bool:
    """Whether two tokens are equal, taking the same time for every wrong one."""
    return hmac.compare_digest(token.encode(), other.encode())


def _digest(cookie: str) -> str:
    return sha256(cookie.encode()).hexdigest()


def _find(conn: Connection, digest: str) -> Person | None:
    query = (
        sa.select(PERSON.c.id, PERSON.c.name, PERSON.c.username)
        .join(SESSION, SESSION.c.person == PERSON.c.id)
        .where(SESSION.c.digest == digest)
    )
    row = conn.execute(query).first()
    return Person(row.id, row.name, row.username or "") if row else None


def _account(conn: Connection, username: str) -> tuple[Person, str] | None:
    row = conn.execute(sa.select(PERSON).where(PERSON.c.username == username)).first()
    return (Person(row.id, row.name, row.username), row.password) if row else None
