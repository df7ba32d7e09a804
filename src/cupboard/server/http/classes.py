"""The HTTP API of classes: for teachers all of their own, for members what is theirs, and the way in by a code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any
from urllib.parse import quote

from litestar import Request, Response, delete, get, post, put
from litestar.params import FromPath, FromQuery, JSONBody, PathParameter, QueryParameter

from cupboard.core.errors import CupboardError
from cupboard.core.words import known
from cupboard.server.classes.codes import is_way_back, read_code
from cupboard.server.classes.sheets import results_sheet, standings_sheet
from cupboard.server.errors import BadCode, GettingReady
from cupboard.server.http.services import Services, WithServices
from cupboard.server.http.visitor import Visitor
from cupboard.server.people.people import Person
from cupboard.server.wire.classes import (
    BoardInfo,
    BoardResult,
    ChangeMember,
    ClassInfo,
    ClassLists,
    JoinClass,
    Joined,
    JoinInfo,
    MemberView,
    MergeMembers,
    NewClass,
    NewRound,
    WayBack,
)

Visit = Request[Any, Any, Any]
Zone = Annotated[str, QueryParameter(max_length=64)]
_MOST_TOURNAMENTS = 1_000_000
"""Far more than anybody plays, and far less than the database can count."""
Tournament = Annotated[int, QueryParameter(ge=0, le=_MOST_TOURNAMENTS)]
After = Annotated[int, PathParameter(ge=0, le=_MOST_TOURNAMENTS)]


@get("/api/classes", summary="The visitor's classes")
async def list_classes(services: WithServices, request: Visit) -> ClassLists:
    """The classes that the visitor teaches, and those the visitor belongs to."""
    return await services.classes.of(await _person(services, request))


@post("/api/classes", summary="Make a class")
async def make_class(services: WithServices, request: Visit, data: JSONBody[NewClass]) -> ClassInfo:
    """A new class, of which the visitor, who needs an account, is the teacher."""
    person = await _person(services, request)
    return await services.classes.views.teachers(await services.classes.make(person, data.name))


@get("/api/classes/{class_id:str}", summary="A class as its teacher sees it")
async def show_class(services: WithServices, request: Visit, class_id: FromPath[str]) -> ClassInfo:
    """Members, standings and the tables of the last round, all at once; a page asks every few seconds."""
    await _teacher(services, request, class_id)
    return await services.classes.views.teachers(class_id)


@put("/api/classes/{class_id:str}", summary="Rename a class")
async def rename_class(
    services: WithServices, request: Visit, class_id: FromPath[str], data: JSONBody[NewClass]
) -> ClassInfo:
    """Give the class another name."""
    await _teacher(services, request, class_id)
    await services.classes.rename(class_id, data.name)
    return await services.classes.views.teachers(class_id)


@delete("/api/classes/{class_id:str}", summary="Delete a class")
async def delete_class(services: WithServices, request: Visit, class_id: FromPath[str]) -> None:
    """Forget the class with its members and results. The games stay with those who played them."""
    await _teacher(services, request, class_id)
    await services.classes.delete(class_id)


@post("/api/classes/{class_id:str}/code", summary="Renew the code of a class")
async def renew_code(services: WithServices, request: Visit, class_id: FromPath[str]) -> ClassInfo:
    """Another code to join by; the old one is void."""
    await _teacher(services, request, class_id)
    await services.classes.renew_code(class_id)
    return await services.classes.views.teachers(class_id)


@get("/api/classes/{class_id:str}/me", summary="A class as a member sees it")
async def show_membership(services: WithServices, request: Visit, class_id: FromPath[str]) -> MemberView:
    """The member's own games, and the table where the member is to play now."""
    return await services.classes.views.members(class_id, await _person(services, request))


# Members.


