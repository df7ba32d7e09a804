"""Who can reach the server, over HTTP: this computer only, or the home network too."""

from __future__ import annotations

from cupboard.server.wire.base import Plain


class NetworkInfo(Plain, frozen=True):
    """Who can reach the server, as far as the visitor may know."""

    only_here: bool = False
    """Whether nobody else can: the server listens on the visitor's computer alone."""
    yours: bool = False
    """Whether the visitor may let the home network in, and send it away again: only from the server's computer."""
    possible: bool = False
    """Whether this computer has an address on a home network."""
    opened: bool = False
    """Whether the home network was let in and can be sent away."""
    address: str = ""
    """Where others find the server, without a last slash: its `--url`, which everybody is told, or else
    `http://ADDRESS:PORT` on the home network, which is only told on the server's computer."""


class OpenNetwork(Plain, frozen=True):
    """The body of POST /api/network: whether to let the home network in, or to send it away."""

    open: bool
