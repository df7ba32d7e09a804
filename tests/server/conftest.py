"""Fixtures for the server's tests: one server, shared by all tests that do not stop it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.server.helpers import Household, Server, browser, serving
from tests.server.postgres import Postgres, running_postgres

import cupboard.games
from cupboard.core.registry import names

SIMULATIONS = Path(__file__).parent / "simulations"


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("data")) as running:
        yield running


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    with running_postgres() as running:
        yield running


@pytest.fixture(params=["sqlite", "postgres"])
def either_database(request: pytest.FixtureRequest) -> str:
    """One test for each kind of database: the address of one that nobody has used, empty for a file of SQLite."""
    if request.param == "sqlite":
        return ""
    running: Postgres = request.getfixturevalue("postgres")
    return running.new_database()


@pytest.fixture(autouse=True)
def household() -> str:
    """Give each test its own IP address, since rate limits are counted by address."""
    return Household.move()


@pytest.fixture
def tumble(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """For one test there is a game more, Tumble, which needs simulations: here and in processes that begin now."""
    with monkeypatch.context() as patch:
        patch.setattr(cupboard.games, "__path__", [*cupboard.games.__path__, str(SIMULATIONS / "more_games")])
        patch.setenv("PYTHONPATH", str(SIMULATIONS / "hook"), prepend=os.pathsep)
        names.cache_clear()
        yield
    names.cache_clear()


@pytest.fixture
def http(server: Server) -> Iterator[httpx.Client]:
    with browser(server.url) as client:
        yield client
