"""What ends or is used up at one server has ended and is used up at the others."""

from __future__ import annotations

import asyncio

import pytest
from tests.server.cluster.several import Several, playing
from tests.server.helpers import Household, lay, wait_for
from websockets.exceptions import ConnectionClosed


@playing
async def test_who_signs_out_at_one_server_is_shown_out_at_the_others(two: Several) -> None:
    with two.http(0) as http:
        http.post(
            "/api/register",
            json={"username": f"ada{Household.address}".replace(".", ""), "password": "a long password"},
        )
        table = lay(http, "jumping-cups", "me", "friend")["table"]["id"]
        cookie = http.cookies["cupboard"]
        player = await two.sit(1, table, cookie=cookie)
        assert http.delete("/api/session").status_code == 200
        with pytest.raises(ConnectionClosed) as closed:
            async with asyncio.timeout(20):
                while True:
                    await player.receive()
        assert closed.value.rcvd is not None and closed.value.rcvd.code == 4003
    with two.http(1) as http:
        http.cookies["cupboard"] = cookie
        assert http.get("/api/me").json().get("username", "") == ""


def test_what_is_used_up_at_one_server_is_soon_refused_at_the_other(two: Several) -> None:
    with two.http(0) as here, two.http(1) as there:
        codes = [here.get("/api/admin/now", headers={"X-Admin-Token": "wrong"}).status_code for _ in range(30)]
        assert codes[0] in (401, 403, 404) and codes[-1] == 429
        # What is lent to both is paid back by both: the other server refuses, too, as soon as it has heard.
        wait_for(lambda: there.get("/api/admin/now", headers={"X-Admin-Token": "wrong"}).status_code == 429)
