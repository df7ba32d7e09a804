"""A server without its network, in the process of the test: fast, and every step can be inspected."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from tests.server.postgres import database_for

from cupboard.core.game import CHANCE, Position, Seat
from cupboard.server.people.people import People
from cupboard.server.settings import ServerSettings
from cupboard.server.store.open_store import open_store
from cupboard.server.store.store import Store
from cupboard.server.table.client import Client
from cupboard.server.table.plan import NATURE, Draft, settle
from cupboard.server.table.room import Room
from cupboard.server.table.tables import Tables


class Wire:
    """A stand-in for a socket that keeps every message written to it."""

    is_full = False

    def __init__(self) -> None:
        self.sent: list[bytes] = []

    def write(self, data: bytes) -> None:
        self.sent.append(data)

    def close(self, code: int, reason: str) -> None:
        raise AssertionError(f"shown out: {code} {reason}")


@asynccontextmanager
async def house(folder: Path, database: str = "") -> AsyncIterator[tuple[Tables, People, Store]]:
    """The tables, people and store of a server on a folder, or on a database of PostgreSQL, in this process."""
    settings = ServerSettings(data=folder, database=database or database_for(folder), bot_pause=0.0, think_seconds=1.0)
    store = open_store(settings)
    people = People(store)
    tables = Tables(store, people, settings)
    try:
        yield tables, people, store
    finally:
        await tables.close()
        store.close()


def settle_by_odds(position: Position[Any], drafts: list[Draft]) -> None:
    """Append nature's moves to `drafts` as `settle` does, and go on with drawn ones where a server would simulate."""
    position = settle(position, drafts)
    while position.to_act == (CHANCE,):
        step = position.step(position.chance(NATURE), CHANCE)
        drafts.append(Draft.of(step))
        position = settle(step.after, drafts)


def seated(room: Room, *seats: Seat) -> Client:
    client = Client(Wire(), frozenset(seats), room.state.version)
    room.join(client)
    return client


async def until(condition: Any, seconds: float = 10) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it never came true"
        await asyncio.sleep(0.01)
