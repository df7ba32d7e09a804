"""Nothing lost: servers killed in the middle, and two servers on one database."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.server.helpers import Server, SocketPlayer, browser, lay, serving
from websockets.exceptions import ConnectionClosed, InvalidHandshake

GAMES = ("jumping-cups", "double-dutch")


class Survivor:
    """Plays one seat to the end whatever happens to the server, and remembers what was acknowledged to it."""

    def __init__(self, server: Server, table: str, seat: int, token: str, rng: random.Random, pause: float) -> None:
        self.server = server
        self.table = table
        self.seat = seat
        self.token = token
        self.rng = rng
        self.pause = pause
        self.acknowledged: list[tuple[int, str]] = []
        self.events: list[dict[str, Any]] = []
        self.reconnected = -1

    async def play(self) -> None:
        while True:
            try:
                self.reconnected += 1
                player = await SocketPlayer.sit(self.server.port, self.table, self.token, version=len(self.events))
            except (OSError, ConnectionClosed, InvalidHandshake, TimeoutError):
                await asyncio.sleep(0.2)
                continue
            try:
                await self._play(player)
                return
            except (OSError, ConnectionClosed):
                continue
            finally:
                self.events += player.events
                await player.close()

    async def _play(self, player: SocketPlayer) -> None:
        while await player.until_asked():
            await asyncio.sleep(self.rng.random() * self.pause)
            moves = player.update["moves"]
            text = self.rng.choice([move for move in moves if not move.get("warning")] or moves)["text"]
            answer = await player.move(text)
            if answer["type"] == "refused":
                assert answer["code"] == "stale", answer
                continue
            entry = next(event for event in reversed(player.events) if event.get("seat") == self.seat)
            assert entry["text"] == text
            self.acknowledged.append((entry["n"], text))


async def survive(server: Server, tables: int, kills: int, pause: float, rng: random.Random) -> list[Survivor]:
    players = []
    with browser(server.url, timeout=60) as http:
        for number in range(tables):
            made = lay(http, GAMES[number % len(GAMES)], "me", "me")
            for key in made["keys"]:
                own = random.Random(rng.random())
                players.append(Survivor(server, made["table"]["id"], key["seat"], key["token"], own, pause))
    games = [asyncio.create_task(player.play()) for player in players]
    for _ in range(kills):
        await asyncio.sleep(rng.uniform(0.1, 1.5))
        server.kill()
        assert server.process.stdout is not None
        server.process.stdout.close()
        await asyncio.to_thread(server.start)
    await asyncio.gather(*games)
    return players


def check(server: Server, players: list[Survivor]) -> int:
    acknowledged = 0
    with browser(server.url, timeout=60) as http:
        for player in players:
            log = http.get(f"/api/tables/{player.table}/events").json()
            assert [event["n"] for event in log] == list(range(len(log)))
            assert player.events == log, "what the client saw is what the disk holds, each event once and in order"
            mine = [(event["n"], event["text"]) for event in log if event.get("seat") == player.seat]
            assert set(player.acknowledged) <= set(mine)
            assert len(set(player.acknowledged)) == len(player.acknowledged)
            assert http.get(f"/api/tables/{player.table}").json()["status"] == "over"
            acknowledged += len(player.acknowledged)
    return acknowledged


def run(folder: Path, tables: int, kills: int, pause: float, seed: int) -> None:
    server = Server(folder)
    try:
        players = asyncio.run(survive(server, tables, kills, pause, random.Random(seed)))
        acknowledged = check(server, players)
        assert acknowledged > 5 * tables
        assert max(player.reconnected for player in players) >= kills - 1
        print(f"{tables} tables, {kills} kills, {acknowledged} acknowledged moves, all there")
    finally:
        server.stop()


def test_a_killed_server_loses_no_acknowledged_move(tmp_path: Path) -> None:
    run(tmp_path, tables=6, kills=2, pause=0.15, seed=1)


@pytest.mark.long
def test_fifty_tables_survive_twenty_kills(tmp_path: Path) -> None:
    run(tmp_path, tables=50, kills=20, pause=4.0, seed=2)


def test_two_servers_on_one_database_never_fork_a_game(tmp_path: Path) -> None:
    with serving(tmp_path) as one, serving(tmp_path) as two:
        with browser(one.url, timeout=60) as http:
            made = lay(http, "double-dutch", "me", "me")
        table = made["table"]["id"]
        rng = random.Random(3)

        async def race() -> tuple[int, int]:
            """Both servers get a move of the same seat at the same moment; one wins, the other is stale."""
            here = [await SocketPlayer.sit(one.port, table, key["token"]) for key in made["keys"]]
            there = [await SocketPlayer.sit(two.port, table, key["token"]) for key in made["keys"]]
            refused = moved = 0
            while here[0].update["status"] != "over":
                seat = here[0].update["asked"][0]
                rivals = [here[seat], there[seat]]
                answers = await asyncio.gather(
                    *(rival.move(rng.choice(rival.update["moves"])["text"]) for rival in rivals)
                )
                kinds = sorted(answer["type"] if answer["type"] == "update" else answer["code"] for answer in answers)
                assert kinds in (["stale", "update"], ["not-your-turn", "update"], ["game-over", "update"]), answers
                moved += 1
                refused += kinds[0] == "stale"
                version = max(player.version for player in rivals)
                for player in here + there:
                    while player.version < version:
                        await player.receive()
            for player in here + there:
                await player.close()
            return moved, refused

        moved, refused = asyncio.run(race())
        assert moved > 5 and refused > 0
        logs = [httpx.get(f"{server.url}/api/tables/{table}/events").json() for server in (one, two)]
        assert logs[0] == logs[1] and sum(event["kind"] == "move" for event in logs[0]) == moved


def test_a_seat_given_up_on_one_server_speaks_no_more_on_the_other(tmp_path: Path) -> None:
    with serving(tmp_path) as one, serving(tmp_path) as two:
        with browser(one.url, timeout=60) as http:
            made = lay(http, "double-dutch", "me", "me", "me")
        table, tokens = made["table"]["id"], [key["token"] for key in made["keys"]]

        async def give_up() -> None:
            here = await SocketPlayer.sit(one.port, table, tokens[0])
            there = await SocketPlayer.sit(two.port, table, tokens[0], tokens[1])
            await here.say(type="resign")
            while not any(event["kind"] == "handover" for event in there.events):
                await there.receive()
            for player, seat in ((here, 0), (there, 0)):
                for words in ({"type": "chat", "text": "It is me!"}, {"type": "hint"}, {"type": "resign"}):
                    answer = await player.say(seat=seat, **words)
                    assert answer.get("code") == "not-your-seat", answer
            assert there.update["seat"] == 1, "it looks with the updates of the seat that is left"
            answer = {"code": "stale"}
            while answer.get("code") == "stale":  # the stand-in may move at the same moment
                answer = await there.say(type="chat", text="I am still here.")
            assert answer["type"] == "update" and there.events[-1]["seat"] == 1
            for player in (here, there):
                await player.close()

        asyncio.run(give_up())


def test_ctrl_c_ends_it_cleanly_with_players_at_the_table(tmp_path: Path) -> None:
    server = Server(tmp_path)
    with browser(server.url, timeout=60) as http:
        made = lay(http, "jumping-cups", "me", "bot:random")

    async def sit() -> int:
        player = await SocketPlayer.sit(server.port, made["table"]["id"], made["keys"][0]["token"])
        code = await asyncio.to_thread(server.stop)
        with pytest.raises(ConnectionClosed):
            while True:
                await player.receive()
        await player.close()
        return code

    assert asyncio.run(sit()) == 0
