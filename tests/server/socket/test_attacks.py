"""One stranger's socket cannot stop the others' tables: attacks with the limits we ship, while somebody else plays."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.server.helpers import Household, Server, SocketPlayer, browser, lay, serving, until_ready
from websockets.frames import BINARY, CONT, PING, PONG, TEXT, Frame

LONGEST_DELAY = 0.1
"""Seconds that an attack may cost a ping at another table."""


def frame(opcode: Any, data: bytes = b"", fin: bool = True) -> bytes:
    return bytes(Frame(opcode, data, fin).serialize(mask=True))


def floods() -> Iterator[tuple[str, int, bytes]]:
    """What the stranger sends, and the code it is closed with."""
    begun = frame(TEXT, fin=False)
    nothing = frame(CONT, fin=False)
    yield "600 kB of empty continuations", 1009, begun + nothing * 100_000
    yield "1.8 MB of empty continuations", 1009, begun + nothing * 300_000
    yield "1 MB of empty pongs", 1008, frame(PONG) * 170_000
    yield "1 MB of empty pings", 1008, frame(PING) * 170_000
    yield "1 MB of full pings", 1008, frame(PING, b"x" * 125) * 8_000
    yield "small texts", 1008, frame(TEXT, b'{"type":"ping"}') * 20_000
    yield "texts that are none", 1008, frame(TEXT, b"x") * 20_000
    yield "empty binary messages", 1008, frame(BINARY) * 100_000
    yield "4096 fragments of one byte", 1009, frame(TEXT, b"[", False) + frame(CONT, b"[", False) * 4095
    yield "a message without an end", 1009, b"\x81\xff\x3f" + bytes(7) + bytes(4) + b"[" * 1_000_000
    yield "deeply nested", 1008, frame(TEXT, b"[" * 4000) * 250


FLOODS = list(floods())


@pytest.fixture
def table(http: httpx.Client) -> dict[str, Any]:
    return lay(http, "jumping-cups", "me", "me")


def stranger(server: Server, table: str) -> socket.socket:
    """An open WebSocket to a table, as bare as can be."""
    raw = socket.create_connection(("127.0.0.1", server.port), 20, (Household.address, 0))
    raw.sendall(
        f"GET /api/tables/{table}/socket HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
        "\r\n".encode()
    )
    answer = b""
    while b"\r\n\r\n" not in answer:
        answer += raw.recv(4096)
    assert answer.startswith(b"HTTP/1.1 101"), answer
    return raw


def flood(server: Server, table: str, data: bytes) -> int:
    """Send it all and read what comes; the code of the close frame, 0 if there is none."""
    with stranger(server, table) as raw:
        heard = b""
        raw.setblocking(False)
        sent = 0
        end = time.monotonic() + 20
        while time.monotonic() < end:
            try:
                got = raw.recv(65_536)
                if not got:
                    break
                heard += got
            except BlockingIOError:
                time.sleep(0.001)
            except ConnectionError:
                break
            if sent < len(data):
                try:
                    sent += raw.send(data[sent : sent + 65_536])
                except BlockingIOError:
                    pass
                except ConnectionError:
                    sent = len(data)
    return last_close(heard)


def last_close(heard: bytes) -> int:
    """The code of the close frame at the end of a server's frames."""
    while heard:
        head, size, start = heard[0], heard[1], 2
        if size > 125:
            start = 4 if size == 126 else 10
            size = int.from_bytes(heard[2:start], "big")
        if head == 0x88:
            return int.from_bytes(heard[start : start + 2], "big")
        heard = heard[start + size :]
    return 0


async def longest_ping(player: SocketPlayer, work: asyncio.Task[Any]) -> float:
    """The longest wait for a pong until the work is done, and a little longer."""
    longest, rest = 0.0, 5
    while rest:
        rest -= work.done()
        began = time.perf_counter()
        await player.send(type="ping")
        await player.until("pong")
        longest = max(longest, time.perf_counter() - began)
        await asyncio.sleep(0.06)
    return longest


@pytest.mark.quiet
@pytest.mark.parametrize(("name", "code", "data"), FLOODS, ids=[name for name, _, _ in FLOODS])
def test_a_flood_delays_nobody_else_and_is_closed(
    server: Server, http: httpx.Client, table: dict[str, Any], name: str, code: int, data: bytes
) -> None:
    target = lay(http, "jumping-cups", "me", "me")["table"]["id"]

    async def run() -> tuple[float, float, int]:
        player = await SocketPlayer.sit(server.port, table["table"]["id"], table["keys"][0]["token"])
        quiet = await longest_ping(player, asyncio.create_task(asyncio.sleep(0.3)))
        attack = asyncio.create_task(asyncio.to_thread(flood, server, target, data))
        longest = await longest_ping(player, attack)
        await player.close()
        return quiet, longest, attack.result()

    for _ in range(3):  # a busy machine may itself take long, but not each time
        quiet, longest, closed = asyncio.run(run())
        assert closed == code
        if longest < LONGEST_DELAY + quiet:
            break
    assert longest < LONGEST_DELAY + quiet


def test_floods_leave_nothing_behind(server: Server, table: dict[str, Any]) -> None:
    for _, _, data in FLOODS:
        flood(server, table["table"]["id"], data)
    before = server.memory_bytes()
    for _, _, data in FLOODS:
        flood(server, table["table"]["id"], data)
    time.sleep(0.5)
    spent = server.cpu_seconds()
    time.sleep(1.0)
    assert server.cpu_seconds() - spent < 0.2, "the server rests"
    assert server.memory_bytes() - before < 5_000_000


def test_nested_json_is_a_bad_message_and_counted(server: Server, table: dict[str, Any]) -> None:
    async def run() -> None:
        player = await SocketPlayer.sit(server.port, table["table"]["id"], table["keys"][0]["token"])
        for deep in ("[" * 4000, "[" * 2000 + "]" * 2000, '{"type":"ping","x":' + "[" * 2000 + "]" * 2000 + "}"):
            await player.socket.send(deep)
            assert (await player.receive())["code"] == "bad-message"
        await player.close()

    asyncio.run(run())


def test_a_client_that_does_not_read_costs_little_and_is_cut_off(tmp_path: Path) -> None:
    # It is the heartbeat that cuts it off; with ours of 20 s that would take a minute.
    with serving(tmp_path, heartbeat=1.0) as server, browser(server.url) as http:
        made = lay(http, "chinese-checkers", "me", "me")
        hello = frame(TEXT, b'{"type":"hello","tokens":["%s"]}' % made["keys"][0]["token"].encode())
        until_ready(server.url)  # games that are being loaded take memory, too
        before, began = server.memory_bytes(), time.monotonic()
        with stranger(server, made["table"]["id"]) as raw:
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            raw.settimeout(0.2)
            with pytest.raises(ConnectionError):
                while time.monotonic() - began < 30:  # each hello is answered with the whole board
                    with suppress(TimeoutError):
                        raw.sendall(hello)
                    time.sleep(0.06)
            assert server.memory_bytes() - before < 3_000_000
