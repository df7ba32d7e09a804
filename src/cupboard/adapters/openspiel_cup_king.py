"""Cup King as an OpenSpiel game: the kernel's rows behind pyspiel's Python game interface.

Actions are the kernel's move codes; draws, and what comes of a flick, are explicit chance nodes. The cards that a
player cannot see can be dealt anew, which OpenSpiel's information-set search needs. A `Deck` makes the game small
enough to be solved: fewer cards, smaller hands and pyramids, with unchanged rules.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import comb
from typing import Any

import numpy as np
import pyspiel

from cupboard.core.kernel import REDEAL, fast
from cupboard.core.prng import below, shifted, starred
from cupboard.core.row import CHANCE, OVER, POINT, SEATS, TURN, Row, by_entry
from cupboard.games.cup_king import kernel
from cupboard.games.cup_king import layout as k
from cupboard.games.cup_king.flick import CLASSES, HANDS
from cupboard.games.cup_king.odds import odds

MAX_CODE = 1 << k.AIM_AT
"""All codes are below this: of flicks there are only the usual ones, without an aim of their own."""
MAX_REST = 1 << k.BREAKS_AT + 4
"""All codes of a pyramid that has come to rest are below this."""


@dataclass(frozen=True)
class Deck:
    """The cards of the game, the size of a hand, and the pyramids as kernel words if they are built in advance."""

    cards: tuple[int, ...] = (k.TWO_OF_EACH,) * k.SUITS
    hand: int = k.DEALT
    pyramids: tuple[int, ...] = ()

    @property
    def size(self) -> int:
        """The number of cards in the deck."""
        return sum(bits >> 2 * place & 3 for bits in self.cards for place in range(k.VALUES))

    @property
    def is_single(self) -> bool:
        """Whether no card is in the deck twice."""
        return all(bits & 0xAAAA == 0 for bits in self.cards)


FULL = Deck()
DECK = k.HAND + k.SUITS * (k.MAX_SEATS - 1)
"""Where a row keeps the cards of its deck: the place of the sixth hand, which is free with fewer than six seats."""


@fast(REDEAL)
def redeal(row, seat, random):  # type: ignore[no-untyped-def]
    """Deal the cards that `seat` cannot see anew, like the kernel's redeal, but from the state's own deck.

    Only for rows in which the pyramids are shown.
    """
    state = random | np.uint64(1)
    unseen = np.empty(k.DECK, np.int64)
    n = 0
    for suit in range(k.SUITS):
        counters = row[DECK + suit] - row[k.DISCARD + suit] - row[k.HAND + k.SUITS * seat + suit]
        for other in range(row[SEATS]):
            counters -= row[k.OPEN + k.SUITS * other + suit]
        row[k.PILE + suit] = counters
        for place in range(k.VALUES):
            for _ in range(counters >> (2 * place) & 3):
                unseen[n] = suit * k.VALUES + place
                n += 1
    for other in range(row[SEATS]):
        if other == seat:
            continue
        hand = k.HAND + k.SUITS * other
        row[hand : hand + k.SUITS] = 0
        for _ in range(row[k.HELD + other]):
            state = shifted(state)
            i = below(n, starred(state))
            n -= 1
            copy = np.int64(1) << (2 * (unseen[i] % k.VALUES))
            row[k.PILE + unseen[i] // k.VALUES] -= copy
            row[hand + unseen[i] // k.VALUES] += copy
            unseen[i] = unseen[n]


@cache
def _rests(hand: int, kind: int, slots: int, slot: int) -> tuple[tuple[int, float], ...]:
    """What may stay of a pyramid after a flick, as codes of nature with their probabilities."""
    counted = odds(tuple(HANDS)[hand], CLASSES[kind], slots, slot)
    return tuple((code, times / counted.flicks) for code, times in sorted(counted.counts.items()))


_UTILITY = pyspiel.GameType.Utility.CONSTANT_SUM


def game_type(name: str) -> Any:
    """The description of the game under this name that OpenSpiel asks for."""
    return pyspiel.GameType(
        short_name=name,
        long_name="Cup King",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=_UTILITY,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=6,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=False,
        provides_factored_observation_string=False,
        parameter_specification={},
    )


class CupKingGame(pyspiel.Game):  # type: ignore[misc]
    """Cup King for a number of seats and a deck; utilities are shares of the one point.

    `rules` are the kernel's bits: by default removal is careful (CK-V3), with layout.FLICK buckets are flicked.
    """

    def __init__(self, seats: int = 2, deck: Deck = FULL, rules: int = 0) -> None:
        super().__init__(
            game_type("cupboard_cup_king"),
            pyspiel.GameInfo(
                num_distinct_actions=MAX_CODE,
                max_chance_outcomes=MAX_REST if rules & k.FLICK else k.CARDS,
                num_players=seats,
                min_utility=0.0,
                max_utility=1.0,
                utility_sum=1.0,
                max_game_length=5000,
            ),
            {},
        )
        self.seats, self.deck, self.rules = seats, deck, rules

    def make_py_observer(self, kind: Any = None, params: Any = None) -> _Observer:
        """The observer through which OpenSpiel's C++ side reads what a player sees."""
        return _Observer(kind is not None and kind.perfect_recall)

    def __deepcopy__(self, memo: object) -> CupKingGame:
        return self  # OpenSpiel copies a state with all it refers to

    def new_initial_state(self, *given: Any) -> CupKingState:
        """The state before the deal, which is a chance node."""
        row = np.zeros(k.SIZE, np.int64)
        kernel.setup(row, np.array(by_entry({SEATS: self.seats, k.GAMES: 1, k.RULES: self.rules}), np.int64))
        row[k.PILE : k.PILE + k.SUITS] = self.deck.cards
        row[k.LEFT] = self.deck.size
        row[k.DRAWS] = self.deck.hand
        row[DECK : DECK + k.SUITS] = self.deck.cards
        return CupKingState(self, row)


