"""The flick by the book: what may be flicked, what nature settles, and what the referee's situations A to D lead to."""

from __future__ import annotations

import pickle
import sys
from random import Random
from typing import Any

import pytest

from cupboard.core.errors import BadOption, BadTurn
from cupboard.core.game import CHANCE
from cupboard.core.match import Match
from cupboard.core.registry import load
from cupboard.core.testing_games import follow, result
from cupboard.games.cup_king import enacting, physics, simulation
from cupboard.games.cup_king import layout as k
from cupboard.games.cup_king.flick import HANDS, Aim
from cupboard.games.cup_king.moves import SLOT_INDEX, SLOTS, Flick, Settle, Shoot
from cupboard.games.cup_king.poses import PLACED, Pose
from cupboard.games.cup_king.rules import CupKing, CupKingPosition

BIG, LAST = "RYGBP/RYGB/RYG/BP/P", "..G../..../.../../."
SHIFTED = Pose(140, -214, 0, 0, -3, 93)
NUMBERS = ",".join(map(str, SHIFTED))


def attacked(
    colour: str = "R", pyramids: str = f"{BIG};{BIG};{BIG}", match: str = "1:0,0,0", **options: Any
) -> CupKingPosition:
    """A has played a 5 of a colour, and B cannot answer it."""
    return CupKing(3, **options).read(f"{pyramids} -;Y1;P1 {colour}5;-;- - >{colour} B {match} 0")


def flicked(bucket: str = "b1", colour: str = "R", **options: Any) -> CupKingPosition:
    return follow(attacked(colour, **options), f"-{bucket}")


def texts(position: CupKingPosition) -> list[str]:
    return [str(move) for move in position.moves()]


def said(position: CupKingPosition, text: str) -> str:
    """The referee's judgement that nature's move brings."""
    return str(position.parse(text).words(position.game.seat_name))


def without(*lost: str) -> str:
    return ",".join(slot for slot in SLOTS if slot not in lost)


# The flick is a move of the player.


def test_ck_12_who_cannot_answer_flicks_a_bucket_of_the_colour_in_one_of_three_ways() -> None:
    """The flick is what happens unless people agree on something else."""
    position = attacked()
    assert texts(position) == [f"-{bucket}{kind}" for bucket in ("a1", "b1", "c1") for kind in (":gentle", "", ":hard")]
    assert {control.spot for control in position.scene().controls} >= {"gentle", "firm", "hard"}


def test_ck_12_every_other_aim_is_legal_though_it_is_not_listed() -> None:
    position = attacked()
    aimed = position.parse("-b1:75,40,-10,15,behind")
    assert aimed not in position.moves() and position.play(aimed).shot == aimed
    assert aimed == Flick(1, "b1", Aim(75, 40, -10, 15, True))


def test_ck_12_without_such_a_bucket_any_may_be_flicked() -> None:
    position = attacked(pyramids=f"{BIG};YG.../Y.../.../../.;{BIG}")
    assert {move.bucket for move in position.moves() if isinstance(move, Flick)} == {"a1", "a2", "b1"}


def test_ka_11_the_owner_chooses_which_bucket_of_the_colour_is_flicked() -> None:
    for bucket in ("a5", "d2", "e1"):
        shot = flicked(bucket, "P").shot
        assert shot is not None and (shot.seat, shot.bucket) == (1, bucket)


def test_nobody_is_asked_while_a_pyramid_comes_to_rest_and_its_buckets_are_all_there() -> None:
    shot = flicked()
    assert shot.to_act == (CHANCE,) and shot.is_simulated and not attacked().is_simulated
    assert not any(len(shot.moves(seat)) for seat in range(3)) and shot.buckets(1) == 15
    assert str(shot.scene().status) == "Player B has flicked the bucket on b1: the pyramid comes to rest."
    with pytest.raises(BadTurn):
        shot.parse("-b1", 1)


def test_what_others_hold_stays_hidden_while_a_pyramid_comes_to_rest() -> None:
    shot = flicked()
    for seat in (None, 0, 1, 2):
        view = shot.seen_by(seat)
        assert [view.hand(other) for other in range(3)] == [shot.hand(o) if o == seat else () for o in range(3)]
        assert view.shot == shot.shot and view.colours(1) == shot.colours(1) and not view.moves()
    world = shot.game.imagine(shot.seen_by(0), Random(1))
    assert world.seen_by(0) == shot.seen_by(0) and world.to_act == (CHANCE,)


# What nature settles.


