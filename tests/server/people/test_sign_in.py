"""Guessing passwords is slow, and never keeps the owner out. With the limits we ship."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator

import httpx
import pytest
from tests.server.helpers import Household, Server, browser

from cupboard.server.limits.rates import HOME

PASSWORD = "correct horse battery"
MOST = HOME["sign-ins"][0]


def elsewhere(server: Server) -> httpx.Client:
    """A client at an address of its own."""
    Household.move()
    return browser(server.url)


@pytest.fixture
def anna(server: Server) -> Iterator[dict[str, str]]:
    """An account; its owner is at home, at another address than the test."""
    login = {"username": f"anna{time.monotonic_ns()}", "password": PASSWORD}
    with elsewhere(server) as home:
        assert home.post("/api/account", json=login).status_code == 201
    Household.move()
    yield login


def attempt(client: httpx.Client, login: dict[str, str], password: str = "wrong password") -> str:
    answer = client.post("/api/session", json=login | {"password": password})
    return "in" if answer.status_code == 201 else str(answer.json()["code"])


def test_wrong_passwords_from_anywhere_do_not_lock_the_owner_out(server: Server, anna: dict[str, str]) -> None:
    for _ in range(5):
        with elsewhere(server) as stranger:
            assert [attempt(stranger, anna) for _ in range(4)] == ["bad-login"] * 4
    with elsewhere(server) as owner:
        begun = time.monotonic()
        assert attempt(owner, anna, PASSWORD) == "in", "twenty strangers' failures are not the owner's"
        assert time.monotonic() - begun < 3


def test_each_failure_makes_the_next_answer_slower(server: Server, anna: dict[str, str]) -> None:
    with elsewhere(server) as stranger:
        took = []
        for _ in range(7):
            begun = time.monotonic()
            assert attempt(stranger, anna) == "bad-login"
            took.append(time.monotonic() - begun)
        assert took[4] > 0.5 and took[5] > 1 and took[6] > 2, took
        assert attempt(stranger, anna, PASSWORD) == "in", "slow, but not refused"
        begun = time.monotonic()
        assert attempt(stranger, anna) == "bad-login"
        assert time.monotonic() - begun < 2, "who got in begins anew"


def test_an_address_that_guesses_at_many_accounts_is_refused(server: Server, anna: dict[str, str]) -> None:
    with elsewhere(server) as stranger:
        codes = [attempt(stranger, {"username": f"user{n}"}) for n in range(MOST + 5)]
        assert codes.count("bad-login") in range(MOST, MOST + 3) and codes[-1] == "too-many"
        # Getting in with one's own account does not buy new guesses.
        assert attempt(stranger, anna, PASSWORD) == "too-many"
    with elsewhere(server) as other:
        assert attempt(other, anna, PASSWORD) == "in"


def test_signing_in_rightly_costs_nothing(server: Server, anna: dict[str, str]) -> None:
    with elsewhere(server) as busy:
        assert [attempt(busy, anna, PASSWORD) for _ in range(MOST + 5)] == ["in"] * (MOST + 5)


def test_a_username_like_an_address_is_not_that_address(server: Server) -> None:
    with elsewhere(server) as home:
        there = Household.address
        login = {"username": there, "password": PASSWORD}
        assert home.post("/api/account", json=login).status_code == 201
        for n in range(4):
            with elsewhere(server) as stranger:
                assert [attempt(stranger, login) for _ in range(3 + n % 2)][-1] == "bad-login"
        codes = [attempt(home, {"username": f"other{n}"}) for n in range(MOST)]
        assert set(codes) == {"bad-login"}, "what strangers spent on the name was not taken from the address"
        with elsewhere(server) as owner:
            assert attempt(owner, login, PASSWORD) == "in"
        assert attempt(home, {"username": "more"}) in ("too-many", "bad-login")
        codes = [attempt(home, {"username": f"yet{n}"}) for n in range(5)]
        assert codes[-1] == "too-many", "nor did signing in under the name refill the address's"


def test_guesses_at_the_same_moment_do_not_all_wait(server: Server, anna: dict[str, str]) -> None:
    """One slow answer is held for an address and account; the others are told at once to wait."""
    Household.move()

    async def run() -> list[str]:
        transport = httpx.AsyncHTTPTransport(local_address=Household.address)
        async with httpx.AsyncClient(base_url=server.url, transport=transport, timeout=30) as stranger:
            wrong = anna | {"password": "wrong password"}
            for _ in range(4):
                await stranger.post("/api/session", json=wrong)
            answers = await asyncio.gather(*(stranger.post("/api/session", json=wrong) for _ in range(10)))
            return [answer.json()["code"] for answer in answers]

    begun = time.monotonic()
    codes = asyncio.run(run())
    assert codes.count("bad-login") == 1 and codes.count("too-many") == 9
    assert time.monotonic() - begun < 10
