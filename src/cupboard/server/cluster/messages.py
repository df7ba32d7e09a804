"""What the servers on one database tell each other. Nothing rests on these messages but the haste of the others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

Place = str | tuple[str, str | int]
"""Where something that is limited comes from: a person, an address, all strangers at an address, or a seat."""


class Message(msgspec.Struct, frozen=True, array_like=True, tag=True):
    """Something that a server tells all others."""


class Hello(Message, frozen=True, array_like=True, tag="hello"):
    """The server hears again, or for the first time: it asks the others which tables they have."""


class Opened(Message, frozen=True, array_like=True, tag="opened"):
    """The server has these tables in its memory."""

    tables: tuple[str, ...]
    all: bool = False
    """Whether it has no others, but for those that follow."""


class Closed(Message, frozen=True, array_like=True, tag="closed"):
    """A table has left the server's memory."""

    table: str


class Grown(Message, frozen=True, array_like=True, tag="grown"):
    """The log of a table has so many entries."""

    table: str
    version: int


class Present(Message, frozen=True, array_like=True, tag="present"):
    """Which seats of a table are connected to the server, and how many watch there."""

    table: str
    seats: tuple[int, ...]
    watching: int


class Wanted(Message, frozen=True, array_like=True, tag="wanted"):
    """The server has clients at the table, and asks whoever has none to hand over the lease."""

    table: str


class Released(Message, frozen=True, array_like=True, tag="released"):
    """The lease of a table is free."""

    table: str


class Died(Message, frozen=True, array_like=True, tag="died"):
    """A server has ended or is not heard of any more: its leases are to be taken over."""


class PeopleChanged(Message, frozen=True, array_like=True, tag="people"):
    """Sessions have ended, or somebody is banned, renamed or deleted."""


class ChairsChanged(Message, frozen=True, array_like=True, tag="chairs"):
    """The seats of these people have become somebody else's."""

    people: tuple[str, ...]


class Spent(Message, frozen=True, array_like=True, tag="spent"):
    """Tokens of a rate limit were spent, or given back where they are fewer than none."""

    what: str
    place: Place
    count: float


class Failed(Message, frozen=True, array_like=True, tag="failed"):
    """A try at a password has failed, or succeeded, which ends the waiting."""

    place: tuple[str, str]
    """The address and the username."""
    ended: bool = False


AnyMessage = (
    Hello | Opened | Closed | Grown | Present | Wanted | Released | Died
    | PeopleChanged | ChairsChanged | Spent | Failed
)  # fmt: skip


class Batch(msgspec.Struct, frozen=True, array_like=True):
    """What one server tells at one moment."""

    server: str
    messages: tuple[AnyMessage, ...]


_DECODER = msgspec.json.Decoder(Batch)


def pack(server: str, messages: Iterable[Message], most_bytes: int) -> Iterator[str]:
    """The messages in as few texts as possible, none of more than so many bytes."""
    head, tail = f'["{server}",[', "]]"
    parts: list[str] = []
    size = room = most_bytes - len(head) - len(tail)
    for message in messages:
        part = msgspec.json.encode(message).decode()
        if (needed := len(part.encode()) + 1) > room:
            continue  # somebody has tried to sign in with a name of thousands of letters
        if needed > size and parts:
            yield head + ",".join(parts) + tail
            parts, size = [], room
        parts.append(part)
        size -= needed
    if parts:
        yield head + ",".join(parts) + tail


def unpack(text: str) -> Batch | None:
    """The messages of a text; None for one that another version of this program wrote."""
    try:
        return _DECODER.decode(text)
    except msgspec.DecodeError:
        return None
