"""How many connections are open from each address, and how many may be."""

from __future__ import annotations

from collections import Counter
from ipaddress import AddressValueError, IPv6Address


class ConnectionLimit:
    """Counts one kind of connection by address and refuses those beyond a cap.

    An IPv6 connection counts for its network of 64 bits: a household has one of those, and any number of addresses.
    """

    def __init__(self, most: int | None) -> None:
        self._most = most
        """The cap for each address; None counts nothing."""
        self._open: Counter[str | bytes] = Counter()

    def enter(self, address: str) -> bool:
        """Count a connection; False, and nothing is counted, when its address has as many as it may."""
        if self._most is None:
            return True
        place = _place(address)
        if self._open[place] >= self._most:
            return False
        self._open[place] += 1
        return True

    def leave(self, address: str) -> None:
        """Forget a connection that was counted."""
        if self._most is None:
            return
        place = _place(address)
        self._open[place] -= 1
        if self._open[place] <= 0:
            del self._open[place]


def _place(address: str) -> str | bytes:
    if ":" not in address:
        return address
    try:
        parsed = IPv6Address(address)
    except AddressValueError:
        return address
    return str(parsed.ipv4_mapped) if parsed.ipv4_mapped else parsed.packed[:8]
