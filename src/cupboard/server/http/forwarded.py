"""What proxies say about who is asking: the entries of `X-Forwarded-For` and of RFC 7239's `Forwarded`.

Every proxy on the way appends an entry at the right, so the right-most one is the nearest proxy's, and the others may
be anybody's: whoever reads them goes from right to left, and stops at the first that no trusted proxy wrote. An entry
that cannot be read is given as a Hop without an address.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from ipaddress import IPv6Address, ip_address
from typing import NamedTuple

UNIX = "unix"
"""How a peer without an address is called: somebody at a Unix socket."""
_LONGEST_NODE = 64
"""An address with brackets, zone and port is shorter."""
_NODE = re.compile(r"(?:\[([^\[\]]+)\]|([^:\[\]]+))(?::(?:[0-9]{1,5}|_[A-Za-z0-9._-]+))?")
"""An address with or without a port; IPv6 in brackets."""
_PAIR = re.compile(r"""[ \t]*([!#$%&'*+.^_`|~0-9A-Za-z-]+)=(?:"((?:[^"\\]|\\.)*)"|([^",;\s]+))[ \t]*(?=[,;]|$)""")
"""A parameter of `Forwarded`. An unquoted value may have colons in it: some proxies quote no port."""


class Hop(NamedTuple):
    """What one proxy says: the address it was asked from (empty when it does not say), and by which scheme."""

    address: str
    scheme: str = ""


def x_forwarded_for(value: str, most: int) -> Iterator[Hop]:
    """The entries of an `X-Forwarded-For`, the nearest proxy's first, and not more than `most`."""
    for entry in value.rsplit(",", most)[: -most - 1 : -1]:
        yield Hop(address_in(entry.strip()))


def forwarded(lines: list[str], most: int) -> Iterator[Hop]:
    """The elements of all `Forwarded` headers, the nearest proxy's first, and not more than `most`.

    A line that is no list of elements is one entry that cannot be read: a quote that somebody left open may hide the
    rest of it.
    """
    for line in reversed(lines):
        elements = _elements(line)
        for element in [{}] if elements is None else reversed(elements):
            if most <= 0:
                return
            most -= 1
            yield Hop(address_in(element.get("for", "")), element.get("proto", "").lower())


def address_in(node: str) -> str:
    """The address that an entry names, in its usual form; UNIX for nginx's `unix:`; empty when it names none.

    It names none when it is malformed, hidden (`_secret`) or `unknown`.
    """
    if node == "unix:":
        return UNIX
    if not 0 < len(node) <= _LONGEST_NODE:
        return ""
    match = _NODE.fullmatch(node)
    return plain(node if match is None else match[1] or match[2])


@lru_cache(1024)
def plain(address: str) -> str:
    """The address in its usual form: without a zone, IPv4 also where it is written as IPv6; empty when it is none."""
    try:
        there = ip_address(address.partition("%")[0])
    except ValueError:
        return ""
    mapped = there.ipv4_mapped if isinstance(there, IPv6Address) else None
    return str(mapped or there)


def _elements(line: str) -> list[dict[str, str]] | None:
    """The elements of one header, each with its parameters; None when it is malformed."""
    found: list[dict[str, str]] = [{}]
    at = 0
    while at < len(line):
        if line[at] == ",":
            found.append({})
            at += 1
        elif line[at] in "; \t":
            at += 1
        elif (pair := _PAIR.match(line, at)) is not None and pair[1].lower() not in found[-1]:
            found[-1][pair[1].lower()] = pair[3] if pair[2] is None else re.sub(r"\\(.)", r"\1", pair[2])
            at = pair.end()
        else:
            return None
    return [element for element in found if element]