@put("/api/classes/{class_id:str}/members/{member:str}", summary="Rename a member")
async def change_member(
    services: WithServices, request: Visit, class_id: FromPath[str], member: FromPath[str], data: JSONBody[ChangeMember]
) -> ClassInfo:
    """Call a member something else, in this class and at its tables from now on."""
    await _teacher(services, request, class_id)
    await services.classes.members.rename(class_id, member, data.name)
    return await services.classes.views.teachers(class_id)


@delete("/api/classes/{class_id:str}/members/{member:str}", status_code=200, summary="Remove a member")
async def remove_member(
    services: WithServices, request: Visit, class_id: FromPath[str], member: FromPath[str]
) -> ClassInfo:
    """Remove a member, whose games still count."""
    await _teacher(services, request, class_id)
    await services.classes.members.remove(class_id, member)
    return await services.classes.views.teachers(class_id)


@post("/api/classes/{class_id:str}/members/{member:str}/way-back", summary="A way back for a member")
async def give_way_back(
    services: WithServices, request: Visit, class_id: FromPath[str], member: FromPath[str]
) -> WayBack:
    """A code by which a guest who has lost the cookie comes back, once and within an hour."""
    await _teacher(services, request, class_id)
    return await services.classes.members.way_back(class_id, member)


@post("/api/classes/{class_id:str}/members/{member:str}/merge", summary="Say that two members are one pupil")
async def merge_members(
    services: WithServices, request: Visit, class_id: FromPath[str], member: FromPath[str], data: JSONBody[MergeMembers]
) -> ClassInfo:
    """A guest who came again under another name is the member from before; both have all that either has played."""
    await _teacher(services, request, class_id)
    people = await services.classes.members.merge(class_id, member, data.into)
    await services.tables.chairs_changed(people)
    return await services.classes.views.teachers(class_id)


# Rounds.


@post("/api/classes/{class_id:str}/rounds", summary="Pair the next round")
async def pair_round(
    services: WithServices, request: Visit, class_id: FromPath[str], data: JSONBody[NewRound]
) -> ClassInfo:
    """Pair those who are present and lay their tables: the games begin at once."""
    teacher = await _teacher(services, request, class_id)
    services.limits.spend("rounds", teacher.id)
    try:
        await services.classes.rounds.pair(class_id, teacher, data)
    except GettingReady:
        services.limits.give_back("rounds", teacher.id)  # it comes again
        raise
    return await services.classes.views.teachers(class_id)


@get("/api/classes/{class_id:str}/rounds/{number:int}", summary="An earlier round")
async def show_round(
    services: WithServices, request: Visit, class_id: FromPath[str], number: FromPath[int]
) -> list[BoardInfo]:
    """The boards of a round of the present tournament."""
    await _teacher(services, request, class_id)
    return list(await services.classes.views.round(class_id, number))


@put("/api/classes/{class_id:str}/rounds/{number:int}/boards/{board:int}", summary="Enter a result")
async def enter_result(
    services: WithServices,
    request: Visit,
    class_id: FromPath[str],
    number: FromPath[int],
    board: FromPath[int],
    data: JSONBody[BoardResult],
) -> ClassInfo:
    """Enter a result by hand. A game that still runs ends with it."""
    await _teacher(services, request, class_id)
    await services.classes.rounds.give_score(class_id, number, board, data.score)
    return await services.classes.views.teachers(class_id)


@post("/api/classes/{class_id:str}/tournaments/{after:int}", summary="Begin the next tournament")
async def begin_tournament(services: WithServices, request: Visit, class_id: FromPath[str], after: After) -> ClassInfo:
    """After the present tournament, whose number is said, another in which nobody has points."""
    await _teacher(services, request, class_id)
    await services.classes.rounds.begin_tournament(class_id, after)
    return await services.classes.views.teachers(class_id)


# Sheets.


@get("/api/classes/{class_id:str}/results.csv", media_type="text/csv", summary="All results as a sheet")
async def results_csv(
    services: WithServices, request: Visit, class_id: FromPath[str], language: FromQuery[str] = "en", zone: Zone = ""
) -> Response[bytes]:
    """One row for each game of all tournaments, times in a zone such as Europe/Berlin."""
    await _teacher(services, request, class_id)
    record = await services.classes.rounds.read(class_id, 0)
    return _sheet(results_sheet(record, known(language), zone), f"{record.row.name} results.csv")


