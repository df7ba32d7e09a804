"""A real server in a subprocess, and HTTP and WebSocket clients that use it like a page or a bot."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import msgspec
from tests.server.postgres import database_for
from websockets.asyncio.client import ClientConnection, connect

from cupboard.core.changes import apply
from cupboard.core.filling import Filling
from cupboard.core.scene import Scene
from cupboard.core.words import Words
from cupboard.server.wire.server_messages import Update

SERVE = """
import sys
from pathlib import Path, PosixPath
from cupboard.server.run import listen, serve
from cupboard.server.settings import LimitSettings, LogSettings, PeopleSettings, Rate, ServerSettings
sock = listen("127.0.0.1", int(sys.argv[2]))
extra = eval(sys.argv[3])
serve(ServerSettings(data=Path(sys.argv[1]), **extra), sock, lambda: print(sock.getsockname()[1], flush=True))
"""
QUICK = {
    "bot_pause": 0.0,
    "think_seconds": 1.0,
    "look_around": 0.05,
    "look_at_clocks": 0.2,
    "warm": False,
    "patience": 180.0,  # CI starts with nothing compiled
}


class Household:
    """The IP address of the running test's clients. Rate limits are counted by address.

    On Linux all of 127.0.0.0/8 is loopback, so every test has an address of its own and runs with the shipped limits.
    """

    address = "127.0.0.1"
    _moved = 0

    @classmethod
    def move(cls) -> str:
        """Move on to an address that no test has used, and return it."""
        cls._moved += 1
        cls.address = f"127.0.{1 + cls._moved // 250}.{1 + cls._moved % 250}"
        return cls.address


def browser(url: str, **more: Any) -> httpx.Client:
    """An HTTP client with its own cookies, from the address of the running test."""
    transport = httpx.HTTPTransport(local_address=Household.address)
    return httpx.Client(base_url=url, transport=transport, **{"timeout": 180, **more})


def said(words: Any) -> str:
    """The words of a message as English text."""
    return str(msgspec.convert(words, Words))


class Server:
    """A server in a subprocess, with its data in a folder. It can be stopped, killed and started again."""

    program = SERVE
    """What the subprocess runs."""

    def __init__(self, data: Path, **settings: Any) -> None:
        self.data = data
        self._wanted = 0  # any that is free; later the same again
        self._settings = QUICK | {"database": database_for(data)} | settings
        self.start()

    def start(self) -> None:
        told = (str(self.data), str(self._wanted), repr(self._settings))
        self.process = subprocess.Popen(
            [sys.executable, "-W", "error", "-c", self.program, *told],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, "the server did not start"
        self.port = self._wanted = int(line)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def kill(self) -> None:
        """End the server with SIGKILL, as if it had crashed."""
        self.process.send_signal(signal.SIGKILL)
        self.process.communicate()

    def stop(self) -> int:
        """End the server with SIGINT, as Ctrl-C does, and return its exit code."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        code = self.process.wait(15)
        assert self.process.stdout is not None
        self.process.stdout.close()
        return code

    def cpu_seconds(self) -> float:
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory_bytes(self) -> int:
        """The memory that only this process uses, without shared libraries."""
        lines = Path(f"/proc/{self.process.pid}/smaps_rollup").read_text().splitlines()
        return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith(("Private_Dirty:", "Swap:")))


@contextmanager
def serving(data: Path, **settings: Any) -> Iterator[Server]:
    server = Server(data, **settings)
    try:
        yield server
    finally:
        server.stop()


def until_ready(url: str) -> None:
    """Wait until every game is compiled and loaded."""
    with browser(url) as http:
        while any(game["state"] != "ready" for game in http.get("/api/readiness").json()):
            time.sleep(0.25)


def lay(http: httpx.Client, game: str, *kinds: str, **more: Any) -> dict[str, Any]:
    """Make a new table with seats like "me", "friend", "bot:random", and return the server's answer."""
    seats = [dict(zip(("kind", "level"), kind.split(":"), strict=False)) for kind in kinds]
    answer = http.post("/api/tables", json={"game": game, "seats": seats, **more})
    assert answer.status_code == 201, answer.text
    made: dict[str, Any] = answer.json()
    return made


class SocketPlayer:
    """A WebSocket client at a table. It keeps every message it receives."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.version = 0
        self.events: list[dict[str, Any]] = []
        self.update: dict[str, Any] = {}
        self.bytes: list[str] = []
        self.others: list[dict[str, Any]] = []
        self._scene: Scene | None = None
        self._drawn: list[str] = []  # as text: the collector of garbage would look through thousands of dicts
        self._id = 0

    @classmethod
    async def sit(
        cls,
        port: int,
        table: str,
        *tokens: str,
        version: int = 0,
        cookie: str = "",
        watch: bool = False,
        address: str = "",
    ) -> SocketPlayer:
        headers = {"cookie": f"cupboard={cookie}"} if cookie else {}
        socket = await connect(
            f"ws://127.0.0.1:{port}/api/tables/{table}/socket",
            additional_headers=headers,
            compression=None,
            local_addr=(address or Household.address, 0),
        )
        player = cls(socket)
        player.version = version
        await player.send(type="hello", tokens=tokens, version=version, watch=watch)
        await player.until("update")
        return player

    @property
    def scene(self) -> Scene:
        """The scene as a page has it: the whole one with all changes since."""
        for update in (msgspec.json.decode(data, type=Update) for data in self._drawn):
            if update.scene is not None:
                self._scene = update.scene
            else:
                assert self._scene is not None and update.change is not None
                self._scene = apply(update.change, self._scene)
        self._drawn.clear()
        assert self._scene is not None
        return self._scene

    def filled(self) -> str:
        """The suggested move, where there are too many to list them."""
        filling = msgspec.convert(self.update["filling"], Filling)
        return filling.text(self.scene.tint(name).letter for name in filling.suggestion)

    async def send(self, **message: Any) -> None:
        await self.socket.send(msgspec.json.encode(message).decode())

    async def say(self, **message: Any) -> dict[str, Any]:
        """Send a message and return its answer: an update or a refusal."""
        self._id += 1
        await self.send(id=self._id, **message)
        while True:
            got = await self.receive()
            if got.get("ack") == self._id or got.get("id") == self._id:
                return got

    async def move(self, text: str, **more: Any) -> dict[str, Any]:
        return await self.say(type="move", text=text, version=self.version, **more)

    async def receive(self) -> dict[str, Any]:
        data = await asyncio.wait_for(self.socket.recv(), 30)
        assert isinstance(data, str)
        self.bytes.append(data)
        got: dict[str, Any] = msgspec.json.decode(data)
        if got["type"] == "update":
            assert [event["n"] for event in got["events"]] == list(range(self.version, got["version"])), got
            self.version = got["version"]
            self.events += got["events"]
            self.update = got
            if "scene" in got:
                self._drawn.clear()
            self._drawn.append(data)
        else:
            self.others.append(got)
        return got

    async def until(self, kind: str) -> dict[str, Any]:
        while True:
            got = await self.receive()
            if got["type"] == kind:
                return got
            assert got["type"] != "refused", got

    async def until_asked(self) -> bool:
        """Wait for this seat's turn. Returns False if the game is over."""
        while True:
            if self.update.get("status") == "over":
                return False
            if self.update.get("seat") in self.update.get("asked", ()):
                return True
            await self.until("update")

    async def close(self) -> None:
        await self.socket.close()


def wait_for(condition: Any, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it never came true"
        time.sleep(0.02)