def test_ck_13_the_flicked_bucket_and_all_that_fell_are_out_of_the_game() -> None:
    position = follow(flicked(), "settle-B:a2,a3,b2")
    assert set(position.colours(1)) == {"a2", "a3", "b2"}
    assert position.buckets(0) == position.buckets(2) == 15, "other pyramids are put back as they were"
    assert position.to_act == (1,) and position.shot is None, "who lost buckets starts the next round (CK-16)"
    assert position.discards == ("R5",)


def test_ck_13_a_flick_never_saves_what_careful_removal_drops() -> None:
    shot = flicked()
    careful = set(follow(attacked(removal="careful"), "-b1").colours(1))
    ways = [set(move.kept) for move in shot.moves(CHANCE) if isinstance(move, Settle)]
    assert len(ways) == len(shot.moves(CHANCE)) > 50 and all(kept <= careful for kept in ways)
    assert ways[0] == careful and set() in ways


def test_ck_13_the_last_bucket_that_is_flicked_ends_the_game() -> None:
    position = attacked("G", pyramids=f"{BIG};{LAST};RY.../G.../.../../.")
    assert result(follow(position, "-a3:gentle", "settle-B:-;fell=a3")) == ((0,), "last-bucket")


def test_ck_14_a_a_bucket_out_of_its_place_goes_and_is_named() -> None:
    shot = flicked("c1")
    text = f"settle-B:{without('c1', 'd1', 'e1')};fell=c1;A=d1,e1;engine"
    assert said(shot, text) == (
        "Down: c1. A: d1 and e1 are no longer in their right places and go. Player B has 12 buckets left standing."
    )
    assert not {"c1", "d1", "e1"} & set(follow(shot, text).colours(1))


def test_ck_14_b_a_bucket_that_is_shifted_a_little_stays_and_stays_shifted() -> None:
    """Also after the next flick, which names only what has moved since; a lost bucket is forgotten."""
    text = f"settle-B:a1({NUMBERS}),a2,a3,a4,a5,b1,b2,b3,b4,c2,c3,d2({NUMBERS})"
    shifted = follow(flicked("c1"), text)
    assert {slot: shifted.pose(1, n) for n, slot in enumerate(SLOTS) if shifted.pose(1, n) != PLACED} == {
        "a1": SHIFTED,
        "d2": SHIFTED,
    }
    assert not any(shifted.row[k.POSE + 30 * seat : k.POSE + 30 * seat + 30].any() for seat in (0, 2))
    line = str(shifted).replace("-;Y1;P1 -;-;- R5 >- B", "-;Y1;P1 R5;-;- - >R B")
    again = follow(shifted.game.read(line), "-b1")
    assert again.pose(1, 0) == SHIFTED
    after = follow(again, "settle-B:a1,a2(1,0,0,0,0,0),a3,a4,b3")
    assert after.pose(1, 0) == SHIFTED and after.pose(1, 1) == Pose(1) and after.pose(1, SLOT_INDEX["d2"]) == PLACED
    assert follow(again, "settle-B:a1(0,0,0,0,0,0),a2").pose(1, 0) == PLACED, "it may be pushed back into its place"
    assert pickle.loads(pickle.dumps(after)) == after == after.game.from_json(after.to_json())


