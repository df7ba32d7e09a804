"""Adds the games of `more_games` to every Python process with this folder in its PYTHONPATH: servers and workers."""

from pathlib import Path

import cupboard.games

cupboard.games.__path__.append(str(Path(__file__).parents[1] / "more_games"))
