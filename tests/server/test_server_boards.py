"""A board is sent once, then what changes of it; a client that puts the changes together has the board.

What is sent is put together from parts encoded before, so it is held against the scene drawn anew."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cupboard
from cupboard.core.game import Seat
from cupboard.server.table.plan import Draft, begin, settle
from cupboard.server.table.scenes import Ground, changing, ground_of, scene_of, standing
from cupboard.server.table.state import TableState
from cupboard.server.table.updates import UpdateEncoder
from cupboard.server.wire import messages as wire

GAMES = ("jumping-cups", "double-dutch", "chinese-checkers", "cup-king")


def started(name: str, seats: int) -> TableState:
    game = cupboard.load(name, seats)
    return TableState.of(game, [draft.entry(n, 0) for n, draft in enumerate(begin(game))])


def play_one(state: TableState, rng: Random) -> None:
    seat = rng.choice(state.asked)
    move = rng.choice(state.position.moves(seat))
    step = state.position.step(move, seat)
    drafts = [Draft.of(step)]
    settle(step.after, drafts)
    for draft in drafts:
        state.add(draft.entry(state.version, 0), draft.step)


class Screen:
    """A client that remembers the board, as docs/wire.md tells it to."""

    def __init__(self, updates: UpdateEncoder) -> None:
        self.updates = updates
        self.ground: Ground | None = None
        self.board: wire.Board | None = None

    def look(self, viewer: Seat | None) -> wire.Update:
        seats = frozenset() if viewer is None else frozenset({viewer})
        data, self.ground = self.updates.update(0, seats, viewer, self.ground, 0)
        update = msgspec.json.decode(data, type=wire.Update)
        assert update.board is None or update.change is None
        if update.board is not None:
            self.board = update.board
        elif update.change is not None:
            assert self.board is not None
            cells = tuple(_parts(self.board.cells, update.change.cells))
            labels = tuple(_parts(self.board.labels, update.change.labels))
            self.board = msgspec.structs.replace(self.board, cells=cells, labels=labels)
        return update


def _parts(before: Sequence[object], now: Sequence[object]) -> list[object]:
    out: list[object] = []
    runs = [part for part in now if isinstance(part, tuple)]
    assert all(first < end for first, end in runs), "no empty runs"
    for part, following in zip(now, [*now[1:], None], strict=True):
        if isinstance(part, tuple) and isinstance(following, tuple):
            assert part[1] != following[0], "runs that touch are one run"
        out += before[part[0] : part[1]] if isinstance(part, tuple) else [part]
    return out


@pytest.mark.parametrize("name", GAMES)
def test_who_has_the_board_is_sent_neither_it_nor_a_change(name: str) -> None:
    updates = UpdateEncoder(started(name, 2))
    for viewer in (0, 1, None):
        screen = Screen(updates)
        first, again = screen.look(viewer), screen.look(viewer)
        assert first.board is not None and (again.board, again.change) == (None, None)


@pytest.mark.parametrize("name", GAMES[:3])
def test_the_boards_without_cards_never_change(name: str) -> None:
    state, rng = started(name, 2), Random(5)
    screen = Screen(UpdateEncoder(state))
    screen.look(0)
    for _ in range(12):
        play_one(state, rng)
        update = screen.look(0)
        assert (update.board, update.change) == (None, None)
        assert update.scene == changing(scene_of(state.position.seen_by(0), state.last))


@settings(max_examples=10, deadline=None)
@given(seats=st.integers(2, 6), seed=st.integers(0, 2**32))
def test_the_changes_of_a_game_of_cup_king_add_up_to_its_board(seats: int, seed: int) -> None:
    state, rng = started("cup-king", seats), Random(seed)
    updates = UpdateEncoder(state)
    viewer_of: dict[Screen, Seat | None] = {Screen(updates): viewer for viewer in (None, *range(seats))}
    shared = Screen(updates)  # several people at one screen: it looks from another seat each time
    while state.outcome is None and state.version < 120:
        play_one(state, rng)
        for screen, viewer in (*viewer_of.items(), (shared, rng.choice([None, *range(seats)]))):
            if rng.random() < 0.8:  # a slow client skips some
                update = screen.look(viewer)
                scene = scene_of(state.position.seen_by(viewer), state.last)
                assert screen.board == standing(ground_of(scene), state.game)
                if state.outcome is None:
                    assert update.scene == changing(scene)


def test_a_change_is_small() -> None:
    """Most of the table is as it was: a move of Cup King does not send it again."""
    state, rng = started("cup-king", 2), Random(1)
    screen = Screen(UpdateEncoder(state))
    whole = len(msgspec.json.encode(screen.look(0).board))
    sizes = []
    while state.outcome is None and state.version < 60:
        play_one(state, rng)
        sizes.append(len(msgspec.json.encode(screen.look(0).change)))
    assert sorted(sizes)[len(sizes) // 2] < whole / 4
