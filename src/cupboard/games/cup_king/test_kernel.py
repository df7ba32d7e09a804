"""The kernel does what the reference does, move by move, under every option."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb
from random import Random
from typing import Any

import numpy as np
import pytest

from cupboard.core.kernel import CHANCE, LIVE, OVER, PLY, POINT, SEATS, TURN, Kernel, Row
from cupboard.core.playouts import perft
from cupboard.core.row import by_entry
from cupboard.games.cup_king import kernel
from cupboard.games.cup_king import layout as ck
from cupboard.games.cup_king.flick import HANDS
from cupboard.games.cup_king.odds import odds
from cupboard.games.cup_king.poses import Pose
from cupboard.games.cup_king.pyramid import SHAPES, part, supported, without_loners
from cupboard.games.cup_king.reference import (
    CLASSES,
    COLOURS,
    NATURE,
    Event,
    Move,
    Reference,
    agrees,
    possible_worlds,
    settlings,
)
from cupboard.games.cup_king.shapes import connected, placing

KERNEL = Kernel.of(kernel)
CELLS = {slot: (row, col) for slot, (row, col) in enumerate((row, col) for row in range(5) for col in range(5 - row))}
FLAGS = {
    ("removal", "flick"): ck.FLICK,
    ("experienced_ones", True): ck.EXPERIENCED,
    ("extras_distinct", True): ck.EXTRAS_DISTINCT,
    ("end", "three_left"): ck.THREE_ARE_LEFT,
    ("auto_draw", False): ck.MANUAL_DRAW,
    ("starter_may_shoot", True): ck.STARTER_MAY_SHOOT,
    ("tie", "cards"): ck.CARDS_BREAK_TIES,
}
OPTION_SETS: list[dict[str, Any]] = [
    {},
    {"removal": "careful"},
    {"removal": "careful", "experienced_ones": True},
    {"experienced_ones": True, "extras_distinct": True},
    {"removal": "careful", "auto_draw": False},
    {"auto_draw": False, "experienced_ones": True, "starter_may_shoot": True},
    {"removal": "careful", "end": "three_left", "tie": "cards", "starter_may_shoot": True},
    {"removal": "careful", "games": 3},
    {"two_fingers": "A"},
    {"two_fingers": "BC", "hand": "child", "games": 2},
]


def start(seats: int, options: dict[str, Any]) -> Row:
    row = np.zeros(ck.SIZE, np.int64)
    chosen = {"removal": "flick", **options}.items()
    flags = sum(FLAGS.get((name, value), 0) for name, value in chosen if name != "games")
    flags |= (options.get("hand") == "child") << ck.HAND_AT
    flags |= sum(1 << ck.TWO_FINGERS_AT + "ABCDEF".index(seat) for seat in options.get("two_fingers", ""))
    KERNEL.setup(row, np.array(by_entry({SEATS: seats, ck.GAMES: options.get("games", 1), ck.RULES: flags})))
    return row


def cells(slots: int) -> frozenset[tuple[int, int]]:
    return frozenset(cell for slot, cell in CELLS.items() if slots >> slot & 1)


def breaks_of(bits: int) -> frozenset[int]:
    return frozenset(column for column in range(bits.bit_length()) if bits >> column & 1)


def card(index: int) -> str:
    return f"{COLOURS[index // 8]}{index % 8 + 1}"


def decoded(row: Row, code: int) -> Move:
    """A code in the reference's words."""
    phase = row[ck.PHASE]
    if phase in (ck.DEALING, ck.DRAWING):
        return "card", card(code)
    if phase == ck.BUILDING:
        return "build", COLOURS[code]
    if phase == ck.LOT:
        return "lot", code
    if phase == ck.SETTLING:
        return "settle", cells(code & ck.FULL_15), breaks_of(code >> ck.BREAKS_AT)
    if phase == ck.OFFERED:
        return ("draw",) if code else ("forget",)
    if phase == ck.KEEPING:
        return "keep", cells(part(standing(row, int(row[TURN])), code, row[ck.BREAKS]))
    if phase != ck.PLAYING:
        return ("reveal",) if phase == ck.REVEALING else ("put away",)
    if code < ck.CARDS_PLAYED:
        return "shoot", CELLS[code]
    if code >= ck.FLICKS:
        return "flick", CELLS[code & 15], CLASSES[code - ck.FLICKS >> ck.KIND_AT]
    colour = COLOURS[(code >> 12 & 7) - 1]
    base = tuple(f"{colour}{code >> at & 15}" for at in (0, 4, 8) if code >> at & 15)
    extras = tuple(card((code >> at & 63) - 1) for at in (16, 22) if code >> at & 63)
    direction = "anticlockwise" if code & ck.ANTICLOCKWISE else "clockwise"
    return "play", direction if row[ck.SUIT] == ck.NONE else None, base, extras


