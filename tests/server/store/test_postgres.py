"""The store in PostgreSQL."""

from __future__ import annotations

from pathlib import Path

from tests.server.helpers import browser, lay, serving
from tests.server.postgres import Postgres


def test_a_table_is_kept_in_postgresql(postgres: Postgres, tmp_path: Path) -> None:
    url = postgres.new_database()
    with serving(tmp_path, database=url) as server, browser(server.url) as http:
        table = lay(http, "jumping-cups", "me", "bot:random")["table"]["id"]
    assert not (tmp_path / "cupboard.db").exists()
    with serving(tmp_path, database=url) as server, browser(server.url) as http:
        assert http.get(f"/api/tables/{table}").json()["id"] == table