def test_ck_14_b_the_next_flick_begins_with_buckets_as_they_stand(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    def flick(*given: Any) -> Any:
        asked.extend(given)
        raise physics.SimulationFailed

    monkeypatch.setattr(simulation, "flick", flick)
    monkeypatch.setattr(enacting, "is_available", lambda: True)
    pyramid = f"R({NUMBERS})YG../RY../R../../."
    shot = follow(attacked(pyramids=f"{BIG};{pyramid};{BIG}", hand="child"), "-b1:75,40,-10,15,behind")
    with pytest.raises(physics.SimulationFailed):
        shot.simulate(Random(1))
    poses, target, aim, hand, _ = asked
    assert poses == {0: SHIFTED, 1: PLACED, 2: PLACED, 5: PLACED, 6: PLACED, 9: PLACED}
    assert (target, aim, hand) == (SLOT_INDEX["b1"], Aim(75, 40, -10, 15, True), HANDS["child"])


def test_ck_14_b_what_can_be_seen_to_be_shifted_is_said() -> None:
    shot = flicked("c1")
    kept = "a2,a3,a4,a5,b1,b2,b3,b4,c2,c3"
    assert "B: a1 is shifted a little and stays." in said(shot, f"settle-B:a1(0,-300,0,0,0,0),{kept}")
    assert "shifted" not in said(shot, f"settle-B:a1(0,-299,0,0,0,0),{kept}")


def test_ck_14_b_in_the_next_game_of_a_match_nothing_is_shifted() -> None:
    pyramids = f"R({NUMBERS})YGBP/RYGB/RYG/BP/P;{LAST};{BIG}"
    position = follow(attacked("G", pyramids, games=2), "-a3", "settle-B:-")
    assert position.game_number == 2 and not position.row[k.SHOT : k.SIZE].any()


def test_ck_14_c_a_single_bucket_with_room_for_another_beside_it_goes() -> None:
    shot = flicked("a1")
    text = f"settle-B:a2,a3,b2;fell={','.join(sorted({*SLOTS} - {'a2', 'a3', 'b2', 'a5'}))};C=a5;engine"
    assert "C: a bucket would fit between a5 and the rest, so it goes." in said(shot, text)
    assert set(follow(shot, text).colours(1)) == {"a2", "a3", "b2"}


def test_ck_14_d_of_parts_with_room_between_them_the_owner_keeps_one() -> None:
    """Here no bucket of the base is lost: the break beside a2 alone makes two parts of it (KA-12)."""
    broken = follow(flicked(), f"settle-B:a1,a2|,a3({NUMBERS}),a4,a5,b3,b4,c3")
    assert broken.to_act == (1,) and texts(broken) == ["keep-left", "keep-right"] and broken.breaks == ("a2",)
    assert len(broken.moves(0)) == 0
    assert str(broken.scene().status).startswith("D: Player B's pyramid is in parts with room for a bucket between")
    left, right = follow(broken, "keep-left"), follow(broken, "keep-right")
    assert set(left.colours(1)) == {"a1", "a2"} and set(right.colours(1)) == {"a3", "a4", "a5", "b3", "b4", "c3"}
    assert left.pose(1, 2) == PLACED and right.pose(1, 2) == SHIFTED
    assert left.breaks == right.breaks == () and left.to_act == right.to_act == (1,)


@pytest.mark.parametrize(
    ("settled", "parts"),
    [
        ("a1,a3,a5", ["left", "middle", "right"]),
        ("a1,a2|,a3,a4", ["left", "right"]),
        ("a1|,a2,a4", ["left", "middle", "right"]),
        ("a1|,a2|,a3,a5", ["left", "second", "third", "right"]),
        ("a1|,a2|,a3|,a4|,a5", ["left", "second", "middle", "fourth", "right"]),
    ],
)
def test_ck_14_d_up_to_five_parts_have_a_name_each(settled: str, parts: list[str]) -> None:
    """Single ones stay to be chosen from where there is nothing larger."""
    broken = follow(flicked(), f"settle-B:{settled}")
    assert texts(broken) == [f"keep-{part}" for part in parts]
    assert {control.spot for control in broken.scene().controls} == {f"keep-{part}" for part in parts}
    kept = [set(follow(broken, f"keep-{part}").colours(1)) for part in parts]
    assert set().union(*kept) == set(broken.colours(1)) and sum(map(len, kept)) == broken.buckets(1)
    for part in parts:
        assert str(broken.parse(f"keep-{part}").words(broken.game.seat_name)).endswith(f"keeps the {part} part.")


# Two fingers.


def test_ck_v3_careful_removal_is_no_flick_and_leaves_nothing_to_nature() -> None:
    position = attacked(removal="careful")
    assert texts(position) == ["-a1", "-b1", "-c1"] and position.seen_by(1).aiming() is None
    after = follow(position, "-b1")
    assert after.to_act == (1,) and not after.is_simulated and after.buckets(1) == 11


def test_ka_27_single_seats_take_buckets_out_with_two_fingers_while_the_others_flick() -> None:
    young = attacked(two_fingers="B")
    assert texts(young) == ["-a1", "-b1", "-c1"] and all(isinstance(move, Shoot) for move in young.moves())
    assert young.seen_by(1).aiming() is None and young.is_careful(1) and not young.is_careful(0)
    assert follow(young, "-b1").colours(1) == follow(attacked(removal="careful"), "-b1").colours(1)
    others = attacked(two_fingers="AC")
    assert len(texts(others)) == 9 and follow(others, "-b1").is_simulated
    assert others.seen_by(1).aiming() is not None


@pytest.mark.parametrize(("given", "kept"), [("b", "B"), ("C, A", "AC"), ("AAB", "AB"), ("", "none"), ("none", "none")])
def test_ka_27_the_young_seats_are_named_by_their_letters(given: str, kept: str) -> None:
    assert CupKing(3, two_fingers=given).options["two_fingers"] == kept


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"two_fingers": "X"}, "two_fingers"),
        ({"two_fingers": "A1"}, "two_fingers"),
        ({"two_fingers": 1}, "two_fingers"),
        ({"two_fingers": "AD"}, "names seat D, and only 3 play"),
        ({"two_fingers": "A", "removal": "careful"}, "needs removal=flick"),
        ({"hand": "child", "removal": "careful"}, "needs removal=flick"),
        ({"hand": "paw"}, "steady or child"),
    ],
    ids=str,
)
def test_ka_27_options_that_make_no_sense_are_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(BadOption, match=words):
        CupKing(3, **options)


