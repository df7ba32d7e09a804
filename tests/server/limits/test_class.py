"""A class of 25 behind one address plays at once, and somebody among them who floods or guesses stops only themselves.

With the rates we ship. Every request of every child must succeed: `ask` fails the test for the first that does not.
"""

from __future__ import annotations

import asyncio
import random
import re
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
from tests.server.helpers import Household, Server, SocketPlayer, serving

from cupboard.server.settings import LimitSettings, PeopleSettings

CLASS = 25
PASSWORD = "correct horse"
CODE = "acorn in the oak"
AT_START = ("me", "games", "house", "tables", "mine", "readiness", "strength")
"""What the page asks for when it opens."""


async def request(http: httpx.AsyncClient, method: str, path: str, json: object = None) -> httpx.Response:
    """The answer to a request, which is sent again, as browsers do, when the connection has just been closed.

    The server does that after five silent seconds, and all these clients share one processor."""
    try:
        return await http.request(method, path, json=json)
    except (httpx.ReadError, httpx.RemoteProtocolError):
        return await http.request(method, path, json=json)


class Child:
    """A child at a browser of their own, which has six connections."""

    def __init__(self, server: Server, address: str, username: str) -> None:
        self.server = server
        self.address = address
        self.username = username
        self.random = random.Random(username)
        limits = httpx.Limits(max_connections=6)
        self.http = httpx.AsyncClient(
            base_url=server.url,
            transport=httpx.AsyncHTTPTransport(local_address=address, limits=limits),
            timeout=120,
        )

    async def ask(self, method: str, path: str, json: object = None) -> Any:
        answer = await request(self.http, method, path, json)
        assert answer.status_code < 400, f"{self.username}: {method} {path}: {answer.text[:200]}"
        return answer.json() if answer.headers["content-type"] == "application/json" else answer.text

    async def opens_the_page(self) -> None:
        html = await self.ask("GET", "/")
        files = re.findall(r'(?:src|href)="(/[^"]+)"', html)
        paths = [*files, *(f"/api/{name}" for name in AT_START)]
        await asyncio.gather(*(self.ask("GET", path) for path in paths))

    async def sit(self, table: str) -> SocketPlayer:
        cookie = self.http.cookies["cupboard"]
        await self.ask("GET", f"/api/tables/{table}")
        return await SocketPlayer.sit(self.server.port, table, cookie=cookie, address=self.address)

    async def plays_against_a_bot(self) -> None:
        """A first game to its end, with a look back at it, and a beginning of the second."""
        seats = [{"kind": "me"}, {"kind": "bot", "level": "sprout"}]
        made = await self.ask("POST", "/api/tables", {"game": "jumping-cups", "seats": seats})
        table = made["table"]["id"]
        player = await self.sit(table)
        await self.plays(player, 1000)
        for path in ("scenes", "events", "record.game", "picture.svg"):
            await self.ask("GET", f"/api/tables/{table}/{path}")
        await self.ask("GET", "/api/strength")
        answer = await player.say(type="offer", what="rematch")
        again = await self.sit(answer["events"][-1]["text"])
        await self.plays(again, 5)
        for one in (player, again):
            await one.close()

    async def plays(self, player: SocketPlayer, moves: int) -> None:
        for _ in range(moves):
            if not await player.until_asked():
                return
            said = await player.move(self.random.choice(player.update["moves"])["text"])
            assert said["type"] == "update" or said["code"] == "stale", said

    async def invites(self, other: Child) -> None:
        """Two children at one table, who talk and play, and one of them resigns."""
        new = {"game": "jumping-cups", "seats": [{"kind": "me"}, {"kind": "friend"}]}
        made = await self.ask("POST", "/api/tables", new)
        table, invite = made["table"]["id"], made["invites"][0]["invite"]
        await other.ask("GET", f"/t/{table}?invite={invite}")
        await other.ask("POST", f"/api/tables/{table}/seats/1", {"invite": invite, "name": other.username})
        players = [await self.sit(table), await other.sit(table)]
        for player in players:
            for line in ("hello", "luck"):
                assert (await player.say(type="phrase", phrase=line))["type"] == "update"
        await asyncio.gather(*(self.plays(player, 4) for player in players))
        assert (await players[0].say(type="resign"))["status"] == "over"
        for player in players:
            await player.close()

    async def makes_an_account(self) -> None:
        login = {"username": self.username, "password": PASSWORD, "code": CODE}
        await self.ask("POST", "/api/account", login)

    async def signs_out_and_in(self) -> None:
        await self.ask("DELETE", "/api/session")
        await self.ask("POST", "/api/session", {"username": self.username, "password": PASSWORD})


