"""The state of a table: what the entries of its log amount to."""

from __future__ import annotations

from random import Random

import pytest

import cupboard
from cupboard.core.scene import Scene
from cupboard.core.testing_games import by_lot
from cupboard.server.store.store import LogEntry
from cupboard.server.table.plan import Draft, begin
from cupboard.server.table.state import TableState
from cupboard.server.wire.server_messages import EventKind
from cupboard.server.wire.tables import Clock

from ..inside import settle_by_odds

SECOND = 1000


def cups(clock: Clock | None = None) -> TableState:
    game = cupboard.load("jumping-cups", starter="red")
    return TableState.of(game, [LogEntry(0, "start", None, "", 0)], clock)


def add(state: TableState, kind: EventKind, seat: int | None = None, text: str = "", at: int = 0) -> None:
    state.add(LogEntry(state.version, kind, seat, text, at))


def test_a_takeback_shortens_the_game_and_not_the_log() -> None:
    state = cups()
    start = state.position
    add(state, "move", 0, "5-6")
    add(state, "move", 1, "10-9")
    assert state.takeback_target(0) == 1
    add(state, "takeback", 0, "1")
    assert (state.position, state.asked, state.version, state.played) == (start, (0,), 4, [])
    add(state, "move", 0, "4-5")
    again = TableState.of(state.game, state.entries)
    assert again.position == state.position and again.played == state.played == [4]


def test_luck_is_not_taken_back() -> None:
    game = cupboard.load("jumping-cups")
    state = TableState.of(game, [draft.entry(n, 0) for n, draft in enumerate(begin(game))])
    seat = state.asked[0]
    assert state.takeback_target(seat) is None
    add(state, "move", seat, str(state.position.moves(seat)[0]))
    assert state.takeback_target(seat) == state.version - 1 and state.takeback_target(1 - seat) is None


def test_a_move_is_not_taken_back_once_the_card_drawn_after_it_was_seen() -> None:
    """Whoever has seen the next card would choose again knowing it; before that the move can be taken back."""
    game = cupboard.load("cup-king", 2)
    state = TableState.of(game, [draft.entry(n, 0) for n, draft in enumerate(begin(game))])
    rng, drawn, free = Random(3), 0, 0
    while state.outcome is None and (drawn < 3 or free < 3):
        seat = state.asked[0]
        move = rng.choice(state.position.moves(seat))
        step = state.position.step(move, seat)
        drafts = [Draft.of(step)]
        settle_by_odds(step.after, drafts)
        for draft in drafts:
            state.add(draft.entry(state.version, 0), draft.step)
        if len(drafts) > 1:
            assert [state.takeback_target(s) for s in range(2)] == [None, None]
            drawn += 1
        else:
            assert state.takeback_target(seat) == state.version - 1
            free += 1
    assert drawn and free, "both happened"


def test_a_draw_offer_does_not_outlive_the_position_and_a_rematch_offer_does_not_wait_for_one() -> None:
    state = TableState.of(cupboard.load("double-dutch"), [LogEntry(0, "start", None, "", 0)])
    for what in ("draw", "takeback"):
        mover = state.asked[0]
        for asker in (mover, 1 - mover):
            add(state, "offer", asker, what)
            assert [(one.what, one.seat, one.waits) for one in state.standing()] == [(what, asker, (1 - asker,))]
            add(state, "move", state.asked[0], str(state.position.moves(state.asked[0])[0]))
            assert state.offers == {} and state.standing() == ()
    add(state, "offer", 0, "draw")
    add(state, "agree", 1, "draw")
    assert state.offers["draw"].waits == set()
    add(state, "decline", 1, "draw")
    assert state.offers == {}


def test_after_a_takeback_an_answer_to_the_question_before_it_is_stale() -> None:
    state = cups()
    put = state.since[0]
    add(state, "move", 0, "5-6")
    add(state, "takeback", 0, "1")
    assert put < state.since[0] == state.version
    state = cups()
    add(state, "move", 0, "5-6")
    add(state, "move", 1, "10-9")
    put = state.since[0]
    add(state, "takeback", 0, "1")
    assert state.asked == (0,) and put < state.since[0] == state.version, "asked before and after, but not the same"


