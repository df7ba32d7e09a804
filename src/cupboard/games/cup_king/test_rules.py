"""Cup King by the book: every rule, ruling and printed example by its number. The flick's are in test_flick_rules.py.

Not tested, because no code can break them here:

- CK-13, other players' buckets knocked over are put back: nothing here reaches another pyramid.
- KA-26, the editions in which the direction turns are other games.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from cupboard.core.errors import BadOption, BadPosition, BadSeats, IllegalMove
from cupboard.core.game import CHANCE
from cupboard.core.match import Match
from cupboard.core.registry import load
from cupboard.core.testing_games import follow, result, walk
from cupboard.games.cup_king import layout as k
from cupboard.games.cup_king.evaluate import evaluate
from cupboard.games.cup_king.moves import (
    CARD_INDEX,
    SLOT_INDEX,
    SLOTS,
    Build,
    Deal,
    HiddenBuild,
    HiddenDeal,
    Play,
    Shoot,
)
from cupboard.games.cup_king.rules import CupKing, CupKingPosition

BIG, SMALL = "RYGBP/RYGB/RYG/BP/P", "RYGB/RYG/BP/P"


def at(
    hands: str,
    *,
    seats: int = 3,
    pyramids: str = "",
    table: str = "",
    discards: str = "-",
    way: str = ">-",
    what: str = "A",
    match: str = "",
    **options: Any,
) -> CupKingPosition:
    """A moment with these hands; whole pyramids, nothing open and a new round unless said otherwise."""
    game = CupKing(seats, **{"removal": "careful", **options})
    words = [
        pyramids or ";".join([BIG if seats <= 4 else SMALL] * seats),
        hands,
        table or ";".join("-" * seats),
        discards,
        way,
        what,
        match or f"1:{','.join('0' * seats)}",
        "0",
    ]
    return game.read(" ".join(words))


def texts(position: CupKingPosition) -> list[str]:
    return [str(move) for move in position.moves()]


def refused(position: CupKingPosition, move: str) -> str:
    with pytest.raises(IllegalMove) as refusal:
        position.parse(move, position.to_act[0])
    return str(refusal.value)


def started(seats: int, **options: Any) -> CupKingPosition:
    """The first turn of a game dealt and built by lot."""
    match, rng = Match(load("cup-king", seats, **options)), Random(seats)
    match.settle(rng)
    for seat in range(seats):
        match.play(rng.choice(match.position.moves(seat)), seat)
    position = match.settle(rng)
    assert isinstance(position, CupKingPosition)
    return position


# Setup.


def test_ck_1_eighty_cards_two_of_each_value_in_five_colours() -> None:
    pile = CupKing(2).start()._bunch(k.PILE)
    assert len(pile) == 80
    assert {pile.count(f"{colour}{value}") for colour in "RYGBP" for value in range(1, 9)} == {2}


@pytest.mark.parametrize("seats", [4, 6])
def test_ck_1_a_full_table_uses_all_sixty_buckets_twelve_of_each_colour(seats: int) -> None:
    position = started(seats)
    colours = [colour for seat in range(seats) for colour in position.colours(seat).values()]
    assert {colour: colours.count(colour) for colour in "RYGBP"} == dict.fromkeys("RYGBP", 12)


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_ck_2_ten_cards_each_the_rest_is_the_pile(seats: int) -> None:
    position = started(seats)
    assert [len(position.hand(seat)) for seat in range(seats)] == [10] * seats
    assert position.pile == 80 - 10 * seats


def test_ck_2_hands_are_secret() -> None:
    position = started(3)
    for seat in range(3):
        view = position.seen_by(1)
        assert view.hand(seat) == (position.hand(1) if seat == 1 else ())
        assert view.held(seat) == 10
    assert not any(position.seen_by(None).hand(seat) for seat in range(3))


@pytest.mark.parametrize(("seats", "buckets"), [(2, 15), (3, 15), (4, 15), (5, 10), (6, 10)])
def test_ck_3_fifteen_buckets_for_up_to_four_ten_for_more(seats: int, buckets: int) -> None:
    position = started(seats)
    assert [position.buckets(seat) for seat in range(seats)] == [buckets] * seats


def test_ck_4_five_rows_on_a_base_of_five_and_three_of_each_colour() -> None:
    building = follow(CupKing(2).start(), *two_deals())
    assert len(building.moves(0)) == 168_168_000
    built = building.play(building.parse("build:RYGBP/RYGB/RYG/BP/P", 0), 0)
    assert "".join(built.colours(0).values()) == "RYGBPRYGBRYGBPP"
    assert built.colours(0)["c1"] == "R" and built.colours(0)["e1"] == "P"
    assert "5 buckets in its base" in refused(building, "build:RYGB/RYG/BP/P")
    assert "3 buckets of each colour" in refused(building, "build:RRRRP/RYGB/RYG/BP/P")


def test_ck_4_four_rows_on_a_base_of_four_with_five_players() -> None:
    position = CupKing(5).start()
    while position.to_act == (CHANCE,):
        position = position.play(position.chance(Random(1)))
    assert len(position.moves(4)) == 113_400
    assert all(len(move.rows) == 4 for move in position.moves(4)[:5] if isinstance(move, Build))


def test_ck_4_nobody_is_said_to_have_no_buckets_while_they_build() -> None:
    match = Match(load("cup-king", 3))
    building = match.settle(Random(3))
    assert all("cup-king.buckets" not in player.counts for player in building.seen_by(0).scene().players)
    assert all(player.counts["cup-king.buckets"] == 15 for player in started(3).seen_by(0).scene().players)


def test_ck_4_one_builds_knowing_the_own_hand() -> None:
    building = follow(CupKing(2).start(), *two_deals())
    assert len(building.seen_by(0).hand(0)) == 10 and building.to_act == (0, 1)


def two_deals() -> tuple[str, str]:
    return "deal-A:R1,R2,R3,R4,R5,R6,R7,R8,Y1,Y2", "deal-B:G1,G2,G3,G4,G5,G6,G7,G8,B1,B2"


def test_ck_5_the_lot_decides_who_starts() -> None:
    pyramids = f"build:{BIG}"
    position = follow(CupKing(2).start(), *two_deals(), pyramids, pyramids, f"reveal:{BIG};{BIG}")
    assert {str(position.chance(Random(seed))) for seed in range(20)} == {"lot-A", "lot-B"}
    assert follow(position, "lot-B").to_act == (1,)


# The round.


@pytest.mark.parametrize(("way", "next_seat"), [(">", 1), ("<", 2)])
def test_ck_6_the_start_player_chooses_the_direction(way: str, next_seat: int) -> None:
    position = follow(at("R5R6;R7;R8"), f"{way}R5", "deal-A:Y1")
    assert position.to_act == (next_seat,)
    assert "has chosen the direction" in refused(position, "<R7" if next_seat == 1 else "<R8")
    assert "write >R5 for clockwise" in refused(at("R5R6;R7;R8"), "R5")


def test_ck_7_one_plays_cards_or_loses_a_bucket() -> None:
    position = at("-;R6;-", table="R5;-;-", way=">R", what="B")
    assert texts(position) == ["R6", "-a1", "-b1", "-c1"]


def test_ck_8_the_start_player_plays_one_to_three_cards_of_one_colour() -> None:
    position = at("R1R2R3R4Y5;Y1;Y1")
    clockwise = [text for text in texts(position) if text.startswith(">")]
    assert clockwise == [
        ">R1", ">R2+R1", ">R3+R2+R1", ">R4+R2+R1", ">R3+R1", ">R4+R3+R1", ">R4+R1",
        ">R2", ">R3+R2", ">R4+R3+R2", ">R4+R2", ">R3", ">R4+R3", ">R4", ">Y5",
    ]  # fmt: skip
    assert "At most three" in refused(position, ">R4+R3+R2+R1")
    assert "All cards must be of one colour" in refused(position, ">R4+Y5")
    assert follow(position, ">R4+R3").to_beat == 7


def test_ck_9_the_printed_example() -> None:
    """Red 5, answered by red 7 and 3, though 7 alone would do; the third player needs more than 10; each draws one."""
    position = follow(at("R5Y1;R7R3Y2;R8R2Y3"), ">R5", "deal-A:G1")
    assert position.to_act == (1,) and {"R7", "R7+R3"} <= set(texts(position))
    position = follow(position, "R7+R3")
    assert (position.to_act, position.due) == ((CHANCE,), 1)
    position = follow(position, "deal-B:G2")
    assert position.to_act == (2,) and position.to_beat == 10
    assert str(position.scene().status) == "Player C needs more than 10 in red, or taps a red bucket."
    assert texts(position) == ["-a1", "-b1", "-c1"], "8 and 2 are only 10"


def test_ck_9_the_answer_must_be_of_the_start_players_colour() -> None:
    position = at("-;R6Y8;-", table="R5;-;-", way=">R", what="B")
    assert refused(position, "Y8") == "The asked colour is red: play red cards."
    assert refused(position, "R8") == "You do not hold R8."


def test_ck_10_a_returning_player_adds_to_the_cards_already_open() -> None:
    position = at("R3R2;R1;-", table="R5;R6;R7", way=">R")
    assert texts(position)[:2] == ["R3+R2", "R3"], "with five lying open, a 3 makes eight and a 2 only seven"
    assert follow(position, "R3").to_beat == 8


def test_ck_10_a_screen_is_told_what_the_picked_cards_are_added_to_and_must_beat() -> None:
    returning, *others = at("R3R2;R1;-", table="R5;R6;R7", way=">R").seen_by(None).scene().players
    assert (returning.adds, returning.beats) == (5, 7)
    assert all((panel.adds, panel.beats) == (None, None) for panel in others)
    starting = at("R5;R7;-").seen_by(None).scene().players[0]
    assert (starting.adds, starting.beats) == (0, None), "CK-8: there is nothing to beat yet"


def test_ck_11_one_card_is_drawn_however_many_were_played() -> None:
    for cards in (">R1", ">R2+R1", ">R3+R2+R1"):
        position = follow(at("R1R2R3Y1;-;-"), cards)
        assert (position.due, position.to_act) == (1, (CHANCE,))
        assert follow(position, "deal-A:P8").held(0) == 4 - len(cards.split("+")) + 1


def test_ck_12_who_does_not_beat_it_loses_a_bucket_of_the_colour() -> None:
    position = at("-;Y1;-", table="R5;-;-", way=">R", what="B")
    assert texts(position) == ["-a1", "-b1", "-c1"]
    assert refused(position, "-a2") == "You must lose a red bucket: a1, b1, c1."
    assert follow(position, "-c1").buckets(1) == 13 - 1


def test_ck_12_without_such_a_bucket_any_may_go() -> None:
    position = at("-;Y1;-", pyramids=f"{BIG};YGB../YG../Y../../.;{BIG}", table="R5;-;-", way=">R", what="B")
    assert texts(position) == ["-a1", "-a2", "-a3", "-b1", "-b2", "-c1"]
    assert str(position.scene().status).endswith("or taps any bucket.")


def test_ck_13_what_fell_is_out_of_the_game() -> None:
    position = follow(at("-;Y1;-", table="R5;-;-", way=">R", what="B"), "-b1")
    assert "b1" not in position.colours(1) and "c1" not in position.colours(1) and position.buckets(1) == 11


def test_ck_14_a_what_lost_its_support_falls_too() -> None:
    assert left(BIG, "b2") == {*SLOTS} - {"b2", "c1", "c2", "d1", "d2", "e1"}


def test_ck_14_c_a_single_bucket_apart_goes() -> None:
    assert left(BIG, "a2") == {"a3", "a4", "a5", "b3", "b4", "c3"}


def test_ck_14_d_of_two_parts_the_owner_keeps_one() -> None:
    position = at("-;Y1;-", table="G5;-;-", way=">G", what="B")
    position = follow(position, "-a3")
    assert texts(position) == ["keep-left", "keep-right"] and position.to_act == (1,)
    assert set(follow(position, "keep-left").colours(1)) == {"a1", "a2", "b1"}
    assert set(follow(position, "keep-right").colours(1)) == {"a4", "a5", "b4"}
    assert refused(position, "keep-middle") == "Your pyramid broke: write keep-left or keep-right."


def left(pyramid: str, bucket: str) -> set[str]:
    """What careful removal leaves of a pyramid, by the rules' own words on the colour of the bucket."""
    seats = 3 if pyramid == BIG else 5
    position = at(
        ";".join("-" * seats),
        seats=seats,
        pyramids=";".join([pyramid] * seats),
        starter_may_shoot=True,
    )
    return set(follow(position, f"-{bucket}").colours(0))


