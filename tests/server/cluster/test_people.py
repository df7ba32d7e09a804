"""What ends or is used up at one server has ended and is used up at the others."""

from __future__ import annotations

import asyncio
import time

import httpx
import pytest
from tests.server.cluster.several import Several, playing
from tests.server.helpers import Household, lay
from websockets.exceptions import ConnectionClosed

from cupboard.server.limits.rates import HOME


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
    at_once = HOME["admin"][0]
    with two.http(0) as here, two.http(1) as there:

        def tries_until_refused(http: httpx.Client, pause: float) -> int:
            for tries in range(2 * at_once):
                answer = http.get("/api/admin/now", headers={"X-Admin-Token": "wrong"})
                if answer.status_code == 429:
                    return tries
                assert answer.status_code == 403
                time.sleep(pause)
            raise AssertionError("it is not limited")

        assert tries_until_refused(here, 0.0) >= at_once
        # The other server refuses as soon as it has heard, long before its own count is reached.
        assert tries_until_refused(there, 0.2) < at_once // 2


@playing
async def test_who_is_banned_at_one_server_is_shown_out_at_the_others(two: Several) -> None:
    with two.http(0) as http:
        table = lay(http, "jumping-cups", "me", "friend")["table"]["id"]
        ((person,),) = two.rows("SELECT maker FROM game WHERE id = %s", table)
        cookie = http.cookies["cupboard"]
        player = await two.sit(1, table, cookie=cookie)
        answer = http.post(f"/api/admin/people/{person}/ban", headers={"X-Admin-Token": two.admin()}, json={})
        assert answer.status_code == 200, answer.text
        with pytest.raises(ConnectionClosed) as closed:
            async with asyncio.timeout(20):
                while True:
                    await player.receive()
        assert closed.value.rcvd is not None and closed.value.rcvd.code == 4003
