"""Pictures and past scenes show each visitor what that visitor may see: a hand only to the one who holds it alone."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from tests.server.helpers import Server, browser, lay
from tests.server.postgres import rows_of

import cupboard
from cupboard.core.game import Seat
from cupboard.core.svg import svg
from cupboard.server.store.store import LogEntry
from cupboard.server.table.scenes import scene_of
from cupboard.server.table.state import TableState


def fold_of(server: Server, table: str, seats: int) -> TableState:
    """The table as its log in the database tells it, with all its secrets."""
    with rows_of(server.data) as db:
        rows = db.execute("SELECT n, kind, seat, text, at FROM event WHERE game = ? ORDER BY n", (table,)).fetchall()
    return TableState.of(cupboard.load("cup-king", seats), [LogEntry(*row) for row in rows])


def hand_spots(scenes: list[dict[str, Any]]) -> set[str]:
    """The cards in hands that these scenes show, like "A:R5"."""
    parts = [part for step in scenes for part in (step.get("scene") or step["change"]).get("parts", ())]
    shown = {piece["spot"] for part in parts for piece in part.get("pieces", ()) if piece["kind"] == "card"}
    return {spot for spot in shown if ":open:" not in spot}


class Household:
    """Two tables of Cup King with three seats: at one Ida holds two of them, at the other only the second."""

    def __init__(self, server: Server, ida: httpx.Client) -> None:
        self.server = server
        self.ida = ida
        self.screen = self._lay("me", "me")
        self.single = self._lay("bot:random", "me")

    def _lay(self, *seats: str) -> str:
        made = lay(self.ida, "cup-king", *seats, "friend")
        with browser(self.server.url) as friend:
            path = f"/api/tables/{made['table']['id']}/seats/2"
            assert friend.post(path, json={"invite": made["invites"][0]["invite"]}).status_code == 201
        return str(made["table"]["id"])

    def picture(self, visitor: httpx.Client, table: str, kind: str = "svg", **query: Any) -> bytes:
        answer = visitor.get(f"/api/tables/{table}/picture.{kind}", params=query)
        assert answer.status_code == 200, answer.text
        return answer.content

    def drawn(self, table: str, viewer: Seat | None, version: int) -> bytes:
        """What the picture must be for that viewer."""
        state = fold_of(self.server, table, 3)
        position, last = state.positions(version, version)[-1][1:]
        seats = self.ida.get(f"/api/tables/{table}").json()["seats"]
        names = {seat["seat"]: seat.get("name", "") for seat in seats}
        return svg(scene_of(position.seen_by(viewer), last), "light", "en", names).encode()


@pytest.fixture
def tables(server: Server, http: httpx.Client) -> Household:
    return Household(server, http)


def test_a_picture_shows_a_hand_to_its_only_holder_and_to_nobody_else(tables: Household) -> None:
    with browser(tables.server.url) as stranger:
        for table, mine in ((tables.screen, None), (tables.single, 1)):
            # The third to sit down begins the game: after "start" six cards each are dealt.
            version = fold_of(tables.server, table, 3).entries[4].n + 3
            seen = {viewer: tables.drawn(table, viewer, version) for viewer in (None, 0, 1, 2)}
            assert len(set(seen.values())) == 4, "each hand would be seen in the picture"
            assert tables.picture(stranger, table, version=version) == seen[None]
            assert tables.picture(tables.ida, table, version=version) == seen[mine]


def test_a_picture_of_now_and_one_of_then_hide_the_same(tables: Household) -> None:
    state = fold_of(tables.server, tables.screen, 3)
    with browser(tables.server.url) as stranger:
        for visitor in (stranger, tables.ida):
            assert tables.picture(visitor, tables.screen) == tables.drawn(tables.screen, None, state.version)
            for version in (0, state.version - 1, state.version):
                expected = tables.drawn(tables.screen, None, version)
                assert tables.picture(visitor, tables.screen, version=version) == expected


def test_a_png_hides_what_the_svg_hides(tables: Household) -> None:
    """Two strangers' PNGs are the same; that of the seat's only holder shows more."""
    with browser(tables.server.url) as stranger, browser(tables.server.url) as other:
        version = fold_of(tables.server, tables.single, 3).entries[4].n + 3
        pictures = [tables.picture(who, tables.single, "png", version=version) for who in (stranger, other, tables.ida)]
        assert pictures[0] == pictures[1] != pictures[2]
        both = [tables.picture(who, tables.screen, "png", version=version) for who in (stranger, tables.ida)]
        assert both[0] == both[1], "a screen with two seats may be seen by both"


def test_past_scenes_show_a_hand_to_its_only_holder_and_to_nobody_else(tables: Household) -> None:
    with browser(tables.server.url) as stranger, browser(tables.server.url) as watcher:
        lay(watcher, "cup-king", "me", "me")  # has a cookie and a seat, but at another table
        for table, mine in ((tables.screen, set()), (tables.single, {"B"})):
            path = f"/api/tables/{table}/scenes"
            for visitor, owners in ((stranger, set()), (watcher, set()), (tables.ida, mine)):
                scenes = visitor.get(path).json()
                assert len(scenes) > 3
                assert {spot[0] for spot in hand_spots(scenes)} == owners
            state = fold_of(tables.server, table, 3)
            held = {f"B:{card}" for card in state.position.hand(1)}  # type: ignore[attr-defined]
            now = tables.ida.get(path, params={"since": state.version}).json()
            assert {spot.rstrip("'") for spot in hand_spots(now)} == (held if mine else set())
