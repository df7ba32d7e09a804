"""Schedules: fair seats, shared chance, the same each time."""

from __future__ import annotations

from collections import Counter, defaultdict

import pytest

from cupboard.arena.entrants import BadEntrant, Entrant, label_all, read_entrants, read_limits
from cupboard.arena.game_runner import play_fixture
from cupboard.arena.schedule import Schedule
from cupboard.core.errors import UnknownPlayer
from cupboard.core.record import Record
from cupboard.core.registry import load
from cupboard.players.thinking import Limits


def schedule(seats: int, *players: str, games: int = 12) -> Schedule:
    return Schedule(load("double-dutch", seats), read_entrants(players), games=games)


def test_two_players_swap_seats_under_the_same_chance() -> None:
    fixtures = list(schedule(2, "greedy", "random", games=4).fixtures())
    assert [f.labels for f in fixtures] == [("greedy", "random"), ("random", "greedy")] * 2
    assert fixtures[0].seed == fixtures[1].seed != fixtures[2].seed == fixtures[3].seed
    assert fixtures[0].seeds == fixtures[1].seeds[::-1], "a player keeps its own luck on either seat"
    assert len({f.id for f in fixtures}) == 4


def test_an_odd_number_of_games_is_rounded_up_to_whole_sets() -> None:
    assert len(list(schedule(2, "greedy", "random", games=5).fixtures())) == 6
    assert len(list(schedule(3, "greedy", "random", games=4).fixtures())) == 6


def test_one_against_the_others_sits_on_every_seat() -> None:
    fixtures = list(schedule(3, "greedy", "random", games=3).fixtures())
    assert [f.labels.index("greedy") for f in fixtures] == [0, 1, 2]
    assert all(Counter(f.labels) == {"greedy": 1, "random": 2} for f in fixtures)


def test_a_round_robin_lets_every_pair_meet_equally_often_from_both_seats() -> None:
    meetings: Counter[tuple[str, ...]] = Counter(
        f.labels for f in schedule(2, "greedy", "random", "alphabeta", games=12).fixtures()
    )
    assert len(meetings) == 6 and set(meetings.values()) == {2}


def test_on_a_ladder_only_neighbours_meet() -> None:
    three = read_entrants(("sprout", "sapling", "birch"))
    pairs = Counter(f.labels for f in Schedule(load("double-dutch", 2), three, games=8, is_ladder=True).fixtures())
    assert pairs == dict.fromkeys(
        [("sprout", "sapling"), ("sapling", "sprout"), ("sapling", "birch"), ("birch", "sapling")], 2
    )
    tables = [Counter(f.labels) for f in Schedule(load("double-dutch", 3), three, games=12, is_ladder=True).fixtures()]
    assert tables[::3] == [
        {"sprout": 1, "sapling": 2},
        {"sapling": 1, "sprout": 2},
        {"sapling": 1, "birch": 2},
        {"birch": 1, "sapling": 2},
    ]


def test_every_pair_of_a_round_meets_the_same_chance() -> None:
    seeds = defaultdict(set)
    for fixture in schedule(2, "greedy", "random", "alphabeta", games=12).fixtures():
        seeds[fixture.seed].add(frozenset(fixture.labels))
    assert all(len(pairs) == 3 for pairs in seeds.values())


def test_a_schedule_is_the_same_each_time_and_longer_ones_begin_alike() -> None:
    short, long = schedule(2, "greedy", "random", games=4), schedule(2, "greedy", "random", games=40)
    assert list(short.fixtures()) == list(long.fixtures())[:4]
    assert short.fingerprint == long.fingerprint != schedule(3, "greedy", "random").fingerprint


def test_the_same_player_twice_gets_two_names() -> None:
    assert label_all(read_entrants(["greedy", "greedy", "random", "greedy"])) == (
        "greedy",
        "greedy#2",
        "random",
        "greedy#3",
    )


def test_limits_are_read_and_win_over_the_arenas() -> None:
    entrant = Entrant.read("alphabeta:nodes=500,seconds=0.5")
    assert entrant.within(Limits(depth=3)) == Limits(0.5, 500)
    assert Entrant.read("alphabeta").within(Limits(depth=3)) == Limits(depth=3)
    assert read_limits("time=2") == Limits(seconds=2.0)


@pytest.mark.parametrize(
    "text",
    ["", "cmd:", "cmd:'", "a b", "greedy:nodes", "greedy:nodes=x", "greedy:nodes=0", "greedy:speed=3", "x:seconds=nan"],
)
def test_what_is_no_entrant_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(BadEntrant, match=r"\w+ .*"):
        Entrant.read(text)


def test_unknown_players_and_limits_for_who_cannot_use_them_are_refused() -> None:
    game = load("jumping-cups")
    with pytest.raises(UnknownPlayer):
        Entrant.read("gredy").make(game, 0, Limits())
    with pytest.raises(BadEntrant, match="does not search"):
        Entrant.read("greedy:nodes=5").make(game, 0, Limits())
    with pytest.raises(BadEntrant, match="two players"):
        schedule(2, "greedy")


def test_an_opening_is_the_same_from_every_seat_and_differs_between_sets() -> None:
    schedule = Schedule(load("double-dutch", 2), read_entrants(["greedy", "random"]), games=4, opening=6)
    games = [Record.read(play_fixture(fixture).record) for fixture in schedule.fixtures()]
    openings = [tuple(str(entry.move) for entry in game.replay().log[:6]) for game in games]
    assert openings[0] == openings[1] != openings[2] == openings[3]
    assert schedule.heading()["opening"] == 6
    assert "opening" not in Schedule(schedule.game, schedule.entrants).heading(), "old folders go on"
