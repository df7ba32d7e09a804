"""Between a seat's move and nature's answer that a simulation finds: nothing is lost, doubled or asked too early."""

from __future__ import annotations

import asyncio
import logging
import zlib
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa
from tests.server.inside import house, seated, until

from cupboard.core.errors import BadTurn
from cupboard.server.errors import Busy, NoTakeback, Stale
from cupboard.server.people.people import People
from cupboard.server.store.schema import EVENT, GAME, MOTION, SEAT
from cupboard.server.store.store import LogEntry, Store
from cupboard.server.table import moves, offers
from cupboard.server.table.plan import Draft, lay_again
from cupboard.server.table.room import Room
from cupboard.server.table.storage import read_motion, write_plan
from cupboard.server.table.tables import Tables
from cupboard.server.wire.tables import Clock, NewTable, SeatPlan

pytestmark = pytest.mark.usefixtures("tumble")
House = tuple[Tables, People, Store]


async def lay(home: House, *kinds: str, clock: Clock | None = None, **options: Any) -> Room:
    tables, people, _ = home
    maker, _ = await people.welcome("Ida")
    plans = (SeatPlan(kind, level=level) for kind, _, level in (kind.partition(":") for kind in kinds or ("me", "me")))  # type: ignore[arg-type]
    return await tables.lay(NewTable("tumble", tuple(plans), options, clock), maker)


def inside(test: Callable[[House], Coroutine[Any, Any, None]]) -> Callable[[Path], None]:
    def run(tmp_path: Path) -> None:
        async def go() -> None:
            async with house(tmp_path) as home:
                await test(home)

        asyncio.run(go())

    run.__name__ = test.__name__
    return run


async def push(room: Room, client: Any, n: int = 1) -> None:
    await moves.move(room, client, None, f"push-{n}", room.state.version)


def texts(room: Room) -> list[str]:
    return [entry.text for entry in room.state.entries if entry.kind == "move"]


async def stored(store: Store, room: Room) -> list[str]:
    """The moves that the database has of the table."""
    query = sa.select(EVENT.c.text).where(EVENT.c.game == room.plan.id, EVENT.c.kind == "move").order_by(EVENT.c.n)
    return await store.read(lambda conn: list(conn.execute(query).scalars()))


async def motions(store: Store, room: Room) -> list[int]:
    query = sa.select(MOTION.c.n).where(MOTION.c.game == room.plan.id).order_by(MOTION.c.n)
    return await store.read(lambda conn: list(conn.execute(query).scalars()))


@inside
async def test_a_move_is_acknowledged_before_nature_s_answer_is_found(home: House) -> None:
    store = home[2]
    room = await lay(home, milliseconds=300)
    me, watcher = seated(room, 0, 1), seated(room)
    await push(room, me)
    assert await stored(store, room) == texts(room) == ["push-1"], "it is committed, and nature has not answered"
    assert not room.state.asked and room.state.times(0) is None and not room.is_idle
    wire: Any = watcher._connection
    sent = len(wire.sent)
    await until(lambda: room.state.asked)
    push_, rest, coin = texts(room)
    assert (push_, rest[:5], coin[:5]) == ("push-1", "rest-", "coin-") and rest != "rest-0"
    assert await stored(store, room) == texts(room) and room.state.asked == (1,)
    n = room.state.version - 2
    assert await motions(store, room) == [n]
    motion = await store.read(read_motion, room.plan.id, n)
    assert motion is not None and zlib.decompress(motion).decode() == f"how it came to {rest}"
    (update,) = [msgspec.json.decode(data) for data in wire.sent[sent:]]
    assert [event.get("motion", False) for event in update["events"]] == [True, False], "all in one update"
    await until(lambda: not room.is_simulating)
    room.leave(me)
    room.leave(watcher)
    assert room.is_idle


@inside
async def test_a_table_that_everybody_has_left_stays_in_memory_until_nature_has_answered(home: House) -> None:
    room = await lay(home, milliseconds=200)
    me = seated(room, 0, 1)
    await push(room, me)
    room.leave(me)
    assert not room.is_idle
    await until(lambda: room.is_idle)
    assert len(texts(room)) == 3


@inside
async def test_a_game_that_begins_with_a_simulation_waits_for_nobody(home: House) -> None:
    room = await lay(home, nature_begins=True)
    assert texts(room) == [], "the table is laid before nature moves"
    await until(lambda: room.state.asked)
    assert [text[:5] for text in texts(room)] == ["rest-", "coin-"]


