"""What a log amounts to."""

from __future__ import annotations

from random import Random

import pytest

import cupboard
from cupboard.core.scene import Scene
from cupboard.core.testing_games import by_lot
from cupboard.server.fold import Fold
from cupboard.server.plan import Draft, begin, settle
from cupboard.server.scenes import has_secrets
from cupboard.server.store import Entry
from cupboard.server.wire import Clock, EventKind

SECOND = 1000


def cups(clock: Clock | None = None) -> Fold:
    game = cupboard.load("jumping-cups", starter="red")
    return Fold.of(game, [Entry(0, "start", None, "", 0)], clock)


def add(fold: Fold, kind: EventKind, seat: int | None = None, text: str = "", at: int = 0) -> None:
    fold.add(Entry(fold.version, kind, seat, text, at))


def test_a_takeback_shortens_the_game_and_not_the_log() -> None:
    fold = cups()
    start = fold.position
    add(fold, "move", 0, "5-6")
    add(fold, "move", 1, "10-9")
    assert fold.takeback_target(0) == 1
    add(fold, "takeback", 0, "1")
    assert (fold.position, fold.asked, fold.version, fold.played) == (start, (0,), 4, [])
    add(fold, "move", 0, "4-5")
    again = Fold.of(fold.game, fold.entries)
    assert again.position == fold.position and again.played == fold.played == [4]


def test_luck_is_not_taken_back() -> None:
    game = cupboard.load("jumping-cups")
    fold = Fold.of(game, [draft.entry(n, 0) for n, draft in enumerate(begin(game))])
    seat = fold.asked[0]
    assert fold.takeback_target(seat) is None
    add(fold, "move", seat, str(fold.position.moves(seat)[0]))
    assert fold.takeback_target(seat) == fold.version - 1 and fold.takeback_target(1 - seat) is None


def test_a_move_is_not_taken_back_once_the_card_drawn_after_it_was_seen() -> None:
    """Whoever has seen the next card would choose again knowing it; before that the move can be taken back."""
    game = cupboard.load("cup-king", 2)
    fold = Fold.of(game, [draft.entry(n, 0) for n, draft in enumerate(begin(game))])
    rng, drawn, free = Random(3), 0, 0
    while fold.outcome is None and (drawn < 3 or free < 3):
        seat = fold.asked[0]
        move = rng.choice(fold.position.moves(seat))
        after = fold.position.play(move, seat)
        drafts = [Draft("move", seat, str(move), move, after)]
        settle(after, drafts)
        for draft in drafts:
            fold.add(draft.entry(fold.version, 0), draft.move, draft.after)
        if len(drafts) > 1:
            assert [fold.takeback_target(s) for s in range(2)] == [None, None]
            drawn += 1
        else:
            assert fold.takeback_target(seat) == fold.version - 1
            free += 1
    assert drawn and free, "both happened"


def test_a_draw_offer_does_not_outlive_the_position_and_a_rematch_offer_does_not_wait_for_one() -> None:
    fold = Fold.of(cupboard.load("double-dutch"), [Entry(0, "start", None, "", 0)])
    for what in ("draw", "takeback"):
        mover = fold.asked[0]
        for asker in (mover, 1 - mover):
            add(fold, "offer", asker, what)
            assert [(one.what, one.seat, one.waits) for one in fold.standing()] == [(what, asker, (1 - asker,))]
            add(fold, "move", fold.asked[0], str(fold.position.moves(fold.asked[0])[0]))
            assert fold.offers == {} and fold.standing() == ()
    add(fold, "offer", 0, "draw")
    add(fold, "agree", 1, "draw")
    assert fold.offers["draw"].waits == set()
    add(fold, "decline", 1, "draw")
    assert fold.offers == {}


def test_after_a_takeback_an_answer_to_the_question_before_it_is_stale() -> None:
    fold = cups()
    put = fold.since[0]
    add(fold, "move", 0, "5-6")
    add(fold, "takeback", 0, "1")
    assert put < fold.since[0] == fold.version
    fold = cups()
    add(fold, "move", 0, "5-6")
    add(fold, "move", 1, "10-9")
    put = fold.since[0]
    add(fold, "takeback", 0, "1")
    assert fold.asked == (0,) and put < fold.since[0] == fold.version, "asked before and after, but not the same"