@pytest.mark.parametrize(
    ("pyramid", "bucket", "stays"),
    [
        (BIG, "a1", 10), (BIG, "a2", 6), (BIG, "a3", 6), (BIG, "b1", 11), (BIG, "b2", 9), (BIG, "c2", 11),
        (BIG, "e1", 14), (SMALL, "a1", 6), (SMALL, "a2", 3), (SMALL, "b2", 6), (SMALL, "d1", 9),
    ],
)  # fmt: skip
def test_ck_14_the_test_vectors_of_the_support_rule(pyramid: str, bucket: str, stays: int) -> None:
    """a3 leaves two parts of three: the owner then keeps one of them."""
    assert len(left(pyramid, bucket)) == stays


def test_ck_15_a_lost_bucket_ends_the_round_and_discards_the_open_cards() -> None:
    position = follow(at("R1;Y1;-", table="R5;-;R4", way=">R", what="B", discards="G1"), "-c1")
    assert position.discards == ("R4", "R5", "G1") and not position.asked and position.to_beat == 0
    assert not any(position.open_cards(seat) for seat in range(3))


def test_ck_15_an_empty_pile_is_renewed_from_the_discards() -> None:
    position = follow(with_pile(0, table="R5;-;-", way=">R", what="B"), "-c1")
    assert position.pile == 80 - 30 and position.discards == ()


