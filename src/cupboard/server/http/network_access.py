"""Who can reach this server: only this computer, or the home network too, which its host may let in and send away.

A server that listens on this computer alone can be told by a page on this computer to listen on the home network too.
The host is whoever asks from this computer without a way round: such a request comes from a loopback address, through
the first listening socket, under a loopback name, and through no proxy. Other sites' pages are refused before
(`middleware.py`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from ipaddress import ip_address
from typing import Any, Protocol

from cupboard.core.words import phrase
from cupboard.server import home_network
from cupboard.server.errors import Busy, NoNetwork, NotTheHost
from cupboard.server.http.asgi import Scope
from cupboard.server.http.hosts import name_of
from cupboard.server.wire.network import NetworkInfo

Told = Callable[[str], Any]
"""Is told the address of the home network when it is let in, and an empty string when it is sent away again."""
_FROM_A_PROXY = (b"forwarded", b"via", b"x-real-ip")
_EVERYWHERE = ("0.0.0.0", "::")


class Listeners(Protocol):
    """What the running server can do about the places where it listens."""

    async def listen_also(self, host: str, port: int) -> int:
        """Listen on an address more, and return the port: the next free one if this one is taken. Busy if none is."""

    async def stop_listening(self, host: str, port: int) -> None:
        """Listen there no longer, and end the connections that came that way."""


class NetworkAccess:
    """Knows where the server listens, and lets the home network in and out."""

    def __init__(self, behind_proxy: bool, url: str = "") -> None:
        self._behind_proxy = behind_proxy
        self._url = url
        """The public address, without its last slash; people come by that, and nobody lets the home network in."""
        self._own: tuple[str, int] | None = None
        """Where the server listens from its start; None at a Unix socket, or if it was not started by `run.serve`."""
        self._more: tuple[str, int] | None = None
        """Where it listens for the home network."""
        self._listeners: Listeners | None = None
        self._told: Told = lambda _: None
        self._lock = asyncio.Lock()

    def begin(self, own: tuple[str, int], listeners: Listeners, told: Told) -> None:
        """Note where the running server listens, what opens more sockets, and who is told of it."""
        self._own, self._listeners, self._told = own, listeners, told

    def info(self, scope: Scope) -> NetworkInfo:
        """What the visitor behind a request may know of who can reach this server."""
        if self._url:
            return NetworkInfo(address=self._url)
        yours = self._is_host(scope)
        is_local = self._own is not None and _is_loopback(self._own[0])
        return NetworkInfo(
            only_here=yours and is_local and self._more is None,
            yours=yours and is_local,
            opened=self._more is not None,
            possible=yours and is_local and bool(home_network.home_address()),
            address=self._address() if yours else "",
        )

    async def let_in(self, scope: Scope) -> None:
        """Listen on the home network too. NotTheHost for others than the host, NoNetwork when there is none."""
        self._check_host(scope)
        async with self._lock:
            if self._more is not None:
                return
            assert self._own is not None and self._listeners is not None  # or nobody is the host
            host = home_network.home_address()
            if not host:
                raise NoNetwork(phrase("no.network"))
            try:
                self._more = host, await self._listeners.listen_also(host, self._own[1])
            except Busy as error:
                raise NoNetwork(phrase("no.networkPort", address=host)) from error
            await asyncio.to_thread(self._told, self._address())

    async def send_away(self, scope: Scope) -> None:
        """Listen on this computer only, and end the connections from the home network. NotTheHost for others."""
        self._check_host(scope)
        async with self._lock:
            if self._more is None:
                return
            assert self._listeners is not None  # it opened that socket
            place, self._more = self._more, None
            await self._listeners.stop_listening(*place)
            await asyncio.to_thread(self._told, "")

    def _check_host(self, scope: Scope) -> None:
        if not self.info(scope).yours:
            raise NotTheHost(phrase("no.host.network"))

    def _address(self) -> str:
        """The address under which others in the house reach this server; empty when there is none."""
        if self._more is not None:
            return _url(*self._more)
        if self._own is None or _is_loopback(self._own[0]):
            return ""
        host, port = self._own
        if host in _EVERYWHERE:
            host = home_network.home_address()
        return _url(host, port) if host else ""

    def _is_host(self, scope: Scope) -> bool:
        """Whether a request comes from this computer, without a way round."""
        headers = dict(scope["headers"])
        client, server = scope.get("client"), scope.get("server")
        return (
            self._own is not None
            and not self._behind_proxy
            and client is not None
            and server is not None
            and _is_loopback(client[0])
            and _is_loopback(server[0])
            and (server[0], server[1]) != self._more
            and _is_loopback(name_of(headers.get(b"host", b"").decode("latin-1").lower()))
            and not any(name in _FROM_A_PROXY or name.startswith(b"x-forwarded") for name in headers)
        )


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    with suppress(ValueError):
        there = ip_address(host.partition("%")[0])
        mapped = getattr(there, "ipv4_mapped", None)
        return bool((mapped or there).is_loopback)
    return False


def _url(host: str, port: int) -> str:
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