class _Observer:
    """An observer that gives OpenSpiel what a player sees, as text only."""

    def __init__(self, remembers: bool) -> None:
        self._remembers = remembers
        self.tensor = np.zeros(0, np.float32)
        self.dict: dict[str, Any] = {}

    def set_from(self, state: CupKingState, player: int) -> None:
        """Do nothing: there is no tensor to fill."""

    def string_from(self, state: CupKingState, player: int) -> str:
        """What the player sees now, or all it has seen so far if perfect recall was asked for."""
        return state.information_state_string(player) if self._remembers else state.observation_string(player)


class CupKingState(pyspiel.State):  # type: ignore[misc]
    """A state of the game with all cards; what a player sees of it is its information state."""

    def __init__(self, game: CupKingGame, row: Row, past: tuple[tuple[str, ...], ...] = ()) -> None:
        super().__init__(game)
        self._of = game
        self.row = row
        # What each seat has seen happen, for an information state with perfect recall.
        self.past = past or tuple(() for _ in range(game.seats))

    def current_player(self) -> int:
        """The seat to act, or OpenSpiel's numbers for chance and for the end."""
        turn = int(self.row[TURN])
        if turn == OVER:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if turn == CHANCE else turn

    def _codes(self) -> Row:
        out = np.empty(k.MAX_MOVES, np.int64)
        return out[: kernel.moves(self.row, out)]

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self._codes().tolist())

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The actions of chance with their probabilities.

        Every card of the pile is equally likely; what is left after a flick has the odds that simulations counted.
        """
        phase = self.row[k.PHASE]
        if phase == k.DEALING and self._of.deck.is_single:
            return self._rising()
        if phase in (k.DEALING, k.DRAWING):
            left = int(self.row[k.LEFT])
            return [(c, (int(self.row[k.PILE + c // 8]) >> 2 * (c % 8) & 3) / left) for c in self._codes().tolist()]
        if phase == k.LOT:
            return [(seat, 1 / self._of.seats) for seat in range(self._of.seats)]
        if phase == k.SETTLING:
            shot, slots = int(self.row[k.SHOT]), k.standing(int(self.row[k.PYRAMID + int(self.row[k.ACTOR])]))
            return list(_rests(int(self.row[k.RULES]) >> k.HAND_AT & 3, shot >> k.KIND_AT & 3, slots, shot & 15))
        return [(int(kernel.chance(self.row, np.uint64(0))), 1.0)]

    def _rising(self) -> list[tuple[int, float]]:
        """The next cards of a deal in rising order, so that every hand is equally likely and the tree stays small."""
        hand = k.HAND + k.SUITS * int(self.row[k.ACTOR])
        last = max((c for c in range(k.CARDS) if int(self.row[hand + c // 8]) >> 2 * (c % 8) & 3), default=-1)
        cards = [c for c in self._codes().tolist() if c > last]
        more = int(self.row[k.DRAWS]) - 1
        ways = comb(len(cards), more + 1)
        later = [(c, comb(len(cards) - i - 1, more)) for i, c in enumerate(cards)]
        return [(c, n / ways) for c, n in later if n]

    def _apply_action(self, action: int) -> None:
        turn, phase, actor = int(self.row[TURN]), int(self.row[k.PHASE]), int(self.row[k.ACTOR])
        hidden = phase in (k.DEALING, k.DRAWING, k.BUILDING)
        owner = turn if turn >= 0 else actor
        self.past = tuple(
            (*past, f"{action}" if not hidden or seat == owner else "?") for seat, past in enumerate(self.past)
        )
        kernel.play(self.row, action)
        self._cut_down(actor)

    def _cut_down(self, actor: int) -> None:
        if self.row[k.PHASE] == k.DEALING and self.row[k.ACTOR] != actor:
            self.row[k.DRAWS] = self._of.deck.hand
        if self.row[k.PHASE] == k.BUILDING and self._of.deck.pyramids:
            for seat, pyramid in enumerate(self._of.deck.pyramids):
                self.row[k.PYRAMID + seat] = pyramid
            self.row[TURN] = CHANCE
            self.row[k.PHASE] = k.LOT

    def _action_to_string(self, player: int, action: int) -> str:
        return f"{player}:{action}"

    def is_terminal(self) -> bool:
        """Whether the game has ended."""
        return bool(self.row[TURN] == OVER)

    def returns(self) -> list[float]:
        """The share of the point of each seat; zeros before the end."""
        if not self.is_terminal():
            return [0.0] * self._of.seats
        shares = np.zeros(self._of.seats, np.int64)
        kernel.scores(self.row, shares)
        return [float(share) / POINT for share in shares]

    def information_state_string(self, player: int | None = None) -> str:
        """All actions so far as a seat has seen them, `?` for hidden ones; by default for the seat to act."""
        seat = self.current_player() if player is None else player
        return f"{seat} " + " ".join(self.past[seat])

    def observation_string(self, player: int | None = None) -> str:
        """The row as a seat sees it now, in hexadecimal; by default for the seat to act."""
        seat = self.current_player() if player is None else player
        return f"{seat} {self.veiled(seat).tobytes().hex()}"

    def veiled(self, seat: int) -> Row:
        """A copy of the row without what the seat cannot see."""
        row = self.row.copy()
        row[2] = 0
        row[k.PILE : k.PILE + k.SUITS] = 0
        for other in range(int(row[SEATS])):
            if other != seat:
                row[k.HAND + 5 * other : k.HAND + 5 * other + 5] = 0
                if row[k.PHASE] <= k.REVEALING:
                    row[k.PYRAMID + other] = 0
        return row

    def resample_from_infostate(self, player: int, sampler: Any) -> CupKingState:
        """Another state that looks the same to the player: the cards it cannot see are dealt anew."""
        other = self.clone()
        random = np.uint64(int(sampler() * (1 << 53)) * 2047 + 1)
        redeal(other.row, player, random)
        return other

    def clone(self) -> CupKingState:
        """An independent copy of the state."""
        return CupKingState(self._of, self.row.copy(), self.past)

    def __deepcopy__(self, memo: object) -> CupKingState:
        return self.clone()

    def __str__(self) -> str:
        return self.row.tobytes().hex()
