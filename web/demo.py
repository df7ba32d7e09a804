"""The small boards of the first page: a stretch of a real game of each, written to public/demo/*.json.

Run it after a change of a game's scene: `python web/demo.py`. The page draws the files with its own board.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from cupboard.core.game import CHANCE
from cupboard.core.match import Match
from cupboard.core.registry import load
from cupboard.players import make_player
from cupboard.server.table.scenes import changing, standing

FOLDER = Path(__file__).parent / "public" / "demo"
PLAN = {
    "jumping-cups": (2, 4, 16),
    "chinese-checkers": (6, 42, 18),
    "double-dutch": (2, 8, 16),
    "cup-king": (2, 2, 14),
}
"""For each game: how many play, how many moves in, and how many moves are shown."""


def frames(name: str) -> Iterator[tuple[Any, tuple[str, ...], str]]:
    """The scenes of a game between greedy players, with the path and the text of the move before each."""
    game = load(name, PLAN[name][0])
    match = Match(game)
    rng = Random(name)
    players = [make_player("greedy", game, seat) for seat in range(game.seats)]
    path: tuple[str, ...] = ()
    text = ""
    while not match.position.is_over:
        position = match.position
        seat = position.to_act[0]
        if seat == CHANCE:
            match.play(position.chance(rng), CHANCE)
            continue
        move = players[seat].choose(position.seen_by(seat))
        yield match.position.seen_by(None).scene(), path, text
        match.play(move, seat)
        path, text = move.spots(), str(move)


def demo(name: str) -> bytes:
    """One file: the board once, then the pieces of each moment."""
    seats, skip, count = PLAN[name]
    shown = [frame for frame in frames(name) if frame[0].pieces]
    shown = shown[skip : skip + count]
    board = standing(shown[0][0], load(name, seats))
    cells = {cell.spot: cell for frame in shown for cell in standing(frame[0], load(name, seats)).cells}
    board = msgspec.structs.replace(board, cells=tuple(cells.values()), labels=())
    steps = [{"pieces": changing(scene).pieces, "path": _route(path, text, cells)} for scene, path, text in shown]
    return msgspec.json.encode({"board": board, "frames": steps}) + b"\n"


def _route(path: tuple[str, ...], text: str, cells: dict[str, Any]) -> list[str]:
    said = text.removesuffix("*").split("-")
    return said if len(said) > 1 and all(spot in cells for spot in said) else [spot for spot in path if spot in cells]


def main() -> None:
    """Write them all, or those named."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in sys.argv[1:] or PLAN:
        (FOLDER / f"{name}.json").write_bytes(demo(name))


if __name__ == "__main__":
    main()
