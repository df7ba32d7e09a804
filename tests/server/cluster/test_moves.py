"""Tables whose players are connected to different servers."""

from __future__ import annotations

import time
from itertools import pairwise

from tests.server.cluster.several import Several, duel, first, playing
from tests.server.helpers import SocketPlayer, lay, wait_for

GENEROUS = 2.0
"""Seconds in which a move has to reach another server; bench/results.md has the figure."""


@playing
async def test_a_move_reaches_players_at_another_server_at_once(two: Several) -> None:
    _, red, blue = await duel(two)
    took = []
    for mover, other in [(red, blue), (blue, red)] * 8:
        assert await mover.until_asked()
        began = time.perf_counter()
        assert (await mover.move(first(mover)))["type"] == "update"
        await other.until("update")
        took.append(time.perf_counter() - began)
        assert other.version == mover.version
    assert sorted(took)[len(took) // 2] < GENEROUS, took
    print("median seconds", sorted(took)[len(took) // 2], "most", max(took))


@playing
async def test_players_at_two_servers_see_each_other_come_and_go(two: Several) -> None:
    _, red, blue = await duel(two)

    async def connected(player: SocketPlayer, *who: bool) -> None:
        while True:
            got = await player.receive()
            if got["type"] == "seats" and [seat.get("here", False) for seat in got["seats"]] == list(who):
                return

    await connected(red, True, True)
    await red.close()
    await connected(blue, False, True)


@playing
async def test_chat_and_rematch_reach_the_other_server(two: Several) -> None:
    table, red, blue = await duel(two)
    await red.say(type="chat", text="Hello over there.")
    while "Hello over there." not in str(blue.events):
        await blue.until("update")
    await red.say(type="resign")
    while blue.update["status"] != "over":
        await blue.until("update")
    await red.say(type="offer", what="rematch")
    while not blue.update.get("offers"):
        await blue.until("update")
    await blue.say(type="answer", what="rematch", yes=True)
    while red.events[-1]["kind"] != "rematch":
        await red.until("update")
    assert two.rows("SELECT count(*) FROM game WHERE root = %s", table) == [(2,)]


@playing
async def test_a_bot_moves_once_though_people_look_at_the_table_from_two_servers(two: Several) -> None:
    with two.http(0) as http:
        made = lay(http, "jumping-cups", "me", "bot:random", options={"starter": "red"})
    table, token = made["table"]["id"], made["keys"][0]["token"]
    here, there = [await two.sit(n, table, token) for n in range(2)]
    for player in [here, there] * 3:
        while not (player.update.get("seat") in player.update.get("asked", ()) or player.update["status"] == "over"):
            await player.until("update")
        if player.update["status"] == "over":
            break
        await player.move(first(player))
    assert two.holder(table) is not None or here.update["status"] == "over"
    movers = [seat for seat, kind in two.log(table) if kind == "move"]
    assert all(one != other for one, other in pairwise(movers)), movers


@playing
async def test_one_server_calls_a_flag_and_both_show_it(two: Several) -> None:
    table, red, blue = await duel(two, clock={"start": 5})
    assert await red.until_asked()
    for player in (red, blue):
        while player.update["status"] != "over":
            await player.until("update")
    assert [kind for _, kind in two.log(table)].count("end") == 1
    wait_for(lambda: two.holder(table) is None)


@playing
async def test_the_server_where_the_players_are_works_for_a_table(two: Several) -> None:
    with two.http(0) as http:
        made = lay(http, "jumping-cups", "me", "bot:random", options={"starter": "red"})
    table, token = made["table"]["id"], made["keys"][0]["token"]
    gone = await two.sit(0, table, token)
    wait_for(lambda: two.holder(table) is not None)
    before = two.holder(table)
    await gone.close()
    player = await two.sit(1, table, token)
    wait_for(lambda: two.holder(table) not in (None, before), 30)
    await player.move(first(player))
    assert await player.until_asked()
