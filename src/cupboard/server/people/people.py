"""People: guests with a cookie, accounts with a password, and the tokens of seats."""

from __future__ import annotations

import asyncio
import hmac
import secrets
from collections.abc import Callable
from hashlib import sha256
from typing import TypeVar

import msgspec
import sqlalchemy as sa
from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error
from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from cupboard.core.words import phrase
from cupboard.server.errors import BadLogin, Banned, NameTaken
from cupboard.server.people.belongings import move_belongings
from cupboard.server.people.name_rules import NameRules
from cupboard.server.people.names import GUEST
from cupboard.server.people.names import clean as clean
from cupboard.server.people.sessions import Person as Person
from cupboard.server.people.sessions import Session, Sessions, digest_of
from cupboard.server.settings import PeopleSettings
from cupboard.server.steady_clock import now
from cupboard.server.store.schema import PERSON, SESSION
from cupboard.server.store.store import Store

T = TypeVar("T")


class People:
    """The people in the database: guests, accounts, and the tokens that give them seats."""

    def __init__(self, store: Store, settings: PeopleSettings | None = None, names: NameRules | None = None) -> None:
        """Without `names` people may be called anything."""
        self._store = store
        self.names = NameRules() if names is None else names
        self.sessions = Sessions(store, now, settings)
        # Smaller than argon2's default: three sign-ins at once must not take a small machine's memory.
        self._hasher = PasswordHasher(time_cost=3, memory_cost=19_456, parallelism=1)
        self._hashing = asyncio.Semaphore(2)

    async def of(self, cookie: str) -> Person | None:
        """The person whose session has this cookie; None when it has ended or expired, Banned when they are."""
        session = await self.sessions.of(cookie)
        return None if session is None else session.person

    async def welcome(self, name: str) -> tuple[Person, str]:
        """A new guest and the cookie to give them."""
        person = Person(secrets.token_urlsafe(12), self.names.check(name) or GUEST)
        session, cookie = self.sessions.new(person)

        def work(conn: Connection) -> None:
            conn.execute(sa.insert(PERSON).values(id=person.id, name=person.name, made=now()))
            self.sessions.begin(conn, session)

        await self._store.write(work)
        self.sessions.remember(session)
        return person, cookie

    async def rename(self, person: Person, name: str) -> Person:
        """Give the person another name; returns the person with that name."""
        renamed = msgspec.structs.replace(person, name=self.names.check(name))

        def work(conn: Connection) -> None:
            conn.execute(sa.update(PERSON).where(PERSON.c.id == person.id).values(name=renamed.name))

        await self._store.write(work)
        self.sessions.forget(person.id)
        return renamed

    async def register(self, person: Person, username: str, password: str) -> tuple[Person, str]:
        """Give a guest an account and a new cookie: whoever knew the guest's has nothing of the account."""
        if person.username:
            raise NameTaken(phrase("no.secondAccount", username=person.username))
        hashed = await self._hash(password)
        registered = msgspec.structs.replace(person, username=username.lower())
        session, new_cookie = self.sessions.new(registered)

        def work(conn: Connection) -> None:
            _refuse_banned(conn, person.id)
            conn.execute(
                sa.update(PERSON).where(PERSON.c.id == person.id).values(username=registered.username, password=hashed)
            )
            self.sessions.end(conn, SESSION.c.person == person.id)
            self.sessions.begin(conn, session)

        try:
            await self._store.write(work)
        except IntegrityError:
            raise NameTaken(phrase("no.username", username=username)) from None
        self.sessions.forget(person.id)
        self.sessions.remember(session)
        return registered, new_cookie

    async def sign_in(self, old: Person | None, cookie: str, username: str, password: str) -> tuple[Person, str]:
        """Sign in; returns the person and a new cookie, and ends the old one. A guest's games become the account's."""
        found = await self._store.read(_account, username.lower())
        if found is None:
            await self._hash(password)  # takes as long as a wrong password
        elif await self._verify(found[1], password):
            person = found[0]
            session, new_cookie = self.sessions.new(person)

            def work(conn: Connection) -> None:
                _refuse_banned(conn, person.id)
                self.sessions.begin(conn, session)
                if old is not None:
                    self.sessions.end(conn, SESSION.c.digest == digest_of(cookie))
                if old is not None and not old.username:
                    move_belongings(conn, old.id, person.id)

            await self._store.write(work)
            if old is not None:
                self.sessions.forget(old.id)
            self.sessions.remember(session)
            return person, new_cookie
        raise BadLogin(phrase("no.login"))

    async def come_back(
        self, find: Callable[[Connection], tuple[Person, T]], old: Person | None, cookie: str
    ) -> tuple[Person, str, T]:
        """Make the bearer of a cookie a guest who was here before; what they did meanwhile as a guest goes along.

        `find` finds the guest in the same transaction, or refuses. Returns the guest, a new cookie and what else was
        found."""

        def work(conn: Connection) -> tuple[Session, str, T]:
            guest, more = find(conn)
            session, new_cookie = self.sessions.new(guest)
            self.sessions.begin(conn, session)
            if old is not None and old.id != guest.id:
                self.sessions.end(conn, SESSION.c.digest == digest_of(cookie))
                if not old.username:
                    move_belongings(conn, old.id, guest.id)
            return session, new_cookie, more

        session, new_cookie, more = await self._store.write(work)
        if old is not None:
            self.sessions.forget(old.id)
        self.sessions.remember(session)
        return session.person, new_cookie, more

    async def merge_guests(self, find: Callable[[Connection], tuple[str, str]]) -> tuple[str, str]:
        """Make two guests one: all browsers of the first, and what it has, are the other's from now on.

        `find` finds them in the same transaction, or refuses; returns what it has found."""

        def work(conn: Connection) -> tuple[str, str]:
            absorbed, kept = find(conn)
            conn.execute(sa.update(SESSION).where(SESSION.c.person == absorbed).values(person=kept))
            move_belongings(conn, absorbed, kept)
            return absorbed, kept

        absorbed, kept = await self._store.write(work)
        self.sessions.forget(absorbed)
        self.sessions.forget(kept)
        return absorbed, kept

    async def sign_out(self, person: Person, cookie: str) -> None:
        """End the session of the cookie."""
        await self._store.write(self.sessions.end, SESSION.c.digest == digest_of(cookie))
        self.sessions.forget(person.id)

    async def change_password(self, person: Person, cookie: str, old: str, new: str) -> None:
        """Take a new password, and end all sessions but the one of this cookie."""
        found = await self._store.read(_account, person.username) if person.username else None
        if found is None or not await self._verify(found[1], old):
            raise BadLogin(phrase("no.password"))
        hashed = await self._hash(new)

        def work(conn: Connection) -> None:
            conn.execute(sa.update(PERSON).where(PERSON.c.id == person.id).values(password=hashed))
            others = sa.and_(SESSION.c.person == person.id, SESSION.c.digest != digest_of(cookie))
            self.sessions.end(conn, others)

        await self._store.write(work)
        self.sessions.forget(person.id)

    async def set_password(self, person: str, new: str) -> None:
        """Give an account a password that somebody else has chosen, and end all its sessions."""
        hashed = await self._hash(new)

        def work(conn: Connection) -> None:
            conn.execute(sa.update(PERSON).where(PERSON.c.id == person).values(password=hashed))
            self.sessions.end(conn, SESSION.c.person == person)

        await self._store.write(work)
        self.sessions.forget(person)

    # Tokens need not be kept: they follow from the database's secret.

    def seat_token(self, root: str, chair: int) -> str:
        """The token of a seat, which stays the same in all rematches."""
        return self._token(f"seat:{root}:{chair}")

    def invite(self, game: str, seat: int) -> str:
        """The token that gives a free seat to anyone who has it."""
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


def same(token: str, other: str) -> bool:
    """Whether two tokens are equal, taking the same time for every wrong one."""
    return hmac.compare_digest(token.encode(), other.encode())


def _refuse_banned(conn: Connection, person: str) -> None:
    """Banned when the person is, whatever was known before the transaction."""
    if conn.execute(sa.select(PERSON.c.banned).where(PERSON.c.id == person)).scalar() is not None:
        raise Banned(phrase("no.banned"))


def _account(conn: Connection, username: str) -> tuple[Person, str] | None:
    row = conn.execute(sa.select(PERSON).where(PERSON.c.username == username)).first()
    return (Person(row.id, row.name, row.username), row.password) if row else None
