"""Three servers behind nginx are restarted one after the other: who plays there notices nothing."""

from __future__ import annotations

import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.server.cluster.proxy import proxy
from tests.server.cluster.several import Several
from tests.server.helpers import until_ready
from tests.server.postgres import Postgres, running_postgres

from . import hands
from .conftest import Opener

_NOTES_ALARMS = """() => {
    window.alarms = [];
    const look = () => document.querySelectorAll('.cut').forEach((it) => window.alarms.push(it.textContent));
    new MutationObserver(look).observe(document, { subtree: true, childList: true });
}"""


@pytest.fixture(scope="module")
def database() -> Iterator[Postgres]:
    with running_postgres() as running:
        yield running


def test_a_rolling_restart_is_not_seen_on_the_page(database: Postgres, tmp_path: Path, opened: Opener) -> None:
    with (
        Several(database.new_database(), tmp_path, 3, behind_proxy=("loopback",), warm=True) as servers,
        tempfile.TemporaryDirectory() as public,
        proxy("nginx", Path(public), [server.port for server in servers.servers]) as port,
    ):
        for server in servers.servers:
            until_ready(server.url)
        page = opened()
        seats = [{"kind": "me"}, {"kind": "bot", "level": "random"}]
        hands.make_table(page, f"http://127.0.0.1:{port}", "jumping-cups", seats)
        page.evaluate(_NOTES_ALARMS)
        sockets: list[Any] = []
        page.on("websocket", lambda one: sockets.append(one))
        for server in servers.servers:
            server.process.send_signal(signal.SIGTERM)
            assert server.process.wait(30) == 0
            server.stop()
            server.start()
            until_ready(server.url)
        for _ in range(300):
            page.wait_for_timeout(100)
            if sockets and not sockets[-1].is_closed():
                break
        assert sockets and not sockets[-1].is_closed(), "the page came back to another server at least once"
        assert page.evaluate("() => window.alarms") == []
