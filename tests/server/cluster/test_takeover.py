"""What becomes of the tables of a server that dies, or stands still for a while."""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.server.cluster.several import Several, first, play
from tests.server.helpers import SocketPlayer, lay, wait_for
from tests.server.postgres import Postgres

TAKEN_OVER_WITHIN = 10.0


@pytest.fixture
def two_of_its_own(postgres: Postgres, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Several]:
    # The bot waits long enough that a server dies while it is the bot's turn.
    with Several(postgres.new_database(), tmp_path_factory.mktemp("servers"), 2, bot_pause=1.0) as servers:
        yield servers


def table_with_a_bot_to_move(servers: Several) -> tuple[str, str]:
    """A table at the first server, where the bot is to move, and the token of the person's seat."""
    with servers.http(0) as http:
        made = lay(http, "jumping-cups", "me", "bot:random", options={"starter": "red"})
    table, token = made["table"]["id"], made["keys"][0]["token"]

    async def test() -> None:
        player = await SocketPlayer.sit(servers.servers[0].port, table, token)
        await player.move(first(player))
        await player.close()

    asyncio.run(test())
    wait_for(lambda: servers.holder(table) is not None)
    return table, token


def table_with_a_running_clock(servers: Several) -> str:
    """A table at the first server, where a clock runs out in some seconds."""
    with servers.http(0) as http:
        made = lay(http, "jumping-cups", "me", "me", options={"starter": "red"}, clock={"start": 5})
    table: str = made["table"]["id"]

    async def test() -> None:
        await servers.sit(0, table, made["keys"][0]["token"])

    play(servers, test)
    return table


def moves(servers: Several, table: str) -> list[int]:
    return [seat for seat, kind in servers.log(table) if kind == "move"]


def test_a_game_with_a_bot_goes_on_at_the_other_server_when_its_server_is_killed(two_of_its_own: Several) -> None:
    servers = two_of_its_own
    timed = table_with_a_running_clock(servers)
    table, _ = table_with_a_bot_to_move(servers)
    holder = servers.holder(table)
    servers.servers[0].kill()
    killed = time.monotonic()
    assert moves(servers, table) == [0]
    wait_for(lambda: servers.holder(table) not in (None, holder), 2 * TAKEN_OVER_WITHIN)
    wait_for(lambda: moves(servers, table) == [0, 1], 2 * TAKEN_OVER_WITHIN)
    took = time.monotonic() - killed
    print("seconds until the bot has moved:", round(took, 1))
    assert took < 2 * TAKEN_OVER_WITHIN  # bench/results.md has the figure
    wait_for(lambda: len(servers.rows("SELECT id FROM server")) == 1)
    # So does the other server call the flag of a table that nobody has open there.
    wait_for(lambda: [kind for _, kind in servers.log(timed)].count("end") == 1, 2 * TAKEN_OVER_WITHIN)


@pytest.mark.long
def test_a_server_that_stood_still_writes_nothing_for_tables_that_were_taken_over(two_of_its_own: Several) -> None:
    servers = two_of_its_own
    table, token = table_with_a_bot_to_move(servers)
    holder = servers.holder(table)
    frozen = servers.servers[0].process
    frozen.send_signal(signal.SIGSTOP)
    try:
        assert moves(servers, table) == [0]
        wait_for(lambda: moves(servers, table) == [0, 1], 2 * TAKEN_OVER_WITHIN)
        successor = servers.holder(table)
        assert successor != holder
    finally:
        frozen.send_signal(signal.SIGCONT)
    # It comes back as another server, follows the table, and serves players there.
    wait_for(lambda: len(servers.rows("SELECT id FROM server")) == 2, 2 * TAKEN_OVER_WITHIN)
    assert holder not in {row[0] for row in servers.rows("SELECT id FROM server")}
    assert servers.holder(table) == successor

    async def test() -> None:
        player = await servers.sit(0, table, token)
        assert await player.until_asked()
        await player.move(first(player))
        assert await player.until_asked()

    play(servers, test)
    assert moves(servers, table) == [0, 1, 0, 1]


@pytest.mark.long
def test_a_server_that_stood_still_is_known_to_the_others_again(two_of_its_own: Several) -> None:
    servers = two_of_its_own

    async def test() -> None:
        with servers.http(0) as http:
            made = lay(http, "jumping-cups", "me", "friend")
        table, token = made["table"]["id"], made["keys"][0]["token"]
        player = await servers.sit(0, table, token)
        frozen = servers.servers[0].process
        before = servers.rows("SELECT id FROM server")
        frozen.send_signal(signal.SIGSTOP)
        try:
            wait_for(lambda: len(servers.rows("SELECT id FROM server")) == 1, 2 * TAKEN_OVER_WITHIN)
        finally:
            frozen.send_signal(signal.SIGCONT)
        wait_for(lambda: len(servers.rows("SELECT id FROM server")) == 2)
        assert servers.rows("SELECT id FROM server") != before
        # Who comes to the other server is told of here only if that knows that the table is open here.
        await servers.sit(1, table)
        while not any(message.get("watching") for message in player.others):
            await player.receive()

    play(servers, test)


def test_a_server_that_stood_still_is_refused_even_where_nothing_has_been_written_since(
    postgres: Postgres, tmp_path: Path
) -> None:
    with Several(postgres.new_database(), tmp_path, 1, bot_pause=2.0) as servers:
        # The other server takes the table over, but its bots pause for longer than this test lasts.
        servers.servers.append(servers.start(1, bot_pause=60.0))
        table, _ = table_with_a_bot_to_move(servers)
        holder = servers.holder(table)
        frozen = servers.servers[0].process
        frozen.send_signal(signal.SIGSTOP)
        try:
            wait_for(lambda: servers.holder(table) not in (None, holder), 2 * TAKEN_OVER_WITHIN)
            assert moves(servers, table) == [0]
        finally:
            frozen.send_signal(signal.SIGCONT)
        # Its bot's pause is over at once. The log has room for the move, but the lease is somebody else's.
        wait_for(lambda: len(servers.rows("SELECT id FROM server")) == 2, 2 * TAKEN_OVER_WITHIN)
        time.sleep(1)
        assert moves(servers, table) == [0]


def test_a_server_that_is_stopped_hands_its_tables_over_at_once(two_of_its_own: Several) -> None:
    servers = two_of_its_own
    table, _ = table_with_a_bot_to_move(servers)
    servers.servers[0].stop()
    wait_for(lambda: moves(servers, table) == [0, 1], 5)  # before anybody could have been taken for dead