def with_pile(cards: int, *, table: str, way: str, what: str) -> CupKingPosition:
    """Three hands of ten, R5 open, and all but the pile's cards discarded."""
    deck = [f"{colour}{value}" for value in range(8, 0, -1) for colour in "YGBP" for _ in "ab"]
    deck = [*deck[:10], "R8", "R8", *deck[10:], *(f"R{value}" for value in range(1, 8) for _ in "ab")]
    deck.remove("R5")
    hands = [deck[10 * seat : 10 * seat + 10] for seat in range(3)]
    discards = deck[30 + cards :]
    return at(";".join(map("".join, hands)), table=table, way=way, what=what, discards="".join(discards))


def test_ck_16_the_loser_starts_the_next_round() -> None:
    position = follow(at("R1;Y1;-", table="-;-;R5", way="<R", what="B"), "-c1")
    assert position.to_act == (1,) and position.clockwise


# The end.


LAST = "..G../..../.../../."
LAST_SMALL = "..G./.../../."


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_ck_17_up_to_four_players_stop_at_the_first_last_bucket(seats: int) -> None:
    hands = ";".join(["R1", "Y1", *["-"] * (seats - 2)])
    pyramids = ";".join([BIG, LAST, *["R..../..../.../../."] * (seats - 2)])
    table = ";".join(["G5", *"-" * (seats - 1)])
    position = at(hands, seats=seats, pyramids=pyramids, table=table, way=">G", what="B")
    after = follow(position, "-a3")
    assert result(after) == ((0,), "last-bucket")
    outcome = after.outcome()
    assert outcome is not None and str(outcome.sentence).startswith("Player B lost the last bucket.")


