"""The socket of a table, from hello to the end: each message is read, done or refused with a sentence."""

from __future__ import annotations

import asyncio
import logging

import msgspec

from cupboard.core.errors import CupboardError
from cupboard.core.words import phrase
from cupboard.server import offers
from cupboard.server.eager import start
from cupboard.server.errors import BadMessage, NotYourSeat, TooMany
from cupboard.server.limits import Limits
from cupboard.server.line import Line
from cupboard.server.room import Room
from cupboard.server.scenes import ENCODER, choice
from cupboard.server.sessions import Session
from cupboard.server.socket import Client
from cupboard.server.tables import Tables
from cupboard.server.viewing import problem
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

_LOG = logging.getLogger(__name__)
_DECODER: msgspec.json.Decoder[ClientMessage] = msgspec.json.Decoder(ClientMessage)
_MOST_WAITING = 16
"""So many messages of a client wait for the one before them; the rest waits in the network."""
_MOST_FAULTS = 50
"""After so many refused messages that were not even messages, a client is shown out."""


class Talk:
    """One connection. What it hears is done in order, each message when the one before it is done."""

    __slots__ = (
        "_address", "_client", "_faults", "_gone", "_limits", "_line",
        "_room", "_session", "_tables", "_task", "_waiting",
    )  # fmt: skip

    def __init__(
        self, tables: Tables, limits: Limits, room: Room, session: Session | None, address: str, line: Line
    ) -> None:
        self._tables = tables
        self._limits = limits
        self._room = room
        self._session = session
        self._address = address
        self._line = line
        self._client: Client | None = None
        self._faults = 0
        self._task: asyncio.Task[None] | None = None
        self._waiting: tuple[bytes, ...] = ()
        self._gone = False

    def heard(self, message: bytes) -> None:
        """Do what is asked, at once if nothing is in the way."""
        if self._task is None:
            self._begin(message)
            return
        self._waiting += (message,)
        if len(self._waiting) >= _MOST_WAITING:
            self._line.pause()

    def drained(self) -> None:
        """The client has read what it was sent."""
        if self._client is not None:
            self._client.drained(self._room)

    def gone(self) -> None:
        """The client has left; what it asked for last is still done."""
        self._gone = True
        self._waiting = ()
        if self._task is None:
            self._leave()

    def _begin(self, message: bytes) -> None:
        self._task = start(self._hear(message))
        if self._task is not None:
            self._task.add_done_callback(self._go_on)

    def _go_on(self, _: asyncio.Task[None]) -> None:
        self._task = None
        if self._gone:
            self._leave()
            return
        while self._waiting and self._task is None:
            message, *rest = self._waiting
            self._waiting = tuple(rest)
            self._begin(message)
        self._line.resume()

    def _leave(self) -> None:
        self._limits.forget("messages", self)
        if self._client is not None:
            self._room.leave(self._client)

    async def _hear(self, data: bytes) -> None:
        known = None
        try:
            self._limits.spend("messages", self)
            message = self._read(data)
            known = getattr(message, "id", None)
            await self._do(message, known)
        except CupboardError as error:
            if isinstance(error, BadMessage | TooMany | NotYourSeat):
                self._faults += 1
            said = problem(error)
            self._line.write(ENCODER.encode(Refused(said.code, said.sentence, known, said.words)))
            if error.code == "stale" and self._client is not None:
                self._client.push(self._room, force=True)
            if self._faults > _MOST_FAULTS:
                self._line.close(1008, "too many faults")
        except Exception:
            _LOG.exception("A message could not be answered")
            words = phrase("no.surprise")
            self._line.write(ENCODER.encode(Refused("error", str(words), known, words)))

    def _read(self, data: bytes) -> ClientMessage:
        try:
            return _DECODER.decode(data)
        except (msgspec.DecodeError, UnicodeError) as error:
            raise BadMessage(phrase("no.message", why=str(error))) from None

    async def _do(self, message: ClientMessage, known: int | None) -> None:
        if isinstance(message, Ping):
            self._line.write(ENCODER.encode(Pong(known)))
            return
        if isinstance(message, Hello):
            await self._hello(message)
            return
        client, room = self._client, self._room
        if client is None:
            raise BadMessage(phrase("no.hello"))
        match message:
            case Make():
                await room.move(client, message.seat, message.text, message.version)
            case Chat():
                room.whose(client, message.seat)  # a watcher spends nothing of the table's
                self._limits.spend("chat", self._session.person.id if self._session else ("at", self._address))
                self._limits.spend("table-chat", room.plan.id)
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
                client.push(room, force=True)
                return
        client.push(room, known)

    async def _hello(self, message: Hello) -> None:
        person = await self._tables.person(self._session)
        # A table that nobody had said hello to may have left the memory meanwhile: there must be one room only.
        room = await self._tables.room(self._room.plan.id)
        try:
            seats = self._tables.held(room.plan, None if message.watch else person, message.tokens)
        except NotYourSeat:
            self._limits.spend("links", self._address)
            raise
        if message.version > room.fold.version:
            raise BadMessage(phrase("no.events", have=room.fold.version, said=message.version))
        if self._client is not None:
            self._room.leave(self._client)
        self._room = room
        self._client = Client(self._line, seats, max(0, message.version), self._session.digest if self._session else "")
        room.join(self._client)
        self._line.write(ENCODER.encode(Welcome(room.info(seats), tuple(sorted(seats)))))
        self._client.push(room, force=True)

    async def _hint(self, client: Client, message: AskHint) -> None:
        room = self._room
        seat = room.whose(client, message.seat)
        version, view = room.fold.version, room.fold.position.seen_by(seat)
        if seat not in room.fold.asked:
            raise BadMessage(phrase("no.question"))
        self._limits.spend("messages", self, 20)
        move = await self._tables.bots.hint(view)
        client.tell(Hint(version, seat, choice(move), message.id))
