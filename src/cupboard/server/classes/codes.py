"""Codes that are read aloud and typed: one lets pupils into a class, another lets one pupil come back."""

from __future__ import annotations

import secrets

# No two that look or sound alike in a classroom, and no vowels, which would make words.
_LETTERS = "34679CDFGHJKMNPQRTWXY"
_CLASS_LETTERS = 6
_WAY_BACK_LETTERS = 8


def class_code() -> str:
    """A code for a class: one of 85 million."""
    return _code(_CLASS_LETTERS)


def way_back_code() -> str:
    """A code for one member: longer, so that nobody takes it for the code of a class."""
    return _code(_WAY_BACK_LETTERS)


def is_way_back(code: str) -> bool:
    """Whether a code that was read leads one member back."""
    return len(code) == _WAY_BACK_LETTERS


def read_code(typed: str) -> str:
    """The code that somebody has typed in small letters, or with blanks and dashes."""
    return "".join(sign for sign in typed.upper() if sign.isascii() and sign.isalnum())


def _code(length: int) -> str:
    return "".join(secrets.choice(_LETTERS) for _ in range(length))