@pytest.mark.parametrize(("way", "starter"), [(">", 2), ("<", 0)])
def test_ck_18_with_five_the_neighbour_who_did_not_attack_starts(way: str, starter: int) -> None:
    """Also KA-13: clockwise A attacked B, so C starts; anticlockwise C attacked B, so A starts."""
    open_cards = "G5;-;-;-;-" if way == ">" else "-;-;G5;-;-"
    pyramids = ";".join([SMALL, LAST_SMALL, *[SMALL] * 3])
    position = at("R1;Y1;P1;-;-", seats=5, pyramids=pyramids, table=open_cards, way=f"{way}G", what="B")
    position = follow(position, "-a3", "discard-B:Y1")
    assert position.to_act == (starter,) and not position.is_over


def test_ck_18_with_five_the_second_last_bucket_ends_it() -> None:
    pyramids = ";".join([SMALL, LAST_SMALL, "-", SMALL, "R.../.../../."])
    position = at("R1;Y1;-;-;-", seats=5, pyramids=pyramids, table="G5;-;-;-;-", way=">G", what="B")
    assert result(follow(position, "-a3")) == ((0, 3), "second-out")


def test_ck_18_the_eliminated_seat_is_skipped() -> None:
    pyramids = ";".join([SMALL, "-", SMALL, SMALL, SMALL])
    assert follow(at("R1R2;-;-;-;-", seats=5, pyramids=pyramids), ">R1", "deal-A:Y1").to_act == (2,)


def test_ck_19_most_buckets_win() -> None:
    pyramids = f"R..../..../.../../.;{LAST};RY.../G.../.../../."
    position = at("R1;Y1;-", pyramids=pyramids, table="G5;-;-", way=">G", what="B")
    assert result(follow(position, "-a3")) == ((2,), "last-bucket")


# Variants.


def test_ck_v1_the_buckets_of_several_games_add_up() -> None:
    pyramids = f"RY.../G.../.../../.;{LAST}"
    position = at("R1;Y1", seats=2, pyramids=pyramids, table="G5;-", way=">G", what="B", games=2, match="2:4,6")
    position = follow(position, "-a3")
    assert (position.total(0), position.total(1)) == (7, 6)
    assert result(position) == ((0,), "match-end")


def test_ck_v2_the_first_printed_example() -> None:
    """Blue 1 with red 4 makes 5, and two cards are drawn."""
    position = at("-;B1R4;-", table="B4;-;-", way=">B", what="B", experienced_ones=True)
    position = follow(position, "B1+R4")
    assert (position.to_beat, position.due) == (5, 2)
    assert follow(position, "deal-B:Y1,Y2").held(1) == 2


def test_ck_v2_the_second_printed_example() -> None:
    """Blue 1, 1 and 6 with red 4 and yellow 3 make 15, and three cards are drawn."""
    position = at("-;B1B1B6R4Y3;-", table="B8;-;-", way=">B", what="B", experienced_ones=True)
    position = follow(position, "B6+B1+B1+R4+Y3")
    assert (position.to_beat, position.due) == (15, 3)
    assert position.open_cards(1) == ("R4", "Y3", "B1", "B1", "B6")


def test_ck_v2_is_only_for_the_experienced() -> None:
    position = at("-;B1R4;-", table="B4;-;-", way=">B", what="B")
    assert "All cards must be of one colour" in refused(position, "B1+R4")


def test_ck_v2_french_two_extras_of_different_colours() -> None:
    rules: dict[str, Any] = {"table": "B8;-;-", "way": ">B", "what": "B", "experienced_ones": True}
    hand = "-;B1B1R8R7Y3;-"
    assert "B1+B1+R7+R8" in texts(at(hand, **rules))
    french = at(hand, extras_distinct=True, **rules)
    assert refused(french, "B1+B1+R7+R8") == "The two extra cards must differ in colour."
    assert "B1+B1+R7+Y3" in texts(french)


