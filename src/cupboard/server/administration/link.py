"""The admin link: whoever has its token may do what the shell may. The database keeps its digest only.

So a copy of the database, such as a backup, lets nobody in, and a link that was lost is not shown again but made anew.
"""

from __future__ import annotations

import secrets

import sqlalchemy as sa
from sqlalchemy import Connection

from cupboard.server.people.people import same
from cupboard.server.people.sessions import digest_of
from cupboard.server.steady_clock import now
from cupboard.server.store.schema import ADMIN_LINK
from cupboard.server.store.store import Store


class AdminLink:
    """Makes the token of the link, and knows it when it comes back. It is asked of the database each time."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def made(self) -> int | None:
        """When the link was made, in milliseconds since 1970; None when there is none."""
        found = await self._store.read(_link)
        return None if found is None else found[1]

    async def renew(self) -> str:
        """Make a link and return its token; one that there was is worthless from now on, on every server."""
        token = secrets.token_urlsafe(24)

        def work(conn: Connection) -> None:
            conn.execute(sa.delete(ADMIN_LINK))
            conn.execute(sa.insert(ADMIN_LINK).values(digest=digest_of(token), made=now()))

        await self._store.write(work)
        return token

    async def fits(self, token: str) -> bool:
        """Whether it is the token of the link, which takes as long to find out for every wrong one."""
        found = await self._store.read(_link)
        return found is not None and same(digest_of(token), found[0])


def _link(conn: Connection) -> tuple[str, int] | None:
    row = conn.execute(sa.select(ADMIN_LINK)).first()
    return None if row is None else (row.digest, row.made)
