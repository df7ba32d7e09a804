"""An open socket: messages are received whatever the network does, and no client can make it send or keep too much."""

from __future__ import annotations

import asyncio
import functools
import struct
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from websockets.frames import BINARY, CLOSE, CONT, PING, PONG, TEXT, Close, Frame

from cupboard.server.socket.connection import (
    FRAMES_AT_ONCE,
    MAX_MESSAGE,
    MOST_CONTROLS,
    MOST_FRAGMENTS,
    SocketConnection,
)


class Pipe(asyncio.Transport):
    """A transport that keeps what is written to it."""

    def __init__(self) -> None:
        super().__init__()
        self.written = b""
        self.ends: list[str] = []
        self.reading = True

    def write(self, data: Any) -> None:
        assert not self.ends, "nothing is written after the end"
        self.written += bytes(data)

    def can_write_eof(self) -> bool:
        return True

    def write_eof(self) -> None:
        self.ends.append("eof")

    def close(self) -> None:
        self.ends.append("closed")

    def abort(self) -> None:
        self.ends.append("aborted")

    def pause_reading(self) -> None:
        self.reading = False

    def resume_reading(self) -> None:
        self.reading = True


class Ear:
    """A listener that remembers."""

    def __init__(self) -> None:
        self.messages: list[str | bytes] = []
        self.news: list[str] = []

    def received(self, message: str | bytes) -> None:
        self.messages.append(message)

    def drained(self) -> None:
        self.news.append("drained")

    def disconnected(self) -> None:
        self.news.append("gone")


def in_a_loop(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    @functools.wraps(test)
    def run(*args: Any, **kwargs: Any) -> None:
        asyncio.run(test(*args, **kwargs))

    return run


def open_connection(heartbeat: float = 100.0) -> tuple[SocketConnection, Pipe, Ear]:
    connection, pipe, ear = SocketConnection(heartbeat), Pipe(), Ear()
    connection.listen(ear)
    connection.open(pipe, set())
    return connection, pipe, ear


def hear(connection: SocketConnection, data: bytes) -> None:
    """What the transport does with data that has come."""
    while data:
        buffer = connection.get_buffer(-1)
        part, data = data[: len(buffer)], data[len(buffer) :]
        buffer[: len(part)] = part
        connection.buffer_updated(len(part))


async def everybodys_turn() -> None:
    for _ in range(500):
        await asyncio.sleep(0)


def from_client(opcode: Any, data: bytes, fin: bool = True) -> bytes:
    return bytes(Frame(opcode, data, fin).serialize(mask=True))


def from_server(opcode: Any, data: bytes) -> bytes:
    return bytes(Frame(opcode, data).serialize(mask=False))


@pytest.mark.parametrize("size", [0, 1, 125, 126, 127, 1000, MAX_MESSAGE])
@in_a_loop
async def test_a_message_of_any_allowed_size_is_heard(size: int) -> None:
    connection, pipe, ear = open_connection()
    text, data = "x" * size, bytes(i % 256 for i in range(size))
    hear(connection, from_client(TEXT, text.encode()) + from_client(BINARY, data))
    assert ear.messages == [text, data] and not pipe.written


@pytest.mark.parametrize("size", [0, 125, 126, 65_535, 65_536, 100_000])
@in_a_loop
async def test_what_is_written_is_one_text_frame(size: int) -> None:
    connection, pipe, _ = open_connection()
    connection.write(b"x" * size)
    assert pipe.written == from_server(TEXT, b"x" * size)


@in_a_loop
async def test_however_the_network_cuts_it_the_messages_are_the_same() -> None:
    sent = ["hello", "x" * 300, "", "y" * 126, "größer"]
    stream = b"".join(from_client(TEXT, message.encode()) for message in sent)
    stream += from_client(TEXT, b"in ", fin=False) + from_client(PING, b"?") + from_client(CONT, b"parts")
    for step in range(1, len(stream) + 1):
        connection, pipe, ear = open_connection()
        for at in range(0, len(stream), step):
            hear(connection, stream[at : at + step])
        assert ear.messages == [*sent, "in parts"]
        assert pipe.written == from_server(PONG, b"?")


@in_a_loop
async def test_a_ping_is_answered_and_a_pong_is_not() -> None:
    connection, pipe, ear = open_connection()
    hear(connection, from_client(PING, b"are you there") + from_client(PONG, b""))
    assert pipe.written == from_server(PONG, b"are you there")
    assert not ear.messages


def lengthy(kind: str, payload: bytes) -> bytes:
    """A text frame whose length takes more bytes than it needs, masked with zeros."""
    head = {"H": b"\x81\xfe", "Q": b"\x81\xff"}[kind]
    return head + struct.pack(f"!{kind}", len(payload)) + bytes(4) + payload


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (from_server(TEXT, b"unmasked"), 1002),
        (from_client(TEXT, b"x" * (MAX_MESSAGE + 1)), 1009),
        (from_client(TEXT, b"x" * 4000, fin=False) + from_client(CONT, b"x" * 4000), 1009),
        (from_client(CONT, b"of nothing"), 1002),
        (b"\xf1\x80\0\0\0\0", 1002),  # bits that nobody has agreed on
        (b"\x89\xfe\x00\x7e\0\0\0\0" + b"x" * 126, 1002),  # a ping that is too long
        (from_client(TEXT, b"caf\xc3"), 1007),
        (from_client(TEXT, b"\xed\xa0\x80"), 1007),  # half a surrogate pair
        (from_client(TEXT, b"a\xff", fin=False), 1007),  # without waiting for the rest
        (lengthy("H", b"x" * 125), 1002),
        (lengthy("Q", b"x" * 65_535), 1002),
        (b"\x81\xff" + struct.pack("!Q", 1 << 62) + bytes(4) + b"x" * (MAX_MESSAGE + 1), 1009),  # without an end
        (from_client(CLOSE, b"\x00"), 1002),
    ],
)
@in_a_loop
async def test_rfc_6455_a_breach_is_named_by_its_code(data: bytes, code: int) -> None:
    connection, pipe, ear = open_connection()
    hear(connection, data)
    assert pipe.written[0] == 0x88 and Close.parse(pipe.written[2:]).code == code
    assert pipe.ends == ["eof"] and not ear.messages


