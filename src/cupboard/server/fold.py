"""A table as the fold of its log: the same entries give the same state, on any server, at any time.

Nothing here does I/O, looks at a clock or rolls dice; a room decides what to append, and a fold says what it means.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from cupboard.core.game import CHANCE, Game, Move, Position, Seat
from cupboard.core.words import phrase
from cupboard.server.store import Entry
from cupboard.server.wire import Clock, Offer, Outcome, Standing, TableStatus, Times

_DAY = 86_400_000


class Offered(msgspec.Struct):
    """An offer that waits."""

    seat: Seat
    waits: set[Seat]


class Fold:
    """What a log amounts to."""

    __slots__ = (
        "_due",
        "_left",
        "asked",
        "bots",
        "changed",
        "clock",
        "entries",
        "game",
        "last",
        "made",
        "offers",
        "outcome",
        "played",
        "position",
        "rematch",
        "since",
        "started",
    )

    def __init__(self, game: Game[Any], clock: Clock | None = None, bots: Iterable[Seat] = ()) -> None:
        self.game = game
        self.clock = clock
        self.bots = set(bots)
        """The seats that programs play; a handover adds one."""
        self.entries: list[Entry] = []
        self.made: list[Move | None] = []
        """For each entry the move it is, if it is one."""
        self.played: list[int] = []
        """The entries whose moves count: takebacks shorten this list, never the log."""
        self.position: Position[Any] = game.start()
        self.changed = 0
        """The version at which the position last changed."""
        self.asked: tuple[Seat, ...] = ()
        """The seats that are to act."""
        self.since: dict[Seat, int] = {}
        """For each seat that is asked, the version at which the question was put: an answer to an older one is stale.

        Where several act at once, the others' moves do not put it anew."""
        self.last: tuple[Seat, Move] | None = None
        self.started = False
        self.outcome: Outcome | None = None
        self.offers: dict[Offer, Offered] = {}
        self.rematch = ""
        self._left = [budget(clock)] * game.seats
        self._due: dict[Seat, int] = {}  # seat: since when its clock runs

    @classmethod
    def of(
        cls, game: Game[Any], entries: Iterable[Entry], clock: Clock | None = None, bots: Iterable[Seat] = ()
    ) -> Fold:
        """The fold of these entries."""
        fold = cls(game, clock, bots)
        for entry in entries:
            fold.add(entry)
        return fold

    @property
    def version(self) -> int:
        """How many entries the log has."""
        return len(self.entries)

    @property
    def status(self) -> TableStatus:
        """Where in its life the table is."""
        return "over" if self.outcome else "playing" if self.started else "waiting"

    def people(self) -> set[Seat]:
        """The seats of persons, taken or not."""
        return set(range(self.game.seats)) - self.bots

    def add(self, entry: Entry, move: Move | None = None, after: Position[Any] | None = None) -> None:
        """Take one entry in. `move` and `after` spare working them out again when they are known."""
        if entry.n != len(self.entries):
            raise ValueError(f"entry {entry.n} after {len(self.entries)} entries")
        if entry.seat is not None and not CHANCE <= entry.seat < self.game.seats:
            raise ValueError(f"entry {entry.n} of seat {entry.seat}")
        self.entries.append(entry)
        if entry.kind == "move":
            if entry.seat is None:
                raise ValueError(f"entry {entry.n} is nobody's move")
            if move is None or after is None:
                move = self.position.parse(entry.text, entry.seat)
                after = self.position.play(move, entry.seat)
            self.made.append(move)
            self._play(entry, entry.seat, move, after)
            return
        self.made.append(None)
        seat = -1 if entry.seat is None else entry.seat
        match entry.kind:
            case "start":
                self.started = True
                self._turn(entry.at)
            case "offer":
                waits = self.people() - {seat}
                self.offers[_offer(entry.text)] = Offered(seat, waits)
            case "agree":
                if offered := self.offers.get(_offer(entry.text)):
                    offered.waits.discard(seat)
            case "decline":
                self.offers.pop(_offer(entry.text), None)
            case "takeback":
                self._take_back(int(entry.text), entry.at)
            case "handover":
                self.bots.add(seat)
                self.offers.clear()
                self._turn(entry.at)
            case "end":
                self._end(seat, entry.text, entry.at)
            case "rematch":
                self.rematch = entry.text
                self.offers.clear()

    def takeback_target(self, seat: Seat) -> int | None:
        """The entry of the seat's last move, unless there is none or nature has moved since."""
        for n in reversed(self.played):
            mover = self.entries[n].seat
            if mover == CHANCE:
                return None
            if mover == seat:
                return n
        return None

    def standing(self) -> tuple[Standing, ...]:
        """The offers, for the wire."""
        return tuple(Standing(what, o.seat, tuple(sorted(o.waits))) for what, o in self.offers.items())

    def times(self, now: int) -> Times | None:
        """What the clocks show at `now`."""
        if self.clock is None:
            return None
        left = tuple(max(0, left - max(0, now - self._due.get(seat, now))) for seat, left in enumerate(self._left))
        return Times(left, tuple(sorted(self._due)))

    def flag(self) -> tuple[int, Seat] | None:
        """When the next clock runs out, and whose."""
        if self.clock is None or not self._due:
            return None
        return min((since + self._left[seat], seat) for seat, since in self._due.items())

    def no_flag_before(self, now: int) -> int | None:
        """A time before which no clock runs out, whatever is played meanwhile; None when none can any more."""
        if self.clock is None or self.outcome is not None or not self.people():
            return None
        return min(self._due.get(seat, now) + self._left[seat] for seat in self.people())

    def positions(self, since: int, until: int) -> list[tuple[int, Position[Any], tuple[Seat, Move] | None]]:
        """(version, position, last move of a seat) at `since` and wherever it changed up to `until`."""
        again = Fold(self.game)
        out: list[tuple[int, Position[Any], tuple[Seat, Move] | None]] = []
        for entry in self.entries[:until]:
            if again.version == since:
                out.append((since, again.position, again.last))
            again.add(entry)
            if again.changed == again.version > since:
                out.append((again.version, again.position, again.last))
        if again.version == since:
            out.append((since, again.position, again.last))
        return out

    def _play(self, entry: Entry, seat: Seat, move: Move, after: Position[Any]) -> None:
        self.position = after
        self.changed = entry.n + 1
        self.played.append(entry.n)
        if seat != CHANCE:
            self.last = seat, move
            for what in ("takeback", "draw"):
                self.offers.pop(_offer(what), None)
        self._turn(entry.at, seat)
        if (ended := after.outcome()) is not None:
            self.outcome = Outcome(ended.winners, ended.reason, ended.sentence)

    def _take_back(self, keep: int, at: int) -> None:
        self.played = [n for n in self.played if n < keep]
        self.position = self.game.start()
        self.last = None
        for n in self.played:
            entry, move = self.entries[n], self.made[n]
            assert entry.seat is not None and move is not None
            self.position = self.position.play(move, entry.seat)
            if entry.seat != CHANCE:
                self.last = entry.seat, move
        self.changed = self.version
        self.offers.clear()
        self.since.clear()
        self._turn(at)

    def _end(self, seat: Seat, why: str, at: int) -> None:
        everybody = tuple(range(self.game.seats))
        if why == "agreed":
            self.outcome = Outcome(everybody, why, phrase("end.agreed"))
        else:
            sentence = phrase("end.time" if why == "time" else "end.resigned", who=self.game.seat_name(seat))
            self.outcome = Outcome(tuple(s for s in everybody if s != seat), why, sentence)
        self.offers.clear()
        self._turn(at)

    def _turn(self, at: int, mover: Seat | None = None) -> None:
        """Note who is asked now, and stop and start their clocks."""
        playing = self.started and self.outcome is None
        self.asked = tuple([seat for seat in self.position.to_act if seat != CHANCE]) if playing else ()
        asked = set(self.asked)
        self.since = {s: self.since.get(s, self.version) if s != mover else self.version for s in asked}
        if self.clock is None:
            return
        asked -= self.bots
        for seat in [s for s in self._due if s not in asked or s == mover]:
            self._left[seat] = max(0, self._left[seat] - max(0, at - self._due.pop(seat)))
            if self.clock.days:
                self._left[seat] = budget(self.clock)
            elif seat == mover:
                self._left[seat] += 1000 * self.clock.gain
        for seat in asked - set(self._due):
            self._due[seat] = at


def budget(clock: Clock | None) -> int:
    """What a clock shows at first, in milliseconds."""
    if clock is None:
        return 0
    return clock.days * _DAY if clock.days else 1000 * clock.start


def _offer(text: str) -> Offer:
    known: Offer = msgspec.convert(text, Offer)
    return known
