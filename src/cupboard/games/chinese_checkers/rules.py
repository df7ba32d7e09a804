"""Chinese Checkers for people: moves, positions, notation. Rules are in kernel.py, their numbers in README.md."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from types import MappingProxyType
from typing import ClassVar

import numpy as np

from cupboard.core.errors import BadNotation, BadOption, BadPosition
from cupboard.core.game import Game, Move, Position, Seat, Spot, State, View, letter
from cupboard.core.options import Option
from cupboard.core.row import SEATS, TURN, by_entry
from cupboard.core.scene import BLUE, GREEN, PURPLE, RED, WHITE, YELLOW, Piece, Scene, Tint
from cupboard.core.words import Text, Words, also, listed, phrase, quoted, way
from cupboard.games.chinese_checkers import layout as k
from cupboard.games.chinese_checkers.board import (
    BETWEEN,
    FIRST,
    NAMES,
    NUMBER,
    ROW_LETTERS,
    STEPS,
    TRIANGLE_OF,
    WIDTHS,
    target,
)

FINISH_RULES = ("fi", "se", "strict")
REASONS = ("", "finished", "joint-finish", "repetition", "limit", "all-blocked")


@dataclass(frozen=True, slots=True)
class Walk(Move):
    """A piece steps, or jumps from landing to landing, along `path`; perhaps it swaps places at its end (CC-18)."""

    path: tuple[Spot, ...]
    swaps: bool = False

    def spots(self) -> tuple[Spot, ...]:
        """The piece, then where it comes to rest."""
        return self.path[0], self.path[-1]

    def route(self) -> tuple[Spot, ...]:
        """Every hole of its way."""
        return self.path

    @property
    def landings(self) -> int:
        """Once, and again for every further jump of a chain."""
        return len(self.path) - 1

    def words(self, name: Callable[[Seat], Text]) -> Words:
        """The sentence that names the holes of the piece's way."""
        key = "chinese-checkers.swaps" if self.swaps else "chinese-checkers.moves"
        return phrase(key, start=self.path[0], way=listed(*self.path[1:]))

    def short(self, name: Callable[[Seat], Text]) -> Words:
        """Where the piece was and where it is: a chain is too long for a list."""
        if self.swaps:
            return phrase("chinese-checkers.short.swaps", start=self.path[0], end=self.path[-1])
        return way(self.path[0], self.path[-1])

    def __str__(self) -> str:
        return f"{'-'.join(self.path[:-1])}{'x' if self.swaps else '-'}{self.path[-1]}"


