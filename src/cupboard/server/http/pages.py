"""The files of the page, as they were built."""

from __future__ import annotations

from html import escape
from mimetypes import guess_type
from pathlib import Path
from typing import Any
from urllib.parse import quote

from litestar import Request, Response, get
from litestar.params import FromPath
from litestar.response import Redirect

from cupboard.core.words import languages, phrase, say
from cupboard.server.errors import NotFound
from cupboard.server.http.languages import language_of
from cupboard.server.http.services import Services, WithServices
from cupboard.server.public_url import PublicUrl

Visit = Request[Any, Any, Any]

PAGE = Path(__file__).parents[1] / "page"
_MISSING = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Cupboard</title>
<p>The server runs, but the page has not been built: install the package again, or run <code>npm run build</code>
in <code>web/</code>. The API is described at <a href="./docs">/docs</a>.</p></html>
"""
_HEAD, _HEAD_ENDS = b"<head>", b"</head>"
_BY_VISITOR = "accept-language, cookie"
_LANGUAGE = b'<html lang="en"'
_TOLD = '\n    <meta name="cupboard-url" content="{}" />'
_FOREVER = {"cache-control": "public, max-age=31536000, immutable"}
_FRESH = {"cache-control": "no-cache"}


@get(
    [
        "/",
        "/play/{game:str}",
        "/games",
        "/games/{game:str}",
        "/learn",
        "/learn/{game:str}",
        "/classes",
        "/class/{class_id:str}",
        "/join",
        "/join/{code:str}",
        "/embed/t/{table:str}",
        "/embed/explore/{game:str}",
    ],
    include_in_schema=False,
    sync_to_thread=False,
)
def index(services: WithServices, request: Visit) -> Response[bytes]:
    """The page's HTML; its script finds out what the address means."""
    return index_page(services.public_url, language_of(request))


@get("/rules", include_in_schema=False, sync_to_thread=False)
def all_rules(services: WithServices, request: Visit) -> Redirect:
    """To the rules in the visitor's language: their address carries it, so that a link shows all the same text."""
    return _in_language(services.public_url, request, "")


@get("/rules/{word:str}", include_in_schema=False, sync_to_thread=False)
def rules_in(services: WithServices, request: Visit, word: FromPath[str]) -> Response[Any]:
    """The rules of all games in a language; an older link to a game leads on to its rules in the visitor's language."""
    if word not in languages():
        return _in_language(services.public_url, request, f"/{quote(word)}")
    return _rules_page(services, request, word, "")


@get("/rules/{word:str}/{game:str}", include_in_schema=False, sync_to_thread=False)
def rules_of(services: WithServices, request: Visit, word: FromPath[str], game: FromPath[str]) -> Response[Any]:
    """The rules of a game in a language; of one that is not spoken here, to those in the visitor's language."""
    if word not in languages():
        return _in_language(services.public_url, request, f"/{quote(game)}")
    return _rules_page(services, request, word, f"/{quote(game)}")


def _in_language(url: PublicUrl, request: Visit, path: str) -> Redirect:
    query = f"?{request.url.query}" if request.url.query else ""
    headers = {"vary": _BY_VISITOR, "cache-control": "no-cache"}
    return Redirect(f"{url.prefix}/rules/{language_of(request)}{path}{query}", status_code=307, headers=headers)


def _rules_page(services: Services, request: Visit, language: str, path: str) -> Response[bytes]:
    """The page's HTML, with where the same rules are in the other languages."""
    answer, site = index_page(services.public_url, language), site_of(services, request)
    others = [(f"/{other}", other) for other in languages()] + [("", "x-default")]
    links = [
        f'<link rel="alternate" hreflang="{tag}" href="{escape(f"{site}/rules{word}{path}")}" />'
        for word, tag in others
    ]
    answer.content = answer.content.replace(_HEAD_ENDS, "\n    ".join(["", *links, ""]).encode() + _HEAD_ENDS, 1)
    return answer


@get("/admin", include_in_schema=False, sync_to_thread=False)
def admin_index(services: WithServices, request: Visit) -> Response[bytes]:
    """The page's HTML for whoever has the admin link: its token comes after the #, which browsers send to nobody."""
    answer = index_page(services.public_url, language_of(request))
    answer.headers.update({"cache-control": "no-store", "x-robots-tag": "noindex, nofollow"})
    return answer


def index_page(url: PublicUrl, language: str = "en") -> Response[bytes]:
    """An answer with the page's HTML in a language, or with a word about how to build it.

    The page is built with addresses relative to where the server begins, and has addresses of any depth: here they
    are told from the root of the site. Its script is told the public address, if there is one.
    """
    file = PAGE / "index.html"
    content = file.read_bytes() if file.is_file() else _MISSING.encode()
    content = content.replace(b'="./', f'="{url.prefix}/'.encode())
    content = content.replace(_LANGUAGE, f'<html lang="{language}"'.encode(), 1)
    if language != "en":
        described = phrase("page.description")
        content = content.replace(escape(say(described)).encode(), escape(say(described, language)).encode(), 1)
    if url.origin:
        content = content.replace(_HEAD, _HEAD + _TOLD.format(url.base).encode(), 1)
    return Response(content, media_type="text/html", headers=_FRESH | {"vary": _BY_VISITOR})


@get("/manifest.webmanifest", include_in_schema=False, sync_to_thread=False)
def manifest(request: Visit) -> Response[bytes]:
    """What a browser needs to install the page, in the visitor's language."""
    answer = _file("manifest.webmanifest")
    described = phrase("page.description")
    language = language_of(request)
    answer.content = answer.content.replace(say(described).encode(), say(described, language).encode(), 1)
    answer.headers["vary"] = _BY_VISITOR
    return answer


@get("/favicon.ico", include_in_schema=False, sync_to_thread=False)
def icon() -> Response[bytes]:
    """The icon, for browsers that show a picture without the page around it."""
    return _file("icon.svg")


@get("/{name:path}", include_in_schema=False, sync_to_thread=True)
def asset(name: FromPath[str]) -> Response[bytes]:
    """A file of the page. Those in assets/ carry a hash in their name and never change."""
    return _file(name)


def _file(name: str) -> Response[bytes]:
    try:
        file = (PAGE / name.lstrip("/")).resolve()
        if not file.is_relative_to(PAGE.resolve()) or not file.is_file():
            raise NotFound(phrase("no.address"))
    except (OSError, ValueError) as error:  # what can be no name of a file: too long, or with a NUL in it
        raise NotFound(phrase("no.address")) from error
    kind = guess_type(file.name)[0] or "application/octet-stream"
    return Response(file.read_bytes(), media_type=kind, headers=_FOREVER if "assets" in file.parts[-2:-1] else _FRESH)


def site_of(services: Services, request: Visit) -> str:
    """What the server is called, or else how the visitor calls it; the Host header has been checked before."""
    if services.public_url.base:
        return services.public_url.base
    return f"{'https' if services.settings.https else 'http'}://{request.headers.get('host', 'localhost')}"


HANDLERS = [index, all_rules, rules_in, rules_of, admin_index, manifest, icon, asset]
