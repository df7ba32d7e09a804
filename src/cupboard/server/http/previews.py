"""The page of a table with a preview for chats: a link that is pasted elsewhere shows the board and the players."""

from __future__ import annotations

from html import escape
from typing import Any

from litestar import Request, Response, get
from litestar.params import FromPath

from cupboard.core.errors import CupboardError
from cupboard.core.words import known, phrase, say
from cupboard.server.http.pages import index_page
from cupboard.server.http.services import Services, WithServices
from cupboard.server.http.visitor import Visitor
from cupboard.server.wire.tables import TableInfo

_HEAD_ENDS = b"</head>"


@get("/t/{table:str}", include_in_schema=False)
async def table_page(services: WithServices, request: Request[Any, Any, Any], table: FromPath[str]) -> Response[bytes]:
    """The page's HTML with Open Graph tags for the table; without them where there is no such table."""
    answer = index_page()
    before, head_ends, after = answer.content.partition(_HEAD_ENDS)
    try:
        services.limits.spend("logs", Visitor(services, request).address)
        info = (await services.tables.room(table)).info(frozenset())
    except CupboardError:  # the page itself says what is wrong, in the visitor's language
        return answer
    tags = _tags(info, _site(services, request), _language(request)) if head_ends else ""
    answer.content = before + tags.encode() + head_ends + after
    return answer


def _tags(info: TableInfo, site: str, language: str) -> str:
    names = [say(seat.words, language) if seat.words else seat.name for seat in info.seats]
    title = say(phrase("preview.heading", game=info.title, names=" – ".join(filter(None, names))), language)
    what = phrase(f"preview.now.{info.status}") if info.outcome is None else info.outcome.sentence
    said = {
        "og:type": "website",
        "og:site_name": "Cupboard",
        "og:title": title,
        "og:description": say(what, language),
        "og:url": f"{site}/t/{info.id}",
        "og:image": f"{site}/api/tables/{info.id}/picture.png?version={info.version}&language={language}",
        "og:image:alt": title,
    }
    tags = [f'<meta property="{name}" content="{escape(text)}" />' for name, text in said.items()]
    return "\n    ".join(["", *tags, '<meta name="twitter:card" content="summary_large_image" />', ""])


def _site(services: Services, request: Request[Any, Any, Any]) -> str:
    """How the visitor calls this server; the Host header has been checked before."""
    return f"{'https' if services.settings.https else 'http'}://{request.headers.get('host', 'localhost')}"


def _language(request: Request[Any, Any, Any]) -> str:
    return known(request.headers.get("accept-language", "en")[:2].lower())


HANDLERS = [table_page]
