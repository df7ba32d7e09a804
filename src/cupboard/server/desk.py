"""The desk: what every request may use, and who is asking."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from http.cookies import CookieError, SimpleCookie
from typing import Any, TypeVar

from litestar import Request
from litestar.datastructures import Cookie
from litestar.di import NamedDependency

from cupboard.core.game import Seat
from cupboard.core.words import phrase
from cupboard.server.errors import BadMessage, Gone, NotYourSeat
from cupboard.server.gallery import Gallery
from cupboard.server.limits import Limits
from cupboard.server.people import People, Person
from cupboard.server.plan import Plan
from cupboard.server.settings import Settings
from cupboard.server.store import Store
from cupboard.server.tables import Tables

T = TypeVar("T")
COOKIE = "cupboard"
TOKEN_HEADER = "x-seat-token"
_YEAR = 365 * 24 * 3600


class Desk:
    """Everything one server has."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.store = Store(settings.database, settings.synchronous)
        self.people = People(self.store)
        self.tables = Tables(self.store, self.people, settings)
        self.limits = Limits(settings.limited)
        self.gallery = Gallery()

    def close(self) -> None:
        """Leave everything tidy; who has used the gallery closes it before."""
        self.tables.close()
        self.store.close()

    def cookie(self, value: str) -> Cookie:
        """What the browser keeps: scripts cannot read it, other sites cannot send it."""
        return Cookie(
            key=COOKIE,
            value=value,
            max_age=_YEAR if value else 0,
            httponly=True,
            samesite="lax",
            secure=self.settings.https,
            path="/",
        )


AtDesk = NamedDependency[Desk]
"""What a handler asks for."""


class Visitor:
    """Who sent a request."""

    def __init__(self, desk: Desk, request: Request[Any, Any, Any]) -> None:
        self.desk = desk
        self._request = request
        self.address = address_of(request.scope)
        self.cookie = request.cookies.get(COOKIE, "")
        token = request.headers.get(TOKEN_HEADER, "")
        self.tokens: tuple[str, ...] = (token,) if token else ()
        self.new_cookie: str | None = None
        if len(token) > 64 or not token.isascii():
            raise BadMessage(phrase("no.token"))

    async def person(self) -> Person | None:
        """Whose cookie came along."""
        return await self.desk.people.of(self.cookie)

    async def somebody(self, name: str = "") -> Person:
        """The same; who has no cookie gets one."""
        person = await self.person()
        if person is None:
            self.desk.limits.spend("guests", self.address)
            person, self.new_cookie = await self.desk.people.welcome(name)
            self.cookie = self.new_cookie
        return person

    async def held(self, plan: Plan) -> frozenset[Seat]:
        """The seats of a table that are this visitor's; a wrong token is refused and counted."""
        try:
            return self.desk.tables.held(plan, await self.person(), self.tokens)
        except NotYourSeat:
            self.desk.limits.spend("links", self.address)
            raise

    async def wait_for(self, work: Coroutine[Any, Any, T]) -> T:
        """What `work` returns; it is cancelled when the visitor hangs up before."""
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
        """What to set."""
        return [] if self.new_cookie is None else [self.desk.cookie(self.new_cookie)]


def address_of(scope: Any) -> str:
    """Where a connection comes from."""
    client = scope.get("client")
    return str(client[0]) if client else ""


def cookie_of(headers: list[tuple[bytes, bytes]]) -> str:
    """Our cookie among the raw headers of a socket."""
    jar = SimpleCookie()
    for name, value in headers:
        if name == b"cookie":
            try:
                jar.load(value.decode("latin-1"))
            except CookieError:
                return ""
    return jar[COOKIE].value if COOKIE in jar else ""
