"""How a scene differs from the one before it: what changes from move to move whole, and of the parts only what is new.

>>> from cupboard.core.scene import Part, Piece, Scene
>>> from cupboard.core.words import phrase
>>> before = Part("board", pieces=(Piece("a1", "peg", "red"),))
>>> after = Scene(phrase("t"), phrase("s"), (Part("board", pieces=(Piece("a2", "peg", "red"),)),), ())
>>> change((before,), after).parts
(PartChange(id='board', pieces=(Piece(spot='a2', kind='peg', tint='red', text='', level=0, pose=()),)),)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from cupboard.core.scene import (
    Cell,
    Control,
    Drawn,
    Label,
    Mark,
    Outline,
    Part,
    Piece,
    PlayerPanel,
    Role,
    Scene,
    Taking,
)
from cupboard.core.words import Words


class PartChange(Drawn, frozen=True):
    """What differs in the part of this id; of a part that is new, everything that is not the default."""

    id: str
    cells: tuple[Cell, ...] | UnsetType = UNSET
    pieces: tuple[Piece, ...] | UnsetType = UNSET
    labels: tuple[Label, ...] | UnsetType = UNSET
    outlines: tuple[Outline, ...] | UnsetType = UNSET
    owner: int | UnsetType | None = UNSET
    role: Role | UnsetType = UNSET
    taking: Taking | UnsetType = UNSET
    tells: bool | UnsetType = UNSET


class SceneChange(Drawn, frozen=True):
    """A scene by what changed in it: title, tints, solid, turns and unmentioned parts stay."""

    status: Words
    players: tuple[PlayerPanel, ...]
    controls: tuple[Control, ...] = ()
    marks: tuple[Mark, ...] = ()
    parts: tuple[PartChange, ...] = ()
    order: tuple[str, ...] = ()
    """The ids of all parts in their order, when the list of parts has changed; parts that it does not name are gone."""
    direction: int = 0
    """Which way round the players act, as in the scene."""
    advice: Words | None = None
    """What somebody who has never played is to do now, as in the scene."""


_FIELDS = tuple(name for name in PartChange.__struct_fields__ if name != "id")


def change(before: Sequence[Part], after: Scene) -> SceneChange:
    """What to tell a screen that shows the parts `before`, so that it shows `after`, which has at least one part."""
    known = {part.id: part for part in before}
    parts = []
    for part in after.parts:
        was = known.get(part.id)
        if was is None:
            parts.append(PartChange(part.id, **_differences(Part(part.id), part)))
        elif was is not part and (fields := _differences(was, part)):
            parts.append(PartChange(part.id, **fields))
    order = tuple([part.id for part in after.parts])
    new_order = () if tuple(known) == order else order
    said = after.status, after.players, after.controls, after.marks
    return SceneChange(*said, tuple(parts), new_order, after.direction, after.advice)


def apply(change: SceneChange, before: Scene) -> Scene:
    """The scene that `change` tells of, from the one before it."""
    known = {part.id: part for part in before.parts}
    for said in change.parts:
        fields = {name: getattr(said, name) for name in _FIELDS if getattr(said, name) is not UNSET}
        known[said.id] = replace(known.get(said.id) or Part(said.id), **fields)
    order = change.order or tuple(part.id for part in before.parts)
    return replace(
        before,
        status=change.status,
        parts=tuple(known[name] for name in order),
        players=change.players,
        controls=change.controls,
        marks=change.marks,
        direction=change.direction,
        advice=change.advice,
    )


def _differences(before: Part, after: Part) -> dict[str, Any]:
    """The fields in which two parts differ, as they are afterwards."""
    fields = {}
    for name in _FIELDS:
        was, value = getattr(before, name), getattr(after, name)
        if was is not value and was != value:
            fields[name] = value
    return fields
