"""Messages between the programs on one database, with a real PostgreSQL."""

from __future__ import annotations

import asyncio

import psycopg
from tests.server.postgres import Postgres

from cupboard.server.store.postgres_channel import PostgresChannel


def test_what_one_program_posts_all_hear_in_order(postgres: Postgres) -> None:
    async def talk() -> tuple[list[str], list[str]]:
        url = postgres.new_database()
        both: list[list[str]] = [[], []]
        channels = [PostgresChannel(url, "cupboard", heard.append) for heard in both]
        running = [asyncio.create_task(channel.run()) for channel in channels]
        while not all(channel.is_open for channel in channels):
            await asyncio.sleep(0.01)
        for n in range(50):
            channels[n % 2].post(f"{n} 'quoted' ☕")
        while min(map(len, both)) < 50:
            await asyncio.sleep(0.01)
        for task in running:
            task.cancel()
        return both[0], both[1]

    first, second = asyncio.run(asyncio.wait_for(talk(), 20))
    assert first == second
    assert sorted(first, key=lambda text: int(text.split()[0])) == [f"{n} 'quoted' ☕" for n in range(50)]


def test_a_channel_whose_connections_are_cut_is_there_again(postgres: Postgres) -> None:
    async def talk() -> tuple[int, list[str]]:
        url = postgres.new_database()
        heard: list[str] = []
        connections = 0

        def connected() -> None:
            nonlocal connections
            connections += 1

        channel = PostgresChannel(url, "cupboard", heard.append, connected)
        running = asyncio.create_task(channel.run())
        while not channel.is_open:
            await asyncio.sleep(0.01)
        with psycopg.connect(url, autocommit=True) as conn:
            conn.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        while connections < 2:
            await asyncio.sleep(0.01)
        while "again" not in heard:  # a message that goes over the cut connection is lost
            channel.post("again")
            await asyncio.sleep(0.05)
        running.cancel()
        return connections, heard

    connections, heard = asyncio.run(asyncio.wait_for(talk(), 20))
    assert connections == 2
    assert set(heard) == {"again"}