def standing(row: Row, seat: int) -> int:
    return int(ck.standing(row[ck.PYRAMID + seat]))


def bunch(row: Row, place: int) -> list[str]:
    return [
        card(8 * suit + number)
        for suit in range(5)
        for number in range(8)
        for _ in range(row[place + suit] >> 2 * number & 3)
    ]


def pyramid(row: Row, seat: int) -> dict[tuple[int, int], str]:
    planes = int(row[ck.PYRAMID + seat])
    numbers = {slot: sum((planes >> 15 * k >> slot & 1) << k for k in range(3)) for slot in CELLS}
    return {CELLS[slot]: COLOURS[number - 1] for slot, number in numbers.items() if number}


def assert_same(row: Row, table: Reference) -> None:
    seats = range(table.seats)
    assert row[TURN] == (CHANCE if table.actor == NATURE else table.actor)
    assert [bunch(row, ck.HAND + 5 * seat) for seat in seats] == [sorted_cards(table.hands[s]) for s in seats]
    assert [bunch(row, ck.OPEN + 5 * seat) for seat in seats] == [sorted_cards(table.open[s]) for s in seats]
    assert bunch(row, ck.PILE) == sorted_cards(table.pile)
    assert bunch(row, ck.DISCARD) == sorted_cards(table.discards)
    assert [row[ck.HELD + seat] for seat in seats] == [len(table.hands[seat]) for seat in seats]
    assert row[ck.LEFT] == len(table.pile)
    assert [pyramid(row, seat) for seat in seats] == table.pyramids
    assert [row[ck.TOTAL + seat] for seat in seats] == table.totals
    assert (CELLS[row[ck.SHOT] & 15] if row[ck.SHOT] else None) == table.flicked
    assert breaks_of(int(row[ck.BREAKS])) == table.breaks


def sorted_cards(cards: list[str]) -> list[str]:
    return sorted(cards, key=lambda name: (COLOURS.index(name[0]), name[1]))


