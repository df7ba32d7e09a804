"""The referee: every printed situation (CK-14), and the borders between them."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cupboard.games.cup_king.poses import HEIGHT, PLACED, RIM, SPACING, Pose, pose_of, quaternion, tilt
from cupboard.games.cup_king.referee import (
    DROPPED,
    FITS,
    LEANS,
    breaks,
    carriers,
    has_fallen,
    in_place,
    is_misplaced,
    judge,
    parts,
)

#          14
#        12  13
#      9   10  11
#    5   6   7   8
#  0   1   2   3   4
WHOLE = dict.fromkeys(range(15), PLACED)


def pyramid(*slots: int, **moved: Pose) -> dict[int, Pose]:
    """Buckets in these slots, in their places but for those named s0, s1 …"""
    return dict.fromkeys(slots, PLACED) | {int(name[1:]): pose for name, pose in moved.items()}


def right(millimetres: float) -> Pose:
    return Pose(x=round(millimetres * 100))


def test_a_pyramid_that_nothing_has_touched_stays_whole() -> None:
    verdict = judge(WHOLE)
    assert verdict.kept == WHOLE
    assert not (verdict.fallen or verdict.misplaced or verdict.apart or verdict.breaks)


def test_ck_13_what_lies_about_has_fallen() -> None:
    lying = Pose(x=9000, y=-12000, z=-12600, rx=9000)
    verdict = judge(WHOLE | {14: lying}, flicked=14)
    assert verdict.fallen == {14} and set(verdict.kept) == set(range(14))


def test_ck_13_the_flicked_bucket_goes_even_if_it_stays_where_it_was() -> None:
    verdict = judge(WHOLE, flicked=14)
    assert verdict.fallen == {14} and 14 not in verdict.kept


def test_ck_14_a_printed_example_three_buckets_no_longer_in_place() -> None:
    """One has slipped down between its carriers, and the two that stood on it lean against the rest."""
    slipped, leaning = Pose(z=-2000, rx=500), Pose(z=-300, ry=2000)
    verdict = judge(pyramid(0, 1, 2, 3, 4, 5, 6, 7, 8, s9=slipped, s12=leaning))
    assert verdict.misplaced == {9, 12} and set(verdict.kept) == set(range(9))
    assert not verdict.fallen


@pytest.mark.parametrize(("degrees", "stays"), [(LEANS - 0.5, True), (LEANS + 0.5, False)])
def test_ck_14_a_leaning_by_more_than_fifteen_degrees_is_not_in_place(degrees: float, stays: bool) -> None:
    assert is_misplaced(9, WHOLE | {9: Pose(rx=round(degrees * 100))}) is not stays


@pytest.mark.parametrize(
    ("millimetres", "stays"), [(DROPPED - 0.1, True), (DROPPED + 0.1, False), (-DROPPED - 1, False)]
)
def test_ck_14_a_a_quarter_of_a_height_above_or_below_its_row_is_not_in_place(millimetres: float, stays: bool) -> None:
    assert is_misplaced(9, WHOLE | {9: Pose(z=round(millimetres * 100))}) is not stays


def test_ck_14_a_a_bucket_without_both_that_carried_it_is_not_in_its_right_place() -> None:
    """Two buckets lean together as an arch over a gap: they still stand, but not where they belong."""
    gone = {slot: pose for slot, pose in WHOLE.items() if slot != 2}
    assert set(in_place(gone)) == {0, 1, 3, 4, 5, 8}
    assert judge(gone).misplaced == {6, 7, 9, 10, 11, 12, 13, 14}


def test_ck_14_a_a_bucket_that_stands_beside_its_carriers_is_not_in_its_right_place() -> None:
    assert not is_misplaced(5, pyramid(0, 1, s5=right(SPACING / 2 - 1)))
    assert is_misplaced(5, pyramid(0, 1, s5=right(SPACING / 2 + 1)))


def test_ck_14_b_a_shifted_bucket_stays_and_stays_shifted() -> None:
    shifted = Pose(x=400, y=-250, rz=600)
    verdict = judge(WHOLE | {12: shifted}, flicked=14)
    assert verdict.kept[12] == shifted


def test_ck_14_c_a_bucket_so_far_off_that_another_fits_between_goes() -> None:
    verdict = judge(pyramid(0, 1, 2, 5, 6, 9, s3=right(44)))
    assert verdict.apart == {3} and set(verdict.kept) == {0, 1, 2, 5, 6, 9} and not verdict.breaks


def test_ck_14_c_a_single_bucket_beyond_a_missing_one_goes() -> None:
    assert judge(pyramid(0, 2, 3, 4, 7, 8, 11)).apart == {0}


@pytest.mark.parametrize("sideways", [False, True])
@pytest.mark.parametrize(("gap", "stays"), [(FITS - 0.1, True), (FITS + 0.1, False)])
def test_ck_14_the_border_between_b_and_c_is_the_gap_into_which_a_bucket_fits(
    gap: float, stays: bool, sideways: bool
) -> None:
    """95 hundredths of a bucket's width between the rims, whichever way the bucket went."""
    distance = gap + 2 * RIM
    moved = Pose(x=-SPACING * 100, y=round(distance * 100)) if sideways else right(distance - SPACING)
    verdict = judge(pyramid(0, 1, 5, s2=moved))
    assert (2 in verdict.kept) is stays
    assert verdict.apart == (frozenset() if stays else {2})


