"""The open socket: what pages send is read here, the rest by the book, and nobody can make it say or keep too much."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from websockets.frames import CLOSE, CONT, PING, PONG, TEXT, Close, Frame

from cupboard.server import eager
from cupboard.server.line import MAX_MESSAGE, Line
from cupboard.server.pulse import Pulse


class Pipe(asyncio.Transport):
    """A transport that keeps what is written to it."""

    def __init__(self) -> None:
        super().__init__()
        self.written = b""
        self.ends: list[str] = []
        self.reading = True

    def write(self, data: Any) -> None:
        self.written += bytes(data)

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
        self.messages: list[bytes] = []
        self.news: list[str] = []

    def heard(self, message: bytes) -> None:
        self.messages.append(message)

    def drained(self) -> None:
        self.news.append("drained")

    def gone(self) -> None:
        self.news.append("gone")


def open_line() -> tuple[Line, Pipe, Ear]:
    line, pipe, ear = Line(Pulse()), Pipe(), Ear()
    line.listen(ear)
    line.open(pipe, set())
    return line, pipe, ear


def from_client(opcode: Any, data: bytes, fin: bool = True) -> bytes:
    return bytes(Frame(opcode, data, fin).serialize(mask=True))


def from_server(opcode: Any, data: bytes) -> bytes:
    return bytes(Frame(opcode, data).serialize(mask=False))


@pytest.mark.parametrize("size", [0, 1, 125, 126, 127, 1000, MAX_MESSAGE])
def test_a_text_of_any_allowed_size_is_heard(size: int) -> None:
    line, pipe, ear = open_line()
    message = bytes(i % 256 for i in range(size))
    line.data_received(from_client(TEXT, message))
    assert ear.messages == [message] and line._library is None and not pipe.written


@pytest.mark.parametrize("size", [0, 125, 126, 65_535, 65_536, 100_000])
def test_what_we_write_is_what_the_library_would(size: int) -> None:
    line, pipe, _ = open_line()
    line.write(b"x" * size)
    assert pipe.written == from_server(TEXT, b"x" * size)


def test_however_the_network_cuts_it_the_messages_are_the_same() -> None:
    sent = [b"hello", b"x" * 300, b"", b"y" * 126]
    stream = b"".join(from_client(TEXT, message) for message in sent)
    stream += from_client(TEXT, b"in ", fin=False) + from_client(PING, b"?") + from_client(CONT, b"parts")
    for step in range(1, len(stream) + 1):
        line, pipe, ear = open_line()
        for at in range(0, len(stream), step):
            line.data_received(stream[at : at + step])
        assert ear.messages == [*sent, b"in parts"]
        assert pipe.written == from_server(PONG, b"?")


def test_a_ping_is_answered_and_a_pong_is_enough_of_an_answer() -> None:
    line, pipe, ear = open_line()
    line.data_received(from_client(PING, b"are you there") + from_client(PONG, b""))
    assert pipe.written == from_server(PONG, b"are you there")
    assert not ear.messages and line._library is None


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (from_server(TEXT, b"unmasked"), 1002),
        (from_client(TEXT, b"x" * (MAX_MESSAGE + 1)), 1009),
        (from_client(TEXT, b"x" * 4000, fin=False) + from_client(CONT, b"x" * 4000), 1009),
        (from_client(CONT, b"of nothing"), 1002),
        (b"\xf1\x80\0\0\0\0", 1002),  # bits that nobody has agreed on
        (b"\x89\xfe\x00\x7e\0\0\0\0" + b"x" * 126, 1002),  # a ping that is too long
    ],
)
def test_who_breaks_the_rules_is_told_and_cut_off(data: bytes, code: int) -> None:
    line, pipe, ear = open_line()
    line.data_received(data)
    assert pipe.written[0] == 0x88 and Close.parse(pipe.written[2:]).code == code
    assert pipe.ends == ["closed"] and not ear.messages


def test_a_close_is_answered() -> None:
    line, pipe, ear = open_line()
    line.data_received(from_client(TEXT, b"one more thing") + from_client(CLOSE, Close(1000, "bye").serialize()))
    assert ear.messages == [b"one more thing"]
    assert pipe.written == from_server(CLOSE, Close(1000, "bye").serialize()) and pipe.ends == ["closed"]
    line.write(b"too late")
    assert pipe.written == from_server(CLOSE, Close(1000, "bye").serialize())


def test_who_is_shown_out_is_not_heard_any_more() -> None:
    async def run() -> None:
        line, pipe, ear = open_line()
        line.close(1008, "too many faults")
        assert pipe.written == from_server(CLOSE, Close(1008, "too many faults").serialize()) and not pipe.ends
        line.data_received(from_client(TEXT, b"but") + from_client(CLOSE, Close(1008, "").serialize()))
        assert not ear.messages and pipe.ends == ["closed"]

    asyncio.run(run())


def test_who_does_not_read_is_not_heard_until_it_does() -> None:
    line, pipe, ear = open_line()
    line.pause_writing()
    assert line.is_full and not pipe.reading
    line.resume()
    assert not pipe.reading, "its backlog is done, but it still does not read"
    line.resume_writing()
    assert not line.is_full and pipe.reading and ear.news == ["drained"]


def test_the_end_is_told_once() -> None:
    line, _, ear = open_line()
    line.connection_lost(None)
    line.connection_lost(None)
    assert ear.news == ["gone"]


def test_the_silent_are_asked_and_the_dead_cut_off() -> None:
    line, pipe, _ = open_line()
    line.beat()
    assert not pipe.written, "it may have been silent for a moment only"
    line.beat()
    assert pipe.written == from_server(PING, b"")
    line.data_received(from_client(PONG, b""))
    line.beat()
    assert not pipe.ends
    line.beat()
    line.beat()
    assert pipe.ends == ["aborted"]


def test_the_pulse_beats_for_everybody_once_a_period() -> None:
    beats: list[str] = []

    class Heart:
        def __init__(self, name: str) -> None:
            self.name = name

        def beat(self) -> None:
            beats.append(self.name)

    async def run() -> None:
        pulse = Pulse(period=0.1)
        early, late, left = Heart("early"), Heart("late"), Heart("left")
        running = asyncio.create_task(pulse.run())
        pulse.add(early)
        pulse.add(left)
        await asyncio.sleep(0.05)
        pulse.add(late)
        pulse.discard(left)
        while "late" not in beats:
            await asyncio.sleep(0.005)
        running.cancel()

    asyncio.run(run())
    assert beats[:2] == ["early", "late"]


# Coroutines that start at once.


def test_what_need_not_wait_is_done_at_once() -> None:
    done: list[int] = []

    async def work() -> None:
        async with asyncio.Lock():
            done.append(1)

    async def run() -> None:
        assert eager.start(work()) is None
        assert done == [1]

    asyncio.run(run())


def test_what_must_wait_goes_on_as_a_task() -> None:
    done: list[str] = []

    async def work(future: asyncio.Future[str]) -> None:
        await asyncio.sleep(0)
        done.append(await future)
        await asyncio.sleep(0.001)
        done.append("slept")

    async def run() -> None:
        future: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        task = eager.start(work(future))
        assert task is not None
        await asyncio.sleep(0)
        future.set_result("came")
        await task
        assert done == ["came", "slept"]

    asyncio.run(run())


def test_a_cancelled_task_tells_its_coroutine() -> None:
    done: list[str] = []

    async def work(lock: asyncio.Lock) -> None:
        try:
            async with lock:
                done.append("never")
        except asyncio.CancelledError:
            done.append("told")
            raise

    async def run() -> None:
        async with (lock := asyncio.Lock()):
            task = eager.start(work(lock))
            assert task is not None
            await asyncio.sleep(0)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
        assert done == ["told"] and not lock.locked()

    asyncio.run(run())


def test_an_error_after_waiting_is_the_tasks() -> None:
    async def work() -> None:
        await asyncio.sleep(0)
        raise ValueError("late")

    async def run() -> None:
        task = eager.start(work())
        assert task is not None
        with pytest.raises(ValueError, match="late"):
            await task

    asyncio.run(run())