class _Star(State[Walk]):
    """What can be asked of a position and of a view: nothing is secret in this game."""

    __slots__ = ()
    game: ChineseCheckers

    def owner(self, hole: Spot) -> Seat | None:
        """The seat whose piece stands in the hole, or None."""
        return self._owner(NUMBER[hole])

    def owners(self) -> list[Seat | None]:
        """The seat of the piece in each hole, in reading order; None for an empty hole."""
        first = k.HOLES
        return [(hole >> 12) - 1 if hole >= 1 << 12 else None for hole in self._row[first : first + 121].tolist()]

    def home(self, seat: Seat) -> int:
        """How many pieces a seat has in its target."""
        return int(self._row[k.OWN + seat])

    @property
    def turns(self) -> int:
        """How many turns have been taken, forced passes included."""
        return int(self._row[k.TURNS])

    @property
    def finished(self) -> tuple[Seat, ...]:
        """The seats that have finished in this round; the others may still draw level (CA-13)."""
        mask = int(self._row[k.FINISHED])
        return tuple(seat for seat in range(self.game.seats) if mask >> seat & 1)

    def can_move(self, seat: Seat) -> bool:
        """Whether a seat could move now if it were its turn; else it would be passed over (CA-9)."""
        row = self._row.copy()
        row[TURN] = seat
        return bool(self.game.kernel.moves(row, np.empty(self.game.kernel.max_moves, np.int64)) > 0)

    def scene(self) -> Scene:
        """The star with its pieces."""
        from cupboard.games.chinese_checkers.scene import scene

        return scene(self)

    def __str__(self) -> str:
        owners = ["." if seat is None else letter(seat) for seat in self.owners()]
        rows = "/".join("".join(owners[first : first + width]) for first, width in zip(FIRST, WIDTHS, strict=False))
        outcome = self.outcome()
        if outcome:
            who = f"={','.join(map(letter, outcome.winners))}:{outcome.reason}"
        else:
            who = "+".join(map(letter, (self.to_act[0], *self.finished)))
        return f"{rows} {who} {self.turns} {self.ply}"

    def _owner(self, hole: int) -> Seat | None:
        seat = (int(self._row[k.HOLES + hole]) >> 12) - 1
        return None if seat < 0 else seat

    def _decode(self, code: int) -> Walk:
        start, end = divmod(code, 121)
        swaps = self._owner(end) is not None
        if (start, end) in STEPS:
            return _step(code, swaps)
        out = np.empty(121, np.int64)
        holes = out[: self.game.kernel_module.path(self._row, code, out)].tolist()
        return Walk(tuple([NAMES[hole] for hole in holes]), swaps)

    def _encode(self, move: Move) -> int:
        if not isinstance(move, Walk) or len(move.path) < 2 or not NUMBER.keys() >= set(move.path):
            return -1
        holes = [NUMBER[spot] for spot in move.path]
        code = holes[0] * 121 + holes[-1]
        fits = code in self._codes() and move.swaps == (self._owner(holes[-1]) is not None)
        return code if fits and not self._flaw(holes) else -1

    def _read_move(self, text: str, seat: Seat | None) -> Walk:
        """The move a text describes; of a chain the two ends are enough, and a shortest way is filled in."""
        move = self.game.read_move(text)
        code = NUMBER[move.path[0]] * 121 + NUMBER[move.path[-1]]
        if self.is_over or code not in self._codes():
            return move
        swaps = self._owner(code % 121) is not None
        if move.swaps and not swaps:
            return move
        return self._decode(code) if len(move.path) == 2 else Walk(move.path, swaps)

    def _flaw(self, holes: Sequence[int]) -> Words | None:
        """What is wrong with the way of a piece, or None; whether it may rest at the end is checked elsewhere."""
        if len(holes) == 2 and (holes[0], holes[1]) in STEPS:
            return None
        mine = target(self.game.seats, self.to_act[0])
        for here, there in pairwise(holes):
            if (here, there) in STEPS:
                return phrase("chinese-checkers.no.stepInChain")
            if (here, there) not in BETWEEN:
                return phrase("chinese-checkers.no.line", start=NAMES[here], end=NAMES[there])
            if self._owner(BETWEEN[here, there]) is None:
                return phrase("chinese-checkers.no.over", hole=NAMES[BETWEEN[here, there]])
            if there != holes[-1] and self._owner(there) is not None:
                return phrase("chinese-checkers.no.taken", hole=NAMES[there])
            leaves = TRIANGLE_OF[here] == mine and TRIANGLE_OF[there] != mine
            if leaves and self.game.options["target_lock"] and not self.game.options["lenient_transit"]:
                return phrase("chinese-checkers.no.leaving", hole=NAMES[here])
        return phrase("chinese-checkers.no.twice") if len(set(holes)) < len(holes) else None

    def _why_not(self, move: Walk) -> Words:
        holes = [NUMBER[spot] for spot in move.path]
        seat, (start, end) = self.to_act[0], move.spots()
        mine = target(self.game.seats, seat)
        standing, waiting = self._owner(holes[0]), self._owner(holes[-1])
        if standing is None:
            return phrase("chinese-checkers.no.piece", hole=start)
        if standing != seat:
            whose, who = self.game.seat_name(standing), self.game.seat_name(seat)
            return phrase("chinese-checkers.no.own", hole=start, whose=whose, who=who)
        if len(set(holes)) < len(holes):
            return phrase("chinese-checkers.no.twice")
        if self.game.options["target_lock"] and TRIANGLE_OF[holes[0]] == mine != TRIANGLE_OF[holes[-1]]:
            return phrase("chinese-checkers.no.locked", hole=start)
        if waiting is not None and waiting != seat and self.game.options["finish_rule"] == "se":
            if TRIANGLE_OF[holes[-1]] != mine:
                return phrase("chinese-checkers.no.swapHere", hole=end)
            if (holes[0], holes[-1]) not in STEPS and not self.game.options["swap_by_jump"]:
                return phrase("chinese-checkers.no.swapByJump", hole=end)
        elif waiting is not None:
            return phrase("chinese-checkers.no.taken", hole=end)
        elif move.swaps:
            return phrase("chinese-checkers.no.swapWith", hole=end, move=str(move).replace("x", "-"))
        legal = holes[0] * 121 + holes[-1] in self._codes()
        if len(holes) > 2 or legal or (holes[0], holes[1]) in BETWEEN:
            return self._flaw(holes) or phrase("chinese-checkers.no.chain", start=start, end=end)
        return phrase("chinese-checkers.no.way", start=start, end=end)

    def _explain(self, reason: int, winners: tuple[Seat, ...]) -> tuple[str, Words]:
        why = REASONS[reason]
        who = also(*map(self.game.seat_name, winners))
        if why == "finished":
            fills = self.game.options["finish_rule"] == "fi"
            return why, phrase("chinese-checkers.end.filled" if fills else "chinese-checkers.end.allHome", who=who)
        if why == "joint-finish":
            return why, phrase("chinese-checkers.end.joint-finish", who=who)
        if why == "repetition":
            return why, phrase("chinese-checkers.end.repetition", count=int(self.game.options["repetition"]))
        return why, phrase("chinese-checkers.end.limit" if why == "limit" else "chinese-checkers.end.all-blocked")


