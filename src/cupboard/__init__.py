"""Table games with exact rules, fast kernels and bots; `cupboard.names()` lists them.

    >>> import cupboard
    >>> game = cupboard.load("jumping-cups", starter="red")
    >>> position = game.start()
    >>> position.moves()
    <5 moves: 1-2, 2-3, 3-4, 4-5, 5-6>

Everything below is loaded when first used, so that importing the package costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cupboard.core.errors import CupboardError
    from cupboard.core.match import Match
    from cupboard.core.record import Record
    from cupboard.core.registry import load, names

__version__ = "0.1.0"
__all__ = ["CupboardError", "Match", "Record", "__version__", "load", "names"]

_HOMES = {
    "CupboardError": "cupboard.core.errors",
    "Match": "cupboard.core.match",
    "Record": "cupboard.core.record",
    "load": "cupboard.core.registry",
    "names": "cupboard.core.registry",
}


def __getattr__(name: str) -> object:
    from importlib import import_module

    if name not in _HOMES:
        raise AttributeError(f"module 'cupboard' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
