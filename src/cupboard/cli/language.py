"""The language of the terminal: what `--language` says, else what the environment says, else English."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

from cupboard.core import words

if TYPE_CHECKING:
    from cupboard.core.errors import CupboardError

_VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
_spoken = ["en"]


def speak(language: str | None) -> None:
    """Speak this language from now on; None asks the environment. Raises BadOption for one that has no catalogue."""
    if language is not None and _short(language) not in words.languages():
        from cupboard.core.errors import BadOption

        names = words.listed(*words.languages())
        raise BadOption(words.phrase("terminal.language", name=words.quoted(language[:20]), names=names))
    _spoken[0] = of_environment(os.environ) if language is None else _short(language)


def speak_english() -> None:
    """Speak English from now on, whatever the environment says."""
    _spoken[0] = "en"


def spoken() -> str:
    """The language that is spoken now."""
    return _spoken[0]


def told(said: words.Value) -> str:
    """The words in the language that is spoken now."""
    return words.say(said, spoken())


def reason(error: CupboardError) -> str:
    """The sentence of an error in the language that is spoken now, or in English if it was made in English only.

    Each game says in English what its notation looks like; in another language `help` says it.
    """
    if error.words is None and error.code == "bad-notation" and spoken() != "en":
        return told(words.phrase("terminal.notRead"))
    return told(error.words) if error.words is not None else str(error)


def of_environment(environment: Mapping[str, str]) -> str:
    """The language that the variables of a Unix locale ask for: LANGUAGE lists several, and C or POSIX is English."""
    locale = next((environment[name] for name in _VARIABLES[1:] if environment.get(name)), "")
    if _short(locale) in ("", "c", "posix"):  # LANGUAGE counts only where there is a locale
        return "en"
    wanted = [_short(name) for name in environment.get("LANGUAGE", "").split(":") if name] + [_short(locale)]
    return next((language for language in wanted if language in words.languages()), "en")


def _short(locale: str) -> str:
    """`de` for `de_DE.UTF-8`."""
    return locale.partition(".")[0].partition("@")[0].replace("-", "_").partition("_")[0].lower()