@asynccontextmanager
async def school_class(server: Server, address: str) -> AsyncIterator[list[Child]]:
    children = [Child(server, address, f"child{n}.{address}") for n in range(CLASS)]
    try:
        yield children
    finally:
        for child in children:
            await child.http.aclose()


async def each(children: list[Child], does: Callable[[Child], Awaitable[None]]) -> None:
    """All at the same time."""
    await asyncio.gather(*(does(child) for child in children))


async def pairs_play(children: list[Child]) -> None:
    await asyncio.gather(*(one.invites(other) for one, other in zip(children[::2], children[1::2], strict=False)))


async def lesson(children: list[Child]) -> None:
    await each(children, Child.opens_the_page)
    await each(children, Child.plays_against_a_bot)
    await pairs_play(children)
    await each(children, Child.makes_an_account)
    await each(children, Child.signs_out_and_in)


def school(**more: Any) -> dict[str, Any]:
    return {"limits": LimitSettings(profile="school")} | more


def test_a_class_behind_one_address_has_its_lesson_without_any_settings(tmp_path: Path) -> None:
    async def run(server: Server) -> None:
        async with school_class(server, Household.address) as children:
            await lesson(children)

    with serving(tmp_path) as server:
        asyncio.run(run(server))


def test_two_classes_at_two_addresses_have_their_lessons_at_once(tmp_path: Path) -> None:
    async def run(server: Server) -> None:
        async with (
            school_class(server, Household.address) as here,
            school_class(server, Household.move()) as there,
        ):
            await asyncio.gather(lesson(here), lesson(there))

    with serving(tmp_path, **school()) as server:
        asyncio.run(run(server))


async def refusals(count: int, attempt: Callable[[int], Coroutine[Any, Any, httpx.Response]]) -> Counter[str]:
    """How often somebody was answered what, eight requests at a time."""
    found: Counter[str] = Counter()

    async def one(numbers: range) -> None:
        for n in numbers:
            answer = await attempt(n)
            found[answer.json().get("code", "in")] += 1
            assert answer.status_code != 429 or int(answer.headers["retry-after"]) >= 1

    await asyncio.gather(*(one(range(at, count, 8)) for at in range(8)))
    return found


def test_whoever_floods_and_guesses_is_slowed_down_and_the_class_goes_on(tmp_path: Path) -> None:
    people = PeopleSettings(sign_up="code", class_code=CODE)

    async def run(server: Server) -> None:
        async with school_class(server, Household.address) as children:
            await each(children, Child.opens_the_page)
            await pairs_play(children)
            await children[-1].plays_against_a_bot()
            # One more at the same address, who has no cookie, so that it is nobody's share that is used up.
            transport = httpx.AsyncHTTPTransport(local_address=Household.address)
            async with httpx.AsyncClient(base_url=server.url, transport=transport, timeout=120) as vandal:
                new = {"game": "jumping-cups", "seats": [{"kind": "me"}, {"kind": "me"}]}

                async def floods(_: int) -> httpx.Response:
                    vandal.cookies.clear()
                    return await request(vandal, "POST", "/api/tables", new)

                async def guesses(n: int) -> httpx.Response:
                    return await request(
                        vandal, "POST", "/api/session", {"username": f"user{n}", "password": "password"}
                    )

                async def guesses_the_code(n: int) -> httpx.Response:
                    vandal.cookies.clear()
                    login = {"username": f"user{n}", "password": "password", "code": f"acorn {n}"}
                    return await request(vandal, "POST", "/api/account", login)

                flood = await refusals(550, floods)
                codes = await refusals(170, guesses_the_code)
                async with asyncio.TaskGroup() as tasks:
                    tasks.create_task(refusals(50, floods))
                    tasks.create_task(refusals(50, guesses_the_code))
                    tasks.create_task(pairs_play(children))
                await each(children, Child.makes_an_account)
                passwords = await refusals(170, guesses)
                async with asyncio.TaskGroup() as tasks:
                    tasks.create_task(refusals(50, guesses))
                    tasks.create_task(each(children, Child.signs_out_and_in))
            assert flood["too-many"] > 200, flood
            for guessed in (codes, passwords):
                assert guessed["too-many"] > 10 and not guessed["in"], guessed

    with serving(tmp_path, **school(people=people)) as server:
        asyncio.run(run(server))
