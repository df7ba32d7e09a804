"""A scene is sent whole once, then what changes of it; a client that puts the changes together has the scene.

What is sent is put together from what was drawn before, so it is held against the scene drawn anew."""

from __future__ import annotations

from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cupboard
from cupboard.core.changes import SceneChange, apply, change
from cupboard.core.game import Seat
from cupboard.core.scene import Scene
from cupboard.server.table import updates as table_updates
from cupboard.server.table.plan import Draft, begin
from cupboard.server.table.scenes import scene_of
from cupboard.server.table.state import TableState
from cupboard.server.table.updates import Parts, UpdateEncoder
from cupboard.server.wire.server_messages import Update

from ..inside import settle_by_odds

GAMES = ("jumping-cups", "double-dutch", "chinese-checkers", "cup-king")


def started(name: str, seats: int) -> TableState:
    game = cupboard.load(name, seats)
    return TableState.of(game, [draft.entry(n, 0) for n, draft in enumerate(begin(game))])


def play_one(state: TableState, rng: Random) -> None:
    seat = rng.choice(state.asked)
    move = rng.choice(state.position.moves(seat))
    step = state.position.step(move, seat)
    drafts = [Draft.of(step)]
    settle_by_odds(step.after, drafts)
    for draft in drafts:
        state.add(draft.entry(state.version, 0), draft.step)


class Screen:
    """A client that remembers the scene, as docs/wire.md tells it to."""

    def __init__(self, updates: UpdateEncoder) -> None:
        self.updates = updates
        self.parts: Parts | None = None
        self.scene: Scene | None = None

    def look(self, viewer: Seat | None) -> Update:
        seats = frozenset() if viewer is None else frozenset({viewer})
        data, self.parts = self.updates.update(0, seats, viewer, self.parts, 0)
        update = msgspec.json.decode(data, type=Update)
        if update.scene is not None:
            assert self.scene is None and update.change is None
            self.scene = update.scene
        else:
            assert self.scene is not None and update.change is not None
            self.scene = apply(update.change, self.scene)
        return update


@pytest.mark.parametrize("name", GAMES)
def test_a_client_that_has_the_scene_is_sent_no_part_of_it(name: str) -> None:
    updates = UpdateEncoder(started(name, 2))
    for viewer in (0, 1, None):
        screen = Screen(updates)
        first, again = screen.look(viewer), screen.look(viewer)
        assert first.scene is not None and first.scene.parts
        assert again.change is not None and (again.change.parts, again.change.order) == ((), ())


@pytest.mark.parametrize("name", GAMES[:3])
def test_of_a_common_board_only_the_pieces_are_sent(name: str) -> None:
    state, rng = started(name, 2), Random(5)
    screen = Screen(UpdateEncoder(state))
    screen.look(0)
    for _ in range(12):
        play_one(state, rng)
        told = screen.look(0).change
        assert told is not None and told.order == ()
        (board,) = told.parts
        assert set(msgspec.json.decode(msgspec.json.encode(board))) == {"id", "pieces"}
        assert screen.scene == scene_of(state.position.seen_by(0), state.last)


@pytest.mark.parametrize("name", GAMES)
def test_what_all_see_is_compared_and_encoded_once(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Parts] = []

    def counted(before: Parts, after: Scene) -> SceneChange:
        asked.append(before)
        return change(before, after)

    monkeypatch.setattr(table_updates, "change", counted)
    state, rng = started(name, 2), Random(5)
    updates = UpdateEncoder(state)
    screens = {Screen(updates): viewer for viewer in (0, 1, None, None)}
    for screen, viewer in screens.items():
        screen.look(viewer)
    for _ in range(3):
        play_one(state, rng)
        asked.clear()
        for screen, viewer in screens.items():
            screen.look(viewer)
        assert len(asked) == (len(screens) if name == "cup-king" else 1)
    late = Screen(updates)
    late.look(None)
    assert late.scene == scene_of(state.position.seen_by(None), state.last)


TABLES = [(name, seats) for name in GAMES for seats in cupboard.load(name).SEATS]


@settings(max_examples=25, deadline=None)
@given(table=st.sampled_from(TABLES), seed=st.integers(0, 2**32))
def test_the_changes_of_a_game_add_up_to_its_scene(table: tuple[str, int], seed: int) -> None:
    name, seats = table
    state, rng = started(name, seats), Random(seed)
    updates = UpdateEncoder(state)
    viewer_of: dict[Screen, Seat | None] = {Screen(updates): viewer for viewer in (None, *range(seats))}
    shared = Screen(updates)  # several people at one screen: it looks from another seat each time
    while state.outcome is None and state.version < (120 if name == "cup-king" else 40):
        play_one(state, rng)
        for screen, viewer in (*viewer_of.items(), (shared, rng.choice([None, *range(seats)]))):
            for _ in range(rng.choice((0, 1, 1, 2))):  # a slow client skips some; what a client said brings another
                screen.look(viewer)
                assert screen.scene == scene_of(state.position.seen_by(viewer), state.last)


def test_a_change_is_small() -> None:
    """Most of the table is as it was: a move of Cup King does not send it again."""
    state, rng = started("cup-king", 2), Random(1)
    screen = Screen(UpdateEncoder(state))
    whole = len(msgspec.json.encode(screen.look(0).scene))
    sizes = []
    while state.outcome is None and state.version < 60:
        play_one(state, rng)
        sizes.append(len(msgspec.json.encode(screen.look(0).change)))
    assert sorted(sizes)[len(sizes) // 2] < whole / 2
