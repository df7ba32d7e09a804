"""The verbs of whoever runs a server, with PostgreSQL: backup, restore, check and admin."""

from __future__ import annotations

import json
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest
from tests.server.helpers import Household, Server, browser, lay, serving, wait_for
from tests.server.postgres import Postgres
from tests.server.program import PROGRAM


@pytest.fixture
def url(postgres: Postgres) -> str:
    return postgres.new_database()


@pytest.fixture
def server(tmp_path: Path, url: str) -> Iterator[Server]:
    (tmp_path / "data").mkdir()
    with serving(tmp_path / "data", database=url) as running:
        yield running


def cupboard(*words: object) -> subprocess.CompletedProcess[str]:
    done = subprocess.run([*PROGRAM, *map(str, words)], capture_output=True, text=True, timeout=120)
    assert "Traceback" not in done.stderr, done.stderr
    return done


def made(*words: object) -> str:
    done = cupboard(*words)
    assert done.returncode == 0, done.stderr
    return done.stdout


def refused(*words: object) -> str:
    done = cupboard(*words)
    assert done.returncode == 1, done.stdout
    (line,) = done.stderr.splitlines()
    return line


def test_a_copy_made_beside_a_server_goes_back_into_postgresql_and_into_a_file(
    server: Server, url: str, postgres: Postgres, tmp_path: Path
) -> None:
    with browser(server.url) as http:
        table = lay(http, "jumping-cups", "me", "bot:random")["table"]["id"]
    made("admin", "link", "--database", url, "--data", tmp_path / "data")
    copy = tmp_path / "copy.db"
    assert "1 game" in made("backup", copy, "--database", url)
    assert "is in use: a server runs on it" in refused("restore", copy, "--database", url, "--replace")
    assert "1 of 1 games played through" in made("check", "--database", url)
    server.stop()

    assert "holds games or people already" in refused("restore", copy, "--database", url)
    with psycopg.connect(url) as conn:
        conn.execute("UPDATE game SET status = 'damaged'")
    assert made("restore", copy, "--database", url, "--replace").count("admin link") == 2
    other, folder = postgres.new_database(), tmp_path / "other"
    made("restore", copy, "--database", other)
    made("restore", copy, "--data", folder)
    for more in ({"database": url}, {"database": other}, {}):
        with serving(folder, **more) as again, browser(again.url) as http:
            assert http.get(f"/api/tables/{table}").json()["status"] != "damaged"


def test_a_copy_that_is_damaged_changes_nothing(url: str, tmp_path: Path) -> None:
    with serving(tmp_path / "data", database=url) as server, browser(server.url) as http:
        lay(http, "jumping-cups", "me", "bot:random")
    copy = tmp_path / "copy.db"
    made("backup", copy, "--database", url)
    with closing(sqlite3.connect(copy)) as db:
        db.execute("UPDATE seat SET person = 'nobody-there'")
        db.commit()
    with psycopg.connect(url) as conn:
        before = conn.execute("SELECT * FROM event ORDER BY n").fetchall()
    assert "is damaged" in refused("restore", copy, "--database", url, "--replace")
    with psycopg.connect(url) as conn:
        assert conn.execute("SELECT * FROM event ORDER BY n").fetchall() == before


def test_check_names_a_game_that_makes_no_sense(server: Server, url: str) -> None:
    with browser(server.url) as http:
        table = lay(http, "jumping-cups", "me", "bot:random")["table"]["id"]
    with psycopg.connect(url) as conn:
        conn.execute("UPDATE game SET status = 'over'")
    done = cupboard("check", "--database", url)
    assert done.returncode == 1
    assert f"The table {table} (jumping-cups" in done.stdout


def test_the_shell_does_its_work_and_the_server_follows(server: Server, url: str, tmp_path: Path) -> None:
    options = ("--database", url, "--data", tmp_path / "data")
    Household.move()
    with browser(server.url) as http:
        lay(http, "jumping-cups", "me", "friend")
        answer = http.post("/api/account", json={"username": "Anna", "password": "correct horse"})
        assert answer.is_success, answer.text
        table = lay(http, "jumping-cups", "me", "friend")["table"]["id"]
        (person,) = json.loads(made("admin", "people", "--find", "ANNA", "--json", *options))
        assert person["username"] == "anna"
        made("admin", "rename", "anna", "Änne", *options)
        assert "Änne" in made("admin", "tables", "--find", "änne", *options)
        assert json.loads(made("admin", "now", "--json", *options))[0]["counts"]["accounts"] == 1
        assert "Änne" in made("admin", "export", "anna", *options)
        made("admin", "close", table, "--yes", *options)

        def status() -> Any:
            return http.get(f"/api/tables/{table}").json()["status"]

        wait_for(lambda: status() == "over")
        made("admin", "ban", "anna", "--yes", *options)
        wait_for(lambda: http.get("/api/me").status_code == 403)
        made("admin", "unban", "anna", *options)
        made("admin", "delete", "anna", "--yes", *options)
    assert json.loads(made("admin", "people", "--find", "anna", "--json", *options)) == []
