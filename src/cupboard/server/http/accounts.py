"""What is asked over plain HTTP about oneself: the name, an account, its password, signing in and out."""

from __future__ import annotations

from typing import Any

from litestar import Request, Response, delete, get, post, put
from litestar.params import JSONBody

from cupboard.core.words import phrase
from cupboard.server.errors import BadLogin
from cupboard.server.http.services import WithServices
from cupboard.server.http.visitor import Visitor
from cupboard.server.people.names import GUEST, called
from cupboard.server.wire.messages import Login, Me, NewPassword, Rename

Visit = Request[Any, Any, Any]
_PRIVATE = {"cache-control": "no-store"}
"""The answer carries a cookie: no cache on the way may keep it."""


@get("/api/me", summary="Who the visitor is")
async def show_me(services: WithServices, request: Visit) -> Response[Me]:
    """A guest, or an account. The browser keeps the cookie for longer again."""
    visitor = Visitor(services, request)
    person = await visitor.person()
    if person is None:
        return Response(_me(GUEST), headers=_PRIVATE)
    cookies = [services.cookie(visitor.cookie, person)]
    return Response(_me(person.name, person.username), headers=_PRIVATE, cookies=cookies)


@put("/api/me", summary="Take another name")
async def rename_me(services: WithServices, request: Visit, data: JSONBody[Rename]) -> Response[Me]:
    """For seats taken from now on."""
    visitor = Visitor(services, request)
    person = await visitor.somebody(data.name)
    person = await services.people.rename(person, data.name)
    return Response(_me(person.name, person.username), cookies=visitor.cookies())


@post("/api/account", summary="Make an account")
async def register(services: WithServices, request: Visit, data: JSONBody[Login]) -> Response[Me]:
    """The guest's games become the account's."""
    visitor = Visitor(services, request)
    services.limits.spend("accounts", visitor.address)
    person = await visitor.somebody(data.username)
    visitor.is_now(*await services.people.register(person, data.username, data.password))
    await services.tables.show_out()
    return Response(_me(person.name, data.username.lower()), status_code=201, cookies=visitor.cookies())


@put("/api/account/password", summary="Change the password")
async def change_password(services: WithServices, request: Visit, data: JSONBody[NewPassword]) -> Me:
    """Every other device of the account is signed out."""
    visitor = Visitor(services, request)
    person = await visitor.person()
    if person is None or not person.username:
        raise BadLogin(phrase("no.account"))
    await visitor.trying(
        person.username, lambda: services.people.change_password(person, visitor.cookie, data.old, data.new)
    )
    await services.tables.show_out()
    return _me(person.name, person.username)


@post("/api/session", summary="Sign in")
async def sign_in(services: WithServices, request: Visit, data: JSONBody[Login]) -> Response[Me]:
    """What the guest was playing becomes the account's."""
    visitor = Visitor(services, request)
    old = await visitor.person()
    person, cookie = await visitor.trying(
        data.username, lambda: services.people.sign_in(old, visitor.cookie, data.username, data.password)
    )
    visitor.is_now(person, cookie)
    await services.tables.show_out()
    return Response(_me(person.name, person.username), status_code=201, cookies=visitor.cookies())


@delete("/api/session", status_code=200, summary="Sign out")
async def sign_out(services: WithServices, request: Visit) -> Response[Me]:
    """This device forgets who it was."""
    visitor = Visitor(services, request)
    if (person := await visitor.person()) is not None:
        await services.people.sign_out(person, visitor.cookie)
        await services.tables.show_out()
    return Response(_me(GUEST), cookies=[services.cookie("")])


def _me(name: str, username: str = "") -> Me:
    return Me(name, username, called(name))


HANDLERS = [show_me, rename_me, register, change_password, sign_in, sign_out]
