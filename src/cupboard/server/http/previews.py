"""Pages with a preview for chats: a link to a table or a position that is pasted elsewhere shows the board."""

from __future__ import annotations

import asyncio
from html import escape
from typing import Any

from litestar import Request, Response, get
from litestar.params import FromPath, FromQuery

from cupboard.core.errors import CupboardError
from cupboard.core.words import phrase, say
from cupboard.server.http.languages import language_of
from cupboard.server.http.pages import index_page, site_of
from cupboard.server.http.positions import asked_position
from cupboard.server.http.services import Services, WithServices
from cupboard.server.http.visitor import Visitor

_PATIENCE = 2.0
"""Seconds for which the page may wait for what its preview shows: the game may be compiled just now."""
_HEAD_ENDS = b"</head>"


@get("/t/{table:str}", include_in_schema=False)
async def table_page(
    services: WithServices, request: Request[Any, Any, Any], table: FromPath[str], at: FromQuery[str] = ""
) -> Response[bytes]:
    """The page's HTML with Open Graph tags for the table, now or after so many events, if there is such a table."""
    try:
        await Visitor(services, request).spend("logs")
        async with asyncio.timeout(_PATIENCE):
            info = (await services.tables.room(table)).info(frozenset())
    except (CupboardError, TimeoutError):  # the page itself says what is wrong, in the visitor's language
        return index_page(services.public_url, language_of(request))
    language, site = language_of(request), site_of(services, request)
    version = min(int(at), info.version) if at.isdecimal() and len(at) < 8 else info.version
    is_now = version == info.version
    what = phrase(f"preview.now.{info.status}") if info.outcome is None else info.outcome.sentence
    names = [say(seat.words, language) if seat.words else seat.name for seat in info.seats]
    return _with_tags(
        services,
        language,
        title=say(phrase("preview.heading", game=info.title, names=" – ".join(filter(None, names))), language),
        description=say(what if is_now else phrase("preview.moment"), language),
        url=f"{site}/t/{info.id}" + ("" if is_now else f"?at={version}"),
        image=f"{site}/api/tables/{info.id}/picture.png?version={version}&language={language}",
    )


@get(["/explore", "/explore/{game:str}"], include_in_schema=False)
async def explore_page(
    services: WithServices, request: Request[Any, Any, Any], game: FromPath[str] = ""
) -> Response[bytes]:
    """The page's HTML with Open Graph tags for the position of the address; without them where it says none."""
    try:
        await Visitor(services, request).spend("boards", 4)
        asked = await asyncio.to_thread(asked_position, game, request)
    except CupboardError:
        return index_page(services.public_url, language_of(request))
    language, site = language_of(request), site_of(services, request)
    scene = asked.position.seen_by(asked.viewer).scene()
    title = phrase("preview.heading", game=scene.title, names=phrase("preview.explore"))
    more = f"{asked.query}&" if asked.query else ""
    return _with_tags(
        services,
        language,
        title=say(title, language),
        description=say(scene.status, language),
        url=f"{site}/explore/{asked.position.game.name}" + (f"?{asked.query}" if asked.query else ""),
        image=f"{site}/api/games/{asked.position.game.name}/position.png?{more}language={language}",
    )


def _with_tags(
    services: Services, language: str, title: str, description: str, url: str, image: str
) -> Response[bytes]:
    """The page's HTML with these Open Graph tags."""
    answer = index_page(services.public_url, language)
    before, head_ends, after = answer.content.partition(_HEAD_ENDS)
    if not head_ends:
        return answer
    said = {
        "og:type": "website",
        "og:site_name": "Cupboard",
        "og:title": title,
        "og:description": description,
        "og:url": url,
        "og:image": image,
        "og:image:alt": title,
    }
    tags = [f'<meta property="{name}" content="{escape(text)}" />' for name, text in said.items()]
    card = '<meta name="twitter:card" content="summary_large_image" />'
    answer.content = before + "\n    ".join(["", *tags, card, ""]).encode() + head_ends + after
    return answer


HANDLERS = [table_page, explore_page]
