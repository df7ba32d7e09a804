"""The names this server answers to.

A page of a stranger's site cannot read what another server says to it, unless its own name is made to lead to that
server (DNS rebinding): then the browser takes both for one site. But it still sends the stranger's name as `Host`, so a
server that answers only to its own names is safe. Plain addresses are always fine: nobody can make them lead elsewhere.
"""

from __future__ import annotations

import socket
from collections.abc import Iterable
from contextlib import suppress
from ipaddress import ip_address
from urllib.parse import urlsplit

from cupboard.server.public_url import PublicUrl

ANY = "*"
_UNTOLD = PublicUrl()


class Hosts:
    """Decides whether a Host header names this server, and whether a page is its own."""

    def __init__(self, names: Iterable[str] = (), url: PublicUrl = _UNTOLD) -> None:
        machine = socket.gethostname().lower()
        # Names of one word and those of the home network (.local) are not for a stranger to give.
        own = {machine, machine.partition(".")[0], f"{machine.partition('.')[0]}.local", "localhost"}
        self._names = own | {name_of(name.lower()) for name in names} | {url.host} - {""}
        self._origin = url.origin.encode()

    def allows(self, header: bytes | None) -> bool:
        """Whether a request with this Host header is for us. Browsers always send one."""
        if header is None or ANY in self._names:
            return True
        name = name_of(header.decode("latin-1").lower())
        return name in self._names or name.endswith(".localhost") or is_plain(name)

    def are_same_origin(self, origin: bytes, host: bytes) -> bool:
        """Whether a page of this Origin, which sends this Host header, is our own: of the public address, which a proxy
        may have replaced in Host, or of the host that it asks."""
        if self._origin and origin == self._origin:
            return True
        try:
            return bool(urlsplit(origin).netloc == host)
        except ValueError:  # brackets that hold no address
            return False


def name_of(host: str) -> str:
    """The name or address in a Host header, without port, brackets and the final dot."""
    if host.startswith("["):
        return host[1:].partition("]")[0]
    if host.count(":") == 1:
        host = host.partition(":")[0]
    return host.removesuffix(".")


def is_plain(name: str) -> bool:
    """Whether the name in a Host header is a plain address."""
    with suppress(ValueError):
        ip_address(name)
        return True
    return False