def test_ck_v3_careful_removal_leaves_nothing_to_nature() -> None:
    careful = at("-;Y1;-", table="R5;-;-", way=">R", what="B")
    assert follow(careful, "-b1").to_act == (1,)


# Rulings.


def test_ka_1_all_build_at_once_and_unseen() -> None:
    building = follow(CupKing(2).start(), *two_deals())
    b_first = building.play(building.parse(f"build:{BIG}", 1), 1)
    assert building.to_act == (0, 1) and b_first.to_act == (0,)
    assert set(b_first.seen_by(0).colours(1).values()) == {"?"}
    assert "".join(b_first.seen_by(1).colours(1).values()) == BIG.replace("/", "")
    move = building.parse(f"build:{BIG}", 1)
    assert move.seen_by(0) == HiddenBuild(1) and move.seen_by(1) == move and move.seen_by(None) == HiddenBuild(1)


def test_ka_1_the_order_of_building_does_not_matter() -> None:
    building = follow(CupKing(3).start(), *three_deals())
    plans = [building.moves(seat)[1000 * (seat + 1)] for seat in range(3)]
    orders = [(0, 1, 2), (2, 1, 0), (1, 0, 2)]
    ends = []
    for order in orders:
        position = building
        for seat in order:
            position = position.play(plans[seat], seat)
        ends.append(position)
    assert ends[0] == ends[1] == ends[2] and str(ends[0]) == str(ends[1])


def three_deals() -> tuple[str, str, str]:
    return (*two_deals(), "deal-C:P1,P2,P3,P4,P5,P6,P7,P8,B3,B4")


def test_ka_2_pyramids_open_cards_and_discards_are_public() -> None:
    position = at("R1;Y1;-", table="R5;-;-", way=">R", what="B", discards="G1G2")
    for seat in (None, 0, 1, 2):
        view = position.seen_by(seat)
        assert view.colours(1) == position.colours(1)
        assert view.open_cards(0) == ("R5",) and view.discards == ("G1", "G2")


def test_ka_2_a_drawn_card_is_shown_to_its_seat_alone() -> None:
    deal = Deal(0, ("R5", "G2"))
    assert deal.seen_by(0) == deal
    assert deal.seen_by(1) == deal.seen_by(None) == HiddenDeal(0, 2) and str(deal.seen_by(1)) == "deal-A:?2"


def test_ka_3_an_equal_total_does_not_defend() -> None:
    position = at("-;R5R6;-", table="R5;-;-", way=">R", what="B")
    assert refused(position, "R5") == "You need more than 5 in red, or tap a red bucket."
    assert "R6" in texts(position)


def test_ka_4_the_total_before_is_what_counts_and_always_the_highest() -> None:
    for seed in range(5):
        for position in walk(CupKing(4, removal="careful").start(), Random(seed)):
            if position.asked and position.to_act != (CHANCE,):
                assert position.to_beat == max(position.open_value(seat) for seat in range(4))


def test_ka_5_earlier_cards_of_the_round_always_count() -> None:
    position = follow(at("R3;R1;-", table="R5;R6;R7", way=">R"), "R3")
    assert position.open_value(0) == 8 and position.open_cards(0) == ("R3", "R5")


def test_ka_6_one_may_give_up_though_one_could_defend() -> None:
    position = at("-;R8;-", table="R5;-;-", way=">R", what="B")
    assert follow(position, "-c1").buckets(1) == 12


def test_ka_7_the_start_player_must_play_cards() -> None:
    position = at("R1;-;-")
    assert texts(position) == [">R1", "<R1"]
    assert "you must play one to three cards" in refused(position, "-a1")


def test_ka_7_unless_starter_may_shoot() -> None:
    position = at("R1;-;-", starter_may_shoot=True)
    assert texts(position) == [">R1", "<R1", *(f"-{slot}" for slot in SLOTS)]
    assert follow(position, "-e1").to_act == (0,), "who lost a bucket starts again (CK-16)"


def test_ka_8_an_empty_pile_is_renewed_when_a_card_is_needed_and_open_cards_stay() -> None:
    position = follow(with_pile(0, table="R5;-;-", way=">R", what="B"), "R8")
    assert position.to_act == (CHANCE,) and position.pile == 80 - 29 - 2 and position.discards == ()
    assert position.open_cards(0) == ("R5",) and position.open_cards(1) == ("R8",)