def test_a_fischer_clock_gains_with_every_move() -> None:
    fold = cups(Clock(start=60, gain=5))
    add(fold, "move", 0, "5-6", at=10 * SECOND)
    times = fold.times(15 * SECOND)
    assert times is not None and times.left == (55 * SECOND, 55 * SECOND) and times.running == (1,)
    assert fold.flag() == (70 * SECOND, 1)
    add(fold, "end", 1, "time", at=70 * SECOND)
    assert fold.flag() is None
    assert fold.outcome is not None and fold.outcome.winners == (0,) and fold.outcome.reason == "time"


def test_days_per_move_begin_anew() -> None:
    day = 86_400 * SECOND
    fold = cups(Clock(days=3))
    add(fold, "move", 0, "5-6", at=2 * day)
    add(fold, "move", 1, "10-9", at=4 * day)
    assert fold.flag() == (7 * day, 0)


def test_a_question_is_put_once_to_those_who_act_together() -> None:
    game = cupboard.load("cup-king", 3)
    fold = Fold.of(game, [draft.entry(n, 0) for n, draft in enumerate(begin(game))])
    put = fold.version
    assert fold.since == {0: put, 1: put, 2: put}
    add(fold, "move", 1, str(fold.position.moves(1)[7]))
    assert fold.since == {0: put, 2: put}


def test_positions_walks_through_takebacks() -> None:
    fold = cups()
    for seat, text in ((0, "5-6"), (1, "10-9")):
        add(fold, "move", seat, text)
    add(fold, "chat", 0, "oops")
    add(fold, "takeback", 0, "1")
    found = fold.positions(0, fold.version)
    assert [version for version, _, _ in found] == [0, 2, 3, 5]
    assert found[0][1] == found[3][1] == fold.position and found[3][2] is None


@pytest.mark.parametrize("name", cupboard.names())
def test_without_secrets_all_see_the_same_scene(name: str) -> None:
    game = cupboard.load(name)
    if has_secrets(game):
        pytest.skip("it has secrets")
    rng = Random(1)
    position = game.start()
    while not position.is_over and position.ply < 60:
        seat, move = by_lot(position, rng)
        position = position.play(move, seat)
        scenes: set[Scene | str] = {repr(position.seen_by(eye).scene()) for eye in (None, *range(game.seats))}
        assert len(scenes) == 1
        assert all(move.seen_by(eye) == move for eye in (None, *range(game.seats)))


def test_a_clock_runs_only_for_people_who_are_asked() -> None:
    game = cupboard.load("double-dutch", 3)
    fold = Fold.of(game, [Entry(0, "start", None, "", 1 * SECOND)], Clock(start=60, gain=5), bots=[1])
    first, others = fold.asked[0], [seat for seat in range(3) if seat != fold.asked[0]]
    shown = fold.times(11 * SECOND)
    assert shown is not None and shown.running == ((first,) if first != 1 else ())
    for at in (20, 30, 40):
        add(fold, "move", fold.asked[0], str(fold.position.moves(fold.asked[0])[0]), at=at * SECOND)
    shown = fold.times(40 * SECOND)
    assert shown is not None
    spent = dict(zip((0, 1, 2), (19, 10, 10), strict=True)) if first == 0 else {}
    assert shown.left == tuple(60 * SECOND if seat == 1 else (65 - spent[seat]) * SECOND for seat in range(3))
    assert others == [1, 2], "the test reckons with seat 0 beginning"


def test_a_clock_shows_nothing_below_nought_and_none_without() -> None:
    fold = cups(Clock(start=60))
    shown = fold.times(61 * SECOND)
    assert shown is not None and (shown.left, shown.running) == ((0, 60 * SECOND), (0,))
    assert (cups().times(5), cups().flag(), cups().no_flag_before(5)) == (None, None, None)


