"""What every game promises, walked over the registry; a fifth game is tested by being there."""

from __future__ import annotations

import json
import re
import string
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cupboard
from cupboard.core.errors import BadOption, BadSeats
from cupboard.core.game import Game, Position
from cupboard.core.match import Match
from cupboard.core.playouts import perft
from cupboard.core.record import Record
from cupboard.core.registry import find, load, names
from cupboard.core.testing import check_game, check_garbage
from cupboard.core.testing_games import walk

GAMES = Path(cupboard.__file__).parent / "games"


def folder(name: str) -> Path:
    return GAMES / name.replace("-", "_")


def variants(name: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Every seat count by itself, then every other value of every option."""
    cls = find(name)
    for seats in cls.SEATS:
        yield seats, {}
    for profile in cls.PROFILES:
        yield cls.SEATS[0], {"profile": profile}
    for option in cls.OPTIONS:
        if isinstance(option.default, bool):
            values: list[Any] = [not option.default]
        elif isinstance(option.default, int):
            values = [n for n in {option.least, min(option.most, option.default + 1)} if n != option.default]
        else:
            values = [choice for choice in option.choices if choice != option.default]
        for value in values:
            yield cls.SEATS[0], {option.name: value}


VARIANTS = [
    pytest.param(name, seats, options, id=f"{name}-{seats}-{options}")
    for name in names()
    for seats, options in variants(name)
]


def try_load(name: str, seats: int, options: dict[str, Any]) -> Game[Any]:
    """Some options make no sense alone; then the game says so, and with them alone there is nothing to play."""
    try:
        return load(name, seats, **options)
    except BadOption as error:
        assert str(error).endswith(".")
        pytest.skip(f"refused alone, as it should be: {error}")


@pytest.mark.parametrize(("name", "seats", "options"), VARIANTS)
def test_every_game_keeps_the_promises_of_the_protocol(name: str, seats: int, options: dict[str, Any]) -> None:
    check_game(try_load(name, seats, options), matches=1, seed=seats)


@pytest.mark.long
@pytest.mark.parametrize(("name", "seats", "options"), VARIANTS)
def test_every_game_keeps_them_for_long(name: str, seats: int, options: dict[str, Any]) -> None:
    check_game(try_load(name, seats, options), matches=30, seed=99)


@pytest.mark.parametrize("name", names())
def test_every_game_has_its_pages(name: str) -> None:
    here = folder(name)
    for file in ("README.md", "kernel.py", "rules.py", "scene.py", "perft.txt"):
        assert (here / file).is_file(), f"{name} lacks {file}"
    assert list((here / "records").glob("*.game")), f"{name} has no golden records"
    assert list(here.glob("test_*.py")), f"{name} has no tests"


@pytest.mark.parametrize("name", names())
def test_seven_players_are_refused_with_a_sentence(name: str) -> None:
    with pytest.raises(BadSeats, match=r"7"):
        load(name, 7)


@pytest.mark.parametrize("name", names())
def test_an_unknown_option_is_refused_with_the_names_of_the_known(name: str) -> None:
    with pytest.raises(BadOption, match=r"no option 'colour'"):
        load(name, colour="pink")


def recorded() -> Iterator[Any]:
    for name in names():
        for path in sorted((folder(name) / "records").glob("*.game")):
            yield pytest.param(path, id=f"{name}/{path.stem}")


@pytest.mark.parametrize("path", list(recorded()))
def test_golden_records_replay_to_their_results(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    record = Record.read(text)
    match = record.replay()
    assert str(record) == text, "the file is not written the way records are written"
    again = Record.of(match)
    assert [(m.seat, m.text) for m in again.moves] == [(m.seat, m.text) for m in record.moves]
    assert again.result == record.result
    assert Record.from_json(json.loads(json.dumps(record.to_json()))) == record


def counts(long: bool) -> Iterator[Any]:
    """The lines of every perft.txt; a game that lacks one fails for its pages, and not the collection of all."""
    for name in names():
        page = folder(name) / "perft.txt"
        for line in page.read_text(encoding="utf-8").splitlines() if page.is_file() else ():
            words = line.split()
            if words and not words[0].startswith("#") and ("long" in words) == long:
                yield pytest.param(name, words, id=f"{name}: {line}")


def recount(name: str, words: list[str]) -> None:
    seats, options, depth, count = words[:4]
    chosen = dict(pair.split("=") for pair in options.split(",")) if options != "-" else {}
    position = load(name, int(seats), **chosen).start()
    assert perft(position.game.kernel, position.row.copy(), int(depth)) == int(count)


@pytest.mark.parametrize(("name", "words"), list(counts(long=False)))
def test_perft(name: str, words: list[str]) -> None:
    recount(name, words)


@pytest.mark.long
@pytest.mark.parametrize(("name", "words"), list(counts(long=True)))
def test_deep_perft(name: str, words: list[str]) -> None:
    recount(name, words)


# Bad input: a sentence, and never another exception.


def some_position(name: str, seed: int) -> Position[Any]:
    rng = Random(seed)
    *_, last = islice(walk(load(name).start(), rng), 1 + rng.randrange(60))
    return last


def words_of(position: Position[Any], rng: Random) -> str:
    """Something nearly right: a move, a position or a record, with a few characters changed."""
    acting = position.to_act
    record = str(Record.of(Match(position.game)))
    sources = [str(position), record]
    if acting:
        sources += [str(rng.choice(position.moves(acting[0]))) for _ in range(4)]
    text = list(rng.choice(sources))
    for _ in range(rng.randrange(4)):
        at = rng.randrange(len(text) + 1)
        text[at : at + rng.randrange(3)] = rng.choice(string.printable + "ä½٣🂡")
    return "".join(text)


def fuzz(name: str, seed: int, text: str) -> None:
    position = some_position(name, seed)
    check_garbage(position, text)
    rng = Random(seed)
    for _ in range(5):
        check_garbage(position, words_of(position, rng))


@pytest.mark.parametrize("name", names())
@given(seed=st.integers(0, 10_000), text=st.text(max_size=60))
@settings(max_examples=60, deadline=None)
def test_garbage_is_answered_with_a_sentence(name: str, seed: int, text: str) -> None:
    fuzz(name, seed, text)


@pytest.mark.long
@pytest.mark.parametrize("name", names())
@given(seed=st.integers(0, 10_000), text=st.text(max_size=200))
@settings(max_examples=10_000, deadline=None)
def test_much_garbage_is_answered_with_a_sentence(name: str, seed: int, text: str) -> None:
    fuzz(name, seed, text)


@given(
    data=st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=20),
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.dictionaries(
                st.sampled_from(["game", "seats", "options", "moves", "tags", "result", "x"]),
                inner,
                max_size=6,
            )
        ),
        max_leaves=20,
    )
)
@settings(max_examples=200, deadline=None)
def test_json_garbage_is_answered_with_a_sentence(data: object) -> None:
    for read in (Record.from_json, load("jumping-cups").from_json):
        try:
            read(data)
        except cupboard.CupboardError as error:
            assert len(str(error)) > 10


def test_numbered_rules_cited_in_code_stand_in_the_readmes() -> None:
    """A number can be looked up inside the project: whatever code or tests cite, that game's README explains."""
    for name in names():
        readme = (folder(name) / "README.md").read_text(encoding="utf-8")
        for file in folder(name).glob("*.py"):
            for number in set(re.findall(r"\b[A-Z]{2}-V?\d+\b", file.read_text(encoding="utf-8"))):
                assert number in readme, f"{file.name} of {name} cites {number}, which its README does not explain"
