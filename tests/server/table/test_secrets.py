"""No byte sent to anybody tells another hand, an unrevealed pyramid or the draw pile."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cupboard
from cupboard.core.game import CHANCE, Seat
from cupboard.core.scene import Scene
from cupboard.core.svg import svg
from cupboard.server.store.store import LogEntry
from cupboard.server.table.plan import Draft, begin
from cupboard.server.table.scenes import scene_of
from cupboard.server.table.state import TableState
from cupboard.server.table.updates import Parts, UpdateEncoder

from ..inside import settle_by_odds

CARD = re.compile(r"\b([RYGBP][1-8])\b")
PYRAMID = re.compile(r"build-([A-F]):([RYGBP/]+)")


class Known:
    """What a viewer may have learnt, worked out from the log alone: own cards, and whatever was shown to all."""

    def __init__(self, viewer: Seat | None) -> None:
        self.viewer = viewer
        self.cards: set[str] = set()

    def add(self, entry: LogEntry) -> None:
        dealt = entry.seat == CHANCE and entry.text.startswith("deal-")
        mine = self.viewer is not None and entry.text.startswith(f"deal-{chr(ord('A') + self.viewer)}:")
        if mine or not dealt:
            self.cards |= set(CARD.findall(entry.text))


def sent_to(
    state: TableState, updates: UpdateEncoder, viewer: Seat | None, since: int, shown: dict[Seat | None, Parts]
) -> str:
    """Everything the server could send this viewer now: the updates, the whole log, the scenes, the picture."""
    seats = frozenset() if viewer is None else frozenset({viewer})
    update, here = updates.update(since, seats, viewer, None, 0)
    if viewer in shown:
        update += updates.update(since, seats, viewer, shown[viewer], 0)[0]
    shown[viewer] = here
    log = msgspec.json.encode(updates.events(0, seats))
    scene = scene_of(state.position.seen_by(viewer), state.last)
    return (update + log + msgspec.json.encode(scene)).decode() + svg(scene)


def cards_in(data: str) -> set[str]:
    """Cards named in the bytes: in notation, or as a piece with a colour and a value."""
    found = set(CARD.findall(data))
    for piece in re.findall(r"\{[^{}]*\"kind\":\"card\"[^{}]*\}", data):
        fields: dict[str, Any] = msgspec.json.decode(piece)
        if fields.get("tint") and fields.get("text"):
            found.add(fields["tint"][0].upper() + fields["text"])
    return found


@settings(max_examples=6, deadline=None)
@given(
    seats=st.integers(2, 6),
    seed=st.integers(0, 2**32),
    experienced=st.booleans(),
    removal=st.sampled_from(["flick", "careful"]),
)
def test_a_whole_game_of_cup_king_tells_nobody_too_much(seats: int, seed: int, experienced: bool, removal: str) -> None:
    game = cupboard.load("cup-king", seats, experienced_ones=experienced, removal=removal)
    state = TableState(game)
    updates = UpdateEncoder(state)
    rng = Random(seed)
    viewers: list[Seat | None] = [None, *range(seats)]
    known = {viewer: Known(viewer) for viewer in viewers}
    shown: dict[Seat | None, Parts] = {}
    drafts = begin(game)
    unseen = 0
    while True:
        since = state.version
        for draft in drafts:
            entry = draft.entry(state.version, 0)
            state.add(entry, draft.step)
            for viewer in viewers:
                known[viewer].add(entry)
        revealed = any(e.text.startswith("reveal:") for e in state.entries)
        # In another order each time: what is drawn for one and kept must not be shown to the next.
        look = rng.sample(viewers, len(viewers)) if state.version < 40 else [rng.choice(viewers)]
        for viewer in look:
            data = sent_to(state, updates, viewer, since, shown)
            hidden = set().union(*(set(state.position.hand(s)) for s in range(seats) if s != viewer))  # type: ignore[attr-defined]
            unseen += len(hidden - known[viewer].cards)
            assert not cards_in(data) - known[viewer].cards, f"{viewer} learns too much"
            if not revealed:
                told = {letter for letter, rows in PYRAMID.findall(data)}
                assert told <= ({chr(ord("A") + viewer)} if viewer is not None else set())
                assert "reveal:" not in data
        screen = frozenset(rng.sample(range(seats), 2))
        for viewer in screen:
            update, _ = updates.update(0, screen, viewer, None, 0)
            log = msgspec.json.encode(msgspec.json.decode(update)["events"]).decode()
            assert not cards_in(log) - known[None].cards, "who shares a screen sees no hand in the log"
            assert not cards_in(update.decode()) - known[viewer].cards, f"{viewer} learns too much on a shared screen"
        if state.outcome is not None:
            break
        seat = rng.choice(state.asked)
        move = rng.choice(state.position.moves(seat))
        step = state.position.step(move, seat)
        drafts = [Draft.of(step)]
        settle_by_odds(step.after, drafts)
    assert unseen > 0, "there was something to hide"


def test_buckets_of_others_have_no_colour_before_all_have_built() -> None:
    game = cupboard.load("cup-king", 3)
    state = TableState.of(game, [draft.entry(n, 0) for n, draft in enumerate(begin(game))])
    state.add(LogEntry(state.version, "move", 1, str(state.position.moves(1)[12345]), 0))
    for viewer, colours in ((None, set()), (0, set()), (1, {"red", "yellow", "green", "blue", "purple"})):
        scene = scene_of(state.position.seen_by(viewer), state.last)
        shown = {p.tint for p in scene.pieces if p.kind == "bucket" and p.spot.startswith("B:")}
        assert shown & {"red", "yellow", "green", "blue", "purple"} == colours


def test_the_check_sees_a_leak(monkeypatch: pytest.MonkeyPatch) -> None:
    """A test that cannot fail is a defect: unveil the log, and the property must break."""
    from cupboard.games.cup_king.moves import Deal

    monkeypatch.setattr(Deal, "seen_by", lambda self, seat: self)
    with pytest.raises(AssertionError, match="learns too much"):
        test_a_whole_game_of_cup_king_tells_nobody_too_much.hypothesis.inner_test(2, 1, False, "flick")  # type: ignore[attr-defined]


def test_every_tint_of_a_scene_is_described_in_it() -> None:
    game = cupboard.load("cup-king", 3)
    state = TableState.of(game, [draft.entry(n, 0) for n, draft in enumerate(begin(game))])
    state.add(LogEntry(state.version, "move", 1, str(state.position.moves(1)[12345]), 0))
    update = msgspec.json.decode(UpdateEncoder(state).update(0, frozenset({0}), 0, None, 0)[0])
    scene = msgspec.convert(update["scene"], Scene)
    named = {thing.tint for things in (scene.pieces, scene.cells, scene.players) for thing in things} - {""}
    assert named <= {tint.name for tint in scene.tints}
