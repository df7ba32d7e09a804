"""Clocks run out although nobody looks: at tables that no one has opened since the server started."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from tests.server.helpers import Server, browser, lay, serving, wait_for

import cupboard
from cupboard.server.fold import Fold
from cupboard.server.store import Entry, Store
from cupboard.server.wire import Clock

DAY = 86_400_000


def change(server: Server, *statements: str) -> None:
    with closing(sqlite3.connect(server.data / "cupboard.db")) as db, db:
        for statement in statements:
            db.execute(statement)


def ended(server: Server, cookie: httpx.Cookies, table: str) -> dict[str, Any] | None:
    """How the table ended; the list is read from the database and opens no table."""
    with browser(server.url, timeout=30, cookies=cookie) as http:
        found = [one for one in http.get("/api/mine").json()["finished"] if one["id"] == table]
    return found[0]["outcome"] if found else None


@pytest.mark.parametrize("pause", [0.0, 5.2])
def test_after_a_restart_a_flag_falls_at_a_table_nobody_has_opened(tmp_path: Path, pause: float) -> None:
    """The time runs out while the server is down, or while it runs again."""
    with serving(tmp_path) as server, browser(server.url, timeout=30) as http:
        made = lay(http, "jumping-cups", "me", "me", options={"starter": "red"}, clock={"start": 5, "gain": 0})
        server.kill()
        time.sleep(pause)
        server.start()
        wait_for(lambda: ended(server, http.cookies, made["table"]["id"]) is not None, 20)
        outcome = ended(server, http.cookies, made["table"]["id"])
    assert outcome is not None and (outcome["reason"], outcome["winners"]) == ("time", [1])


def test_days_for_a_move_run_out_too_and_with_three_seats_a_bot_plays_on(tmp_path: Path) -> None:
    with serving(tmp_path) as server, browser(server.url, timeout=30) as http:
        cookie = http.cookies
        made = lay(http, "double-dutch", "me", "me", "me", clock={"days": 1})
        fresh = lay(http, "double-dutch", "me", "me", clock={"days": 1})
        server.kill()
        # What two days without a visitor would look like.
        old = f"UPDATE {{}} SET {{}} = {{}} - {2 * DAY} WHERE {{}} = '{made['table']['id']}'"
        change(server, old.format("event", "at", "at", "game"), old.format("game", "due", "due", "id"))
        server.start()

        def handed_over() -> bool:
            with closing(sqlite3.connect(tmp_path / "cupboard.db")) as db:
                kinds = "SELECT seat, text FROM event WHERE kind = 'handover' ORDER BY n"
                return db.execute(kinds).fetchall() == [(0, "maple")]

        wait_for(handed_over)
        assert ended(server, cookie, fresh["table"]["id"]) is None


def test_a_database_of_before_learns_which_clocks_run(tmp_path: Path) -> None:
    with serving(tmp_path) as server, browser(server.url, timeout=30) as http:
        cookie = http.cookies
        made = lay(http, "jumping-cups", "me", "me", options={"starter": "red"}, clock={"start": 5, "gain": 0})
        server.kill()
        change(
            server,
            "DROP INDEX game_due",
            "ALTER TABLE game DROP COLUMN due",
            "DROP INDEX session_ended",
            "DROP INDEX session_person",
            "ALTER TABLE session DROP COLUMN ended",
            "ALTER TABLE session DROP COLUMN expires",
            "UPDATE alembic_version SET version_num = '0001'",
        )
        server.start()
        wait_for(lambda: ended(server, cookie, made["table"]["id"]) is not None, 20)


def test_ten_thousand_stored_tables_are_not_looked_at(tmp_path: Path) -> None:
    from cupboard.server.flags import _due

    store = Store(tmp_path / "cupboard.db")
    with closing(sqlite3.connect(tmp_path / "cupboard.db")) as db, db:
        db.execute("INSERT INTO person (id, name, made) VALUES ('p', 'Ida', 0)")
        row = "INSERT INTO game VALUES (?, 'r', 'jumping-cups', 2, '{}', '{}', 0, 'p', 0, ?, NULL, ?)"
        db.executemany(row, [(f"t{n}", "over", None) for n in range(10_000)])
        db.executemany(row, [("late", "playing", 5), ("early", "playing", 3), ("later", "playing", 50)])
        plan = db.execute("EXPLAIN QUERY PLAN SELECT id FROM game WHERE due <= 9 ORDER BY due LIMIT 50").fetchall()
        assert [line[3] for line in plan] == ["SEARCH game USING INDEX game_due (due<?)"]
    with store._engine.connect() as conn:
        assert _due(conn, 9) == ["early", "late"]
    store.close()


@pytest.mark.parametrize("clock", [Clock(start=30, gain=2), Clock(days=1)])
def test_no_flag_falls_before_the_time_that_was_noted(clock: Clock) -> None:
    """Whatever is played after the note, with whatever pauses."""
    rng = Random(8)
    for _ in range(20):
        fold = Fold.of(cupboard.load("double-dutch", 3), [Entry(0, "start", None, "", 0)], clock, bots=[2])
        at, noted = 0, fold.no_flag_before(0)
        while fold.outcome is None:
            flag = fold.flag()
            assert noted is not None and (flag is None or flag[0] >= noted)
            at += rng.choice((100, 1000, 7000))
            if flag is not None and flag[0] <= at:
                break
            if rng.random() < 0.2:
                noted = fold.no_flag_before(at)
            seat = fold.asked[0]
            fold.add(Entry(fold.version, "move", seat, str(rng.choice(fold.position.moves(seat))), at))
