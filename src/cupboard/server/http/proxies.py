"""Proxies in front of this server: whose word about who is asking is believed, and who that then is.

A connection from a declared proxy is somebody else's, and the headers that the proxy adds say whose. The headers of
others say what they like. No browser can connect to a Unix socket, so what does is a proxy (`run.serve` declares it).
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from functools import lru_cache
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network

from cupboard.server.errors import BadSettings
from cupboard.server.http.asgi import Scope
from cupboard.server.http.forwarded import UNIX, Hop, forwarded, plain, x_forwarded_for
from cupboard.server.http.log_once import LogOnce

LOOPBACK = "loopback"
"""A name for all addresses of this computer."""
_LOOPBACK = ("127.0.0.0/8", "::1")
_MOST_HOPS = 16
"""So many entries of a header are followed; nobody has more proxies in a row."""
_SCHEMES = {"http": ("http", "ws"), "https": ("https", "wss")}
_SAID_BY_PROXIES = frozenset((b"x-forwarded-for", b"forwarded", b"x-forwarded-proto"))


class Proxies:
    """Knows which proxies are believed, and finds the client behind them.

    They are given as addresses, networks, `loopback` and `unix`; BadSettings for anything else.
    """

    def __init__(self, names: Iterable[str]) -> None:
        wanted = {name.strip().lower() for name in names}
        self._networks = [_network(name) for name in sorted(wanted - {LOOPBACK, UNIX})]
        if LOOPBACK in wanted:
            self._networks += [ip_network(name) for name in _LOOPBACK]
        self._believes_unix = UNIX in wanted
        self._log = LogOnce(logging.getLogger(__name__))
        self._is_listed = lru_cache(1024)(self._look_up)

    def believes(self, peer: str) -> bool:
        """Whether this peer, as `peer_of` calls it, is a proxy that is believed."""
        return self._believes_unix if peer == UNIX else bool(peer) and self._is_listed(peer)

    def see_through(self, scope: Scope) -> None:
        """Put the client of a request or a socket in the place of a proxy: its address, and the scheme that it uses."""
        said = [(name, value.decode("latin-1")) for name, value in scope["headers"] if name in _SAID_BY_PROXIES]
        peer = peer_of(scope.get("client"), scope.get("server"))
        if not self.believes(peer):
            if said:
                self._warn_of_undeclared(peer)
            return
        by_list = [value for name, value in said if name == b"x-forwarded-for"]
        by_rfc = [value for name, value in said if name == b"forwarded"]
        found = []
        if not by_list and not by_rfc:
            self._warn_of_silent(scope, peer)
        if by_list:
            found.append(self._client(x_forwarded_for(",".join(by_list), _MOST_HOPS)))
        if by_rfc:
            found.append(self._client(forwarded(by_rfc, _MOST_HOPS)))
        if len(found) == 2 and found[0].address != found[1].address:
            # The proxy wrote one of them and passed the other on, which a stranger may have sent. Which is not known.
            self._log.warning(
                "The proxy at %s passes on headers that it did not write: X-Forwarded-For and Forwarded name different "
                "clients, so neither is believed. Let it delete the one that it does not set: in nginx "
                '`proxy_set_header Forwarded "";`, in Caddy `header_up -Forwarded`.',
                peer,
            )
            return
        schemes = [value for name, value in said if name == b"x-forwarded-proto"] or [hop.scheme for hop in found]
        if found and found[0].address:
            scope["client"] = found[0].address, 0
        if schemes and (known := _SCHEMES.get(schemes[-1].strip().lower())) is not None:
            scope["scheme"] = known[scope["type"] == "websocket"]

    def _client(self, hops: Iterator[Hop]) -> Hop:
        """The first of these that is no proxy, or the last that can be read; one without an address if none can."""
        found = Hop("")
        for hop in hops:
            if not hop.address:
                break
            if hop.address != UNIX:
                found = hop
            if not self.believes(hop.address):
                break
        return found

    def _look_up(self, peer: str) -> bool:
        there = ip_address(peer)
        return any(there in network for network in self._networks)

    def _warn_of_silent(self, scope: Scope, peer: str) -> None:
        # Somebody at the computer of the proxy may ask directly whether all is well, but does not sit down to play.
        if scope["type"] == "websocket" or scope["method"] == "POST":
            self._log.warning(
                "The proxy at %s does not say who is asking: all its visitors count as one, and are soon refused. Let "
                "it add the header X-Forwarded-For: in nginx "
                "`proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;`.",
                peer,
            )

    def _warn_of_undeclared(self, peer: str) -> None:
        # Whoever asks from the internet and says to be a proxy is a stranger with an idea.
        if peer and ip_address(peer).is_private:
            self._log.warning(
                "A proxy at %s is not declared: all its visitors count as one, and are soon refused. If it is yours, "
                'start with --behind-proxy %s, or write behind-proxy = ["%s"] into the settings file.',
                *[peer] * 3,
            )


def peer_of(client: tuple[str, int] | None, server: tuple[str, int | None] | None) -> str:
    """What the other end of a connection is called: its address in its usual form, UNIX, or nothing when unknown.

    `client` and `server` are the two ends as ASGI says them. Only a Unix socket has a place and no port; a connection
    over TCP has no client, too, when it broke at once.
    """
    if client is not None:
        return plain(client[0])
    return UNIX if server is not None and server[1] is None else ""


def _network(name: str) -> IPv4Network | IPv6Network:
    try:
        network = ip_network(name)
    except ValueError:
        raise BadSettings(f"behind-proxy: {_what_is_wrong(name)}") from None
    if network.prefixlen == 0:
        raise BadSettings(
            f"behind-proxy: {name} are all addresses there are, so that everybody could claim to be anybody."
        )
    return network


def _what_is_wrong(name: str) -> str:
    try:
        network = ip_network(name, strict=False)
    except ValueError:
        return (
            f"{name[:60]!r} is neither an address (127.0.0.1), nor a network (10.0.0.0/8), "
            f"nor one of {LOOPBACK} and {UNIX}."
        )
    return f"{name} is an address in the network {network}: write {name.partition('/')[0]} or {network}."
