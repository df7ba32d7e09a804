"""Tables and the people at them: they play on whichever server answers, come back as the page does, and remember."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

import httpx
import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from cupboard.core.filling import Filling

PAUSES = (0.3, 0.7, 1.5, 3.0, 5.0, 8.0)
"""Seconds before another try to connect, as in web/src/table/socket.ts."""
QUIET = 20.0
"""Seconds of silence, twice of which end a connection; after half of them the page pings."""
AGAIN = 0.5
"""Seconds until somebody whose move was refused tries again."""
EXPECTED = frozenset({"stale", "busy", "no-room", "database-lost", "not-your-turn", "too-late", "getting-ready"})
"""The codes of what a server may refuse while something is wrong. Whatever else it says is a fault of ours."""
Choose = Callable[[Random], int]
"""Says which port to connect to: that of some server."""


@dataclass
class Known:
    """What the people at one table have been told of its log, and were promised to find there."""

    table: str
    game: str
    bots: frozenset[int]
    acknowledged: list[tuple[int, int, str]] = field(default_factory=list)
    """Number, seat and text of each move that was acknowledged, in the order of the acknowledgements."""
    sent: Counter[int] = field(default_factory=Counter)
    """How many moves each seat has sent."""
    told: dict[int, set[tuple[str, int | None]]] = field(default_factory=dict)
    """Kind and seat of each entry, as the players were told them: one for each number, or servers disagree."""


@dataclass(frozen=True)
class Kind:
    """A kind of table: the game, the seats as a new table has them, a clock, and who goes away after a move."""

    name: str
    game: str
    seats: tuple[str, ...]
    clock: dict[str, int] | None = None
    options: dict[str, Any] = field(default_factory=dict)
    leaves: bool = False
    """Whether the people close the page after their first move, so that the clock ends the game."""


class Table:
    """A place where one game after the other is played, each at a new table of the server."""

    def __init__(self, kind: Kind, address: str, choose: Choose, rng: Random, pace: float) -> None:
        self.kind = kind
        self.address = address
        self.choose = choose
        self.rng = rng
        self.pace = pace
        self.games: list[Known] = []
        self.players: list[Player] = []
        self.went_on_at = time.monotonic()
        """When the game last went on: somebody was told a new entry; where there is a bot, a move of the bot; where
        people leave, that the game is over."""
        self.refused: Counter[str] = Counter()
        self.lost = 0
        """How many connections have ended before the game."""

    @property
    def name(self) -> str:
        """What to call it in a report."""
        return f"{self.kind.name} {self.games[-1].table if self.games else '(not laid)'}"

    def news(self) -> str:
        """What its people know, for somebody who wonders why it is silent."""
        return f"refused {dict(self.refused)}, lost {self.lost}; " + "; ".join(map(str, self.players))

    async def play(self) -> None:
        """Lay tables and play at them until cancelled."""
        transport = httpx.AsyncHTTPTransport(local_address=self.address)
        async with httpx.AsyncClient(transport=transport, timeout=40) as http:
            while True:
                made = await self._lay(http)
                seats = made["table"]["seats"]
                known = Known(
                    made["table"]["id"], self.kind.game, frozenset(s["seat"] for s in seats if s["kind"] == "bot")
                )
                self.games.append(known)
                self.players = [Player(self, known, key["seat"], key["token"]) for key in made["keys"]]
                await asyncio.gather(*(player.play() for player in self.players))

    async def _lay(self, http: httpx.AsyncClient) -> dict[str, Any]:
        seats = [dict(zip(("kind", "level"), kind.split(":"), strict=False)) for kind in self.kind.seats]
        body = {"game": self.kind.game, "seats": seats, "clock": self.kind.clock, "options": self.kind.options}
        tries = 0
        while True:
            try:
                answer = await http.post(f"http://127.0.0.1:{self.choose(self.rng)}/api/tables", json=body)
                if answer.status_code == 201:
                    made: dict[str, Any] = answer.json()
                    return made
                self.refused[f"laying: {answer.json()['code']}"] += 1
            except (httpx.HTTPError, msgspec.DecodeError):
                self.lost += 1
            await asyncio.sleep(_pause(tries, self.rng))
            tries += 1

    def hear(self, known: Known, entry: dict[str, Any]) -> None:
        """Remember an entry that one of the players was told."""
        is_news = entry["n"] not in known.told
        known.told.setdefault(entry["n"], set()).add((entry["kind"], entry.get("seat")))
        if is_news and not self.kind.leaves and (not known.bots or entry.get("seat") in known.bots):
            self.went_on_at = time.monotonic()


class Player:
    """Somebody who holds a seat, with one socket at a time."""

    def __init__(self, table: Table, known: Known, seat: int, token: str) -> None:
        self._table = table
        self._known = known
        self._seat = seat
        self._token = token
        self._rng = Random(table.rng.random())
        self._version = 0
        self._update: dict[str, Any] = {}
        self._letters: dict[str, str] = {}
        self._id = 0
        self._asked_for: int | None = None
        """The id of the move that has not been answered."""
        self._latest: tuple[int, int, str] | None = None
        """Number, seat and text of this seat's latest move, as the server told it."""
        self._ready_at = 0.0
        self._tries = 0

    def __str__(self) -> str:
        seen = {key: self._update.get(key) for key in ("status", "version", "seat", "asked", "times")}
        return f"seat {self._seat} saw {seen} and waits for {self._asked_for or 'nothing'}"

    async def play(self) -> None:
        """Play until the game is over, on one server or another; where people leave, until the first move."""
        while not self._is_done:
            port = self._table.choose(self._rng)
            try:
                async with connect(
                    f"ws://127.0.0.1:{port}/api/tables/{self._known.table}/socket",
                    compression=None,
                    local_addr=(self._table.address, 0),
                    ping_interval=None,
                    open_timeout=2 * QUIET,
                    close_timeout=1,
                ) as socket:
                    await self._sit(socket)
            except (OSError, TimeoutError, WebSocketException):
                self._table.lost += 1
            if not self._is_done:
                await asyncio.sleep(_pause(self._tries, self._rng))
                self._tries += 1
        if self._table.kind.leaves:
            await self._wait_for_the_end()

    @property
    def _is_done(self) -> bool:
        has_left = self._table.kind.leaves and bool(self._known.acknowledged)
        return has_left or self._update.get("status") == "over"

    async def _sit(self, socket: ClientConnection) -> None:
        self._asked_for = None
        await socket.send(msgspec.json.encode(self._hello()).decode())
        heard = time.monotonic()
        while not self._is_done:
            now = time.monotonic()
            if now - heard > 2 * QUIET:
                return
            if self._wants_to_move and now >= self._ready_at:
                await self._move(socket)
            wake = self._ready_at if self._wants_to_move else now + QUIET / 2
            try:
                data = await asyncio.wait_for(socket.recv(), max(0.0, min(wake, now + QUIET / 2) - now))
            except TimeoutError:
                if time.monotonic() - heard > QUIET / 2:
                    await socket.send('{"type": "ping"}')
                continue
            heard = time.monotonic()
            self._tries = 0
            self._take(msgspec.json.decode(data))

    def _hello(self) -> dict[str, Any]:
        return {"type": "hello", "tokens": [self._token], "version": self._version}

    @property
    def _wants_to_move(self) -> bool:
        return self._asked_for is None and self._seat in self._update.get("asked", ())

    async def _move(self, socket: ClientConnection) -> None:
        self._id += 1
        self._asked_for = self._id
        self._known.sent[self._seat] += 1
        move = {"type": "move", "text": self._chosen(), "version": self._version, "id": self._id, "seat": self._seat}
        await socket.send(msgspec.json.encode(move).decode())

    def _chosen(self) -> str:
        """Some legal move that does not lose at once; of those that are put together, the suggested one."""
        if "filling" in self._update:
            filling = msgspec.convert(self._update["filling"], Filling)
            return filling.text(self._letters[name] for name in filling.suggestion)
        moves = self._update["moves"]
        safe = [move for move in moves if not move.get("warning")] or moves
        return str(self._rng.choice(safe)["text"])

    def _take(self, message: dict[str, Any]) -> None:
        if message["type"] == "update":
            self._follow(message)
        elif message["type"] == "refused":
            self._table.refused[message["code"]] += 1
            if message.get("id") == self._asked_for:
                self._asked_for = None
                self._ready_at = time.monotonic() + AGAIN

    def _follow(self, update: dict[str, Any]) -> None:
        for entry in update["events"]:
            self._table.hear(self._known, entry)
            if entry["kind"] == "move" and entry.get("seat") == self._seat:
                self._latest = (entry["n"], self._seat, entry["text"])
        if "scene" in update:
            self._letters = {tint["name"]: tint["letter"] for tint in update["scene"]["tints"]}
        if update.get("ack") is not None and update["ack"] == self._asked_for:
            assert self._latest is not None, "a move was acknowledged before it was told"
            self._known.acknowledged.append(self._latest)
            self._asked_for = None
        self._version = update["version"]
        self._update = update
        self._ready_at = time.monotonic() + self._table.pace * self._rng.uniform(0.5, 1.5)

    async def _wait_for_the_end(self) -> None:
        """Look in now and then, as somebody does who has closed the page, until the clock has ended the game."""
        async with httpx.AsyncClient(timeout=40) as http:
            while True:
                await asyncio.sleep(2 * self._rng.uniform(0.5, 1.5))
                address = f"http://127.0.0.1:{self._table.choose(self._rng)}/api/tables/{self._known.table}"
                try:
                    answer = await http.get(address)
                except httpx.HTTPError:
                    continue
                if answer.status_code == 200 and answer.json()["status"] == "over":
                    self._table.went_on_at = time.monotonic()
                    return


def _pause(tries: int, rng: Random) -> float:
    return PAUSES[min(tries, len(PAUSES) - 1)] * rng.uniform(0.7, 1.3)