# Simulation.


@pytest.mark.parametrize("text", ["-b1:gentle", "-a1:75,40,-10,15,behind"])
def test_equal_seeds_simulate_equally_and_what_comes_of_it_is_legal(text: str) -> None:
    """Whatever was simulated in between. What nature finds is a move like any other: written, read and played."""
    pytest.importorskip("mujoco")
    shot = follow(attacked(), text)
    first = shot.simulate(Random(5))
    other = flicked("c1").simulate(Random(6))
    assert shot.simulate(Random(5)) == first != other and first.motion
    assert isinstance(first.move, Settle) and first.move.is_simulated
    assert shot.parse(str(first.move)) == first.move
    after = shot.play(first.move)
    assert set(after.colours(1)) <= set(first.move.kept) and after.game.read(str(after)) == after
    stood = set(shot.colours(1))
    lost = [*first.move.fallen, *first.move.misplaced, *first.move.apart]
    assert sorted([*lost, *first.move.kept]) == sorted(stood)


def test_another_seed_is_another_tremor_of_the_hand() -> None:
    pytest.importorskip("mujoco")
    shot = flicked("c1")
    assert shot.simulate(Random(1)).move != shot.simulate(Random(2)).move


def test_a_log_with_flicks_replays_without_simulating(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("mujoco")
    match, rng = Match(load("cup-king", 2)), Random(1)
    match.settle(rng)
    for seat in (0, 1):
        match.play(f"build:{BIG}", seat)
    match.settle(rng)
    while not (isinstance(match.log[-1].move, Settle) and match.log[-1].move.poses):
        position = match.position
        if position.is_simulated:
            match.play(position.simulate(rng).move)
        elif position.to_act == (CHANCE,):
            match.play(position.chance(rng))
        else:
            match.play(next((m for m in position.moves() if isinstance(m, Flick)), position.moves()[0]))

    def never(*given: Any) -> Any:
        raise AssertionError("a replay has simulated")

    monkeypatch.setitem(sys.modules, "mujoco", None)
    for module, name in ((enacting, "enact"), (enacting, "is_available"), (simulation, "flick"), (physics, "run")):
        monkeypatch.setattr(module, name, never)
    again = Match(match.game)
    for entry in match.log:
        again.play(str(entry.move), entry.seat)
    assert again.position == match.position and again.log == match.log
    assert again.position.row[k.POSE : k.SIZE].any()
    assert [entry.move for entry in again.veiled(0)][-1] == match.log[-1].move, "everybody sees how it came to rest"


def test_where_a_simulation_fails_the_careful_rule_decides_and_says_so() -> None:
    shot = flicked()
    move = shot.unsimulated()
    assert isinstance(move, Settle) and move.how == "care" and not move.is_simulated and not move.poses
    assert shot.play(move).colours(1) == follow(attacked(removal="careful"), "-b1").colours(1)
    assert str(move.words(shot.game.seat_name)).startswith(
        "The simulation failed, so the bucket is taken out with care."
    )
    assert shot.parse(str(move)) == move


def test_without_a_physics_engine_the_odds_decide_and_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(enacting, "is_available", lambda: False)
    shot = flicked()
    found = [shot.simulate(Random(seed)) for seed in range(40)]
    assert not any(motion for _, motion in found)
    moves = [move for move, _ in found if isinstance(move, Settle)]
    assert {move.how for move in moves} == {"table"} and not any(move.is_simulated for move in moves)
    assert [move.kept for move in moves] == [shot.chance(Random(seed)).kept for seed in range(40)]  # type: ignore[union-attr]
    assert str(moves[0].words(shot.game.seat_name)).startswith("There is no physics engine here, so the odds decided.")
    assert shot.parse(str(moves[0])) == moves[0] and shot.play(moves[0]).to_act != (CHANCE,)


def test_is_available_asks_for_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(enacting, "find_spec", lambda name: None if name == "mujoco" else object())
    assert not enacting.is_available()


def test_other_moves_of_nature_are_not_simulated() -> None:
    start = CupKing(2).start()
    assert not start.is_simulated and start.simulate(Random(3)) == (start.chance(Random(3)), b"")


def test_a_late_judgement_says_so() -> None:
    assert said(flicked("c1"), "settle-B:a1,a2;late").startswith(
        "It had not quite come to rest, so its last state counts."
    )
