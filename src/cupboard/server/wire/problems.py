"""Errors as they cross the wire."""

from __future__ import annotations

from cupboard.core.errors import CupboardError
from cupboard.server.wire.messages import Problem

_LONGEST = 500
"""Characters of a sentence."""


def problem(error: CupboardError) -> Problem:
    """The message for an error. A sentence that is too long is cut and has no words to translate it by."""
    sentence = str(error)
    return Problem(error.code, sentence[:_LONGEST], error.words if len(sentence) <= _LONGEST else None)
