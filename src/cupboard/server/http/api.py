"""The HTTP API of games, tables and seats. docs/wire.md lists it."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any

from litestar import Request, Response, get, post
from litestar.params import FromPath, JSONBody, QueryParameter

from cupboard import __version__
from cupboard.core.changes import change
from cupboard.core.game import Seat
from cupboard.core.lessons import lessons_of
from cupboard.core.registry import find, load, names
from cupboard.core.scene import Scene
from cupboard.core.words import catalogue, known, phrase
from cupboard.server.errors import BadInvite, GettingReady, NotYourSeat
from cupboard.server.http.readiness import needs_rules
from cupboard.server.http.services import WithServices
from cupboard.server.http.visitor import Visitor
from cupboard.server.table.bots import levels
from cupboard.server.table.options import options_of
from cupboard.server.table.scenes import ENCODER, scene_of
from cupboard.server.table.state import TableState
from cupboard.server.wire.games import GameInfo, LoosePiece
from cupboard.server.wire.server_messages import Event
from cupboard.server.wire.tables import (
    Invite,
    Key,
    Lobby,
    Mine,
    NewTable,
    SceneAt,
    SeatTaken,
    TableInfo,
    TableMade,
    TakeSeat,
)

Visit = Request[Any, Any, Any]
Version = Annotated[int, QueryParameter(ge=0, le=1_000_000)]
Until = Annotated[int | None, QueryParameter(ge=0, le=1_000_000)]
MOST_SCENES = 400
MOST_EVENTS = 500


@get("/api/health", sync_to_thread=False, summary="Whether the server runs")
def health() -> dict[str, str]:
    """The version of the program, for monitoring."""
    return {"version": __version__}


@get("/api/games", sync_to_thread=True, summary="The games in the cupboard")
def list_games() -> list[GameInfo]:
    """All games with their options and the levels of their bots."""
    return [_game(name) for name in names()]


@cache
def _game(name: str) -> GameInfo:
    kind = find(name)
    game = kind()
    return GameInfo(
        kind.name,
        kind.title,
        kind.blurb,
        kind.minutes,
        kind.SEATS,
        options_of(kind),
        levels([kind(seats) for seats in kind.SEATS]),
        kind.TINTS,
        game.has_secrets,
        kind.can_be_drawn,
        len(lessons_of(kind).steps),
        tuple(LoosePiece(*piece) for piece in kind.LOOSE),
    )


@get("/api/words/{language:str}", sync_to_thread=True, summary="What the words of scenes and refusals mean")
def list_words(language: FromPath[str]) -> dict[str, str | dict[str, str]]:
    """The catalogue of a language, en or another; what it lacks is English."""
    return dict(catalogue(known(language)))


@get("/api/games/{name:str}/scene", guards=[needs_rules], sync_to_thread=True, summary="How a game begins")
def start_scene(name: FromPath[str]) -> SceneAt:
    """The scene of the position a game starts from."""
    return SceneAt(0, load(name).start().seen_by(None).scene())


@post("/api/tables", summary="Lay a table")
async def lay_table(services: WithServices, request: Visit, data: JSONBody[NewTable]) -> Response[TableMade]:
    """Lay a new table. A visitor without a cookie becomes a guest."""
    visitor = Visitor(services, request)
    asker = await visitor.person()
    place = asker and asker.id, visitor.address
    services.limits.spend_for("tables", *place)
    maker = await visitor.person_or_guest()
    try:
        room = await services.tables.lay(data, maker)
    except GettingReady:
        services.limits.give_back_for("tables", *place)  # it comes again
        raise
    yours = services.access.held(room.plan, maker, ())
    made = TableMade(room.info(yours), services.access.keys(room.plan, yours), services.access.invites(room.plan))
    return Response(made, status_code=201, cookies=visitor.cookies())


@get("/api/tables", summary="Tables to join and to watch")
async def list_tables(services: WithServices) -> Lobby:
    """The tables that are listed for everybody, newest first."""
    return await services.lists.lobby()


@get("/api/mine", summary="The visitor's own games")
async def list_mine(services: WithServices, request: Visit) -> Mine:
    """The visitor's running and finished games, newest first."""
    return await services.lists.mine(await Visitor(services, request).person())


@get("/api/tables/{table:str}", summary="A table")
async def show_table(services: WithServices, request: Visit, table: FromPath[str]) -> TableInfo:
    """The table as anybody may see it, and the seats that are the visitor's."""
    room = await services.tables.room(table)
    return room.info(await Visitor(services, request).held(room.plan))


