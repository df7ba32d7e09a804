"""A change leads from any scene to any other of the same game, and says no more than it must."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec.structs import replace

from cupboard.core import testing_scenes
from cupboard.core.changes import PartChange, SceneChange, apply, change
from cupboard.core.game import CHANCE, Position
from cupboard.core.registry import load, names
from cupboard.core.scene import RED, Cell, Control, Label, Mark, Part, Piece, PlayerPanel, Scene
from cupboard.core.testing_scenes import Screens, check_parts
from cupboard.core.words import phrase

SAID = phrase("plain", text="something")
CELL, OTHER = Cell("a", 0, 0, SAID), Cell("b", 1, 0, SAID)
PARTS = st.builds(
    Part,
    id=st.sampled_from(["board", "A:hand", "B:hand", "supply"]),
    cells=st.sampled_from([(), (CELL,), (CELL, OTHER)]),
    pieces=st.sampled_from([(), (Piece("a", "card", "red", "7"),)]),
    labels=st.sampled_from([(), (Label(0, 0, "a"),)]),
    outlines=st.sampled_from([(), (((0.0, 0.0), (1.0, 0.0), (1.0, 1.0)),)]),
    owner=st.sampled_from([None, 0, 1]),
    role=st.sampled_from(["board", "hand"]),
    taking=st.sampled_from(["in-order", "any-order"]),
    tells=st.booleans(),
)
SCENES = st.builds(
    Scene,
    title=st.just(SAID),
    status=st.sampled_from([SAID, phrase("plain", text="else")]),
    parts=st.lists(PARTS, unique_by=lambda part: part.id).map(tuple),
    players=st.sampled_from([(), (PlayerPanel(0, SAID, "red"),), (PlayerPanel(0, SAID, "red", acts=True),)]),
    controls=st.sampled_from([(), (Control("confirm", SAID),)]),
    marks=st.sampled_from([(), (Mark("to", "a"),)]),
    tints=st.just((RED,)),
)


@given(before=SCENES, after=SCENES)
@example(before=Scene(SAID, SAID, (), ()), after=Scene(SAID, SAID, (Part("board"),), ()))
def test_a_change_leads_from_any_scene_to_any_other(before: Scene, after: Scene) -> None:
    told = change(before.parts, after)
    sent = msgspec.json.decode(msgspec.json.encode(told), type=SceneChange)
    # Without any parts there is no list to tell: no game draws nothing.
    if after.parts or not before.parts:
        assert apply(told, before) == apply(sent, before) == after
    known = {part.id: part for part in before.parts}
    for part in told.parts:
        is_new = part.id not in known
        assert is_new or msgspec.json.decode(msgspec.json.encode(part)) != {"id": part.id}, "what stays is not told"
    assert {part.id for part in after.parts if known.get(part.id) == part} & {part.id for part in told.parts} == set()


def test_only_the_fields_that_differ_are_told() -> None:
    hand = Part("A:hand", (CELL,), owner=0, role="hand", taking="any-order")
    board = Part("board", (OTHER,))
    scene = Scene(SAID, SAID, (board, hand), ())
    moved = replace(scene, parts=(board, replace(hand, cells=(CELL, OTHER))))
    assert change(scene.parts, moved).parts == (PartChange("A:hand", cells=(CELL, OTHER)),)
    assert change((board,), scene).parts == (
        PartChange("A:hand", cells=(CELL,), owner=0, role="hand", taking="any-order"),
    )
    nobodys = replace(scene, parts=(board, replace(hand, owner=None)))
    assert b'"owner":null' in msgspec.json.encode(change(scene.parts, nobodys)), "nobody is told too"


def test_the_order_is_told_only_when_the_list_of_parts_has_changed() -> None:
    one, two = Part("one", (CELL,)), Part("two", (OTHER,))
    scene = Scene(SAID, SAID, (one, two), ())
    assert change((one, two), scene).order == () and change((one, Part("two")), scene).order == ()
    for before in ((two, one), (one,), (one, two, Part("three"))):
        assert change(before, scene).order == ("one", "two")


def moments(name: str, seats: int, seed: int) -> list[Position[Any]]:
    rng, position = Random(seed), load(name, seats).start()
    out = [position]
    while position.to_act and len(out) < 150:
        seat = rng.choice(position.to_act)
        move = position.chance(rng) if seat == CHANCE else rng.choice(position.moves(seat))
        position = position.play(move, seat)
        out.append(position)
    return out


@pytest.mark.parametrize("name", names())
def test_a_client_may_skip_any_number_of_scenes_and_look_from_another_seat(name: str) -> None:
    rng = Random(7)
    game = load(name)
    positions = moments(name, game.seats, 7)
    viewers = [None, *range(game.seats)]
    for _ in range(60):
        before, after = (rng.choice(positions).seen_by(rng.choice(viewers)).scene() for _ in range(2))
        assert apply(change(before.parts, after), before) == after


@pytest.mark.parametrize("name", names())
def test_parts_that_stay_are_the_very_same_objects(name: str) -> None:
    """Which makes it cheap to find out what has changed: no game draws its cells anew."""
    positions = moments(name, load(name).seats, 3)
    for before, after in pairwise(positions):
        olds = {part.id: part for part in before.seen_by(None).scene().parts}
        for part in after.seen_by(None).scene().parts:
            old = olds.get(part.id)
            if old is not None and len(part.cells) > 1 and old.cells == part.cells:
                assert old.cells is part.cells, part.id


@pytest.mark.parametrize(
    "parts",
    [
        (Part("board"), Part("board")),
        (Part("board", (CELL, CELL)),),
        (Part("hand", (CELL, replace(OTHER, like="c"))),),
        (Part("hand", (replace(CELL, like="b"), OTHER)),),
        (Part("one", (CELL,)), Part("two", (replace(OTHER, like="a"),))),
        (Part("A:hand", role="hand"),),
        (Part("A:place", role="place"),),
        (Part("board", owner=0),),
        (Part("board", pieces=(Piece("a", "peg", "red"),)),),
        (Part("board", (CELL,), (Piece("a", "peg", "blue"),)),),
        (Part("board", (replace(CELL, tint="blue"),)),),
    ],
)
def test_the_check_of_parts_sees_what_is_wrong(parts: tuple[Part, ...]) -> None:
    check_parts(Scene(SAID, SAID, (Part("board", (CELL, replace(OTHER, like="a"))),), (), tints=(RED,)))
    with pytest.raises(AssertionError):
        check_parts(Scene(SAID, SAID, parts, (), tints=(RED,)))


def test_the_check_of_changes_sees_one_that_does_not_add_up(monkeypatch: pytest.MonkeyPatch) -> None:
    positions = moments("double-dutch", 2, 1)
    screens = Screens()
    for position in positions[:5]:
        screens.show(position)
    monkeypatch.setattr(testing_scenes, "apply", lambda told, before: replace(before, status=told.status))
    with pytest.raises(AssertionError, match="is told"):
        screens.show(positions[5])