@cache
def _step(code: int, swaps: bool) -> Walk:
    return Walk((NAMES[code // 121], NAMES[code % 121]), swaps)


class StarPosition(_Star, Position[Walk]):
    """A moment of Chinese Checkers."""

    __slots__ = ()


class StarView(_Star, View[Walk]):
    """A moment of Chinese Checkers as a seat or a spectator sees it, which is all of it."""

    __slots__ = ()


class ChineseCheckers(Game[Walk, StarPosition]):
    """Two to six players race ten pieces each across a star, stepping and jumping."""

    name = "chinese-checkers"
    minutes = 30
    SEATS: ClassVar = (2, 3, 4, 6)
    OPTIONS: ClassVar = (
        Option("finish_rule", "fi", choices=FINISH_RULES),
        Option("fi_min_own", 1, least=1, most=10),
        Option("leave_home", True),
        Option("swap_by_jump", False),
        Option("lenient_transit", False),
        Option("target_lock", True),
        Option("whole_rounds", True),
        Option("repetition", 3, most=9),
        Option("round_cap", 250, most=10_000),
        Option("turn_cap", 0, most=60_000),
    )
    PROFILES: ClassVar = MappingProxyType(
        {
            "tactic-fi": {},
            "tactic-se": {"finish_rule": "se"},
            "openspiel-2": {
                "finish_rule": "strict",
                "target_lock": False,
                "whole_rounds": False,
                "repetition": 0,
                "round_cap": 0,
                "turn_cap": 1000,
            },
        }
    )
    TINTS: ClassVar[tuple[Tint, ...]] = (RED, BLUE, YELLOW, GREEN, PURPLE, WHITE)
    LOOSE: ClassVar = tuple(("peg", tint.name) for tint in (RED, BLUE, YELLOW, GREEN, PURPLE, WHITE))
    move_classes = (Walk,)
    position_class = StarPosition
    view_class = StarView

    def _kernel_options(self) -> Sequence[int]:
        chosen = self.options
        entries = {
            SEATS: self.seats,
            k.FINISH_RULE: FINISH_RULES.index(str(chosen["finish_rule"])),
            k.MIN_OWN: chosen["fi_min_own"],
            k.LEAVE_HOME: chosen["leave_home"],
            k.SWAP_BY_JUMP: chosen["swap_by_jump"],
            k.LENIENT: chosen["lenient_transit"],
            k.LOCK: chosen["target_lock"],
            k.WHOLE_ROUNDS: chosen["whole_rounds"],
            k.REPETITION: chosen["repetition"],
            k.ROUND_CAP: chosen["round_cap"],
            k.TURN_CAP: chosen["turn_cap"],
        }
        return by_entry({entry: int(value) for entry, value in entries.items()})

    def _check_options(self) -> None:
        chosen = self.options
        if chosen["fi_min_own"] != 1 and chosen["finish_rule"] != "fi":
            raise BadOption(phrase("chinese-checkers.option.no.fi_min_own"))
        if chosen["swap_by_jump"] and chosen["finish_rule"] != "se":
            raise BadOption(phrase("chinese-checkers.option.no.swap_by_jump"))
        if chosen["lenient_transit"] and not chosen["target_lock"]:
            raise BadOption(phrase("chinese-checkers.option.no.lenient_transit"))
        if chosen["repetition"] == 1:
            raise BadOption(phrase("chinese-checkers.option.no.repetition"))
        if not chosen["round_cap"] and not chosen["turn_cap"]:
            raise BadOption(phrase("chinese-checkers.option.no.caps"))

    def _why_not_seats(self, seats: int) -> Words:
        if seats == 5:
            return phrase("chinese-checkers.no.five")
        return super()._why_not_seats(seats)

    def read_move(self, text: str) -> Walk:
        """A move: `d2-e6` for a step, `d2-f7-h5` for a chain, `p1xq1` for a swap; of a chain, two ends will do."""
        plain = text.strip().lower().replace("-x-", "x")  # typed p1 x q1
        if not re.fullmatch(r"[a-z][0-9]{1,2}(-[a-z][0-9]{1,2})*[-x][a-z][0-9]{1,2}", plain, re.ASCII):
            raise BadNotation(phrase("chinese-checkers.notation.move", text=quoted(text[:30])))
        path = tuple(re.findall(r"[a-z][0-9]{1,2}", plain))  # not split at x: "x7" is a hole too, if a wrong one
        for spot in path:
            if spot not in NUMBER:
                row = ROW_LETTERS.find(spot[0])
                if row < 0:
                    raise BadNotation(phrase("chinese-checkers.notation.row", hole=spot))
                raise BadNotation(phrase("chinese-checkers.notation.hole", hole=spot, row=spot[0], holes=WIDTHS[row]))
        return Walk(path, "x" in plain)

    def arranged(self, stacks: Mapping[Spot, Sequence[Piece]], turn: Seat) -> StarPosition:
        """The position with these pieces, as early in a game as the turn allows; BadPosition if it cannot come up."""
        letters = {tint.name: letter(seat) for seat, tint in enumerate(self.TINTS[: self.seats])}
        if any(len(stack) > 1 for stack in stacks.values()):
            raise BadPosition(phrase("chinese-checkers.position.crowded"))
        marks = "".join(letters[stacks[hole][0].tint] if stacks.get(hole) else "." for hole in NAMES)
        rows = "/".join(marks[first : first + width] for first, width in zip(FIRST, WIDTHS, strict=False))
        return self.read(f"{rows} {letter(turn)} {turn} {turn}")

    def read(self, text: str) -> StarPosition:
        """The position of a line: holes row by row, who acts (or `=A:finished`), turns taken, moves made (README)."""
        from cupboard.games.chinese_checkers.reading import read_row

        return StarPosition(self, read_row(self, text))
