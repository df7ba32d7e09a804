"""Requests under a wrong name, for which mostly a proxy is to blame: what the visitor and the log are told of the cure.

A browser that asks for a page gets a page, which says so to the visitor and to whoever runs the server.
"""

from __future__ import annotations

import base64
import hashlib
import logging
import re
from html import escape
from urllib.parse import urlsplit

from cupboard.core.errors import CupboardError
from cupboard.core.words import Words, phrase, say, spoken
from cupboard.server.errors import BadOrigin, UnknownHost
from cupboard.server.http.asgi import Scope
from cupboard.server.http.hosts import is_plain, name_of
from cupboard.server.http.languages import by_preference
from cupboard.server.http.log_once import LogOnce

_STYLE = """
:root { color-scheme: light dark }
body { font: 1.05rem/1.5 system-ui, sans-serif; max-width: 38rem; margin: 0 auto; padding: 8vh 1.25rem 2rem }
h1 { font-size: 1.5rem; line-height: 1.25; overflow-wrap: anywhere }
h2 { font-size: 1.1rem; margin-top: 2.5rem }
pre { padding: .75rem 1rem; white-space: pre-wrap; overflow-wrap: anywhere;
  border: 1px solid color-mix(in srgb, currentcolor 30%, transparent); border-radius: .5rem; font-size: .9rem }
"""
_STYLE_HASH = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
POLICY = f"default-src 'none'; style-src 'sha256-{_STYLE_HASH}'; base-uri 'none'; frame-ancestors 'none'".encode()
"""The page's Content-Security-Policy: its style stands in it, as every other file would be refused, too."""
_NGINX = """# nginx
proxy_set_header Host $http_host;
proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;"""
_CADDY = """# Caddy
header_up Host {hostport}"""
_A_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,99}")


class Misdirected:
    """Tells the log, once for each name, what to do about requests under a wrong one."""

    def __init__(self) -> None:
        self._log = LogOnce(logging.getLogger(__name__))

    def note(self, scope: Scope, error: CupboardError) -> None:
        """Log the cure if the request was refused with this error because of a name."""
        host = name_of(_header(scope, b"host"))
        if isinstance(error, UnknownHost):
            name = _to_type(host)
            self._log.warning(
                "A request for %s was refused (421), as that is no name of this server. If it is, start with "
                "--host-name %s, or with --url https://%s/. If a proxy made it of the right name, let it pass that on: "
                "in nginx `proxy_set_header Host $http_host;`, in Caddy `header_up Host {hostport}`.",
                ascii(host[:100]),
                name,
                name,
            )
        elif isinstance(error, BadOrigin) and _is_by_a_proxy(host, _header(scope, b"origin")):
            self._log.warning(
                "A page of %s was refused (403), as its request was for %s. If that is one server, let its proxy pass "
                "the name on: in nginx `proxy_set_header Host $http_host;`, in Caddy `header_up Host {hostport}`.",
                ascii(_header(scope, b"origin")[:100]),
                ascii(_header(scope, b"host")[:100]),
            )


def wants_page(scope: Scope) -> bool:
    """Whether a browser asks for something that it will show as a page."""
    return scope["method"] in ("GET", "HEAD") and "text/html" in _header(scope, b"accept")


def page(scope: Scope) -> bytes:
    """The page for a request under a name that is not ours, in the visitor's language."""
    language = spoken(by_preference(_header(scope, b"accept-language")))
    host = name_of(_header(scope, b"host"))

    def text(words: Words) -> str:
        return escape(say(words, language))

    heading = text(phrase("misdirected.heading", host=host[:100]))
    return f"""<!doctype html>
<html lang="{language}">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{heading}</title>
<style>{_STYLE}</style>
</head>
<body>
<main>
<h1>{heading}</h1>
<p>{text(phrase("misdirected.visitor"))}</p>
<h2>{text(phrase("misdirected.host"))}</h2>
<p>{text(phrase("misdirected.named", host=host[:100]))}</p>
<pre>cupboard serve --host-name {_to_type(host)}</pre>
<p>{text(phrase("misdirected.proxied"))}</p>
<pre>{_NGINX}

{_CADDY}</pre>
<p>{text(phrase("misdirected.then"))}</p>
<pre>cupboard serve --behind-proxy</pre>
</main>
</body>
</html>
""".encode()


def _to_type(host: str) -> str:
    """The name as it may stand in a command that somebody copies; a stranger's words are nothing for a shell."""
    return host if _A_NAME.fullmatch(host) else "NAME"


def _is_by_a_proxy(host: str, origin: str) -> bool:
    """Whether a page and its request differ as a proxy makes them differ: by its own address for us, or by the port."""
    try:
        with_name = name_of(urlsplit(origin).netloc)
    except ValueError:  # brackets that hold no address
        return False
    return with_name == host or ((is_plain(host) or host == "localhost") and not is_plain(with_name))


def _header(scope: Scope, wanted: bytes) -> str:
    return next((value.decode("latin-1") for name, value in scope["headers"] if name == wanted), "")
