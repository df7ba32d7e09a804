"""What is said to people: words, catalogues, and that each fits the other."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from cupboard.core import words
from cupboard.core.errors import BadNotation, IllegalMove
from cupboard.core.lessons import lessons_of
from cupboard.core.registry import find, load, names
from cupboard.core.svg import svg
from cupboard.core.words import Words, also, catalogue, either, listed, phrase, say, sentences

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "cupboard"
PAGE = ROOT / "web" / "src" / "lib" / "messages"
FILES = sorted([*PACKAGE.rglob("strings/*.json"), *PAGE.glob("*.json")])

# Saying.


def test_words_are_filled_with_words() -> None:
    said = phrase("turn.wrong", who=phrase("seat.red"), others=also(phrase("seat.blue"), phrase("seat.green")))
    assert str(said) == "It is not Red's turn: Blue and Green must act first."


def test_rows_are_joined_as_people_speak() -> None:
    assert [str(also(*"abc"[:n])) for n in range(4)] == ["", "a", "a and b", "a, b and c"]
    assert (str(either(2, 3, 4)), str(listed("a", "b"))) == ("2, 3 or 4", "a, b")
    assert str(sentences(phrase("turn.over"), phrase("seat.red"), "!")) == "The game is over. Red !"


def test_the_count_chooses_the_plural_form() -> None:
    draws = [str(phrase("cup-king.draws", who="Ada", count=count)) for count in (1, 2)]
    assert draws == ["Ada draws 1 card.", "Ada draws 2 cards."]


def test_plural_forms_follow_the_language(monkeypatch: pytest.MonkeyPatch) -> None:
    cups = {"one": "{count} kubek", "few": "{count} kubki", "many": "{count} kubków", "other": "{count} kubka"}
    gobelets = {"one": "{count} gobelet", "many": "{count} de gobelets", "other": "{count} gobelets"}
    monkeypatch.setattr(words, "catalogue", {"pl": {"cups": cups}, "fr": {"cups": gobelets}}.__getitem__)
    said = [say(phrase("cups", count=count), "pl") for count in (0, 1, 3, 5, 12, 22, 25)]
    assert said == ["0 kubków", "1 kubek", "3 kubki", "5 kubków", "12 kubków", "22 kubki", "25 kubków"]
    said = [say(phrase("cups", count=count), "fr") for count in (0, 1, 2, 2_000_000)]
    assert said == ["0 gobelet", "1 gobelet", "2 gobelets", "2\u202f000\u202f000 de gobelets"]


def test_the_name_of_a_thing_takes_the_form_that_a_sentence_asks_for(monkeypatch: pytest.MonkeyPatch) -> None:
    finnish = {
        "seat.red": {"base": "Punainen", "genitive": "Punaisen"},
        "seat.blue": {"base": "Sininen", "genitive": "Sinisen"},
        "player": {"base": "pelaaja {letter}", "genitive": "pelaajan {letter}"},
        "turn": "{who.genitive} vuoro",
        "name": "Vuorossa: {who}",
        "join.list": "{most}, {last}",
        "join.and": "{most} ja {last}",
    }
    monkeypatch.setattr(words, "catalogue", {"fi": finnish}.__getitem__)
    red, blue = phrase("seat.red"), phrase("seat.blue")
    assert say(phrase("turn", who=red), "fi") == "Punaisen vuoro"
    assert say(phrase("name", who=red), "fi") == "Vuorossa: Punainen"
    assert say(phrase("turn", who=also(red, blue)), "fi") == "Punaisen ja Sinisen vuoro"
    assert say(phrase("turn", who=phrase("player", letter="B")), "fi") == "pelaajan B vuoro"


def test_what_has_no_form_is_said_in_its_base_form(monkeypatch: pytest.MonkeyPatch) -> None:
    partly = {"seat.red": {"base": "Punainen"}, "seat.blue": "Sininen", "turn": "{who.genitive} vuoro"}
    monkeypatch.setattr(words, "catalogue", {"fi": partly}.__getitem__)
    said = [say(phrase("turn", who=who), "fi") for who in (phrase("seat.red"), phrase("seat.blue"), "Aino")]
    assert said == ["Punainen vuoro", "Sininen vuoro", "Aino vuoro"]
    assert say(phrase("turn"), "fi") == "{who.genitive} vuoro"


def test_what_somebody_wrote_stands_in_the_quotation_marks_of_the_reader() -> None:
    said = words.quoted("a\n{text}")
    assert (say(said), say(said, "de")) == ("'a\\n{text}'", "„a\\n{text}“")


def test_thousands_are_set_apart_as_the_language_does_it() -> None:
    assert [say(number) for number in (0, 999, 1_000, 1_234_567, -5, -1_234)] == [
        *("0", "999", "1,000", "1,234,567", "-5", "-1,234")
    ]
    assert [say(12_345, language) for language in ("de", "fr", "pl", "de-CH")] == [
        *("12.345", "12\u202f345", "12\u00a0345", "12’345")
    ]
    assert say(12_345, "tlh") == say(12_345, "en-XA") == say(12_345, "..") == "12,345"


def test_babel_is_imported_only_by_what_needs_it() -> None:
    code = "import sys; from cupboard.core.words import phrase, say; "
    code += "say(phrase('seats.wrong', game='Go', seats=2, count=5)); assert 'babel' not in sys.modules; "
    code += "say(phrase('cup-king.draws', who='Ada', count=1)); assert 'babel' in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_what_is_left_open_is_filled_in_later() -> None:
    moved = phrase("double-dutch.puts", cell="d4")
    assert str(moved) == "{who} puts a stone on d4."
    assert str(moved.filled(who="Ada")) == "Ada puts a stone on d4."


def test_what_each_of_several_sentences_leaves_open_is_filled_in_later() -> None:
    row = sentences(phrase("move.plays", move="5-6"), phrase("turn.over"), "Well.")
    assert str(row.filled(who="Ada")) == "Ada plays 5-6. The game is over. Well."


def test_pictures_speak_too() -> None:
    scene = load("double-dutch").start().scene()
    picture = svg(scene, language="de")
    assert "Hell setzt einen ersten Stein." in picture and "Vorrat" in picture and 'lang="de"' in picture
    assert "Light to place a first stone." in svg(scene)


def test_braces_in_a_name_are_not_filled_in_again() -> None:
    said = phrase("seats.wrong", game="{count}", seats="{game}", count=3)
    assert str(said) == "{count} is for {game} players, not 3."
    assert str(also("{last}", "{most}")) == "{last} and {most}"


def test_a_language_without_a_catalogue_is_english() -> None:
    assert say(phrase("turn.over"), "tlh") == "The game is over."


def test_a_half_finished_language_is_english_message_by_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "cupboard"
    for folder in ("core", "games/go"):
        (package / folder / "strings").mkdir(parents=True)
        (package / folder / "strings" / "en.json").write_text('{"toMove": "{who} to move.", "over": "Over."}', "utf-8")
    (package / "games/go/strings/eo.json").write_text('{"over": "Finita."}', "utf-8")
    monkeypatch.setattr(words, "files", lambda _: package)
    words.languages.cache_clear()
    catalogue.cache_clear()
    try:
        assert words.languages() == ("en", "eo")
        assert [say(phrase(key), "eo") for key in ("go.over", "over", "go.toMove")] == [
            "Finita.",
            "Over.",
            "{who} to move.",
        ]
    finally:
        monkeypatch.undo()
        words.languages.cache_clear()
        catalogue.cache_clear()


def test_words_cross_the_wire_as_a_row() -> None:
    said = phrase("turn.wrong", who=phrase("seat.red"), others=also("A", phrase("seat.blue")))
    sent = msgspec.json.encode(said)
    assert sent == b'["turn.wrong",{"who":["seat.red",[]],"others":["join.and",["A",["seat.blue",[]]]]}]'
    assert msgspec.json.decode(sent, type=Words) == said


def test_an_error_speaks_english_and_keeps_its_words() -> None:
    error = IllegalMove(phrase("turn.over"))
    assert (str(error), error.words) == ("The game is over.", phrase("turn.over"))
    assert (str(BadNotation("'x' is no move.")), BadNotation("'x' is no move.").words) == ("'x' is no move.", None)


# The catalogues and the source.


def _read(file: Path) -> dict[str, Any]:
    game = re.search(r"/games/(\w+)/strings/", file.as_posix())
    prefix = f"{game[1].replace('_', '-')}." if game else ""
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return {prefix + key: message for key, message in found.items()}


def _names(message: Any) -> set[str]:
    """What is to be filled in; plural forms are chosen by the count even where they do not show it."""
    plural = {"count"} if isinstance(message, dict) and words.BASE not in message else set()
    return plural | set(re.findall(r"\{(\w+)(?:\.[\w-]+)?\}", json.dumps(message)))


def _trees() -> Iterator[tuple[Path, ast.Module]]:
    for file in sorted(PACKAGE.rglob("*.py")):
        if not file.name.startswith("test_"):
            yield file, ast.parse(file.read_text(encoding="utf-8"))


def _keys(argument: ast.expr) -> list[str]:
    """The keys that an expression may be, as patterns; nothing for what only a running program knows."""
    match argument:
        case ast.Constant(value=str(key)):
            return [re.escape(key)]
        case ast.IfExp(body=one, orelse=other):
            return _keys(one) + _keys(other)
        case ast.JoinedStr(values=parts):
            return ["".join(re.escape(str(p.value)) if isinstance(p, ast.Constant) else r"[\w-]+" for p in parts)]
    return []


def _phrases(tree: ast.Module) -> Iterator[tuple[ast.Call, set[str]]]:
    """Every call of `phrase`, with what it may leave open: {who}, where a move says what happens."""
    moves = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name == "words"]
    of_moves = {inner for move in moves for inner in ast.walk(move)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "phrase":
            yield node, {"who"} if node in of_moves else set()


def test_every_phrase_of_the_source_is_in_the_catalogue_with_its_names() -> None:
    messages = catalogue("en")
    looked_up = 0
    for file, tree in _trees():
        for call, left_open in _phrases(tree):
            where = f"{file.name}:{call.lineno}"
            given = {keyword.arg for keyword in call.keywords}  # None stands for **values
            for pattern in _keys(call.args[0]):
                found = [key for key in messages if re.fullmatch(pattern, key)]
                assert found, f"{where}: no message is called {pattern}"
                for key in found:
                    wanted = _names(messages[key])
                    assert None in given or wanted - left_open <= given, f"{where}: {key} wants {wanted}"
                    assert given - {None} <= wanted, f"{where}: {key} takes {wanted}, not {given}"
                looked_up += len(found)
    assert looked_up > 250


def test_every_message_is_said_somewhere() -> None:
    constants: set[str] = set()
    # Options, colours and pieces are asked for by their names, which games bring along; a search takes words for alike.
    patterns = [r"[\w-]+\.(title|blurb|legend|rules\.alike|option\.[\w.-]+)", r"(tint|piece)\.\w+"]
    for _, tree in _trees():
        calls = (pattern for call, _ in _phrases(tree) for pattern in _keys(call.args[0]))
        patterns += [pattern for pattern in calls if not pattern.startswith("[")]
        constants |= {
            node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and type(node.value) is str
        }
    constants |= {key for name in names() for key in lessons_of(find(name)).message_keys()}
    # The page says what is asked a second time to the one who is asked.
    unsaid = {key for key in catalogue("en") if key not in constants and key.removesuffix(".you") not in constants}
    assert not {key for key in unsaid if not any(re.fullmatch(pattern, key) for pattern in patterns)}


def test_no_message_has_two_homes() -> None:
    keys = [key for file in FILES if file.stem == "en" for key in _read(file)]
    assert sorted(set(keys)) == sorted(keys)
    assert {key for key in keys if key not in catalogue("en")} == set(json.loads((PAGE / "en.json").read_text("utf-8")))
