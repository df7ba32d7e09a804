"""A ban counts in the transaction that would let somebody in, whatever a server has known of them before it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
import sqlalchemy as sa
from tests.server.inside import house

from cupboard.server.errors import Banned
from cupboard.server.people.people import People
from cupboard.server.steady_clock import now
from cupboard.server.store.schema import PERSON
from cupboard.server.store.store import Store

PASSWORD = "correct horse battery"


def run(folder: Path, work: Callable[[People, Store], Awaitable[None]]) -> None:
    async def all_of_it() -> None:
        async with house(folder) as (_, people, store):
            await work(people, store)

    asyncio.run(all_of_it())


async def ban(store: Store, person: str) -> None:
    """Ban somebody as another server does, of which this one has not heard yet."""
    change = sa.update(PERSON).where(PERSON.c.id == person).values(banned=now())
    await store.write(lambda conn: conn.execute(change) and None)


def test_a_guest_who_was_just_banned_gets_no_account(tmp_path: Path) -> None:
    async def work(people: People, store: Store) -> None:
        guest, _ = await people.welcome("Rowdy")
        await ban(store, guest.id)
        with pytest.raises(Banned):
            await people.register(guest, "rowdy", PASSWORD)

    run(tmp_path, work)
