"""Rules of a table that hold whatever the timing: alarms, rematches, offers, stale moves, bots, clocks and names."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Any, cast

import httpx
import pytest
from tests.server.helpers import Server, SocketPlayer, browser, lay
from tests.server.inside import house, seated, until

from cupboard.core.game import Move, Seat, View
from cupboard.server.steady_clock import now
from cupboard.server.store.store import LogEntry
from cupboard.server.table import flags, moves, offers
from cupboard.server.table.bots import Bots
from cupboard.server.table.client import Client
from cupboard.server.table.room import Room
from cupboard.server.table.storage import read_plan
from cupboard.server.wire.tables import Clock, NewTable, SeatPlan

DAY = 86_400_000


# Clocks.


def test_a_clock_of_days_runs_out_although_the_alarm_only_looks_hourly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first alarm rings long before the flag; it must be set again until the flag falls."""
    monkeypatch.setattr(flags, "_LOOK_AGAIN", 0.1)
    fallen: list[tuple[Seat, str]] = []

    async def give_up(room: Room, seat: Seat, why: str, by: Client | None = None, holder: str = "") -> None:
        fallen.append((seat, why))
        room.state._clocks = None  # as good as the end of the game

    monkeypatch.setattr(flags, "give_up", give_up)

    async def run() -> None:
        async with house(tmp_path) as (tables, people, store):
            maker, _ = await people.welcome("Ida")
            seats = (SeatPlan("me"), SeatPlan("me"))
            plan = (await tables.lay(NewTable("jumping-cups", seats, {"starter": "red"}, Clock(days=1)), maker)).plan
            began = now() - DAY + 2000  # two seconds are left of the day
            room = Room(
                plan, [LogEntry(0, "start", None, "", began)], store, tables.bots, tables.simulations, tables._settings
            )
            room.wake()
            assert room.state.flag() == (began + DAY, 0)
            await until(lambda: fallen)
            assert fallen == [(0, "time")] and now() >= began + DAY
            room.close()

    asyncio.run(run())


def test_entries_never_go_back_in_time(tmp_path: Path) -> None:
    """A clock that was set back between two moves must not give time to anybody."""

    async def run() -> None:
        async with house(tmp_path) as (tables, people, store):
            maker, _ = await people.welcome("Ida")
            plan = (await tables.lay(NewTable("jumping-cups", (SeatPlan("me"), SeatPlan("me"))), maker)).plan
            _, entries = await store.read(read_plan, plan.id)
            late = plan.made + 3_600_000
            ahead = [LogEntry(e.n, e.kind, e.seat, e.text, late if e is entries[-1] else e.at) for e in entries]
            room = Room(plan, ahead, store, tables.bots, tables.simulations, tables._settings)
            await offers.chat(room, seated(room, 0), None, "what time is it?")
            stamps = [entry.at for entry in room.state.entries]
            assert stamps == sorted(stamps) and late <= stamps[-1] < late + 60_000

    asyncio.run(run())


# Bots.


class SlowBots:
    """Bots that think until they are told to stop, and then name the first move, the second, and so on."""

    def __init__(self) -> None:
        self.asked: list[View[Any]] = []
        self.may_answer = asyncio.Event()

    def leave(self, table: str) -> None:
        """Nothing is kept for any table."""

    async def choose(self, table: str, level: str, view: View[Any]) -> Move:
        n = len(self.asked)
        self.asked.append(view)
        await self.may_answer.wait()
        return cast(Move, view.moves()[n])


def test_a_bots_move_for_an_old_position_is_not_played(tmp_path: Path) -> None:
    async def run() -> None:
        async with house(tmp_path) as (tables, people, store):
            maker, _ = await people.welcome("Ida")
            new = NewTable("jumping-cups", (SeatPlan("me"), SeatPlan("bot", level="random")), {"starter": "red"})
            plan = (await tables.lay(new, maker)).plan
            _, entries = await store.read(read_plan, plan.id)
            bots = SlowBots()
            room = Room(plan, entries, store, cast(Bots, bots), tables.simulations, tables._settings)
            ida = seated(room, 0)
            await moves.move(room, ida, None, "5-6", room.state.version)
            await until(lambda: len(bots.asked) == 1)
            await offers.offer(room, ida, None, "takeback")
            assert room.state.asked == (0,)
            await moves.move(room, ida, None, "4-5", room.state.version)
            bots.may_answer.set()
            await until(lambda: room.state.asked == (0,))
            second = str(bots.asked[1].moves()[1])
            made = [entry.text for entry in room.state.entries if entry.kind == "move"]
            assert len(bots.asked) == 2 and made == ["5-6", "4-5", second]
            await until(lambda: not room.thinking)
            room.close()

    asyncio.run(run())


# Offers.


