"""What a log never holds: tokens are taken out of texts, and of exceptions only what cannot quote people is told."""

from __future__ import annotations

import re
import sqlite3
import traceback
from collections.abc import Iterator
from itertools import islice

_RUN = re.compile(r"[A-Za-z0-9_-]{24,}")
"""What may be a token: seat tokens and invites have 32 hexadecimal digits, cookies 32 letters, digits and signs."""
_TELLING = (
    OSError,
    sqlite3.Error,
    ArithmeticError,
    AssertionError,
    AttributeError,
    ImportError,
    MemoryError,
    NameError,
    RuntimeError,
    TypeError,
)
"""Errors whose text is about the program or the machine. Others, such as ValueError, may quote what somebody typed."""
_LONGEST = 500
_MOST_ERRORS = 5
_MOST_FRAMES = 40


def scrubbed(text: str) -> str:
    """The text without anything that looks like a token."""
    return _RUN.sub(_without_token, text)


def traceback_of(error: BaseException) -> str:
    """Where the error and those behind it were raised, the first one first; what may quote people is left out."""
    chain = reversed(list(islice(_behind(error), _MOST_ERRORS)))
    return "\n".join(_one(each) for each in chain)


def summary_of(error: BaseException) -> str:
    """The kind of the error, and its text if that cannot quote people."""
    name = type(error).__name__
    text = scrubbed(str(error)[:_LONGEST]) if isinstance(error, _TELLING) else ""
    return f"{name}: {text}" if text else name


def _one(error: BaseException) -> str:
    frames = traceback.extract_tb(error.__traceback__, limit=-_MOST_FRAMES)
    return "".join(["Traceback:\n" if frames else "", *frames.format(), summary_of(error)])


def _behind(error: BaseException | None) -> Iterator[BaseException]:
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)


def _without_token(found: re.Match[str]) -> str:
    text = found[0]
    is_name = not any(char.isdigit() for char in text) and (text.islower() or text.isupper())
    return text if is_name else "…"