@in_a_loop
async def test_a_message_in_more_fragments_than_allowed_is_too_big() -> None:
    for count, is_fine in ((MOST_FRAGMENTS, True), (MOST_FRAGMENTS + 1, False)):
        connection, pipe, ear = open_connection()
        frames = [from_client(TEXT, b"", fin=False), *[from_client(CONT, b"", fin=False)] * (count - 2)]
        hear(connection, b"".join(frames) + from_client(CONT, b""))
        await everybodys_turn()
        if is_fine:
            assert ear.messages == [""] and not pipe.ends
        else:
            assert Close.parse(pipe.written[2:]).code == 1009 and not ear.messages


@pytest.mark.parametrize("kind", [PING, PONG])
@in_a_loop
async def test_more_control_frames_than_allowed_in_a_period_are_against_the_policy(kind: Any) -> None:
    connection, pipe, _ = open_connection()
    hear(connection, from_client(kind, b"") * MOST_CONTROLS)
    await everybodys_turn()
    assert not pipe.ends
    connection._beat()
    hear(connection, from_client(kind, b"") * MOST_CONTROLS)
    await everybodys_turn()
    assert not pipe.ends, "the next period begins afresh"
    hear(connection, from_client(kind, b""))
    assert Close.parse(pipe.written[-25:]).code == 1008 and pipe.ends == ["eof"]


@in_a_loop
async def test_others_have_their_turn_between_the_frames_of_one_read() -> None:
    connection, pipe, ear = open_connection()
    hear(connection, b"".join(from_client(TEXT, b"%d" % n) for n in range(3 * FRAMES_AT_ONCE)))
    assert len(ear.messages) == FRAMES_AT_ONCE and not pipe.reading
    await asyncio.sleep(0)
    assert len(ear.messages) == 2 * FRAMES_AT_ONCE and not pipe.reading
    await everybodys_turn()
    assert ear.messages == [str(n) for n in range(3 * FRAMES_AT_ONCE)] and pipe.reading


