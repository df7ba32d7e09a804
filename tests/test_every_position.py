"""Positions met by chance in every game: what is drawn of them is kept, and moves that belong elsewhere are refused.

After a change of looks that is meant, look at the difference and keep it:

    python -m tests.test_every_position
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, count, islice
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

import cupboard
from cupboard.core.errors import CupboardError
from cupboard.core.game import CHANCE, Move, Position, Seat
from cupboard.core.registry import find, load, names
from cupboard.core.testing_games import by_lot

GAMES = Path(cupboard.__file__).parent / "games"
TABLES = [pytest.param(name, seats, id=f"{name}-{seats}") for name in names() for seats in find(name).SEATS]


def walk(name: str, seats: int, seed: int) -> Iterator[tuple[Position[Any], Seat, Move]]:
    """Each position of a random game with the move that is made there."""
    rng, position = Random(seed), load(name, seats).start()
    while position.to_act:
        seat, move = by_lot(position, rng)
        yield position, seat, move
        position = position.play(move, seat)


def drawn(name: str, seats: int) -> str:
    """The scenes of a position in the middle of a game, as a spectator and the first seat see it, a thing to a line."""
    positions = [position for position, _, _ in islice(walk(name, seats, seed=5), 400)]
    middle = positions[len(positions) // 2]
    lines = [str(middle)]
    for viewer in (None, 0):
        scene = middle.seen_by(viewer).scene()
        lines += [f"== {'a spectator' if viewer is None else 'seat 0'}", str(scene.status), *map(_line, scene.players)]
        for part in scene.parts:
            lines += [f"-- part {_line(part)}", *map(_line, (*part.cells, *part.pieces, *part.labels))]
            lines += [f"outline {outline}" for outline in part.outlines]
        lines += ["-- controls", *map(_line, scene.controls)]
    return "\n".join(lines) + "\n"


def _line(thing: msgspec.Struct) -> str:
    """Its fields, but for lists of other things."""
    told = {field: getattr(thing, field) for field in thing.__struct_fields__}
    said = {field: value for field, value in told.items() if value not in (None, "", {}) and type(value) is not tuple}
    return " ".join(f"{field}={value!s}" for field, value in said.items())


def kept_scene(name: str, seats: int) -> Path:
    """The file in the game's folder that keeps its scene with so many seats."""
    return GAMES / name.replace("-", "_") / "scenes" / f"{seats}.txt"


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_a_scene_changes_only_on_purpose(name: str, seats: int) -> None:
    kept = kept_scene(name, seats)
    assert kept.is_file(), f"No scene of {name} is kept: `python -m tests.test_every_position` draws one to look at."
    assert drawn(name, seats) == kept.read_text(encoding="utf-8")


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_a_move_of_another_position_is_refused_unless_it_is_legal_here_too(name: str, seats: int) -> None:
    rng = Random(seats)
    walks = (islice(walk(name, seats, seed), 300) for seed in count(1))
    steps = list(islice(chain.from_iterable(walks), 600))
    moves = [move for _, _, move in steps]
    refused = 0
    for position, seat, _ in rng.sample(steps, 80):
        if seat == CHANCE or len(position.moves(seat)) > 1000:  # too many to list: pyramids while they are built
            continue
        legal = set(map(str, position.moves(seat)))
        for move in rng.sample(moves, 40):
            if str(move) in legal:
                continue
            refused += 1
            with pytest.raises(CupboardError):
                position.play(move, seat)
    assert refused > 100


if __name__ == "__main__":
    for table in TABLES:
        name, seats = str(table.values[0]), int(str(table.values[1]))
        kept_scene(name, seats).parent.mkdir(exist_ok=True)
        kept_scene(name, seats).write_text(drawn(name, seats), encoding="utf-8")
