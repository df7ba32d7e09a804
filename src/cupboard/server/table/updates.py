"""Updates: what each client may know of a table, encoded. The common parts are made once for all who look.

Everything here goes through `Position.seen_by` and `Move.seen_by`: what a seat may not know is not in its bytes.
"""

from __future__ import annotations

from typing import Any

import msgspec

from cupboard.core.game import CHANCE, Move, Seat, View
from cupboard.core.scene import Player, Scene
from cupboard.core.words import Words, also, phrase, sentences
from cupboard.server.table.arrange import arrange
from cupboard.server.table.scenes import (
    ENCODER,
    Frame,
    Ground,
    board_of,
    change_of,
    encode,
    encoded_choice,
    frame_of,
    ground_of,
    has_secrets,
    scene_of,
)
from cupboard.server.table.state import TableState
from cupboard.server.wire.messages import Arrange, Event, Outcome, Update

_MOST_EVENTS = 4
"""So many of the latest are kept encoded for the next who asks."""


class UpdateEncoder:
    """Encodes updates of one table, and keeps what more than one client will be sent until the table changes.

    Where seats see different things, each is drawn for one client mostly, and not worth the memory: only what is said
    to all is kept.
    """

    __slots__ = ("_events", "_frame", "_moves", "_scenes", "_stamp", "_state", "secrets")

    def __init__(self, state: TableState) -> None:
        self._state = state
        self.secrets = has_secrets(state.game)
        self._stamp: object = None
        self._events: dict[int, bytes] = {}
        self._frame: tuple[Words, tuple[Player, ...], bytes] | None = None
        self._scenes: dict[Seat | None, tuple[bytes, Ground]] = {}
        self._moves: dict[Seat, tuple[bytes, Arrange | None]] = {}

    def forget(self) -> None:
        """Nobody is looking: keep nothing."""
        self._stamp = self._frame = None
        self._events.clear()
        self._scenes.clear()
        self._moves.clear()

    def update(
        self,
        since: int,
        seats: frozenset[Seat],
        viewer: Seat | None,
        known: Ground | None,
        now: int,
        ack: int | None = None,
    ) -> tuple[bytes, Ground]:
        """The message for a client that holds `seats`, has `since` events and `known`; and the ground it has then."""
        state = self._state
        self._fresh()
        view = state.position.seen_by(viewer)
        scene, here = self._scene(view)
        known = known if known is not None and known.outlines == here.outlines else None
        change = change_of(known, here) if known is not None else b""
        moves, arrangement = (
            self._listed(view, viewer) if viewer is not None and viewer in state.asked else (b"[]", None)
        )
        raw: Any = msgspec.Raw
        message = Update(
            version=state.version,
            events=raw(self._news(since, seats)),
            status=state.status,
            scene=raw(scene),
            board=raw(board_of(here, state.game)) if known is None else None,
            change=raw(change) if change else None,
            seat=viewer,
            asked=state.asked,
            moves=() if moves == b"[]" else raw(moves),
            arrange=arrangement,
            times=state.times(now),
            offers=state.standing() if state.offers else (),
            outcome=state.outcome,
            ack=ack,
        )
        return ENCODER.encode(message), here

    def events(self, since: int, seats: frozenset[Seat], until: int | None = None) -> tuple[Event, ...]:
        """The log from `since` to before `until`, or to its end.

        Who holds several seats shares a screen: the log shows what all may know."""
        viewer = _one(seats)
        last = self._state.version if until is None else min(until, self._state.version)
        return tuple([self._event(n, self._seen(n, viewer)) for n in range(max(since, 0), last)])

    def _news(self, since: int, seats: frozenset[Seat]) -> bytes:
        """The same, encoded; the latest are kept as who may know all of them sees them, for the next who may."""
        state, viewer, out = self._state, _one(seats), []
        for n in range(max(since, 0), state.version):
            seen = self._seen(n, viewer)
            is_whole = seen is state.made[n]
            encoded = self._events.get(n) if is_whole else None
            if encoded is None:
                encoded = ENCODER.encode(self._event(n, seen))
                if is_whole and n >= state.version - _MOST_EVENTS:
                    self._events[n] = encoded
            out.append(encoded)
        return b"[%b]" % b",".join(out)

    def _seen(self, n: int, viewer: Seat | None) -> Move | None:
        """The move that entry `n` is, if it is one, as far as that seat may know it."""
        move = self._state.made[n]
        return move if move is None or not self.secrets else move.seen_by(viewer)

    def _event(self, n: int, seen: Move | None) -> Event:
        entry = self._state.entries[n]
        if seen is None:
            return Event(n, entry.kind, entry.at, entry.seat, entry.text)
        spots = () if entry.seat == CHANCE else seen.spots()
        return Event(n, "move", entry.at, entry.seat, str(seen), spots, seen.words(self._state.game.seat_name))

    def _fresh(self) -> None:
        # Sitting down, resigning and running out of time change what the scene says without a move.
        stamp = (self._state.changed, self._state.status, len(self._state.bots))
        if stamp != self._stamp or len(self._events) > 2 * _MOST_EVENTS:
            self.forget()
            self._stamp = stamp

    def _scene(self, view: View[Any]) -> tuple[bytes, Ground]:
        viewer = view.seat if self.secrets else None  # where all see the same: tests hold every game to it
        if (known := self._scenes.get(viewer)) is not None:
            return known
        scene = scene_of(view, self._state.last)
        drawn = encode(scene, self._framed(scene)), ground_of(scene)
        if viewer is None:
            self._scenes[viewer] = drawn
        return drawn

    def _framed(self, scene: Scene) -> bytes:
        """The scene's frame, encoded: mostly the very same is said to every seat."""
        known = self._frame
        if known is None or known[0] is not scene.status or known[1] != scene.players:
            known = self._frame = scene.status, scene.players, ENCODER.encode(told(frame_of(scene), self._state))
        return known[2]

    def _listed(self, view: View[Any], seat: Seat) -> tuple[bytes, Arrange | None]:
        if (known := self._moves.get(seat)) is None:
            known = choices(view)
            if not self.secrets:
                self._moves[seat] = known
        return known


def _one(seats: frozenset[Seat]) -> Seat | None:
    """The seat whose view of the log is sent; None, a spectator's view, to a screen that several seats share."""
    return next(iter(seats)) if len(seats) == 1 else None


def told(frame: Frame, state: TableState) -> Frame:
    """The frame with what the table knows and the game does not: nobody has come yet, or somebody has left."""
    if state.status == "playing" or state.position.is_over:
        return frame
    status = _ended(state, state.outcome) if state.outcome else phrase("state.waiting")
    lines = tuple(msgspec.structs.replace(line, acts=False) for line in frame.players)
    return msgspec.structs.replace(frame, status=status, players=lines)


def _ended(state: TableState, outcome: Outcome) -> Words:
    """How people ended it."""
    if not outcome.winners or outcome.reason == "agreed":
        return outcome.sentence
    who = also(*map(state.game.seat_name, outcome.winners))
    return sentences(outcome.sentence, phrase("state.wins", who=who, count=len(outcome.winners)))


def choices(view: View[Any]) -> tuple[bytes, Arrange | None]:
    """The legal moves of a view's seat, encoded, or how to put one together when they are too many to list."""
    if (filling := view.filling()) is not None:
        return b"[]", arrange(filling)
    return b"[%b]" % b",".join(map(encoded_choice, view.moves())), None