def test_ka_8_a_deal_goes_on_with_the_discards_where_the_pile_ends() -> None:
    """One card is left and two are due: it comes for certain, the other from what was discarded."""
    hands = ["Y1Y2Y3Y4Y5Y6Y7Y8G1G2", "Y1Y2Y3Y4Y5Y6Y7Y8G1G2", "B1R4"]
    deck = [f"{colour}{value}" for colour in "RYGBP" for value in range(1, 9) for _ in "ab"]
    for card in [*cards("".join(hands)), "B1", "P8"]:
        deck.remove(card)
    position = at(";".join(hands), discards="".join(deck), table="-;B1;-", way=">B", what="C", experienced_ones=True)
    position = follow(position, "B1+R4")
    assert position.pile == 1 and position.due == 2
    moves = position.moves(CHANCE)
    assert len(moves) == len(set(deck)) and all(isinstance(m, Deal) and "P8" in m.cards for m in moves)
    assert "The pile does not hold these cards" in refused(position, "deal-C:R1,R2")
    done = follow(position, "deal-C:R1,P8")
    assert done.hand(2) == ("R1", "P8") and done.discards == ()
    again = done.game.read(str(done))
    pile = slice(k.PILE, k.PILE + 5)
    assert done.row[pile].tolist() == again.row[pile].tolist(), "the pile is what is nowhere else"


def cards(text: str) -> list[str]:
    return [text[i : i + 2] for i in range(0, len(text), 2)]


@pytest.mark.parametrize("experienced", [False, True])
def test_ka_9_no_hand_runs_out_or_grows_and_there_is_always_a_card_to_draw(experienced: bool) -> None:
    for seed in range(4):
        for position in walk(CupKing(6, experienced_ones=experienced).start(), Random(seed)):
            if position.to_act == (CHANCE,) and position.phase == k.DRAWING:
                assert position.pile > 0
            if position.phase == k.PLAYING:
                assert all(1 <= position.held(s) <= 10 for s in range(6) if position.buckets(s))


def test_ka_10_cards_are_drawn_by_themselves() -> None:
    assert follow(at("R1R2;-;-"), ">R1").to_act == (CHANCE,)


def test_ka_10_with_manual_drawing_one_may_forget() -> None:
    position = follow(at("R1R2;-;-", auto_draw=False), ">R1")
    assert position.to_act == (0,) and texts(position) == ["forget", "draw"]
    assert "write draw, or forget" in refused(position, "R2")
    forgot = follow(position, "forget")
    assert forgot.held(0) == 1 and forgot.to_act == (1,)
    drawn = follow(position, "draw", "deal-A:Y1")
    assert drawn.held(0) == 2 and drawn.to_act == (1,)


def test_ka_10_an_empty_hand_leaves_only_buckets() -> None:
    answering = at("-;-;-", table="R5;-;-", way=">R", what="B", auto_draw=False)
    assert texts(answering) == ["-a1", "-b1", "-c1"]
    assert texts(at("-;R1;-", auto_draw=False)) == [f"-{slot}" for slot in SLOTS]


def test_ka_11_the_owner_chooses_among_the_buckets_of_the_colour() -> None:
    position = at("-;Y1;-", table="P5;-;-", way=">P", what="B")
    assert texts(position) == ["-a5", "-d2", "-e1"]


def test_ka_12_the_owner_chooses_the_part() -> None:
    position = follow(at("-;Y1;-", table="G5;-;-", way=">G", what="B"), "-a3")
    assert position.to_act == (1,) and len(position.moves(0)) == 0 and len(position.moves(1)) == 2


def test_ka_13_the_next_in_the_rounds_direction_starts_after_an_elimination() -> None:
    """The neighbour on that side may be out too: then the one after."""
    pyramids = ";".join([SMALL, LAST_SMALL, "-", SMALL, SMALL, SMALL])
    position = at(
        "R1;Y1;-;P1;-;-", seats=6, pyramids=pyramids, table="G5;-;-;-;-;-", way=">G", what="B", end="three_left"
    )
    assert follow(position, "-a3", "discard-B:Y1").to_act == (3,)


def test_ka_14_an_eliminated_hand_goes_to_the_discards_in_sight_of_all() -> None:
    pyramids = ";".join([SMALL, LAST_SMALL, *[SMALL] * 3])
    position = at("R1;Y1Y2;P1;-;-", seats=5, pyramids=pyramids, table="G5;-;-;-;-", way=">G", what="B")
    position = follow(position, "-a3")
    (move,) = position.moves(CHANCE)
    assert str(move) == "discard-B:Y1,Y2" == str(move.seen_by(4))
    position = position.play(move)
    assert position.discards == ("Y1", "Y2", "G5") and position.held(1) == 0
    assert str(position.scene().players[1].note) == "is out"


def test_ka_15_three_left_ends_a_game_of_six_at_the_third_elimination() -> None:
    pyramids = ";".join([SMALL, LAST_SMALL, "-", SMALL, SMALL, SMALL])
    rules: dict[str, Any] = {"seats": 6, "table": "G5;-;-;-;-;-", "way": ">G", "what": "B"}
    hands = "R1;Y1;-;P1;-;-"
    assert result(follow(at(hands, pyramids=pyramids, **rules), "-a3"))[1] == "second-out"
    three = follow(at(hands, pyramids=pyramids, end="three_left", **rules), "-a3")
    assert not three.is_over
    fewer = ";".join([SMALL, LAST_SMALL, "-", "-", SMALL, SMALL])
    ended = follow(at("R1;Y1;-;-;-;-", pyramids=fewer, end="three_left", **rules), "-a3")
    assert result(ended) == ((0, 4, 5), "three-left")


