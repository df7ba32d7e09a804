"""Which of all possible names people may have here: any, those of a list, or all but those with unwanted words.

The list is a text file with a name or a word on each line; a line that begins with # says nothing. It is read anew
when the file has changed.

Unwanted words are found whatever the case, the accents and the signs of a name, and with digits for letters (`1d10t`).
A word of up to four letters is unwanted where it stands alone (`ass` is not found in "Cassandra"), a longer one
anywhere. Two blanks make no difference: the letters of a name are also looked at without what is between them.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from pathlib import Path
from typing import Generic, TypeVar
from unicodedata import combining, normalize

from cupboard.core.words import phrase
from cupboard.server.errors import BadName, BadSettings
from cupboard.server.people.names import GUEST, clean
from cupboard.server.settings import PeopleSettings

T = TypeVar("T")
_LOG = logging.getLogger(__name__)
_MOST_BYTES = 100_000
_SHORT = 4
"""A word of so many letters or fewer is unwanted only where it stands alone."""
_LOOKALIKES = str.maketrans("01345789@$!|€+", "oieastbgasilet")


class NameRules:
    """What people may be called on this server; the names that programs give are not asked about."""

    def __init__(self, settings: PeopleSettings | None = None) -> None:
        """Any name, without settings. BadSettings when there is no list where one is needed, or nothing in it."""
        self.mode = "free" if settings is None else settings.names
        self._names: _ListFile[tuple[str, ...]] | None = None
        self._words: _ListFile[_Words] | None = None
        if settings is not None and settings.names != "free":
            if settings.name_list is None:
                raise BadSettings(f'people.names is "{settings.names}", so people.name-list must name a file.')
            if settings.names == "list":
                self._names = _ListFile(settings.name_list, _names)
            else:
                self._words = _ListFile(settings.name_list, _Words)

    @property
    def choices(self) -> tuple[str, ...]:
        """The names there are to choose from; none where people choose freely."""
        return () if self._names is None else self._names.now()

    def check(self, name: str) -> str:
        """The name as it is shown; BadName when nobody may be called that here. No name at all is none to refuse."""
        name = clean(name)
        if name and not self._allows(name):
            raise BadName(phrase("no.unlistedName" if self._names is not None else "no.unwantedName"))
        return name

    def check_username(self, username: str) -> str:
        """The name of a guest who makes an account with this username; BadName when that has an unwanted word.

        Others do not see usernames, so they are not asked to be on the list: then the guest has no name yet."""
        if self._names is not None:
            return username if username in self._names.now() else ""
        return self.check(username)

    def shown(self, name: str) -> str:
        """The name of somebody who has it since before the rules: that of a guest when it is no longer allowed."""
        return name if self._allows(name) else GUEST

    def _allows(self, name: str) -> bool:
        if name == GUEST:
            return True
        if self._names is not None:
            return name in self._names.now()
        return self._words is None or not self._words.now().are_in(name)


class _Words:
    """Unwanted words, ready to be looked for."""

    def __init__(self, lines: list[str]) -> None:
        words = ["".join(re.findall(r"[^\W\d_]", _spelt(line.translate(_LOOKALIKES)))) for line in lines]
        for line, word in zip(lines, words, strict=True):
            if not word:
                raise ValueError(f"nothing of {line!r} is a letter")
        self._alone = frozenset(word for word in words if len(word) <= _SHORT)
        self._anywhere = tuple({word for word in words if len(word) > _SHORT})

    def are_in(self, name: str) -> bool:
        """Whether one of the words is in a name."""
        for spelling in (name, name.translate(_LOOKALIKES)):
            apart = re.findall(r"[^\W\d_]+", _spelt(_parted(spelling)))
            together = "".join(apart)
            if not self._alone.isdisjoint([*apart, together]) or any(word in together for word in self._anywhere):
                return True
        return False


def _parted(name: str) -> str:
    """A name with a blank before a capital in the middle of a word."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)


def _spelt(text: str) -> str:
    """A text without accents, in small letters."""
    return "".join(sign for sign in normalize("NFKD", text) if not combining(sign)).casefold()


def _names(lines: list[str]) -> tuple[str, ...]:
    for line in lines:
        try:
            shown = clean(line)
        except BadName:
            shown = ""
        if shown != line:
            raise ValueError(f"{line!r} is longer than 40 letters or has signs that cannot be seen")
    return tuple(dict.fromkeys(lines))


class _ListFile(Generic[T]):
    """What a text file says, read anew when it has changed."""

    def __init__(self, path: Path, make: Callable[[list[str]], T]) -> None:
        """BadSettings when the file cannot be read, or says nothing."""
        self._path = path
        self._make = make
        self._stamp = self._look()
        self._made = self._read()

    def now(self) -> T:
        """What the file says now; what it said before, when that makes no sense."""
        stamp = self._look()
        if stamp != self._stamp:
            self._stamp = stamp
            try:
                self._made = self._read()
            except BadSettings as error:
                _LOG.warning("%s What it said before goes on.", error)
        return self._made

    def _look(self) -> tuple[int, int] | None:
        try:
            found = self._path.stat()
        except OSError:
            return None
        return found.st_mtime_ns, found.st_size

    def _read(self) -> T:
        if self._path.exists() and not self._path.is_file():
            raise BadSettings(f"The list of names {self._path} is not a file.")
        try:
            with self._path.open("rb") as file:
                data = file.read(_MOST_BYTES + 1)
        except OSError as error:
            raise BadSettings(f"The list of names {self._path} cannot be read: {error.strerror}.") from None
        if len(data) > _MOST_BYTES:
            raise BadSettings(f"The list of names {self._path} is longer than {_MOST_BYTES} bytes.")
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            raise BadSettings(f"The list of names {self._path} is not a text file in UTF-8.") from None
        lines = [" ".join(line.split()) for line in text.splitlines()]
        lines = [line for line in lines if line and not line.startswith("#")]
        if not lines:
            raise BadSettings(f"The list of names {self._path} is empty: write a name on each line.")
        try:
            return self._make(lines)
        except ValueError as error:
            raise BadSettings(f"The list of names {self._path} makes no sense: {error}.") from None
