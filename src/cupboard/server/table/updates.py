"""Updates: what each client may know of a table, as JSON. What several clients are sent is encoded once for all.

Everything here goes through `Position.seen_by` and `Move.seen_by`: what a seat may not know is not in its bytes.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from cupboard.core.aiming import Aiming
from cupboard.core.changes import change
from cupboard.core.filling import Filling
from cupboard.core.game import CHANCE, Move, Outcome, Seat, View
from cupboard.core.scene import Part, Scene
from cupboard.core.words import Words, also, phrase, sentences
from cupboard.server.table.scenes import ENCODER, encoded_choice, scene_of
from cupboard.server.table.state import TableState
from cupboard.server.wire.server_messages import Event, Update

Parts = tuple[Part, ...]
"""The parts of the scene that a client was sent last."""
Json = Any
"""A msgspec.Raw in place of the struct that it encodes: the encoder copies it."""
_MOST_EVENTS = 4
"""So many of the latest events are kept as JSON for the next client."""


class Choices(NamedTuple):
    """What a seat may do."""

    moves: tuple[Json, ...] = ()
    """The legal moves as JSON."""
    filling: Filling | None = None
    """How to put a move together, when they are too many to list."""
    aiming: Aiming | None = None
    """How to aim a move by hand, when the listed ones are only the usual ones."""


class UpdateEncoder:
    """Encodes the updates of one table, and keeps what was encoded for one client for others that see the same.

    Nothing is kept of a game with secrets but its events: there, a scene is mostly for one client alone.
    """

    __slots__ = ("_change", "_events", "_hides_chat", "_moves", "_scene", "_stamp", "_state", "secrets")

    def __init__(self, state: TableState, hides_chat: bool = False) -> None:
        """With `hides_chat` what was once said at the table keeps its numbers in the log, but is not told."""
        self._state = state
        self._hides_chat = hides_chat
        self.secrets = state.game.has_secrets
        self._stamp: object = None
        self._events: dict[int, Json] = {}
        self._moves: dict[Seat, Choices] = {}
        # Where all see the same, which tests hold every game without secrets to:
        self._scene: Scene | None = None
        self._change: tuple[Parts, Json] | None = None

    def forget(self) -> None:
        """Drop everything that was kept: the position has changed, or no client is left."""
        self._stamp = self._scene = self._change = None
        self._events.clear()
        self._moves.clear()

    def update(
        self,
        since: int,
        seats: frozenset[Seat],
        viewer: Seat | None,
        known: Parts | None,
        now: int,
        ack: int | None = None,
    ) -> tuple[bytes, Parts]:
        """An update as JSON, and the parts of the scene that the client has after it.

        The client holds `seats`, sees the board from `viewer`, and has `since` events and the parts `known`."""
        state = self._state
        self._drop_old()
        view = state.position.seen_by(viewer)
        scene = self._scene_of(view)
        choices = self._choices(view, viewer) if viewer is not None and viewer in state.asked else Choices()
        message = Update(
            version=state.version,
            events=self._encoded_events(since, seats),
            status=state.status,
            scene=scene if known is None else None,  # said once to each client: not worth the memory of its JSON
            change=None if known is None else self._encoded_change(known, scene),
            seat=viewer,
            asked=state.asked,
            moves=choices.moves,
            filling=choices.filling,
            aiming=choices.aiming,
            times=state.times(now),
            offers=state.standing() if state.offers else (),
            hints=state.hints,
            outcome=state.outcome,
            ack=ack,
        )
        return ENCODER.encode(message), scene.parts

    def events(self, since: int, seats: frozenset[Seat], until: int | None = None) -> tuple[Event, ...]:
        """The log from `since` to before `until`, or to its end.

        A client that holds several seats shares a screen: the log shows what all may know."""
        viewer = _viewer_of_log(seats)
        last = self._state.version if until is None else min(until, self._state.version)
        return tuple([self._event(n, self._move(n, viewer)) for n in range(max(since, 0), last)])

    def _encoded_events(self, since: int, seats: frozenset[Seat]) -> tuple[Json, ...]:
        """The log from `since` to its end as JSON. The latest events are kept for clients that may know all of them."""
        state, viewer, out = self._state, _viewer_of_log(seats), []
        for n in range(max(since, 0), state.version):
            seen = self._move(n, viewer)
            is_whole = seen is state.made[n]
            encoded = self._events.get(n) if is_whole else None
            if encoded is None:
                encoded = msgspec.Raw(ENCODER.encode(self._event(n, seen)))
                if is_whole and n >= state.version - _MOST_EVENTS:
                    self._events[n] = encoded
            out.append(encoded)
        return tuple(out)

    def _move(self, n: int, viewer: Seat | None) -> Move | None:
        """The move of entry `n` as far as the viewer may know it; None for an entry that is no move."""
        move = self._state.made[n]
        return move if move is None or not self.secrets else move.seen_by(viewer)

    def _event(self, n: int, seen: Move | None) -> Event:
        """Entry `n` as an event; `seen` is its move, as far as the client may know it."""
        entry = self._state.entries[n]
        if entry.kind in ("chat", "phrase") and self._hides_chat:
            return Event(n, "chat", entry.at, entry.seat)
        if entry.kind == "phrase":
            return Event(n, "phrase", entry.at, entry.seat, entry.text, words=phrase(f"phrase.{entry.text}"))
        if seen is None:
            return Event(n, entry.kind, entry.at, entry.seat, entry.text)
        path = () if entry.seat == CHANCE else seen.route()
        name = self._state.game.seat_name
        return Event(
            n, "move", entry.at, entry.seat, str(seen), path, seen.words(name), seen.short(name), seen.is_simulated
        )

    def _drop_old(self) -> None:
        """Drop what was kept of an earlier position."""
        # Sitting down, resigning and running out of time change what the scene says without a move.
        stamp = (self._state.changed, self._state.status, len(self._state.bots))
        if stamp != self._stamp or len(self._events) > 2 * _MOST_EVENTS:
            self.forget()
            self._stamp = stamp

    def _scene_of(self, view: View[Any]) -> Scene:
        """The scene of the view. Where all see the same, all clients get one object, whose parts are compared fast."""
        if self._scene is not None:
            return self._scene
        scene = with_table_status(scene_of(view, self._state.last), self._state)
        if not self.secrets:
            self._scene = scene
        return scene

    def _encoded_change(self, known: Parts, scene: Scene) -> Json:
        """How the scene differs from the parts a client has, encoded once for all clients that have these parts."""
        if self.secrets:
            return change(known, scene)
        if self._change is None or self._change[0] is not known:
            self._change = known, msgspec.Raw(ENCODER.encode(change(known, scene)))
        return self._change[1]

    def _choices(self, view: View[Any], seat: Seat) -> Choices:
        """The legal moves of the seat that the view is for."""
        if (known := self._moves.get(seat)) is None:
            known = choices(view)
            if not self.secrets:
                self._moves[seat] = known
        return known


def _viewer_of_log(seats: frozenset[Seat]) -> Seat | None:
    """The seat for which a client's log is written; None for a client of no seat or of several."""
    return next(iter(seats)) if len(seats) == 1 else None


def with_table_status(scene: Scene, state: TableState) -> Scene:
    """The scene with a status that only the table knows: people are still missing, or have ended the game."""
    if state.status == "playing" or state.position.is_over:
        return scene
    status = _ended_by_people(state, state.outcome) if state.outcome else phrase("state.waiting")
    players = tuple([replace(player, acts=False) for player in scene.players])
    return replace(scene, status=status, players=players, advice=None)


def _ended_by_people(state: TableState, outcome: Outcome) -> Words:
    """The status of a game that ended by agreement, by resignation, on time or by a teacher, as words."""
    if len(outcome.winners) in (0, outcome.seats):
        return outcome.sentence
    who = also(*map(state.game.seat_name, outcome.winners))
    return sentences(outcome.sentence, phrase("state.wins", who=who, count=len(outcome.winners)))


def choices(view: View[Any]) -> Choices:
    """What the seat of a view may do, ready for its client."""
    if (filling := view.filling()) is not None:
        return Choices(filling=filling)
    return Choices(tuple(map(encoded_choice, view.moves())), aiming=view.aiming())
