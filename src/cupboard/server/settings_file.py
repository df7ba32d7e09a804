"""The settings file: TOML whose keys are those of ServerSettings, and a sentence for whatever in it makes no sense."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, get_args

import msgspec
from msgspec import inspect

from cupboard.server.addresses import parse_address
from cupboard.server.errors import BadSettings
from cupboard.server.postgres_address import check_address
from cupboard.server.public_url import read_url
from cupboard.server.settings import Limited, LimitSettings, Rate, Section, ServerSettings, data_folder

_CODE_SIGNS = 8
"""So many signs a class code has at least, or it would soon be guessed."""
_A_RATE = "{ at-once = 30, every = 6 }"
_MOST_DIGITS = 20
_NO_CHOICE = "Invalid enum value "
_WRONG_TYPE = re.compile(r"Expected `(.+)`, got `(\w+)`")
_KINDS = {
    "str": "a text in quotes",
    "path": "a path in quotes",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "array": 'a list, as in ["one", "two"]',
    "list": "a list",
    "object": "a section",
    "dict": "a section",
}
"""What msgspec and Python call a type, as whoever writes the file would say it."""


def read_settings(file: Path | None = None, **said: Any) -> ServerSettings:
    """The settings of a file, if there is one, with what was `said` besides put over them; BadSettings says what is
    wrong. What was said as None was not said, and a mapping is some keys of a section; without a folder for the data
    it is the usual one."""
    found = {} if file is None else _read(file)
    for name, value in said.items():
        key = name.replace("_", "-")
        if isinstance(value, Mapping):
            if isinstance(section := found.get(key, {}), Mapping):
                found[key] = {**section, **value}
        elif value is not None:
            found[key] = value
    if "data" not in found:
        found["data"] = data_folder()
    try:
        _check_paths(found)
        if file is not None:
            _put_beside(file, found)
        for sentence in _out_of_bounds(found, inspect.type_info(ServerSettings), ""):
            raise BadSettings(sentence)
        settings = msgspec.convert(found, ServerSettings, dec_hook=_path)
        read_url(settings.url)
        if settings.database:
            check_address(settings.database)
        if settings.metrics:
            parse_address(settings.metrics)
    except msgspec.ValidationError as error:
        raise BadSettings(f"{_place(file)}{_plain(error, found)}.") from None
    except BadSettings as error:
        raise BadSettings(f"{_place(file)}{error}") from None
    if (missing := _missing(settings)) is not None:
        raise BadSettings(f"{_place(file)}{missing}")
    return settings


def _missing(settings: ServerSettings) -> str | None:
    """The sentence about a key that another one needs; None when nothing is missing."""
    people = settings.people
    if people.sign_up == "code" and not people.class_code.strip():
        return 'people.sign-up is "code", so people.class-code must say the code.'
    if people.sign_up == "code" and len("".join(people.class_code.split())) < _CODE_SIGNS:
        return (
            f"people.class-code is too easily guessed: it must have at least {_CODE_SIGNS} characters besides blanks."
        )
    if people.names != "free" and people.name_list is None:
        return f'people.names is "{people.names}", so people.name-list must name a file.'
    return None


def _read(file: Path) -> dict[str, Any]:
    try:
        found = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadSettings(f"{file} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise BadSettings(f"{file} is not a text file in UTF-8.") from None
    except (ValueError, RecursionError) as error:  # tomllib's own, or Python's about a number of thousands of digits
        raise BadSettings(f"{file} is not TOML: {error or 'nested too deeply'}.") from None
    for unknown, known in _misspelt(found, ServerSettings, ""):
        close = get_close_matches(unknown.rpartition(".")[2], known, 1)
        hint = f"did you mean {close[0]}?" if close else f"the keys there are {', '.join(sorted(known))}."
        raise BadSettings(f"{file} has the unknown key {unknown}: {hint}")
    return found


def _misspelt(found: Mapping[str, Any], kind: type[Section], path: str) -> Iterator[tuple[str, list[str]]]:
    """The keys, with the names of the sections around them, that no setting has; and those that would be known."""
    sections = {field.encode_name: field.default for field in msgspec.structs.fields(kind)}
    for key, value in found.items():
        if key not in sections:
            yield path + key, list(sections)
        elif isinstance(sections[key], Section) and isinstance(value, Mapping):
            yield from _misspelt(value, type(sections[key]), f"{path}{key}.")
        elif kind is LimitSettings and key == "rates" and isinstance(value, Mapping):
            yield from _misspelt_rates(value, f"{path}{key}.")


def _misspelt_rates(found: Mapping[str, Any], path: str) -> Iterator[tuple[str, list[str]]]:
    for name, rate in found.items():
        if name not in get_args(Limited):
            yield path + name, list(get_args(Limited))
        elif isinstance(rate, Mapping):
            yield from _misspelt(rate, Rate, f"{path}{name}.")


def _out_of_bounds(value: object, kind: inspect.Type, key: str) -> Iterator[str]:
    """The sentences about numbers that are not within the bounds of their settings; NaN is within none."""
    if isinstance(kind, inspect.UnionType):
        for one in kind.types:
            yield from _out_of_bounds(value, one, key)
    elif isinstance(kind, inspect.IntType | inspect.FloatType):
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if is_number and not kind.ge <= value <= kind.le:  # type: ignore[operator]
            yield f"{key}: {_shown(value)} is not between {kind.ge} and {kind.le}."
    elif isinstance(value, Mapping) and isinstance(kind, inspect.DictType):
        for name, one in value.items():
            yield from _out_of_bounds(one, kind.value_type, f"{key}.{name}")
    elif isinstance(value, Mapping) and isinstance(kind, inspect.StructType):
        for field in kind.fields:
            name = field.encode_name
            yield from _out_of_bounds(value.get(name), field.type, f"{key}.{name}".lstrip("."))


def _shown(value: object) -> str:
    """A value as a sentence can show it, whatever its size."""
    if isinstance(value, str):
        return repr(value[:80])
    if isinstance(value, int) and abs(value) >= 10**_MOST_DIGITS:
        return f"A number of more than {_MOST_DIGITS} digits"
    return str(value) if isinstance(value, int | float) else f"A `{type(value).__name__}`"


def _paths(found: Mapping[str, Any]) -> Iterable[tuple[Any, str, str]]:
    """The sections that may name a path, its key there, and what the setting is called."""
    return (found, "data", "data"), (found, "socket", "socket"), (found.get("people"), "name-list", "people.name-list")


def _check_paths(found: Mapping[str, Any]) -> None:
    """BadSettings when a path has a NUL in it, as no file can."""
    for place, key, name in _paths(found):
        if isinstance(place, Mapping) and "\0" in str(place.get(key)):
            raise BadSettings(f"{name}: {str(place[key])[:80]!r} has a NUL in it, as no path can.")


def _put_beside(file: Path, found: dict[str, Any]) -> None:
    """Make relative paths that the file names relative to the file's folder; BadSettings for the home of nobody."""
    for place, key, name in _paths(found):
        if isinstance(place, dict) and isinstance(text := place.get(key), str):
            try:
                place[key] = file.absolute().parent / Path(text).expanduser()
            except RuntimeError:
                home = text[:80].partition("/")[0]
                raise BadSettings(f"{name}: {home!r} is no user's home folder on this computer.") from None


