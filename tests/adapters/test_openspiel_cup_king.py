"""Cup King as OpenSpiel sees it."""

from __future__ import annotations

from random import Random

import pytest

pyspiel = pytest.importorskip("pyspiel")

from cupboard.adapters.openspiel_cup_king import CupKingGame, CupKingState, Deck  # noqa: E402
from cupboard.adapters.openspiel_ismcts import OpenSpielIsmcts  # noqa: E402
from cupboard.core.registry import load  # noqa: E402
from cupboard.core.testing_games import play_out  # noqa: E402
from cupboard.games.cup_king import layout as k  # noqa: E402
from cupboard.players import Player  # noqa: E402
from cupboard.players.sensible import Sensible  # noqa: E402


def walk(game: CupKingGame, seed: int) -> list[CupKingState]:
    """The states of a random game."""
    rng, state, seen = Random(seed), game.new_initial_state(), []
    while not state.is_terminal():
        seen.append(state.clone())
        if state.is_chance_node():
            codes, chances = zip(*state.chance_outcomes(), strict=True)
            assert abs(sum(chances) - 1) < 1e-9
            state.apply_action(rng.choices(codes, chances)[0])
        else:
            state.apply_action(rng.choice(state.legal_actions()))
    return [*seen, state]


@pytest.mark.parametrize("seats", [2, 4])
def test_a_random_game_ends_with_one_point_shared_out(seats: int) -> None:
    assert abs(sum(walk(CupKingGame(seats), seats)[-1].returns()) - 1) < 1e-9


def test_a_state_dealt_anew_looks_the_same_to_the_player_and_is_another() -> None:
    sample = pyspiel.UniformProbabilitySampler(0.0, 1.0)
    changed = 0
    for state in walk(CupKingGame(2), 3):
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


def test_their_search_plays_a_whole_game_here() -> None:
    game = load("cup-king", 2)
    players: list[Player] = [OpenSpielIsmcts(game, 1, 0.0, simulations=4), Sensible(game, 1)]
    assert play_out(game, players, 1).position.outcome() is not None
