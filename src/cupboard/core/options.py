"""Options: what the people at a table may agree on before a game begins."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches

from cupboard.core.errors import BadOption
from cupboard.core.words import Text, Words, either, listed, phrase, quoted, sentences

Value = bool | int | str
NO_SEATS = "none"
"""The value of an option of seats that names none."""
_NUMBER = re.compile("[0-9]{1,18}")


@dataclass(frozen=True)
class Option:
    """One option: its default decides its type; `choices` or `least`..`most` bound it.

    What it means stands in the game's catalogue under option.<name>, what a choice means under option.<name>.<choice>.
    """

    name: str
    default: Value
    choices: tuple[str, ...] = ()
    least: int = 0
    most: int = 1_000_000
    of_seats: bool = False
    """Whether its value names seats by their letters in order, "AC", or is "none"."""

    def read(self, value: object) -> Value:
        """The value as this option keeps it; text from a shell or a record is understood too."""
        if isinstance(self.default, bool):
            words: Mapping[object, bool] = {
                "true": True,
                "yes": True,
                "on": True,
                "false": False,
                "no": False,
                "off": False,
            }
            found = words.get(value.lower()) if isinstance(value, str) else value
            if not isinstance(found, bool):
                raise BadOption(phrase("option.switch", name=self.name, value=_show(value)))
            return found
        if isinstance(self.default, int):
            number = int(value) if isinstance(value, str) and _NUMBER.fullmatch(value) else value
            if isinstance(number, bool) or not isinstance(number, int) or not self.least <= number <= self.most:
                bounds = {"least": str(self.least), "most": str(self.most)}
                raise BadOption(phrase("option.number", name=self.name, value=_show(value), **bounds))
            return number
        if self.of_seats:
            return self._read_seats(value)
        if not isinstance(value, str) or value not in self.choices:
            raise BadOption(phrase("option.choice", name=self.name, choices=either(*self.choices), value=_show(value)))
        return value

    def _read_seats(self, value: object) -> str:
        letters = re.sub("[ ,;+]", "", value.upper()) if isinstance(value, str) else "?"
        if letters in ("", NO_SEATS.upper()):
            return NO_SEATS
        if not re.fullmatch("[A-F]{1,6}", letters):
            raise BadOption(phrase("option.seats", name=self.name, value=_show(value)))
        return "".join(sorted(set(letters)))

    @property
    def values(self) -> str:
        """The values one may write, for a help text."""
        if isinstance(self.default, bool):
            return "true, false"
        if isinstance(self.default, int):
            return f"{self.least}..{self.most}"
        return "none, letters of seats" if self.of_seats else ", ".join(self.choices)


def read_options(title: Words, known: Iterable[Option], given: Mapping[str, object]) -> dict[str, Value]:
    """All options of `known`: those `given`, checked, and the defaults of the others."""
    known = tuple(known)
    names = [option.name for option in known]
    for name in given:
        if name not in names:
            close = get_close_matches(name, names, 1)
            unknown = phrase("option.unknown", game=title, name=_show(name))
            if close:
                unknown = sentences(unknown, phrase("option.close", name=close[0]))
            elif names:
                unknown = sentences(unknown, phrase("option.known", names=listed(*names)))
            raise BadOption(unknown)
    return {option.name: option.read(given.get(option.name, option.default)) for option in known}


def one_of(words: Iterable[str]) -> str:
    """The words as one phrase: "a, b or c"."""
    *most, last = words
    return f"{', '.join(most)} or {last}" if most else last


def _show(value: object) -> Text:
    """What somebody gave for an option or as its name, at most about forty signs of it."""
    if isinstance(value, str):
        return quoted(value if len(value) <= 38 else value[:36] + "…")
    text = repr(value) if type(value) is not int or abs(value) < 10**40 else "…"
    return text if len(text) <= 40 else text[:37] + "…"
