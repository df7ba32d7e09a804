"""What is said of a level follows from its settings, and from the game it plays."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from cupboard.core.ladder import Baseline, FullSearch, Playouts, Rung, Seated, Skill, Thumb, Worlds
from cupboard.core.registry import find, load, names
from cupboard.core.words import catalogue, say
from cupboard.players.describing import describe
from cupboard.players.levels import ELO_OF_A_STEP, elo_of_levels, levels_of, rungs_of

TABLES = [(name, seats) for name in names() for seats in find(name).SEATS]


def said(player: Seated, game: str = "double-dutch", ahead: int | None = None) -> str:
    return str(describe(Rung("sprout", player, ahead=ahead), load(game)))


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_every_level_is_described_in_every_language(name: str, seats: int) -> None:
    game = load(name, seats)
    for rung in rungs_of(game):
        words = describe(rung, game)
        assert all(part.key in catalogue("de") for part in words.values)  # type: ignore[union-attr]
        for language in ("en", "de"):
            assert 10 < len(say(words, language)) < 120 and "{" not in say(words, language)


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_levels_climb_by_what_was_measured(name: str, seats: int) -> None:
    game = load(name, seats)
    elo = elo_of_levels(game)
    assert list(elo) == list(levels_of(game)) and next(iter(elo.values())) == 0
    assert all(50 < above - below < 300 for below, above in pairwise(elo.values()))
    assert all(rung.elo is not None for rung in rungs_of(game))


def test_a_ladder_that_nobody_measured_has_the_steps_it_is_meant_to_have(monkeypatch: pytest.MonkeyPatch) -> None:
    from cupboard.games.double_dutch.levels import LADDERS

    monkeypatch.delitem(LADDERS, 3)
    elo = list(elo_of_levels(load("double-dutch", 3)).values())
    assert elo == [ELO_OF_A_STEP * place for place in range(len(elo))] and len(elo) > 3


def test_only_in_games_with_long_moves_long_moves_are_overlooked() -> None:
    skill = Skill(nodes=100, doubt=0.5, overlook=0.5, blind=0.2)
    assert said(skill, ahead=3) == "looks 3 moves ahead, overlooks 2 of 10 moves and often misjudges a move"
    star = said(skill, "chinese-checkers", ahead=1)
    assert star == "looks 1 move ahead, overlooks 8 of 10 chains of jumps and often misjudges a move"


@pytest.mark.parametrize(
    ("player", "words"),
    [
        (Skill(nodes=100, blind=0.01, doubt=0.1), "looks a little ahead, overlooks few moves and seldom errs"),
        (Skill(nodes=5000, whim=0.04), "looks ahead and overlooks nothing there"),
        (Skill(nodes=5000, doubt=0.3, counts=True), "looks ahead, sometimes misjudges a move and counts the end out"),
        (FullSearch(nodes=400_000), "looks far ahead, overlooks nothing there and counts the end out"),
        (Thumb(2000), "plays what catches its eye"),
        (Thumb(45), "goes by rules of thumb and forgets them now and then"),
        (Thumb(0, is_tuned=True), "goes by well-practised rules of thumb"),
        (Worlds(2000), "imagines what the others may hold and plays 2,000 lines through before each move"),
        (Playouts(50), "plays 50 games in its head before each move"),
        (Baseline("greedy"), "takes what looks best right after its move"),
    ],
)  # fmt: skip
def test_what_is_said_follows_from_the_settings(player: Any, words: str) -> None:
    assert said(player) == words
