"""Many visitors behind a real nginx with TLS, as in docs/hosting.md: who is who, and two classes at once."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any

import httpx
from tests.server.helpers import SocketPlayer
from websockets.asyncio.client import connect

from cupboard.server.limits.rates import HOME

from .site import NAME, Nginx, Site, standing


def test_who_forges_the_header_is_counted_by_their_own_address(tmp_path: Path) -> None:
    with standing(Nginx, tmp_path) as site, site.visitor("127.0.7.7") as stranger:
        # So many at once are allowed, and two more a second: on a slow machine it takes more of them to be refused.
        for turn in range(2000):
            refused = stranger.get("api/nothing", headers={"x-forwarded-for": f"10.0.{turn // 250}.{turn % 250}"})
            if refused.status_code != 404:
                break
        assert turn >= HOME["faults"][0] and refused.status_code == 429, "their own address is what counts"
        assert int(refused.headers["retry-after"]) >= 1
        with site.visitor("127.0.8.8") as other:
            assert other.get("api/nothing").status_code == 404, "another visitor is not refused with them"


def test_two_classes_of_25_play_two_games_each_at_once(tmp_path: Path) -> None:
    more = '[limits]\nprofile = "school"'
    with standing(Nginx, tmp_path, more=more) as site:
        moves = asyncio.run(_two_classes(site))
    assert len(moves) == 50 and all(count > 10 for count in moves)


async def _two_classes(site: Site) -> list[int]:
    children = [_child(site, f"127.0.{room}.1", number) for room in (1, 2) for number in range(25)]
    return await asyncio.gather(*children)


async def _child(site: Site, address: str, number: int) -> int:
    """A child opens the page, plays two games against a bot, and returns how many moves it made."""
    transport = httpx.AsyncHTTPTransport(local_address=address, verify=site.trust())
    base = f"https://127.0.0.1:{site.port}"
    rng = random.Random(number)
    made = 0

    async def name_the_host(request: httpx.Request) -> None:
        request.extensions["sni_hostname"] = NAME

    async with httpx.AsyncClient(
        base_url=base,
        transport=transport,
        timeout=120,
        headers={"host": f"{NAME}:{site.port}"},
        event_hooks={"request": [name_the_host]},
    ) as http:
        for path in ("/", "/api/me", "/api/games", "/api/tables", "/api/mine", "/api/readiness"):
            answer = await http.get(path)
            assert answer.status_code == 200, f"{path}: {answer.text}"
        for _ in range(2):
            seats = [{"kind": "me"}, {"kind": "bot", "level": "random"}]
            answer = await http.post("/api/tables", json={"game": "jumping-cups", "seats": seats})
            assert answer.status_code == 201, answer.text
            made += await _play_out(site, http, address, answer.json(), rng)
    return made


async def _play_out(site: Site, http: httpx.AsyncClient, address: str, made: dict[str, Any], rng: random.Random) -> int:
    """Play random moves over a socket until the game is over; returns how many."""
    socket = await connect(
        f"wss://{NAME}:{site.port}/api/tables/{made['table']['id']}/socket",
        host="127.0.0.1",
        port=site.port,
        ssl=site.trust(),
        server_hostname=NAME,
        additional_headers={"cookie": f"cupboard={http.cookies['cupboard']}"},
        compression=None,
        local_addr=(address, 0),
        open_timeout=60,
    )
    player = SocketPlayer(socket)
    await player.send(type="hello", tokens=(), version=0, watch=False)
    await player.until("update")
    count = 0
    while await player.until_asked():
        answer = await player.move(rng.choice(player.update["moves"])["text"])
        assert answer["type"] == "update", answer
        count += 1
    await player.close()
    return count
