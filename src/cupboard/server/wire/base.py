"""What all messages share: the struct they derive from, and the limits of the values that clients may send.

There is one struct for each message; docs/wire.md shows a real exchange. The page's TypeScript types
(web/src/wire.gen.ts) and the OpenAPI schema are made from these structs. Adding a field is fine; renaming or removing
one breaks pages and bots that are already out there. Scenes are sent as the structs of core/scene.py.
"""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

Name = Annotated[str, Meta(min_length=1, max_length=40)]
ShortText = Annotated[str, Meta(max_length=40)]
Notation = Annotated[str, Meta(min_length=1, max_length=200)]
Token = Annotated[str, Meta(min_length=8, max_length=64, pattern=r"^[A-Za-z0-9_-]+(?!\n)$")]
Password = Annotated[str, Meta(min_length=8, max_length=200)]
Version = Annotated[int, Meta(ge=-1, le=1_000_000)]
"""How many events of a table's log a client has."""
SeatNumber = Annotated[int, Meta(ge=0, le=5)]
MessageId = Annotated[int, Meta(ge=0, le=2**53 - 1)]
"""A number that a client gives its message, to know the answer by; a double can hold it exactly."""


class Plain(msgspec.Struct, omit_defaults=True, frozen=True, gc=False):
    """The base of every message: never changed, quick to make, and sent without fields that have their default."""
