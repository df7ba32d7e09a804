"""Where the weights of evaluate.py come from: an army alone on the star, and how many moves it needs to get home.

Careless players walk an army across, from every stage of the crossing a beam search finds a short way home, and a
regression explains its length by what `features` counts. Alone it plays too boldly: with opponents about, a piece
left behind costs more than on an empty star. So the fit is mixed with a cautious guess, and games decide how much.
`cupboard tune chinese-checkers` does all of this, and plays the new weights against the old.
"""

from __future__ import annotations

from collections.abc import Callable
from math import exp
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt

from cupboard.core.game import Game
from cupboard.core.row import TURN, Row
from cupboard.games.chinese_checkers import kernel, star
from cupboard.games.chinese_checkers import layout as k
from cupboard.games.chinese_checkers.evaluate import FOLD, MOVE, ON_TURN, RIVAL, WEIGHTS, features
from cupboard.games.chinese_checkers.race import Race
from cupboard.games.chinese_checkers.race_core import guess

ARMIES = 15
"""How many armies are looked at for each game of the match: 200 games make 3,000 armies."""
SHARES = (0.3, 0.5, 0.7)
"""Which shares of the fit are tried, the rest being the guess."""
BY_GAMES = (ON_TURN, RIVAL)
"""The weights that no army alone can tell, which games must try."""
WIDTH = 300
_KEPT = 0.12
"""The share of the positions of a crossing that are looked at."""
_EVEN = 50.0
"""How strongly neighbouring holes are held to differ from the guess alike, counted in armies."""
_ANCHOR = 100.0
"""How many armies are pretended to have been seen at home, where no move is left to make."""
_CARELESS = (0.025, 0.05, 0.1, 0.2, 0.33)
"""By how many moves two choices may differ before a careless player notices."""
_LONGEST = 45
_T = int(star.TARGET[2, 0])

Weights = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


def candidates(
    game: Game[Any], games: int, seed: int, progress: Callable[[int, int], None]
) -> tuple[list[tuple[int, ...]], int]:
    """Weights to be tried in games, and the number of armies from which they were fitted."""
    armies, rng, prior = ARMIES * games, Random(seed), guess()
    race = Race(game, prior.tolist())
    seen: list[tuple[Row, int]] = []
    while len(seen) < armies:
        seen += crossing(game, race, prior, rng)
        progress(min(len(seen), armies), armies)
    lines = np.array([line for line, _ in seen], np.float64)
    lengths = np.array([length for _, length in seen], np.float64)
    fitted = regress(lines, lengths * MOVE, prior, counted(alone(game, _T)))
    mixed = [np.rint(share * fitted + (1 - share) * prior).astype(np.int64).tolist() for share in SHARES]
    return [(*weights, *WEIGHTS[ON_TURN:]) for weights in mixed], len(seen)


def regress(lines: Floats, lengths: Floats, prior: Weights, home: Row) -> Floats:
    """The weights by least squares; where few armies have been, a hole's weight follows its neighbours'."""
    held = np.eye(ON_TURN) + _EVEN * _unevenness() + _ANCHOR * np.outer(home, home)
    wanted = lines.T @ (lengths - lines @ prior) - _ANCHOR * home * (home @ prior)
    found: Floats = prior + np.linalg.solve(lines.T @ lines + held, wanted)
    return found


def _unevenness() -> Floats:
    """The quadratic form that adds up the squared differences between neighbouring holes."""
    form = np.zeros((ON_TURN, ON_TURN))
    for hole in range(121):
        for near in star.NEAR[hole]:
            if near < 121:
                difference = np.zeros(ON_TURN)
                difference[FOLD[_T, hole]] += 1
                difference[FOLD[_T, near]] -= 1
                form += np.outer(difference, difference)
    return form


def crossing(game: Game[Any], race: Race, weights: Weights, rng: Random) -> list[tuple[Row, int]]:
    """Some positions of one careless walk across the star, as features, each with the moves it needs to get home."""
    kernel, row = game.kernel, alone(game, int(star.HOME[2, 0]))
    found = []
    careless, by_lot = MOVE * rng.choice(_CARELESS), rng.randrange(6)
    for n in range(_LONGEST):
        codes = kernel.codes(row)
        kernel.play(row, rng.choice(codes) if n < by_lot else choose(codes, weights, careless, rng))
        if row[k.FINISHED]:
            break
        row[TURN] = 0
        if rng.random() < _KEPT and (length := race.moves_home(row, 0, WIDTH)):
            found.append((counted(row), length))
    return found


def choose(codes: list[int], weights: Weights, careless: float, rng: Random) -> int:
    """One of the codes, drawn by how far it comes forward; the more careless, the less that matters."""
    table = weights[FOLD[_T]]
    gains = [int(table[code // 121] - table[code % 121]) for code in codes]
    most = max(gains)
    return rng.choices(codes, [exp((gain - most) / careless) for gain in gains])[0]


def counted(row: Row) -> Row:
    """What `features` counts for seat 0."""
    line = np.zeros(ON_TURN, np.int64)
    features(row, 0, line)
    return line


def alone(game: Game[Any], triangle: int) -> Row:
    """A row with the army of seat 0 in a triangle and nobody else, which ends only when it has come home."""
    row: Row = game.start().row.copy()
    kernel.arrange(row, np.where(star.TRIANGLE[:121] == triangle, 0, -1))
    row[k.ROUND_CAP] = row[k.TURN_CAP] = row[k.REPETITION] = 0
    return row
