"""Finding games and choosing their options."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path

import pytest

import cupboard
from cupboard.core.errors import BadOption, BadPosition, BadRecord, UnknownGame
from cupboard.core.options import Option, one_of, read_options
from cupboard.core.record import Record
from cupboard.core.registry import load_with
from cupboard.core.words import phrase


def test_the_folder_listing_is_the_registry() -> None:
    folders = {page.parent.name for page in (Path(cupboard.__file__).parent / "games").glob("*/rules.py")}
    assert "cup_king" in folders
    assert cupboard.names() == tuple(sorted(folder.replace("_", "-") for folder in folders))


def test_games_are_found_however_one_writes_them() -> None:
    assert cupboard.load("Jumping Cups") == cupboard.load("jumping_cups") == cupboard.load("jumping-cups")


def test_an_unknown_game_is_refused_with_a_suggestion() -> None:
    with pytest.raises(UnknownGame, match="Did you mean double-dutch"):
        cupboard.load("doubledutch")
    with pytest.raises(UnknownGame, match="There are chinese-checkers"):
        cupboard.load("xyzzy")


@pytest.mark.parametrize("text", ["true", "Yes", "on", True])
def test_yes_is_understood(text: object) -> None:
    assert Option("flag", False).read(text) is True


@pytest.mark.parametrize("text", ["false", "No", "OFF", False])
def test_no_is_understood(text: object) -> None:
    assert Option("flag", True).read(text) is False


@pytest.mark.parametrize(("value", "number"), [(1, 1), (9, 9), ("1", 1), ("9", 9)])
def test_numbers_are_understood_up_to_their_bounds(value: object, number: int) -> None:
    assert Option("count", 3, least=1, most=9).read(value) == number


def test_choices_are_themselves() -> None:
    assert [Option("side", "red", choices=("red", "blue")).read(side) for side in ("red", "blue")] == ["red", "blue"]


def test_an_option_says_what_may_be_written() -> None:
    options = Option("flag", False), Option("count", 3, least=1, most=9), Option("side", "red", choices=("red", "blue"))
    assert [option.values for option in options] == ["true, false", "1..9", "red, blue"]


def test_options_not_given_have_their_defaults_and_strange_ones_are_named() -> None:
    known = [Option("count", 3), Option("flag", True)]
    assert read_options(phrase("plain", text="A Game"), known, {"flag": "no"}) == {"count": 3, "flag": False}
    with pytest.raises(BadOption, match="count"):
        read_options(phrase("plain", text="A Game"), known, {"xyzzy": 1})
    with pytest.raises(BadOption) as refused:
        Option("count", 3).read("x" * 99)
    assert "x" * 36 + "…" in str(refused.value) and "x" * 37 not in str(refused.value)


@pytest.mark.parametrize(("option", "value"), [
    (Option("flag", False), "maybe"),
    (Option("flag", False), 1),
    (Option("count", 3, least=1, most=9), 0),
    (Option("count", 3, least=1, most=9), "10"),
    (Option("count", 3, least=1, most=9), "٣"),
    (Option("count", 3, least=1, most=9), True),
    (Option("side", "red", choices=("red", "blue")), "green"),
    (Option("side", "red", choices=("red", "blue")), None),
])  # fmt: skip
def test_what_makes_no_sense_is_refused(option: Option, value: object) -> None:
    with pytest.raises(BadOption, match=option.name):
        option.read(value)


def test_a_misspelt_option_is_suggested() -> None:
    with pytest.raises(BadOption, match="Did you mean count"):
        read_options(phrase("plain", text="A Game"), [Option("count", 3)], {"cuont": 4})


def test_lists_read_as_a_person_would_say_them() -> None:
    assert one_of(["a"]) == "a" and one_of(["a", "b"]) == "a or b" and one_of("abc") == "a, b or c"


def test_a_game_says_how_to_get_it_again() -> None:
    game = cupboard.load("jumping-cups", starter="yellow")
    assert repr(game) == "load('jumping-cups', seats=2, starter='yellow')"
    assert pickle.loads(pickle.dumps(game)) == game
    assert game != cupboard.load("jumping-cups") and len({game, cupboard.load("jumping-cups", starter="yellow")}) == 1


@pytest.mark.parametrize("data", [None, {}, {"position": 3}, {"position": "x"}, {"position": "x", "past": "y"}])
def test_json_that_is_no_position_is_refused(data: object) -> None:
    with pytest.raises(BadPosition):
        cupboard.load("jumping-cups").from_json(data)


def test_importing_the_package_is_quick_and_compiles_nothing() -> None:
    code = "import sys, time; t = time.perf_counter(); import cupboard; t = time.perf_counter() - t; "
    code += "assert 'numba' not in sys.modules and 'numpy' not in sys.modules; print(t)"
    best = min(float(subprocess.check_output([sys.executable, "-c", code])) for _ in range(3))
    assert best < 0.3


def test_an_unknown_name_of_the_package_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'lode'"):
        _ = cupboard.lode


@pytest.mark.parametrize("name", ["seats", "name", "self"])
def test_an_option_called_like_an_argument_is_refused_like_any_other(name: str) -> None:
    """Records, clients and shells name options freely: Python must not take one for the number of seats."""
    with pytest.raises(BadOption, match=f"no option '{name}'"):
        load_with("jumping-cups", 2, {name: "3"})
    with pytest.raises(BadRecord, match=f"no option '{name}'"):
        Record.read(f'[Game "jumping-cups"]\n[Option "{name}=3"]\n\n= *\n')
    with pytest.raises(BadRecord, match=f"no option '{name}'"):
        Record.from_json({"game": "jumping-cups", "seats": 2, "options": {name: 3}, "moves": []})
