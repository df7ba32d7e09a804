"""The reference of the API at /docs: written out here, so that it needs no script and nothing from elsewhere."""

from __future__ import annotations

from html import escape
from typing import Any

from litestar import Request, Response, get

from cupboard.server.http.services import WithServices
from cupboard.server.public_url import PublicUrl

_STYLE = """
:root { color-scheme: light dark; background: light-dark(#f6f1e7, #1d1b19); color: light-dark(#2b2622, #efe7da); }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
a { color: light-dark(#1f6c62, #6fcabd); }
code { background: #8882; border-radius: 4px; padding: .1em .3em; overflow-wrap: anywhere; }
h2, h3 { font-size: 1.2rem; margin-top: 2em; }
td { vertical-align: top; padding: .2em 1em .2em 0; }
"""


@get("/docs", include_in_schema=False, sync_to_thread=True)
def docs(services: WithServices, request: Request[Any, Any, Any]) -> Response[str]:
    """The API's reference as one page of HTML, made from the OpenAPI schema."""
    state = request.app.state
    if "reference" not in state:  # written once: it takes 40 ms, and players would wait for it
        state["reference"] = _reference(request.app.openapi_schema.to_schema(), services.public_url)
    return Response(state["reference"], media_type="text/html")


@get("/docs.css", include_in_schema=False, sync_to_thread=False)
def style() -> Response[str]:
    """The style sheet of /docs. It is a file of its own because the content security policy allows nothing inline."""
    return Response(_STYLE, media_type="text/css")


def _reference(schema: dict[str, Any], url: PublicUrl) -> str:
    parts = [
        "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>"
        f"<title>Cupboard: the API</title><link rel=icon href={url.prefix}/icon.svg>"
        f"<link rel=stylesheet href={url.prefix}/docs.css>",
        "<main><h1>Cupboard: the API</h1><p>Messages over the socket <code>/api/tables/{table}/socket</code> "
        "are described in docs/wire.md. This page as data: "
        f"<a href='{url.prefix}/api/schema/openapi.json'>openapi.json</a>. "
        "Refused requests answer <code>{code, sentence}</code>.</p>",
    ]
    if url.origin:
        parts.append(f"<p>All addresses begin with <code>{url.base}</code>.</p>")
    for path, methods in sorted(schema["paths"].items()):
        for method, operation in methods.items():
            parts.append(f"<h2><code>{method.upper()} {escape(path)}</code></h2>")
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
    return "".join(parts) + "</main></html>"


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
    return escape(str(kind.get("title") or kind.get("type", "anything")))


HANDLERS = [docs, style]
