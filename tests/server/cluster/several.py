"""Several servers in subprocesses on one database, as they run on several machines."""

from __future__ import annotations

import asyncio
import secrets
import signal
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import psycopg
from tests.server.helpers import Server, SocketPlayer, browser, lay, wait_for

from cupboard.server.people.sessions import digest_of
from cupboard.server.steady_clock import now


class Several:
    """Servers that know each other. The block ends those that are left."""

    def __init__(self, url: str, folder: Path, count: int, **settings: Any) -> None:
        self.url = url
        self._folder = folder
        self._settings = settings
        self.sitting: list[SocketPlayer] = []
        self.servers = [self.start(n) for n in range(count)]
        wait_for(lambda: self.rows("SELECT count(*) FROM server") == [(count,)])

    def start(self, n: int, **settings: Any) -> Server:
        """Start a server more."""
        (self._folder / str(n)).mkdir(parents=True, exist_ok=True)
        return Server(self._folder / str(n), database=self.url, **(self._settings | settings))

    def rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """What the database says."""
        with psycopg.connect(self.url, autocommit=True) as conn:
            return conn.execute(query, values).fetchall()

    def holder(self, table: str) -> str | None:
        """The id of the server that has the lease of a table."""
        found = self.rows("SELECT server FROM lease WHERE game = %s", table)
        return found[0][0] if found else None

    def log(self, table: str) -> list[tuple[int, str]]:
        """The log of a table: who did what."""
        return self.rows("SELECT seat, kind FROM event WHERE game = %s ORDER BY n", table)

    def admin(self) -> str:
        """The token of a new admin link."""
        token = secrets.token_urlsafe(24)
        with psycopg.connect(self.url, autocommit=True) as conn:
            conn.execute("DELETE FROM admin_link")
            conn.execute("INSERT INTO admin_link VALUES (%s, %s)", (digest_of(token), now()))
        return token

    def http(self, n: int) -> Any:
        """A browser at one of the servers."""
        return browser(self.servers[n].url)

    async def sit(self, n: int, table: str, *tokens: str, **more: Any) -> SocketPlayer:
        """A player at one of the servers; `playing` closes the socket."""
        player = await SocketPlayer.sit(self.servers[n].port, table, *tokens, **more)
        self.sitting.append(player)
        return player

    def __enter__(self) -> Several:
        return self

    def __exit__(self, *_: object) -> None:
        for server in self.servers:
            if server.process.poll() is None:
                server.process.send_signal(signal.SIGCONT)
                server.stop()


Test = Callable[[Several], Coroutine[Any, Any, None]]


def play(servers: Several, test: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Run a test in an event loop, and close the sockets that it has opened."""

    async def played() -> None:
        try:
            await test()
        finally:
            for player in servers.sitting:
                await player.close()
            servers.sitting.clear()

    asyncio.run(played())


def playing(test: Test) -> Callable[[Several], None]:
    """Runs a test of the fixture `two` in an event loop, and closes its sockets."""

    def run(two: Several) -> None:
        play(two, lambda: test(two))

    run.__name__, run.__doc__ = test.__name__, test.__doc__
    return run


async def duel(servers: Several, **more: Any) -> tuple[str, SocketPlayer, SocketPlayer]:
    """A table with one player at each of the first two servers; red begins, at the first."""
    with servers.http(0) as http:
        made = lay(http, "jumping-cups", "me", "me", **({"options": {"starter": "red"}} | more))
    table, keys = made["table"]["id"], [key["token"] for key in made["keys"]]
    return table, await servers.sit(0, table, keys[0]), await servers.sit(1, table, keys[1])


def first(player: SocketPlayer) -> str:
    """The first move that a player may make."""
    return player.filled() if "filling" in player.update else str(player.update["moves"][0]["text"])
