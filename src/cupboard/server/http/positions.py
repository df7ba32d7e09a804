"""Positions in addresses: /explore/GAME?position=…&moves=… says all of a position, so that its link can be shared."""

from __future__ import annotations

import asyncio
from typing import Any, NamedTuple

import msgspec
from litestar import Request, Response, get
from litestar.params import FromPath, FromQuery

from cupboard.core.game import CHANCE, Move, Position, Seat
from cupboard.core.registry import load_with
from cupboard.core.svg import svg
from cupboard.core.words import known, phrase
from cupboard.server.errors import BadMessage
from cupboard.server.http.boards import moved
from cupboard.server.http.downloads import Theme
from cupboard.server.http.languages import language_of
from cupboard.server.http.readiness import needs_rules
from cupboard.server.http.services import WithServices
from cupboard.server.http.visitor import Visitor
from cupboard.server.table.scenes import scene_of
from cupboard.server.wire.boards import BoardTry

MOST_CHARACTERS = 6000
"""The longest query that is read; a longer game is shared as a record."""
_NAMES = ("seats", "options", "position", "moves")


class Asked(NamedTuple):
    """The position that an address speaks of."""

    position: Position[Any]
    last: tuple[Seat, Move] | None
    query: str
    """The part of the address that says which."""

    @property
    def viewer(self) -> Seat | None:
        """The seat from which it is shown: whoever is to act, as on the page."""
        return next((seat for seat in self.position.to_act if seat != CHANCE), 0)


def asked_position(name: str, request: Request[Any, Any, Any]) -> Asked:
    """The position of `?seats=2&options={"starter":"red"}&position=…&moves=A:5-6 B:10-9`, or a CupboardError."""
    query = request.url.query or ""
    if len(query) > MOST_CHARACTERS:
        raise BadMessage(phrase("no.longAddress"))
    said = {key: request.query_params.get(key, "") for key in _NAMES}
    try:
        board = msgspec.convert(
            {
                "seats": int(said["seats"]) if said["seats"] else None,
                "options": msgspec.json.decode(said["options"]) if said["options"] else {},
                "position": said["position"],
                "moves": said["moves"].split(),
            },
            BoardTry,
        )
    except (ValueError, RecursionError) as error:  # msgspec's errors are ValueErrors
        raise BadMessage(phrase("no.request", why=str(error)[:200])) from None
    game = load_with(name, board.seats, board.options)
    position, last = moved(game, board.position, board.moves)
    return Asked(position, last, query)


@get("/api/games/{name:str}/position.png", guards=[needs_rules], summary="A picture of a position as PNG")
async def position_png(
    services: WithServices,
    request: Request[Any, Any, Any],
    name: FromPath[str],
    theme: FromQuery[Theme] = "light",
    language: FromQuery[str | None] = None,
) -> Response[bytes]:
    """A position that somebody explores, as PNG: the query says which, as that of /explore/GAME does."""
    visitor = Visitor(services, request)
    await visitor.spend("pictures", 4)
    spoken = known(language) if language is not None else language_of(request)
    asked = await asyncio.to_thread(asked_position, name, request)

    def draw() -> str:
        return svg(scene_of(asked.position.seen_by(asked.viewer), asked.last), theme, spoken)

    key = ("position", name, asked.query, theme, spoken)
    png = await visitor.wait_for(services.gallery.png(key, await visitor.asker(), draw))
    return Response(png, media_type="image/png")


HANDLERS = [position_png]
