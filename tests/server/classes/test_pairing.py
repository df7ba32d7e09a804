"""Who plays whom: nobody twice while that can be avoided, and everybody's turn to sit out or to begin."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cupboard.server.classes.pairing import Method, Played, Player, Round, Score, pair
from cupboard.server.classes.standings import standings

SCORES: tuple[Score, ...] = ("first", "draw", "second")


def names(count: int) -> list[Player]:
    return [f"p{n:02}" for n in range(count)]


def finished(method: Method, drawn: Round, rng: random.Random) -> list[Played]:
    """The games of a round, each with some result."""
    games = [Played(*couple, rng.choice(SCORES)) for couple in drawn.pairs]
    odd = drawn.odd
    return games if odd is None else [*games, Played(odd, None, "bye" if method == "swiss" else "pause")]


def season(method: Method, players: Sequence[Player], rounds: int, seed: int) -> list[list[Played]]:
    """The games of so many rounds, round by round."""
    rng = random.Random(seed)
    past: list[list[Played]] = []
    for _ in range(rounds):
        past.append(finished(method, pair(method, players, flat(past)), rng))
    return past


def flat(rounds: Sequence[list[Played]]) -> list[Played]:
    return [game for games in rounds for game in games]


def met(games: Sequence[Played]) -> Counter[frozenset[Player]]:
    return Counter(frozenset((game.first, game.second or "")) for game in games)


def lead(games: Sequence[Played]) -> Counter[Player]:
    """How much more often each had the first seat than the second."""
    counted: Counter[Player] = Counter()
    for game in games:
        if game.second:
            counted[game.first] += 1
            counted[game.second] -= 1
    return counted


def matchings(everybody: Sequence[Player]) -> Iterator[list[tuple[Player, Player]]]:
    """Every way to pair everybody: the slow and obvious reference."""
    if not everybody:
        yield []
        return
    one, *others = everybody
    for n, other in enumerate(others):
        for more in matchings(others[:n] + others[n + 1 :]):
            yield [(one, other), *more]


@given(st.integers(2, 25), st.sampled_from(["swiss", "round-robin"]), st.integers(0, 9), st.integers(0, 6))
@settings(max_examples=60, deadline=None)
def test_everybody_plays_once_in_a_round(count: int, method: Method, seed: int, rounds: int) -> None:
    for games in season(method, names(count), rounds + 1, seed):
        sat = [player for game in games for player in (game.first, game.second) if player]
        assert sorted(sat) == names(count)
        assert sum(game.second is None for game in games) == count % 2


@given(st.integers(2, 17), st.integers(0, 9))
@settings(max_examples=40, deadline=None)
def test_a_round_robin_has_every_pair_once_and_again_in_a_second_turn(count: int, seed: int) -> None:
    rounds = count - 1 + count % 2
    everybody = [*names(count), ""] if count % 2 else names(count)
    twice = season("round-robin", names(count), 2 * rounds, seed)
    for times, games in ((1, flat(twice[:rounds])), (2, flat(twice))):
        assert met(games) == {frozenset(couple): times for couple in combinations(everybody, 2)}


@given(st.integers(4, 16), st.integers(0, 99))
@settings(max_examples=40, deadline=None)
def test_a_round_robin_in_which_some_are_absent_repeats_nothing_before_it_must(count: int, seed: int) -> None:
    rng = random.Random(seed)
    past: list[Played] = []
    for _ in range(count // 3):  # for so many rounds a fresh opponent is always left, by Dirac's theorem
        present = sorted(rng.sample(names(count), count - rng.randrange(2)))
        past += finished("round-robin", pair("round-robin", present, past), rng)
        # A bye is an opponent that comes and goes; the others are always there.
        assert all(times == 1 for couple, times in met(past).items() if "" not in couple)


@given(st.integers(2, 8), st.integers(0, 7), st.integers(0, 10**6))
@settings(max_examples=150, deadline=None)
def test_swiss_is_the_best_of_all_pairings(count: int, rounds: int, seed: int) -> None:
    """By the obvious reference, which tries them all: fewest repeats, and among those the nearest in points."""
    players = names(count)
    past = flat(season("swiss", players, rounds, seed))
    halves = {row.player: row.halves for row in standings(players, past)}
    halves[""] = min(halves.values())
    seen = met(past)

    def cost(couples: Sequence[tuple[Player, Player]]) -> tuple[int, int]:
        repeats = sum(seen[frozenset(couple)] for couple in couples)
        return repeats, sum((halves[one] - halves[other]) ** 2 for one, other in couples)

    drawn = pair("swiss", players, past)
    got = [*drawn.pairs, *([(drawn.odd, "")] if drawn.odd else [])]
    everybody = [*players, ""] if count % 2 else players
    assert cost(got) == min(cost(couples) for couples in matchings(everybody))


@given(st.integers(2, 21), st.integers(0, 99))
@settings(max_examples=40, deadline=None)
def test_swiss_never_repeats_and_gives_nobody_a_second_bye_in_the_rounds_people_play(count: int, seed: int) -> None:
    # For up to half as many rounds as there are players a fresh opponent is always left (Dirac's theorem).
    games = flat(season("swiss", names(count), max(1, count // 2), seed))
    assert set(met(games).values()) == {1}


def test_the_bye_goes_to_somebody_at_the_bottom() -> None:
    players = names(5)
    first = [Played("p00", "p01", "first"), Played("p02", "p03", "first"), Played("p04", None, "bye")]
    assert pair("swiss", players, first).odd in ("p01", "p03")


def test_winners_meet_winners_and_the_leaders_play_at_the_first_board() -> None:
    players = names(8)
    first = [Played(players[n], players[n + 4], "second") for n in range(4)]
    drawn = pair("swiss", players, first)
    assert [{player in players[4:] for player in couple} for couple in drawn.pairs] == [
        {True},
        {True},
        {False},
        {False},
    ]


@given(st.integers(2, 20), st.sampled_from(["swiss", "round-robin"]), st.integers(0, 99))
@settings(max_examples=60, deadline=None)
def test_nobody_has_the_first_move_much_more_often_than_the_second(count: int, method: Method, seed: int) -> None:
    for rounds in (1, 3, count - 1):
        games = flat(season(method, names(count), rounds, seed))
        assert all(abs(more) <= 3 for more in lead(games).values())
        assert sum(abs(more) > 2 for more in lead(games).values()) <= count / 4


def test_two_who_meet_again_change_seats() -> None:
    games = flat(season("round-robin", names(2), 4, 1))
    assert len({game.first for game in games[:2]}) == len({game.first for game in games[2:]}) == 2


@pytest.mark.parametrize("method", ["swiss", "round-robin"])
def test_one_or_nobody_is_no_trouble(method: Method) -> None:
    assert pair(method, [], []) == Round((), None)
    assert pair(method, ["Anna"], []) == Round((), "Anna")


def test_sixty_are_paired_in_a_second() -> None:
    past = flat(season("swiss", names(60), 9, 5))
    began = time.perf_counter()
    pair("swiss", names(60), past)
    assert time.perf_counter() - began < 1


def test_standings_by_points_then_buchholz_then_wins() -> None:
    games = [
        Played("Anna", "Bo", "first"),
        Played("Cai", "Dee", "draw"),
        Played("Anna", "Cai", "second"),
        Played("Bo", "Dee", "first"),
        Played("Eve", None, "bye"),
        Played("Eve", "Anna", None),
    ]
    rows = standings(["Anna", "Bo", "Cai", "Dee", "Eve"], games)
    assert [(row.player, row.rank, row.halves / 2) for row in rows] == [
        ("Cai", 1, 1.5),
        ("Anna", 2, 1),
        ("Bo", 3, 1),
        ("Eve", 4, 1),
        ("Dee", 5, 0.5),
    ]
    anna = rows[1]
    assert (anna.played, anna.won, anna.drawn, anna.lost, anna.byes, anna.buchholz / 2) == (2, 1, 0, 1, 0, 2.5)
    assert (rows[3].played, rows[3].byes, rows[3].buchholz / 2) == (0, 1, 1)


def test_those_who_are_level_share_a_rank() -> None:
    games = [Played("Anna", "Bo", "draw"), Played("Cai", "Dee", "draw")]
    assert [row.rank for row in standings(["Anna", "Bo", "Cai", "Dee", "Eve"], games)] == [1, 1, 1, 1, 5]