def test_ka_16_a_tie_is_shared() -> None:
    position = tied()
    assert result(position) == ((0, 2), "last-bucket")
    outcome = position.outcome()
    assert outcome is not None and outcome.scores == (0.5, 0.0, 0.5)


def test_ka_16_or_goes_to_more_cards_in_hand() -> None:
    assert result(tied(tie="cards")) == ((2,), "last-bucket")


def tied(**options: Any) -> CupKingPosition:
    pyramids = f"RY.../G.../.../../.;{LAST};RY.../G.../.../../."
    return follow(at("R1;Y1;B1B2", pyramids=pyramids, table="G5;-;-", way=">G", what="B", **options), "-a3")


def test_ka_17_between_two_the_direction_may_be_written_and_means_nothing() -> None:
    position = at("R1R2;Y1", seats=2)
    assert texts(position) == ["R1", "R2+R1", "R2"]
    assert position.parse(">R1") == position.parse("<R1") == position.parse("R1") == Play(0, ("R1",))


def test_ka_18_the_start_players_1_brings_an_extra_and_the_base_colour_is_asked() -> None:
    position = follow(at("B1R4;-;-", experienced_ones=True), ">B1+R4")
    assert position.asked == "B" and position.to_beat == 5 and position.due == 2


def test_ka_19_an_extra_1_brings_no_further_extra() -> None:
    position = at("B1R1Y5;-;-", experienced_ones=True)
    assert ">B1+R1" in texts(position)
    assert "Each 1 of the asked colour brings one extra card" in refused(position, ">B1+R1+Y5")


def test_ka_20_an_extra_card_is_of_another_colour() -> None:
    """A fourth card of the asked colour is no extra, whatever 1s there are."""
    position = at("B1B4B5B6;-;-", experienced_ones=True)
    assert "At most three cards" in refused(position, ">B6+B5+B4+B1")


def test_ka_21_nobody_must_add_an_extra() -> None:
    position = at("B1R4;-;-", experienced_ones=True)
    assert [text for text in texts(position) if ">" in text] == [">R4", ">B1", ">B1+R4"]
    assert follow(position, ">B1").due == 1


def test_ka_22_extras_count_when_the_turn_comes_again_but_old_1s_bring_no_new_ones() -> None:
    position = at("B3R5;-;-", table="B1R4;B6;B7", way=">B", experienced_ones=True)
    assert position.open_value(0) == 5 and texts(position)[0] == "B3"
    assert "you play no such 1" in refused(position, "B3+R5")


def test_ka_23_five_cards_at_most() -> None:
    position = at("B1B1B6B5R4Y3G2;-;-", experienced_ones=True)
    lengths = {len(move.cards) for move in position.moves() if isinstance(move, Play)}
    assert lengths == {1, 2, 3, 4, 5}
    assert "At most three cards" in refused(position, ">B6+B5+B1+B1+R4+Y3")


def test_ka_24_the_lot_is_drawn_anew_in_every_game() -> None:
    pyramids = f"{BIG};{LAST}"
    position = follow(at("R1;Y1", seats=2, pyramids=pyramids, table="G5;-", way=">G", what="B", games=2), "-a3")
    assert position.game_number == 2 and position.total(0) == 15 and position.pile == 80
    build = f"build:{BIG}"
    position = follow(position, *two_deals(), build, build, f"reveal:{BIG};{BIG}")
    assert texts(position) == ["lot-A", "lot-B"]


def test_ka_25_a_tied_match_is_shared() -> None:
    position = at(
        "R1;Y1", seats=2, pyramids=f"RY.../G.../.../../.;{LAST}", table="G5;-", way=">G", what="B",
        games=2, match="2:4,7",
    )  # fmt: skip
    assert result(follow(position, "-a3")) == ((0, 1), "match-end")
    with pytest.raises(BadOption, match="a match over several shares a tie"):
        CupKing(2, games=2, tie="cards")


def shuffled(seats: int = 2, **options: Any) -> CupKingPosition:
    """A has drawn Y1, the last card of the pile; B has played R3, so all but hands and open cards was shuffled."""
    hands = ["R1", "R5", "G7"], ["R3", "R4", "G8"]
    held = [*hands[0], *hands[1], "Y1", *(["P7", "P8"] if seats == 3 else [])]
    rest = [f"{colour}{number}" for colour in "RYGBP" for number in range(1, 9) for _ in "ab"]
    for card in held:
        rest.remove(card)
    words = ";".join(["".join(cards) for cards in hands] + ["P7P8"] * (seats == 3))
    position = at(words, seats=seats, discards="".join(rest), **options)
    return follow(position, "R1" if seats == 2 else ">R1", "deal-A:Y1", "R3", "deal-B:B5")


