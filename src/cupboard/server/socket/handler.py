"""The messages of one client of a table: each is decoded and acted on, or refused with a sentence."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from time import perf_counter
from typing import Any

import msgspec

from cupboard.core.errors import CupboardError
from cupboard.core.game import Game, Seat
from cupboard.core.words import phrase
from cupboard.server.errors import BadMessage, Busy, DatabaseLost, NoHints, NotYourSeat, Stale, TooMany
from cupboard.server.limits.connections import ConnectionLimit
from cupboard.server.limits.rates import RateLimits
from cupboard.server.people.sessions import Session
from cupboard.server.socket.connection import SocketConnection
from cupboard.server.table import moves, offers
from cupboard.server.table.access import SeatAccess
from cupboard.server.table.client import Client
from cupboard.server.table.hints import PendingHint
from cupboard.server.table.room import Room
from cupboard.server.table.scenes import ENCODER, choice
from cupboard.server.table.tables import Tables
from cupboard.server.watching.notes import Note
from cupboard.server.wire.client_messages import (
    Answer,
    AskHint,
    Chat,
    ClientMessage,
    Hello,
    Make,
    Ping,
    Propose,
    Resign,
    SayPhrase,
    SwitchSeat,
    Why,
)
from cupboard.server.wire.problems import Problem, problem
from cupboard.server.wire.server_messages import Database, Hint, Pong, Refused, Welcome

_LOG = logging.getLogger(__name__)
_DECODER: msgspec.json.Decoder[ClientMessage] = msgspec.json.Decoder(ClientMessage)
_MOST_WAITING = 16
"""How many messages of a client wait for the one before them; the rest waits in the network."""
_MOST_AT_A_SEAT = 8
"""How many windows may show one seat; beyond that the oldest is closed."""
TOO_MANY_WINDOWS = 4001
"""The close code of a window that was closed for a newer one; it should not come back by itself."""
_MOST_FAULTS = 50
"""A client is disconnected after so many messages that were malformed, too many, or for another's seat."""


