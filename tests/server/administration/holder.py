"""Whoever holds the admin link of a server: an HTTP client that sends its token."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
from tests.server.helpers import Server, browser
from tests.server.postgres import store_of

from cupboard.server.administration.link import AdminLink

NAMES = iter(f"person{n}" for n in range(10_000))


def new_token(data: Path) -> str:
    """A new admin link, made beside the server and its clients, as the shell does."""
    store = store_of(data)

    async def renew() -> str:
        return await AdminLink(store).renew()

    try:
        with ThreadPoolExecutor(1) as thread:  # whoever asks may have a loop of their own
            return thread.submit(lambda: asyncio.run(renew())).result()
    finally:
        store.close()


@contextmanager
def holding(server: Server, token: str = "") -> Iterator[httpx.Client]:
    """A client with the token of the admin link."""
    with browser(server.url, headers={"x-admin-token": token or new_token(server.data)}) as client:
        yield client


def person_called(admin: httpx.Client, name: str) -> dict[str, Any]:
    """The only person with a name or username."""
    (found,) = admin.get("/api/admin/people", params={"find": name}).json()
    assert isinstance(found, dict)
    return found


def new_account(http: httpx.Client) -> dict[str, str]:
    """An account for this browser, with a name that no other test uses."""
    login = {"username": next(NAMES), "password": "correct horse battery"}
    assert http.put("/api/me", json={"name": login["username"].title()}).status_code == 200
    assert http.post("/api/account", json=login).status_code == 201
    return login
