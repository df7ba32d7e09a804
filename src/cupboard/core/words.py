"""Words: what is said to people, as a key of the catalogues and what to fill in. Nothing is rendered until it is read.

    >>> words = phrase("seats.wrong", game="Go", seats=either(2, 3), count=5)
    >>> print(words)
    Go is for 2 or 3 players, not 5.

A catalogue is a file `strings/<language>.json` in a folder of this package; what a game says is in the game's own
folder, and its keys get the game's name as prefix: "jumping-cups.toMove". The page reads the same files.
A message is text with {names}, or a mapping of plural forms, of which {count} chooses one: {"one": …, "other": …}.
The name of a thing, such as a seat or a colour, may have forms for the sentences that it stands in, which each
language calls as it likes: {"base": "Punainen", "genitive": "Punaisen"}, asked for by {who.genitive}.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    from babel import Locale

__all__ = [
    "BASE",
    "Text",
    "Value",
    "Words",
    "also",
    "catalogue",
    "either",
    "known",
    "languages",
    "listed",
    "phrase",
    "quoted",
    "say",
    "sentences",
    "spoken",
    "way",
]


class Words(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A message of the catalogues with what it is filled with; `str()` says it in English.

    Values are numbers, words in their turn, or what no language changes: a name, a cell, a card. The keys `join.…`
    take a row of values instead: ["join.and", ["a", "b", "c"]] is "a, b and c".
    """

    key: str
    values: dict[str, str | int | Words] | tuple[str | int | Words, ...] = ()

    def filled(self, **more: Value) -> Words:
        """These words with more of their names filled in; in a row of sentences, those of each."""
        if isinstance(self.values, tuple) and self.values:
            return Words(self.key, tuple(v.filled(**more) if isinstance(v, Words) else v for v in self.values))
        known = self.values if isinstance(self.values, dict) else {}
        return Words(self.key, {**known, **more})

    def __str__(self) -> str:
        return say(self)


Value = str | int | Words
Text = str | Words
"""A plain string is what no language changes."""
Message = str | dict[str, str]
BASE = "base"
"""The form of a thing's name for sentences that ask for none; a mapping without it has plural forms."""


def phrase(key: str, **values: Value) -> Words:
    """The message `key` with these values."""
    return Words(key, values) if values else Words(key)


def sentences(*said: Value) -> Words:
    """One after the other."""
    return Words("join.sentences", said)


def also(*items: Value) -> Words:
    """`a, b and c`."""
    return Words("join.and", items)


def either(*items: Value) -> Words:
    """`a, b or c`."""
    return Words("join.or", items)


def listed(*items: Value) -> Words:
    """`a, b, c`."""
    return Words("join.list", items)


def way(*places: Value) -> Words:
    """`a → b → c`."""
    return Words("join.way", places)


def quoted(text: str) -> Words:
    """What somebody wrote, in the quotation marks of the reader; what cannot be seen is written as Python does it."""
    return Words("quote", {"text": repr(text)[1:-1]})


def say(said: Value, language: str = "en", form: str = "") -> str:
    """The words in a language, in a form that its sentence asks for. What its catalogue lacks is said in English.

    A row of things takes the form of each. What has no such form is said in its base form, as names of people are.
    """
    messages = catalogue(language)
    if isinstance(said, str):
        return said
    if isinstance(said, int):
        return _number(said, language)
    if said.key.startswith("join."):
        return _join(said.key, [say(item, language, form) for item in said.values], messages)
    values: Mapping[str, Value] = said.values if isinstance(said.values, dict) else {}
    message = messages.get(said.key, said.key)
    if isinstance(message, dict) and BASE in message:
        message = message.get(form, message[BASE])
    elif isinstance(message, dict):
        message = message.get(_plural(language, values.get("count", 0)), message["other"])

    def filling(name: str, asked: str) -> str | None:
        return say(values[name], language, asked) if name in values else None

    return _fill(message, filling)


@cache
def languages() -> tuple[str, ...]:
    """Those that have a catalogue in some folder, English first."""
    homes = [home / "strings" for _, home in _homes()]
    found = {file.name for home in homes if home.is_dir() for file in home.iterdir() if file.name.endswith(".json")}
    return tuple(sorted((name.removesuffix(".json") for name in found), key=lambda name: (name != "en", name)))


def known(language: str) -> str:
    """The language if it has a catalogue, else English."""
    return language if language in languages() else "en"


def spoken(wanted: Iterable[str]) -> str:
    """The first of the wanted languages that has a catalogue, `nl` for `nl-BE`; else English."""
    primary = (tag.replace("_", "-").partition("-")[0].strip().lower() for tag in wanted)
    return next((language for language in primary if language in languages()), "en")


@cache
def catalogue(language: str) -> Mapping[str, Message]:
    """Every message there is, English where the language has none."""
    found: dict[str, Message] = {} if language == "en" else dict(catalogue("en"))
    for prefix, home in _homes():
        file = home / "strings" / f"{language}.json"
        if file.is_file():
            found |= {prefix + key: text for key, text in json.loads(file.read_text(encoding="utf-8")).items()}
    return found


def _homes() -> Iterator[tuple[str, Traversable]]:
    """The folders that may have catalogues, with what their keys begin with."""
    for folder in files("cupboard").iterdir():
        if folder.name != "games":
            yield "", folder
        else:
            yield from ((f"{home.name.replace('_', '-')}.", home) for home in folder.iterdir())


def _join(key: str, items: list[str], messages: Mapping[str, Message]) -> str:
    """`a, b and c`: the last two by the message itself, those before by a comma; sentences all by a blank."""
    before = "join.list" if key in ("join.and", "join.or") else key
    said = items[0] if items else ""
    for n, item in enumerate(items[1:], start=2):
        said = _fill(str(messages[key if n == len(items) else before]), _both(said, item))
    return said


def _both(most: str, last: str) -> Callable[[str, str], str | None]:
    return lambda name, _: {"most": most, "last": last}.get(name)


def _fill(message: str, filling: Callable[[str, str], str | None]) -> str:
    """The message with a filling for each {name} or {name.form}.

    What has none stays as it is, and what is filled in is not looked at again.
    """

    def filled(at: re.Match[str]) -> str:
        text = filling(at[1], at[2] or "")
        return at[0] if text is None else text

    return re.sub(r"\{(\w+)(?:\.([\w-]+))?\}", filled, message)


def _plural(language: str, count: Value) -> str:
    """The plural form that a whole number takes in the language, as Unicode's CLDR calls it: "one", "few", "other"."""
    return _locale(language).plural_form(count if isinstance(count, int) else 0)


def _number(number: int, language: str) -> str:
    """A whole number with its thousands set apart as the language does it."""
    if 0 <= number < 1000:
        return str(number)
    from babel.numbers import format_decimal

    return format_decimal(number, locale=_locale(language))


@cache
def _locale(language: str) -> Locale:
    """What Babel knows about the language; English where it knows nothing."""
    # Imported when first needed: it takes 40 ms, and most commands say nothing that is counted.
    from babel import Locale, UnknownLocaleError

    try:
        return Locale.parse(language, sep="-")
    except (UnknownLocaleError, ValueError):
        return Locale("en")
