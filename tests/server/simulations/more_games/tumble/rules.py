"""Tumble: two players push in turn, and nature says where the thing comes to rest; a simulation finds that out.

The option `mischief` says what becomes of the simulations, so that tests see what a server does about it. The kernel is
plain Python: there is nothing to compile and nothing for bots that search."""

from __future__ import annotations

import os
import time
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar

import numpy as np

from cupboard.core.errors import BadNotation, BadPosition
from cupboard.core.game import Game, Move, Position, Seat, Spot, State, View
from cupboard.core.options import Option
from cupboard.core.position import Simulated
from cupboard.core.random_source import Luck
from cupboard.core.row import PLY, TURN
from cupboard.core.scene import BLUE, RED, Cell, Part, PlayerPanel, Scene, Tint
from cupboard.core.words import Words, phrase

KINDS = ("push", "rest", "coin")
ENTRIES = slice(5, 9)


@dataclass(frozen=True, slots=True)
class Tumbling(Move):
    """A push of a seat, or what nature makes of it: where it rests, and how the coin falls."""

    kind: str
    number: int

    def spots(self) -> tuple[Spot, ...]:
        return (str(self),)

    @property
    def is_simulated(self) -> bool:
        return self.kind == "rest" and self.number > 0

    def __str__(self) -> str:
        return f"{self.kind}-{self.number}"


class _Tumble(State[Tumbling]):
    __slots__ = ()

    @property
    def phase(self) -> int:
        return int(self._row[5])

    def scene(self) -> Scene:
        cells = tuple(Cell(f"push-{n}", n, 0, phrase("tumble.cell")) for n in range(3))
        panels = tuple(PlayerPanel(s, self.game.seat_name(s), self.game.tint(s).name, s in self.to_act) for s in (0, 1))
        status = phrase(f"tumble.{KINDS[self.phase]}")
        return Scene(self.game.title, status, (Part("board", cells),), panels, tints=self.game.palette)

    def __str__(self) -> str:
        return ",".join(map(str, [self._row[TURN], self._row[PLY], *self._row[ENTRIES]]))

    def _decode(self, code: int) -> Tumbling:
        return Tumbling(KINDS[self.phase], code)

    def _encode(self, move: Move) -> int:
        return move.number if isinstance(move, Tumbling) and move.kind == KINDS[self.phase] else -1

    def _why_not(self, move: Tumbling) -> Words:
        return phrase("tumble.no", move=str(move))

    def _explain(self, reason: int, winners: tuple[Seat, ...]) -> tuple[str, Words]:
        return "tired", phrase("tumble.tired")


class TumblePosition(_Tumble, Position[Tumbling]):
    """A moment of Tumble."""

    __slots__ = ()

    @property
    def is_simulated(self) -> bool:
        return self.phase == 1

    def simulate(self, rng: Luck) -> Simulated[Tumbling]:
        assert isinstance(rng, Random)
        seconds = float(self.game.options["milliseconds"]) / 1000
        if self.game.options["mischief"] == "busy":
            end = time.process_time() + seconds
            while time.process_time() < end:
                pass
        else:
            time.sleep(seconds)
        move = Tumbling("rest", rng.randint(1, 6))
        motion = zlib.compress(f"how it came to {move}".encode())
        match self.game.options["mischief"]:
            case "hang":
                time.sleep(3600)
            case "raise":
                raise ZeroDivisionError("the physics are gone")
            case "die":
                os.abort()
            case "illegal":
                return Simulated(Tumbling("rest", 99), motion)
            case "blank":
                return Simulated(Tumbling("", 0), motion)
            case "garbage":
                _write_to_pipes(b"\xff\xff\xff\xff and so on")
            case "nonsense":
                _write_to_pipes(b"\0\0\0\3{[}")
            case "stray":
                _write_to_pipes(b'\0\0\0\x11{"move":"rest-5"}')
            case "babble":
                print("A library has something to say.", flush=True)
                os.write(1, b"And so has its C code.")
            case "huge":
                return Simulated(move, bytes(70_000))
        return Simulated(move, motion)


def _write_to_pipes(data: bytes) -> None:
    """Write where answers go, wherever that is."""
    for fd in range(3, 20):
        try:
            os.write(fd, data)
        except OSError:
            continue


class TumbleView(_Tumble, View[Tumbling]):
    """A moment of Tumble as anybody sees it."""

    __slots__ = ()


class Tumble(Game[Tumbling, TumblePosition]):
    """Two players push in turn, four times in all unless the option `pushes` says more."""

    name = "tumble"
    minutes = 1
    SEATS: ClassVar = (2,)
    has_chance = True
    TINTS: ClassVar[tuple[Tint, ...]] = (RED, BLUE)
    MISCHIEF = (
        "none", "busy", "hang", "raise", "die", "illegal", "blank", "garbage", "nonsense", "stray", "babble", "huge",
    )  # fmt: skip
    OPTIONS = (
        Option("pushes", 4, least=1, most=1000),
        Option("milliseconds", 0, least=0, most=100_000),
        Option("nature_begins", False),
        Option("mischief", "none", choices=MISCHIEF),
    )
    move_classes = (Tumbling,)
    position_class = TumblePosition
    view_class = TumbleView

    def _kernel_options(self) -> Sequence[int]:
        return [int(self.options["pushes"]), int(self.options["nature_begins"])]

    def read_move(self, text: str) -> Tumbling:
        kind, _, number = text.partition("-")
        if kind not in KINDS or not number.isdecimal():
            raise BadNotation(f"{text[:30]!r} is no move: write push-1.")
        return Tumbling(kind, int(number))

    def read(self, text: str) -> TumblePosition:
        try:
            numbers = [int(number) for number in text.split(",")]
        except ValueError:
            raise BadPosition("A position is six numbers.") from None
        if len(numbers) != 6:
            raise BadPosition("A position is six numbers.")
        row = self.start().row.copy()
        row[TURN], row[PLY], row[ENTRIES] = numbers[0], numbers[1], np.array(numbers[2:])
        return self.position_class(self, row)