def test_ka_28_between_two_the_hand_at_a_reshuffle_is_known() -> None:
    position, rng = shuffled(), Random(1)
    worlds = [position.game.imagine(position.seen_by(0), rng) for _ in range(300)]
    assert all({"R4", "G8"} <= set(world.hand(1)) and len(world.hand(1)) == 3 for world in worlds)
    drawn = [card for world in worlds for card in world.hand(1) if card not in ("R4", "G8")]
    assert len(set(drawn)) > 25, "what was drawn since may be anything that was shuffled"


def test_ka_28_among_three_it_is_known_what_the_others_hold_together() -> None:
    position, rng = shuffled(3), Random(2)
    worlds = [position.game.imagine(position.seen_by(0), rng) for _ in range(300)]
    old = {"R4", "G8", "P7", "P8"}
    assert all(old <= {*world.hand(1), *world.hand(2)} and set(world.hand(2)) <= old for world in worlds)
    assert len({world.hand(2) for world in worlds}) == 6


def test_ka_28_a_card_shown_leaves_what_is_known_and_a_double_may_be_either() -> None:
    """B shows R4. R4 was in hand at the reshuffle and its double in the pile, of which B had drawn one card."""
    position, rng = follow(shuffled(), "R5", "deal-A:P1", "R4"), Random(3)
    hands = [position.game.imagine(position.seen_by(0), rng).hand(1) for _ in range(3000)]
    assert all("G8" in hand for hand in hands)
    both = sum("R4" in hand for hand in hands) / 3000
    assert 0.01 < both < 0.06, "the other R4 is B's as often as any card, and once more if B has shown the drawn one"


def test_ka_28_what_is_remembered_survives_json_and_shows_nobody_what_others_drew() -> None:
    position = shuffled()
    assert len(position.row) > k.SIZE
    assert position.game.from_json(position.to_json()) == position
    b5 = CARD_INDEX["B5"] + 1
    entry = position.row[-1]
    assert entry & 63 == b5 and position.seen_by(1).row[-1] == entry
    assert position.seen_by(0).row[-1] == position.seen_by(None).row[-1] == entry - b5


def test_ka_28_a_new_game_of_the_match_begins_without_memories() -> None:
    position = at(
        "R2;Y1", seats=2, pyramids=f"{BIG};{LAST}", table="R1;-", way=">R", what="B", games=2
    )  # fmt: skip
    assert len(follow(position, "-a3").row) == k.SIZE


@pytest.mark.parametrize("past", [[7], [-1], [3 << 40], [6 << 6], [2 << 40], [63], [2 << 40] * 5 + [7 << 6]])
def test_a_past_that_is_none_is_refused(past: list[int]) -> None:
    position = shuffled()
    with pytest.raises(BadPosition, match="past is none of Cup King"):
        position.game.from_json({"position": str(position), "past": past})


def test_a_past_that_does_not_fit_its_position_is_not_believed() -> None:
    """The worlds are then as without a memory: whole decks that look like the view."""
    position = shuffled()
    for past in ([2 << 40] * 5, [2 << 40] * 5 + [1 << 40 | 1 << 6 | 5] * 20, [2 << 40 | 0xFFFF] * 10):
        odd = position.game.from_json({"position": str(position), "past": past})
        for seat in (None, 0, 1):
            world = position.game.imagine(odd.seen_by(seat), Random(1))
            assert world.pile == position.pile and len(world.hand(1)) == 3
            assert len(world._bunch(k.PILE)) == world.pile


# Options and the rest.


def test_seats_and_options_that_make_no_sense_are_refused() -> None:
    with pytest.raises(BadSeats, match="for 2, 3, 4, 5 or 6 players, not 7"):
        CupKing(7)
    with pytest.raises(BadOption, match="needs experienced_ones"):
        CupKing(3, extras_distinct=True)
    with pytest.raises(BadOption, match="for five or six players"):
        CupKing(4, end="three_left")
    with pytest.raises(BadOption, match="flick or careful"):
        CupKing(3, removal="hammer")
    with pytest.raises(BadOption, match="from 1 to 100"):
        CupKing(3, games=0)


def test_the_evaluation_knows_who_won() -> None:
    over = follow(at("R1;Y1", seats=2, pyramids=f"{BIG};{LAST}", table="G5;-", way=">G", what="B"), "-a3")
    assert evaluate(over.row.copy(), 0) > 0 > evaluate(over.row.copy(), 1)


def test_slots_are_named_as_the_kernel_numbers_them() -> None:
    assert [SLOT_INDEX[name] for name in ("a1", "a5", "b1", "c1", "d1", "e1")] == [0, 4, 5, 9, 12, 14]
    assert Shoot(0, "c2").spots() == ("A:c2",)