@post("/api/tables/{table:str}/seats/{seat:int}", summary="Take a seat")
async def take_seat(
    services: WithServices, request: Visit, table: FromPath[str], seat: FromPath[int], data: JSONBody[TakeSeat]
) -> Response[SeatTaken]:
    """Take a free seat. The game begins when the last one is taken."""
    visitor = Visitor(services, request)
    room = await services.tables.room(table)
    room.check_seat(seat)
    try:
        services.access.check_invite(room.plan, room.plan.chairs[seat], data.invite)
    except BadInvite:
        if not services.access.is_invite(room.plan, data.invite):  # another seat's is no guess
            services.limits.spend("links", visitor.address)
        raise
    names = services.people.names
    name = names.check(data.name)
    person = await visitor.person_or_guest(name)
    await room.take(seat, person, name or names.shown(person.name))
    (key,) = services.access.keys(room.plan, frozenset({seat}))
    yours = services.access.held(room.plan, person, ())
    return Response(SeatTaken(room.info(yours), key), status_code=201, cookies=visitor.cookies())


@get("/api/tables/{table:str}/keys", summary="The tokens of the visitor's seats")
async def list_keys(services: WithServices, request: Visit, table: FromPath[str]) -> list[Key]:
    """The tokens of the visitor's seats, for playing on with another device."""
    room = await services.tables.room(table)
    return list(services.access.keys(room.plan, await Visitor(services, request).held(room.plan)))


@get("/api/tables/{table:str}/invites", summary="The invites of the free seats")
async def list_invites(services: WithServices, request: Visit, table: FromPath[str]) -> list[Invite]:
    """The invites of the free seats, for those at the table and its maker."""
    visitor = Visitor(services, request)
    room = await services.tables.room(table)
    person = await visitor.person()
    if not await visitor.held(room.plan) and (person is None or person.id != room.plan.maker):
        raise NotYourSeat(phrase("no.inviting"))
    return list(services.access.invites(room.plan))


@get("/api/tables/{table:str}/events", summary="The log of a table")
async def list_events(
    services: WithServices, request: Visit, table: FromPath[str], since: Version = 0
) -> Response[list[Event]]:
    """The log as the visitor may see it: at most 500 events, and the header Link says where the next ones are."""
    visitor = Visitor(services, request)
    await visitor.spend("logs")
    room = await services.tables.room(table)
    events = room.updates.events(since, await visitor.held(room.plan), since + MOST_EVENTS)
    more = since + MOST_EVENTS < room.state.version
    link = f'<{services.public_url.prefix}/api/tables/{room.plan.id}/events?since={since + MOST_EVENTS}>; rel="next"'
    return Response(list(events), headers={"link": link} if more else {})


@get("/api/tables/{table:str}/scenes", summary="Scenes for stepping through a game")
async def list_scenes(
    services: WithServices, request: Visit, table: FromPath[str], since: Version = 0, until: Until = None
) -> Response[list[SceneAt]]:
    """The scene at `since`, and how it changed with every change of the position after it."""
    visitor = Visitor(services, request)
    await visitor.spend("pictures")
    room = await services.tables.room(table)
    held = await visitor.held(room.plan)
    viewer = next(iter(held)) if len(held) == 1 else None
    last = room.state.version if until is None else min(until, room.state.version)
    # A long game takes a tenth of a second to draw: other tables do not wait for it.
    scenes = services.gallery.draw(
        ("scenes", table, since, last, viewer),
        await visitor.asker(),
        lambda: ENCODER.encode(_scenes(room.state, since, last, viewer)),
    )
    return Response(await visitor.wait_for(scenes), media_type="application/json")  # type: ignore[arg-type]


def _scenes(state: TableState, since: int, until: int, viewer: Seat | None) -> list[SceneAt]:
    out: list[SceneAt] = []
    before: Scene | None = None
    for version, position, moved in state.positions(since, until)[:MOST_SCENES]:
        scene = scene_of(position.seen_by(viewer), moved)
        if before is None:
            out.append(SceneAt(version, scene))
        else:
            out.append(SceneAt(version, change=change(before.parts, scene)))
        before = scene
    return out


HANDLERS = [
    health,
    list_games,
    list_words,
    start_scene,
    lay_table,
    list_tables,
    list_mine,
    show_table,
    take_seat,
    list_keys,
    list_invites,
    list_events,
    list_scenes,
]
