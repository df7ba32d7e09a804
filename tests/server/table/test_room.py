"""What people do at a table, decision by decision: seats, moves, offers, resigning, and what is written of it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.server.inside import Wire, house, seated, until

import cupboard
from cupboard.core.errors import BadSeats, CupboardError, GameOver
from cupboard.server.errors import (
    BadClock,
    NoDraw,
    NoOffer,
    NoTakeback,
    NotOver,
    NotStarted,
    NotYourSeat,
    SeatOccupied,
    Stale,
    UnknownSeat,
    UnknownTable,
)
from cupboard.server.people.people import People, Person
from cupboard.server.store.open_store import open_store
from cupboard.server.store.store import Store
from cupboard.server.table import moves, offers
from cupboard.server.table.access import SeatAccess
from cupboard.server.table.bots import STAND_IN
from cupboard.server.table.client import Client
from cupboard.server.table.clocks import budget
from cupboard.server.table.lobby import TableLists
from cupboard.server.table.plan import begin, lay, lay_again, new_id, shared_game
from cupboard.server.table.room import Room
from cupboard.server.table.storage import first_due, read_plan
from cupboard.server.table.tables import Tables
from cupboard.server.wire.tables import Clock, NewTable, SeatPlan

IDA = Person("ida", "Ida")


def seats(*kinds: str) -> tuple[SeatPlan, ...]:
    parts = (kind.partition(":") for kind in kinds)
    return tuple(SeatPlan(kind, level=level) for kind, _, level in parts)  # type: ignore[arg-type]


class House:
    """What a test may use."""

    def __init__(self, tables: Tables, people: People, store: Store) -> None:
        self.tables, self.people, self.store = tables, people, store
        self.lists = TableLists(store, tables, SeatAccess(people))

    async def room(self, game: str, *kinds: str, clock: Clock | None = None, **options: Any) -> Room:
        maker, _ = await self.people.welcome("Ida")
        return await self.tables.lay(NewTable(game, seats(*kinds), options, clock), maker)

    async def again(self, room: Room) -> Room:
        """The table as another server reads it from the database."""
        plan, entries = await self.store.read(read_plan, room.plan.id)
        return Room(plan, entries, self.store, self.tables.bots, self.tables.simulations, self.tables._settings)


Test = Callable[[House], Coroutine[Any, Any, None]]


def inside(test: Test) -> Callable[[Path, str], None]:
    def run(tmp_path: Path, either_database: str) -> None:
        async def go() -> None:
            async with house(tmp_path, either_database) as parts:
                await test(House(*parts))

        asyncio.run(go())

    run.__name__ = test.__name__
    run.__doc__ = test.__doc__
    return run


async def refused(doing: Awaitable[object], error: type[CupboardError]) -> str:
    with pytest.raises(error) as caught:
        await doing
    return str(caught.value)


def kinds(room: Room, since: int) -> list[tuple[str, int | None, str]]:
    return [(entry.kind, entry.seat, entry.text) for entry in room.state.entries[since:]]


# Sitting down.


@inside
async def test_the_last_to_sit_down_begins_the_game(home: House) -> None:
    room = await home.room("jumping-cups", "me", "friend", starter="red")
    bo, _ = await home.people.welcome("Bo")
    assert (room.state.status, room.plan.is_full, room.plan.bots) == ("waiting", False, ())
    looking = seated(room)
    await room.take(1, bo, " Bo\n the Great ")
    assert kinds(room, 1) == [("sit", 1, "Bo the Great"), ("start", None, "")]
    assert (room.state.status, room.plan.is_full, room.state.asked) == ("playing", True, (0,))
    chair = room.plan.chairs[1]
    assert (chair.kind, chair.person, chair.name, chair.invited) == ("person", bo.id, "Bo the Great", False)
    said = [msgspec.json.decode(data)["type"] for data in looking._connection.sent]  # type: ignore[attr-defined]
    assert sorted(said) == ["seats", "update"], "everybody is told once of each"
    again = await home.again(room)
    assert (again.plan, again.state.entries) == (room.plan, room.state.entries)


@inside
async def test_why_not_is_asked_of_what_the_seat_may_know(home: House) -> None:
    room = await home.room("double-dutch", "me", "me")
    client = seated(room, 0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(room.state.position), "why_not", None)  # the whole truth is not asked
        said = str(moves.why_not(room, client, None, ("a1", "a2")))
    assert said == "First every seat places one stone: write a free space, like d4."


@inside
async def test_a_seat_is_taken_once_and_must_be_there(home: House) -> None:
    room = await home.room("double-dutch", "me", "friend", "open")
    bo, _ = await home.people.welcome("Bo")
    await refused(room.take(0, bo, ""), SeatOccupied)
    for seat in (-1, 3):
        assert "3 seats" in await refused(room.take(seat, bo, ""), UnknownSeat)
    await room.take(2, bo, "")
    assert room.plan.chairs[2].name == "Bo" and not room.state.started, "one is still missing"
    assert "Bo" in await refused(room.take(2, bo, ""), SeatOccupied)


@inside
async def test_who_is_there_is_told(home: House) -> None:
    room = await home.room("jumping-cups", "me", "bot:random")
    assert [(s.kind, s.here) for s in room.seats()] == [("person", False), ("bot", True)] and room.is_idle
    ida, watcher = seated(room, 0), seated(room)
    assert ([s.here for s in room.seats()], room.watching, room.is_idle) == ([True, True], 1, False)
    sent = watcher._connection.sent  # type: ignore[attr-defined]
    room.leave(ida)
    assert msgspec.json.decode(sent[-1])["seats"][0].get("here", False) is False
    room.leave(watcher)
    assert (room.watching, room.clients) == (0, set())
    info = room.info(frozenset({1, 0}))
    assert (info.yours, info.version, info.status, info.game) == ((0, 1), room.state.version, "playing", "jumping-cups")
    assert info.moved == room.state.entries[-1].at and info.made == room.plan.made


@inside
async def test_free_seats_are_kept_for_friends_or_open_to_all(home: House) -> None:
    room = await home.room("double-dutch", "me", "friend", "open")
    assert [(s.kind, s.invited) for s in room.seats()] == [("person", False), ("free", True), ("free", False)]


# Moving.


@inside
async def test_a_client_speaks_for_the_seats_it_holds(home: House) -> None:
    room = await home.room("jumping-cups", "me", "me", starter="red")
    screen, bo, watcher = seated(room, 0, 1), seated(room, 1), seated(room)
    assert (room.whose(screen, None), room.whose(screen, 1), room.whose(bo, None)) == (0, 1, 1)
    with pytest.raises(NotYourSeat):
        room.whose(watcher, None)
    with pytest.raises(NotYourSeat, match="Red"):
        room.whose(bo, 0)
    with pytest.raises(UnknownSeat):
        room.whose(bo, 2)
    await moves.move(room, screen, None, "5-6", room.state.version)
    assert room.whose(screen, None) == 1, "of several seats the one that is asked"
    await offers.resign(room, screen, 0)
    assert room.whose(screen, None) == 0, "and the first when none is"


@inside
async def test_moves_are_refused_before_the_start_after_the_end_and_when_stale(home: House) -> None:
    room = await home.room("jumping-cups", "me", "friend", starter="red")
    ida = seated(room, 0)
    await refused(moves.move(room, ida, None, "5-6", 0), NotStarted)
    bo, _ = await home.people.welcome("Bo")
    await room.take(1, bo, "")
    put = room.state.since[0]
    await refused(moves.move(room, ida, None, "5-6", put - 1), Stale)
    await moves.move(room, ida, None, "5-6", put)
    assert kinds(room, put) == [("move", 0, "5-6")]
    await offers.resign(room, ida, None)
    await refused(moves.move(room, seated(room, 1), None, "10-9", 99), GameOver)


@inside
async def test_what_another_server_wrote_first_is_read_and_the_move_is_stale(home: House) -> None:
    here = await home.room("jumping-cups", "me", "me", starter="red")
    there = await home.again(here)
    ida = seated(here, 0)
    await moves.move(there, seated(there, 0), None, "4-5", there.state.version)
    await refused(moves.move(here, ida, None, "5-6", here.state.version), Stale)
    assert here.state.entries == there.state.entries and here.state.asked == (1,)
    assert ida.version == here.state.version, "who tried is told what happened"
    await here.catch_up()
    assert here.state.version == there.state.version


@inside
async def test_a_seat_taken_on_another_server_is_seen_here(home: House) -> None:
    here = await home.room("jumping-cups", "me", "friend", starter="red")
    there = await home.again(here)
    bo, _ = await home.people.welcome("Bo")
    ida = seated(here, 0)
    await there.take(1, bo, "")
    await here.catch_up()
    assert here.plan.chairs == there.plan.chairs and here.state.status == "playing"
    told = {message["type"]: message for message in map(msgspec.json.decode, ida._connection.sent)}  # type: ignore[attr-defined]
    assert told["seats"]["seats"][1]["name"] == "Bo" and told["update"]["asked"] == [0]


@inside
async def test_a_finished_game_is_written_with_its_outcome(home: House) -> None:
    room = await home.room("jumping-cups", "me", "me", starter="red")
    screen = seated(room, 0, 1)
    while room.state.outcome is None:
        first = room.state.position.moves()[0]
        await moves.move(room, screen, None, str(first), room.state.version)
    ended = room.state.position.outcome()
    assert ended is not None and room.state.outcome.winners == ended.winners
    mine = await home.lists.mine(Person(room.plan.maker, "Ida"))
    assert [table.id for table in mine.finished] == [room.plan.id] and not mine.running
    home.tables.rooms.clear()
    (listed,) = (await home.lists.mine(Person(room.plan.maker, "Ida"))).finished
    assert (listed.outcome, listed.version, listed.status) == (room.state.outcome, room.state.version, "over")


# Offers.


@inside
async def test_words_are_one_line_and_nothing_is_not_said(home: House) -> None:
    room = await home.room("jumping-cups", "me", "me")
    ida, watcher = seated(room, 0), seated(room)
    before = room.state.version
    await offers.chat(room, ida, None, "a\tb\u0007\n  c  ")
    for nothing in ("", " \n ", "\u0007"):
        await offers.chat(room, ida, None, nothing)
    assert kinds(room, before) == [("chat", 0, "a b c")]
    await refused(offers.chat(room, watcher, None, "x"), NotYourSeat)


@inside
async def test_an_offer_needs_everybody_else(home: House) -> None:
    room = await home.room("double-dutch", "me", "me", "me")
    people = [seated(room, seat) for seat in range(3)]
    await offers.offer(room, people[0], None, "draw")
    assert room.state.standing()[0].waits == (1, 2)
    await refused(offers.answer(room, people[0], None, "draw", True), NoOffer)
    await offers.answer(room, people[2], None, "draw", True)
    assert room.state.standing()[0].waits == (1,) and room.state.outcome is None
    await refused(offers.answer(room, people[2], None, "draw", True), NoOffer)
    await offers.answer(room, people[1], None, "draw", True)
    assert room.state.outcome is not None
    assert (room.state.outcome.winners, room.state.outcome.reason) == ((0, 1, 2), "agreed")
    assert kinds(room, room.state.version - 2) == [("agree", 1, "draw"), ("end", None, "agreed")]


@inside
async def test_one_no_ends_an_offer(home: House) -> None:
    room = await home.room("double-dutch", "me", "me", "me")
    people = [seated(room, seat) for seat in range(3)]
    await offers.offer(room, people[1], None, "draw")
    await offers.answer(room, people[2], 2, "draw", False)
    assert room.state.offers == {} and kinds(room, room.state.version - 1) == [("decline", 2, "draw")]
    await refused(offers.answer(room, people[0], None, "draw", True), NoOffer)


@inside
async def test_seats_of_one_screen_agree_at_once_but_a_third_is_asked(home: House) -> None:
    room = await home.room("double-dutch", "me", "me", "me")
    screen, cy = seated(room, 0, 1), seated(room, 2)
    before = room.state.version
    await offers.offer(room, screen, 1, "draw")
    assert kinds(room, before) == [("offer", 1, "draw"), ("agree", 0, "draw")]
    assert room.state.standing()[0].waits == (2,)
    await offers.answer(room, cy, None, "draw", False)
    await offers.offer(room, cy, None, "draw")
    await offers.answer(room, screen, None, "draw", True)
    assert room.state.standing()[0].waits == (1,), "who is not named answers for the first that is asked"
    await offers.answer(room, screen, None, "draw", True)
    assert room.state.outcome is not None


@inside
async def test_bots_decline_draws_and_let_moves_be_taken_back(home: House) -> None:
    room = await home.room("double-dutch", "me", "me", "bot:random")
    ida = seated(room, 0)
    before = room.state.version
    await offers.offer(room, ida, None, "draw")
    assert kinds(room, before) == [("offer", 0, "draw"), ("decline", 2, "draw")]
    assert room.state.offers == {}


@inside
async def test_offers_have_their_time(home: House) -> None:
    room = await home.room("jumping-cups", "me", "friend", starter="red")
    ida = seated(room, 0)
    for what in ("draw", "takeback"):
        await refused(offers.offer(room, ida, None, what), NotStarted)
    await refused(offers.resign(room, ida, None), NotStarted)
    await refused(offers.offer(room, ida, None, "rematch"), NotOver)
    bo, _ = await home.people.welcome("Bo")
    await room.take(1, bo, "")
    await refused(offers.offer(room, ida, None, "takeback"), NoTakeback)
    await refused(offers.offer(room, ida, None, "rematch"), NotOver)
    if not room.plan.game.can_be_drawn:
        await refused(offers.offer(room, ida, None, "draw"), NoDraw)
    await offers.resign(room, ida, None)
    for what in ("draw", "takeback"):
        await refused(offers.offer(room, ida, None, what), GameOver)  # type: ignore[arg-type]
    await refused(offers.resign(room, ida, None), GameOver)


@inside
async def test_a_game_without_draws_cannot_be_drawn(home: House) -> None:
    for game in cupboard.names():
        room = await home.room(game, "me", "me")
        ida = seated(room, 0)
        if room.plan.game.can_be_drawn:
            await offers.offer(room, ida, None, "draw")
            assert room.state.standing()[0].what == "draw"
        else:
            await refused(offers.offer(room, ida, None, "draw"), NoDraw)


@inside
async def test_on_one_screen_the_move_made_last_is_taken_back(home: House) -> None:
    room = await home.room("jumping-cups", "me", "me", starter="red")
    screen = seated(room, 0, 1)
    await moves.move(room, screen, None, "5-6", room.state.version)
    await moves.move(room, screen, None, "10-9", room.state.version)
    target = room.state.version - 1
    await offers.offer(room, screen, None, "takeback")
    assert kinds(room, target + 1) == [("offer", 1, "takeback"), ("agree", 0, "takeback"), ("takeback", 1, str(target))]
    assert room.state.asked == (1,) and len(room.state.played) == 1
    await offers.offer(room, screen, 0, "takeback")
    assert room.state.asked == (0,) and room.state.played == []


@inside
async def test_an_asked_takeback_takes_the_askers_move_back(home: House) -> None:
    room = await home.room("jumping-cups", "me", "me", starter="red")
    ida, bo = seated(room, 0), seated(room, 1)
    await moves.move(room, ida, None, "5-6", room.state.version)
    await offers.offer(room, ida, None, "takeback")
    await offers.answer(room, bo, None, "takeback", True)
    assert kinds(room, room.state.version - 2) == [("agree", 1, "takeback"), ("takeback", 0, "3")]
    assert room.state.asked == (0,)


@inside
async def test_a_rematch_moves_everybody_one_seat_on(home: House) -> None:
    room = await home.room("double-dutch", "me", "bot:random", "me")
    screen = seated(room, 0, 2)
    await offers.resign(room, screen, 0)
    await offers.resign(room, screen, 2)
    assert room.state.people() == set() and room.state.outcome is None
    plan, drafts = lay_again(room.plan, room.plan.chairs)
    assert [chair.seat for chair in plan.chairs] == [0, 1, 2]
    assert [chair.chair for chair in plan.chairs] == [2, 0, 1], "whoever sat last begins"
    assert (plan.root, plan.game, plan.maker) == (room.plan.root, room.plan.game, room.plan.maker)
    assert plan.id != room.plan.id and [draft.kind for draft in drafts][:4] == ["sit", "sit", "sit", "start"]


# Giving up.


@inside
async def test_with_two_seats_giving_up_loses_and_with_three_a_bot_plays_on(home: House) -> None:
    two = await home.room("jumping-cups", "me", "me")
    await offers.resign(two, seated(two, 1), None)
    assert two.state.outcome is not None
    assert (two.state.outcome.winners, two.state.outcome.reason) == ((0,), "resigned")
    assert two.state.asked == () and two.state.flag() is None
    three = await home.room("double-dutch", "me", "me", "me")
    ida, bo = seated(three, 0, 1), seated(three, 2)
    await offers.offer(three, bo, None, "draw")
    await offers.resign(three, ida, 1)
    chair = three.plan.chairs[1]
    assert (chair.kind, chair.level, chair.person) == ("bot", STAND_IN, None) and chair.name.startswith("Ida")
    assert (ida.seats, bo.seats) == (frozenset({0}), frozenset({2}))
    assert three.state.bots == {1} and three.state.offers == {} and three.state.people() == {0, 2}
    again = await home.again(three)
    assert again.plan.chairs == three.plan.chairs and again.state.bots == {1}


# Laying a table.


@pytest.mark.parametrize(
    ("clock", "error"),
    [
        (Clock(days=1), None),
        (Clock(start=5, gain=0), None),
        (Clock(start=300, gain=3), None),
        (Clock(start=4, gain=0), BadClock),
        (Clock(start=0, gain=5), BadClock),
        (Clock(), BadClock),
        (Clock(days=1, start=5), BadClock),
        (Clock(days=1, gain=1), BadClock),
    ],
)
def test_a_clock_has_days_or_seconds_of_which_at_least_five(clock: Clock, error: type[CupboardError] | None) -> None:
    new = NewTable("jumping-cups", seats("me", "me"), {}, clock)
    if error is None:
        assert lay(new, IDA)[0].clock == clock
    else:
        with pytest.raises(error):
            lay(new, IDA)


def test_how_long_clocks_run_at_first() -> None:
    assert [budget(clock) for clock in (Clock(start=7, gain=2), Clock(days=2))] == [7000, 172_800_000]
    assert (first_due(None, 5), first_due(Clock(start=7), 5)) == (None, 7005)


def test_a_table_has_the_seats_it_was_laid_for() -> None:
    plan, drafts = lay(NewTable("double-dutch", seats("me", "bot:random", "friend"), listed=True), IDA)
    assert [(c.seat, c.kind, c.person, c.level, c.invited, c.chair) for c in plan.chairs] == [
        (0, "person", "ida", "", False, 0),
        (1, "bot", None, "random", False, 1),
        (2, "free", None, "", True, 2),
    ]
    assert (plan.root, plan.maker, plan.listed, plan.bots) == (plan.id, "ida", True, (1,))
    assert [(draft.kind, draft.seat) for draft in drafts] == [("sit", 0), ("sit", 1)]
    with pytest.raises(BadSeats):
        lay(NewTable("jumping-cups", seats("me")), IDA)
    named = lay(NewTable("jumping-cups", (SeatPlan("me", name=" Bo "), SeatPlan("bot", level="oak", name="Hal"))), IDA)[
        0
    ]
    assert [chair.name for chair in named.chairs] == ["Bo", "Hal"]
    plain = lay(NewTable("jumping-cups", seats("me", "bot")), IDA)[0]
    assert [(chair.name, chair.level) for chair in plain.chairs] == [("Ida", ""), ("Sapling bot", "sapling")]


def test_a_full_table_begins_and_nature_moves_first() -> None:
    drafts = lay(NewTable("cup-king", seats("me", "me")), IDA)[1]
    assert [draft.kind for draft in drafts[:3]] == ["sit", "sit", "start"]
    assert len(drafts) > 3 and {(draft.kind, draft.seat) for draft in drafts[3:]} == {("move", -1)}
    assert [draft.kind for draft in begin(cupboard.load("jumping-cups", starter="red"))] == ["start"]


def test_tables_with_the_same_options_share_their_game() -> None:
    one, other = (shared_game("jumping-cups", 2, {"starter": "red"}) for _ in range(2))
    assert one is other is not shared_game("jumping-cups", 2, {"starter": "yellow"})


def test_names_of_tables_are_not_guessed() -> None:
    ids = {new_id() for _ in range(300)}
    assert len(ids) == 300 and {len(table) for table in ids} == {9}
    assert not set("".join(ids)) & set("01lIO")


@inside
async def test_a_table_that_is_not_there_is_unknown(home: House) -> None:
    await refused(home.tables.room("nothing"), UnknownTable)
    room = await home.room("jumping-cups", "me", "friend", clock=Clock(start=300, gain=3), starter="red")
    home.tables.rooms.clear()
    found = await home.tables.room(room.plan.id)
    assert found is not room and found.plan == room.plan and await home.tables.room(room.plan.id) is found
    both = await asyncio.gather(*(home.tables.room(room.plan.id) for _ in range(3)))
    assert len(set(map(id, both))) == 1


# What a client is sent.


@inside
async def test_a_slow_client_skips_updates_and_gets_all_events_later(home: House) -> None:
    room = await home.room("jumping-cups", "me", "me", starter="red")
    line = Wire()
    slow = Client(line, frozenset({1}), 0)
    room.join(slow)
    line.is_full = True
    slow.push(room, ack=3)
    await moves.move(room, seated(room, 0), None, "5-6", room.state.version)
    room.leave(Client(Wire(), frozenset(), 0))
    assert line.sent == []
    line.is_full = False
    slow.drained(room)
    kinds = [msgspec.json.decode(data) for data in line.sent]
    assert [message["type"] for message in kinds] == ["seats", "update"]
    assert kinds[1]["ack"] == 3 and len(kinds[1]["events"]) == room.state.version == slow.version
    slow.drained(room)
    assert len(line.sent) == 2, "once is enough"
    slow.push(room)
    assert len(line.sent) == 2, "nothing new, nothing sent"
    slow.push(room, force=True)
    assert len(line.sent) == 3


# Lists and memory.


@inside
async def test_lists_are_newest_first_and_say_what_the_log_would(home: House) -> None:
    maker, _ = await home.people.welcome("Ida")
    other, _ = await home.people.welcome("Bo")
    made = []
    for kinds_of_seats, listed in ((("me", "open"), True), (("me", "me"), True), (("me", "friend"), False)):
        made.append(await home.tables.lay(NewTable("jumping-cups", seats(*kinds_of_seats), listed=listed), maker))
        await asyncio.sleep(0.002)
    for forgotten in (False, True):
        if forgotten:
            home.tables.rooms.clear()
        lobby, mine = await home.lists.lobby(), await home.lists.mine(maker)
        assert [table.id for table in lobby.join] == [made[0].plan.id]
        assert [table.id for table in lobby.watch] == [made[1].plan.id]
        assert [table.id for table in mine.running] == [room.plan.id for room in reversed(made)]
        assert [table.yours for table in mine.running] == [(0,), (0, 1), (0,)]
        for table, room in zip(mine.running, reversed(made), strict=True):
            assert (table.version, table.status) == (room.state.version, room.state.status)
            assert (table.moved, table.made, table.listed) == (
                room.state.entries[-1].at,
                room.plan.made,
                room.plan.listed,
            )
            assert [(s.kind, s.name, s.invited, s.here) for s in table.seats] == [
                (s.kind, s.name, s.invited, s.here) for s in room.seats()
            ]
        assert await home.lists.mine(other) == await home.lists.mine(None)


@inside
async def test_tables_nobody_looks_at_leave_the_memory_oldest_first(home: House) -> None:
    home.tables._settings = msgspec.structs.replace(home.tables._settings, rooms=2)
    first = await home.room("jumping-cups", "me", "me")
    held = await home.room("jumping-cups", "me", "me")
    seated(held, 0)
    third = await home.room("jumping-cups", "me", "me")
    assert list(home.tables.rooms) == [held.plan.id, third.plan.id]
    again = await home.tables.room(first.plan.id)
    assert again is not first and list(home.tables.rooms) == [held.plan.id, first.plan.id]
    await home.tables.room(held.plan.id)
    assert list(home.tables.rooms) == [first.plan.id, held.plan.id], "asked for last, leaves last"


@inside
async def test_what_other_servers_write_is_taken_in_at_every_table(home: House) -> None:
    """Also at tables behind one to which nothing was written, and again after the first time."""
    home.tables._settings = msgspec.structs.replace(home.tables._settings, look_around=0.01)
    rooms = [await home.room("jumping-cups", "me", "me", starter="red") for _ in range(3)]
    second = open_store(home.tables._settings)
    tables = home.tables
    parts = tables.bots, tables.simulations, tables._settings
    others = [Room(room.plan, room.state.entries, second, *parts) for room in rooms]
    looking = asyncio.create_task(home.tables.look_around())
    try:
        for move in ("5-6", "10-9"):
            await asyncio.sleep(0.1)  # it has looked in vain before
            for other in (others[0], others[2]):
                await moves.move(other, seated(other, 0, 1), None, move, other.state.version)
            await until(lambda: [room.state.version for room in rooms] == [other.state.version for other in others])
        assert rooms[2].state.entries == others[2].state.entries and rooms[1].state.version == others[1].state.version
    finally:
        looking.cancel()
        second.close()
