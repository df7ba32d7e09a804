"""The socket of a table, from hello to the end: each message is read, done or refused with a sentence."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec

from cupboard.core.errors import CupboardError
from cupboard.server import offers
from cupboard.server.errors import BadMessage, NotYourSeat, TooMany
from cupboard.server.limits import Limits
from cupboard.server.people import Person
from cupboard.server.room import Room
from cupboard.server.scenes import choice
from cupboard.server.socket import Client
from cupboard.server.tables import Tables
from cupboard.server.viewing import ENCODER, spoken
from cupboard.server.wire import (
    Answer,
    AskHint,
    Chat,
    ClientMessage,
    Hello,
    Hint,
    Look,
    Make,
    Ping,
    Pong,
    Propose,
    Refused,
    Resign,
    Welcome,
)

Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]

_LOG = logging.getLogger(__name__)
_DECODER: msgspec.json.Decoder[ClientMessage] = msgspec.json.Decoder(ClientMessage)
_MOST_FAULTS = 50
"""After so many refused messages that were not even messages, a client is shown out."""


class Talk:
    """One connection."""

    __slots__ = ("_address", "_client", "_faults", "_limits", "_person", "_room", "_send", "_tables")

    def __init__(
        self, tables: Tables, limits: Limits, room: Room, person: Person | None, address: str, send: Send
    ) -> None:
        self._tables = tables
        self._limits = limits
        self._room = room
        self._person = person
        self._address = address
        self._send = send
        self._client: Client | None = None
        self._faults = 0

    async def run(self, receive: Receive) -> None:
        """Until the client goes."""
        try:
            while True:
                event = await receive()
                if event["type"] == "websocket.disconnect":
                    return
                await self._hear(event.get("text") or event.get("bytes") or b"")
                if self._faults > _MOST_FAULTS:
                    await self._send({"type": "websocket.close", "code": 1008, "reason": "too many faults"})
                    return
        except OSError:
            return
        finally:
            self._limits.forget("messages", self)
            if self._client is not None:
                await self._room.leave(self._client)

    async def _write(self, data: bytes) -> None:
        await self._send({"type": "websocket.send", "text": data.decode()})

    async def _hear(self, data: str | bytes) -> None:
        known = None
        try:
            self._limits.spend("messages", self)
            message = self._read(data)
            known = getattr(message, "id", None)
            await self._do(message, known)
        except CupboardError as error:
            if isinstance(error, BadMessage | TooMany | NotYourSeat):
                self._faults += 1
            await self._write(ENCODER.encode(Refused(error.code, spoken(error), known)))
            if error.code == "stale" and self._client is not None:
                await self._client.push(self._room, force=True)
        except Exception:
            _LOG.exception("A message could not be answered")
            sentence = "Something went wrong on the server; nothing was changed."
            await self._write(ENCODER.encode(Refused("error", sentence, known)))

    def _read(self, data: str | bytes) -> ClientMessage:
        try:
            return _DECODER.decode(data)
        except (msgspec.DecodeError, UnicodeError) as error:
            raise BadMessage(f"This is no message: {error}.") from None

    async def _do(self, message: ClientMessage, known: int | None) -> None:
        if isinstance(message, Ping):
            await self._write(ENCODER.encode(Pong(known)))
            return
        if isinstance(message, Hello):
            await self._hello(message)
            return
        client, room = self._client, self._room
        if client is None:
            raise BadMessage("Say hello first.")
        match message:
            case Make():
                await room.move(client, message.seat, message.text, message.version)
            case Chat():
                await offers.chat(room, client, message.seat, message.text)
            case Propose():
                await offers.offer(room, client, message.seat, message.what)
            case Answer():
                await offers.answer(room, client, message.seat, message.what, message.yes)
            case Resign():
                await offers.resign(room, client, message.seat)
            case AskHint():
                await self._hint(client, message)
                return
            case Look():
                client.look(room.whose(client, message.seat), room.fold.changed)
                await client.push(room, force=True)
                return
        await client.push(room, known)

    async def _hello(self, message: Hello) -> None:
        # A table that nobody had said hello to may have left the memory meanwhile: there must be one room only.
        room = await self._tables.room(self._room.plan.id)
        try:
            seats = self._tables.held(room.plan, None if message.watch else self._person, message.tokens)
        except NotYourSeat:
            self._limits.spend("wrong links", self._address)
            raise
        if message.version > room.fold.version:
            raise BadMessage(f"The log has {room.fold.version} events, not {message.version}.")
        if self._client is not None:
            await self._room.leave(self._client)
        self._room = room
        self._client = Client(self._write, seats, max(0, message.version))
        await room.join(self._client)
        await self._write(ENCODER.encode(Welcome(room.info(seats), tuple(sorted(seats)))))
        await self._client.push(room, force=True)

    async def _hint(self, client: Client, message: AskHint) -> None:
        room = self._room
        seat = room.whose(client, message.seat)
        version, view = room.fold.version, room.fold.position.seen_by(seat)
        if seat not in room.fold.asked:
            raise BadMessage("There is nothing to decide for you now.")
        self._limits.spend("messages", self, 20)
        move = await self._tables.bots.hint(view)
        await client.tell(Hint(version, seat, choice(move), message.id))
