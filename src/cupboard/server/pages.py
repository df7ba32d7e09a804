"""The page itself, and the reference of the API: both without anything from elsewhere on the net."""

from __future__ import annotations

from html import escape
from mimetypes import guess_type
from pathlib import Path
from typing import Any

from litestar import Request, Response, get
from litestar.params import FromPath

from cupboard.server.errors import NotFound

PAGE = Path(__file__).parent / "page"
_MISSING = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Cupboard</title>
<p>The server runs, but the page has not been built: install the package again, or run <code>npm run build</code>
in <code>web/</code>. The API is described at <a href="/docs">/docs</a>.</p></html>
"""
_FOREVER = {"cache-control": "public, max-age=31536000, immutable"}
_FRESH = {"cache-control": "no-cache"}


@get(["/", "/t/{table:str}", "/play/{game:str}"], include_in_schema=False, sync_to_thread=False)
def index() -> Response[bytes]:
    """The page; it finds out by itself what its address means."""
    file = PAGE / "index.html"
    content = file.read_bytes() if file.is_file() else _MISSING.encode()
    return Response(content, media_type="text/html", headers=_FRESH)


@get("/{name:path}", include_in_schema=False, sync_to_thread=True)
def asset(name: FromPath[str]) -> Response[bytes]:
    """A file of the page. Those in assets/ carry a hash in their name and never change."""
    file = (PAGE / name.lstrip("/")).resolve()
    if not file.is_relative_to(PAGE.resolve()) or not file.is_file():
        raise NotFound("There is nothing at this address.")
    kind = guess_type(file.name)[0] or "application/octet-stream"
    return Response(file.read_bytes(), media_type=kind, headers=_FOREVER if "assets" in file.parts[-2:-1] else _FRESH)


@get("/docs", include_in_schema=False, sync_to_thread=True)
def docs(request: Request[Any, Any, Any]) -> Response[str]:
    """The reference, written out from the OpenAPI schema. No scripts."""
    schema = request.app.openapi_schema.to_schema()
    return Response(_reference(schema), media_type="text/html")


def _reference(schema: dict[str, Any]) -> str:
    parts = [
        "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>"
        "<title>Cupboard: the API</title><style>body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem "
        "auto;padding:0 1rem}code,pre{background:#8882;border-radius:4px;padding:.1em .3em}td,th{text-align:left;"
        "vertical-align:top;padding:.2em 1em .2em 0}h3{margin-top:2em}</style>",
        "<h1>Cupboard: the API</h1><p>Messages over the socket <code>/api/tables/{table}/socket</code> are described "
        "in docs/wire.md. This page as data: <a href='/api/schema/openapi.json'>openapi.json</a>. "
        "Refused requests answer <code>{code, sentence}</code>.</p>",
    ]
    for path, methods in sorted(schema["paths"].items()):
        for method, operation in methods.items():
            parts.append(f"<h3><code>{method.upper()} {escape(path)}</code></h3>")
            parts.append(f"<p>{escape(operation.get('summary', ''))}. {escape(operation.get('description', ''))}</p>")
            parts.append(_parameters(operation))
            body = operation.get("requestBody", {}).get("content", {})
            for kind in body.values():
                parts.append(f"<p>Takes {_link(kind['schema'])}</p>")
            for status, answer in operation.get("responses", {}).items():
                for kind in answer.get("content", {}).values():
                    if status.startswith("2"):
                        parts.append(f"<p>Answers {status}: {_link(kind.get('schema', {}))}</p>")
    parts.append("<h2>Structures</h2>")
    for name, struct in sorted(schema.get("components", {}).get("schemas", {}).items()):
        parts.append(f"<h3 id='{escape(name)}'>{escape(name)}</h3><table>")
        required = struct.get("required", [])
        for field, kind in struct.get("properties", {}).items():
            mark = "" if field in required else " (may be left out)"
            parts.append(f"<tr><td><code>{escape(field)}</code></td><td>{_link(kind)}{mark}</td></tr>")
        parts.append("</table>")
    return "".join(parts) + "</html>"


def _parameters(operation: dict[str, Any]) -> str:
    rows = "".join(
        f"<tr><td><code>{escape(p['name'])}</code></td><td>in the {escape(p['in'])}</td>"
        f"<td>{_link(p.get('schema', {}))}</td></tr>"
        for p in operation.get("parameters", [])
    )
    return f"<table>{rows}</table>" if rows else ""


def _link(kind: dict[str, Any]) -> str:
    if "$ref" in kind:
        name = escape(kind["$ref"].rpartition("/")[2])
        return f"<a href='#{name}'>{name}</a>"
    if "items" in kind and isinstance(kind["items"], dict):
        return f"list of {_link(kind['items'])}"
    if "oneOf" in kind:
        return " or ".join(_link(part) for part in kind["oneOf"])
    if "enum" in kind:
        return " or ".join(f"<code>{escape(str(value))}</code>" for value in kind["enum"])
    return escape(str(kind.get("type", "anything")))


HANDLERS = [index, docs, asset]
