"""Three servers behind a proxy are restarted one after the other while games are played: nobody loses anything."""

from __future__ import annotations

import asyncio
import random
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.server.cluster.several import Several, first
from tests.server.helpers import SocketPlayer, browser, lay, wait_for
from tests.server.postgres import Postgres
from tests.web.site import block
from websockets.exceptions import ConnectionClosed, InvalidHandshake

STANDSTILL = 15.0
"""Seconds in which something must happen at every table; bench/results.md has the figure."""
RESTART = 1012


@contextmanager
def proxy(kind: str, folder: Path, ports: list[int]) -> Iterator[int]:
    """nginx or Caddy, with the block of docs/hosting.md, before servers at these ports; its own port."""
    if not shutil.which(kind):
        pytest.skip(f"{kind} is not installed")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    folder.chmod(0o755)  # Debian's nginx has workers of another user
    servers = block("nginx-servers" if kind == "nginx" else "caddyfile-servers")
    for n, server in enumerate(ports):
        servers = servers.replace(f"10.0.0.1{n + 1}:8000", f"127.0.0.1:{server}")
    assert "10.0.0" not in servers
    if kind == "nginx":
        text = block("nginx")
        connection, location = text[: text.index("upstream")], text[text.index("    location /") :]
        places = "".join(
            f"{name}_temp_path {folder}/{name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        (folder / "conf").write_text(
            f"daemon off; pid {folder}/pid; error_log {folder}/log; events {{ worker_connections 1024; }}"
            f"http {{ access_log off; {places}\n{connection}{servers}\n"
            f"server {{ listen 127.0.0.1:{port};\n{location}\n}}"
        )
        command = ["nginx", "-c", str(folder / "conf"), "-p", str(folder)]
    else:
        site = servers.replace("games.example", f"http://127.0.0.1:{port}", 1)
        (folder / "conf").write_text("{\n\tadmin off\n\tauto_https off\n}\n" + site)
        command = ["caddy", "run", "--config", str(folder / "conf"), "--adapter", "caddyfile"]
    process = subprocess.Popen(
        command, stderr=subprocess.DEVNULL, env={"HOME": str(folder), "PATH": "/usr/sbin:/usr/bin"}
    )
    try:
        wait_for(lambda: answers(port), 30)
        yield port
    finally:
        process.terminate()
        process.wait(20)


def answers(port: int) -> bool:
    try:
        return httpx.get(f"http://127.0.0.1:{port}/readyz").status_code == 200
    except httpx.TransportError:
        return False


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
