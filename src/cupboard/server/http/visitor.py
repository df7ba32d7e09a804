"""Who sent a request: address, cookie, seat tokens, and what follows from them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from contextlib import suppress
from ipaddress import IPv6Address, ip_address
from math import ceil
from typing import Any, TypeVar

from litestar import Request
from litestar.datastructures import Cookie

from cupboard.core.game import Seat
from cupboard.core.words import phrase
from cupboard.server.errors import BadMessage, Banned, Gone, NotYourSeat, TooMany
from cupboard.server.http.services import COOKIE, Services
from cupboard.server.limits.rates import ByPerson
from cupboard.server.people.people import Person
from cupboard.server.table.plan import Plan

T = TypeVar("T")
TOKEN_HEADER = "x-seat-token"
_MOST_TRYING = 200
"""So many sign-ins may be waiting for their turn at once; each holds a connection."""


class Visitor:
    """The sender of one request."""

    def __init__(self, services: Services, request: Request[Any, Any, Any]) -> None:
        self.services = services
        self._request = request
        self.address = address_of(request.scope)
        self.cookie = cookie_of(request.scope["headers"])
        token = request.headers.get(TOKEN_HEADER, "")
        self.tokens: tuple[str, ...] = (token,) if token else ()
        self._new: tuple[str, Person] | None = None
        if len(token) > 64 or not token.isascii():
            raise BadMessage(phrase("no.token"))

    async def person(self) -> Person | None:
        """The person whose cookie came with the request; None when it came without one, Banned when they are."""
        return await self.services.people.of(self.cookie)

    async def person_who_leaves(self) -> Person | None:
        """The person whose cookie is about to be replaced or dropped; None also when they are banned.

        A banned person's browser may be somebody else's, too, who is to come in with another account."""
        with suppress(Banned):
            return await self.person()
        return None

    async def spend(self, what: ByPerson, count: float = 1) -> None:
        """Count a request against what the visitor and their address may ask for; TooMany when that is used up."""
        person = await self.person()
        self.services.limits.spend_for(what, person and person.id, self.address, count)

    async def asker(self) -> str:
        """What tells the visitor from others who wait for the same: the person, else the address."""
        person = await self.person()
        return self.address if person is None else person.id

    async def person_or_guest(self, name: str = "") -> Person:
        """The person whose cookie came with the request; without one a new guest, who gets a cookie."""
        person = await self.person()
        if person is None:
            self.services.limits.spend("guests", self.address)
            person, cookie = await self.services.people.welcome(name)
            self.change_cookie(person, cookie)
        return person

    def change_cookie(self, person: Person, cookie: str) -> None:
        """Give the visitor another cookie with the answer."""
        self.cookie = cookie
        self._new = cookie, person

    async def held(self, plan: Plan) -> frozenset[Seat]:
        """The seats of a table that this visitor holds; NotYourSeat, which is counted, for a wrong token."""
        try:
            return self.services.access.held(plan, await self.person(), self.tokens)
        except NotYourSeat:
            self.services.limits.spend("links", self.address)
            raise

    async def trying(self, username: str, attempt: Callable[[], Awaitable[T]]) -> T:
        """Let the visitor try a password: returns what `attempt` returns; BadLogin when the password is wrong.

        Each address may guess so often. Whoever fails again and again at one account waits ever longer, at one address
        and for that account only: strangers who guess cannot keep its owner out. Nor can somebody at the same address
        who guesses at many accounts keep out those who have signed in there before: they only wait.
        """
        services, place = self.services, (self.address, username.lower())
        is_counted = not services.backoff.knows(place)
        if is_counted:
            services.limits.spend("sign-ins", self.address)
        wait = services.backoff.wait(place)
        services.backoff.failed(place)  # until it has succeeded: others may try at the same moment
        if wait:
            if place in services.trying or len(services.trying) >= _MOST_TRYING:
                raise TooMany(phrase("many.sign-ins", count=ceil(wait)), ceil(wait))
            services.trying.add(place)
            try:
                await self.wait_for(asyncio.sleep(wait))
            finally:
                services.trying.discard(place)
        result = await attempt()
        services.backoff.succeeded(place)
        if is_counted:
            services.limits.give_back("sign-ins", self.address)
        return result

    async def trying_code(self, attempt: Callable[[], Awaitable[None]]) -> None:
        """Let the visitor try a class code: `attempt` raises when it is wrong, and how often that may be is limited."""
        limits, person = self.services.limits, await self.person()
        who = person and person.id
        limits.spend_for("class-codes", who, self.address)
        await attempt()
        limits.give_back_for("class-codes", who, self.address)

    async def wait_for(self, work: Coroutine[Any, Any, T]) -> T:
        """What `work` returns; Gone, and the work is cancelled, when the visitor closes the connection before."""
        working, gone = asyncio.ensure_future(work), asyncio.ensure_future(self._hang_up())
        try:
            await asyncio.wait({working, gone}, return_when=asyncio.FIRST_COMPLETED)
            if working.done():
                return working.result()
            raise Gone(phrase("no.asker"))
        finally:
            working.cancel()
            gone.cancel()

    async def _hang_up(self) -> None:
        while (await self._request.receive())["type"] != "http.disconnect":
            pass

    def cookies(self) -> list[Cookie]:
        """The cookies to set with the answer."""
        return [] if self._new is None else [self.services.cookie(*self._new)]


def address_of(scope: Any) -> str:
    """The address a connection comes from. Of IPv6 only the network, 64 bits: a household has all addresses in it."""
    client = scope.get("client")
    return network_of(str(client[0])) if client else ""


def network_of(address: str) -> str:
    """An address as it is counted and logged: of IPv6 only the network."""
    address = address.partition("%")[0]
    if ":" not in address:
        return address
    there = ip_address(address)
    if isinstance(there, IPv6Address) and there.ipv4_mapped is None:
        return str(IPv6Address(int(there) >> 64 << 64))
    return str(there.ipv4_mapped) if isinstance(there, IPv6Address) else address


def cookie_of(headers: Iterable[tuple[bytes, bytes]]) -> str:
    """The value of our cookie in the raw headers of a request; empty when there is none.

    The first counts: another Cupboard nearer to the root of the site may have set one of this name, and browsers send
    those with the longest path first.
    """
    for name, value in headers:
        if name == b"cookie":
            for part in value.decode("latin-1").split(";"):
                key, _, token = part.strip().partition("=")
                if key == COOKIE:
                    return token
    return ""
