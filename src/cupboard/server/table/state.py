"""The state of a table, which follows from its log: the same entries give the same state, on any server, at any time.

Nothing here does I/O, looks at a clock or rolls dice. A room decides what to append to the log, and the state says what
it means. The moves are played by a core `Match`; the rest is what people and clocks add to it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from cupboard.core.game import CHANCE, Game, Move, Outcome, Position, Seat, Step
from cupboard.core.match import Match
from cupboard.core.words import phrase
from cupboard.server.store.store import LogEntry
from cupboard.server.table.clocks import Clocks
from cupboard.server.wire.client_messages import Offer
from cupboard.server.wire.server_messages import Standing, Times
from cupboard.server.wire.tables import Clock, TableStatus

_UNTIL_THE_NEXT_MOVE: tuple[Offer, ...] = ("takeback", "draw")
STOPPED, CLOSED, DECIDED = "stopped", "closed", "decided"
"""The texts of an `end` by the house: without a result, with the table, and with a result of the house's choice."""


class PendingOffer(msgspec.Struct):
    """An offer that has not been answered by everybody."""

    seat: Seat
    """The seat that made the offer."""
    waits: set[Seat]
    """The seats that have not answered."""


class TableState:
    """Everything that follows from the log of one table. Entries are added in order and never removed."""

    __slots__ = (
        "_clocks", "asked", "bots", "changed", "closed", "entries", "game",
        "hints", "made", "match", "offers", "outcome", "played", "rematch", "since", "started",
    )  # fmt: skip

    def __init__(self, game: Game[Any], clock: Clock | None = None, bots: Iterable[Seat] = ()) -> None:
        self.game = game
        self.match = Match(game)
        """The moves that count, and the position they lead to."""
        self.bots = set(bots)
        """The seats that programs play; a handover adds one."""
        self.entries: list[LogEntry] = []
        self.made: list[Move | None] = []
        """For each entry its move; None for an entry that is no move."""
        self.played: list[int] = []
        """The entry of each move of the match: takebacks shorten this list, never the log."""
        self.changed = 0
        """The version at which the position last changed."""
        self.asked: tuple[Seat, ...] = ()
        """The seats that are to act."""
        self.since: dict[Seat, int] = {}
        """For each seat that is to act, the version at which it was asked: an answer to an older question is stale.

        Where several act at once, the moves of the others do not ask it again."""
        self.started = False
        self.outcome: Outcome | None = None
        """How the game ended: by its rules, by agreement, by resignation or on time."""
        self.offers: dict[Offer, PendingOffer] = {}
        self.hints = False
        """Whether all have agreed that hints may be given."""
        self.rematch = ""
        """The id of the table where the rematch is played."""
        self.closed = False
        """Whether the house has closed the table: nothing more is written to its log."""
        self._clocks = Clocks(clock, game.seats) if clock else None

    @classmethod
    def of(
        cls, game: Game[Any], entries: Iterable[LogEntry], clock: Clock | None = None, bots: Iterable[Seat] = ()
    ) -> TableState:
        """The state that follows from these entries."""
        state = cls(game, clock, bots)
        for entry in entries:
            state.add(entry)
        return state

    # What can be asked.

    @property
    def version(self) -> int:
        """How many entries the log has."""
        return len(self.entries)

    @property
    def position(self) -> Position[Any]:
        """The position on the board."""
        return self.match.position

    @property
    def last(self) -> tuple[Seat, Move] | None:
        """The last move that a seat, not nature, has made, and the seat; None when there is none."""
        entry = self.match.last()
        return None if entry is None else (entry.seat, entry.move)

    @property
    def status(self) -> TableStatus:
        """Whether the table waits for people, is playing, or its game is over."""
        return "over" if self.outcome else "playing" if self.started else "waiting"

    @property
    def is_simulated(self) -> bool:
        """Whether the table waits for a move of nature that takes a simulation. Nobody is asked meanwhile."""
        return not self.asked and self.started and self.outcome is None and self.position.is_simulated

    def people(self) -> set[Seat]:
        """The seats that no bot plays, taken or not."""
        return set(range(self.game.seats)) - self.bots

    def takeback_target(self, seat: Seat) -> int | None:
        """The entry of the seat's last move; None when it has made none or nature has moved since."""
        for n in reversed(self.played):
            mover = self.entries[n].seat
            if mover == CHANCE:
                return None
            if mover == seat:
                return n
        return None

    def standing(self) -> tuple[Standing, ...]:
        """The offers that wait for answers, as messages."""
        return tuple(Standing(what, o.seat, tuple(sorted(o.waits))) for what, o in self.offers.items())

    def times(self, now: int) -> Times | None:
        """What the clocks show at `now`; None for a table without clocks."""
        return None if self._clocks is None else self._clocks.times(now)

    def flag(self) -> tuple[int, Seat] | None:
        """When the next clock runs out, and whose; None when no clock runs."""
        return None if self._clocks is None else self._clocks.flag()

    def no_flag_before(self, now: int) -> int | None:
        """A time before which no clock runs out, whatever is played meanwhile; None when none can any more."""
        people = self.people()
        if self._clocks is None or self.outcome is not None or not people:
            return None
        return self._clocks.no_flag_before(now, people)

    def positions(self, since: int, until: int) -> list[tuple[int, Position[Any], tuple[Seat, Move] | None]]:
        """(version, position, last move of a seat) at `since` and wherever it changed up to `until`."""
        again = TableState(self.game)
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

    # How it grows.

    def add(self, entry: LogEntry, step: Step[Any] | None = None) -> None:
        """Take the next entry of the log in. For a move that was just made, `step` spares reading it again."""
        if entry.n != len(self.entries):
            raise ValueError(f"entry {entry.n} after {len(self.entries)} entries")
        if entry.seat is not None and not CHANCE <= entry.seat < self.game.seats:
            raise ValueError(f"entry {entry.n} of seat {entry.seat}")
        if entry.kind == "move":
            self._play(entry, step)
        else:
            self.entries.append(entry)
            self.made.append(None)
            self._add_other(entry, -1 if entry.seat is None else entry.seat)

    def _play(self, entry: LogEntry, step: Step[Any] | None) -> None:
        if entry.seat is None:
            raise ValueError(f"entry {entry.n} is nobody's move")
        if step is None:
            step = self.position.step(entry.text, entry.seat)
        after = self.match.add(step)
        self.entries.append(entry)
        self.made.append(step.move)
        self.played.append(entry.n)
        self.changed = entry.n + 1
        if entry.seat != CHANCE:
            for what in _UNTIL_THE_NEXT_MOVE:
                self.offers.pop(what, None)
        self._turn(entry.at, entry.seat)
        if (ended := after.outcome()) is not None:
            self.outcome = ended

    def _add_other(self, entry: LogEntry, seat: Seat) -> None:
        match entry.kind:
            case "start":
                self.started = True
                self._turn(entry.at)
            case "offer":
                self.offers[_offer(entry.text)] = PendingOffer(seat, self.people() - {seat})
            case "agree":
                if offered := self.offers.get(_offer(entry.text)):
                    offered.waits.discard(seat)
                    if entry.text == "hints" and not offered.waits:
                        self.hints = True
                        del self.offers["hints"]
            case "decline":
                self.offers.pop(_offer(entry.text), None)
            case "takeback":
                self._take_back(int(entry.text), entry.at)
            case "handover":
                self.bots.add(seat)
                self.offers.clear()
                self._turn(entry.at)
            case "end":
                self.closed = self.closed or entry.text == CLOSED
                if self.outcome is None:  # the house may close a table whose game is over, too
                    self.outcome = outcome_by_people(self.game, seat, entry.text)
                self.offers.clear()
                self._turn(entry.at)
            case "rematch":
                self.rematch = entry.text
                self.offers.clear()

    def _take_back(self, keep: int, at: int) -> None:
        """Go back to before the entry `keep`."""
        self.played = [n for n in self.played if n < keep]
        self.match.cut(len(self.played))
        self.changed = self.version
        self.offers.clear()
        self.since.clear()
        self._turn(at)

    def _turn(self, at: int, mover: Seat | None = None) -> None:
        """Note which seats are to act now, and stop and start their clocks."""
        playing = self.started and self.outcome is None
        self.asked = tuple([seat for seat in self.position.to_act if seat != CHANCE]) if playing else ()
        asked = set(self.asked)
        self.since = {s: self.since.get(s, self.version) if s != mover else self.version for s in asked}
        if self._clocks is not None:
            self._clocks.turn(asked - self.bots, at, mover)


def outcome_by_people(game: Game[Any], seat: Seat, why: str) -> Outcome:
    """How a game ends that its rules do not end: "agreed", "resigned" by a seat, or lost by it on "time".

    Somebody else may end it, too: whoever runs the server "stopped" or "closed" without a result, and they or a teacher
    "decided" for a seat or, without one, as a draw.
    """
    everybody = tuple(range(game.seats))
    if why == "agreed":
        return Outcome(everybody, game.seats, why, phrase("end.agreed"))
    if why in (STOPPED, CLOSED):
        return Outcome((), game.seats, why, phrase("end.stopped" if why == STOPPED else "end.closed"))
    if why == DECIDED and seat < 0:
        return Outcome(everybody, game.seats, why, phrase("end.drawn"))
    if why == DECIDED:
        return Outcome((seat,), game.seats, why, phrase("end.decided", who=game.seat_name(seat)))
    sentence = phrase("end.time" if why == "time" else "end.resigned", who=game.seat_name(seat))
    return Outcome(tuple(s for s in everybody if s != seat), game.seats, why, sentence)


def _offer(text: str) -> Offer:
    known: Offer = msgspec.convert(text, Offer)
    return known