def test_ck_14_d_a_missing_bucket_of_the_base_leaves_two_parts() -> None:
    assert parts(judge(WHOLE, flicked=2).kept) == [{0, 1, 5}, {3, 4, 8}]


def test_ck_14_d_two_parts_pushed_apart_with_room_for_a_bucket_between() -> None:
    verdict = judge(pyramid(0, 1, 5, s2=right(45), s3=right(45), s7=right(45)))
    assert verdict.breaks == {1} and not verdict.apart
    assert parts(verdict.kept, verdict.breaks) == [{0, 1, 5}, {2, 3, 7}]


def test_ck_14_d_of_two_single_buckets_the_owner_chooses_too() -> None:
    verdict = judge(pyramid(0, 2))
    assert set(verdict.kept) == {0, 2} and not verdict.apart
    assert parts(verdict.kept) == [{0}, {2}]


def test_no_break_where_a_bucket_stands_on_both() -> None:
    assert not breaks(pyramid(0, 5, s1=right(60)))
    assert breaks(pyramid(0, s1=right(60))) == {0}


def test_every_bucket_above_the_base_is_carried_by_two_of_the_row_below() -> None:
    assert [carriers(slot) for slot in (0, 4, 5, 8, 9, 14)] == [(), (), (0, 1), (3, 4), (5, 6), (12, 13)]


POSES = st.builds(
    Pose,
    *(st.integers(-6000, 6000) for _ in range(2)),
    st.integers(-5000, 1500),
    *(st.integers(-2500, 2500) for _ in range(3)),
)


@given(st.dictionaries(st.integers(0, 14), st.one_of(st.just(PLACED), POSES)), st.integers(-1, 14))
def test_the_judgement_is_complete_and_keeps_only_what_the_support_rule_keeps(
    poses: dict[int, Pose], flicked: int
) -> None:
    verdict = judge(poses, flicked=flicked)
    lost = [verdict.fallen, verdict.misplaced, verdict.apart]
    assert sorted([*verdict.kept, *(slot for slots in lost for slot in slots)]) == sorted(poses)
    assert flicked not in verdict.kept
    for slot in verdict.kept:
        assert all(carrier in verdict.kept for carrier in carriers(slot))
        assert not has_fallen(slot, verdict.kept[slot]) and tilt(verdict.kept[slot]) <= LEANS
    groups = parts(verdict.kept, verdict.breaks)
    assert sorted(slot for group in groups for slot in group) == sorted(verdict.kept)
    assert all(len(group) > 1 for group in groups) or all(len(group) == 1 for group in groups)
    assert [min(group) for group in groups] == sorted(min(group) for group in groups)
    assert all(max(a & set(range(5))) < min(b & set(range(5))) for a, b in pairwise(groups))


@given(POSES, st.integers(0, 14))
def test_a_pose_packs_into_two_numbers_and_comes_back(pose: Pose, slot: int) -> None:
    assert Pose.unpacked(*pose.packed()) == pose
    assert PLACED.packed() == (0, 0)
    assert all(0 <= number < 2**63 for number in pose.packed())


@given(st.integers(-1500, 1500), st.integers(-1500, 1500), st.integers(-1700, 1700))
def test_a_pose_is_read_back_from_the_quaternion_it_makes(rx: int, ry: int, rz: int) -> None:
    found = pose_of(0, [0.001, -0.002, 0.0005, *quaternion(Pose(0, 0, 0, rx, ry, rz))])
    assert found[:3] == (100, -200, 50)
    assert tilt(found) == pytest.approx(tilt(Pose(0, 0, 0, rx, ry, rz)), abs=0.02)


def test_a_bucket_is_as_high_as_the_rows_are_apart() -> None:
    assert is_misplaced(5, pyramid(0, 1, s5=Pose(z=round(-HEIGHT * 100)))) and not is_misplaced(0, pyramid(0))
