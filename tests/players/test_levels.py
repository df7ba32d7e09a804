"""Levels: every game and seat count has all of them; they climb; and the tuner fits what it is given."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random
from time import perf_counter
from typing import Any

import numpy as np
import pytest

from cupboard.core.errors import UnknownPlayer
from cupboard.core.game import Game, Position
from cupboard.core.ladder import Baseline, Rung, Seated, Skill, Thumb
from cupboard.core.match import Match
from cupboard.core.registry import load, names
from cupboard.core.testing_games import after, play_out
from cupboard.games.chinese_checkers.evaluate import promise
from cupboard.games.double_dutch.levels import LADDERS
from cupboard.players import PLAYERS, Player, make_level, make_player
from cupboard.players.alphabeta import AlphaBeta
from cupboard.players.fallible import Fallible
from cupboard.players.levels import LEVELS, ladder_of, level_names, levels_of, make_seated, seated_at
from cupboard.players.thinking import Limits, Proven
from cupboard.players.tune import NoTuning, climb, fit, tune

TABLES = [("jumping-cups", 2), ("double-dutch", 2), ("double-dutch", 3), ("chinese-checkers", 2)]
TABLES += [("chinese-checkers", seats) for seats in (3, 4, 6)]


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_every_level_plays_every_table(name: str, seats: int) -> None:
    game = load(name, seats)
    match, rng = Match(game), Random(1)
    match.settle(rng)
    levels = levels_of(game)
    assert len(levels) >= 5 and (levels[0], levels[-1]) == (LEVELS[0], LEVELS[-1])
    for level in levels[:-1]:
        position = match.position
        seat = position.to_act[0]
        one, other = (make_player(level, game, 3).choose(position.seen_by(seat)) for _ in range(2))
        assert one == other, "the same seed must play the same"
        match.play(one, seat)
        match.settle(rng)
    assert set(LEVELS) <= set(PLAYERS)
    assert list(levels) == [level for level in LEVELS if level in levels], "the names climb"


def test_a_name_that_a_short_ladder_leaves_out_is_the_rung_below_it(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load("double-dutch", 3)
    names = level_names(5)
    assert names == ("sprout", "sapling", "birch", "maple", "sequoia")
    skills = {name: Skill(nodes) for nodes, name in enumerate(names, 1)}
    monkeypatch.setitem(LADDERS, 3, tuple(Rung(*rung) for rung in skills.items()))
    assert levels_of(game) == names and ladder_of(game) == skills
    assert seated_at(game, "hazel") == seated_at(game, "sapling") == Skill(2)
    assert seated_at(game, "redwood") == seated_at(game, "maple") != seated_at(game, "sequoia")
    monkeypatch.setitem(LADDERS, 3, (Rung("maple", Skill(9)),))
    assert seated_at(game, "sprout") == Skill(9), "nobody is below the lowest rung"


def points(name: str, strong: str, weak: str, games: int) -> float:
    game = load(name, 2)
    total = 0.0
    for n in range(games):
        players: list[Player] = [make_level(game, strong, n), make_level(game, weak, n)]
        if n % 2:
            players.reverse()
        outcome = play_out(game, players, n).position.outcome()
        assert outcome is not None
        total += outcome.score(n % 2)
    return total


@pytest.mark.parametrize("name", ["jumping-cups", "double-dutch", "chinese-checkers"])
def test_a_level_beats_one_some_rungs_below(name: str) -> None:
    assert points(name, "maple", "sprout", 12) >= 9


def jumps_on_the_star() -> Position[Any]:
    """Four moves into a game of Chinese Checkers: steps, chains, and ways back."""
    match = Match(load("chinese-checkers"))
    for text in ("d1-e6", "n1-m5", "b1-d1", "n2-m6"):
        match.play(match.position.parse(text))
    return match.position


def test_a_person_overlooks_long_jumps_and_never_a_single_step() -> None:
    position = jumps_on_the_star()
    game = position.game
    moves = {move: len(move.path) for move in position.moves()}
    assert max(moves.values()) >= 3
    blind_to_chains = Fallible(game, 1, Skill(nodes=1, overlook=1.0))
    for _ in range(5):
        assert moves[blind_to_chains.choose(position.seen_by(0))] == 2
    who_sees_all = Fallible(game, 1, Skill(nodes=1))
    assert {rated.move for rated in who_sees_all.think(position.seen_by(0)).per_move} == set(moves)


def test_a_beginner_thinks_of_no_move_that_leads_backwards() -> None:
    position = jumps_on_the_star()
    game = position.game
    forward = {move for move in position.moves() if promise(position._row, position._encode(move)) >= 0}
    assert forward < set(position.moves())
    thought = Fallible(game, 1, Skill(nodes=1, hunch=1.0)).think(position.seen_by(0))
    assert {rated.move for rated in thought.per_move} == forward


@pytest.mark.parametrize("name", ["jumping-cups", "double-dutch", "chinese-checkers"])
def test_a_person_without_faults_plays_as_the_search_does(name: str) -> None:
    game = load(name)
    match, rng = Match(game), Random(4)
    for _ in range(20):
        match.settle(rng)
        view = match.position.seen_by(match.position.to_act[0])
        person = Fallible(game, 1, Skill(nodes=2000))
        search = AlphaBeta(game, 1, Limits(nodes=2000), table_bits=14, oracle=False)
        search.ordered = person._search.ordered = lambda position: sorted(position._codes())  # type: ignore[method-assign]
        move = person.choose(view)
        assert move == search.choose(view)
        match.play(move)


def test_with_a_whim_games_begin_differently_and_go_on_as_without() -> None:
    start = load("double-dutch").start()
    whims = [Fallible(start.game, seed, Skill(nodes=300, whim=0.1)) for seed in range(12)]
    assert len({person.choose(start.seen_by(0)) for person in whims}) >= 3
    view = after(start.game, 6, 3).seen_by(0)
    for seed in range(5):
        plain, whim = (Fallible(start.game, seed, Skill(nodes=300, whim=whim)) for whim in (0.0, 5.0))
        assert plain.choose(view) == whim.choose(view)


def test_who_counts_out_the_end_of_double_dutch_knows_a_win_that_others_only_hope_for() -> None:
    knows = hopes = 0
    for seed in range(8):
        position = after(load("double-dutch"), 24, seed)
        if position.is_over:
            continue
        view = position.seen_by(position.to_act[0])
        skills = Skill(nodes=5000, counts=True), Skill(nodes=5000)
        counted, hoped = (Fallible(position.game, 1, skill).think(view) for skill in skills)
        knows += counted.proven is Proven.WIN
        hopes += hoped.proven is Proven.WIN
    assert knows > hopes


def test_an_unknown_level_is_refused() -> None:
    with pytest.raises(UnknownPlayer, match="they are sprout, "):
        make_level(load("jumping-cups"), "spruce", 1)


def test_the_fit_finds_the_weights_that_made_the_results() -> None:
    rng = np.random.default_rng(1)
    lines = rng.normal(size=(20_000, 3)) * [1, 5, 20]
    truth = np.array([0.8, -0.2, 0.03])
    results = (rng.random(20_000) < 1 / (1 + np.exp(-lines @ truth))).astype(float)
    assert fit(lines, results) == pytest.approx(truth, rel=0.1)


def test_tuning_tells_old_from_new() -> None:
    found = tune(load("jumping-cups"), games=4, nodes=30, seed=1)
    assert len(found.new) == len(found.old) == len(found.names)
    assert found.positions > 40
    assert len(found.scores) == 4 and all(0 <= score <= 1 for score in found.scores)
    with pytest.raises(NoTuning, match="has no weights to tune"):
        tune(load("double-dutch", 3), games=2, nodes=30, seed=1)


def test_a_weight_is_moved_only_where_games_clearly_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def likes(game: object, new: Sequence[int], old: Sequence[int], *_: object) -> float:
        """More of the first is better by far, more of the last by too little to tell from 100 games."""
        return 0.5 + 0.1 * (new[0] > old[0]) - 0.1 * (new[0] < old[0]) + 0.09 * (new[2] > old[2])

    monkeypatch.setattr("cupboard.players.tune.duel", likes)
    assert climb(load("jumping-cups"), (100, 100, 100), (0, 2), nodes=1, games=100, seed=1) == (140, 100, 100)


@pytest.fixture
def busy() -> Iterator[None]:
    """Every core of the machine has something else to do, too."""
    spin = "import os, time\nwhile os.getppid() > 1: pass"
    loops = [subprocess.Popen([sys.executable, "-S", "-c", spin]) for _ in range(os.cpu_count() or 1)]
    yield
    for loop in loops:
        loop.kill()
        loop.wait()


@pytest.mark.quiet
@pytest.mark.parametrize("game", [load(name, seats) for name in names() for seats in load(name).SEATS[:2]], ids=repr)
def test_a_level_answers_within_a_second_however_slow_the_machine_is(game: Game[Any], busy: None) -> None:
    """Searches that would look at a thousand million positions, so that only the clock can end them."""
    position = after(game, 16, 5)
    view = position.seen_by(position.to_act[0])
    for name, step in list(ladder_of(game).items())[-2:]:
        player = make_seated(endless(step), game, 1)
        make_seated(step, game, 1).choose(view)  # what must be compiled is compiled before a game begins
        spent = []
        for _ in range(3):
            began = perf_counter()
            assert player.choose(view) in view.moves()
            spent.append(perf_counter() - began)
        # The scheduler may take a core away for as long as it likes: that once in three times is not the level's fault.
        assert sorted(spent)[1] < 1.0, (name, spent)


def endless(step: Seated) -> Seated:
    return step if isinstance(step, Thumb | Baseline) else replace(step, nodes=10**9)
