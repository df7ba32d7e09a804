"""The page that is shown while the server starts: the first start on a machine compiles the games for a minute.

The address is open already, so a browser gets a small page that says how far it is and asks again by itself.
"""

from __future__ import annotations

import select
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from html import escape
from typing import Self

import msgspec

from cupboard.core.words import Words, phrase, say
from cupboard.server.http.languages import spoken
from cupboard.server.wire.problems import Problem

CODE = "building"
_PAGE = """<!doctype html><html lang="{language}"><meta charset="utf-8"><meta name="color-scheme" content="light dark">
<meta name="viewport" content="width=device-width"><title>Cupboard</title>
<main><h1>Cupboard</h1><p role="status">{news}</p><progress></progress><p>{later}</p></main></html>
"""
_HEAD = (
    "HTTP/1.1 503 Service Unavailable\r\nContent-Type: {kind}\r\nContent-Length: {size}\r\nRefresh: 1\r\n"
    "Retry-After: 1\r\nCache-Control: no-store\r\nContent-Security-Policy: default-src 'none'\r\n"
    "X-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n"
)


class StartupPage:
    """Answers every request on the listening socket until it is left; then the server takes the socket over."""

    def __init__(self, sock: socket.socket, news: Callable[[], Words]) -> None:
        self._sock = sock
        self._news = news
        self._left = threading.Event()
        self._thread = threading.Thread(target=self._answer_all, name="waiting room", daemon=True)

    def __enter__(self) -> Self:
        self._sock.setblocking(False)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._left.set()
        self._thread.join()

    def _answer_all(self) -> None:
        while not self._left.is_set():
            if select.select([self._sock], [], [], 0.1)[0]:
                with suppress(OSError):  # whoever it was has gone again
                    self._answer(self._sock.accept()[0])

    def _answer(self, visitor: socket.socket) -> None:
        with visitor:
            visitor.settimeout(1.0)
            asked = visitor.recv(65_536)
            news = self._news()
            if b" /api/" in asked.partition(b"\r\n")[0]:
                kind, body = "application/json", msgspec.json.encode(Problem(CODE, str(news), news))
            else:
                language = spoken(asked)
                later = say(phrase("building.later"), language)
                page = _PAGE.format(language=language, news=escape(say(news, language)), later=escape(later))
                kind, body = "text/html; charset=utf-8", page.encode()
            visitor.sendall(_HEAD.format(kind=kind, size=len(body)).encode() + body)
