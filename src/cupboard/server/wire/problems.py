"""Refusals over HTTP: the body of every answer that is an error."""

from __future__ import annotations

from cupboard.core.errors import CupboardError
from cupboard.core.words import Words
from cupboard.server.wire.base import Plain

_LONGEST = 500
"""The most characters that the sentence of a refusal has."""


class Problem(Plain, frozen=True):
    """What every refused request answers: a stable code, a sentence in English, and its words for other languages."""

    code: str
    sentence: str
    words: Words | None = None


def problem(error: CupboardError) -> Problem:
    """The message for an error. A sentence that is too long is cut and has no words to translate it by."""
    sentence = str(error)
    return Problem(error.code, sentence[:_LONGEST], error.words if len(sentence) <= _LONGEST else None)