def test_no_flag_can_fall_when_the_game_is_over_or_nobody_is_left() -> None:
    fold = cups(Clock(start=60))
    assert fold.no_flag_before(7) == 60 * SECOND, "Red's clock runs since the start, Yellow's would from now on"
    add(fold, "end", 0, "resigned", at=9 * SECOND)
    assert fold.no_flag_before(10 * SECOND) is None and fold.flag() is None
    bots = Fold.of(
        cupboard.load("jumping-cups", starter="red"), [Entry(0, "start", None, "", 0)], Clock(start=60), [0, 1]
    )
    assert bots.no_flag_before(0) is None and bots.flag() is None


def test_a_handover_stops_the_clock_and_ends_all_offers() -> None:
    fold = Fold.of(cupboard.load("double-dutch", 3), [Entry(0, "start", None, "", 0)], Clock(start=60))
    asked = fold.asked[0]
    add(fold, "offer", asked, "draw", at=SECOND)
    assert fold.standing()[0].waits == tuple(sorted({0, 1, 2} - {asked}))
    add(fold, "handover", asked, "maple", at=2 * SECOND)
    assert (fold.bots, fold.offers, fold.asked, fold.flag()) == ({asked}, {}, (asked,), None)
    add(fold, "offer", (asked + 1) % 3, "draw", at=3 * SECOND)
    assert fold.standing()[0].waits == ((asked + 2) % 3,) and fold.people() == {0, 1, 2} - {asked}


def test_a_takeback_gives_the_question_back_but_no_time() -> None:
    fold = cups(Clock(start=60))
    add(fold, "move", 0, "5-6", at=10 * SECOND)
    add(fold, "takeback", 0, "1", at=15 * SECOND)
    shown = fold.times(16 * SECOND)
    assert shown is not None and (shown.left, shown.running) == ((49 * SECOND, 55 * SECOND), (0,))
    assert fold.last is None and fold.changed == fold.version


def test_the_last_move_is_known_also_after_a_takeback() -> None:
    fold = cups()
    assert fold.last is None
    for seat, text in ((0, "5-6"), (1, "10-9"), (0, "4-5")):
        add(fold, "move", seat, text)
        assert fold.last is not None and (fold.last[0], str(fold.last[1])) == (seat, text)
    add(fold, "takeback", 0, "3")
    assert fold.last is not None and (fold.last[0], str(fold.last[1])) == (1, "10-9")
    assert (fold.made[3], fold.made[4]) == (fold.made[3], None) and len(fold.made) == fold.version


def test_rematch_and_status_are_told_by_the_log() -> None:
    game = cupboard.load("jumping-cups", starter="red")
    fold = Fold.of(game, [Entry(0, "sit", 1, "Bo", 0)])
    assert (fold.status, fold.asked, fold.rematch) == ("waiting", (), "")
    add(fold, "start")
    assert (fold.status, fold.asked) == ("playing", (0,))
    add(fold, "end", None, "agreed")
    assert fold.outcome is not None and (fold.status, fold.outcome.winners) == ("over", (0, 1))
    add(fold, "offer", 0, "rematch")
    add(fold, "rematch", None, "t9")
    assert (fold.rematch, fold.offers) == ("t9", {})
    with pytest.raises(ValueError, match="entry 6 after 5"):
        fold.add(Entry(fold.version + 1, "chat", 0, "too far", 0))


@pytest.mark.parametrize("since", range(7))
def test_positions_begin_with_the_one_asked_for(since: int) -> None:
    fold = cups()
    for entry in (
        ("move", 0, "5-6"),
        ("chat", 0, "hm"),
        ("move", 1, "10-9"),
        ("takeback", 1, "3"),
        ("move", 1, "11-10"),
    ):
        add(fold, *entry)
    changes = [2, 4, 5, 6]
    for until in range(since, fold.version + 1):
        found = fold.positions(since, until)
        assert [version for version, _, _ in found] == [since, *(v for v in changes if since < v <= until)]
        for version, position, last in found:
            again = Fold.of(fold.game, fold.entries[:version])
            assert (position, last) == (again.position, again.last)