async def duel(server: Server, http: httpx.Client, game: str = "jumping-cups", **options: Any) -> tuple[Any, ...]:
    made = lay(http, game, "me", "me", options=options)
    table = made["table"]["id"]
    return table, *[await SocketPlayer.sit(server.port, table, key["token"]) for key in made["keys"]]


def test_there_is_one_rematch_and_the_rematch_has_its_own(server: Server, http: httpx.Client) -> None:
    async def run() -> None:
        table, anna, bo = await duel(server, http, starter="red")
        await anna.say(type="resign")
        await anna.say(type="offer", what="rematch")
        await bo.say(type="answer", what="rematch", yes=True)
        await anna.until("update")
        for player in (anna, bo):
            answer = await player.say(type="offer", what="rematch")
            assert answer["code"] == "game-over" and "rematch" in answer["sentence"]
            assert (await player.say(type="answer", what="rematch", yes=True))["code"] == "no-offer"
        events = http.get(f"/api/tables/{table}/events").json()
        assert [event["kind"] for event in events].count("rematch") == 1
        # Whoever sat first sits second now, and first again in the rematch of the rematch (JA-10).
        (second,) = [event["text"] for event in events if event["kind"] == "rematch"]
        first_keys = {key["seat"]: key["token"] for key in http.get(f"/api/tables/{table}/keys").json()}
        screen = await SocketPlayer.sit(server.port, second, *first_keys.values())
        await screen.say(type="resign", seat=0)
        answer = await screen.say(type="offer", what="rematch")
        third = answer["events"][-1]["text"]
        assert answer["events"][-1]["kind"] == "rematch" and third not in (table, second)
        keys = {key["seat"]: key["token"] for key in http.get(f"/api/tables/{third}/keys").json()}
        assert keys == first_keys
        for player in (anna, bo, screen):
            await player.close()

    asyncio.run(run())


def test_a_draw_offer_does_not_survive_a_move(server: Server, http: httpx.Client) -> None:
    async def run() -> None:
        _, anna, bo = await duel(server, http, "double-dutch")
        assert (await anna.say(type="offer", what="draw"))["offers"] == [{"what": "draw", "seat": 0, "waits": [1]}]
        players = {0: anna, 1: bo}
        mover = players[anna.update["asked"][0]]
        while not mover.update.get("offers"):
            await mover.until("update")
        assert "offers" not in await mover.move(mover.update["moves"][0]["text"])
        assert (await bo.say(type="answer", what="draw", yes=True))["code"] == "no-offer"
        assert bo.update["status"] == "playing"
        await anna.close()
        await bo.close()

    asyncio.run(run())


def test_a_move_chosen_before_a_takeback_is_stale(server: Server, http: httpx.Client) -> None:
    async def run() -> None:
        _, anna, bo = await duel(server, http, starter="red")
        before = anna.version
        await anna.move("5-6")
        await anna.say(type="offer", what="takeback")
        await bo.say(type="answer", what="takeback", yes=True)
        answer = await anna.say(type="move", text="4-5", version=before)
        assert answer["code"] == "stale"
        while anna.update["asked"] != [0]:
            await anna.until("update")
        assert (await anna.move("4-5"))["asked"] == [1]
        await anna.close()
        await bo.close()

    asyncio.run(run())


# Screens and devices.


def test_looking_from_another_seat_ends_with_the_position(server: Server, http: httpx.Client) -> None:
    """Otherwise a screen for two would go on showing one hand while the other player is asked."""

    async def run() -> None:
        made = lay(http, "jumping-cups", "me", "me", options={"starter": "red"})
        screen = await SocketPlayer.sit(server.port, made["table"]["id"], *[key["token"] for key in made["keys"]])
        assert screen.update["seat"] == 0
        await screen.send(type="look", seat=1)
        assert (await screen.until("update"))["seat"] == 1
        assert (await screen.say(type="chat", text="still looking", seat=0))["seat"] == 1, "a word changes nothing"
        assert (await screen.say(type="move", text="5-6", version=screen.version, seat=0))["seat"] == 1
        assert (await screen.move("10-9"))["seat"] == 0, "the one who is asked sees the table"
        await screen.close()

    asyncio.run(run())


def test_another_device_of_the_account_sees_the_new_name(server: Server, http: httpx.Client) -> None:
    login = {"username": f"ida-{time.time_ns()}", "password": "correct horse"}
    assert http.post("/api/account", json=login).status_code == 201
    with browser(server.url) as tablet:
        assert tablet.post("/api/session", json=login).status_code == 201
        old = tablet.get("/api/me").json()["name"]
        assert http.put("/api/me", json={"name": "Ida"}).json()["name"] == "Ida" != old
        assert tablet.get("/api/me").json()["name"] == "Ida"
        made = lay(tablet, "jumping-cups", "me", "me")
        assert [seat["name"] for seat in made["table"]["seats"]] == ["Ida", "Ida"]
