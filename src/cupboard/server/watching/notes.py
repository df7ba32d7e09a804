"""What is logged: an event with a name that stays the same, and fields that say more about it."""

from __future__ import annotations

from cupboard.server.watching.private import scrubbed

_LONGEST = 300
"""The most characters that the text of a field has."""
Field = str | int | float | bool


class Note:
    """A message for `logging`: `log.warning(Note("simulation-failed", table=table, why="…"))`.

    The name stands for the kind of event, so that programs can look for it. Whatever people type, what they are called
    and what lets them in (tokens, cookies, passwords) is no field.
    """

    __slots__ = ("fields", "name")

    def __init__(self, name: str, /, **fields: object) -> None:
        self.name = name
        self.fields: dict[str, Field] = {key: _plain(value) for key, value in fields.items()}

    def __str__(self) -> str:
        """The event as a line for people; control characters are escaped."""
        return " ".join([self.name, *(f"{key}={quoted(str(value))}" for key, value in self.fields.items())])


def quoted(text: str) -> str:
    """The text as it is if it is one word, else in quotation marks."""
    is_word = text and text.isprintable() and not any(mark in text for mark in ' "=\\')
    return text if is_word else '"' + escaped(text).replace('"', '\\"') + '"'


def escaped(text: str) -> str:
    """The text with whatever does not print (control characters, line ends, marks of direction) as escapes.

    So nobody writes lines of their own into the log, nor moves the cursor of the terminal that shows it."""
    text = text.replace("\\", "\\\\")
    return text if text.isprintable() else "".join(c if c.isprintable() else _escape(c) for c in text)


def _escape(char: str) -> str:
    return char.encode("unicode_escape").decode()


def _plain(value: object) -> Field:
    if isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        return round(value, 4)
    return scrubbed(str(value)[:_LONGEST])