@inside
async def test_it_begins_too_when_the_last_seat_is_taken(home: House) -> None:
    room = await lay(home, "me", "open", nature_begins=True)
    assert not room.state.is_simulated, "nature waits for people to sit down"
    bo, _ = await home[1].welcome("Bo")
    await room.take(1, bo, "")
    await until(lambda: room.state.asked)
    assert [text[:5] for text in texts(room)] == ["rest-", "coin-"]


@inside
async def test_a_whole_game_ends_with_nature_s_last_answer(home: House) -> None:
    store = home[2]
    room = await lay(home)
    me = seated(room, 0, 1)
    while room.state.outcome is None:
        await push(room, me)
        await until(lambda: room.state.asked or room.state.outcome)
    assert len(texts(room)) == 12 and len(await motions(store, room)) == 4
    query = sa.select(GAME.c.status).where(GAME.c.id == room.plan.id)
    assert await store.read(lambda conn: conn.execute(query).scalar()) == "over"


@inside
async def test_nobody_moves_and_no_clock_runs_while_it_is_simulated(home: House) -> None:
    room = await lay(home, clock=Clock(start=300, gain=0), milliseconds=300)
    me = seated(room, 0, 1)
    await push(room, me)
    with pytest.raises(BadTurn):
        await push(room, me)
    times = room.state.times(room.now())
    assert times is not None and times.running == () and room.state.flag() is None and room.alarm is None
    await asyncio.sleep(0.1)
    assert room.state.times(room.now()) == times
    await until(lambda: room.state.asked)
    times = room.state.times(room.now())
    assert times is not None and times.running == (1,) and room.alarm is not None


@inside
async def test_bots_are_asked_when_nature_has_answered(home: House) -> None:
    room = await lay(home, "me", "bot:random", milliseconds=200)
    me = seated(room, 0)
    await push(room, me)
    assert not room.thinking
    await until(lambda: room.state.asked == (0,))
    assert [entry.seat for entry in room.state.entries if entry.kind == "move"] == [0, -1, -1, 1, -1, -1]


@inside
async def test_a_takeback_meanwhile_makes_the_answer_void(home: House) -> None:
    store = home[2]
    room = await lay(home, milliseconds=300)
    me = seated(room, 0, 1)
    await push(room, me, 0)
    await offers.offer(room, me, 0, "takeback")
    assert room.state.asked == (0,) and room.is_simulating
    await asyncio.sleep(0.1)
    await push(room, me, 2)
    await until(lambda: room.state.asked)
    assert [text[:6] for text in texts(room)][:2] == ["push-0", "push-2"] and len(texts(room)) == 4
    await until(lambda: not room.is_simulating)
    await asyncio.sleep(0.4)
    assert await stored(store, room) == texts(room) and len(texts(room)) == 4 and len(await motions(store, room)) == 1
    with pytest.raises(NoTakeback):
        await offers.offer(room, me, 0, "takeback")


@inside
async def test_a_takeback_with_nothing_after_it_ends_the_simulation_s_business(home: House) -> None:
    store = home[2]
    room = await lay(home, milliseconds=200)
    me = seated(room, 0, 1)
    await push(room, me, 0)
    await offers.offer(room, me, 0, "takeback")
    await until(lambda: not room.is_simulating)
    assert texts(room) == ["push-0"] and room.state.asked == (0,) and await motions(store, room) == []


@inside
async def test_a_resignation_meanwhile_ends_the_game(home: House) -> None:
    room = await lay(home, milliseconds=200)
    me = seated(room, 0, 1)
    await push(room, me)
    await offers.resign(room, me, 1)
    await until(lambda: not room.is_simulating)
    assert room.state.outcome is not None and texts(room) == ["push-1"]


@inside
async def test_chat_meanwhile_changes_nothing(home: House) -> None:
    store = home[2]
    room = await lay(home, milliseconds=200)
    me = seated(room, 0, 1)
    await push(room, me)
    await offers.chat(room, me, 0, "Oh!")
    await until(lambda: room.state.asked)
    kinds = [(entry.kind, entry.text[:4]) for entry in room.state.entries[-4:]]
    assert kinds == [("move", "push"), ("chat", "Oh!"), ("move", "rest"), ("move", "coin")]
    assert await motions(store, room) == [room.state.version - 2]


@inside
async def test_what_fails_is_decided_without_a_motion_and_the_log_shows_it(home: House) -> None:
    store = home[2]
    room = await lay(home, mischief="raise")
    me = seated(room, 0, 1)
    await push(room, me)
    await until(lambda: room.state.asked)
    assert texts(room)[1] == "rest-0" and await motions(store, room) == []
    (event,) = [event for event in room.updates.events(0, frozenset()) if event.text == "rest-0"]
    assert not event.motion


