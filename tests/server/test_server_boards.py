"""A scene is sent whole once, then what changes of it; a client that puts the changes together has the scene.

What is sent is put together from what was drawn before, so it is held against the scene drawn anew."""

from __future__ import annotations

from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cupboard
from cupboard.core.changes import apply, change
from cupboard.core.game import Seat
from cupboard.core.scene import Scene
from cupboard.server import viewing, wire
from cupboard.server.fold import Fold
from cupboard.server.plan import Draft, begin, settle
from cupboard.server.scenes import scene_of
from cupboard.server.viewing import Eyes, Parts

GAMES = ("jumping-cups", "double-dutch", "chinese-checkers", "cup-king")


def started(name: str, seats: int) -> Fold:
    game = cupboard.load(name, seats)
    return Fold.of(game, [draft.entry(n, 0) for n, draft in enumerate(begin(game))])


def play_one(fold: Fold, rng: Random) -> None:
    seat = rng.choice(fold.asked)
    move = rng.choice(fold.position.moves(seat))
    after = fold.position.play(move, seat)
    drafts = [Draft("move", seat, str(move), move, after)]
    settle(after, drafts)
    for draft in drafts:
        fold.add(draft.entry(fold.version, 0), draft.move, draft.after)


class Screen:
    """A client that remembers the scene, as docs/wire.md tells it to."""

    def __init__(self, eyes: Eyes) -> None:
        self.eyes = eyes
        self.parts: Parts | None = None
        self.scene: Scene | None = None

    def look(self, eye: Seat | None) -> wire.Update:
        seats = frozenset() if eye is None else frozenset({eye})
        data, self.parts = self.eyes.update(0, seats, eye, self.parts, 0)
        update = msgspec.json.decode(data, type=wire.Update)
        if update.scene is not None:
            assert self.scene is None and update.change is None
            self.scene = update.scene
        else:
            assert self.scene is not None and update.change is not None
            self.scene = apply(update.change, self.scene)
        return update


@pytest.mark.parametrize("name", GAMES)
def test_a_client_that_has_the_scene_is_sent_no_part_of_it(name: str) -> None:
    eyes = Eyes(started(name, 2))
    for eye in (0, 1, None):
        screen = Screen(eyes)
        first, again = screen.look(eye), screen.look(eye)
        assert first.scene is not None and first.scene.parts
        assert again.change is not None and (again.change.parts, again.change.order) == ((), ())


@pytest.mark.parametrize("name", GAMES[:3])
def test_of_a_common_board_only_the_pieces_are_sent(name: str) -> None:
    fold, rng = started(name, 2), Random(5)
    screen = Screen(Eyes(fold))
    screen.look(0)
    for _ in range(12):
        play_one(fold, rng)
        told = screen.look(0).change
        assert told is not None and told.order == ()
        (board,) = told.parts
        assert set(msgspec.json.decode(msgspec.json.encode(board))) == {"id", "pieces"}
        assert screen.scene == scene_of(fold.position.seen_by(0), fold.last)


@pytest.mark.parametrize("name", GAMES)
def test_what_all_see_is_compared_and_encoded_once(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Parts] = []

    def counted(before: Parts, after: Scene) -> wire.SceneChange:
        asked.append(before)
        return change(before, after)

    monkeypatch.setattr(viewing, "change", counted)
    fold, rng = started(name, 2), Random(5)
    eyes = Eyes(fold)
    screens = {Screen(eyes): eye for eye in (0, 1, None, None)}
    for screen, eye in screens.items():
        screen.look(eye)
    for _ in range(3):
        play_one(fold, rng)
        asked.clear()
        for screen, eye in screens.items():
            screen.look(eye)
        assert len(asked) == (len(screens) if name == "cup-king" else 1)
    late = Screen(eyes)
    late.look(None)
    assert late.scene == scene_of(fold.position.seen_by(None), fold.last)


TABLES = [(name, seats) for name in GAMES for seats in cupboard.load(name).SEATS]


@settings(max_examples=25, deadline=None)
@given(table=st.sampled_from(TABLES), seed=st.integers(0, 2**32))
def test_the_changes_of_a_game_add_up_to_its_scene(table: tuple[str, int], seed: int) -> None:
    name, seats = table
    fold, rng = started(name, seats), Random(seed)
    eyes = Eyes(fold)
    eye_of: dict[Screen, Seat | None] = {Screen(eyes): eye for eye in (None, *range(seats))}
    shared = Screen(eyes)  # several people at one screen: it looks with other eyes each time
    while fold.outcome is None and fold.version < (120 if name == "cup-king" else 40):
        play_one(fold, rng)
        for screen, eye in (*eye_of.items(), (shared, rng.choice([None, *range(seats)]))):
            for _ in range(rng.choice((0, 1, 1, 2))):  # a slow client skips some; what a client said brings another
                screen.look(eye)
                assert screen.scene == scene_of(fold.position.seen_by(eye), fold.last)


def test_a_change_is_small() -> None:
    """Most of the table is as it was: a move of Cup King does not send it again."""
    fold, rng = started("cup-king", 2), Random(1)
    screen = Screen(Eyes(fold))
    whole = len(msgspec.json.encode(screen.look(0).scene))
    sizes = []
    while fold.outcome is None and fold.version < 60:
        play_one(fold, rng)
        sizes.append(len(msgspec.json.encode(screen.look(0).change)))
    assert sorted(sizes)[len(sizes) // 2] < whole / 2