def assert_same_game(seats: int, options: dict[str, Any], random: Random) -> int:
    """Play one random game both ways; how many moves it took."""
    row, table = start(seats, options), Reference(seats, **options)
    while row[TURN] != OVER:
        assert_same(row, table)
        listed = KERNEL.codes(row)
        by_name = {decoded(row, code): code for code in listed}
        assert len(by_name) == len(listed)
        assert by_name.keys() == set(table.moves())
        if row[TURN] == CHANCE and row[ck.PHASE] == ck.SETTLING and random.random() < 0.5:
            code = int(KERNEL.chance(row, np.uint64(random.getrandbits(64))))
            assert code in listed and decoded(row, listed[0]) == table.first_of_nature()
        else:
            code = random.choice(listed)
        move = decoded(row, code)
        KERNEL.play(row, code)
        table.play(move)
    assert table.winners is not None
    out = np.zeros(seats, np.int64)
    KERNEL.scores(row, out)
    assert [seat for seat in range(seats) if out[seat]] == table.winners
    assert {int(score) for score in out if score} == {POINT // len(table.winners)}
    return int(row[PLY])


@pytest.mark.parametrize("options", OPTION_SETS, ids=str)
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_the_kernel_agrees_with_the_reference_in_random_games(seats: int, options: dict[str, Any]) -> None:
    for seed in range(2):
        assert assert_same_game(seats, options, Random(f"{seats} {options} {seed}"))


@pytest.mark.long
@pytest.mark.parametrize("options", OPTION_SETS, ids=str)
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_the_kernel_agrees_with_the_reference_in_many_games(seats: int, options: dict[str, Any]) -> None:
    for seed in range(100):
        assert assert_same_game(seats, options, Random(f"long {seats} {options} {seed}"))


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_perft_of_building_is_the_reference_s(seats: int) -> None:
    assert perft(KERNEL, start(seats, {}), 4) == Reference(seats).perft(4)


@pytest.mark.parametrize("options", [*OPTION_SETS[:7], *OPTION_SETS[8:]], ids=str)
@pytest.mark.parametrize("seats", [2, 3, 6])
def test_perft_from_built_positions_is_the_reference_s(seats: int, options: dict[str, Any]) -> None:
    row, table = built(seats, options, Random(seats))
    assert perft(KERNEL, row, 2) == table.perft(2)


def built(seats: int, options: dict[str, Any], random: Random) -> tuple[Row, Reference]:
    """A round about to begin after random dealing and building, both ways."""
    row, table = start(seats, options), Reference(seats, **options)
    while row[ck.PHASE] != ck.PLAYING:
        code = random.choice(KERNEL.codes(row))
        table.play(decoded(row, code))
        KERNEL.play(row, code)
    return row, table


def most_plays() -> int:
    """The most plays any hand of ten cards has, found by trying every kind of hand.

    A colour's kind is how many 1s, how many other values once and how many twice are held: all that matters.
    """

    def choose(once: int, twice: int, size: int) -> int:
        kinds = once + twice
        return [1, kinds, comb(kinds, 2) + twice, comb(kinds, 3) + twice * (kinds - 1)][size]

    def plays(hand: tuple[tuple[int, int, int], ...]) -> int:
        total = 0
        for colour in range(5):
            ones, once, twice = hand[colour]
            others = [kind for i, kind in enumerate(hand) if i != colour]
            kinds = sum((kind[0] > 0) + kind[1] + kind[2] for kind in others)
            pairs = comb(kinds, 2) + sum((kind[0] == 2) + kind[2] for kind in others)
            total += sum(choose(once, twice, size) for size in (1, 2, 3))
            total += sum(choose(once, twice, size) for size in (0, 1, 2)) * (1 + kinds) * (ones > 0)
            total += sum(choose(once, twice, size) for size in (0, 1)) * (1 + kinds + pairs) * (ones == 2)
        return total

    kinds = [(a, b, c) for a in range(3) for b in range(8) for c in range(8 - b) if a + b + 2 * c <= 10]
    size = {kind: kind[0] + kind[1] + 2 * kind[2] for kind in kinds}
    by_size = sorted(kinds, key=lambda kind: size[kind])
    best = 0
    stack: list[tuple[tuple[int, int, int], ...]] = [(kind,) for kind in by_size]
    while stack:
        hand = stack.pop()
        if len(hand) == 5:
            best = max(best, plays(hand))
            continue
        left = 10 - sum(size[kind] for kind in hand)
        first = by_size.index(hand[-1])
        stack += [(*hand, kind) for kind in by_size[first:] if size[kind] <= left]
    return best


def test_no_seat_has_more_than_max_moves() -> None:
    """Each of fifteen buckets may be flicked in three ways beside the most plays in both directions."""
    assert 2 * most_plays() + 3 * 15 == ck.MAX_MOVES


def test_the_fullest_hand_reaches_max_moves() -> None:
    row, _ = built(3, {"experienced_ones": True, "starter_may_shoot": True}, Random(1))
    hand = ck.HAND + 5 * int(row[TURN])
    row[hand : hand + 5] = 0
    row[hand] = 0b10 + (0b101 << 4)  # R1 R1 R3 R4
    row[hand + 1] = 0b010101010101  # Y1 to Y6
    assert len(KERNEL.codes(row)) == len(set(KERNEL.codes(row))) == ck.MAX_MOVES


def settling(slots: int, slot: int, kind: int = 1, hand: int = 0) -> Row:
    """The first seat of two has flicked `slot` out of a pyramid of these slots, all of them red."""
    row = start(2, {})
    row[ck.RULES] |= hand << ck.HAND_AT
    row[ck.PYRAMID + 1] = ck.FULL_15
    row[ck.PYRAMID], row[ck.ACTOR] = slots, 0
    row[TURN], row[ck.PHASE], row[ck.SHOT] = CHANCE, ck.SETTLING, ck.FLICKS | kind << ck.KIND_AT | slot
    return row


def test_a_pyramid_settles_in_at_most_156_ways_one_of_which_is_the_careful_one() -> None:
    """Of every pyramid in one part and every bucket of it; so nature has fewer than MAX_MOVES (CK-13, CK-14)."""
    ways = {}
    for slots in connected():
        for slot in CELLS:
            if slots >> slot & 1:
                row = settling(slots, slot)
                listed = KERNEL.codes(row)
                names = [decoded(row, code) for code in listed]
                assert set(names) == set(settlings(cells(slots), CELLS[slot])) and len(set(names)) == len(names)
                assert listed[0] == without_loners(supported(slots & ~(1 << slot)), 0)
                ways[slots, slot] = len(names)
    assert max(ways.values()) == ways[ck.FULL_15, 14] == 156 < ck.MAX_MOVES
    assert len(ways) > 500


@pytest.mark.parametrize(("kind", "hand"), [(0, 0), (2, 1)])
def test_nature_settles_with_the_odds_of_the_class_and_the_hand(kind: int, hand: int) -> None:
    """Every pyramid where it stands, mirrored or not, though the odds are kept for one form of it.

    Evenly spaced numbers draw each outcome exactly as often as it was counted.
    """
    mirrored_breaks = 0
    for slots in connected():
        for slot in CELLS:
            if slots >> slot & 1:
                row = settling(slots, slot, kind, hand)
                known = odds(tuple(HANDS)[hand], CLASSES[kind], slots, slot)
                numbers = [((2 * n + 1 << 32) // (2 * known.flicks)) << 32 for n in range(known.flicks)]
                assert Counter(int(KERNEL.chance(row, np.uint64(bits))) for bits in numbers) == known.counts
                breaks = any(code >> ck.BREAKS_AT for code in known.counts)
                mirrored_breaks += breaks and placing(slots)[1].is_mirrored
    assert mirrored_breaks > 0 or kind == 0


def test_an_aim_makes_no_difference_to_the_kernel_but_for_its_class() -> None:
    row, other = settling(ck.FULL_15, 2, kind=2), settling(ck.FULL_15, 2, kind=2)
    other[ck.SHOT] |= 123_456_789 << ck.AIM_AT
    assert KERNEL.codes(row) == KERNEL.codes(other)
    for bits in range(0, 1 << 64, 1 << 59):
        assert KERNEL.chance(row, np.uint64(bits)) == KERNEL.chance(other, np.uint64(bits))


def shift(row: Row, seat: int, slot: int) -> slice:
    """Shift a bucket; where the row keeps that."""
    at = ck.POSE + 2 * ck.SLOTS * seat + 2 * slot
    row[at : at + 2] = Pose(120, -30, 5, 0, 10, 700).packed()
    return slice(at, at + 2)


def test_a_bucket_stays_shifted_until_it_is_lost() -> None:
    """CK-14 B: nature keeps a1 and a2 without b1, then the owner keeps the part with a1 alone."""
    row = settling(0b11 | 1 << 5 | 0b11000, 5)
    kept, lost = shift(row, 0, 0), shift(row, 0, 5)
    row[ck.PYRAMID] = 0b11 | 1 << 5
    others = shift(row, 1, 14)
    packed = row[kept].copy()
    KERNEL.play(row, 0b11 | 1 << ck.BREAKS_AT)
    assert row[ck.PHASE] == ck.KEEPING and row[ck.BREAKS] == 1 and row[ck.SHOT] == 0
    assert row[kept].tolist() == packed.tolist() == row[others].tolist() and not row[lost].any()
    keeps_right = row.copy()
    KERNEL.play(row, 0)
    assert row[kept].tolist() == packed.tolist() and row[ck.BREAKS] == 0
    KERNEL.play(keeps_right, 1)
    assert not keeps_right[kept].any() and keeps_right[others].tolist() == packed.tolist()


def test_a_careful_seat_keeps_what_is_shifted_and_forgets_what_it_takes_out() -> None:
    row, _ = built(2, {"two_fingers": "A", "starter_may_shoot": True}, Random(3))
    row[TURN] = row[ck.ACTOR] = 0
    top, base = shift(row, 0, 14), shift(row, 0, 0)
    KERNEL.play(row, 14)
    assert not row[top].any() and row[base].all()


def test_the_next_game_of_a_match_begins_with_nothing_shifted() -> None:
    row = settling(1, 0)
    row[ck.GAMES] = 2
    shift(row, 0, 0)
    shift(row, 1, 3)
    KERNEL.play(row, 0)
    assert row[ck.GAME] == 2 and not row[ck.SHOT : ck.SIZE].any()


def test_seats_may_build_in_any_order() -> None:
    one, other = start(3, {}), start(3, {})
    for row in (one, other):
        while row[TURN] == CHANCE:
            KERNEL.play(row, KERNEL.codes(row)[0])
    plans = [Random(seat).sample("RRRYYYGGGBBBPPP", 15) for seat in range(3)]
    for row, order in ((one, (0, 1, 2)), (other, (2, 0, 1))):
        for seat in order:
            row[TURN] = seat
            for colour in plans[seat]:
                KERNEL.play(row, COLOURS.index(colour))
    assert one.tolist() == other.tolist()
    assert one[ck.PHASE] == ck.REVEALING


def test_every_card_of_the_pile_is_as_likely_and_none_else() -> None:
    row, _ = built(4, {}, Random(5))
    row[TURN], row[ck.PHASE], row[ck.DRAWS] = CHANCE, ck.DRAWING, 1
    random, tally = Random(6), dict.fromkeys(bunch(row, ck.PILE), 0)
    for _ in range(4000):
        tally[card(int(KERNEL.chance(row, np.uint64(random.getrandbits(64)))))] += 1
    share = 4000 / row[ck.LEFT]
    for name, times in tally.items():
        assert abs(times - share * bunch(row, ck.PILE).count(name)) < 60


def test_key_forgets_the_past_and_nothing_else() -> None:
    row, _ = built(3, {}, Random(2))
    before = KERNEL.key(row)
    row[PLY] += 5
    assert KERNEL.key(row) == before
    for entry in range(SEATS, ck.POSE):
        changed = row.copy()
        changed[entry] += 1
        assert KERNEL.key(changed) != before, entry


def test_key_ignores_how_buckets_are_shifted() -> None:
    """No rule asks for it, and the odds that searches draw from do not know it."""
    row, _ = built(3, {}, Random(2))
    before = KERNEL.key(row)
    for slot in CELLS:
        shift(row, 2, slot)
    assert KERNEL.key(row) == before


def test_the_row_holds_two_words_for_each_bucket_of_six_seats_at_its_end() -> None:
    assert ck.SIZE - ck.POSE == 2 * 15 * 6
    assert shift(np.zeros(ck.SIZE, np.int64), 5, 14).stop == ck.SIZE == len(start(6, {}))


def test_redeal_reads_only_what_the_seat_sees_and_keeps_it() -> None:
    """A flick under way, breaks and shifted buckets are in everybody's sight."""
    for seed in range(20):
        random = Random(seed)
        row, _ = built(4, {"experienced_ones": True}, random)
        for seat in range(4):
            shift(row, seat, random.randrange(15))
        for _ in range(60):
            KERNEL.play(row, random.choice(KERNEL.codes(row)))
            if row[TURN] == OVER:
                break
            seat = random.randrange(-1, 4)
            blank = blanked(row, seat)
            once, again = row.copy(), blank.copy()
            number = random.getrandbits(64)
            KERNEL.redeal(once, seat, np.uint64(number))
            KERNEL.redeal(again, seat, np.uint64(number))
            assert once.tolist() == again.tolist()
            assert blanked(once, seat).tolist() == blank.tolist()
            assert once[ck.SHOT : ck.SIZE].tolist() == row[ck.SHOT : ck.SIZE].tolist()
            everything = [name for place in range(ck.HAND, ck.SHOT, 5) for name in bunch(once, place)]
            assert len(everything) == 80
            assert {everything.count(name) for name in everything} == {2}
            assert len(bunch(once, ck.PILE)) == row[ck.LEFT]
            assert [len(bunch(once, ck.HAND + 5 * s)) for s in range(4)] == [row[ck.HELD + s] for s in range(4)]


def blanked(row: Row, seat: int) -> Row:
    """The row without what the seat may not see."""
    blank = row.copy()
    blank[ck.PILE : ck.PILE + 5] = 0
    for other in range(int(row[SEATS])):
        if other != seat:
            blank[ck.HAND + 5 * other : ck.HAND + 5 * other + 5] = 0
        if other != seat and row[ck.PHASE] <= ck.REVEALING:
            blank[ck.PYRAMID + other] = standing(row, other) * ck.PLANES
    return blank


def test_redeal_paints_hidden_pyramids_with_the_right_buckets() -> None:
    row = start(5, {})
    random = Random(3)
    while row[ck.PHASE] != ck.REVEALING:
        KERNEL.play(row, random.choice(KERNEL.codes(row)))
    seen = set()
    for number in range(20):
        other = blanked(row, 2)
        KERNEL.redeal(other, 2, np.uint64(random.getrandbits(64)))
        assert pyramid(other, 2) == pyramid(row, 2)
        for seat in (0, 1, 3, 4):
            colours = pyramid(other, seat).values()
            assert sorted(colours) == sorted("RRYYGGBBPP"), number
            seen.add("".join(colours))
    assert len(seen) > 70


def test_redeal_gives_every_unseen_card_its_chance() -> None:
    row, _ = built(3, {}, Random(4))
    unseen = bunch(row, ck.PILE) + bunch(row, ck.HAND + 5) + bunch(row, ck.HAND + 10)
    random, tally = Random(5), dict.fromkeys(unseen, 0)
    for _ in range(1000):
        other = row.copy()
        KERNEL.redeal(other, 0, np.uint64(random.getrandbits(64)))
        for name in bunch(other, ck.HAND + 5):
            tally[name] += 1
    for name, times in tally.items():
        assert abs(times - 10_000 * unseen.count(name) / len(unseen)) < 100


def test_a_shape_has_132_ways_to_stand() -> None:
    ways = [slots for slots in range(1 << 15) if supported(slots) == slots]
    assert len(ways) == 132 and sorted(SHAPES.tolist()) == ways
    assert len([slots for slots in ways if not slots & ~ck.FULL_10]) == 42


def test_pairs_of_values_never_overflow_a_counter() -> None:
    for a, b in combinations_with_replacement(range(8), 2):
        assert ck.cards_in((1 << 2 * a) + (1 << 2 * b)) == 2
    assert ck.cards_in(ck.TWO_OF_EACH) == 16


# KA-28: what somebody can know who forgets nothing.

SMALL_DECKS = ["R1 R1 R2 R2 Y3 Y3 Y4 G5 G5 G6", "R1 R1 R2 R2 Y3 Y3 Y4 G5"]


def small_game(deck: list[str], hand: int, seats: int, random: Random) -> tuple[Row, Reference]:
    """A round about to begin with a small deck, in a row that has room for its past."""
    built_row, table = built(seats, {"removal": "careful"}, random)
    row = np.zeros(ck.SIZE + 1000, np.int64)
    row[: ck.SIZE] = built_row
    row[ck.HAND : ck.OPEN] = row[ck.PILE : ck.DISCARD] = 0
    random.shuffle(deck)
    table.pile, table.past = deck[hand * seats :], []
    for seat in range(seats):
        table.hands[seat] = deck[hand * seat : hand * seat + hand]
        table.past += [("drew", seat, name) for name in table.hands[seat]]
        row[ck.HELD + seat] = hand
        for name in table.hands[seat]:
            put(row, ck.HAND + 5 * seat, name)
    for name in table.pile:
        put(row, ck.PILE, name)
    row[ck.LEFT] = len(table.pile)
    return row, table


def index(name: str) -> int:
    return 8 * COLOURS.index(name[0]) + int(name[1]) - 1


def put(row: Row, place: int, name: str) -> None:
    row[place + index(name) // 8] += 1 << 2 * (index(name) % 8)


def play_small(row: Row, table: Reference, random: Random) -> None:
    """Show a card whatever it is worth, draw one, or give up a bucket to end the round."""
    if table.actor == NATURE:
        name = random.choice(table.pile)
        table.play(("card", name))
        KERNEL.play(row, index(name))
        return
    seat = int(row[TURN])
    can_draw = table.pile or table.discards
    if table.hands[seat] and can_draw and random.random() < 0.75:
        name = random.choice(table.hands[seat])
        table.play(("play", "clockwise", (name,), ()))
        KERNEL.play(row, ck.CARDS_PLAYED * (index(name) // 8 + 1) + int(name[1]))
    else:
        slot = standing(row, seat).bit_length() - 1
        table.play(("shoot", CELLS[slot]))
        KERNEL.play(row, slot)


def world(row: Row) -> tuple[tuple[str, ...], ...]:
    hands = [bunch(row, ck.HAND + 5 * seat) for seat in range(row[SEATS])]
    return tuple(tuple(cards) for cards in (*hands, bunch(row, ck.PILE)))


@pytest.mark.parametrize(
    ("deck", "hand", "seats"), [(SMALL_DECKS[0], 3, 2), (SMALL_DECKS[0], 2, 3), (SMALL_DECKS[1], 1, 4)], ids=str
)
def test_worlds_are_as_likely_as_following_every_card_makes_them(deck: str, hand: int, seats: int) -> None:
    tried = unsure = 0
    for seed in range(10):
        random = Random(f"{deck} {seats} {seed}")
        row, table = small_game(deck.split(), hand, seats, random)
        for _ in range(random.randrange(12, 26)):
            play_small(row, table, random)
        if row[LIVE] == ck.SIZE:
            continue
        viewer = random.choice([None, *range(seats)])
        expected = possible_worlds(deck.split(), seats, table.past, viewer)
        assert world(row) in expected
        found = Counter(dealt(row, -1 if viewer is None else viewer, random) for _ in range(2000))
        assert found.keys() <= expected.keys()
        assert chi_square(found, expected, 2000) < 4.5, seed
        tried += 1
        unsure += len(expected) > 1
    assert tried > 6 and unsure > 4


def dealt(row: Row, seat: int, random: Random) -> tuple[tuple[str, ...], ...]:
    other = row.copy()
    KERNEL.redeal(other, seat, np.uint64(random.getrandbits(64)))
    return world(other)


def chi_square(found: Counter[Any], expected: dict[Any, Fraction], times: int) -> float:
    """How many standard deviations too large the statistic is; worlds that are rare are counted together."""
    rare = {key for key, share in expected.items() if share * times < 8}
    cells = [(found[key], float(share * times)) for key, share in expected.items() if key not in rare]
    if rare:
        cells.append((sum(found[key] for key in rare), float(sum(expected[key] for key in rare) * times)))
    cells = [(seen, mean) for seen, mean in cells if mean > 0]
    freedom = max(1, len(cells) - 1)
    statistic = sum((seen - mean) ** 2 / mean for seen, mean in cells)
    return float((statistic - freedom) / (2 * freedom) ** 0.5)


def long_game(
    seats: int, options: dict[str, Any], random: Random
) -> Iterator[tuple[Row, Reference, list[Counter[str]]]]:
    """A game with most of the pile discarded and few cards played at a time, so that discards are shuffled often."""
    row = np.zeros(ck.SIZE + 4000, np.int64)
    row[: ck.SIZE], table = built(seats, options, random)
    random.shuffle(table.pile)
    table.discards, table.pile = table.pile[4:], table.pile[:4]
    for place, cards in ((ck.PILE, table.pile), (ck.DISCARD, table.discards)):
        row[place : place + 5] = 0
        for name in cards:
            put(row, place, name)
    row[ck.LEFT] = 4
    piles: list[Counter[str]] = []
    while row[TURN] != OVER:
        listed = KERNEL.codes(row)
        code = random.choice(listed)
        if row[ck.PHASE] == ck.PLAYING and random.random() < 0.9:
            lowest = sorted(play for play in listed if ck.CARDS_PLAYED <= play < ck.FLICKS)[:3]
            code = random.choice(lowest) if lowest else max(listed)
        elif row[ck.PHASE] == ck.SETTLING:
            code = listed[0]
        move, shuffles, game = decoded(row, code), len(table.past), table.game
        KERNEL.play(row, code)
        table.play(move)
        if table.game != game:
            shuffles, piles = 0, []
        if any(word == "shuffled" for word, _, _ in table.past[shuffles:]):
            piles.append(Counter(table.pile))
        yield row, table, piles


def told(row: Row, past: list[Event]) -> list[Event]:
    """What the row says happened since the first reshuffle; when cards were cleared only `past` knows."""
    words = ("drew", "showed")
    entries = [entry for entry in row[ck.SIZE : row[LIVE]].tolist() if entry >> ck.KIND != ck.SHUFFLED]
    assert all(entry & 63 for entry in entries), "a card without a name"
    cards = iter([(words[entry >> ck.KIND], entry >> 6 & 7, card((entry & 63) - 1)) for entry in entries])
    first = next(n for n, event in enumerate(past) if event[0] == "shuffled")
    return [next(cards) if event[0] in words else event for event in past[first:]]


@pytest.mark.parametrize("options", [{}, OPTION_SETS[3], OPTION_SETS[5], OPTION_SETS[7], OPTION_SETS[8]], ids=str)
@pytest.mark.parametrize("seats", [2, 3, 4, 6])
def test_every_world_agrees_with_all_that_was_ever_open(seats: int, options: dict[str, Any]) -> None:
    """KA-28, in whole games with the full deck: a world comes with what each seat drew in it, which proves it."""
    random = Random(f"{seats} {options}")
    looked = 0
    while looked < 40:
        for row, table, piles in long_game(seats, options, random):
            assert (row[LIVE] > ck.SIZE) == bool(piles)
            if not piles or random.random() < 0.8:
                continue
            true = told(row, table.past)
            assert true == table.past[-len(true) :] and agrees(true, piles, world(row))
            viewer, imagined = random.randrange(-1, seats), row.copy()
            KERNEL.redeal(imagined, viewer, np.uint64(random.getrandbits(64)))
            events = told(imagined, table.past)
            for ours, theirs in zip(events, true, strict=True):
                public = ours[0] == "showed" or ours[1] == viewer
                assert ours[:2] == theirs[:2] and (ours == theirs or not public)
            assert agrees(events, piles, world(imagined))
            looked += 1


def test_a_row_without_room_forgets_rather_than_remembers_half() -> None:
    for row, _, piles in long_game(3, {}, Random(3)):
        if not piles or row[TURN] == OVER:
            continue
        narrow = row[: row[LIVE]].copy()
        for _ in range(30):
            listed = KERNEL.codes(narrow)
            KERNEL.play(narrow, listed[0])
            if narrow[TURN] == OVER:
                break
            assert narrow[LIVE] == ck.SIZE or narrow[ck.SIZE] >> ck.KIND == ck.SHUFFLED
            assert len(bunch(narrow, ck.PILE)) == narrow[ck.LEFT]
