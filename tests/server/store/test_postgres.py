"""A server with its games in PostgreSQL: played over HTTP and the socket, stopped, and started again."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import psycopg
from tests.server.helpers import SocketPlayer, browser, lay, serving, wait_for
from tests.server.postgres import Postgres, running_postgres


def test_a_game_begun_at_one_server_is_finished_at_the_next(postgres: Postgres, tmp_path: Path) -> None:
    url = postgres.new_database()
    rng = random.Random(4)

    async def play(port: int, token: str, most: int) -> int:
        player = await SocketPlayer.sit(port, table, token)
        moved = 0
        while moved < most and await player.until_asked():
            await player.move(rng.choice(player.update["moves"])["text"])
            moved += 1
        await player.socket.close()
        return moved

    with serving(tmp_path, database=url) as server, browser(server.url) as http:
        made = lay(http, "jumping-cups", "me", "bot:random")
        table, token = made["table"]["id"], made["keys"][0]["token"]
        asyncio.run(play(server.port, token, 3))
        server.kill()
        server.start()
        asyncio.run(play(server.port, token, 10_000))
        ended = http.get(f"/api/tables/{table}").json()
        record = http.get(f"/api/tables/{table}/record.json").json()
    assert not (tmp_path / "cupboard.db").exists()
    assert ended["status"] == "over"
    with serving(tmp_path, database=url) as server, browser(server.url) as http:
        assert http.get(f"/api/tables/{table}").json()["status"] == "over"
        assert http.get(f"/api/tables/{table}/record.json").json() == record


def test_a_server_whose_postgresql_starts_again_goes_on_by_itself(tmp_path: Path) -> None:
    with running_postgres() as own:
        url = own.new_database()
        with serving(tmp_path, database=url) as server, browser(server.url) as http:
            table = lay(http, "jumping-cups", "me", "bot:random")["table"]["id"]
            own.server.stop()
            refused = http.post("/api/tables", json={"game": "jumping-cups", "seats": [{"kind": "me"}, {"kind": "me"}]})
            assert refused.status_code == 503, refused.text
            assert refused.json()["code"] == "busy"
            wait_for(lambda: http.get("/readyz").status_code == 503)
            assert http.get("/healthz").status_code == 200
            own.server.ensure_postgres_running()
            wait_for(lambda: http.get("/readyz").status_code == 200)
            lay(http, "jumping-cups", "me", "me")
            assert http.get(f"/api/tables/{table}").status_code == 200
        with psycopg.connect(url) as conn:
            assert conn.execute("SELECT count(*) FROM game").fetchone() == (2,)
