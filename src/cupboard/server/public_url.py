"""The address that people reach this server by, as its administrator says it: `--url https://games.example/cupboard/`."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv6Address
from urllib.parse import SplitResult, urlsplit

from cupboard.server.errors import BadSettings

OWN_WORDS = frozenset(
    (
        "admin",
        "api",
        "assets",
        "class",
        "classes",
        "docs",
        "embed",
        "explore",
        "games",
        "healthz",
        "join",
        "learn",
        "play",
        "readyz",
        "rules",
        "t",
    )
)
"""The first words of the server's own paths."""
_DEEP = frozenset(("api", "assets", "embed"))
"""Those of them under which there are paths of any depth."""
_PORTS = {"http": 80, "https": 443}
_NAME = re.compile(r"(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]*[a-z0-9])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9])?)*")
_WORD = re.compile(r"[A-Za-z0-9._~-]+")
_EXAMPLE = "write it as in https://games.example/cupboard/"


@dataclass(frozen=True, slots=True)
class PublicUrl:
    """An address that has been checked. One with an empty origin stands for an address that nobody has told."""

    origin: str = ""
    """Scheme, host and port as browsers write them, such as https://games.example:8443; empty when nobody told."""
    prefix: str = ""
    """The path before all of this server's own, such as /cupboard; empty at the root of a site."""

    @property
    def base(self) -> str:
        """What links to this server begin with: the address without its last slash."""
        return self.origin + self.prefix

    @property
    def host(self) -> str:
        """The name in the address, without port and brackets; empty when nobody told the address."""
        return urlsplit(self.origin).hostname or ""

    @property
    def is_https(self) -> bool:
        """Whether browsers come by https."""
        return self.origin.startswith("https:")


@lru_cache(8)
def read_url(text: str) -> PublicUrl:
    """The address that the setting `url` says; BadSettings tells what in it makes no sense."""
    if not text:
        return PublicUrl()
    if not text.isascii():
        raise _bad("it has letters that browsers write otherwise: a host such as xn--mller-kva.example, a path without")
    if not text.isprintable() or " " in text:
        raise _bad("it has a space or a sign that cannot be printed")
    for sign, what in (("?", "a query (?…)"), ("#", "a part after #"), ("@", "a user or a password (…@)")):
        if sign in text:
            raise _bad(f"{what} does not belong to it")
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        raise _bad("its host or its port makes no sense") from None
    if parts.scheme not in _PORTS:
        raise _bad("it begins with neither http:// nor https://")
    if port == 0:
        raise _bad("there is no port 0")
    shown = "" if port in (None, _PORTS[parts.scheme]) else f":{port}"
    return PublicUrl(f"{parts.scheme}://{_host(parts)}{shown}", _prefix(parts.path))


def _host(parts: SplitResult) -> str:
    """The host as browsers write it."""
    name = parts.hostname or ""
    if not name:
        raise _bad("it names no host")
    if "[" in parts.netloc:
        with suppress(ValueError):
            there = IPv6Address(name)
            if not there.scope_id:  # which means something on one computer only
                return f"[{there}]"
    elif _NAME.fullmatch(name):
        return name
    raise _bad("its host makes no sense")


def _prefix(path: str) -> str:
    """The path without its last slash. A path in which a sign would have to be escaped is refused, and one that would
    be mistaken for the server's own where a proxy takes it off."""
    prefix = path.removesuffix("/")
    words = prefix.split("/")[1:]
    if not all(_WORD.fullmatch(word) and word not in (".", "..") for word in words) or len(prefix) > 200:
        raise _bad("its path may have letters, digits, and - . _ ~ between its slashes")
    if words and words[0] in OWN_WORDS and (len(words) == 1 or words[0] in _DEEP):
        raise _bad(f"the path /{words[0]}/ is one of Cupboard's own, so choose another")
    return prefix


def _bad(why: str) -> BadSettings:
    return BadSettings(f"url: {why}; {_EXAMPLE}.")