def test_a_fischer_clock_gains_with_every_move() -> None:
    state = cups(Clock(start=60, gain=5))
    add(state, "move", 0, "5-6", at=10 * SECOND)
    times = state.times(15 * SECOND)
    assert times is not None and times.left == (55 * SECOND, 55 * SECOND) and times.running == (1,)
    assert state.flag() == (70 * SECOND, 1)
    add(state, "end", 1, "time", at=70 * SECOND)
    assert state.flag() is None
    assert state.outcome is not None and state.outcome.winners == (0,) and state.outcome.reason == "time"


def test_days_per_move_begin_anew() -> None:
    day = 86_400 * SECOND
    state = cups(Clock(days=3))
    add(state, "move", 0, "5-6", at=2 * day)
    add(state, "move", 1, "10-9", at=4 * day)
    assert state.flag() == (7 * day, 0)


def test_a_question_is_put_once_to_those_who_act_together() -> None:
    game = cupboard.load("cup-king", 3)
    state = TableState.of(game, [draft.entry(n, 0) for n, draft in enumerate(begin(game))])
    put = state.version
    assert state.since == {0: put, 1: put, 2: put}
    add(state, "move", 1, str(state.position.moves(1)[7]))
    assert state.since == {0: put, 2: put}


def test_positions_walks_through_takebacks() -> None:
    state = cups()
    for seat, text in ((0, "5-6"), (1, "10-9")):
        add(state, "move", seat, text)
    add(state, "chat", 0, "oops")
    add(state, "takeback", 0, "1")
    found = state.positions(0, state.version)
    assert [version for version, _, _ in found] == [0, 2, 3, 5]
    assert found[0][1] == found[3][1] == state.position and found[3][2] is None


@pytest.mark.parametrize("name", cupboard.names())
def test_without_secrets_all_see_the_same_scene(name: str) -> None:
    game = cupboard.load(name)
    if game.has_secrets:
        pytest.skip("it has secrets")
    rng = Random(1)
    position = game.start()
    while not position.is_over and position.ply < 60:
        seat, move = by_lot(position, rng)
        position = position.play(move, seat)
        scenes: set[Scene | str] = {repr(position.seen_by(viewer).scene()) for viewer in (None, *range(game.seats))}
        assert len(scenes) == 1
        assert all(move.seen_by(viewer) == move for viewer in (None, *range(game.seats)))


def test_a_clock_runs_only_for_people_who_are_asked() -> None:
    game = cupboard.load("double-dutch", 3)
    state = TableState.of(game, [LogEntry(0, "start", None, "", 1 * SECOND)], Clock(start=60, gain=5), bots=[1])
    first, others = state.asked[0], [seat for seat in range(3) if seat != state.asked[0]]
    shown = state.times(11 * SECOND)
    assert shown is not None and shown.running == ((first,) if first != 1 else ())
    for at in (20, 30, 40):
        add(state, "move", state.asked[0], str(state.position.moves(state.asked[0])[0]), at=at * SECOND)
    shown = state.times(40 * SECOND)
    assert shown is not None
    spent = dict(zip((0, 1, 2), (19, 10, 10), strict=True)) if first == 0 else {}
    assert shown.left == tuple(60 * SECOND if seat == 1 else (65 - spent[seat]) * SECOND for seat in range(3))
    assert others == [1, 2], "the test reckons with seat 0 beginning"


def test_a_clock_shows_nothing_below_nought_and_none_without() -> None:
    state = cups(Clock(start=60))
    shown = state.times(61 * SECOND)
    assert shown is not None and (shown.left, shown.running) == ((0, 60 * SECOND), (0,))
    assert (cups().times(5), cups().flag(), cups().no_flag_before(5)) == (None, None, None)