def _path(kind: type, value: Any) -> Any:
    if kind is Path and isinstance(value, str | Path):
        return Path(value)
    raise ValueError(f"Expected `path`, got `{type(value).__name__}`")


def _plain(error: msgspec.ValidationError, found: Mapping[str, Any]) -> str:
    """The error with the key in front, as the file writes it: `limits.connections: it must be …`."""
    what, _, where = str(error).partition(" - at `$")
    key = where.rstrip("`").lstrip(".")
    if key.startswith("limits.rates[...]"):  # msgspec does not say which
        return next(_wrong_rates(found["limits"]["rates"]), what)
    return f"{key}: {_worded(what, key)}" if key else what


def _worded(what: str, key: str = "") -> str:
    """What msgspec says of a value, in words of the settings file."""
    if what.startswith(_NO_CHOICE):
        choices = ", ".join(_choices(key))
        return f"{what.removeprefix(_NO_CHOICE)} is none of {choices}" if choices else what
    if (types := _WRONG_TYPE.fullmatch(what)) is not None:
        wanted = (_KINDS.get(one, one) for one in types[1].split(" | ") if one != "null")
        return f"it must be {' or '.join(wanted)}, not {_KINDS.get(types[2], types[2])}"
    return what


def _choices(key: str) -> list[str]:
    """The values that a setting may have, if there are but a few."""
    kind: inspect.Type = inspect.type_info(ServerSettings)
    for name in key.split("."):
        fields = kind.fields if isinstance(kind, inspect.StructType) else ()
        kind = next((field.type for field in fields if field.encode_name == name), inspect.AnyType())
    return [str(value) for value in kind.values] if isinstance(kind, inspect.LiteralType) else []


def _wrong_rates(rates: Mapping[str, Any]) -> Iterator[str]:
    for name, rate in rates.items():
        key = f"limits.rates.{name}"
        try:
            msgspec.convert(rate, Rate)
        except msgspec.ValidationError as error:
            what, _, where = str(error).partition(" - at `$")
            is_rate = isinstance(rate, Mapping)
            yield (
                f"{key}{where.rstrip('`')}: {_worded(what)}"
                if is_rate
                else f"{key}: {_shown(rate)} is no rate, as in {_A_RATE}"
            )


def _place(file: Path | None) -> str:
    return f"{file}: " if file is not None else ""