@get("/api/classes/{class_id:str}/standings.csv", media_type="text/csv", summary="The standings as a sheet")
async def standings_csv(
    services: WithServices,
    request: Visit,
    class_id: FromPath[str],
    language: FromQuery[str] = "en",
    tournament: Tournament = 0,
) -> Response[bytes]:
    """The standings of a tournament; 0 is the present one."""
    await _teacher(services, request, class_id)
    record = await services.classes.rounds.read(class_id, tournament or None)
    return _sheet(standings_sheet(record, known(language)), f"{record.row.name} standings.csv")


def _sheet(content: bytes, name: str) -> Response[bytes]:
    name = re.sub(r'[\\/:*?"<>|]', "_", name)  # which are no part of a file's name, and may lead elsewhere
    plain = "".join(sign if sign.isascii() and (sign.isalnum() or sign in " .-_") else "_" for sign in name)
    disposition = f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name, safe='')}"
    headers = {"content-disposition": disposition, "cache-control": "no-store"}
    return Response(content, media_type="text/csv", headers=headers)


# The way in.


@get("/api/join/{code:str}", summary="Where a code leads")
async def look_at_code(services: WithServices, request: Visit, code: FromPath[str]) -> JoinInfo:
    """The class that a code lets into, or the member whose way back it is."""
    visitor = Visitor(services, request)
    person = await visitor.person()
    with _counting_wrong_codes(services, visitor, person):
        return await services.classes.members.look(code, person)


@post("/api/join", summary="Join a class, or come back to it")
async def join_class(services: WithServices, request: Visit, data: JSONBody[JoinClass]) -> Response[Joined]:
    """Become a member of the class with this code. By a way back the visitor becomes the guest from before."""
    visitor = Visitor(services, request)
    old = await visitor.person()
    with _counting_wrong_codes(services, visitor, old):
        if is_way_back(read_code(data.code)):
            guest, cookie, joined = await services.classes.members.come_back(data.code, old, visitor.cookie)
            visitor.change_cookie(guest, cookie)
            await services.tables.close_ended_sessions()
        else:
            await services.classes.members.check(data.code, data.name, old)
            person = await visitor.person_or_guest(data.name)
            joined = await services.classes.members.join(data.code, data.name, person)
    return Response(joined, status_code=201, cookies=visitor.cookies())


@contextmanager
def _counting_wrong_codes(services: Services, visitor: Visitor, person: Person | None) -> Iterator[None]:
    """Within this a code is looked at, and counted if it is wrong: a right one is not, even if it lets nobody in."""
    who = person and person.id
    services.limits.spend_for("codes", who, visitor.address)
    try:
        yield
    except BadCode:
        raise
    except CupboardError:
        services.limits.give_back_for("codes", who, visitor.address)
        raise
    services.limits.give_back_for("codes", who, visitor.address)


async def _person(services: Services, request: Visit) -> Person | None:
    """Who asks about classes, as often as that is allowed."""
    visitor = Visitor(services, request)
    person = await visitor.person()
    services.limits.spend("classes", person.id if person is not None else ("address", visitor.address))
    return person


async def _teacher(services: Services, request: Visit, class_id: str) -> Person:
    """The teacher of the class who asks; NotTheTeacher for anybody else."""
    return await services.classes.check_teacher(class_id, await _person(services, request))


HANDLERS = [
    list_classes,
    make_class,
    show_class,
    rename_class,
    delete_class,
    renew_code,
    show_membership,
    change_member,
    remove_member,
    give_way_back,
    merge_members,
    pair_round,
    show_round,
    enter_result,
    begin_tournament,
    results_csv,
    standings_csv,
    look_at_code,
    join_class,
]
