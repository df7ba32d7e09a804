"""Downloads: the rules of the games, and the records, pictures and motions of tables."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import lru_cache
from typing import Annotated, Any, Literal

from litestar import Request, Response, get
from litestar.params import FromPath, FromQuery, QueryParameter

from cupboard.core.game import letter
from cupboard.core.record import Record, RecordedMove
from cupboard.core.registry import find, load
from cupboard.core.rule_pages import rule_text
from cupboard.core.svg import svg
from cupboard.core.words import known, phrase, say
from cupboard.server.errors import NotFound, NotOver
from cupboard.server.http.languages import language_of
from cupboard.server.http.readiness import needs_rules
from cupboard.server.http.services import WithServices
from cupboard.server.http.visitor import Visitor
from cupboard.server.table.room import Room
from cupboard.server.table.scenes import scene_of
from cupboard.server.table.storage import read_motion

Visit = Request[Any, Any, Any]
At = Annotated[int | None, QueryParameter(ge=0, le=1_000_000)]
Theme = Literal["light", "dark"]
_MOST_EVENTS = 1_000_000
_FOR_EVER = {"content-encoding": "deflate", "cache-control": "private, max-age=31536000, immutable"}
"""The headers of a motion, which is stored as it is sent and never changes."""


@get("/api/games/{name:str}/rules", media_type="text/markdown", sync_to_thread=True, summary="The rules")
def rules(name: FromPath[str], language: FromQuery[str] = "en") -> Response[str]:
    """The rules of a game as Markdown; in English when they have not been translated."""
    text, spoken = rule_text(find(name), language)
    if not text:
        raise NotFound(phrase("no.rules"))
    return Response(text, headers={"content-language": spoken})


@get(
    "/api/games/{name:str}/picture.svg",
    guards=[needs_rules],
    sync_to_thread=True,
    summary="A picture of how a game begins",
)
def start_picture(
    request: Visit, name: FromPath[str], theme: FromQuery[Theme] = "light", language: FromQuery[str | None] = None
) -> Response[bytes]:
    """The position a game starts from, as SVG."""
    return _svg(_start_picture(find(name).name, theme, _spoken(request, language)))


@lru_cache(64)
def _start_picture(name: str, theme: Theme, language: str) -> str:
    return svg(scene_of(load(name).start().seen_by(None), None), theme, language)


@get("/api/tables/{table:str}/record.game", summary="The record as text")
async def record_text(services: WithServices, request: Visit, table: FromPath[str]) -> Response[str]:
    """The moves of a table as a text that `cupboard replay` reads."""
    await Visitor(services, request).spend("logs")
    record = str(record_of(await services.tables.room(table)))
    return Response(record, media_type="text/plain", headers=_download(f"{table}.game"))


@get("/api/tables/{table:str}/record.json", summary="The record as JSON")
async def record_json(services: WithServices, request: Visit, table: FromPath[str]) -> Response[dict[str, object]]:
    """The record of a table as JSON."""
    await Visitor(services, request).spend("logs")
    record = record_of(await services.tables.room(table)).to_json()
    return Response(record, headers=_download(f"{table}.json"))


@get("/api/tables/{table:str}/picture.svg", summary="A picture of a table")
async def picture_svg(
    services: WithServices,
    request: Visit,
    table: FromPath[str],
    version: At = None,
    theme: FromQuery[Theme] = "light",
    language: FromQuery[str | None] = None,
) -> Response[bytes]:
    """The board of a table as SVG, now or as it was at a version."""
    visitor = Visitor(services, request)
    key, draw = await _drawing(visitor, table, version, theme, _spoken(request, language))
    return _svg(await visitor.wait_for(services.gallery.draw(key, await visitor.asker(), draw)))


@get("/api/tables/{table:str}/picture.png", summary="A picture of a table as PNG")
async def picture_png(
    services: WithServices,
    request: Visit,
    table: FromPath[str],
    version: At = None,
    theme: FromQuery[Theme] = "light",
    language: FromQuery[str | None] = None,
) -> Response[bytes]:
    """The board of a table as PNG, for chats that show no SVG."""
    visitor = Visitor(services, request)
    key, draw = await _drawing(visitor, table, version, theme, _spoken(request, language))
    png = await visitor.wait_for(services.gallery.png(key, await visitor.asker(), draw))
    return Response(png, media_type="image/png")


@get("/api/tables/{table:str}/motions/{n:int}", media_type="application/octet-stream", summary="A motion of a table")
async def motion(services: WithServices, request: Visit, table: FromPath[str], n: FromPath[int]) -> Response[bytes]:
    """How nature's move, event `n`, came about: docs/motion.md has the format. It is as public as the move."""
    await Visitor(services, request).spend("pictures")
    data = await services.store.read(read_motion, table, n) if 0 <= n <= _MOST_EVENTS else None
    if data is None:
        raise NotFound(phrase("no.motion"))
    return Response(data, media_type="application/octet-stream", headers=_FOR_EVER)


async def _drawing(
    visitor: Visitor, table: str, version: int | None, theme: Theme, language: str
) -> tuple[Hashable, Callable[[], str]]:
    """A key that says what the picture shows, and a function that draws it. Equal keys are one picture."""
    services = visitor.services
    await visitor.spend("pictures")
    room = await services.tables.room(table)
    held = await visitor.held(room.plan)
    state = room.state
    viewer = next(iter(held)) if len(held) == 1 and state.game.has_secrets else None
    present = state.changed, state.position, state.last
    names = {seat.seat: say(seat.words, language) if seat.words else seat.name for seat in room.info(frozenset()).seats}
    shown = version if version is not None and version < state.version else state.changed

    def draw() -> str:
        _, position, last = present if shown == present[0] else state.positions(shown, shown)[-1]
        return svg(scene_of(position.seen_by(viewer), last), theme, language, names)

    return (table, shown, viewer, theme, language, *names.items()), draw


def _spoken(request: Visit, language: str | None) -> str:
    """The language that was asked for, English where there is none such; else the visitor's."""
    return language_of(request) if language is None else known(language)


def record_of(room: Room) -> Record:
    """The record of a table; NotOver while it would give secrets away."""
    state, plan = room.state, room.plan
    if plan.game.has_secrets and state.outcome is None:
        raise NotOver(phrase("no.record"))
    tags = {letter(chair.seat): _plain(chair.name) for chair in plan.chairs if chair.name}
    moves = tuple(RecordedMove(state.entries[n].seat or 0, state.entries[n].text) for n in state.played)
    result = "*"
    if state.outcome is not None and state.position.is_over:
        winners = ",".join(letter(seat) for seat in state.outcome.winners)
        result = f"{winners} {state.outcome.reason}"
    elif state.outcome is not None:
        # A record's result follows from its moves; what people decided stands beside it.
        tags["Termination"] = str(state.outcome.sentence)
    return Record(plan.game, moves, tags, result)


def _plain(name: str) -> str:
    return " ".join(name.split())


def _svg(text: str) -> Response[bytes]:
    return Response(text.encode(), media_type="image/svg+xml")


def _download(name: str) -> dict[str, str]:
    return {"content-disposition": f'attachment; filename="{name}"'}


HANDLERS = [rules, start_picture, record_text, record_json, picture_svg, picture_png, motion]