def test_no_flag_can_fall_when_the_game_is_over_or_nobody_is_left() -> None:
    state = cups(Clock(start=60))
    assert state.no_flag_before(7) == 60 * SECOND, "Red's clock runs since the start, Yellow's would from now on"
    add(state, "end", 0, "resigned", at=9 * SECOND)
    assert state.no_flag_before(10 * SECOND) is None and state.flag() is None
    bots = TableState.of(
        cupboard.load("jumping-cups", starter="red"), [LogEntry(0, "start", None, "", 0)], Clock(start=60), [0, 1]
    )
    assert bots.no_flag_before(0) is None and bots.flag() is None


def test_a_handover_stops_the_clock_and_ends_all_offers() -> None:
    state = TableState.of(cupboard.load("double-dutch", 3), [LogEntry(0, "start", None, "", 0)], Clock(start=60))
    asked = state.asked[0]
    add(state, "offer", asked, "draw", at=SECOND)
    assert state.standing()[0].waits == tuple(sorted({0, 1, 2} - {asked}))
    add(state, "handover", asked, "maple", at=2 * SECOND)
    assert (state.bots, state.offers, state.asked, state.flag()) == ({asked}, {}, (asked,), None)
    add(state, "offer", (asked + 1) % 3, "draw", at=3 * SECOND)
    assert state.standing()[0].waits == ((asked + 2) % 3,) and state.people() == {0, 1, 2} - {asked}


def test_a_takeback_gives_the_question_back_but_no_time() -> None:
    state = cups(Clock(start=60))
    add(state, "move", 0, "5-6", at=10 * SECOND)
    add(state, "takeback", 0, "1", at=15 * SECOND)
    shown = state.times(16 * SECOND)
    assert shown is not None and (shown.left, shown.running) == ((49 * SECOND, 55 * SECOND), (0,))
    assert state.last is None and state.changed == state.version


def test_the_last_move_is_known_also_after_a_takeback() -> None:
    state = cups()
    assert state.last is None
    for seat, text in ((0, "5-6"), (1, "10-9"), (0, "4-5")):
        add(state, "move", seat, text)
        assert state.last is not None and (state.last[0], str(state.last[1])) == (seat, text)
    add(state, "takeback", 0, "3")
    assert state.last is not None and (state.last[0], str(state.last[1])) == (1, "10-9")
    assert (state.made[3], state.made[4]) == (state.made[3], None) and len(state.made) == state.version


def test_rematch_and_status_are_told_by_the_log() -> None:
    game = cupboard.load("jumping-cups", starter="red")
    state = TableState.of(game, [LogEntry(0, "sit", 1, "Bo", 0)])
    assert (state.status, state.asked, state.rematch) == ("waiting", (), "")
    add(state, "start")
    assert (state.status, state.asked) == ("playing", (0,))
    add(state, "end", None, "agreed")
    assert state.outcome is not None and (state.status, state.outcome.winners) == ("over", (0, 1))
    add(state, "offer", 0, "rematch")
    add(state, "rematch", None, "t9")
    assert (state.rematch, state.offers) == ("t9", {})
    with pytest.raises(ValueError, match="entry 6 after 5"):
        state.add(LogEntry(state.version + 1, "chat", 0, "too far", 0))


@pytest.mark.parametrize("since", range(7))
def test_positions_begin_with_the_one_asked_for(since: int) -> None:
    state = cups()
    for entry in (
        ("move", 0, "5-6"),
        ("chat", 0, "hm"),
        ("move", 1, "10-9"),
        ("takeback", 1, "3"),
        ("move", 1, "11-10"),
    ):
        add(state, *entry)
    changes = [2, 4, 5, 6]
    for until in range(since, state.version + 1):
        found = state.positions(since, until)
        assert [version for version, _, _ in found] == [since, *(v for v in changes if since < v <= until)]
        for version, position, last in found:
            again = TableState.of(state.game, state.entries[:version])
            assert (position, last) == (again.position, again.last)
