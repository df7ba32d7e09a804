"""A server that loses its database says so, acknowledges nothing, and comes back by itself."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
from psycopg import sql
from tests.server.cluster.several import Several, duel, first, play
from tests.server.helpers import lay, wait_for
from tests.server.postgres import Postgres


@pytest.fixture
def two_of_its_own(postgres: Postgres, tmp_path: Path) -> Iterator[Several]:
    with Several(postgres.new_database(), tmp_path, 2) as servers:
        yield servers


@contextmanager
def database_lost(postgres: Postgres, servers: Several) -> Iterator[None]:
    """Nobody can connect to the database within this, and whoever was connected is cut off."""
    name = psycopg.conninfo.conninfo_to_dict(servers.url)["dbname"]
    with psycopg.connect(postgres.url(), autocommit=True) as conn:
        allow = sql.SQL("ALTER DATABASE {} ALLOW_CONNECTIONS {}")
        conn.execute(allow.format(sql.Identifier(str(name)), sql.SQL("false")))
        conn.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", (name,))
        try:
            yield
        finally:
            conn.execute(allow.format(sql.Identifier(str(name)), sql.SQL("true")))


def test_players_are_told_that_the_database_is_lost_and_play_on_when_it_is_back(
    postgres: Postgres, two_of_its_own: Several
) -> None:
    servers = two_of_its_own

    async def test() -> None:
        table, red, blue = await duel(servers)
        with servers.http(0) as http:
            made = lay(http, "jumping-cups", "me", "bot:random", options={"starter": "red"})
        bot_table = made["table"]["id"]
        person = await servers.sit(0, bot_table, made["keys"][0]["token"])
        with database_lost(postgres, servers), servers.http(0) as http:
            for player in (red, blue, person):
                while (await player.until("database"))["there"]:
                    pass
            refused = await red.move(first(red))
            assert (refused["type"], refused["code"]) == ("refused", "database-lost")
            assert http.get("/readyz").status_code == 503
            assert http.get("/healthz").status_code == 200
        for player in (red, blue, person):
            while not (await player.until("database"))["there"]:
                pass
        # The sockets were open all the time.
        assert (await red.move(first(red)))["type"] == "update"
        await blue.until("update")
        await person.move(first(person))
        while "move" not in [event["kind"] for event in person.events if event.get("seat") == 1]:
            await person.until("update")
        assert [kind for _, kind in servers.log(table)].count("move") == 1

    play(servers, test)
    with servers.http(0) as http:
        wait_for(lambda: http.get("/readyz").status_code == 200)