@in_a_loop
async def test_a_held_line_keeps_what_has_come_and_reads_nothing_more() -> None:
    connection, pipe, ear = open_connection()

    def received(message: str | bytes) -> None:
        ear.messages.append(message)
        connection.hold()

    ear.received = received  # type: ignore[method-assign]
    hear(connection, from_client(TEXT, b"one") + from_client(TEXT, b"two") + from_client(TEXT, b"three"))
    await everybodys_turn()
    assert ear.messages == ["one"] and not pipe.reading
    connection.release()
    await everybodys_turn()
    assert ear.messages == ["one", "two"] and not pipe.reading
    connection.release()
    connection.release()
    await everybodys_turn()
    assert ear.messages == ["one", "two", "three"] and not pipe.reading


@in_a_loop
async def test_a_close_is_answered() -> None:
    connection, pipe, ear = open_connection()
    hear(connection, from_client(TEXT, b"one more thing") + from_client(CLOSE, Close(1000, "bye").serialize()))
    assert ear.messages == ["one more thing"]
    assert pipe.written == from_server(CLOSE, Close(1000, "bye").serialize()) and pipe.ends == ["eof"]
    connection.write(b"too late")
    connection.close(1008, "too late")


@in_a_loop
async def test_after_closing_nothing_is_heard_and_the_timer_cuts_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cupboard.server.socket.connection._SECONDS_TO_CLOSE", 0.01)
    connection, pipe, ear = open_connection()
    hear(connection, from_client(TEXT, b"x") * (FRAMES_AT_ONCE + 5))
    connection.close(1008, "too many faults")
    assert pipe.written == from_server(CLOSE, Close(1008, "too many faults").serialize()) and pipe.ends == ["eof"]
    hear(connection, from_client(TEXT, b"but"))
    await everybodys_turn()
    assert len(ear.messages) == FRAMES_AT_ONCE and pipe.reading, "what still comes is thrown away"
    await asyncio.sleep(0.05)
    assert pipe.ends == ["eof", "aborted"]


@in_a_loop
async def test_no_timer_outlives_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cupboard.server.socket.connection._SECONDS_TO_CLOSE", 0.01)
    for closes in (False, True):
        connection, pipe, _ = open_connection(heartbeat=0.01)
        if closes:
            connection.close(1000, "")
        connection.connection_lost(None)
        before = list(pipe.ends)
        await asyncio.sleep(0.05)
        assert pipe.ends == before and (closes or not pipe.written)


@in_a_loop
async def test_a_client_that_does_not_read_is_not_heard_until_it_does() -> None:
    connection, pipe, ear = open_connection()
    connection.pause_writing()
    assert connection.is_full and not pipe.reading
    connection.hold()
    connection.release()
    await everybodys_turn()
    assert not pipe.reading, "its backlog is done, but it still does not read"
    connection.resume_writing()
    await everybodys_turn()
    assert not connection.is_full and pipe.reading and ear.news == ["drained"]


@in_a_loop
async def test_the_end_is_told_once() -> None:
    connection, _, ear = open_connection()
    connection.connection_lost(None)
    connection.connection_lost(None)
    assert ear.news == ["gone"]


@in_a_loop
async def test_silent_clients_are_asked_and_dead_ones_cut_off() -> None:
    connection, pipe, _ = open_connection()
    connection._beat()
    assert not pipe.written, "it may have been silent for a moment only"
    connection._beat()
    assert pipe.written == from_server(PING, b"")
    hear(connection, from_client(PONG, b""))
    connection._beat()
    assert not pipe.ends
    connection._beat()
    connection._beat()
    assert pipe.ends == ["aborted"]


@in_a_loop
async def test_the_heart_beats_once_a_period() -> None:
    _, pipe, _ = open_connection(heartbeat=0.02)
    async with asyncio.timeout(5):
        while not pipe.ends:
            await asyncio.sleep(0.005)
    assert pipe.written == from_server(PING, b"") and pipe.ends == ["aborted"]
