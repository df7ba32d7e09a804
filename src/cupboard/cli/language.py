"""The language of the terminal: what `--language` says, else what the environment says, else English."""

from __future__ import annotations

import os
from typing import Annotated

import typer

Language = Annotated[
    str | None, typer.Option("--language", metavar="CODE", help="en, de …; that of the terminal if not said.")
]
_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")
"""The first that is set decides, as for other programs."""


def language_of(said: str | None) -> str:
    """A language that has a catalogue. BadOption for a named one that has none; an unknown terminal gets English."""
    from cupboard.core.errors import BadOption
    from cupboard.core.options import one_of
    from cupboard.core.words import known, languages

    if said is not None:
        if said not in languages():
            raise BadOption(f"There is no language {said[:20]!r}: it is {one_of(sorted(languages()))}.")
        return said
    locale = next((os.environ[name] for name in _VARIABLES if os.environ.get(name)), "en")
    return known(locale.partition(".")[0].partition("_")[0].lower())
