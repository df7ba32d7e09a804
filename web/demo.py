"""The small boards of the first page: a stretch of a real game of each, written to demos/NAME.json.

Run it after a change of a game's scenes: `python web/demo.py`, or `python web/demo.py NAME` for one game. A game that
has no file shows how it begins. The page reads the files in src/lobby/demo.ts and draws them with its own board.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from msgspec.structs import replace

from cupboard.core.changes import SceneChange, change
from cupboard.core.game import CHANCE, Game
from cupboard.core.match import Match
from cupboard.core.registry import load, names
from cupboard.core.scene import Scene, Spot
from cupboard.players import make_player

FOLDER = Path(__file__).parent / "demos"
COUNT = 16
"""How many moments are shown."""
SKIPPED = 4
"""One part of so many of a game is over before the first of them: the beginning shows little."""


class Frame(msgspec.Struct, frozen=True, omit_defaults=True):
    """A moment of a game: the first as a scene, each later one as a change of the one before it."""

    scene: Scene | None = None
    change: SceneChange | None = None
    path: tuple[Spot, ...] = ()
    """The way of the move that led here."""


def game_to_show(name: str) -> Game[Any]:
    """The game with as many seats as can share its board; with as few as can play where each has a place of its own."""
    game = load(name)
    shares_board = all(part.owner is None for part in game.start().seen_by(None).scene().parts)
    return load(name, max(game.SEATS) if shares_board else min(game.SEATS))


def moments(game: Game[Any]) -> Iterator[tuple[Scene, tuple[Spot, ...]]]:
    """What a spectator sees before each move of a game between greedy players, and the way of the move before it."""
    match = Match(game)
    rng = Random(game.name)
    players = [make_player("greedy", game, seat) for seat in range(game.seats)]
    path: tuple[Spot, ...] = ()
    while not match.position.is_over:
        position = match.position
        seat = position.to_act[0]
        if seat == CHANCE:
            match.play(position.chance(rng), CHANCE)
            continue
        # Beside a board so small nothing else is shown.
        yield replace(position.seen_by(None).scene(), players=(), controls=()), path
        move = players[seat].choose(position.seen_by(seat))
        match.play(move, seat)
        path = move.route()


def frames(name: str) -> list[Frame]:
    """A stretch of one game, from where there is something to see on the board."""
    shown = [moment for moment in moments(game_to_show(name)) if moment[0].pieces]
    first = len(shown) // SKIPPED
    (scene, _), *later = shown[first : first + COUNT]
    out = [Frame(scene)]
    for after, path in later:
        out.append(Frame(change=change(scene.parts, after), path=path))
        scene = after
    return out


def main(wanted: list[str], folder: Path = FOLDER) -> None:
    """Write the files of the games that are named, or of all."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in wanted or names():
        (folder / f"{name}.json").write_bytes(msgspec.json.encode(frames(name)) + b"\n")


if __name__ == "__main__":
    main(sys.argv[1:])
