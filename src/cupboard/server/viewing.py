"""Updates: what each client may know of a table, encoded. The common parts are made once for all who look.

Everything here goes through `Position.seen_by` and `Move.seen_by`: what a seat may not know is not in its bytes.
"""

from __future__ import annotations

from typing import Any

import msgspec

from cupboard.core.errors import CupboardError
from cupboard.core.game import CHANCE, Seat, View
from cupboard.core.words import Words, also, phrase, sentences
from cupboard.server.arrange import arrange
from cupboard.server.fold import Fold
from cupboard.server.scenes import Ground, board_of, change_of, changing, choice, ground_of, has_secrets, scene_of
from cupboard.server.wire import Arrange, Choice, Event, Outcome, Problem, Scene, Update

ENCODER = msgspec.json.Encoder()
_MOST_KEPT = 1000
"""Bytes of news that a table keeps for the next who asks."""


class Eyes:
    """Remembers what has been drawn of the present state of one fold for more than one to see.

    Where seats see different things, each is drawn for one client mostly, and not worth the memory.
    """

    __slots__ = ("_fold", "_latest", "_moves", "_scenes", "_stamp", "secrets")

    def __init__(self, fold: Fold) -> None:
        self._fold = fold
        self.secrets = has_secrets(fold.game)
        self._stamp: object = None
        self._latest: tuple[object, bytes] = None, b""
        self._scenes: dict[Seat | None, tuple[bytes, Ground]] = {}
        self._moves: dict[Seat, tuple[bytes, Arrange | None]] = {}

    def forget(self) -> None:
        """Nobody is looking: keep nothing."""
        self._stamp = None
        self._scenes.clear()
        self._moves.clear()

    def update(
        self,
        since: int,
        seats: frozenset[Seat],
        eye: Seat | None,
        known: Ground | None,
        now: int,
        ack: int | None = None,
    ) -> tuple[bytes, Ground]:
        """The message for a client that holds `seats`, has `since` events and `known`; and the ground it has then."""
        fold = self._fold
        view = fold.position.seen_by(eye)
        scene, here = self._scene(view)
        known = known if known is not None and known.outlines == here.outlines else None
        change = change_of(known, here) if known is not None else b""
        moves, arrangement = self._listed(view, eye) if eye is not None and eye in fold.asked else (b"[]", None)
        raw: Any = msgspec.Raw
        message = Update(
            version=fold.version,
            events=raw(self._news(since, seats)),
            status=fold.status,
            scene=raw(scene),
            board=raw(board_of(here, fold.game)) if known is None else None,
            change=raw(change) if change else None,
            seat=eye,
            asked=fold.asked,
            moves=() if moves == b"[]" else raw(moves),
            arrange=arrangement,
            times=fold.times(now),
            offers=fold.standing() if fold.offers else (),
            outcome=fold.outcome,
            ack=ack,
        )
        return ENCODER.encode(message), here

    def events(self, since: int, seats: frozenset[Seat]) -> tuple[Event, ...]:
        """The log from `since` on. Who holds several seats shares a screen: the log shows what all may know."""
        fold = self._fold
        eye = next(iter(seats)) if len(seats) == 1 else None
        out = []
        for n in range(max(since, 0), fold.version):
            entry, move = fold.entries[n], fold.made[n]
            if move is None:
                out.append(Event(n, entry.kind, entry.at, entry.seat, entry.text))  # type: ignore[arg-type]
                continue
            seen = move.seen_by(eye) if self.secrets else move
            spots = () if entry.seat == CHANCE else seen.spots()
            words = seen.words(fold.game.seat_name)
            out.append(Event(n, "move", entry.at, entry.seat, str(seen), spots, words))
        return tuple(out)

    def _news(self, since: int, seats: frozenset[Seat]) -> bytes:
        """The same, encoded; the latest are kept, as most who look have seen all but them."""
        key = since, self._fold.version, next(iter(seats)) if self.secrets and len(seats) == 1 else None
        if key != self._latest[0]:
            encoded = ENCODER.encode(self.events(since, seats))
            if len(encoded) > _MOST_KEPT:
                return encoded
            self._latest = key, encoded
        return self._latest[1]

    def _fresh(self) -> None:
        # Sitting down, resigning and running out of time change what the scene says without a move.
        stamp = (self._fold.changed, self._fold.status, len(self._fold.bots))
        if stamp != self._stamp:
            self.forget()
            self._stamp = stamp

    def _scene(self, view: View[Any]) -> tuple[bytes, Ground]:
        self._fresh()
        eye = view.seat if self.secrets else None  # where all see the same: tests hold every game to it
        if (known := self._scenes.get(eye)) is not None:
            return known
        fold = self._fold
        scene = scene_of(view, fold.last)
        drawn = ENCODER.encode(told(changing(scene), fold)), ground_of(scene)
        if eye is None:
            self._scenes[eye] = drawn
        return drawn

    def _listed(self, view: View[Any], seat: Seat) -> tuple[bytes, Arrange | None]:
        self._fresh()
        if (known := self._moves.get(seat)) is None:
            moves, arrangement = choices(view)
            known = ENCODER.encode(moves), arrangement
            if not self.secrets:
                self._moves[seat] = known
        return known


def told(scene: Scene, fold: Fold) -> Scene:
    """The scene with what the table knows and the game does not: nobody has come yet, or somebody has left."""
    if fold.status == "playing" or fold.position.is_over:
        return scene
    status = _ended(fold, fold.outcome) if fold.outcome else phrase("state.waiting")
    lines = tuple(msgspec.structs.replace(line, acts=False) for line in scene.players)
    return msgspec.structs.replace(scene, status=status, players=lines)


def _ended(fold: Fold, outcome: Outcome) -> Words:
    """How people ended it."""
    if not outcome.winners or outcome.reason == "agreed":
        return outcome.sentence
    who = also(*map(fold.game.seat_name, outcome.winners))
    return sentences(outcome.sentence, phrase("state.wins", who=who, count=len(outcome.winners)))


def choices(view: View[Any]) -> tuple[tuple[Choice, ...], Arrange | None]:
    """The legal moves of a view's seat, or how to put one together when they are too many to list."""
    if (filling := view.filling()) is not None:
        return (), arrange(filling)
    return tuple([choice(move) for move in view.moves()]), None


def problem(error: CupboardError) -> Problem:
    """An error for the wire, of a length that fits it."""
    sentence = str(error)
    return Problem(error.code, sentence[:500], error.words if len(sentence) <= 500 else None)