class SocketHandler:
    """Answers the messages of one connection in order, each when the one before it is done."""

    __slots__ = (
        "_access", "_address", "_client", "_connection", "_faults", "_gone", "_hints", "_limits",
        "_room", "_session", "_sockets", "_tables", "_task", "_waiting",
    )  # fmt: skip

    def __init__(
        self,
        tables: Tables,
        access: SeatAccess,
        limits: RateLimits,
        sockets: ConnectionLimit,
        room: Room,
        session: Session | None,
        address: str,
        connection: SocketConnection,
    ) -> None:
        self._tables = tables
        self._access = access
        self._limits = limits
        self._sockets = sockets
        self._room = room
        self._session = session
        self._address = address
        self._connection = connection
        self._client: Client | None = None
        self._faults = 0
        self._task: asyncio.Task[None] | None = None
        self._waiting: deque[tuple[str | bytes, float]] | None = None
        self._hints: set[PendingHint] | None = None
        self._gone = False

    def received(self, message: str | bytes) -> None:
        """Answer a message after those that came before it."""
        at = perf_counter()
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._work(message, at))
            return
        if self._waiting is None:
            self._waiting = deque()
        self._waiting.append((message, at))
        if len(self._waiting) >= _MOST_WAITING:
            self._connection.hold()

    def drained(self) -> None:
        """Send the client what was left out while it was slow."""
        if self._client is not None:
            self._client.drained(self._room)

    def disconnected(self) -> None:
        """Leave the table. The message that is being answered is finished; hints are cancelled."""
        self._gone = True
        for hint in tuple(self._hints or ()):
            hint.cancel()
        self._waiting = None
        self._sockets.leave(self._address)
        self._tables.watcher.socket_closed()
        if self._task is None:
            self._leave()

    async def _work(self, message: str | bytes, at: float) -> None:
        await self._answer(message, at)
        while self._waiting:
            await self._answer(*self._waiting.popleft())
        self._task = self._waiting = None
        if self._gone:
            self._leave()
        else:
            self._connection.release()

    def _leave(self) -> None:
        self._limits.forget("messages", self)
        if self._client is not None:
            self._room.leave(self._client)

    async def _answer(self, data: str | bytes, at: float) -> None:
        """Act on a message that was received at this time (`perf_counter`)."""
        known = None
        try:
            self._limits.spend("messages", self)
            message = self._read(data)
            known = getattr(message, "id", None)
            await self._act_on(message, known)
            if isinstance(message, Make):
                plan = self._room.plan
                self._tables.watcher.moved(plan.game.name, plan.id, perf_counter() - at)
        except CupboardError as refusal:
            error = refusal
            if isinstance(error, Busy) and self._tables.cluster.is_cut_off:
                error = DatabaseLost(phrase("no.databaseLost"))
            if isinstance(error, BadMessage | TooMany | NotYourSeat):
                self._faults += 1
            self._refuse(error, known)
            if error.code == "stale" and self._client is not None:
                self._client.push(self._room, force=True)
            if self._faults > _MOST_FAULTS:
                self._connection.close(1008, "too many faults")
        except Exception:
            _LOG.exception(Note("message-failed", game=self._room.plan.game.name))
            self._refuse(None, known)

    def _read(self, data: str | bytes) -> ClientMessage:
        try:
            return _DECODER.decode(data)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            raise BadMessage(phrase("no.message", why=str(error))) from None

    async def _act_on(self, message: ClientMessage, known: int | None) -> None:
        if isinstance(message, Ping):
            self._connection.write(ENCODER.encode(Pong(known)))
            return
        if isinstance(message, Hello):
            await self._hello(message)
            return
        client, room = self._client, self._room
        if client is None:
            raise BadMessage(phrase("no.hello"))
        match message:
            case Make():
                await moves.move(room, client, message.seat, message.text, message.version)
            case Chat():
                room.whose(client, message.seat)  # a watcher spends nothing of the table's
                offers.check_chat(room, "free")
                self._spend_for_chat(room)
                await offers.chat(room, client, message.seat, message.text)
            case SayPhrase():
                room.whose(client, message.seat)
                offers.check_chat(room, "phrases")
                self._spend_for_chat(room)
                await offers.say_phrase(room, client, message.seat, message.phrase)
            case Propose():
                await offers.offer(room, client, message.seat, message.what)
            case Answer():
                await offers.answer(room, client, message.seat, message.what, message.yes)
            case Resign():
                await offers.resign(room, client, message.seat)
            case AskHint():
                self._ask_hint(client, message)
                return
            case Why():
                raise moves.why_not(room, client, message.seat, message.spots)
            case SwitchSeat():
                client.look(room.whose(client, message.seat), room.state.changed)
                client.push(room, force=True)
                return
        client.push(room, known)

    def _spend_for_chat(self, room: Room) -> None:
        who = self._session.person.id if self._session else ("at", self._address)
        self._limits.spend_for("chat", who, self._address)
        self._limits.spend("table-chat", room.plan.id)

    async def _hello(self, message: Hello) -> None:
        person = await self._access.person(self._session)
        # A table that nobody had said hello to may have left the memory meanwhile: there must be one room only.
        room = await self._tables.room(self._room.plan.id)
        try:
            seats = self._access.held(room.plan, None if message.watch else person, message.tokens)
        except NotYourSeat:
            self._limits.spend("links", self._address)
            raise
        if message.version > room.state.version:  # it may come from another server, whose message was slower
            async with room.lock:
                await room.catch_up()
        if message.version > room.state.version:
            raise BadMessage(phrase("no.events", have=room.state.version, said=message.version))
        if self._client is not None:
            self._room.leave(self._client)
        self._room = room
        session = self._session.digest if self._session else ""
        self._client = Client(self._connection, seats, max(0, message.version), session, person)
        room.join(self._client)
        self._close_oldest(room, seats)
        self._connection.write(ENCODER.encode(Welcome(room.info(seats), tuple(sorted(seats)))))
        self._client.push(room, force=True)
        if self._tables.cluster.is_cut_off:
            self._client.tell(Database(False))

    def _close_oldest(self, room: Room, seats: frozenset[Seat]) -> None:
        """Close the oldest sockets of a seat that has too many: they may belong to connections that were lost."""
        for seat in seats:
            holders = sorted((client for client in room.clients if seat in client.seats), key=lambda one: one.number)
            for client in holders[:-_MOST_AT_A_SEAT]:
                client.close(TOO_MANY_WINDOWS, "this seat is open in newer windows")

    def _ask_hint(self, client: Client, message: AskHint) -> None:
        """Begin to think about a hint; everything else the client asks for goes on meanwhile."""
        room, hints = self._room, self._tables.hints
        seat = room.whose(client, message.seat)
        if seat not in room.state.asked:
            raise BadMessage(phrase("no.question"))
        if room.is_company and not room.state.hints:
            raise NoHints(phrase("no.hints"))
        hints.check(room.plan.id, seat, room.state.changed)
        who = (room.plan.id, seat) if self._session is None else self._session.person.id
        self._limits.spend_for("hints", who, self._address)
        view = room.state.position.seen_by(seat)
        pending = hints.ask(room.plan.id, seat, room.state.changed, view)
        self._hints = self._hints or set()
        self._hints.add(pending)
        pending.answer.add_done_callback(lambda _: self._forget(pending))
        room.spawn(self._hint(client, seat, room.state.version, pending, view.game, message.id))

    def _forget(self, pending: PendingHint) -> None:
        if self._hints is not None:
            self._hints.discard(pending)

    async def _hint(
        self, client: Client, seat: Seat, version: int, pending: PendingHint, game: Game[Any], known: int | None
    ) -> None:
        try:
            move = await pending.answer
            await self._room.note_help(seat)
            client.tell(Hint(version, seat, choice(move), known, move.short(game.seat_name)))
            self._tables.watcher.hinted(game.name)
        except asyncio.CancelledError:
            self._refuse(Stale(phrase("no.stale")), known)
        except Exception:
            _LOG.exception(Note("hint-failed", game=game.name))
            self._refuse(None, known)

    def _refuse(self, error: CupboardError | None, known: int | None) -> None:
        """Tell the client why its message was refused; without an error, that the server has failed."""
        self._tables.watcher.message_refused(error, self._address)
        words = phrase("no.surprise")
        said = Problem("error", str(words), words) if error is None else problem(error)
        self._connection.write(ENCODER.encode(Refused(said.code, said.sentence, known, said.words)))
