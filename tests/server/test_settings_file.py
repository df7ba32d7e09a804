"""The settings file: every key reaches the server, and what makes no sense is a sentence that names it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import inspect

from cupboard.server.errors import BadSettings
from cupboard.server.limits.rates import HOME, SCHOOL
from cupboard.server.settings import LimitSettings, LogSettings, Rate, Section, ServerSettings
from cupboard.server.settings_file import read_settings

DOCS = Path(__file__).parents[2] / "docs" / "hosting.md"
FULL = """
data = "games"
url = "https://games.example/cupboard/"
behind-proxy = ["127.0.0.1", "10.0.0.0/8"]
durable = true
chat = "phrases"
port = 9000

[limits]
profile = "school"
sockets = 300
rates.tables = { at-once = 5, every = 2 }

[people]
sign-up = "code"
class-code = "acorn in the oak"
names = "list"
name-list = "names.txt"
"""


def test_every_key_reaches_the_server(tmp_path: Path) -> None:
    file = tmp_path / "cupboard.toml"
    file.write_text(FULL)
    found = read_settings(file)
    assert found.data == tmp_path / "games", "a relative path is relative to the file"
    assert found.people.name_list == tmp_path / "names.txt"
    assert (found.url, found.behind_proxy) == ("https://games.example/cupboard/", ("127.0.0.1", "10.0.0.0/8"))
    assert (found.durable, found.chat, found.port) == (True, "phrases", 9000)
    assert found.limits == LimitSettings(profile="school", sockets=300, rates={"tables": Rate(at_once=5, every=2.0)})


def test_what_is_said_goes_before_the_file(tmp_path: Path) -> None:
    file = tmp_path / "cupboard.toml"
    file.write_text(FULL)
    found = read_settings(file, data=tmp_path / "here", port=8123, durable=None)
    assert (found.data, found.port, found.durable) == (tmp_path / "here", 8123, True)


def test_of_a_section_some_keys_may_be_said(tmp_path: Path) -> None:
    file = tmp_path / "cupboard.toml"
    file.write_text("[log]\nformat = 'plain'\nslow-move = 3.0")
    assert read_settings(file, log={"format": "json"}).log == LogSettings(format="json", slow_move=3.0)
    assert read_settings(data=tmp_path, log={"format": "json"}).log == LogSettings(format="json")
    with pytest.raises(BadSettings, match=r"log\.format: 'xml' is none of json, plain\."):
        read_settings(data=tmp_path, log={"format": "xml"})
    file.write_text("log = 3")
    with pytest.raises(BadSettings, match="log: it must be a section, not a whole number"):
        read_settings(file, log={"format": "json"})


def test_the_settings_of_the_docs_are_read(tmp_path: Path) -> None:
    blocks = re.findall(r"^```toml\n(.*?)^```$", DOCS.read_text(encoding="utf-8"), re.M | re.S)
    file = tmp_path / "cupboard.toml"
    club, school, *_ = [read_settings(file) for text in blocks if file.write_text(text, encoding="utf-8")]
    assert club.behind_proxy == ("unix",) and club.durable and club.metrics == "127.0.0.1:9100"
    assert (school.limits.profile, school.chat, school.people.names) == ("school", "phrases", "list")


def test_without_a_file_all_is_as_shipped(tmp_path: Path) -> None:
    assert read_settings(data=tmp_path) == ServerSettings(data=tmp_path)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("cht = 'off'", "unknown key cht: did you mean chat?"),
        ("[limits]\nprofil = 'school'", "unknown key limits.profil: did you mean profile?"),
        ("[log]\nxyzzy = 1", "unknown key log.xyzzy: the keys there are format, slow-database, slow-move, sum-up."),
        ("chat = 'loud'", "chat: 'loud' is none of free, off, phrases."),
        ("[limits]\nconnections = 0", "limits.connections: 0 is not between 1 and 1000000."),
        ("[people]\nguest-days = 'many'", "people.guest-days: it must be a whole number, not a text in quotes."),
        ("limits = 3", "limits: it must be a section, not a whole number."),
        (
            "[limits.rates]\ntabels = { at-once = 1, every = 1 }",
            "unknown key limits.rates.tabels: did you mean tables?",
        ),
        ("[limits.rates]\ntables = { at-one = 1 }", "unknown key limits.rates.tables.at-one: did you mean at-once?"),
        (
            "[limits.rates]\ntables = { at-once = 1 }",
            "limits.rates.tables: Object missing required field `every`.",
        ),
        (
            "[limits.rates]\ntables = { at-once = 0, every = 1 }",
            "limits.rates.tables.at-once: 0 is not between 1 and 1000000.",
        ),
        (
            "[limits.rates]\nlogs = { at-once = 1, every = 1 }\ntables = { at-once = 'x', every = 1 }",
            "limits.rates.tables.at-once: it must be a whole number, not a text in quotes.",
        ),
        (
            "[limits.rates]\nlogs = { at-once = 1, every = 1 }\ntables = '10/minute'",
            "limits.rates.tables: '10/minute' is no rate, as in { at-once = 30, every = 6 }.",
        ),
        ("[limits.rates]\ntables = 7", "limits.rates.tables: 7 is no rate, as in { at-once"),
        ("[limits.rates]\ntables = []", "limits.rates.tables: A `list` is no rate, as in { at-once"),
        ("[limits]\nrates = 7", "limits.rates: it must be a section, not a whole number."),
        ("[people]\nsign-up = 'code'", 'people.sign-up is "code", so people.class-code must say the code.'),
        ("[people]\nsign-up = 'code'\nclass-code = ' '", "people.class-code must say the code."),
        (
            "[people]\nsign-up = 'code'\nclass-code = 'acorns '",
            "people.class-code is too easily guessed: it must have at least 8 characters besides blanks.",
        ),
        ("[people]\nsign-up = 'code'\nclass-code = 'a c o r n s'", "at least 8 characters besides blanks."),
        ("metrics = 'foo'", "metrics: 'foo' is no address and port, such as 127.0.0.1:9100."),
        ("data = '~nosuchuser/x'", "data: '~nosuchuser' is no user's home folder on this computer."),
        ("socket = '~nosuchuser/x'", "socket: '~nosuchuser' is no user's home folder on this computer."),
        ("people.name-list = '~nosuchuser'", "people.name-list: '~nosuchuser' is no user's home folder"),
        ('data = "a\\u0000b"', r"data: 'a\x00b' has a NUL in it, as no path can."),
        ('data = "~\\u0000b"', r"data: '~\x00b' has a NUL in it"),
        ('socket = "a\\u0000b"', r"socket: 'a\x00b' has a NUL in it"),
        ('people.name-list = "a\\u0000b"', r"people.name-list: 'a\x00b' has a NUL in it"),
        ("port = 70000", "port: 70000 is not between 1 and 65535."),
        ("rooms = 0x" + "f" * 6000, "rooms: A number of more than 20 digits is not between 1 and 1000000."),
        ("rooms = 1" + "0" * 6000, "is not TOML"),
        ("[people]\nnames = 'checked'", 'people.names is "checked", so people.name-list must name a file.'),
        ("data = 3", "data: it must be a path in quotes, not a whole number."),
        ("port = '8000'", "port: it must be a whole number, not a text in quotes."),
        ("behind-proxy = 'unix'", 'behind-proxy: it must be a list, as in ["one", "two"], not a text in quotes.'),
        ("durable = 'yes'", "durable: it must be true or false, not a text in quotes."),
        ("[limits]\nprofile = 'scool'", "limits.profile: 'scool' is none of home, school."),
        ("chat = ", "is not TOML"),
        ("a = " + "[" * 5000, "is not TOML"),
    ],
)
def test_what_makes_no_sense_is_a_sentence_that_names_it(tmp_path: Path, text: str, sentence: str) -> None:
    file = tmp_path / "cupboard.toml"
    file.write_text(text)
    with pytest.raises(BadSettings) as refused:
        read_settings(file)
    assert str(file) in str(refused.value) and sentence in str(refused.value)
    assert len(str(refused.value).splitlines()) == 1


def numbers(kind: type[Section], section: str = "") -> Iterator[tuple[str, inspect.IntType | inspect.FloatType]]:
    """All settings that are numbers, by their keys."""
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    for field in info.fields:
        key = f"{section}{field.encode_name}"
        if isinstance(field.type, inspect.StructType):
            yield from numbers(cast("type[Section]", field.type.cls), f"{key}.")
        elif isinstance(field.type, inspect.DictType):
            yield from numbers(Rate, f"{key}.tables.")
        for one in field.type.types if isinstance(field.type, inspect.UnionType) else (field.type,):
            if isinstance(one, inspect.IntType | inspect.FloatType):
                yield key, one


NUMBERS = dict(numbers(ServerSettings))


@pytest.mark.parametrize("key", NUMBERS)
def test_every_number_has_bounds_and_what_is_beyond_is_named(tmp_path: Path, key: str) -> None:
    kind = NUMBERS[key]
    assert kind.ge is not None and kind.le is not None
    file = tmp_path / "cupboard.toml"
    beyond = ["-1", "nan", "inf", "-inf", "-0.5", str(kind.le + 1), f"{kind.le + 1}.5"]
    if kind.ge > 0:
        beyond.append("0")
    for value in beyond:
        file.write_text(f"{key} = {value}")
        with pytest.raises(BadSettings) as refused:
            read_settings(file)
        assert str(refused.value) == f"{file}: {key}: {value} is not between {kind.ge} and {kind.le}."
    # A rate needs both of its keys.
    other = {"limits.rates.tables.at-once": "every", "limits.rates.tables.every": "at-once"}.get(key)
    more = f"\nlimits.rates.tables.{other} = 1" if other else ""
    for value in (str(kind.ge), str(kind.le)):
        file.write_text(f"{key} = {value}{more}")
        read_settings(file)


def test_what_is_shipped_is_within_the_bounds_and_a_bot_need_not_pause(tmp_path: Path) -> None:
    shipped = ServerSettings(data=tmp_path)
    assert msgspec.convert(msgspec.to_builtins(shipped, enc_hook=str), ServerSettings, dec_hook=lambda _, x: Path(x))
    for profile in (HOME, SCHOOL):
        for at_once, every in profile.values():
            msgspec.convert({"at-once": at_once, "every": every}, Rate)
    file = tmp_path / "cupboard.toml"
    file.write_text("bot-pause = 0.0")
    assert read_settings(file).bot_pause == 0.0


def test_a_file_that_is_not_there_or_no_text_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(BadSettings, match="cannot be read: No such file"):
        read_settings(tmp_path / "none.toml")
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadSettings, match="not a text file"):
        read_settings(tmp_path / "binary.toml")


@given(st.text(max_size=200))
def test_any_text_gives_settings_or_a_sentence(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    file = tmp_path_factory.mktemp("any") / "cupboard.toml"
    file.write_text(text, encoding="utf-8", errors="replace")
    try:
        read_settings(file)
    except BadSettings as error:
        assert str(error)
