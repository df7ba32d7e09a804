"""Addresses and ports as settings write them."""

from __future__ import annotations

from cupboard.server.errors import BadSettings


def parse_address(text: str) -> tuple[str, int]:
    """The host and the port of `127.0.0.1:9100`, `[::1]:9100` or `localhost:9100`; BadSettings for anything else."""
    host, _, port = text.rpartition(":")
    if host.startswith("[") and host.endswith("]"):
        host = host[1:-1]
    elif ":" in host:
        host = ""
    if not host or not (port.isascii() and port.isdigit() and len(port) <= 5 and 1 <= int(port) <= 65_535):
        raise BadSettings(f"metrics: {text[:80]!r} is no address and port, such as 127.0.0.1:9100.")
    return host, int(port)
