"""Plans: which game a table plays and who sits there; and how a new table is laid."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from random import Random, SystemRandom
from types import MappingProxyType
from typing import Any

import msgspec

from cupboard.core.errors import BadSeats
from cupboard.core.game import CHANCE, Game, Position, Seat, Step
from cupboard.core.registry import load, load_with
from cupboard.core.words import phrase
from cupboard.server.errors import BadClock
from cupboard.server.people.names import bot_name
from cupboard.server.people.people import Person, clean
from cupboard.server.steady_clock import now
from cupboard.server.store.store import LogEntry
from cupboard.server.table.bots import check_level
from cupboard.server.wire.games import OptionValue
from cupboard.server.wire.server_messages import EventKind
from cupboard.server.wire.tables import Clock, NewTable, SeatPlan

NATURE: Random = SystemRandom()
_LETTERS = "23456789abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ"


class Chair(msgspec.Struct, frozen=True, gc=False):
    """A seat and who sits in it: a row of the database's table `seat`."""

    seat: Seat
    kind: str
    person: str | None
    name: str
    level: str
    invited: bool
    chair: int


class Plan(msgspec.Struct, frozen=True, gc=False):
    """Everything about a table but its log: the game with its options, the clock, the seats."""

    id: str
    root: str
    game: Game[Any]
    clock: Clock | None
    listed: bool
    maker: str
    made: int
    chairs: tuple[Chair, ...]

    @property
    def bots(self) -> tuple[Seat, ...]:
        """The seats that bots play."""
        return tuple(chair.seat for chair in self.chairs if chair.kind == "bot")

    @property
    def is_full(self) -> bool:
        """Whether no seat is free."""
        return all(chair.kind != "free" for chair in self.chairs)


class Draft(msgspec.Struct, frozen=True):
    """An entry that is yet to be written to the log; a move with the step it is on the board."""

    kind: EventKind
    seat: Seat | None = None
    text: str = ""
    step: Step[Any] | None = None

    @classmethod
    def of(cls, step: Step[Any]) -> Draft:
        """The draft of a move."""
        return cls("move", step.seat, str(step.move), step)

    def entry(self, n: int, at: int) -> LogEntry:
        """The entry as number `n` of the log, written at `at`."""
        return LogEntry(n, self.kind, self.seat, self.text, at)


def new_id() -> str:
    """Nine letters and digits that nobody guesses or confuses."""
    return "".join(secrets.choice(_LETTERS) for _ in range(9))


def lay(new: NewTable, maker: Person, seated: Mapping[Seat, Person] = MappingProxyType({})) -> tuple[Plan, list[Draft]]:
    """A new table as asked for, and the beginning of its log. Who is `seated` sits there whatever was asked for."""
    game = load_with(new.game, len(new.seats), new.options)
    game = shared_game(game.name, game.seats, dict(game.options))
    if new.clock is not None and bool(new.clock.days) == bool(new.clock.start or new.clock.gain):
        raise BadClock(phrase("no.clock"))
    if new.clock is not None and not new.clock.days and new.clock.start < 5:
        raise BadClock(phrase("no.shortClock"))
    if len(new.seats) != game.seats:
        raise BadSeats(phrase("no.seats", have=len(new.seats), players=game.seats))
    chairs: tuple[Chair, ...] = ()
    for seat, wanted in enumerate(new.seats):
        if seat in seated:
            chairs += (Chair(seat, "person", seated[seat].id, seated[seat].name, "", False, seat),)
        else:
            chairs += (_chair(game, seat, wanted, maker, [chair.name for chair in chairs]),)
    table = new_id()
    plan = Plan(table, table, game, new.clock, new.listed, maker.id, now(), chairs)
    return plan, opening(plan)


def lay_again(old: Plan, chairs: Sequence[Chair]) -> tuple[Plan, list[Draft]]:
    """The plan of a rematch: the people of this one, each a seat further, so that somebody else begins (JA-10)."""
    seats = len(chairs)
    moved = [msgspec.structs.replace(chair, seat=(chair.seat + 1) % seats) for chair in chairs]
    turned = tuple(sorted(moved, key=lambda chair: chair.seat))
    plan = msgspec.structs.replace(old, id=new_id(), made=now(), chairs=turned)
    return plan, opening(plan)


def opening(plan: Plan) -> list[Draft]:
    """The first entries of a log: everybody present sits down, and if no seat is free the game begins."""
    drafts = [Draft("sit", chair.seat, chair.name) for chair in plan.chairs if chair.kind != "free"]
    return drafts + begin(plan.game) if plan.is_full else drafts


def begin(game: Game[Any]) -> list[Draft]:
    """The entries that begin a game: the start, and nature's first moves."""
    drafts = [Draft("start")]
    settle(game.start(), drafts)
    return drafts


def settle(position: Position[Any], drafts: list[Draft]) -> Position[Any]:
    """Append nature's moves to `drafts` for as long as it is to move; returns the position after them.

    A move that takes a simulation is not among them: `simulated_moves` finds it beside the table."""
    while position.to_act == (CHANCE,) and not position.is_simulated:
        step = position.step(position.chance(NATURE), CHANCE)
        drafts.append(Draft.of(step))
        position = step.after
    return position


def _chair(game: Game[Any], seat: Seat, plan: SeatPlan, maker: Person, taken: Sequence[str]) -> Chair:
    """The chair of a seat as it was asked for; a bot gets a name that no chair before it has."""
    if plan.kind == "bot":
        level = check_level(game, plan.level)
        return Chair(seat, "bot", None, clean(plan.name) or bot_name(level, taken), level, False, seat)
    if plan.kind == "me":
        return Chair(seat, "person", maker.id, clean(plan.name) or maker.name, "", False, seat)
    return Chair(seat, "free", None, "", "", plan.kind == "friend", seat)


_games: dict[tuple[object, ...], Game[Any]] = {}


def shared_game(name: str, seats: int, options: dict[str, OptionValue]) -> Game[Any]:
    """The game with these options: one object for all tables that play it with equal options."""
    key = (name, seats, *options.items())
    if key not in _games:
        if len(_games) > 1000:
            _games.clear()
        _games[key] = load(name, seats, **options)
    return _games[key]
