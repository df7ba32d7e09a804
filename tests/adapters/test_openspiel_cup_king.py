"""Cup King as OpenSpiel sees it."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel")

from cupboard.adapters.openspiel_cup_king import CupKingGame, CupKingState, Deck  # noqa: E402
from cupboard.adapters.openspiel_ismcts import OpenSpielIsmcts  # noqa: E402
from cupboard.core.registry import load  # noqa: E402
from cupboard.core.testing_games import play_out  # noqa: E402
from cupboard.games.cup_king import kernel  # noqa: E402
from cupboard.games.cup_king import layout as k  # noqa: E402
from cupboard.games.cup_king.flick import CLASSES  # noqa: E402
from cupboard.games.cup_king.odds import odds  # noqa: E402
from cupboard.games.cup_king.shapes import connected  # noqa: E402
from cupboard.players import Player  # noqa: E402
from cupboard.players.sensible import Sensible  # noqa: E402


def walk(game: CupKingGame, seed: int) -> list[CupKingState]:
    """The states of a random game."""
    rng, state, seen = Random(seed), game.new_initial_state(), []
    while not state.is_terminal():
        seen.append(state.clone())
        if state.is_chance_node():
            codes, chances = zip(*state.chance_outcomes(), strict=True)
            assert abs(sum(chances) - 1) < 1e-9 and min(chances) > 0
            assert set(codes) <= set(state._codes().tolist()) and max(codes) < game.max_chance_outcomes()
            state.apply_action(rng.choices(codes, chances)[0])
        else:
            assert max(state.legal_actions()) < game.num_distinct_actions()
            state.apply_action(rng.choice(state.legal_actions()))
    return [*seen, state]


CHILD = k.FLICK | 1 << k.HAND_AT
YOUNG = k.FLICK | 1 << k.TWO_FINGERS_AT


@pytest.mark.parametrize("rules", [0, k.FLICK, CHILD, YOUNG])
@pytest.mark.parametrize("seats", [2, 4])
def test_a_random_game_ends_with_one_point_shared_out(seats: int, rules: int) -> None:
    assert abs(sum(walk(CupKingGame(seats, rules=rules), seats)[-1].returns()) - 1) < 1e-9


@pytest.mark.parametrize(("rules", "hand"), [(k.FLICK, "steady"), (CHILD, "child")])
def test_what_comes_of_a_flick_is_a_chance_node_with_the_odds_that_were_counted(rules: int, hand: str) -> None:
    several = 0
    for state in (state for seed in range(5) for state in walk(CupKingGame(3, rules=rules), seed)):
        if state.row[k.PHASE] != k.SETTLING:
            continue
        shot, actor = int(state.row[k.SHOT]), int(state.row[k.ACTOR])
        known = odds(hand, CLASSES[shot >> k.KIND_AT & 3], k.standing(int(state.row[k.PYRAMID + actor])), shot & 15)
        assert dict(state.chance_outcomes()) == {code: n / known.flicks for code, n in known.counts.items()}
        drawn = {int(kernel.chance(state.row, np.uint64(bits))) for bits in range(0, 1 << 64, 1 << 58)}
        assert drawn <= known.counts.keys(), "the kernel draws from the same odds"
        several += len(known.counts) > 1
    assert several > 3


def test_a_child_s_hand_has_odds_of_its_own() -> None:
    cases = [(slots, slot) for slots in connected() for slot in range(15) if slots >> slot & 1]
    slots, slot = next(case for case in cases if odds("child", "hard", *case) != odds("steady", "hard", *case))
    for rules, hand in ((k.FLICK, "steady"), (CHILD, "child")):
        state = CupKingGame(2, rules=rules).new_initial_state()
        state.row[k.PYRAMID], state.row[k.PHASE] = slots, k.SETTLING
        state.row[k.SHOT] = k.FLICKS | CLASSES.index("hard") << k.KIND_AT | slot
        known = odds(hand, "hard", slots, slot)
        assert dict(state.chance_outcomes()) == {code: n / known.flicks for code, n in known.counts.items()}


def test_a_careful_game_has_no_flicks_and_a_young_seat_makes_none() -> None:
    for rules, seats in ((0, {0, 1}), (YOUNG, {0})):
        for state in walk(CupKingGame(2, rules=rules), 4):
            if state.current_player() in seats:
                assert max(state.legal_actions()) < k.FLICKS


@pytest.mark.parametrize("rules", [0, k.FLICK])
def test_a_state_dealt_anew_looks_the_same_to_the_player_and_is_another(rules: int) -> None:
    sample = pyspiel.UniformProbabilitySampler(0.0, 1.0)
    changed = 0
    for state in walk(CupKingGame(2, rules=rules), 3):
        seat = state.current_player()
        if seat < 0 or state.row[k.PHASE] != k.PLAYING:
            continue
        other = state.resample_from_infostate(seat, sample)
        assert other.observation_string(seat) == state.observation_string(seat)
        assert other.legal_actions() == state.legal_actions()
        changed += str(other) != str(state)
    assert changed > 5


def test_a_small_deck_stays_small() -> None:
    deck = Deck((0b01010101, 0b01010101, 0, 0, 0), 2, (1, 1 << 15))
    for state in walk(CupKingGame(2, deck), 1):
        row = state.row
        bunches = [row[k.PILE + suit] + row[k.DISCARD + suit] for suit in range(k.SUITS)]
        for seat in range(2):
            for suit in range(k.SUITS):
                bunches[suit] += row[k.HAND + 5 * seat + suit] + row[k.OPEN + 5 * seat + suit]
        assert tuple(bunches) == deck.cards


@pytest.mark.parametrize("options", [{}, {"removal": "careful"}], ids=str)
def test_their_search_plays_a_whole_game_here(options: dict[str, Any]) -> None:
    game = load("cup-king", 2, **options)
    players: list[Player] = [OpenSpielIsmcts(game, 1, 0.0, simulations=4), Sensible(game, 1)]
    assert play_out(game, players, 1).position.outcome() is not None
