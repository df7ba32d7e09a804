"""NUMBA_DISABLE_JIT=1 runs everything as plain Python, to look into a kernel with a debugger (ARCHITECTURE.md)."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from cupboard.core.registry import names

SCRIPT = """
import sys
from random import Random
import cupboard
from cupboard.players import make_player

game = cupboard.load(sys.argv[1])
rng, position = Random(3), game.start()
while position.ply < 40 and not position.is_over:
    if position.to_act == (-1,):
        position = position.play(position.chance(rng))
        continue
    seat = position.to_act[0]
    moves = position.moves(seat)
    position = position.play(moves[rng.randrange(len(moves))], seat)
if not position.is_over:
    seat = position.to_act[0]
    print(make_player("greedy", game, 1).choose(position.seen_by(seat)))
print(position)
"""


def run(game: str, **more: str) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", SCRIPT, game],
        env=os.environ | more, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("name", names())
def test_without_the_compiler_every_game_plays_the_same_game(name: str) -> None:
    assert run(name, NUMBA_DISABLE_JIT="1") == run(name)
