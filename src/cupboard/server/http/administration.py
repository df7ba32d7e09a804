"""The HTTP API of administration: only for whoever sends the token of the admin link, in a header.

A header is sent by no other site's page, and no answer is kept by anybody on the way.
"""

from __future__ import annotations

import logging
from typing import Annotated, Any

import msgspec
from litestar import Request, Response, delete, get, post, put
from litestar.connection import ASGIConnection
from litestar.datastructures import CacheControlHeader
from litestar.handlers import BaseRouteHandler
from litestar.params import FromPath, JSONBody, QueryParameter

from cupboard.core.words import phrase
from cupboard.server.administration.administration import By
from cupboard.server.errors import NotAdmin
from cupboard.server.http.services import Services, WithServices
from cupboard.server.http.visitor import address_of
from cupboard.server.people.people import same
from cupboard.server.watching.notes import Note
from cupboard.server.wire.administration import (
    AdminNow,
    AdminPerson,
    AdminPersonInfo,
    AdminTable,
    Done,
    EndGame,
    GivenPassword,
    NewName,
)

_LOG = logging.getLogger(__name__)
ADMIN_HEADER = "x-admin-token"
Visit = Request[Any, Any, Any]
Find = Annotated[str, QueryParameter(max_length=200)]
_LONGEST_TOKEN = 200


async def needs_admin(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """A guard: NotAdmin for whoever comes without the admin token; wrong ones are counted by address and logged."""
    services: Services = connection.app.state.services
    token = connection.headers.get(ADMIN_HEADER, "")
    if not token:
        raise NotAdmin(phrase("no.admin"))
    if same(token, services.shell_key):
        return
    if len(token) > _LONGEST_TOKEN or not await services.admin_link.fits(token):
        address = address_of(connection.scope)
        services.limits.spend("admin", address)
        _LOG.warning(Note("admin-token-wrong", address=address))
        raise NotAdmin(phrase("no.admin"))


def _who(services: Services, request: Visit) -> By:
    """Who is asking, for the log."""
    by_shell = same(request.headers.get(ADMIN_HEADER, ""), services.shell_key)
    return "shell" if by_shell else "link"


_ADMIN: dict[str, Any] = {
    "guards": [needs_admin],
    "cache_control": CacheControlHeader(no_store=True),
    "tags": ["administration"],
}


@get("/api/admin/now", summary="What is going on", **_ADMIN)
async def show_now(services: WithServices) -> AdminNow:
    """The tables in memory and who is connected, with a few counts."""
    return await services.administration.now()


@get("/api/admin/tables", summary="Find tables", **_ADMIN)
async def find_tables(services: WithServices, find: Find = "") -> list[AdminTable]:
    """The newest tables that the text says something of; without one those that are not over."""
    return await services.administration.find_tables(find)


@post("/api/admin/tables/{table:str}/end", status_code=200, summary="End a game", **_ADMIN)
async def end_game(services: WithServices, request: Visit, table: FromPath[str], data: JSONBody[EndGame]) -> Done:
    """End a game without a result, as a draw, or for a seat."""
    await services.administration.end_game(table, _who(services, request), data.winner, data.draw)
    return Done()


@post("/api/admin/tables/{table:str}/close", status_code=200, summary="Close a table", **_ADMIN)
async def close_table(services: WithServices, request: Visit, table: FromPath[str]) -> Done:
    """End the game of a table and its sockets; it can only be looked at from now on."""
    await services.administration.close_table(table, _who(services, request))
    return Done()


@get("/api/admin/people", summary="Find people", **_ADMIN)
async def find_people(services: WithServices, find: Find = "") -> list[AdminPerson]:
    """The newest people whose name or username contains the text, or whose id it is."""
    return await services.administration.find_people(find)


@get("/api/admin/people/{person:str}", summary="A person", **_ADMIN)
async def show_person(services: WithServices, person: FromPath[str]) -> AdminPersonInfo:
    """A person with their sessions and newest tables."""
    return await services.administration.person(person)


@post("/api/admin/people/{person:str}/ban", status_code=200, summary="Ban a person", **_ADMIN)
async def ban(services: WithServices, request: Visit, person: FromPath[str]) -> Done:
    """End a person's sessions and sockets at once, and let them in no more."""
    await services.administration.ban(person, _who(services, request))
    return Done()


@delete("/api/admin/people/{person:str}/ban", status_code=200, summary="Let a person in again", **_ADMIN)
async def unban(services: WithServices, request: Visit, person: FromPath[str]) -> Done:
    """Let a banned person in again."""
    await services.administration.unban(person, _who(services, request))
    return Done()


@put("/api/admin/people/{person:str}/name", summary="Rename a person", **_ADMIN)
async def rename(services: WithServices, request: Visit, person: FromPath[str], data: JSONBody[NewName]) -> AdminPerson:
    """Give a person another name, also at the tables where they play."""
    return await services.administration.rename(person, data.name, _who(services, request))


@post("/api/admin/people/{person:str}/password", status_code=200, summary="Reset a password", **_ADMIN)
async def reset_password(services: WithServices, request: Visit, person: FromPath[str]) -> GivenPassword:
    """Give an account a password made by chance, and end all its sessions."""
    return GivenPassword(await services.administration.reset_password(person, _who(services, request)))


@delete("/api/admin/people/{person:str}/sessions", status_code=200, summary="End all sessions", **_ADMIN)
async def end_sessions(services: WithServices, request: Visit, person: FromPath[str]) -> Done:
    """Sign a person out everywhere."""
    return Done(await services.administration.end_sessions(person, _who(services, request)))


@delete("/api/admin/people/{person:str}/sessions/{session:str}", status_code=200, summary="End a session", **_ADMIN)
async def end_session(services: WithServices, request: Visit, person: FromPath[str], session: FromPath[str]) -> Done:
    """Sign one browser of a person out."""
    return Done(await services.administration.end_sessions(person, _who(services, request), session))


@get("/api/admin/people/{person:str}/export", summary="Export a person's data", **_ADMIN)
async def export(services: WithServices, request: Visit, person: FromPath[str]) -> Response[bytes]:
    """All that is stored of a person but secrets, as a file."""
    found = await services.administration.export(person, _who(services, request))
    body = msgspec.json.format(msgspec.json.encode(found), indent=2)
    headers = {"content-disposition": f'attachment; filename="{found.id}.json"'}
    return Response(body, media_type="application/json", headers=headers)


@delete("/api/admin/people/{person:str}", status_code=200, summary="Delete a person's data", **_ADMIN)
async def delete_person(services: WithServices, request: Visit, person: FromPath[str]) -> Done:
    """Forget a person: nothing of it can be undone."""
    await services.administration.delete(person, _who(services, request))
    return Done()


HANDLERS = [
    show_now,
    find_tables,
    end_game,
    close_table,
    find_people,
    show_person,
    ban,
    unban,
    rename,
    reset_password,
    end_sessions,
    end_session,
    export,
    delete_person,
]
