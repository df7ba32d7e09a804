"""What an update says, field by field, and that what is kept for the next who looks is never out of date."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

import cupboard
from cupboard.core.errors import CupboardError, IllegalMove
from cupboard.core.game import Seat
from cupboard.core.words import Words, phrase
from cupboard.server.store.store import LogEntry
from cupboard.server.table.plan import begin
from cupboard.server.table.state import TableState
from cupboard.server.table.updates import UpdateEncoder, choices
from cupboard.server.wire.problems import problem
from cupboard.server.wire.server_messages import EventKind
from cupboard.server.wire.tables import Clock


def said(words: Any) -> str:
    return str(msgspec.convert(words, Words))


def add(state: TableState, kind: EventKind, seat: int | None = None, text: str = "", at: int = 0) -> None:
    state.add(LogEntry(state.version, kind, seat, text, at))


def cups(*entries: tuple[EventKind, int | None, str], clock: Clock | None = None) -> tuple[TableState, UpdateEncoder]:
    state = TableState(cupboard.load("jumping-cups", starter="red"), clock)
    for entry in entries:
        add(state, *entry)
    return state, UpdateEncoder(state)


def update(updates: UpdateEncoder, viewer: Seat | None, since: int = 0, **more: Any) -> dict[str, Any]:
    seats = frozenset() if viewer is None else frozenset({viewer})
    given = {"known": None, "now": 0, "ack": None} | more
    got: dict[str, Any] = msgspec.json.decode(updates.update(since, seats, viewer, **given)[0])
    return got


def test_moves_are_listed_for_the_one_who_is_asked_only() -> None:
    state, updates = cups(("start", None, ""))
    red, yellow, watcher = (update(updates, viewer) for viewer in (0, 1, None))
    assert [move["text"] for move in red["moves"]] == ["1-2", "2-3", "3-4", "4-5", "5-6"]
    assert "moves" not in yellow and "moves" not in watcher
    assert (red["seat"], yellow["seat"], watcher.get("seat")) == (0, 1, None)
    add(state, "move", 0, "5-6")
    assert "moves" not in update(updates, 0)
    assert [move["text"] for move in update(updates, 1)["moves"]] == [str(move) for move in state.position.moves(1)]


def test_events_come_from_where_the_client_left_off() -> None:
    state, updates = cups(("start", None, ""), ("move", 0, "5-6"), ("chat", 1, "hm"))
    for since, numbers in ((0, [0, 1, 2]), (2, [2]), (3, []), (-4, [0, 1, 2])):
        assert [event["n"] for event in update(updates, 0, since)["events"]] == numbers
        assert [event.n for event in updates.events(since, frozenset())] == numbers
    start, moved, chat = update(updates, 1)["events"]
    assert (moved["kind"], moved["seat"], moved["text"], moved["path"]) == ("move", 0, "5-6", ["5", "6"])
    assert (start["kind"], chat["kind"], chat["seat"], chat["text"]) == ("start", "chat", 1, "hm")
    assert "words" in moved and "words" not in chat and state.version == update(updates, 1)["version"] == 3


@pytest.mark.parametrize(
    ("text", "path"),
    [("9-10-13", ["9", "10", "13"]), ("13-off", ["13"])],
)
def test_an_event_tells_every_place_that_a_piece_passes(text: str, path: list[str]) -> None:
    game = cupboard.load("jumping-cups")
    move = game.read_move(text)
    assert list(move.route()) == path and len(move.spots()) == 2
    state, updates = cups(("start", None, ""), ("move", 0, "5-6"))
    state.made[1] = move
    assert [event.path for event in updates.events(1, frozenset())] == [tuple(path)]


def test_of_a_chain_every_hole_is_told() -> None:
    star = cupboard.load("chinese-checkers")
    for text in ("d2-f7-h5", "d2-f7xh5"):
        move = star.read_move(text)
        assert (move.route(), move.spots()) == (("d2", "f7", "h5"), ("d2", "h5"))


def test_lists_leave_out_what_nature_deals_and_shorten_pyramids() -> None:
    game = cupboard.load("cup-king", 2)
    state = TableState.of(game, [draft.entry(n, 0) for n, draft in enumerate(begin(game))])
    add(state, "move", 0, str(state.position.moves(0)[12345]))
    updates = UpdateEncoder(state)
    for viewer in (0, 1, None):
        _, dealt, other, built = updates.events(0, frozenset() if viewer is None else frozenset({viewer}))
        assert (dealt.short, other.short, str(built.short)) == (
            "",
            "",
            "Pyramid built",
        ) and dealt.path == built.path == ()
        assert (built.text == "build-A:?") == (viewer != 0)
    lot = game.read_move("lot-A")
    assert str(lot.short(game.seat_name)) == "Lot: Player A begins"
    assert {game.read_move(text).short(game.seat_name) for text in ("settle-A:a1", "discard-A:R5", "deal-A:?2")} == {""}
    told = update(cups(("start", None, ""), ("move", 0, "5-6"))[1], 0)["events"][1]
    assert told["short"] == ["join.way", ["5", "6"]]


def test_the_same_events_are_said_again_also_when_they_are_kept() -> None:
    """Of a long log only the latest are kept encoded; what is kept and what is made anew are the same."""
    state, updates = cups(("start", None, ""))
    for turn in range(12):
        seat = state.asked[0]
        add(state, "move", seat, str(state.position.moves(seat)[turn % 2]))
        fresh = [event["text"] for event in update(UpdateEncoder(state), None)["events"] if event["kind"] == "move"]
        for since in (0, state.version - 1):
            kept = [event["text"] for event in update(updates, None, since)["events"] if event["kind"] == "move"]
            assert kept == fresh[len(fresh) - len(kept) :]
        assert len(updates._events) <= 10


def test_a_table_that_waits_says_so_and_nobody_acts() -> None:
    state, updates = cups(("sit", 0, "Ida"))
    waiting = update(updates, 0)
    assert said(waiting["scene"]["status"]) == "Waiting for players." and "asked" not in waiting
    assert not any(line.get("acts") for line in waiting["scene"]["players"])
    add(state, "start")
    playing = update(updates, 0)
    assert said(playing["scene"]["status"]) == "Red to move." and playing["scene"]["players"][0]["acts"] is True


@pytest.mark.parametrize(
    ("seat", "why", "sentence"),
    [
        (0, "resigned", "Red resigned. Yellow wins."),
        (1, "time", "Yellow ran out of time. Red wins."),
        (None, "agreed", "The players agreed on a draw."),
    ],
)
def test_how_people_ended_it_is_said_at_once(seat: Seat | None, why: str, sentence: str) -> None:
    state, updates = cups(("start", None, ""), ("move", 0, "5-6"))
    assert said(update(updates, None)["scene"]["status"]) == "Yellow to move."
    add(state, "end", seat, why)
    ended = update(updates, None)
    assert said(ended["scene"]["status"]) == sentence
    assert ended["outcome"]["reason"] == why and ended["status"] == "over"
    assert not any(line.get("acts") for line in ended["scene"]["players"])


def test_times_offers_and_the_answer_are_there_when_they_are() -> None:
    state, updates = cups(("start", None, ""), clock=Clock(start=60))
    add(state, "offer", 0, "draw")
    got = update(updates, 1, now=1000, ack=7)
    assert got["times"] == {"left": [59_000, 60_000], "running": [0]} and got["ack"] == 7
    assert got["offers"] == [{"what": "draw", "seat": 0, "waits": [1]}]
    _, plain = cups(("start", None, ""))
    assert {"times", "offers", "ack", "outcome", "filling", "change"} & set(update(plain, 1)) == set()


def test_too_many_moves_are_put_together_instead_of_listed() -> None:
    game = cupboard.load("cup-king", 2)
    state = TableState.of(game, [draft.entry(n, 0) for n, draft in enumerate(begin(game))])
    updates = UpdateEncoder(state)
    for seat in (0, 1):
        got = update(updates, seat)
        filling, letters = got["filling"], {tint["name"]: tint["letter"] for tint in got["scene"]["tints"]}
        assert "moves" not in got and filling["pattern"].startswith(f"build-{'AB'[seat]}:")
        text = filling["pattern"].format(*(letters[tint] for tint in filling["suggestion"]))
        assert str(state.position.parse(text, seat)) == text
        assert len(filling["spots"]) == len(filling["suggestion"]) == filling["pattern"].count("{}")
    listed, filling, aiming = choices(state.position.seen_by(0))
    assert listed == () and filling is not None and aiming is None


def test_a_move_that_may_be_aimed_comes_with_how_to_aim_it_for_its_seat_alone() -> None:
    """The usual ones are listed besides, by what to point at."""
    pyramid = "RYGBP/RYGB/RYG/BP/P"
    game = cupboard.load("cup-king", 2)
    position = game.read(f"{pyramid};{pyramid} -;Y1 R5;- - >R B 1:0,0 0")
    listed, filling, aiming = choices(position.seen_by(1))
    assert len(listed) == 9 and filling is None and aiming is not None and aiming.names == ("a1", "b1", "c1")
    assert position.parse(aiming.text("b1", 75, 40, -10, 15, is_behind=True)).spots() == ("B:b1",)
    assert choices(position.seen_by(0)).aiming is None and choices(position.seen_by(None)).aiming is None
    careful = cupboard.load("cup-king", 2, two_fingers="B").read(str(position))
    assert choices(careful.seen_by(1)).aiming is None and len(choices(careful.seen_by(1)).moves) == 3


def test_nothing_is_kept_for_nobody() -> None:
    _, updates = cups(("start", None, ""), ("move", 0, "5-6"))
    update(updates, 0)
    update(updates, 1, known=())
    kept = ("_scene", "_change", "_events", "_moves")
    assert all(getattr(updates, name) for name in kept)
    updates.forget()
    assert not any(getattr(updates, name) for name in kept)


def test_a_seat_handed_to_a_bot_is_drawn_anew() -> None:
    state = TableState.of(cupboard.load("double-dutch", 3), [LogEntry(0, "start", None, "", 0)])
    updates = UpdateEncoder(state)
    update(updates, None)
    stamp = updates._stamp
    add(state, "handover", 1, "maple")
    update(updates, None)
    assert updates._stamp != stamp


def test_an_error_has_its_code_and_a_sentence_that_fits_the_wire() -> None:
    short = problem(IllegalMove(phrase("plain", text="No.")))
    assert (short.code, short.sentence, str(short.words)) == ("illegal-move", "No.", "No.")
    for length, has_words in ((500, True), (501, False)):
        told = problem(CupboardError(phrase("plain", text="x" * length)))
        assert len(told.sentence) == 500 and (told.words is not None) == has_words
