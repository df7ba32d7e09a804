"""Rulebooks over HTTP: the numbered rules of a game, and all boards on which they can be seen in one answer."""

from __future__ import annotations

import asyncio
import gzip
from functools import cache, lru_cache
from typing import Any

from litestar import Request, Response, get
from litestar.params import FromPath, FromQuery
from msgspec.structs import replace

from cupboard.core.registry import find
from cupboard.core.rule_pages import rule_page
from cupboard.core.rulebook import RuleBoard, rulebook_of
from cupboard.core.scene import Mark
from cupboard.core.words import known, phrase
from cupboard.server.errors import NotFound
from cupboard.server.http.readiness import needs_rules
from cupboard.server.http.services import WithServices
from cupboard.server.http.visitor import Visitor
from cupboard.server.table.options import options_of
from cupboard.server.table.scenes import ENCODER, scene_of
from cupboard.server.wire.rulebooks import RulebookInfo, RuleScene

Visit = Request[Any, Any, Any]


@get("/api/games/{name:str}/rulebook", summary="The numbered rules")
async def show_rulebook(
    services: WithServices, request: Visit, name: FromPath[str], language: FromQuery[str] = "en"
) -> RulebookInfo:
    """The rules of a game by their numbers; in English when they have not been translated."""
    await Visitor(services, request).spend("boards")
    return await asyncio.to_thread(_rulebook, find(name).name, known(language))


@get(
    "/api/games/{name:str}/rulebook/boards",
    guards=[needs_rules],
    summary="The boards of the rules",
)
async def list_boards(services: WithServices, request: Visit, name: FromPath[str]) -> Response[tuple[RuleScene, ...]]:
    """All boards on which the rules of a game can be seen; none for a game without a rules.json."""
    await Visitor(services, request).spend("boards")
    plain, packed = await asyncio.to_thread(_encoded_boards, find(name).name)
    takes_packed = "gzip" in request.headers.get("accept-encoding", "")
    return Response(
        packed if takes_packed else plain,  # type: ignore[arg-type]  # encoded already
        media_type="application/json",
        headers={"vary": "accept-encoding"} | ({"content-encoding": "gzip"} if takes_packed else {}),
    )


@lru_cache(64)
def _rulebook(name: str, language: str) -> RulebookInfo:
    kind = find(name)
    page = rule_page(kind, language)
    if page is None:
        raise NotFound(phrase("no.rules"))
    book = rulebook_of(kind)
    boards = tuple(number for number, entry in book.rules.items() if entry.board is not None)
    return RulebookInfo(page.language, page.intro, page.groups, options_of(kind), book.numbers_by_key(), boards)


@cache
def _encoded_boards(name: str) -> tuple[bytes, bytes]:
    """The boards as JSON, plain and packed: scenes repeat their cells, so packing leaves a fiftieth."""
    plain = ENCODER.encode(_boards(name))
    return plain, gzip.compress(plain, mtime=0)


def _boards(name: str) -> tuple[RuleScene, ...]:
    kind = find(name)
    scenes: list[tuple[RuleBoard, RuleScene]] = []
    for number, entry in rulebook_of(kind).rules.items():
        board = entry.board
        if board is None:
            continue
        at = next((i for i, (other, _) in enumerate(scenes) if other == board), None)
        if at is not None:
            scenes[at] = board, replace(scenes[at][1], numbers=(*scenes[at][1].numbers, number))
            continue
        position, last = board.shown(kind)
        seat = board.looks_from(position)
        scene = scene_of(position.seen_by(seat), last)
        marks = tuple(Mark(mark.kind, mark.spot) for mark in board.marks if mark.kind != "hint")
        shown = RuleScene(
            numbers=(number,),
            scene=replace(scene, marks=(*scene.marks, *marks)),
            seat=seat,
            hinted=board.hinted(),
            seats=board.seats,
            options=board.options,
            position=board.position,
            moves=board.moves,
        )
        scenes.append((board, shown))
    return tuple(shown for _, shown in scenes)


HANDLERS = [show_rulebook, list_boards]
