"""What the golden records show: every judgement, aimed flicks, two fingers, and how settles were once written."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from cupboard.core.record import Record
from cupboard.games.cup_king.moves import Flick, Keep, Settle, Shoot
from cupboard.games.cup_king.rules import CupKingPosition

HERE = Path(__file__).parent
NAMES = sorted(path.stem for path in (HERE / "records").glob("*.game"))


@cache
def moves(name: str) -> list[object]:
    """The moves of a record in their order, nature's included."""
    text = (HERE / "records" / f"{name}.game").read_text(encoding="utf-8")
    return [entry.move for entry in Record.read(text).replay().log]


def settles(name: str) -> list[Settle]:
    """What came of each flick of a record."""
    return [move for move in moves(name) if isinstance(move, Settle)]


def test_records_replay_without_a_simulation(monkeypatch: pytest.MonkeyPatch) -> None:
    for door in ("simulate", "unsimulated", "chance"):
        monkeypatch.delattr(CupKingPosition, door)
    moves.cache_clear()
    assert sum(len(settles(name)) for name in NAMES) > 100


def test_aimed_flicks_show_every_situation_of_ck_14() -> None:
    flicks = [move for move in moves("flick") if isinstance(move, Flick)]
    assert all(not flick.kind for flick in flicks), "every one is aimed freely"
    assert {flick.aim.is_behind for flick in flicks} == {False, True}
    judged = settles("flick")
    assert any(settle.misplaced for settle in judged), "A"
    assert any("B: " in str(settle.words(str)) for settle in judged), "B"
    assert any(settle.apart for settle in judged), "C"
    assert any(isinstance(move, Keep) for move in moves("flick")), "D"


@pytest.mark.parametrize("name", ["two", "three", "five", "six", "flick", "two-fingers"])
def test_simulated_settles_name_every_bucket_that_is_lost_and_how_the_rest_stands(name: str) -> None:
    assert all(settle.is_simulated for settle in settles(name))
    assert all(settle.fallen for settle in settles(name)), "the tapped bucket at least"
    assert any(settle.poses for settle in settles(name))


def test_a_young_player_uses_two_fingers_while_the_others_flick_ka_27() -> None:
    assert {move.seat for move in moves("two-fingers") if isinstance(move, Shoot)} == {1}
    assert {move.seat for move in moves("two-fingers") if isinstance(move, Flick)} == {0, 2}
    assert {settle.seat for settle in settles("two-fingers")} == {0, 2}, "nothing is settled after two fingers"


def test_an_old_record_has_settles_without_a_judgement() -> None:
    assert settles("shared")
    assert not any(settle.how or settle.poses or settle.fallen for settle in settles("shared"))


@pytest.mark.parametrize("page", ["README.md", "README.de.md"])
def test_the_annotated_game_is_in_its_record(page: str) -> None:
    record = (HERE / "records" / "two.game").read_text(encoding="utf-8").partition("\n\n")[2]
    turns = {line.partition(".")[0]: line for line in record.splitlines()}
    shown = re.findall(r"^    (?:(\d+)\.|  ) (.*?)  ", (HERE / page).read_text(encoding="utf-8"), re.MULTILINE)
    assert len(shown) == 7
    number = ""
    for said, quoted in shown:
        number = said or number
        for piece in filter(None, (part.strip(" ,") for part in quoted.split("…"))):
            assert piece in turns[number]
