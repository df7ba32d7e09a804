"""The part of check_game about scenes: their parts hold together, changes of them add up, and pointing has answers."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec

from cupboard.core.changes import SceneChange, apply, change
from cupboard.core.errors import CupboardError
from cupboard.core.game import CHANCE, Move, Position, Seat
from cupboard.core.scene import Part, Scene
from cupboard.core.words import Words, phrase

_OWNED = ("place", "open", "hand")


class Screens:
    """What every seat and a spectator have seen of a match so far, as a page remembers it: by changes."""

    def __init__(self) -> None:
        self._scenes: dict[Seat | None, Scene] = {}
        self._parts: dict[str, tuple[object, ...]] = {}

    def show(self, position: Position[Any]) -> None:
        """Look at a later position: changes lead from the scene before to this one, also as JSON."""
        for viewer in (None, *range(position.game.seats)):
            scene = position.seen_by(viewer).scene()
            check_parts(scene)
            assert len(scene.turns) in (0, position.game.seats), f"turns for {len(scene.turns)} seats"
            for part in scene.parts:
                kept = self._parts.setdefault(part.id, _nature(part))
                assert kept == _nature(part), f"{part.id} was {kept} and is {_nature(part)}"
            before = self._scenes.get(viewer)
            if before is not None:
                told = change(before.parts, scene)
                sent = msgspec.json.decode(msgspec.json.encode(told), type=SceneChange)
                assert apply(told, before) == apply(sent, before) == scene, f"{viewer} is told {told}"
                assert change(scene.parts, scene).parts == (), "nothing has changed"
            self._scenes[viewer] = scene


def check_parts(scene: Scene) -> None:
    """Parts and places have names of their own, equal things are in one part, and what stands before a seat is its."""
    ids = [part.id for part in scene.parts]
    assert len(set(ids)) == len(ids), f"two parts are called alike: {ids}"
    spots = [cell.spot for cell in scene.cells] + [control.spot for control in scene.controls]
    assert len(set(spots)) == len(spots), "two places are called alike"
    for part in scene.parts:
        assert (part.owner is not None) == (part.role in _OWNED), f"{part.id}: {part.role} of {part.owner}"
        known: set[str] = set()
        for cell in part.cells:
            assert not cell.like or cell.like in known, f"{cell.spot} is like {cell.like}, which is not before it"
            if not cell.like:
                known.add(cell.spot)
        assert {piece.spot for piece in part.pieces} <= {cell.spot for cell in part.cells}, f"{part.id}: no place"
    named = {thing.tint for things in (scene.cells, scene.pieces, scene.players) for thing in things}
    assert named - {""} <= {tint.name for tint in scene.tints}, "a colour without a word"


def check_route(position: Position[Any], move: Move, seat: Seat) -> None:
    """Where a seat's piece passes are cells that its seat sees before or after the move."""
    if seat == CHANCE:
        return
    scenes = [state.seen_by(seat).scene() for state in (position, position.play(move, seat))]
    missing = set(move.route()) - {cell.spot for scene in scenes for cell in scene.cells}
    assert not missing, f"{move} passes {sorted(missing)}, which the scene does not show"


def check_pointing(position: Position[Any], moves: Sequence[Move], seat: Seat, rng: Random) -> None:
    """Nothing forbids pointing at a legal move; whatever else somebody points at is answered with a sentence."""
    view = position.seen_by(seat)
    if view.filling() is None:
        for move in moves:
            answer = view.why_not(move.spots(), seat)
            assert answer.words == phrase("move.can"), f"pointing at {move} is refused: {answer}"
    spots = [*sorted(view.scene().spots()), "", "nowhere", "a b"]
    for _ in range(8):
        pointed = tuple(rng.choice(spots) for _ in range(rng.randint(1, 3)))
        answer = view.why_not(pointed, seat)
        assert isinstance(answer, CupboardError) and isinstance(answer.words, Words), f"{pointed}: {answer!r}"


def _nature(part: Part) -> tuple[object, ...]:
    """What a part stays from scene to scene."""
    return part.owner, part.role, part.taking, part.tells
