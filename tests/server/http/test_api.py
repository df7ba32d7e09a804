"""The API for others: the schema holds under fire, and the example bot plays."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from tests.server.helpers import Server, browser, lay

ROOT = Path(__file__).parents[3]


def test_the_example_bot_plays_whole_games(server: Server, http: httpx.Client) -> None:
    for game, seats in (("jumping-cups", 2), ("cup-king", 3)):
        made = lay(http, game, "me", *["bot:random"] * (seats - 1))
        table, token = made["table"]["id"], made["keys"][0]["token"]
        bot = [sys.executable, "-W", "error", str(ROOT / "examples/bot.py"), server.url, table, token]
        run = subprocess.run(bot, capture_output=True, text=True, timeout=60)
        assert run.returncode == 0, run.stderr
        assert http.get(f"/api/tables/{table}").json()["outcome"]["reason"] == run.stdout.strip()


def attack(server: Server, examples: int) -> None:
    """Schemathesis invents requests for every operation; none may end in a 5xx."""
    schema = schemathesis.openapi.from_url(f"{server.url}/api/schema/openapi.json")
    attacked = 0
    with browser(server.url, timeout=30) as http:
        real = lay(http, "jumping-cups", "me", "friend")["table"]["id"]
    for found in schema.get_all_operations():
        assert isinstance(found, Ok)
        operation = found.ok()

        @settings(max_examples=examples, deadline=None, database=None, suppress_health_check=list(HealthCheck))
        @given(case=operation.as_strategy())
        def fire(case: schemathesis.Case[Any]) -> None:
            if "table" in case.path_parameters and len(str(case.path_parameters["table"])) % 2:
                case.path_parameters["table"] = real
            case.call_and_validate(checks=[not_a_server_error])

        fire()
        attacked += 1
    assert attacked >= 20


def test_invented_requests_never_break_the_server(server: Server) -> None:
    attack(server, 8)


@pytest.mark.long
def test_many_invented_requests_never_break_the_server(server: Server) -> None:
    attack(server, 300)
