"""One server for all tests that do not kill theirs."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.server.helpers import Household, Server, browser, serving


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("data")) as running:
        yield running


@pytest.fixture(autouse=True)
def household() -> str:
    """Each test comes from an address of its own."""
    return Household.move()


@pytest.fixture
def http(server: Server) -> Iterator[httpx.Client]:
    with browser(server.url) as client:
        yield client
