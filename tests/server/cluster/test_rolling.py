"""Three servers behind a proxy are restarted one after the other while games are played: nobody loses anything."""

from __future__ import annotations

import asyncio
import random
import signal
import tempfile
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from tests.server.cluster.proxy import proxy
from tests.server.cluster.several import Several, first
from tests.server.helpers import SocketPlayer, browser, lay
from tests.server.postgres import Postgres
from websockets.exceptions import ConnectionClosed, InvalidHandshake

STANDSTILL = 15.0
"""Seconds in which something must happen at every table; bench/results.md has the figure."""
RESTART = 1012


class Guest:
    """Plays one seat through the proxy as the page does: comes back by itself, and notes what was acknowledged."""

    def __init__(self, port: int, table: str, token: str) -> None:
        self.port, self.table, self.token = port, table, token
        self.acknowledged: dict[int, str] = {}
        self.moments: list[float] = [time.monotonic()]
        self.codes: list[int] = []

    @property
    def longest_pause(self) -> float:
        """The most seconds in which nothing happened."""
        return max(later - earlier for earlier, later in pairwise(self.moments))

    async def play(self, done: asyncio.Event) -> None:
        """Play until the game is over or nobody wants to play on."""
        player: SocketPlayer | None = None
        version, tries = 0, 0
        while not done.is_set():
            try:
                player = await SocketPlayer.sit(self.port, self.table, self.token, version=version)
                tries = 0
                await self._play_on(player, done)
                return
            except ConnectionClosed as closed:
                code = closed.rcvd.code if closed.rcvd else 1006
                self.codes.append(code)
                await asyncio.sleep(random.random() if code == RESTART and tries == 0 else 0.3)
                tries += 1
            except (OSError, InvalidHandshake, TimeoutError):
                await asyncio.sleep(0.3)
            finally:
                if player is not None:
                    version = player.version
                    await player.close()

    async def _play_on(self, player: SocketPlayer, done: asyncio.Event) -> None:
        while not done.is_set() and player.update["status"] != "over":
            self.moments.append(time.monotonic())
            if player.update.get("seat") in player.update.get("asked", ()):
                await asyncio.sleep(0.1)
                text = first(player)
                got = await player.move(text)
                if got["type"] == "update":
                    mine = [
                        event
                        for event in got["events"]
                        if event["kind"] == "move" and event["seat"] == player.update["seat"]
                    ]
                    self.acknowledged |= {event["n"]: event["text"] for event in mine}
            else:
                await asyncio.wait_for(player.receive(), 30)


@pytest.mark.parametrize("kind", ["nginx", pytest.param("caddy", marks=pytest.mark.long)])
def test_servers_restarted_one_after_the_other_lose_no_move(postgres: Postgres, tmp_path: Path, kind: str) -> None:
    with Several(postgres.new_database(), tmp_path / "servers", 3, behind_proxy=("loopback",)) as servers:
        with (
            tempfile.TemporaryDirectory() as public,
            proxy(kind, Path(public), [server.port for server in servers.servers]) as port,
        ):
            guests = asyncio.run(restart_while_they_play(servers, port))
        for guest in guests:
            log: dict[int, Any] = dict(servers.rows("SELECT n, text FROM event WHERE game = %s", guest.table))
            assert guest.acknowledged and guest.acknowledged.items() <= log.items()
            assert guest.longest_pause < STANDSTILL
        print("longest pause:", max(guest.longest_pause for guest in guests))
        assert {code for guest in guests for code in guest.codes} <= {RESTART}
        assert any(guest.codes for guest in guests)


async def restart_while_they_play(servers: Several, port: int) -> list[Guest]:
    guests = []
    with browser(f"http://127.0.0.1:{port}") as http:
        for other in ("me", "me", "me", "bot:random", "bot:random", "bot:random"):
            made = lay(http, "chinese-checkers", "me", other)
            guests += [Guest(port, made["table"]["id"], key["token"]) for key in made["keys"]]
    done = asyncio.Event()
    playing = [asyncio.create_task(guest.play(done)) for guest in guests]
    await asyncio.sleep(1)
    for server in servers.servers:
        server.process.send_signal(signal.SIGTERM)
        assert await asyncio.to_thread(server.process.wait, 30) == 0
        await asyncio.to_thread(server.stop)
        await asyncio.to_thread(server.start)
        await asyncio.sleep(1)
    done.set()
    await asyncio.gather(*playing)
    return guests
