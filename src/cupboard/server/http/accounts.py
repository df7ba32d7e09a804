"""The HTTP API of a visitor's own name, account, password and session."""

from __future__ import annotations

from typing import Any

from litestar import Request, Response, delete, get, post, put
from litestar.params import JSONBody

from cupboard.core.words import phrase
from cupboard.server.errors import BadLogin
from cupboard.server.http.services import WithServices
from cupboard.server.http.visitor import Visitor
from cupboard.server.people.names import GUEST, called
from cupboard.server.wire.people import Login, Me, NewPassword, Rename, SignUp

Visit = Request[Any, Any, Any]
_PRIVATE = {"cache-control": "no-store"}
"""The headers of an answer that carries a cookie: no cache on the way may keep it."""


@get("/api/me", summary="Who the visitor is")
async def show_me(services: WithServices, request: Visit) -> Response[Me]:
    """The visitor's name, and the username if there is an account. The cookie is prolonged."""
    visitor = Visitor(services, request)
    person = await visitor.person()
    if person is None:
        return Response(_me(GUEST), headers=_PRIVATE)
    cookies = [services.cookie(visitor.cookie, person)]
    name = services.people.names.shown(person.name)
    return Response(_me(name, person.username), headers=_PRIVATE, cookies=cookies)


@put("/api/me", summary="Take another name")
async def rename_me(services: WithServices, request: Visit, data: JSONBody[Rename]) -> Response[Me]:
    """Change the name that the visitor takes seats under from now on."""
    visitor = Visitor(services, request)
    services.people.names.check(data.name)  # before there is a guest without a name
    person = await visitor.person_or_guest(data.name)
    person = await services.people.rename(person, data.name)
    return Response(_me(person.name, person.username), cookies=visitor.cookies())


@post("/api/account", summary="Make an account")
async def register(services: WithServices, request: Visit, data: JSONBody[SignUp]) -> Response[Me]:
    """Turn the guest into an account, which keeps the guest's games."""
    visitor = Visitor(services, request)
    services.sign_up.check_open()
    if services.sign_up.mode == "code":

        async def check_code() -> None:
            if not await services.classes.knows(data.code):
                services.sign_up.check_code(data.code)

        await visitor.trying_code(check_code)
    names = services.people.names
    name = names.check_username(data.username)
    services.limits.spend("accounts", visitor.address)
    person = await visitor.person_or_guest(name)
    visitor.change_cookie(*await services.people.register(person, data.username, data.password))
    services.backoff.succeeded((visitor.address, data.username.lower()))
    await services.tables.close_ended_sessions()
    shown = names.shown(person.name)
    return Response(_me(shown, data.username.lower()), status_code=201, cookies=visitor.cookies())


@put("/api/account/password", summary="Change the password")
async def change_password(services: WithServices, request: Visit, data: JSONBody[NewPassword]) -> Me:
    """Set a new password and sign out every other device of the account."""
    visitor = Visitor(services, request)
    person = await visitor.person()
    if person is None or not person.username:
        raise BadLogin(phrase("no.account"))
    await visitor.trying(
        person.username, lambda: services.people.change_password(person, visitor.cookie, data.old, data.new)
    )
    await services.tables.close_ended_sessions()
    return _me(services.people.names.shown(person.name), person.username)


@post("/api/session", summary="Sign in")
async def sign_in(services: WithServices, request: Visit, data: JSONBody[Login]) -> Response[Me]:
    """Sign in. The games of the guest who does become the account's."""
    visitor = Visitor(services, request)
    old = await visitor.person_who_leaves()
    person, cookie = await visitor.trying(
        data.username, lambda: services.people.sign_in(old, visitor.cookie, data.username, data.password)
    )
    visitor.change_cookie(person, cookie)
    await services.tables.close_ended_sessions()
    name = services.people.names.shown(person.name)
    return Response(_me(name, person.username), status_code=201, cookies=visitor.cookies())


@delete("/api/session", status_code=200, summary="Sign out")
async def sign_out(services: WithServices, request: Visit) -> Response[Me]:
    """End the session of this device."""
    visitor = Visitor(services, request)
    if (person := await visitor.person_who_leaves()) is not None:
        await services.people.sign_out(person, visitor.cookie)
        await services.tables.close_ended_sessions()
    return Response(_me(GUEST), cookies=[services.cookie("")])


def _me(name: str, username: str = "") -> Me:
    return Me(name, username, called(name))


HANDLERS = [show_me, rename_me, register, change_password, sign_in, sign_out]