@inside
async def test_a_database_that_is_busy_is_tried_again(home: House) -> None:
    store = home[2]
    room = await lay(home, milliseconds=100)
    me = seated(room, 0, 1)
    await push(room, me)
    append = store.append
    failed: list[Any] = []

    async def failing(game: str, entries: list[LogEntry], *more: Any) -> None:
        if not failed:
            failed.append(entries)
            raise Busy("try later")
        await append(game, entries, *more)

    store.append = failing  # type: ignore[method-assign, assignment]
    logging.getLogger("cupboard.server.table.simulated_moves").disabled = True
    await until(lambda: room.state.asked)
    logging.getLogger("cupboard.server.table.simulated_moves").disabled = False
    assert failed and len(texts(room)) == 3 == len(await stored(store, room))


@inside
async def test_a_table_left_between_move_and_answer_goes_on_when_it_is_loaded(home: House) -> None:
    tables, _, store = home
    room = await lay(home, milliseconds=60_000)
    await push(room, seated(room, 0, 1))
    room.close()
    del tables.rooms[room.plan.id]
    quick = "UPDATE game SET options = replace(options, '60000', '0')"
    await store.write(lambda conn: conn.exec_driver_sql(quick) and None)
    again = await tables.room(room.plan.id)
    assert again is not room and texts(again) == ["push-1"]
    await until(lambda: again.state.asked)
    assert len(texts(again)) == 3


@inside
async def test_a_rematch_that_begins_with_a_simulation_is_settled_when_it_is_opened(home: House) -> None:
    tables, _, store = home
    room = await lay(home, nature_begins=True)
    plan, opening = lay_again(room.plan, room.plan.chairs)
    await store.write(write_plan, plan, opening)
    again = await tables.room(plan.id)
    await until(lambda: again.state.asked)


def test_of_two_servers_that_simulate_one_decides_and_the_other_shows_it(tmp_path: Path) -> None:
    async def go() -> None:
        async with house(tmp_path) as one, house(tmp_path) as two:
            losses = 0
            for milliseconds in (0, 50):
                room = await lay(one, milliseconds=milliseconds, pushes=10)
                other = await two[0].room(room.plan.id)
                me = seated(room, 0, 1)
                for n in range(1, 9):
                    await push(room, me)
                    async with other.lock:
                        await other.catch_up()  # as `look_around` does: now both wait for nature
                    losses += other.is_simulating
                    await until(lambda room=room: room.state.asked and not room.is_simulating)
                    await until(lambda other=other: not other.is_simulating)
                    async with other.lock:
                        await other.catch_up()
                    async with room.lock:
                        await room.catch_up()
                    assert texts(other) == texts(room) == await stored(one[2], room) and len(texts(room)) == 3 * n
                    assert len(await motions(one[2], room)) == n, "the motion is the winner's alone"
            assert losses > 8, "mostly both have simulated"

    asyncio.run(go())


def test_a_line_of_chat_by_another_server_does_not_cost_the_simulation(tmp_path: Path) -> None:
    async def go() -> None:
        async with house(tmp_path) as one, house(tmp_path) as two:
            room = await lay(one, milliseconds=500)
            other = await two[0].room(room.plan.id)
            found: list[Any] = []
            find = room.simulations.find

            async def counted(*args: Any) -> Any:
                found.append(await find(*args))
                return found[-1]

            room.simulations.find = counted  # type: ignore[method-assign, assignment]
            await push(room, seated(room, 0, 1))
            async with other.lock:
                with pytest.raises(Stale):  # it has not seen the push yet, and reads on
                    await other.append([Draft("chat", 0, "too early")])
                await other.append([Draft("chat", 0, "hello")])
            other.close()
            await until(lambda: room.state.asked)
            assert [entry.text for entry in room.state.entries][-3] == "hello" and len(texts(room)) == 3
            assert len(found) == 1
            assert await motions(one[2], room) == [room.state.version - 2], "it is where the move is"

    asyncio.run(go())


@inside
async def test_motions_are_deleted_with_their_game(home: House) -> None:
    store = home[2]
    room = await lay(home)
    await push(room, seated(room, 0, 1))
    await until(lambda: room.state.asked and not room.is_simulating)
    assert await motions(store, room)

    def delete(conn: sa.Connection) -> None:
        for table in (EVENT, SEAT):
            conn.execute(sa.delete(table).where(table.c.game == room.plan.id))
        conn.execute(sa.delete(GAME).where(GAME.c.id == room.plan.id))

    await store.write(delete)
    assert not await motions(store, room)
