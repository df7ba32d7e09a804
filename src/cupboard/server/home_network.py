"""How others in the house reach this server: its address on the home network, and that as a QR code."""

from __future__ import annotations

import socket
from ipaddress import ip_address


def lan_address() -> str:
    """This machine's address on the home network; asks the routing table, sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        try:
            sock.connect(("10.255.255.255", 1))
            return str(sock.getsockname()[0])
        except OSError:
            return "127.0.0.1"


def home_address() -> str:
    """This machine's address on a home network; empty when it has none, or only one that all the internet can reach."""
    address = lan_address()
    there = ip_address(address)
    return address if there.is_private and not there.is_loopback and not there.is_link_local else ""


def qr_code(text: str) -> str:
    """The text as a QR code of block characters."""
    import io

    import segno

    out = io.StringIO()
    segno.make(text, error="m").terminal(out=out, compact=True, border=2)
    return out.getvalue()
